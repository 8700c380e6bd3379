package tabulated

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pcatdev/pcat/internal/codec"
	"github.com/pcatdev/pcat/internal/ruby/timefmt"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/richdata"
)

// source is a flavour from which scalars and extensions are read.
type source interface {
	// next returns the next scalar, or the code of the next extension. It
	// returns io.EOF at the end of the document.
	next() (code, pcore.Value, error)
	// payload returns the next scalar in the payload of the last extension, and
	// endPayload ends the payload.
	payload() (pcore.Value, error)
	endPayload(c code) error
	offset() int64
	// end returns an error if data follows the document.
	end() error
}

// item is an element of the stream: a scalar of the wire format or of an
// extension, which has a value, or the start of a structure.
type item struct {
	code  code
	value pcore.Value
	name  string // of the type of a Pcore object
	n     int    // a count or an index
}

// seen is a value that was read. Its weight is the number of values in it, in
// which a value that is referred to several times counts several times.
type seen struct {
	value  pcore.Value // nil while it is being read
	weight int
}

// Tabulation makes the decoded document larger than its encoding. The limit is
// maxExpanded values plus expandedRatio times the encoded values.
const (
	maxExpanded   = 1 << 20
	expandedRatio = 16
)

// memory is memory of a deserializer, which can be reused.
type memory struct {
	slab   pcore.Slab
	inner  []item
	values []seen
	elems  []pcore.Value // the elements of all open arrays, one after the other
}

// recycle makes the memory ready for another document. No value that was made with it
// may be in use.
func (m *memory) recycle() {
	m.slab.Recycle()
	clear(m.inner)
	clear(m.values)
	clear(m.elems)
	m.inner, m.values, m.elems = m.inner[:0], m.values[:0], m.elems[:0]
}

// deserializer builds values from the stream.
type deserializer struct {
	*memory
	src    source
	opts   serialization.DecodeOptions
	types  map[string]*pcore.ObjectType // types defined in the document
	depth  int                          // the number of open values
	path   pcore.Path                   // of an error, from the inside out
	secret int                          // the number of open Sensitives
	// read is the number of items so far, and expanded the number of values
	// reached through references.
	read     int
	expanded int
}

func newDeserializer(src source, o serialization.DecodeOptions, m *memory) *deserializer {
	if o.Types == nil {
		o.Types = richdata.Types{}
	}
	return &deserializer{memory: m, src: src, opts: o, types: map[string]*pcore.ObjectType{}}
}

// value reads the next value. It returns io.EOF if there are no more.
func (d *deserializer) value() (pcore.Value, error) {
	it, err := d.item()
	if err != nil {
		return nil, err
	}
	v, err := d.made(it)
	return v.value, err
}

// item reads the next item and resolves inner tabulation.
func (d *deserializer) item() (item, error) {
	for {
		c, v, err := d.src.next()
		if err != nil {
			return item{}, err
		}
		if c == scalar {
			return d.scalar(v), nil
		}
		if it, ok, err := d.extended(c); ok || err != nil {
			return it, err
		}
	}
}

// scalar returns the item of a scalar.
func (d *deserializer) scalar(v pcore.Value) item {
	d.read++
	it := item{code: scalar, value: v}
	if isTabulated(it) {
		d.inner = append(d.inner, it)
	}
	return it
}

// extended returns the item of an extension, unless it is a comment.
func (d *deserializer) extended(c code) (it item, ok bool, err error) {
	d.read++
	if it, err = d.extension(c); err == nil {
		err = d.src.endPayload(c)
	}
	switch {
	case err != nil:
		return item{}, false, err
	case c == codeInner:
		it, err = d.again(it.n)
		return it, true, err
	case isTabulated(it):
		d.inner = append(d.inner, it)
	}
	return it, c != codeComment, nil
}

