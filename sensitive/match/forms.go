package match

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
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
	Raw      Form = iota // as it is
	Lower                // in lower case, as Puppet makes tags
	JSON                 // inside a JSON string
	Quoted               // inside a quoted string of Puppet or a shell
	XML                  // inside XML or HTML
	Base64               // in base64, wherever in the encoded text it begins
	Hex                  // in hexadecimal digits
	Percent              // in a URL
	UTF16                // in UTF-16, and in the base64 of that
	numForms = iota
)

// String returns the name of the form in lower case.
func (f Form) String() string {
	return [numForms]string{"raw", "lower", "json", "quoted", "xml", "base64", "hex", "percent", "utf16"}[f%numForms]
}

// MaxForms is the length in bytes up to which a secret is looked for in all
// forms. What is longer, the content of a whole file, takes much memory and
// hardly ever stands elsewhere but [Raw], in [JSON] or in [Base64].
const MaxForms = 64 << 10

// Forms returns an iterator over the spellings of secret by which it is found
// in other text, each once, the raw one first. Spellings that are shorter than
// [MinLen] are left out. A spelling in base64 is what all texts have in common
// that hold the secret at one of the three places in a group of bytes.
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
			return nil // as it is
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

// isUnreserved reports whether nothing escapes a character of the secret.
func isUnreserved(secret []byte) bool {
	for _, c := range secret {
		if !isUnreservedByte(c) {
			return false
		}
	}
	return true
}

func isUnreservedByte(c byte) bool { return isWord(c) || c == '-' || c == '.' }

// jsonForms are those of the usual writers of JSON: which characters they
// escape differs. JSON inside a JSON string is escaped twice.
func jsonForms(secret []byte) [][]byte {
	if !utf8.Valid(secret) {
		return nil
	}
	s := string(secret)
	none := func(rune) bool { return false }
	html := func(r rune) bool { return r == '<' || r == '>' || r == '&' }
	plain := escapeJSON(s, none)
	return [][]byte{
		[]byte(plain),
		[]byte(strings.ReplaceAll(plain, "/", `\/`)),
		[]byte(escapeJSON(s, html)),
		[]byte(escapeJSON(s, func(r rune) bool { return r > unicode.MaxASCII })),
		[]byte(escapeJSON(plain, none)),
		[]byte(escapeJSON(plain, html)),
	}
}

// escapeJSON escapes what JSON demands, and what more says.
func escapeJSON(s string, more func(rune) bool) string {
	const digits = "0123456789abcdef"
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' && strings.ContainsRune("\b\t\n\f\r", r):
			b.WriteByte('\\')
			b.WriteByte("btn?fr"[r-'\b'])
		case r < ' ' || more(r):
			for _, u := range utf16.AppendRune(nil, r) {
				b.WriteString(`\u`)
				for shift := 12; shift >= 0; shift -= 4 {
					b.WriteByte(digits[u>>shift&15])
				}
			}
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// replacers are the escapes of languages.
type replacers struct {
	puppetString, puppetStringPlain, shellString, singleQuoted           *strings.Replacer
	xmlText, xmlTextOpen, xmlDouble, xmlApos, xmlNumericApos, xmlNumeric *strings.Replacer
}

// escapes makes the replacers once: that takes long.
var escapes = sync.OnceValue(func() *replacers {
	return &replacers{
		puppetString:      strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "\n", `\n`, "\t", `\t`, "\r", `\r`),
		puppetStringPlain: strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`, "\r", `\r`),
		shellString:       strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`"),
		singleQuoted:      strings.NewReplacer(`\`, `\\`, `'`, `\'`),
		xmlText:           strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;"),
		xmlTextOpen:       strings.NewReplacer("&", "&amp;", "<", "&lt;"),
		xmlDouble:         strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;"),
		xmlApos:           strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", `'`, "&apos;"),
		xmlNumericApos:    strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", `'`, "&#39;"),
		xmlNumeric:        strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", `'`, "&#39;"),
	}
})

func quotedForms(secret []byte) [][]byte {
	s, e := string(secret), escapes()
	return [][]byte{
		// "…" as Puppet prints it, and without the escape of the variable
		[]byte(e.puppetString.Replace(s)),
		[]byte(e.puppetStringPlain.Replace(s)),
		[]byte(e.shellString.Replace(s)),
		// '…' of Puppet and YAML and of a shell
		[]byte(e.singleQuoted.Replace(s)),
		[]byte(strings.ReplaceAll(s, `'`, `\'`)),
		[]byte(strings.ReplaceAll(s, `'`, `''`)),
		[]byte(strings.ReplaceAll(s, `'`, `'\''`)),
		[]byte(strings.ReplaceAll(s, `'`, `'"'"'`)),
		// a word of a shell without quotes
		[]byte(escapeWord(s)),
	}
}

func escapeWord(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r <= unicode.MaxASCII && !isWord(byte(r)) && !strings.ContainsRune("@%+=:,./-", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func xmlForms(secret []byte) [][]byte {
	s, e := string(secret), escapes()
	return [][]byte{
		[]byte(e.xmlText.Replace(s)),
		[]byte(e.xmlTextOpen.Replace(s)),
		[]byte(e.xmlDouble.Replace(s)),
		[]byte(e.xmlApos.Replace(s)),
		[]byte(e.xmlNumericApos.Replace(s)),
		[]byte(e.xmlNumeric.Replace(s)),
	}
}

// base64Forms returns, for each place in a group of three bytes, the digits
// that depend on the secret alone.
func base64Forms(secret []byte) [][]byte {
	var forms [][]byte
	for before := range 3 {
		padded := append(make([]byte, before, before+len(secret)), secret...)
		first := firstDigit(before)
		end := 8 * len(padded) / 6
		for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			if digits := encoding.AppendEncode(nil, padded); first < end {
				forms = append(forms, digits[first:end])
			}
		}
	}
	return forms
}

// firstDigit returns the first digit that depends on nothing of the bytes
// before the secret.
func firstDigit(before int) int { return (8*before + 5) / 6 }

func percentForms(secret []byte) [][]byte {
	return append(urlForms(secret), allPercent(secret)...)
}

// urlForms escape what has to be, allPercent all.
func urlForms(secret []byte) [][]byte {
	const unreserved = "-_.~"
	var forms [][]byte
	for _, keep := range []string{
		unreserved,             // RFC 3986
		unreserved + "$&+:=@",  // a segment of a path
		unreserved + "!*'()",   // encodeURIComponent
		unreserved + "$&+,;=:", // userinfo
	} {
		upper := escapeURL(secret, keep, "0123456789ABCDEF")
		forms = append(forms, upper, escapeURL(secret, keep, "0123456789abcdef"),
			bytes.ReplaceAll(upper, []byte("%20"), []byte("+")))
	}
	return forms
}

func allPercent(secret []byte) [][]byte {
	return [][]byte{escapeAll(secret, "0123456789ABCDEF"), escapeAll(secret, "0123456789abcdef")}
}

func escapeURL(s []byte, keep, digits string) []byte {
	var b []byte
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
	for _, u := range utf16.Encode([]rune(string(secret))) {
		little = append(little, byte(u), byte(u>>8))
		big = append(big, byte(u>>8), byte(u))
	}
	return little, big
}
