package secret

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"iter"
	"slices"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Form is a way in which a secret can be spelled inside other text. Escapes and line
// breaks are no forms: a search of a [Set] made by [CompileWritten] decodes them.
type Form uint8

// The forms of a secret.
const (
	Raw      Form = iota // unchanged
	Lower                // in lower case, as Puppet makes tags
	Base64               // in base64, at any alignment
	Hex                  // in hexadecimal digits, possibly with colons or blanks between them
	UTF16                // in UTF-16, and in base64 of UTF-16
	numForms = iota
)

// String returns the name of the form, for people.
func (f Form) String() string {
	return [numForms]string{"raw", "lower case", "base64", "hexadecimal", "UTF-16"}[f%numForms]
}

// MaxForms is the length in bytes up to which a secret is searched for in all forms.
// Longer secrets, such as whole files, take much memory and rarely occur except as [Raw]
// or [Base64].
const MaxForms = 64 << 10

// Forms returns an iterator over the spellings of secret to search for in other text.
// Each spelling is yielded once, the raw one first. Spellings shorter than [MinLen] are
// omitted. A base64 spelling consists of the digits that depend on the secret alone, for
// each of the three alignments within a group of bytes.
func Forms(secret []byte) iter.Seq2[Form, []byte] {
	return func(yield func(Form, []byte) bool) {
		var seen [][]byte // few: comparing them is faster than a map
		for form := range Form(numForms) {
			if len(secret) > MaxForms && form != Raw && form != Base64 {
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

func spell(form Form, secret []byte) (forms [][]byte) {
	switch form {
	case Raw:
		return [][]byte{secret}
	case Lower:
		return [][]byte{bytes.ToLower(secret)}
	case Base64:
		return base64Forms(secret)
	case Hex:
		for _, separator := range hexSeparators {
			forms = append(forms, hexForms(secret, separator)...)
		}
		return forms
	case UTF16:
		return utf16Forms(secret)
	}
	return nil
}

// isUnreservedByte reports whether c is a word character, "-" or ".", which no form
// changes individually and languages rarely escape. It avoids branches because secrets
// often mix digits and letters.
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

// separator is a text between groups of bytes in hexadecimal.
type separator struct {
	text  string
	group int // number of bytes in a group
	first int // number of bytes in the first group
}

// together is no separator.
var together = separator{"", 1, 1}

// hexSeparators are between the bytes of a secret in hexadecimal, or between groups of two as
// xxd and gpg write them, each with a class of its own, from hexClass on.
var hexSeparators = [...]separator{together, {":", 1, 1}, {" ", 1, 1}, {" ", 2, 2}, {" ", 2, 1}}

// position returns the position in the digits of a byte of the secret.
func (s separator) position(off int) int {
	return 2*off + len(s.text)*((off+s.group-s.first)/s.group)
}

// hexForms returns the hexadecimal digits of secret in both cases.
func hexForms(secret []byte, between separator) [][]byte {
	lower := make([]byte, 0, (2+len(between.text))*len(secret))
	for i := range secret {
		if i > 0 && (i-between.first)%between.group == 0 {
			lower = append(lower, between.text...)
		}
		lower = hex.AppendEncode(lower, secret[i:i+1])
	}
	return [][]byte{lower, bytes.ToUpper(lower)}
}

func utf16Forms(secret []byte) [][]byte {
	if !utf8.Valid(secret) {
		return nil
	}
	little, big := utf16Bytes(secret)
	return slices.Concat([][]byte{little, big}, base64Forms(little), base64Forms(big))
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

// withLineEnds returns a text of several lines with line ends of each kind, unless all of its
// own are of this kind.
func withLineEnds(text []byte) (all [][]byte) {
	lines := bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	lines = bytes.ReplaceAll(lines, []byte("\r"), []byte("\n"))
	for _, end := range []string{"\n", "\r\n", "\r"} {
		if other := bytes.ReplaceAll(lines, []byte("\n"), []byte(end)); !bytes.Equal(other, text) {
			all = append(all, other)
		}
	}
	return all
}

// variant is another text that spells a secret.
type variant struct {
	text   []byte
	secret int32
}

// leastHexadecimal is the minimum number of digits of a secret in hexadecimal whose copies
// may have another case and other separators.
const leastHexadecimal = 16

// hexadecimalOf returns the digits of a key, a fingerprint or a UUID in lower case, or nil if
// the secret is something else.
func hexadecimalOf(secret []byte) []byte {
	secret = bytes.TrimRight(bytes.TrimLeft(secret, "{("), "})")
	if len(secret) < leastHexadecimal || !isHexDigit(secret[0]) || len(secret) > MaxForms {
		return nil
	}
	for _, c := range secret {
		if !isHexDigit(c) && bytes.IndexByte([]byte("-: ."), c) < 0 {
			return nil
		}
	}
	digits := make([]byte, 0, len(secret))
	for _, c := range secret {
		if isHexDigit(c) {
			digits = append(digits, c)
		}
	}
	if len(digits) < leastHexadecimal || len(digits)%2 != 0 {
		return nil
	}
	return bytes.ToLower(digits)
}

func isHexadecimal(secret []byte) bool { return hexadecimalOf(secret) != nil }

// otherSpellings returns the spellings of a secret with other characters: the digits of a
// hexadecimal one, and the normal forms of Unicode.
func otherSpellings(secret []byte) (all [][]byte) {
	add := func(text []byte) {
		if len(text) > 0 && !bytes.Equal(text, secret) && !slices.ContainsFunc(all, func(t []byte) bool { return bytes.Equal(t, text) }) {
			all = append(all, text)
		}
	}
	add(hexadecimalOf(secret))
	if len(secret) <= MaxForms && slices.ContainsFunc(secret, func(c byte) bool { return c >= utf8.RuneSelf }) && utf8.Valid(secret) {
		add(norm.NFC.Bytes(secret))
		add(norm.NFD.Bytes(secret))
	}
	return all
}
