package sensitive_test

import (
	"bytes"
	"compress/gzip"
	"encoding/ascii85"
	"encoding/base32"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"html"
	"maps"
	"mime"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/sensitive"
)

// step writes a text in one spelling, and reads all texts that it may be. The decoders are
// independent of the redactor: they use regular expressions and the standard library.
type step struct {
	encode func(text string) string
	decode func(text string) []string
}

// family is a chain of steps, of which the first is the innermost. It is for the secrets that
// its first step can write; key is set if it is for keys in hexadecimal only.
type family struct {
	steps []step
	key   bool
}

func chainOf(steps ...step) family { return family{steps: steps} }

func (f family) encode(text string) string {
	for _, s := range f.steps {
		text = s.encode(text)
	}
	return text
}

func (f family) decode(text string) []string {
	all := []string{text}
	for _, s := range slices.Backward(f.steps) {
		var next []string
		for _, t := range all {
			next = append(next, s.decode(t)...)
		}
		all = next
	}
	return all
}

// eachByte writes the bytes of a text in a format, with something between them, and something
// else after every n.
func eachByte(format, between string, n int, breaks string) func(string) string {
	return func(text string) string {
		var b strings.Builder
		for i := range len(text) {
			switch {
			case i > 0 && n > 0 && i%n == 0:
				b.WriteString(strings.TrimRight(between, " ") + breaks)
			case i > 0:
				b.WriteString(between)
			}
			fmt.Fprintf(&b, format, text[i])
		}
		return b.String()
	}
}

// numbersIn reads all numbers of a text that match a pattern.
func numbersIn(pattern string, base int, character bool) func(string) []string {
	re := regexp.MustCompile(pattern)
	return func(text string) []string {
		var b []byte
		for _, m := range re.FindAllStringSubmatch(mark.ReplaceAllString(text, " | "), -1) {
			n, err := strconv.ParseInt(m[1], base, 32)
			if err != nil {
				continue
			}
			if character {
				b = utf8.AppendRune(b, rune(n))
			} else {
				b = append(b, byte(n))
			}
		}
		return []string{string(b)}
	}
}

// unescapeAll reads the escapes of a text that match a pattern, with digits of a base, or the
// character itself.
func unescapeAll(pattern string, base int, character bool) func(string) []string {
	re := regexp.MustCompile(pattern)
	return func(text string) []string {
		return []string{re.ReplaceAllStringFunc(text, func(s string) string {
			m := re.FindStringSubmatch(s)
			if base == 0 {
				return m[1]
			}
			n, err := strconv.ParseInt(m[1], base, 32)
			if err != nil {
				return s
			}
			if character {
				return string(rune(n))
			}
			return string([]byte{byte(n)})
		})}
	}
}

// escapeAll writes each character that matches a pattern in a format.
func escapeAll(pattern, format string, character bool) func(string) string {
	re := regexp.MustCompile(pattern)
	return func(text string) string {
		return re.ReplaceAllStringFunc(text, func(s string) string {
			if character {
				r, _ := utf8.DecodeRuneInString(s)
				return fmt.Sprintf(format, r)
			}
			var b strings.Builder
			for i := range len(s) {
				fmt.Fprintf(&b, format, s[i])
			}
			return b.String()
		})
	}
}

// inLinesOf writes a text in lines of n bytes, each with something before and after it.
func inLinesOf(n int, before, after, between string) func(string) string {
	return func(text string) string {
		var lines []string
		for len(text) > n {
			size := n
			for !utf8.RuneStart(text[size]) {
				size--
			}
			lines, text = append(lines, before+text[:size]+after), text[size:]
		}
		return strings.Join(append(lines, before+text+after), between)
	}
}

