package secret

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Form is a way in which a secret can be spelled inside other text.
type Form uint8

// The forms of a secret.
const (
	Raw      Form = iota // unchanged
	Lower                // in lower case, as Puppet makes tags
	JSON                 // inside a JSON string
	Quoted               // inside a quoted string of Puppet or a shell
	XML                  // inside XML or HTML
	Base64               // in base64, at any alignment
	Hex                  // in hexadecimal digits
	Percent              // in a URL
	UTF16                // in UTF-16, and in base64 of UTF-16
	numForms = iota
)

// String returns the name of the form in lower case.
func (f Form) String() string {
	return [numForms]string{"raw", "lower", "json", "quoted", "xml", "base64", "hex", "percent", "utf16"}[f%numForms]
}

// MaxForms is the length in bytes up to which a secret is searched for in all forms.
// Longer secrets, such as whole files, take much memory and rarely occur except as [Raw],
// [JSON] or [Base64].
const MaxForms = 64 << 10

// Forms returns an iterator over the spellings of secret to search for in other text.
// Each spelling is yielded once, the raw one first. Spellings shorter than [MinLen] are
// omitted. A base64 spelling consists of the digits that depend on the secret alone, for
// each of the three alignments within a group of bytes.
func Forms(secret []byte) iter.Seq2[Form, []byte] {
	return func(yield func(Form, []byte) bool) {
		var seen [][]byte // few: comparing them is faster than a map
		for form := range Form(numForms) {
			if len(secret) > MaxForms && form != Raw && form != JSON && form != Base64 {
				continue
			}
			for _, spelling := range spell(form, secret) {
				if len(spelling) < MinLen || slices.ContainsFunc(seen, func(s []byte) bool { return bytes.Equal(s, spelling) }) {
					continue
				}
				seen = append(seen, spelling)
				if !yield(form, spelling) {
					return
				}
			}
		}
	}
}

func spell(form Form, secret []byte) [][]byte {
	if isUnreserved(secret) {
		switch form {
		case JSON, Quoted, XML:
			return nil // same as Raw
		case Percent:
			return allPercent(secret)
		default:
		}
	}
	switch form {
	case Raw:
		return [][]byte{secret}
	case Lower:
		return [][]byte{bytes.ToLower(secret)}
	case JSON:
		return jsonForms(secret)
	case Quoted:
		return quotedForms(secret)
	case XML:
		return xmlForms(secret)
	case Base64:
		return base64Forms(secret)
	case Hex:
		lower := hex.AppendEncode(nil, secret)
		return [][]byte{lower, bytes.ToUpper(lower)}
	case Percent:
		return percentForms(secret)
	case UTF16:
		return utf16Forms(secret)
	}
	return nil
}

// isUnreserved reports whether no form escapes any byte of the secret.
func isUnreserved(secret []byte) bool {
	for _, c := range secret {
		if !isUnreservedByte(c) {
			return false
		}
	}
	return true
}

// isUnreservedByte reports whether c is a word character, "-" or ".". It avoids branches
// because secrets often mix digits and letters.
func isUnreservedByte(c byte) bool {
	const (
		below64 = 1<<('9'+1) - 1<<'0' | 1<<'-' | 1<<'.'
		above   = 1<<('Z'+1-64) - 1<<('A'-64) | 1<<('z'+1-64) - 1<<('a'-64) | 1<<('_'-64)
	)
	set := uint64(below64)
	if c >= 64 {
		set = above
	}
	return c < utf8.RuneSelf && set>>(c&63)&1 != 0
}

// escape maps characters to their escape sequences.
type escape struct {
	chars string
	texts []string // for each character of chars
}

// newEscape returns the escape of pairs, each a character and its escape sequence.
func newEscape(pairs ...string) *escape {
	e := new(escape)
	for i := 0; i < len(pairs); i += 2 {
		e.chars += pairs[i]
		e.texts = append(e.texts, pairs[i+1])
	}
	return e
}

