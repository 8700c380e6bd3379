package convert

import (
	"fmt"
	"sync"

	"github.com/pcatdev/pcat/internal/ruby/rubytext"
	"github.com/pcatdev/pcat/pcore"
)

// String returns v as text, as `String(v, formats)` does in the language:
// formats is undef or default for the default formats, a String with one format
// for v itself, or a Hash from types to formats. A format in the Hash is a
// String or, for a container, a Hash of `format`, `separator`, `separator2` and
// `string_formats`. Nil formats mean the default.
//
// A Sensitive at any depth becomes [pcore.RedactedText]. See the section on
// String.new of the specification.
//
// It fails if the text would be longer than 64 MiB, such as with the
// format '%16000000d' for each Integer in an Array.
func String(v, formats pcore.Value) (string, error) {
	return new(Converter).string(v, formats)
}

// string is String within what the converter may take.
func (c *Converter) string(v, formats pcore.Value) (string, error) {
	m, err := stringFormats(v, formats)
	if err != nil {
		return "", err
	}
	p := printer{left: maxText, converter: c}
	return p.text(v, m, indentation{first: true})
}

// maxText is the maximum length in bytes of the result of [String].
const maxText = 64 << 20

// errTextLength is wrapped by the error for a text longer than 64 MiB.
var errTextLength error = &limitError{"the text has more than %d bytes", maxText}

// printer counts the text it produces, so that formats cannot exhaust memory.
type printer struct {
	left      int
	converter *Converter
}

func (p *printer) spend(n int) error {
	if p.left -= n; p.left < 0 {
		return errTextLength
	}
	return p.converter.reserve(int64(n))
}

// join reserves the memory to make the text of a container of the texts of its
// members, which have n bytes.
func (p *printer) join(n int) error { return p.converter.reserve(2 * int64(n)) }

// The types for which the kind of a value is sufficient.
var (
	anyArray = &pcore.ArrayType{}
	anyHash  = &pcore.HashType{}
)

// The default formats.
var (
	memberFormats  = formatMap{{pcore.AnyType{}, &stringFormat{text: "%p", letter: 'p', prec: -1}}}
	defaultFormats = sync.OnceValue(func() formatMap {
		return formatMap{
			{&pcore.ObjectType{}, scalarFormat('p')},
			{&pcore.FloatType{}, scalarFormat('f')},
			{pcore.NumericType{}, scalarFormat('d')},
			{anyArray, containerFormatOf('a', ", ", ", ")},
			{anyHash, containerFormatOf('h', ", ", " => ")},
			{pcore.BinaryType{}, scalarFormat('B')},
			{pcore.AnyType{}, scalarFormat('s')},
		}
	})
)

func scalarFormat(letter byte) *stringFormat {
	return &stringFormat{text: "%" + string(letter), letter: letter, prec: -1}
}

func containerFormatOf(letter byte, separator, separator2 string) *stringFormat {
	f := scalarFormat(letter)
	f.separator, f.separator2, f.members = &separator, &separator2, memberFormats
	return f
}

func stringFormats(v, formats pcore.Value) (formatMap, error) {
	switch formats := formats.(type) {
	case nil, pcore.Undef, pcore.Default:
		return defaultFormats(), nil
	case pcore.String:
		f, err := parseFormat(string(formats))
		if err != nil {
			return nil, err
		}
		return defaultFormats().with(formatMap{{ownType(v), f}}), nil
	case *pcore.Hash:
		m, err := formatsFrom(formats, topFormat)
		if err != nil {
			return nil, err
		}
		return defaultFormats().with(m), nil
	default:
		return nil, fmt.Errorf("string conversion expects a Default value or a Hash of type to format mappings, got a '%s'", pcore.KindOf(formats))
	}
}

// ownType returns the type used to look up a format given for v itself.
func ownType(v pcore.Value) pcore.Type {
	switch v.(type) {
	case *pcore.Array:
		return anyArray
	case *pcore.Hash:
		return anyHash
	default:
		return pcore.InferDetailed(v)
	}
}