// joining writes a text in pieces of n bytes in quotes, each joined with the next one. A quote
// in a piece is escaped.
func joining(n int, quote, between, escape string) step {
	escaped := strings.NewReplacer(quote, escape+quote)
	plain := strings.NewReplacer(escape+quote, quote)
	if escape == `\` {
		escaped = strings.NewReplacer(quote, escape+quote, `\`, `\\`)
		plain = strings.NewReplacer(escape+quote, quote, `\\`, `\`)
	}
	return step{
		func(text string) string {
			pieces := strings.Split(inLinesOf(n, "", "", "\x00")(text), "\x00")
			for i := range pieces {
				pieces[i] = quote + escaped.Replace(pieces[i]) + quote
			}
			return strings.Join(pieces, between)
		},
		func(text string) []string {
			return []string{plain.Replace(strings.ReplaceAll(text, quote+between+quote, ""))}
		},
	}
}

// removing removes what matches a pattern.
func removing(pattern string) func(string) []string {
	re := regexp.MustCompile(pattern)
	return func(text string) []string { return []string{re.ReplaceAllString(text, "")} }
}

func replacer(pairs ...string) func(string) string { return strings.NewReplacer(pairs...).Replace }

func big(text string) string { return big16(string(toUTF16(text))) }

// big16 swaps the bytes of UTF-16.
func big16(text string) string {
	b := []byte(text)
	for i := 0; i+1 < len(b); i += 2 {
		b[i], b[i+1] = b[i+1], b[i]
	}
	return string(b)
}

func toLatin1(text string) string {
	var b []byte
	for _, r := range text {
		if r > 0xff {
			return "" // it cannot be written so
		}
		b = append(b, byte(r))
	}
	return string(b)
}

func fromLatin1(text string) string {
	var b []byte
	for i := range len(text) {
		b = utf8.AppendRune(b, rune(text[i]))
	}
	return string(b)
}

func hexOf(text string) string { return hex.EncodeToString([]byte(text)) }

func plainHex(text string) (all []string) {
	for _, part := range regexp.MustCompile(`[0-9A-Fa-f]{2,}`).FindAllString(mark.ReplaceAllString(text, " | "), -1) {
		all = append(all, fromHex(part)...)
	}
	return all
}

func plainBase64(text string) (all []string) {
	for _, part := range regexp.MustCompile(`[A-Za-z0-9+/_-]{8,}(?:\s+[A-Za-z0-9+/_-]{4,})*`).FindAllString(mark.ReplaceAllString(text, " | "), -1) {
		all = append(all, fromBase64(strings.Join(strings.Fields(part), ""))...)
	}
	return all
}

func base64Of(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }

var (
	hexList    = step{eachByte("0x%02x", ", ", 12, "\n    "), numbersIn(`0x([0-9a-f]{2})`, 16, false)}
	inBase64   = step{base64Of, plainBase64}
	inHex      = step{hexOf, plainHex}
	inUTF16    = step{func(text string) string { return string(toUTF16(text)) }, func(text string) []string { return []string{fromUTF16(text), fromUTF16(text[min(1, len(text)):])} }}
	inJSON     = step{func(text string) string { q := quoted(text); return q[1 : len(q)-1] }, must(unquoteJSON)}
	inPercent  = step{url.QueryEscape, must(url.QueryUnescape)}
	inXML      = step{html.EscapeString, func(text string) []string { return []string{html.UnescapeString(text)} }}
	piecesPlus = joining(7, "'", " + ", `\`)
	quotedPlus = step{inLinesOf(40, `"`, `"`, " +\n    "), removing(`" \+\n    "|^"|"$`)}
	commented  = step{inLinesOf(40, "# ", "", "\n"), removing(`(?m)^# `)}
	sharps     = step{func(text string) string { return "# " + strings.ReplaceAll(text, "\n", "\n# ") }, removing(`(?m)^# `)}
)

func must(decode func(string) (string, error)) func(string) []string {
	return func(text string) []string {
		plain, err := decode(text)
		if err != nil {
			return nil
		}
		return []string{plain}
	}
}