// isTabulated reports whether the reference assigns an index to the item. It
// assigns none to numbers, nor to times and versions, which are numbers in
// Ruby.
func isTabulated(it item) bool {
	switch it.code {
	case scalar:
		return pcore.Is[pcore.String](it.value)
	case codePcore, codeObject, codeComment, codeRegexp, codeType, codeVersionRange, codeBinary, codeBase64, codeURI:
		return true
	}
	return false
}

// again returns the earlier item with index i as a separate value.
func (d *deserializer) again(i int) (item, error) {
	if i < 0 || i >= len(d.inner) || d.inner[i].code == codeComment {
		return item{}, fmt.Errorf("%w: no text or scalar has this index", serialization.ErrReference)
	}
	it := d.inner[i]
	switch v := it.value.(type) {
	case *pcore.Regexp:
		it.value = pcore.NewRegexp(v.Source())
	case *pcore.SemVerRange:
		again := *v
		it.value = &again
	case *pcore.URI:
		again := *v
		it.value = &again
	case *pcore.TypeReferenceType:
		it.value = pcore.NewTypeReferenceType(v.Ref())
	case pcore.Binary:
		it.value = pcore.NewBinaryString(strings.Clone(v.Raw()))
	default: // has no identity
	}
	return it, nil
}

// extension reads the payload of an extension.
func (d *deserializer) extension(c code) (item, error) {
	it := item{code: c}
	var err error
	switch c {
	case codeInner, codeTabulation, codeArray, codeMap, codeObject:
		it.n, err = d.number()
	case codePcore:
		it.name, it.n, err = d.pcoreStart()
	case codeSensitive:
	case codeDefault:
		it.value = pcore.Default{}
	case codeComment:
		_, err = d.text()
	case codeTime, codeTimespan:
		it.value, err = d.time(c)
	case codeBinary:
		it.value, err = d.binary()
	case codeRegexp, codeType, codeSymbol, codeVersion, codeVersionRange, codeBase64, codeURI:
		var text string
		if text, err = d.text(); err == nil {
			it.value, err = newScalar(c, text)
		}
	default:
		err = fmt.Errorf("%w: the code 0x%02x is reserved", serialization.ErrUnsupported, int(c))
	}
	return it, err
}

func (d *deserializer) number() (int, error) {
	v, err := d.integer()
	if err == nil && (v < 0 || int64(int(v)) != v) {
		err = fmt.Errorf("%w: a count or an index", serialization.ErrRange)
	}
	return int(v), err
}

func (d *deserializer) integer() (int64, error) {
	v, err := d.src.payload()
	if err != nil {
		return 0, err
	}
	n, ok := v.(pcore.Integer)
	if !ok {
		return 0, fmt.Errorf("%w: expected a number in the payload of an extension", serialization.ErrSyntax)
	}
	return int64(n), nil
}

func (d *deserializer) text() (string, error) {
	v, err := d.src.payload()
	if err != nil {
		return "", err
	}
	text, ok := v.(pcore.String)
	if !ok {
		return "", fmt.Errorf("%w: expected a string in the payload of an extension", serialization.ErrSyntax)
	}
	return string(text), nil
}

// binary reads bytes, which are text in JSON.
func (d *deserializer) binary() (pcore.Value, error) {
	v, err := d.src.payload()
	if err != nil {
		return nil, err
	}
	switch v := v.(type) {
	case pcore.Binary:
		return v, nil
	case pcore.String:
		return pcore.NewBinaryString(string(v)), nil
	default:
		return nil, fmt.Errorf("%w: expected bytes in the payload of an extension", serialization.ErrSyntax)
	}
}

func (d *deserializer) time(c code) (pcore.Value, error) {
	sec, err := d.integer()
	if err != nil {
		return nil, err
	}
	nsec, err := d.integer()
	if err != nil {
		return nil, err
	}
	if c == codeTime {
		t, err := timefmt.NewInstant(sec, nsec)
		return pcore.NewTimestamp(t.Unix(), int64(t.Nanosecond())), inRange(err)
	}
	span, err := timefmt.NewSpan(sec, nsec)
	return pcore.NewTimespan(span.Whole(), int64(span.Nanosecond())), inRange(err)
}

