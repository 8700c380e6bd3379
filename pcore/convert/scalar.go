package convert

import (
	"encoding/base64"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/pcatdev/pcat/internal/ruby/rubyre"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/typeexpr"
)

func newString(c *Converter, args []pcore.Value) (pcore.Value, error) {
	s, err := c.string(args[0], argument(args, 1))
	return pcore.String(s), err
}

func newRegexp(_ *Converter, args []pcore.Value) (pcore.Value, error) {
	source := string(args[0].(pcore.String))
	if argument(args, 1) == pcore.Value(pcore.Boolean(true)) {
		source = rubyre.Escape(source)
	}
	return pcore.ParseRegexp(source)
}

// newType parses a type. As in the reference, only the built-in types are
// known: any other name becomes a TypeReference.
func newType(_ *Converter, args []pcore.Value) (pcore.Value, error) {
	return typeexpr.Parse(string(args[0].(pcore.String)), nil)
}

func newURI(_ *Converter, args []pcore.Value) (pcore.Value, error) {
	return pcore.ParseURI(string(args[0].(pcore.String)))
}

func newURIOfHash(_ *Converter, args []pcore.Value) (pcore.Value, error) {
	return pcore.NewURI(args[0].(*pcore.Hash))
}

func semVerConstructor() constructor {
	return constructor{
		name: "new_Version",
		ways: []way{
			by(func(_ *Converter, args []pcore.Value) (pcore.Value, error) {
				return pcore.ParseSemVer(string(args[0].(pcore.String)))
			}, "str"),
			by(func(_ *Converter, args []pcore.Value) (pcore.Value, error) {
				return newSemVer(args[0], args[1], args[2], argument(args, 3), argument(args, 4))
			}, "major", "minor", "patch", "prerelease", "build"),
			by(func(_ *Converter, args []pcore.Value) (pcore.Value, error) {
				h := args[0].(*pcore.Hash)
				return newSemVer(member(h, "major"), member(h, "minor"), member(h, "patch"), member(h, "prerelease"), member(h, "build"))
			}, "hash_args"),
		},
		refuse: func(args []pcore.Value) error {
			if len(args) != 1 || !pcore.Is[pcore.String](args[0]) {
				return nil
			}
			return cannot(args[0], "a SemVer")
		},
	}
}

var errVersionNumber = errors.New("a number of a version is too large")

func newSemVer(major, minor, patch, prerelease, build pcore.Value) (pcore.Value, error) {
	var numbers [3]int64
	for i, v := range []pcore.Value{major, minor, patch} {
		n, ok := v.(pcore.Integer)
		if !ok { // a BigInteger
			return nil, errVersionNumber
		}
		numbers[i] = int64(n)
	}
	pre, _ := prerelease.(pcore.String)
	b, _ := build.(pcore.String)
	v, err := pcore.NewSemVer(numbers[0], numbers[1], numbers[2], string(pre), string(b))
	if err != nil {
		return nil, err
	}
	return v, nil
}

func semVerRangeConstructor() constructor {
	return constructor{
		name: "new_VersionRange",
		ways: []way{
			by(func(_ *Converter, args []pcore.Value) (pcore.Value, error) {
				return pcore.ParseSemVerRange(string(args[0].(pcore.String)))
			}, "str"),
			by(func(_ *Converter, args []pcore.Value) (pcore.Value, error) {
				return newSemVerRange(args[0], args[1], argument(args, 2)), nil
			}, "min", "max", "exclude_max"),
			by(func(_ *Converter, args []pcore.Value) (pcore.Value, error) {
				h := args[0].(*pcore.Hash)
				return newSemVerRange(member(h, "min"), member(h, "max"), member(h, "exclude_max")), nil
			}, "hash_args"),
		},
	}
}

func newSemVerRange(from, to, excludeMax pcore.Value) pcore.Value {
	low, _ := from.(*pcore.SemVer) // nil for default
	high, _ := to.(*pcore.SemVer)
	exclude, _ := excludeMax.(pcore.Boolean)
	return pcore.NewSemVerRange(low, high, bool(exclude))
}

func binaryConstructor() constructor {
	return constructor{
		name: "new_Binary",
		ways: []way{
			by(func(_ *Converter, args []pcore.Value) (pcore.Value, error) {
				return newBinary(args[0], argument(args, 1))
			}, "str", "format"),
			by(func(_ *Converter, args []pcore.Value) (pcore.Value, error) { return newBinary(args[0], nil) }, "byte_array"),
			by(func(_ *Converter, args []pcore.Value) (pcore.Value, error) {
				h := args[0].(*pcore.Hash)
				return newBinary(member(h, "value"), member(h, "format"))
			}, "hash_args"),
		},
	}
}

var (
	errBase64 = errors.New("invalid base64")
	errText   = errors.New("the text is not valid UTF-8; use the format %r for bytes")
)

// newBinary creates a Binary from an array of bytes, or from a text: base64
// (%B), lenient base64 (%b), base64 for URLs (%u), or the text itself (%s, %r).
func newBinary(from, format pcore.Value) (pcore.Value, error) {
	if list, ok := from.(*pcore.Array); ok {
		return binaryOfBytes(list), nil
	}
	text := string(from.(pcore.String))
	switch format {
	case pcore.Value(pcore.String("%b")):
		return pcore.NewBinary(lenientBase64(text)), nil
	case pcore.Value(pcore.String("%u")):
		return strictBase64(standardAlphabet(padded(text)))
	case pcore.Value(pcore.String("%s")):
		if !utf8.ValidString(text) {
			return nil, errText
		}
		return pcore.NewBinaryString(text), nil
	case pcore.Value(pcore.String("%r")):
		return pcore.NewBinaryString(text), nil
	}
	return strictBase64(text)
}

func binaryOfBytes(list *pcore.Array) pcore.Value {
	b := make([]byte, list.Len())
	for i, e := range list.All() {
		n, _ := e.(pcore.Integer)
		b[i] = byte(n)
	}
	return pcore.NewBinary(b)
}

func strictBase64(text string) (pcore.Value, error) {
	v, err := pcore.ParseBinary(text)
	if err != nil {
		return nil, errBase64
	}
	return v, nil
}

// standardAlphabet converts base64 from the URL alphabet to the standard one.
func standardAlphabet(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "-", "+"), "_", "/")
}

// padded adds missing padding to a text that has none.
func padded(text string) string {
	if strings.HasSuffix(text, "=") {
		return text
	}
	return text + strings.Repeat("=", -len(text)&3)
}

// lenientBase64 decodes base64. It ignores other characters, and ends at
// padding, which may be missing.
func lenientBase64(text string) []byte {
	kept := make([]byte, 0, len(text))
	for i := range len(text) {
		c := text[i]
		if c == '=' && len(kept)%4 >= 2 {
			break
		}
		if isBase64(c) {
			kept = append(kept, c)
		}
	}
	if len(kept)%4 == 1 {
		kept = kept[:len(kept)-1]
	}
	b := make([]byte, base64.RawStdEncoding.DecodedLen(len(kept)))
	n, _ := base64.RawStdEncoding.Decode(b, kept)
	return b[:n]
}

func isBase64(c byte) bool {
	return 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '+' || c == '/'
}
