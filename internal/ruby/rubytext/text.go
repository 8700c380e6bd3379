package rubytext

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pcatdev/pcat/internal/ruby/rubyre"
	"github.com/pcatdev/pcat/pcore"
)

// Text returns the text of v as Ruby's to_s does in the reference: "" for
// undef, a String unchanged, arrays and hashes as by [Inspect].
func Text(v pcore.Value) string {
	switch v := v.(type) {
	case pcore.String:
		return string(v)
	case pcore.Symbol:
		return string(v)
	case pcore.Undef:
		return ""
	case *pcore.Regexp:
		return regexpText(v.Source())
	case pcore.Binary:
		return v.Base64()
	case pcore.Timestamp:
		return v.Text()
	case pcore.Timespan:
		return v.Text()
	case *pcore.SemVer:
		return v.Text()
	case *pcore.SemVerRange:
		return v.Text()
	case *pcore.URI:
		return v.Text()
	case *pcore.Array, *pcore.Hash:
		return Inspect(v)
	case *pcore.Object, *pcore.Deferred:
		return Notation(v, -1)
	case pcore.Type:
		return pcore.TypeText(v)
	default:
		return v.String()
	}
}

// Inspect returns the text of v as Ruby's inspect does in the reference, and as
// values inside an array or a hash are printed: strings quoted, undef as nil,
// hashes with =>. Where the reference prints the address of an object, Inspect
// prints the object's text.
func Inspect(v pcore.Value) string { return string(appendInspect(nil, v)) }

func appendInspect(b []byte, v pcore.Value) []byte {
	switch v := v.(type) {
	case pcore.Undef:
		return append(b, "nil"...)
	case pcore.Default:
		return append(b, ":default"...)
	case pcore.String:
		return appendQuoted(b, string(v))
	case pcore.Symbol:
		if b = append(b, ':'); isPlainSymbol(string(v)) {
			return append(b, v...)
		}
		return appendInspect(b, pcore.String(v))
	case *pcore.Regexp, pcore.Boolean, pcore.Integer, pcore.BigInteger, pcore.Float:
		return append(b, v.String()...)
	case *pcore.SemVerRange:
		return append(b, v.Normalized()...)
	case *pcore.URI:
		return append(append(append(append(append(b, "#<"...), uriClass(v)...), ' '), v.Text()...), '>')
	case *pcore.Array:
		return appendArray(b, v, appendInspect)
	case *pcore.Hash:
		return appendHash(b, v, "=>", appendInspect)
	case *pcore.Sensitive:
		return append(append(append(b, "#<"...), pcore.RedactedText...), '>')
	default:
		return append(b, Text(v)...)
	}
}

// uriClass returns the name of Ruby's class for URIs of the given scheme.
func uriClass(u *pcore.URI) string {
	scheme, _ := u.Get("scheme")
	switch scheme {
	case pcore.String("file"):
		return "URI::File"
	case pcore.String("mailto"):
		return "URI::MailTo"
	case pcore.String("ftp"), pcore.String("http"), pcore.String("https"),
		pcore.String("ldap"), pcore.String("ldaps"), pcore.String("ws"):
		return "URI::" + strings.ToUpper(Text(scheme))
	}
	return "URI::Generic"
}

// Interpolate returns the text of v in an interpolated string: "" for undef, a
// Regexp with its slashes, and the same for the elements of an array or hash. A
// Sensitive becomes its redaction.
func Interpolate(v pcore.Value) string { return string(appendInterpolated(nil, v)) }

func appendInterpolated(b []byte, v pcore.Value) []byte {
	switch v := v.(type) {
	case *pcore.Regexp:
		return append(b, v.String()...)
	case *pcore.Array:
		return appendArray(b, v, appendInterpolated)
	case *pcore.Hash:
		return appendHash(b, v, " => ", appendInterpolated)
	default:
		return append(b, Text(v)...)
	}
}

// appender appends the text of a value.
type appender func([]byte, pcore.Value) []byte