func inRange(err error) error {
	if err != nil {
		return fmt.Errorf("%w: %w", serialization.ErrRange, err)
	}
	return nil
}

// pcoreStart reads the name of a type, whose parts are texts or indexes of
// texts, and a count.
func (d *deserializer) pcoreStart() (name string, n int, err error) {
	parts, err := d.number()
	if err != nil {
		return "", 0, err
	}
	var b strings.Builder
	for i := range parts {
		v, err := d.src.payload()
		if err != nil {
			return "", 0, err
		}
		part, err := d.part(v)
		if err != nil {
			return "", 0, err
		}
		if i > 0 {
			b.WriteString("::")
		}
		b.WriteString(part)
		if b.Len() > maxName {
			return "", 0, fmt.Errorf("%w: the name of a type", serialization.ErrTooLarge)
		}
	}
	n, err = d.number()
	return b.String(), n, err
}

// maxName is the maximum length of the name of a type in bytes.
const maxName = 1 << 16

func (d *deserializer) part(v pcore.Value) (string, error) {
	switch v := v.(type) {
	case pcore.String:
		d.inner = append(d.inner, item{code: scalar, value: v})
		return string(v), nil
	case pcore.Integer:
		if 0 <= v && v < pcore.Integer(len(d.inner)) {
			if text, ok := d.inner[v].value.(pcore.String); ok {
				return string(text), nil
			}
		}
		return "", fmt.Errorf("%w: no text has this index", serialization.ErrReference)
	default:
		return "", fmt.Errorf("%w: a part of a type name must be a string", serialization.ErrSyntax)
	}
}

// newScalar parses the text of an extension. Errors do not quote the text,
// because it may be secret.
func newScalar(c code, text string) (v pcore.Value, err error) {
	switch c {
	case codeRegexp:
		v, err = pcore.ParseRegexp(text)
	case codeType:
		return pcore.NewTypeReferenceType(text), nil
	case codeSymbol:
		return pcore.Symbol(text), nil
	case codeVersion:
		v, err = pcore.ParseSemVer(text)
	case codeVersionRange:
		v, err = pcore.ParseSemVerRange(text)
	case codeBase64:
		v, err = pcore.ParseBinary(text)
	default:
		v, err = pcore.ParseURI(text)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: invalid text for the extension 0x%02x", serialization.ErrValue, int(c))
	}
	return v, nil
}

// made returns the value that begins with an item.
func (d *deserializer) made(it item) (seen, error) {
	switch it.code {
	case scalar, codeDefault:
		return seen{it.value, 1}, nil
	case codeTabulation:
		return d.referred(it.n)
	case codeArray, codeMap, codeSensitive, codePcore, codeObject:
		if d.depth >= codec.Depth(&d.opts) {
			return seen{}, fmt.Errorf("%w: more than %d levels of values", serialization.ErrDepth, codec.Depth(&d.opts))
		}
		return d.structure(it)
	}
	v := seen{it.value, 1}
	d.values = append(d.values, v)
	return v, nil
}

// referred returns the earlier value with index i.
func (d *deserializer) referred(i int) (seen, error) {
	if i < 0 || i >= len(d.values) || d.values[i].value == nil {
		return seen{}, fmt.Errorf("%w: no complete value has this index", serialization.ErrReference)
	}
	v := d.values[i]
	d.expanded += v.weight
	if d.expanded > maxExpanded+expandedRatio*d.read {
		return seen{}, fmt.Errorf("%w: expanding repeated values makes the document many times larger than its encoding", serialization.ErrTooLarge)
	}
	return v, nil
}

func (d *deserializer) structure(it item) (seen, error) {
	switch it.code {
	case codeArray:
		return d.array(it.n)
	case codeMap:
		return d.hash(it.n)
	case codeSensitive:
		d.secret++
		v, err := d.within()
		if err != nil {
			return seen{}, d.at(pcore.Step{Kind: pcore.StepSecret}, err)
		}
		d.secret--
		return seen{pcore.NewSensitive(v.value), v.weight + 1}, nil
	case codePcore:
		return d.pcoreObject(it.name, it.n)
	default:
		return d.object(it.n)
	}
}

