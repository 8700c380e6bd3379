package detect

import (
	"strings"

	"github.com/pcatdev/pcat/internal/audit/alphabet"
	"github.com/pcatdev/pcat/internal/audit/decode"
	"github.com/pcatdev/pcat/internal/audit/verdict"
)

// valueAfter returns the value that begins after from. An inline value ends with its word.
func (t assignments) valueAfter(from, end int, inline bool) assignment {
	s := t.S
	i := from
	for i < end && isBlank(s[i]) {
		i++
	}
	if i >= end {
		return assignment{}
	}
	// Tags of YAML and binaries of Erlang precede the value.
	if strings.HasPrefix(s[i:end], "<<\"") {
		i += 2
	}
	if s[i] == '!' || s[i] == '&' {
		if i += properties(s[i:end]); i >= end {
			return assignment{} // the value is on the lines below
		}
	}
	if i+1 < end && (s[i] == 'b' || s[i] == 'r' || s[i] == 'u' || s[i] == 'f') && (s[i+1] == '"' || s[i+1] == '\'') {
		i++
	}
	for _, quotes := range []string{`"""`, "'''"} {
		if strings.HasPrefix(s[i:end], quotes) {
			i += 2 // a multi-line string of TOML, Python or Grafana
		}
	}
	escapes := i
	for escapes < end && s[escapes] == '\\' {
		escapes++
	}
	if escapes < end && (s[escapes] == '"' || s[escapes] == '\'' || s[escapes] == '`' && escapes == i) {
		if a, ok := quotedValue(s, i, escapes, end); ok {
			if s[escapes] == '`' && strings.Contains(a.value, " ") {
				return assignment{} // the output of a command
			}
			return a
		}
	}
	if s[i] == '"' || s[i] == '\'' {
		i++ // a quote that is never closed
	}
	if s[i:min(i+1, end)] == "{" && !strings.HasPrefix(s[i:end], "{{") && encoder(s[i:end]) == 0 || s[i:min(i+1, end)] == "[" {
		return assignment{}
	}
	return t.bareValue(i, end, inline)
}

// properties returns the length of the properties before a YAML value: the name of an
// anchor or a tag, `&pw !!str X`.
func properties(s string) int {
	at := 0
	for {
		word, _, found := strings.Cut(s[at:], " ")
		if !found || !strings.HasPrefix(word, "!!") && (len(word) < 2 || word[0] != '&' || !verdict.IsIdentifier(word[1:])) {
			return at
		}
		at += len(word) + 1
	}
}

// bareValue returns a value without quotes: the rest of the line, or the next word if
// inline is set.
func (t assignments) bareValue(i, end int, inline bool) assignment {
	s, ends := t.S, t.tables().Of(alphabet.BareEnd)
	if i >= end || inline && s[i] == ',' {
		return assignment{} // ends a prompt, as in `"Passphrase:"`, or an empty value, as in `guest,password=,uid=0`
	}
	j := i
	if u := t.unbroken; u.from <= i && i < u.to && (u.inline || !inline) {
		j = min(t.unbroken.to, end, i+maxBare+1)
	}
	for j < end && j-i <= maxBare {
		c := s[j]
		if ends[c] && (inline && j > i || c == ' ' || c == '\t' || c == '\r' || c == '"') {
			break
		}
		j++
	}
	if j-i > maxBare { // too long for a word
		t.unbroken = stretch{i, j, inline}
		return assignment{}
	}
	if !inline {
		end = min(end, i+maxBare)
		rest := strings.TrimSpace(s[min(j, end):end])
		if rest != "" && !strings.HasPrefix(rest, "-X") && !strings.HasPrefix(rest, "-D") && !strings.HasPrefix(rest, "--") && rest[0] != '#' && rest[0] != ';' && !strings.HasPrefix(rest, "//") && !strings.HasPrefix(rest, "<!--") &&
			!strings.ContainsAny(rest, "=:") && rest[0] != '\\' {
			// Several words are a sentence or a passphrase.
			j = i + len(strings.TrimRight(s[i:end], " \t\r"))
		}
		j = i + len(strings.TrimRight(s[i:j], " \t\r"))
		for j > i && (s[j-1] == ',' || s[j-1] == ';') {
			j--
		}
	}
	if j > i && (s[j-1] == '\'' || s[j-1] == '"') {
		j--
	}
	return assignment{start: i, end: j, value: decode.XML(s[i:j])}
}

// stretch is a part of a text that contains no end of a word; if inline is set, also none
// of the bytes that end a word inside a line.
type stretch struct {
	from, to int
	inline   bool
}