func appendArray(b []byte, a *pcore.Array, element appender) []byte {
	b = append(b, '[')
	for i, e := range a.All() {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = element(b, e)
	}
	return append(b, ']')
}

func appendHash(b []byte, h *pcore.Hash, arrow string, element appender) []byte {
	b = append(b, '{')
	for i := range h.Len() {
		if i > 0 {
			b = append(b, ", "...)
		}
		e := h.At(i)
		b = append(element(b, e.Key), arrow...)
		b = element(b, e.Value)
	}
	return append(b, '}')
}

// regexpText returns the text as by Ruby's Regexp#to_s. An expression that does
// not compile is written without options.
func regexpText(source string) string {
	re, err := rubyre.Compile(source)
	if err != nil {
		return "(?-mix:" + source + ")"
	}
	return re.String()
}

// Quote returns s in double quotes with the escapes of Ruby's String#inspect.
func Quote(s string) string { return string(appendQuoted(nil, s)) }

func appendQuoted(b []byte, s string) []byte {
	b = append(b, '"')
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		next := s[i+n:]
		switch {
		case r == utf8.RuneError && n == 1:
			b = append(b, `\x`...)
			b = append(b, strings.ToUpper(strconv.FormatUint(uint64(s[i]), 16))...)
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '#' && next != "" && strings.IndexByte("{$@", next[0]) >= 0:
			b = append(b, `\#`...)
		case r < ' ' && controlEscapes[r] != 0:
			b = append(b, '\\', controlEscapes[r])
		case printable(r):
			b = append(b, s[i:i+n]...)
		default:
			b = appendCodePoint(b, r)
		}
		i += n
	}
	return append(b, '"')
}

const controlEscapes = "\x00\x00\x00\x00\x00\x00\x00abtnvfr\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00e\x00\x00\x00\x00"

// printable follows Onigmo: all assigned characters except control characters
// other than NEL, surrogates, and line and paragraph separators.
func printable(r rune) bool {
	return r == 0x85 || unicode.IsPrint(r) || unicode.In(r, unicode.Zs, unicode.Cf, unicode.Co)
}

func appendCodePoint(b []byte, r rune) []byte {
	digits := strings.ToUpper(strconv.FormatInt(int64(r), 16))
	if r > 0xFFFF {
		return append(append(append(b, `\u{`...), digits...), '}')
	}
	b = append(b, `\u`...)
	for range 4 - len(digits) {
		b = append(b, '0')
	}
	return append(b, digits...)
}

// isPlainSymbol reports whether Ruby writes a symbol without quotes: the name of a method, a constant or a variable.
func isPlainSymbol(name string) bool {
	if slices.Contains([]string{"[]", "[]=", "!", "!=", "!~", "=~", "==", "===", "<=>", "<", "<=", ">", ">=", "<<", ">>", "+", "-", "*", "**", "/", "%", "&", "|", "^", "~", "+@", "-@", "`"}, name) {
		return true
	}
	word := strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(name, "$"), "@"), "@")
	if word == name {
		word = strings.TrimRight(name, "?!=")
		if len(name)-len(word) > 1 {
			return false
		}
	}
	for i, r := range word {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return word != ""
}

// Class returns the name of Ruby's class of a value, as far as an error of Ruby has it.
func Class(v pcore.Value) string {
	switch v := v.(type) {
	case pcore.Boolean:
		if v {
			return "TrueClass"
		}
		return "FalseClass"
	case pcore.Undef:
		return "NilClass"
	case pcore.Default:
		return "Symbol"
	case pcore.BigInteger:
		return "Integer"
	case pcore.Timestamp, pcore.Timespan:
		return "Puppet::Pops::Time::" + pcore.KindOf(v).String()
	case *pcore.SemVer:
		return "SemanticPuppet::Version"
	case *pcore.Sensitive:
		return "Puppet::Pops::Types::PSensitiveType::Sensitive"
	default:
		return pcore.KindOf(v).String()
	}
}