// open reserves the index of a value before its contents are read.
func (d *deserializer) open() (index int) {
	d.values = append(d.values, seen{})
	return len(d.values) - 1
}

func (d *deserializer) close(index int, v pcore.Value, weight int) (seen, error) {
	d.values[index] = seen{v, weight}
	return d.values[index], nil
}

// within reads the next value, which is inside another value. The caller adds its
// step to an error with at.
func (d *deserializer) within() (seen, error) {
	c, v, err := d.src.next()
	if err != nil {
		return seen{}, truncated(err)
	}
	if c == scalar { // most often
		d.scalar(v)
		return seen{v, 1}, nil
	}
	it, ok, err := d.extended(c)
	if err == nil && !ok {
		it, err = d.item()
	}
	if err != nil {
		return seen{}, truncated(err)
	}
	d.depth++
	made, err := d.made(it)
	d.depth--
	return made, err
}

// at returns err, which occurred inside the value at a step.
func (d *deserializer) at(step pcore.Step, err error) error {
	d.path = append(d.path, step)
	return err
}

// plausible is the number of members for which memory is reserved before they are
// read. A header may promise any number.
const plausible = 16

func (d *deserializer) array(n int) (seen, error) {
	index, weight, start := d.open(), 1, len(d.elems)
	for i := range n {
		v, err := d.within()
		if err != nil {
			return seen{}, d.at(pcore.Step{Kind: pcore.StepIndex, Index: i}, err)
		}
		d.elems = append(d.elems, v.value)
		weight = heavier(weight, v)
	}
	v := d.slab.Array(d.elems[start:])
	d.elems = d.elems[:start]
	return d.close(index, v, weight)
}

func (d *deserializer) hash(n int) (seen, error) {
	index, weight := d.open(), 1
	b := d.slab.HashBuilder(min(n, plausible))
	for i := range n {
		key, err := d.within()
		if err != nil {
			return seen{}, d.at(pcore.Step{Kind: pcore.StepKey, Index: i, Key: pcore.Undef{}, Listed: true}, err)
		}
		v, err := d.within()
		if err != nil {
			return seen{}, d.at(pcore.Step{Kind: pcore.StepEntry, Index: i, Key: key.value}, err)
		}
		if b.Set(key.value, v.value) && !d.opts.AllowDuplicates {
			return seen{}, serialization.ErrDuplicateKey
		}
		weight = heavier(heavier(weight, key), v)
	}
	return d.close(index, b.Hash(), weight)
}

func heavier(weight int, v seen) int { return min(weight+v.weight, maxExpanded) }

// failed returns err with the current position. Inside a Sensitive it removes
// the text of err, which may quote the secret.
func (d *deserializer) failed(err error) error {
	slices.Reverse(d.path)
	out := &serialization.Error{Offset: d.src.offset(), Path: untilSecret(d.path), Err: err}
	var placed *serialization.Error
	if errors.As(err, &placed) {
		out.Offset, out.Line, out.Column, out.Err = placed.Offset, placed.Line, placed.Column, placed.Err
	}
	if d.secret > 0 {
		out.Err = discreet(out.Err)
	}
	return out
}

func discreet(err error) error {
	for _, kind := range []error{
		serialization.ErrSyntax, serialization.ErrTruncated, serialization.ErrUTF8, serialization.ErrDepth, serialization.ErrTooLarge,
		serialization.ErrDuplicateKey, serialization.ErrRange, serialization.ErrUnknownType, serialization.ErrReference, serialization.ErrUnsupported,
	} {
		if errors.Is(err, kind) {
			return kind
		}
	}
	return serialization.ErrValue
}

// validName reports whether an error may quote name as the name of a type.
func validName(name string) bool { return utf8.ValidString(name) && len(name) <= maxQuoted }

const maxQuoted = 200
