package audit

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
	"github.com/pcatdev/pcat/internal/environment"
)

// repair returns [Finding.Repair]. It depends on texts that may be shown only.
func (j *judge) repair(f *Finding) string {
	file, _ := environment.Cut(f.File)
	key := strings.Join([]string{"pcat audit repair v1", f.Rule, file, f.Type, withoutNode(f.Title, f.Node)}, "\x00")
	id, known := j.repairs[key]
	if !known {
		sum := sha256.Sum256([]byte(key))
		id = hex.EncodeToString(sum[:8])
		j.repairs[key] = id
	}
	return id
}

// withoutNode replaces the name of a node in a title, where it is a whole word: the same line of a
// manifest declares /etc/app/web01.conf and /etc/app/web02.conf. The first label of the name alone
// must have a digit, because one such as db is a word of its own.
func withoutNode(title, node string) string {
	if node == "" {
		return title
	}
	title = replaceWord(title, node)
	if host, _, _ := strings.Cut(node, "."); strings.ContainsAny(host, "0123456789") {
		title = replaceWord(title, host)
	}
	return title
}

// replaceWord replaces the occurrences of a word by "*".
func replaceWord(text, word string) string {
	var b strings.Builder
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			b.WriteString(text[from:])
			return b.String()
		}
		start, end := from+i, from+i+len(word)
		b.WriteString(text[from:start])
		if start > 0 && alphabet.IsWordByte(text[start-1]) || end < len(text) && alphabet.IsWordByte(text[end]) {
			b.WriteString(word)
		} else {
			b.WriteByte('*')
		}
		from = end
	}
}
