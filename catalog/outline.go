package catalog

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/internal/document"
	"github.com/pcatdev/pcat/internal/jsonwire"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// Outline is a catalog in memory that is only partly decoded: its parts, their
// positions, and the rich values in them; see [document.Index]. The methods of
// [Reader] return the same parts for every kind of document.
type Outline struct {
	*document.Index
	from   *source
	base   int64  // the offset of Data in the document
	indent string // of the document
}

// hasOutlines reports whether documents of a form can have an [Outline].
func (s *source) hasOutlines() bool {
	return s.format.IsJSON() && s.format.Rich && s.options.Types == nil
}

// Outline returns the outline of the document, in less than half the time of
// reading the parts. It returns nil if the Reader was used, or if the document
// is read from a stream, is not rich JSON, has an envelope, is not well-formed
// or has known types. known may be nil; if it is the outline of the
// same bytes, it is returned. The Reader does not advance.
func (r *Reader) Outline(known *Outline) *Outline {
	if r.used || r.tape.r != nil || !r.from.hasOutlines() {
		return nil
	}
	if r.known != nil {
		return r.known
	}
	data := r.tape.buf
	if known != nil && known.from.format.Name == r.from.format.Name && known.from.options == r.from.options &&
		len(known.Data) == len(data) && &known.Data[0] == &data[0] {
		return known
	}
	found := document.NewIndex(data, r.from.options, lists(), keySensitive)
	if found == nil || !found.HasList("resources") {
		return nil
	}
	o := &Outline{Index: found, from: r.from, indent: indentOf(data)}
	if o.mayBeOther() {
		return nil
	}
	return o
}

// Outline returns the outline of a document with the resource as its only part, for the same
// work on a resource as on a document. It returns nil for the reasons of [Reader.Outline], and if
// a program made or changed the resource.
func (r *Resource) Outline() *Outline {
	const before, after = `{"resources":[`, `]}`
	c := r.whole.content()
	if c.raw == nil || !c.from.hasOutlines() {
		return nil
	}
	data := slices.Concat([]byte(before), c.raw, []byte(after))
	found := document.NewIndex(data, c.from.options, lists(), keySensitive)
	if found == nil || len(found.Parts) != 1 {
		return nil
	}
	// The members of an indented resource have one level more than its end.
	last := c.raw[bytes.LastIndexByte(c.raw, '\n')+1:]
	indent := strings.TrimPrefix(indentOf(c.raw), string(last[:jsonwire.SkipBlanks(last, 0)]))
	return &Outline{Index: found, from: c.from, base: c.offset - int64(len(before)), indent: indent}
}

// WithBytes returns the resource with other bytes in the same format, which must be valid. Its
// Offset is the same.
func (r *Resource) WithBytes(raw []byte) *Resource {
	c := r.whole.content()
	return &Resource{whole: newDatum(content{raw: raw, offset: c.offset, from: c.from})}
}

// Reader returns a new Reader of the document, which must be in memory as a whole. Its outline
// is o.
func (o *Outline) Reader() *Reader {
	r := NewReaderBytes(o.Data, o.from.format, o.from.options)
	r.known = o
	return r
}

// catalog returns the catalog, with the parts that [Reader.Parts] yields. It returns nil if a list
// is empty, whose position is unknown.
func (o *Outline) catalog() *Catalog {
	pieces := appendPart(nil, Part{Kind: PartMap, Count: -1})
	begun := map[string]bool{}
	list := "" // the list whose elements precede
	for i := range o.Parts {
		key := ""
		if o.Parts[i].In {
			key = o.Key(i)
		}
		if list != "" && key != list {
			pieces = appendPart(pieces, Part{Kind: PartEnd})
		}
		if key != "" && key != list {
			pieces = appendPart(pieces, Part{Kind: PartArray, Key: key, keyed: true, Count: -1})
			begun[key] = true
		}
		list = key
		pieces = appendPart(pieces, o.Part(i))
	}
	for _, key := range lists() {
		if o.HasList(key) && !begun[key] {
			return nil
		}
	}
	if list != "" {
		pieces = appendPart(pieces, Part{Kind: PartEnd})
	}
	return &Catalog{Header: o.Header(), pieces: appendPart(pieces, Part{Kind: PartEnd, Catalog: true})}
}

// lists returns the keys of the lists in a catalog.
func lists() []string { return []string{"resources", "edges"} }