// formatFor returns the format of the first type in m that accepts the type of
// v.
func (m formatMap) formatFor(v pcore.Value) *stringFormat {
	var inferred pcore.Type
	for _, f := range m {
		if accepts(f.typ, v, &inferred) {
			return f.format
		}
	}
	return scalarFormat('s')
}

// accepts reports whether t accepts the type of v. It infers the type at most
// once, and only if the kind of v is not sufficient: otherwise, nested
// containers would be visited again for each enclosing one.
func accepts(t pcore.Type, v pcore.Value, inferred *pcore.Type) bool {
	switch t {
	case pcore.Type(pcore.AnyType{}):
		return true
	case pcore.Type(anyArray):
		return pcore.Is[*pcore.Array](v)
	case pcore.Type(anyHash):
		return pcore.Is[*pcore.Hash](v)
	}
	if *inferred == nil {
		*inferred = pcore.InferDetailed(v)
		if e, ok := (*inferred).(*pcore.ObjectTypeExtension); ok {
			*inferred = e.Base() // the reference uses the base type to look up the formats of objects
		}
	}
	return pcore.Accepts(t, *inferred)
}

// text returns v as text, with the formats of m.
func (p *printer) text(v pcore.Value, m formatMap, in indentation) (string, error) {
	var text string
	var err error
	switch v := v.(type) {
	case *pcore.Array:
		return p.array(v, m, in)
	case *pcore.Hash:
		return p.hash(v, m, in)
	case *pcore.Iterator:
		elems, err := p.converter.collect(v)
		if err != nil {
			return "", err
		}
		return p.text(pcore.NewArray(elems...), m, in)
	case *pcore.Object, *pcore.Deferred:
		text, err = objectString(v, m, in)
	case *pcore.URI:
		text, err = uriString(v, m.formatFor(v), in)
	default:
		text, err = scalarString(v, m.formatFor(v))
	}
	if err != nil {
		return "", err
	}
	return text, p.spend(len(text))
}

func scalarString(v pcore.Value, f *stringFormat) (string, error) {
	switch v := v.(type) {
	case pcore.Undef:
		return undefString(f)
	case pcore.Default:
		return defaultString(f)
	case pcore.Boolean:
		return booleanString(v, f)
	case pcore.Integer, pcore.BigInteger:
		return integerString(v, f)
	case pcore.Float:
		return floatString(v, f)
	case pcore.String:
		return stringString(string(v), f)
	case pcore.Symbol:
		return symbolString(string(v), f)
	case *pcore.Regexp:
		return regexpString(v, f)
	case pcore.Binary:
		return binaryString(v, f)
	case pcore.Type:
		return typeString(v, f)
	default:
		return rubyString(v, f)
	}
}

// rubyString formats the values without formats of their own, with Ruby's
// format. For numeric formats, times are numbers.
func rubyString(v pcore.Value, f *stringFormat) (string, error) {
	switch v := v.(type) {
	case pcore.Timespan:
		return timeString(v, v.Seconds(), spanOf(v).Seconds(), f)
	case pcore.Timestamp:
		return timeString(v, v.Unix(), instantOf(v).Seconds(), f)
	case *pcore.SemVerRange:
		if f.letter == 'p' {
			return f.ruby('s', pcore.String(v.Normalized()))
		}
	default:
	}
	return rubytext.Format(f.text, v)
}

func timeString(v pcore.Value, whole int64, seconds float64, f *stringFormat) (string, error) {
	switch f.letter {
	case 'd', 'i', 'u', 'x', 'X', 'o', 'b', 'B', 'c':
		v = pcore.Integer(whole)
	case 'e', 'E', 'f', 'g', 'G', 'a', 'A':
		v = pcore.Float(seconds)
	}
	return rubytext.Format(f.text, v)
}

// illegal returns the error for a format letter that is not valid for a type.
func illegal(typ string, f *stringFormat, letters string) error {
	return fmt.Errorf("illegal format '%c' specified for value of %s type - expected one of the characters '%s'", f.letter, typ, letters)
}