// followedFamilies are the rows of docs/redact.md, and more. All copies in them are replaced.
var followedFamilies = map[string]family{
	"C array":                    chainOf(hexList),
	"hexadecimal without blanks": chainOf(step{eachByte("0x%02X", ",", 0, ""), numbersIn(`0x([0-9A-F]{2})`, 16, false)}),
	"decimal list":               chainOf(step{func(t string) string { return "[" + eachByte("%d", ", ", 0, "")(t) + "]" }, numbersIn(`(\d+)`, 10, false)}),
	"decimal list in lines":      chainOf(step{eachByte("%d", ",", 16, "\n  "), numbersIn(`(\d+)`, 10, false)}),
	"signed decimal list": chainOf(step{func(t string) string {
		var all []string
		for i := range len(t) {
			all = append(all, strconv.Itoa(int(int8(t[i]))))
		}
		return "[" + strings.Join(all, ", ") + "]"
	}, numbersIn(`(-?\d+)`, 10, false)}),
	"dashes": chainOf(step{eachByte("%02X", "-", 0, ""), numbersIn(`([0-9A-F]{2})`, 16, false)}),
	"commas": chainOf(step{eachByte("%02x", ",", 0, ""), numbersIn(`([0-9a-f]{2})`, 16, false)}),
	"characters in a list": chainOf(step{func(t string) string {
		var all []string
		for _, r := range t {
			all = append(all, strconv.Itoa(int(r)))
		}
		return "[" + strings.Join(all, ", ") + "]"
	}, numbersIn(`(\d+)`, 10, true)}),
	"registry":        chainOf(inUTF16, step{func(t string) string { return "hex(1):" + eachByte("%02x", ",", 22, "\\\r\n  ")(t) }, numbersIn(`([0-9a-f]{2})`, 16, false)}),
	"registry, bytes": chainOf(step{func(t string) string { return "hex:" + eachByte("%02x", ",", 22, "\\\r\n  ")(t) }, numbersIn(`([0-9a-f]{2})(?:[,\\\s|]|$)`, 16, false)}),
	"\\x in literals": chainOf(step{func(t string) string { return `"` + eachByte(`\x%02x`, "", 6, "\"\n\"")(t) + `"` }, func(t string) []string { return unescapeAll(`\\x(..)`, 16, false)(removing(`"\n"`)(t)[0]) }}),
	"hex of UTF-16":   chainOf(inUTF16, inHex),
	"hex of UTF-16BE": chainOf(step{big, func(t string) []string {
		return []string{fromUTF16(big16(t)), fromUTF16(big16(t[min(1, len(t)):]))}
	}}, inHex),
	"xxd":                 chainOf(step{xxd, undump(`(?m)^[0-9a-f]{8}: ((?:[0-9a-f]{2,4} ?)+)`)}),
	"hexdump":             chainOf(step{func(t string) string { return hex.Dump([]byte(t)) }, undump(`(?m)^[0-9a-f]{8}  ((?:[0-9a-f]{2}  ?)+)`)}),
	"PowerShell":          chainOf(step{escapeAll("[`\"$'#;&|(){}]", "`%c", true), unescapeAll("`(.)", 0, true)}),
	"cmd":                 chainOf(step{escapeAll(`[&|<>^()!%"]`, "^%c", true), unescapeAll(`\^(.)`, 0, true)}),
	"cmd, continued":      chainOf(step{inLinesOf(9, "", "", "^\r\n"), removing(`\^\r\n`)}),
	"base64 joined by +":  chainOf(inBase64, quotedPlus),
	"base64 in literals":  chainOf(inBase64, step{inLinesOf(20, "'", "'", "\n  "), removing(`'\s+'`)}),
	"base64 in a comment": chainOf(inBase64, commented),
	"base64 in a patch":   chainOf(inBase64, step{inLinesOf(30, "+", "", "\n"), removing(`(?m)^\+`)}),
	"MIME words in base64": chainOf(step{func(t string) string {
		return mime.BEncoding.Encode("utf-8", "ü"+t)
	}, mimeWords}),
	"MIME words, quoted": chainOf(step{func(t string) string { return mime.QEncoding.Encode("utf-8", "ü"+t) }, mimeWords}),
	"MIME words in lines": chainOf(step{func(t string) string {
		return strings.ReplaceAll(mime.BEncoding.Encode("utf-8", "ü"+t+strings.Repeat("x", 50)), " ", "\r\n ")
	}, mimeWords}),
	"base64 of JSON":              chainOf(inJSON, inBase64),
	"base64 of percent":           chainOf(inPercent, inBase64),
	"base64 of XML":               chainOf(inXML, inBase64),
	"hex of JSON":                 chainOf(inJSON, inHex),
	"hex of percent":              chainOf(inPercent, inHex),
	"percent in Latin-1":          chainOf(step{func(t string) string { return url.PathEscape(toLatin1(t)) }, func(t string) []string { p, _ := url.PathUnescape(t); return []string{fromLatin1(p)} }}),
	"LDAP":                        chainOf(step{escapeAll(`[^a-zA-Z0-9]`, `\%02x`, false), unescapeAll(`\\([0-9a-f]{2})`, 16, false)}),
	"\\x{fc}":                     chainOf(step{escapeAll(`[^a-zA-Z0-9]`, `\x{%x}`, true), unescapeAll(`\\x\{([0-9a-f]+)\}`, 16, true)}),
	"SQL":                         chainOf(step{func(t string) string { return `U&'` + escapeAll(`[^a-zA-Z0-9]`, `\%04x`, true)(bmp(t)) + `'` }, unescapeAll(`\\([0-9a-f]{4})`, 16, true)}),
	"CSS":                         chainOf(step{escapeAll(`[^a-zA-Z0-9]`, `\%x `, true), unescapeAll(`\\([0-9a-f]{1,6}) ?`, 16, true)}),
	"CSS, six digits":             chainOf(step{escapeAll(`[^a-zA-Z0-9]`, `\%06X`, true), unescapeAll(`\\([0-9A-F]{6})`, 16, true)}),
	"pieces joined by +":          chainOf(piecesPlus),
	"pieces joined by a dot":      chainOf(joining(5, `"`, " . ", `\`)),
	"pieces, one after the other": chainOf(joining(6, `"`, "\n     ", `\`)),
	"pieces on continued lines":   chainOf(joining(6, `"`, " \\\n     ", `\`)),
	"pieces in Basic":             chainOf(joining(6, `"`, " & _\r\n  ", `"`)),
	"pieces in SQL":               chainOf(joining(6, `'`, " || ", `'`)),
	"comment":                     chainOf(sharps),
	"quotation":                   chainOf(step{func(t string) string { return "> " + strings.ReplaceAll(t, "\n", "\n> ") }, removing(`(?m)^> `)}),
	"comment of C":                chainOf(step{func(t string) string { return "  // " + strings.ReplaceAll(t, "\n", "\n  // ") }, removing(`(?m)^  // `)}),
	"continued with indentation":  chainOf(step{inLinesOf(8, "", "", "\\\n    "), removing(`\\\n    `)}),
	"NFC":                         chainOf(step{norm.NFC.String, func(t string) []string { return []string{norm.NFC.String(t), norm.NFD.String(t)} }}),
	"NFD":                         chainOf(step{norm.NFD.String, func(t string) []string { return []string{norm.NFC.String(t), norm.NFD.String(t)} }}),
	"hex key in upper case":       {[]step{{strings.ToUpper, keyDigits}}, true},
	"hex key in lower case":       {[]step{{strings.ToLower, keyDigits}}, true},
	"hex key with colons":         {[]step{{separatedKey(2, ":", strings.ToUpper), keyDigits}}, true},
	"hex key with dashes":         {[]step{{separatedKey(4, "-", strings.ToLower), keyDigits}}, true},
	"hex key in groups":           {[]step{{separatedKey(8, " ", strings.ToUpper), keyDigits}}, true},
	"hex key without separators":  {[]step{{separatedKey(99, "", strings.ToUpper), keyDigits}}, true},
	"hex key in braces":           {[]step{{func(t string) string { return "{" + separatedKey(4, "-", strings.ToUpper)(t) + "}" }, keyDigits}}, true},

	"base64 of a byte list":              chainOf(hexList, inBase64),
	"base64 of a byte list, joined by +": chainOf(hexList, inBase64, quotedPlus),
	"base64 of pieces":                   chainOf(piecesPlus, inBase64),
	"base64 of base64":                   chainOf(inBase64, inBase64),
	"base64 of base64 of JSON":           chainOf(inJSON, inBase64, inBase64),
	"base64 of hex":                      chainOf(inHex, inBase64),
	"base64 of UTF-16 of PowerShell":     chainOf(step{replacer("'", "''"), replacedBy("''", "'")}, inUTF16, inBase64),
	"byte list in JSON":                  chainOf(hexList, inJSON),
	"byte list in percent":               chainOf(hexList, inPercent),
	"byte list of base64":                chainOf(inBase64, hexList),
	"byte list of JSON":                  chainOf(inJSON, hexList),
	"pieces in JSON":                     chainOf(joining(6, `"`, " + ", `\`), inJSON),
	"pieces in XML":                      chainOf(joining(6, `"`, " + ", `\`), inXML),
	"pieces of JSON":                     chainOf(inJSON, piecesPlus),
	"pieces in a comment":                chainOf(joining(6, `"`, "\n", `\`), sharps),
	"comment in JSON":                    chainOf(sharps, inJSON),
	"base64 joined by +, in a comment":   chainOf(inBase64, step{inLinesOf(30, `"`, `"`, " +\n"), removing(`" \+\n"|^"|"$`)}, sharps),
	"PowerShell in JSON":                 chainOf(step{escapeAll("[`\"$'#;&|(){}]", "`%c", true), unescapeAll("`(.)", 0, true)}, inJSON),
	"xxd in JSON":                        chainOf(step{xxd, undump(`(?m)^[0-9a-f]{8}: ((?:[0-9a-f]{2,4} ?)+)`)}, inJSON),
	"hex of UTF-16 in pieces":            chainOf(inUTF16, inHex, piecesPlus),
	"LDAP in JSON":                       chainOf(step{escapeAll(`[^a-zA-Z0-9]`, `\%02x`, false), unescapeAll(`\\([0-9a-f]{2})`, 16, false)}, inJSON),
}

// unfollowedFamilies are the rows of docs/redact.md that are not followed.
var unfollowedFamilies = map[string]func(string) string{
	"base32": func(t string) string { return base32.StdEncoding.EncodeToString([]byte(t)) },
	"ascii85": func(t string) string {
		b := make([]byte, ascii85.MaxEncodedLen(len(t)))
		return string(b[:ascii85.Encode(b, []byte(t))])
	},
	"uuencode":                  uuencode,
	"octal numbers":             eachByte("%03o", " ", 0, ""),
	"little-endian words":       func(t string) string { return littleWords(t) },
	"one call per character":    eachByte("chr(%d)", ".", 0, ""),
	"characters in quotes":      eachByte("'%c'", ", ", 0, ""),
	"parts in a list":           inLinesOf(6, `"`, `"`, ", "),
	"parts in variables":        func(t string) string { return "a=" + t[:len(t)/2] + "\nb=" + t[len(t)/2:] },
	"markup between characters": func(t string) string { return t[:len(t)/2] + "<b></b>" + t[len(t)/2:] },
	"compressed":                compressed,
	"reversed":                  reversed,
	"another base64 alphabet": func(t string) string {
		return base64.NewEncoding("./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz").EncodeToString([]byte(t))
	},
	"base64 of escaped text after other bytes": func(t string) string {
		return base64.StdEncoding.EncodeToString([]byte("x\x01\x02" + inPercent.encode(t)))
	},
	"bytes of a hexadecimal key": func(t string) string { b, _ := hex.DecodeString(t); return base64.StdEncoding.EncodeToString(b) },
	"ROT13":                      rot13,
}

func rot13(text string) string {
	return strings.Map(func(r rune) rune {
		switch c := r | 0x20; {
		case 'a' <= c && c <= 'm':
			return r + 13
		case 'n' <= c && c <= 'z':
			return r - 13
		}
		return r
	}, text)
}

func reversed(text string) string {
	all := []rune(text)
	slices.Reverse(all)
	return string(all)
}

func compressed(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write([]byte(text))
	_ = w.Close()
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

func uuencode(text string) string {
	var b strings.Builder
	for len(text) > 0 {
		line := text[:min(45, len(text))]
		text = text[len(line):]
		b.WriteByte(byte(' ' + len(line)))
		for i := 0; i < len(line); i += 3 {
			three := (line[i:] + "\x00\x00")[:3]
			n := uint32(three[0])<<16 | uint32(three[1])<<8 | uint32(three[2])
			for shift := 18; shift >= 0; shift -= 6 {
				b.WriteByte(byte(' ' + n>>shift&63))
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func littleWords(text string) string {
	var all []string
	for i := 0; i+1 < len(text); i += 2 {
		all = append(all, fmt.Sprintf("%04x", binary.LittleEndian.Uint16([]byte(text[i:]))))
	}
	return strings.Join(all, " ")
}

func replacedBy(old, with string) func(string) []string {
	return func(text string) []string { return []string{strings.ReplaceAll(text, old, with)} }
}

// bmp returns a text without the characters that take two units of UTF-16.
func bmp(text string) string {
	return strings.Map(func(r rune) rune {
		if utf16.RuneLen(r) > 1 {
			return -1
		}
		return r
	}, text)
}

func keyDigits(text string) []string {
	return []string{strings.ToLower(removing(`[^0-9a-fA-F|]`)(mark.ReplaceAllString(text, "|"))[0])}
}

func separatedKey(n int, by string, inCase func(string) string) func(string) string {
	return func(text string) string {
		return inCase(inLinesOf(n, "", "", by)(removing(`[^0-9a-fA-F]`)(text)[0]))
	}
}

func mimeWords(text string) []string {
	var d mime.WordDecoder
	plain, err := d.DecodeHeader(mark.ReplaceAllString(text, "?= | =?utf-8?q?"))
	if err == nil {
		return []string{plain}
	}
	var all []string
	for _, m := range regexp.MustCompile(`=\?utf-8\?b\?([^?]*)`).FindAllStringSubmatch(text, -1) {
		all = append(all, plainBase64(m[1])...)
	}
	return append(all, text)
}

// xxd writes a text as xxd does.
func xxd(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i += 16 {
		line := text[i:min(i+16, len(text))]
		fmt.Fprintf(&b, "%08x: ", i)
		for k := 0; k < 16; k += 2 {
			if k >= len(line) {
				b.WriteString("     ")
				continue
			}
			fmt.Fprintf(&b, "%-5s", hexOf(line[k:min(k+2, len(line))]))
		}
		b.WriteByte(' ')
		for k := range len(line) {
			if line[k] < ' ' || line[k] > '~' {
				b.WriteByte('.')
			} else {
				b.WriteByte(line[k])
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func undump(pattern string) func(string) []string {
	re := regexp.MustCompile(pattern)
	return func(text string) []string {
		var digits strings.Builder
		for _, m := range re.FindAllStringSubmatch(text, -1) {
			digits.WriteString(strings.Join(strings.Fields(m[1]), ""))
		}
		return fromHex(digits.String())
	}
}

const inventedKey = "-----BEGIN EXAMPLE-----\nq3Xb7+Lw0/Zt9KpRmV2cY8dHsN4fGjA1\nTe6uQoWiE5rBnMxCzPlKhJyUvS0aDg==\n-----END EXAMPLE-----"

// inventedSecrets are secrets of several kinds. The last ones are keys in hexadecimal.
var inventedSecrets = []string{
	`Grün&Blau"7'\x(9)`, "pässw0rt-€uro!42", `tr%41p$Kq^z|<8>;w`, "ghq_7dK2mWq9Xv4RtB8nZc1L", "zq8#Kd!2 blank tail9", inventedKey,
	"Zebra~9`Tango\"Ümlaut", "correct horse battery staple nine",
	"9f86d081884c7d659a2feaa0c55ad015", "3F2504E0-4F89-41D3-9A0C-0305E82C3301", "a1:b2:c3:d4:e5:f6:07:18:29:3a:4b:5c:6d:7e:8f:90",
}

const firstInventedKey = 8

var formatsOfSpellings = []string{"rich-json", "json", "rich-msgpack", "msgpack", "yaml", "rich-json", "stringified-json"}

// survivor returns a text of the output that still has a copy, or "".
func survivor(t *testing.T, hidden, text string, decode func(string) []string, key bool) string {
	t.Helper()
	doc := in(`{"type":"Class","title":"App","parameters":{"password":`+quoted(hidden)+`},"sensitive_parameters":["password"]}`,
		`{"type":"File","title":"/f","parameters":{"ensure":"file","content":`+quoted(text)+`}}`)
	from := formatsOfSpellings[len(text)%len(formatsOfSpellings)]
	to := formatsOfSpellings[len(hidden)%len(formatsOfSpellings)]
	out, _, err := redact(t, convert(t, []byte(doc), "rich-json", from), from, to, sensitive.NewMask())
	if err != nil {
		return err.Error()
	}
	for _, res := range whole(t, out, to).Resources() {
		v, _, err := res.Parameter("content")
		if err != nil {
			t.Fatal(err)
		}
		if content, ok := v.(pcore.String); ok && holdsCopy(decode(string(content)), hidden, key) {
			return string(content)
		}
	}
	return ""
}

// holdsCopy reports whether one of some texts has most of a secret.
func holdsCopy(all []string, hidden string, key bool) bool {
	if key {
		hidden = keyDigits(hidden)[0]
	}
	for _, form := range []string{hidden, norm.NFC.String(hidden), norm.NFD.String(hidden)} {
		for _, text := range all {
			for _, text := range []string{text, strings.ReplaceAll(text, "\r\n", "\n")} {
				size := max(6, len(form)*6/10)
				for i := 0; i+size <= len(form); i++ {
					if strings.Contains(text, form[i:i+size]) {
						return true
					}
				}
			}
		}
	}
	return false
}

// secretsOf returns the secrets that a family can write, and proves that its decoders read it.
func secretsOf(t *testing.T, name string, f family) (all []string) {
	for i, hidden := range inventedSecrets {
		if f.key != (i >= firstInventedKey) && f.key {
			continue
		}
		if containsAny(f.decode(f.encode(hidden)), hidden) || f.key || strings.HasPrefix(name, "NF") {
			all = append(all, hidden)
		}
	}
	if len(all) < 3 {
		t.Errorf("%s: its decoders read %d secrets", name, len(all))
	}
	return all
}

// TestSpellings hides secrets in the spellings that programs write, alone and inside each
// other. Decoders that share no code with the redactor find nothing in the output.
func TestSpellings(t *testing.T) {
	if testing.Short() {
		t.Skip("it redacts thousands of documents")
	}
	survive, copies := 0, 0
	for _, name := range slices.Sorted(maps.Keys(followedFamilies)) {
		f := followedFamilies[name]
		failed := false
		for _, hidden := range secretsOf(t, name, f) {
			for _, around := range []string{"", "key: ", "key:\n", "a = 1\nb = "} {
				text := around + f.encode(hidden) + "\nend\n"
				if around != "" && !holdsCopy(f.decode(text), hidden, f.key) {
					continue // the decoders do not read it
				}
				copies++
				if left := survivor(t, hidden, text, f.decode, f.key); left != "" {
					t.Errorf("%s: %q in %q: left in %q", name, hidden, text, left)
					failed = true
					break
				}
			}
		}
		if failed {
			survive++
		}
	}
	t.Logf("%d copies in %d families", copies, len(followedFamilies))
	if survive > 0 {
		t.Errorf("%d of %d families survive", survive, len(followedFamilies))
	}
}

// TestSpellingsNotFollowed checks the list of spellings that are not followed: a row that is
// followed by now fails, and so does one that the page does not have.
func TestSpellingsNotFollowed(t *testing.T) {
	page, err := os.ReadFile("../docs/redact.md")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(page), "| not searched |")
	list, _, _ = strings.Cut(list, "\n\n")
	rows := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^\| ([^|]+?) \|`).FindAllStringSubmatch(list, -1) {
		rows[m[1]] = true
	}
	delete(rows, "---")
	for name, encode := range unfollowedFamilies {
		if !rows[name] {
			t.Errorf("docs/redact.md does not list %q", name)
		}
		delete(rows, name)
		hidden := "ghq_7dK2mWq9Xv4RtB8nZc1L+/x"
		if strings.Contains(name, "hexadecimal") {
			hidden = "9f86d081884c7d659a2feaa0c55ad015"
		}
		text := "key: " + encode(hidden) + "\n"
		doc := in(`{"type":"Class","title":"App","parameters":{"password":`+quoted(hidden)+`},"sensitive_parameters":["password"]}`,
			`{"type":"File","title":"/f","parameters":{"ensure":"file","content":`+quoted(text)+`}}`)
		if out := mustRedact(t, []byte(doc), "rich-json", sensitive.NewMask()); !bytes.Contains(out, []byte(quoted(text))) {
			t.Errorf("%s is followed: list it as such", name)
		}
	}
	for name := range rows {
		t.Errorf("docs/redact.md lists %q, which is not tested", name)
	}
}
