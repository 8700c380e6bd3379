package catalog

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// Reader reads the catalogs of a document, part by part, with one resource in
// memory at a time. It is not safe for concurrent use.
type Reader struct {
	from   *source
	cursor serialization.Reader
	tape   *recorder
	header *Header
	found  bool // a catalog
	layout *Layout
	used   bool
	known  *Outline // of the document; nil if unknown
	start  int64    // of the document in an input that can seek
}

// NewReader returns a Reader of a document of the given form. Values of unknown
// types are kept, regardless of o, because the types of modules occur in
// catalogs.
func NewReader(input io.Reader, format serialization.Format, o serialization.DecodeOptions) *Reader {
	t := &recorder{r: input}
	r := newReader(t, t, format, o)
	if s, ok := input.(io.Seeker); ok {
		r.start, _ = s.Seek(0, io.SeekCurrent) // 0 for an input that cannot seek
	}
	return r
}

// NewReaderBytes returns a Reader of data. Resources refer to data, which must
// not be modified afterwards.
func NewReaderBytes(data []byte, format serialization.Format, o serialization.DecodeOptions) *Reader {
	t := &recorder{buf: data}
	if len(data) > 0 {
		t.last = data[len(data)-1]
	}
	return newReader(t, bytes.NewBuffer(data), format, o)
}

func newReader(t *recorder, input io.Reader, format serialization.Format, o serialization.DecodeOptions) *Reader {
	o.AllowUnknownTypes = true
	return &Reader{
		from:   &source{format: format, options: o},
		cursor: format.NewReader(input, o),
		tape:   t,
		header: &Header{},
	}
}

// Format returns the format of the document.
func (r *Reader) Format() serialization.Format { return r.from.format }

// Header returns the header, as far as it has been read, of the catalog that
// was read last.
func (r *Reader) Header() *Header { return r.header }

// Layout returns the layout of the document. It reads the beginning of the
// document.
func (r *Reader) Layout() Layout {
	if r.layout == nil {
		r.layout = &Layout{}
		if _, err := r.cursor.Token(); err == nil && r.from.format.IsJSON() {
			r.layout.Indent = indentOf(r.tape.from(r.tape.base))
		}
	}
	return *r.layout
}

// Resources returns an iterator over the resources of all catalogs of the
// document. It ends with the first error, an *[Error]. It can be used once, and
// not together with [Reader.Parts] or [Reader.Catalogs].
func (r *Reader) Resources() iter.Seq2[*Resource, error] {
	return func(yield func(*Resource, error) bool) {
		for p, err := range r.Parts() {
			if err != nil {
				yield(nil, err)
				return
			}
			if p.Kind == PartResource && !yield(p.Resource, nil) {
				return
			}
		}
	}
}

// Catalogs returns an iterator over the catalogs of the document, each of which
// is completely in memory. It ends with the first error, an *[Error]. It can be
// used once, and not together with [Reader.Parts] or [Reader.Resources].
func (r *Reader) Catalogs() iter.Seq2[*Catalog, error] {
	return func(yield func(*Catalog, error) bool) {
		if c := r.outlined(); c != nil {
			yield(c, nil)
			return
		}
		var pieces []piece
		var open []int // positions in pieces of the maps and arrays that have not ended
		for p, err := range r.Parts() {
			if err != nil {
				yield(nil, err)
				return
			}
			if p.Kind == PartMap || p.Kind == PartArray {
				open = append(open, len(pieces))
			}
			pieces = appendPart(pieces, p)
			if p.Kind != PartEnd {
				continue
			}
			start := open[len(open)-1]
			open = open[:len(open)-1]
			if !p.Catalog {
				continue
			}
			c := &Catalog{Header: r.header, pieces: pieces[start:]}
			pieces = slices.Clip(pieces[:start]) // the others belong to the catalog
			if !yield(c, nil) {
				return
			}
		}
	}
}

// outlined returns the catalog of a document that has an [Outline], and ends the reading.
// Otherwise it returns nil, and the Reader is as before.
func (r *Reader) outlined() *Catalog {
	o := r.Outline(nil)
	if o == nil {
		return nil
	}
	c := o.catalog()
	if c != nil {
		r.used, r.found, r.header, r.layout = true, true, c.Header, &Layout{Indent: o.indent, Newline: o.Newline()}
	}
	return c
}

// errStop ends the reading when nobody wants more.
var errStop = errors.New("catalog: iteration stopped")