// mayBeOther reports whether the document may be something else than one catalog: a
// rich value, or an envelope around catalogs.
func (o *Outline) mayBeOther() bool {
	for i := range o.Parts {
		if p := &o.Parts[i]; !p.In && (o.Key(i) == typeKey || o.Data[p.Start] == '{' && (o.Key(i) == "catalog" || o.Key(i) == "data")) {
			return true
		}
	}
	return false
}

// Pieces returns an iterator over the outlines of a document that is read from an
// [io.ReadSeeker], piece by piece: the Data of all pieces together is the document.
// A piece knows the members of the catalog in it only. The iterator ends with an
// error if the document cannot be outlined, for the reasons of [Reader.Outline]; the
// Reader is as before then and can read the parts. Otherwise it is at its end.
func (r *Reader) Pieces() iter.Seq2[*Outline, error] {
	return func(yield func(*Outline, error) bool) {
		back, err := r.rewind()
		if err != nil {
			yield(nil, err)
			return
		}
		more := true
		err = r.pieces(func(o *Outline) bool {
			more = yield(o, nil)
			return more
		})
		if err != nil && more {
			yield(nil, errors.Join(err, back()))
		}
	}
}

func (r *Reader) pieces(yield func(*Outline) bool) error {
	s := document.NewStream(r.tape.r, r.from.options, lists(), keySensitive)
	listed, base, indent := false, int64(0), ""
	for {
		found, err := s.Next()
		switch {
		case errors.Is(err, io.EOF) && listed:
			r.used = true
			return nil
		case errors.Is(err, io.EOF):
			return document.ErrNoIndex
		case err != nil:
			return err
		}
		listed = listed || found.HasList("resources")
		if base == 0 {
			indent = indentOf(found.Data)
		}
		o := &Outline{Index: found, from: r.from, base: base, indent: indent}
		if o.mayBeOther() {
			return document.ErrNoIndex
		}
		if !yield(o) {
			r.used = true
			return nil
		}
		base += int64(len(found.Data))
	}
}

// rewind sets the input to its beginning. back sets it to its present position again.
func (r *Reader) rewind() (back func() error, err error) {
	input, ok := r.tape.r.(io.Seeker)
	if r.used || !ok || !r.from.hasOutlines() {
		return nil, document.ErrNoIndex
	}
	at, err := input.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil, document.ErrNoIndex // a pipe
	}
	if _, err := input.Seek(r.start, io.SeekStart); err != nil {
		return nil, err
	}
	return func() error {
		_, err := input.Seek(at, io.SeekStart)
		return err
	}, nil
}

// Part returns the part at index i of Parts, as [Reader.Parts] returns it.
func (o *Outline) Part(i int) Part {
	p := &o.Parts[i]
	d := newDatum(content{raw: o.Data[p.Start:p.End:p.End], offset: o.base + int64(p.Start), from: o.from})
	switch key := o.Key(i); {
	case !p.In:
		return Part{Kind: PartMember, Key: key, keyed: true, Member: &Member{key, d}}
	case key == "resources":
		return Part{Kind: PartResource, Resource: &Resource{whole: d}}
	default:
		return Part{Kind: PartEdge, Edge: &Edge{whole: d}}
	}
}

// IsResource reports whether part i is a resource.
func (o *Outline) IsResource(i int) bool { return o.Parts[i].In && o.Key(i) == "resources" }

// TypeAndTitle returns the type and the title of the resource that is part i, as
// [Resource.TypeAndTitle] does.
func (o *Outline) TypeAndTitle(i int) (typ, title []byte) {
	if p := &o.Parts[i]; !p.Odd {
		if typ, title, ok := headOf(o.Data[p.Start:p.End]); ok {
			return typ, title
		}
	}
	return o.Part(i).Resource.TypeAndTitle()
}

// HasHead reports whether the resource that is part i begins with its type and its title, two
// Strings without escapes.
func (o *Outline) HasHead(i int) bool {
	p := &o.Parts[i]
	_, _, ok := headOf(o.Data[p.Start:p.End])
	return ok
}

// RevealAt decodes the value from start to end of Data, also a secret. The part must be a resource, and the positions
// those of a value in it, as returned by Rich; for others, the error matches [ErrShape]. Errors about the value are an *[Error]
// with the offset in the input.
func (o *Outline) RevealAt(part, start, end int) (pcore.Value, error) {
	return o.valueAt(part, start, end, (*datum).Value)
}

