package commandline

import (
	"strings"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
)

// argument is a word of a command line: its text as the shell passes it on, and its
// position, including quotes.
type argument struct {
	text       string
	start, end int
	// pieces maps the bytes of text to positions in the source. It is nil if the word has
	// no escapes, and no quotes except the surrounding ones.
	pieces []int
	quote  int // length of the quote at the start of the word
	// live means that the shell replaces a part of the word: a variable, or the output of a
	// command.
	live bool
}

// at returns the position in the source of byte i of text.
func (a *argument) at(i int) int {
	switch {
	case i >= len(a.text):
		return a.end
	case a.pieces == nil:
		return a.start + a.quote + i
	}
	return a.pieces[i]
}

// to returns the position in the source of the end of text[:i].
func (a *argument) to(i int) int {
	if i <= 0 {
		return a.start
	}
	return a.at(i-1) + 1
}

// shellWord returns the word that begins at i, as a shell splits words: quotes and escapes
// join their content to one word.
func shellWord(s string, i, end int) argument {
	plain := i
	for plain < end && strings.IndexByte("\"'\\$()&`;|", s[plain]) < 0 && s[plain] > ' ' {
		plain++
	}
	if plain > i && (plain == end || s[plain] <= ' ' || s[plain] == ';' || s[plain] == '|' || s[plain] == ')') {
		return argument{text: s[i:plain], start: i, end: plain}
	}
	if a, ok := quotedWord(s, i, end); ok {
		return a
	}
	a := argument{start: i}
	var b strings.Builder
	quote := byte(0)
	changed := false
	depth := 0
	onDrive := i+2 < end && alphabet.IsLetter(s[i]) && s[i+1:i+3] == `:\` // a path of Windows, in which a backslash is no escape
	for ; i < end; i++ {
		c := s[i]
		switch {
		case quote == 0 && depth == 0 && (c <= ' ' || c == ';' || c == '|' || c == '&' && i+1 < end && s[i+1] <= ' ' || c == '&' && i+1 < end && s[i+1] == '&' || c == ')' || c == '`' && a.start != i):
			a.end = i
			return a.finish(&b, changed)
		case quote == 0 && (c == '"' || c == '\'') && depth == 0:
			quote, changed = c, true
			continue
		case c == quote && quote != 0 && depth == 0:
			quote = 0
			continue
		case c == '\\' && quote != '\'' && i+1 < end && !(onDrive && alphabet.IsWordByte(s[i+1])):
			if n := s[i+1]; quote == 0 || n == '"' || n == '\\' || n == '$' || n == '`' || n == '\n' {
				changed = true
				i++
				if n == '\n' {
					continue
				}
				c = n
			}
		case c == '$' && quote != '\'' && i+1 < end:
			if n := s[i+1]; n == '(' {
				depth++
				a.live = true
			} else if n == '{' || alphabet.IsLetter(n) || n == '_' {
				a.live = true
			}
		case c == '<' && quote == 0 && i+1 < end && s[i+1] == '(': // a process substitution
			depth++
			a.live = true
		case c == ')' && depth > 0:
			depth--
		}
		b.WriteByte(c)
		a.pieces = append(a.pieces, i)
	}
	a.end = i
	return a.finish(&b, changed)
}

// quotedWord returns the word that begins at i if it is surrounded by one pair of quotes
// and contains no escapes and no expansions.
func quotedWord(s string, i, end int) (a argument, ok bool) {
	quote := s[i]
	if quote != '"' && quote != '\'' {
		return a, false
	}
	j := i + 1
	for j < end && s[j] != quote && (quote == '\'' || s[j] != '\\' && s[j] != '$') {
		j++
	}
	if j >= end || s[j] != quote || j+1 < end && s[j+1] > ' ' && s[j+1] != ';' && s[j+1] != '|' && s[j+1] != ')' {
		return a, false
	}
	return argument{text: s[i+1 : j], start: i, end: j + 1, quote: 1}, true
}

func (a argument) finish(b *strings.Builder, changed bool) argument {
	a.text = b.String()
	if !changed {
		a.pieces = nil
	}
	return a
}