// Parts returns an iterator over all parts of the document. It ends with the
// first error, an *[Error]. It can be used once.
func (r *Reader) Parts() iter.Seq2[Part, error] {
	return func(yield func(Part, error) bool) {
		if r.used {
			yield(Part{}, &Error{Offset: -1, Err: errors.New("catalog: the document has already been read")})
			return
		}
		r.used = true
		r.Layout()
		w := walk{Reader: r, yield: func(p Part) error {
			if !yield(p, nil) {
				return errStop
			}
			return nil
		}}
		if err := w.document(); err != nil && !errors.Is(err, errStop) {
			var placed *Error
			if !errors.As(err, &placed) {
				err = UntilMember(err)
			}
			yield(Part{}, located(err, Location{}, -1))
		}
	}
}

// walk is one pass through a document.
type walk struct {
	*Reader
	yield func(Part) error
}

// maxEnvelopes is the maximum number of envelopes around a catalog.
const maxEnvelopes = 4

func (w *walk) document() error {
	t, err := w.cursor.Token()
	switch {
	case errors.Is(err, io.EOF):
		return &Error{Offset: w.cursor.Offset(), Err: serialization.ErrTruncated}
	case err != nil:
		return err
	case t == serialization.TokenMap:
		_, err = w.candidate(Part{}, maxEnvelopes)
	case t == serialization.TokenArray:
		w.found = true // an empty list is a list of catalogs
		err = w.list(Part{}, func(t serialization.Token) error {
			w.found = false
			if t != serialization.TokenMap {
				return w.misplaced("a catalog")
			}
			_, err := w.candidate(Part{}, maxEnvelopes)
			return err
		})
	default:
		return w.misplaced("a catalog")
	}
	if err != nil {
		return err
	}
	if err := w.cursor.End(); err != nil {
		return err
	}
	w.layout.Newline = w.from.format.IsJSON() && w.tape.last == '\n'
	if !w.found {
		return &Error{Offset: -1, Err: ErrNotCatalog}
	}
	return nil
}

func (w *walk) misplaced(expected string) error {
	return &Error{
		At:     Location{Path: w.cursor.Path()},
		Offset: w.cursor.Offset(),
		Err:    fmt.Errorf("%w: expected %s", ErrShape, expected),
	}
}

// candidate reads a map that is a catalog or, depending on its members, an
// envelope of one.
func (w *walk) candidate(at Part, envelopes int) (isCatalog bool, err error) {
	header := &Header{}
	w.header = header
	last := ""
	err = w.fields(at, header, func(key string, t serialization.Token) error {
		last = key
		member := Part{Key: key, keyed: true}
		envelope := (key == "catalog" || key == "data") && t == serialization.TokenMap
		switch {
		case key == "resources" && (t == serialization.TokenArray || t == serialization.TokenMap):
			isCatalog, w.found = true, true
			return w.resources(member, t)
		case key == "edges" && (t == serialization.TokenArray || t == serialization.TokenMap):
			_, err := w.page(member, t, w.edge)
			return err
		case envelope && !isCatalog && envelopes > 0:
			_, err := w.candidate(member, envelopes-1)
			return err
		default:
			return w.member(member, header)
		}
	}, func() Part {
		if isCatalog {
			w.header = header
		}
		return Part{Catalog: isCatalog, MayBeCut: isCatalog && last == "resources" && w.from.format.Wire == "yaml"}
	})
	return isCatalog, err
}

// resources reads the resources of a catalog. It returns an error if there is
// no list of them, as in a PuppetDB response that only links to one or in a map
// keyed by title: such a document would pass for a catalog without resources.
func (w *walk) resources(at Part, t serialization.Token) error {
	missing := w.misplaced("a list of resources, here or under `data`")
	switch listed, err := w.page(at, t, w.resource); {
	case err != nil:
		return err
	case !listed:
		return missing
	}
	return nil
}

// page reads a list, or a map that contains the list under `data`, as PuppetDB
// responses do. It reports whether there was a list.
func (w *walk) page(at Part, t serialization.Token, element func(serialization.Token) error) (listed bool, err error) {
	if t == serialization.TokenArray {
		return true, w.list(at, element)
	}
	err = w.fields(at, nil, func(key string, t serialization.Token) error {
		member := Part{Key: key, keyed: true}
		if key == "data" && t == serialization.TokenArray {
			listed = true
			return w.list(member, element)
		}
		return w.member(member, nil)
	}, func() Part { return Part{} })
	return listed, err
}

// typeKey is the key that makes a map represent a value of another type in a
// rich format.
const typeKey = "__ptype"

