package sensitive

import (
	"bytes"

	"github.com/pcatdev/pcat/internal/secret"
	"github.com/pcatdev/pcat/internal/unescape"
)

// ownText is text that a program prints whatever the catalogs are. A secret that is a word of
// it, or a part of a word, is no copy where it has no other letters around it.
type ownText struct {
	text  func() []byte
	lower []byte          // text in lower case, once it is needed
	known map[string]bool // whether words are in it
}

// newOwnText returns the own text that text returns, or nil for none.
func newOwnText(text func() []byte) *ownText {
	if text == nil {
		return nil
	}
	return &ownText{text: text, known: map[string]bool{}}
}

// has reports whether the words around a hit are in the own text.
func (o *ownText) has(text []byte, h secret.Hit) bool {
	if o == nil {
		return false
	}
	start, end := h.Start, h.End
	for start > 0 && isOfWord(text[start-1]) {
		start--
	}
	for end < len(text) && isOfWord(text[end]) {
		end++
	}
	for start < h.Start && text[start] == '-' {
		start++
	}
	for end > h.End && text[end-1] == '-' {
		end--
	}
	words := string(text[start:end])
	known, ok := o.known[words]
	if !ok {
		known = o.contains(text[start:end])
		o.known[words] = known
	}
	return known
}

// contains reports whether the own text has words, with or without their escapes.
func (o *ownText) contains(words []byte) bool {
	if o.lower == nil {
		o.lower = append([]byte{}, bytes.ToLower(o.text())...)
	}
	words = bytes.ToLower(words)
	if o.find(words) {
		return true
	}
	plain := unescape.Lenient(nil, words)
	return !bytes.Equal(plain, words) && o.find(plain)
}

func (o *ownText) find(words []byte) bool {
	for from := 0; ; from++ {
		i := bytes.Index(o.lower[from:], words)
		if i < 0 || len(words) == 0 {
			return false
		}
		from += i
		end := from + len(words)
		if (from == 0 || !isOfWord(o.lower[from-1])) && (end == len(o.lower) || !isOfWord(o.lower[end])) {
			return true
		}
	}
}

// isOfWord reports whether c is a letter, a digit, a dash or an underscore.
func isOfWord(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '_' || c == '-' || c >= 0x80 && c != unescape.BeforeString
}