// RevealPlainAt is RevealAt without rich data, as in [Member.PlainValue].
func (o *Outline) RevealPlainAt(part, start, end int) (pcore.Value, error) {
	return o.valueAt(part, start, end, (*datum).PlainValue)
}

// valueAt decodes a part of a resource, which must be one value.
func (o *Outline) valueAt(part, start, end int, decode func(*datum) (pcore.Value, error)) (pcore.Value, error) {
	if part < 0 || part >= len(o.Parts) || start < o.Parts[part].Start || start >= end || end > o.Parts[part].End {
		return nil, fmt.Errorf("%w: the positions %d to %d are not those of a value in the part %d", ErrShape, start, end, part)
	}
	r, base := o.Part(part).Resource, o.Parts[part].Start
	if r == nil {
		return nil, fmt.Errorf("%w: the part %d is not a resource", ErrShape, part)
	}
	c := r.whole.content()
	start, end = start-base, end-base
	if text, ok := plainText(c.from.format.Wire, c.raw[start:end]); ok {
		return pcore.String(text), nil
	}
	value := newDatum(c.span(start, end))
	v, err := decode(&value)
	var inner *serialization.Error
	if errors.As(err, &inner) {
		err = &Error{Offset: c.offset + int64(start), Err: discreet(inner, nil)} // may be part of a secret
	}
	return v, r.blame(err)
}

// Declares reports whether the part at index i of Parts may declare a secret:
// it is a resource with `sensitive_parameters`, or it contains a rich value.
func (o *Outline) Declares(i int) bool {
	p := &o.Parts[i]
	return p.Watched || p.Odd || len(o.Rich(i)) > 0
}

// Header returns the header of the catalog.
func (o *Outline) Header() *Header {
	h := &Header{}
	for i := range o.Parts {
		if !o.Parts[i].In {
			h.members = append(h.members, *o.Part(i).Member)
		}
	}
	return h
}

// Name returns the name of the node, as [Header.Name] does.
func (o *Outline) Name() string {
	var h Header
	for i := range o.Parts {
		if o.Parts[i].In {
			continue
		}
		switch o.Key(i) {
		case "name", "certname":
			h.members = append(h.members, *o.Part(i).Member)
		}
	}
	return h.Name()
}

// AppendPart appends the part at index i of Parts in another version, in the form and the
// layout of the document, with secrets in plain text.
func (o *Outline) AppendPart(dst []byte, i int, p Part) ([]byte, error) {
	p.Key, p.keyed = "", true
	around := []Part{{Kind: PartMap, Count: -1}}
	if o.Parts[i].In {
		p.keyed = false
		around = append(around, Part{Kind: PartArray, keyed: true, Count: -1})
	}
	var out bytes.Buffer
	w := NewWriter(&out, o.from.format, WriteOptions{Secrets: serialization.PlainSecrets, Indent: o.indent})
	for _, p := range append(around, p) {
		if err := w.Write(p); err != nil {
			return dst, err
		}
	}
	for range around {
		if err := w.Write(Part{Kind: PartEnd}); err != nil {
			return dst, err
		}
	}
	if err := w.Close(); err != nil {
		return dst, err
	}
	return append(dst, inner(out.Bytes(), o.Parts[i].In)...), nil
}

// inner returns the value in the map of one member, or in the array of one element that is the
// member.
func inner(whole []byte, inArray bool) []byte {
	const blanks = " \t\r\n"
	_, value, _ := bytes.Cut(whole, []byte(`"":`))
	value = bytes.Trim(bytes.TrimSuffix(value, []byte("}")), blanks)
	if inArray {
		value = bytes.Trim(value[1:len(value)-1], blanks)
	}
	return value
}

// AppendValue appends a value that replaces the one at a position, in the form and the layout of
// the document, with secrets in plain text.
func (o *Outline) AppendValue(dst []byte, at int, v pcore.Value) ([]byte, error) {
	first := len(dst)
	dst, err := o.from.format.Append(dst, v, serialization.EncodeOptions{Secrets: serialization.PlainSecrets, Indent: o.indent})
	if err != nil || o.indent == "" || bytes.IndexByte(dst[first:], '\n') < 0 {
		return dst, err
	}
	line := o.Data[bytes.LastIndexByte(o.Data[:at], '\n')+1 : at]
	blanks := line[:jsonwire.SkipBlanks(line, 0)]
	return append(dst[:first], bytes.ReplaceAll(dst[first:], []byte("\n"), slices.Concat([]byte("\n"), blanks))...), nil
}