// with returns a copy of e with more pairs.
func (e *escape) with(pairs ...string) *escape {
	more := newEscape(pairs...)
	return &escape{e.chars + more.chars, slices.Concat(e.texts, more.texts)}
}

// of returns text with the characters escaped, or text itself if it contains none of
// them.
func (e *escape) of(text []byte) []byte {
	i := bytes.IndexAny(text, e.chars)
	if i < 0 {
		return text
	}
	b := append(make([]byte, 0, 2*len(text)+8), text[:i]...)
	for _, c := range text[i:] {
		if k := strings.IndexByte(e.chars, c); k >= 0 {
			b = append(b, e.texts[k]...)
		} else {
			b = append(b, c)
		}
	}
	return b
}

// dialects are the escapes of languages. The JSON escapes are the required ones, these
// plus the slash, and these plus the characters special in HTML. The quoted escapes cover
// `"…"` as printed by Puppet, the same without escaping variables, `"…"` in a shell,
// `'…'` in Puppet, YAML and a shell, and an unquoted word in a shell.
type dialects struct {
	json, jsonSlash, jsonHTML *escape
	quoted, xml               []*escape
}

// escapes returns the dialects, which are built once.
var escapes = sync.OnceValue(func() *dialects {
	json := newEscape(`"`, `\"`, `\`, `\\`, "\b", `\b`, "\t", `\t`, "\n", `\n`, "\f", `\f`, "\r", `\r`)
	for c := range byte(' ') {
		if control := string(rune(c)); !strings.Contains(json.chars, control) {
			json = json.with(control, fmt.Sprintf(`\u%04x`, c))
		}
	}
	puppet := newEscape(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`, "\r", `\r`)
	bare := new(escape)
	for c := range byte(unicode.MaxASCII + 1) {
		if !isWord(c) && strings.IndexByte("@%+=:,./-", c) < 0 {
			bare = bare.with(string(rune(c)), `\`+string(rune(c)))
		}
	}
	open := newEscape("&", "&amp;", "<", "&lt;")
	text := open.with(">", "&gt;")
	return &dialects{
		json: json, jsonSlash: json.with("/", `\/`), jsonHTML: json.with("<", `\u003c`, ">", `\u003e`, "&", `\u0026`),
		quoted: []*escape{
			puppet.with("$", `\$`), puppet, newEscape(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`"),
			newEscape(`\`, `\\`, `'`, `\'`), newEscape(`'`, `\'`), newEscape(`'`, `''`), newEscape(`'`, `'\''`), newEscape(`'`, `'"'"'`), bare,
		},
		xml: []*escape{
			text, open, text.with(`"`, "&quot;"), text.with(`"`, "&quot;", `'`, "&apos;"), text.with(`"`, "&quot;", `'`, "&#39;"), text.with(`"`, "&#34;", `'`, "&#39;"),
		},
	}
})

func escapedForms(secret []byte, list []*escape) [][]byte {
	forms := make([][]byte, len(list))
	for i, e := range list {
		forms[i] = e.of(secret)
	}
	return forms
}

// jsonForms returns the spellings of the usual JSON writers, which escape different sets
// of characters. JSON inside a JSON string is escaped twice.
func jsonForms(secret []byte) [][]byte {
	if !utf8.Valid(secret) {
		return nil
	}
	e := escapes()
	plain := e.json.of(secret)
	return [][]byte{plain, e.jsonSlash.of(secret), e.jsonHTML.of(secret), toASCII(plain), e.json.of(plain), e.jsonHTML.of(plain)}
}

// toASCII escapes the non-ASCII characters of a JSON string.
func toASCII(text []byte) []byte {
	i := bytes.IndexFunc(text, func(r rune) bool { return r > unicode.MaxASCII })
	if i < 0 {
		return text
	}
	b := bytes.Clone(text[:i])
	for _, r := range string(text[i:]) {
		if r <= unicode.MaxASCII {
			b = append(b, byte(r))
			continue
		}
		for _, u := range utf16.AppendRune(nil, r) {
			b = fmt.Appendf(b, `\u%04x`, u)
		}
	}
	return b
}

func quotedForms(secret []byte) [][]byte { return escapedForms(secret, escapes().quoted) }

func xmlForms(secret []byte) [][]byte { return escapedForms(secret, escapes().xml) }

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// base64Forms returns the digits that depend on the secret alone, for each alignment in a
// group of three bytes.
func base64Forms(secret []byte) [][]byte {
	forms := make([][]byte, 0, 6)
	for before := range 3 {
		forms = append(forms, base64FormsAt(before, secret)...)
	}
	return forms
}

// base64FormsAt returns the forms for one alignment.
func base64FormsAt(before int, secret []byte) [][]byte {
	padded := append(make([]byte, before, before+len(secret)), secret...)
	first, end := firstDigit(before), 8*len(padded)/6
	if first >= end {
		return nil
	}
	digits := base64.RawStdEncoding.AppendEncode(make([]byte, 0, end+1), padded)
	url := digits
	if bytes.ContainsAny(digits, "+/") {
		url = base64.RawURLEncoding.AppendEncode(make([]byte, 0, end+1), padded)
	}
	return [][]byte{digits[first:end], url[first:end]}
}

// firstDigit returns the index of the first digit that does not depend on the bytes
// before the secret.
func firstDigit(before int) int { return (8*before + 5) / 6 }

func percentForms(secret []byte) [][]byte {
	return append(urlForms(secret), allPercent(secret)...)
}

// urlForms returns the forms that escape only reserved characters.
func urlForms(secret []byte) [][]byte {
	const unreserved = "-_.~"
	forms := make([][]byte, 0, 14)
	for _, keep := range []string{
		unreserved,             // RFC 3986
		unreserved + "$&+:=@",  // a segment of a path
		unreserved + "!*'()",   // encodeURIComponent
		unreserved + "$&+,;=:", // userinfo
	} {
		upper := escapeURL(secret, keep, "0123456789ABCDEF")
		plus := upper
		if bytes.IndexByte(secret, ' ') >= 0 {
			plus = bytes.ReplaceAll(upper, []byte("%20"), []byte("+"))
		}
		forms = append(forms, upper, escapeURL(secret, keep, "0123456789abcdef"), plus)
	}
	return forms
}

func allPercent(secret []byte) [][]byte {
	return [][]byte{escapeAll(secret, "0123456789ABCDEF"), escapeAll(secret, "0123456789abcdef")}
}

func escapeURL(s []byte, keep, digits string) []byte {
	b := make([]byte, 0, 3*len(s))
	for _, c := range s {
		if isWord(c) || strings.IndexByte(keep, c) >= 0 {
			b = append(b, c)
		} else {
			b = append(b, '%', digits[c>>4], digits[c&15])
		}
	}
	return b
}

func escapeAll(s []byte, digits string) []byte {
	b := make([]byte, 0, 3*len(s))
	for _, c := range s {
		b = append(b, '%', digits[c>>4], digits[c&15])
	}
	return b
}

func utf16Forms(secret []byte) [][]byte {
	if !utf8.Valid(secret) {
		return nil
	}
	little, big := utf16Bytes(secret)
	return append([][]byte{little, big}, base64Forms(little)...)
}

func utf16Bytes(secret []byte) (little, big []byte) {
	little, big = make([]byte, 0, 2*len(secret)), make([]byte, 0, 2*len(secret))
	var units [2]uint16
	for _, r := range string(secret) {
		for _, u := range utf16.AppendRune(units[:0], r) {
			little = append(little, byte(u), byte(u>>8))
			big = append(big, byte(u>>8), byte(u))
		}
	}
	return little, big
}