// fields calls field for each member of the next map, with the cursor at the
// value, except for repeated members of header, which may be nil. end returns the facts of
// the part that ends the map.
func (w *walk) fields(at Part, header *Header, field func(string, serialization.Token) error, end func() Part) error {
	n, err := w.cursor.Enter()
	if err != nil {
		return err
	}
	at.Kind, at.Count = PartMap, n
	if err := w.yield(at); err != nil {
		return err
	}
	for {
		t, err := w.cursor.Token()
		if err != nil {
			return err
		}
		if t == serialization.TokenEnd {
			break
		}
		key, err := w.cursor.Key()
		if errors.Is(err, serialization.ErrDuplicateKey) && n < 0 {
			if err = w.repeated(err, key, header); err == nil {
				continue
			}
		}
		if err != nil {
			return err
		}
		if t, err = w.cursor.Token(); err != nil {
			return err
		}
		if key == typeKey && w.from.format.Rich {
			return w.misplaced("a map")
		}
		if err := field(key, t); err != nil {
			return err
		}
	}
	if err := w.cursor.Leave(); err != nil {
		return err
	}
	w.tape.forget(w.cursor.Offset())
	p := end()
	p.Kind = PartEnd
	return w.yield(p)
}

// repeated reads the value of a duplicate key. It returns err, the error about the key, unless
// header has the key with an equal value.
func (w *walk) repeated(err error, key string, header *Header) error {
	if header == nil {
		return err
	}
	i := find(header.members, key)
	if i < 0 {
		return err
	}
	again, failed := w.raw(false)
	if failed != nil {
		return failed
	}
	first := &header.members[i].datum
	if bytes.Equal(first.Bytes(), again.Bytes()) {
		return nil
	}
	if v, failed := first.PlainValue(); failed == nil {
		if other, failed := again.PlainValue(); failed == nil && pcore.Identical(v, other) {
			return nil
		}
	}
	return err
}

// list calls element for each element of the next array.
func (w *walk) list(at Part, element func(serialization.Token) error) error {
	n, err := w.cursor.Enter()
	if err != nil {
		return err
	}
	at.Kind, at.Count = PartArray, n
	if err := w.yield(at); err != nil {
		return err
	}
	for {
		t, err := w.cursor.Token()
		if err != nil {
			return err
		}
		if t == serialization.TokenEnd {
			break
		}
		if err := element(t); err != nil {
			return err
		}
	}
	if err := w.cursor.Leave(); err != nil {
		return err
	}
	w.tape.forget(w.cursor.Offset())
	return w.yield(Part{Kind: PartEnd})
}

func (w *walk) resource(t serialization.Token) error {
	if t != serialization.TokenMap {
		return w.misplaced("a resource")
	}
	d, err := w.raw(true)
	if err != nil {
		return err
	}
	return w.yield(Part{Kind: PartResource, Resource: &Resource{whole: d}})
}

func (w *walk) edge(t serialization.Token) error {
	if t != serialization.TokenMap {
		return w.misplaced("an edge")
	}
	d, err := w.raw(false)
	if err != nil {
		return err
	}
	return w.yield(Part{Kind: PartEdge, Edge: &Edge{whole: d}})
}

func (w *walk) member(at Part, header *Header) error {
	d, err := w.raw(false)
	if err != nil {
		return err
	}
	at.Kind, at.Member = PartMember, &Member{at.Key, d}
	if header != nil {
		header.members = append(header.members, *at.Member)
	}
	return w.yield(at)
}

// raw reads the next value. An error inside a resource names the resource.
func (w *walk) raw(isResource bool) (datum, error) {
	start := w.cursor.Offset()
	w.tape.forget(start)
	raw, err := w.cursor.Raw()
	if err != nil {
		err = UntilMember(err)
		if isResource {
			err = w.blame(err, start, len(w.cursor.Path()))
		}
		return datum{}, err
	}
	return newDatum(content{raw: w.tape.keep(raw.Bytes, raw.Offset), offset: raw.Offset, from: w.from}), nil
}

// blame adds to err the name of the resource that begins at start and whose
// path has length outer.
func (w *walk) blame(err error, start int64, outer int) error {
	var e *serialization.Error
	if !errors.As(err, &e) {
		return err
	}
	ref := w.nameOf(w.tape.from(start))
	inside := &Error{Offset: e.Offset, Err: err}
	if ref.IsZero() || len(e.Path) < outer {
		inside.At.Path = slices.Clone(e.Path)
		return inside
	}
	inside.At.Path = append(pcore.Path(nil), e.Path[outer:]...)
	return ofResource(inside, ref)
}

// nameOf returns the type and title of the resource that starts with beginning,
// if it contains both.
func (w *walk) nameOf(beginning []byte) (ref Ref) {
	r := w.from.format.NewReader(bytes.NewReader(beginning), w.from.options)
	if _, err := r.Enter(); err != nil {
		return Ref{}
	}
	for ref.Type == "" || ref.Title == "" {
		if t, err := r.Token(); err != nil || t != serialization.TokenKey {
			return Ref{}
		}
		key, err := r.Key()
		if err != nil {
			return Ref{}
		}
		v, err := r.Value()
		if err != nil {
			return Ref{}
		}
		text, _ := v.(pcore.String)
		switch key {
		case keyType:
			ref.Type = string(text)
		case keyTitle:
			ref.Title = TitleText(v)
		}
	}
	return ref
}
