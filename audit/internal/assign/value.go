package assign

import (
	"strings"
	"sync"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
	"github.com/pcatdev/pcat/audit/internal/decode"
	"github.com/pcatdev/pcat/audit/internal/lines"
	"github.com/pcatdev/pcat/audit/internal/verdict"
)

// NameBefore returns the name that ends before to, ignoring blanks, quotes and the bracket
// of an index. The result first is the position of the name or of the delimiters around it.
func NameBefore(s string, start, to int) (name string, first int, quoted, ok bool) {
	i := to
	for i > start && alphabet.IsBlank(s[i-1]) {
		i--
	}
	for i > start && (s[i-1] == ']' || s[i-1] == ')' || s[i-1] == '}' && strings.IndexByte(s[max(start, i-verdict.MaxName):i], '{') > 0) {
		i-- // of an index: `$Conf{Passwd}`
	}
	for i > start && (s[i-1] == '"' || s[i-1] == '\'' || s[i-1] == '`') {
		i--
		quoted = true
	}
	for i > start && s[i-1] == '\\' {
		i--
	}
	end := i
	for i > start && end-i < verdict.MaxName && IsNameByte(s[i-1], quoted) {
		i--
	}
	if i == end {
		return "", 0, false, false
	}
	name = s[i:end]
	if i > start && s[i-1] == '/' && !quoted {
		// A path of names, as in annotations of Kubernetes.
		for i > start && end-i < verdict.MaxName && (IsNameByte(s[i-1], false) || s[i-1] == '/') {
			i--
		}
		name = s[i:end]
	}
	for i > start && (s[i-1] == '"' || s[i-1] == '\'' || s[i-1] == '\\' || s[i-1] == '`' || s[i-1] == '[' || s[i-1] == '$' || s[i-1] == '@') {
		i--
	}
	return name, i, quoted, true
}

// IsNameByte reports whether c may be a part of a name, which may be between quotes.
func IsNameByte(c byte, quoted bool) bool {
	return alphabet.IsAlnum(c) || c == '_' || c == '-' || c == '.' || c >= 0x80 || quoted && (c == ' ' || c == '/' || c == ':')
}

// isPrefix reports whether the text before a name on its line consists of keywords of
// shells and languages, and of marks of lists and quotes.
func isPrefix(s string) bool {
	if len(s) > verdict.MaxName {
		return false
	}
	s = strings.TrimSpace(s)
	if s == "" {
		return true
	}
	for w := range strings.FieldsSeq(s) {
		switch strings.Trim(w, "{[(,'\"$@") {
		case "", "-", "export", "set", "let", "var", "const", "declare", "readonly", "local", "ENV", "ARG", "env", "#define",
			"static", "final", "public", "private", "protected", "String", "string", "self", "this", "my", "our", "setenv", "Environment=", "-x", "-r", "val", "def":
		default:
			return false
		}
	}
	return true
}

// valueAfter returns the value that begins after from. An inline value ends with its word.
func (t *Text) valueAfter(from, end int, inline bool) Assignment {
	s := t.S
	i := from
	for i < end && alphabet.IsBlank(s[i]) {
		i++
	}
	if i >= end {
		return Assignment{}
	}
	// Tags of YAML and binaries of Erlang precede the value.
	if strings.HasPrefix(s[i:end], "<<\"") {
		i += 2
	}
	if s[i] == '!' || s[i] == '&' {
		if i += properties(s[i:end]); i >= end {
			return Assignment{} // the value is on the lines below
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
	if a, ok := doubled(s, i, end); ok {
		return a
	}
	escapes := i
	for escapes < end && s[escapes] == '\\' {
		escapes++
	}
	if escapes < end && (s[escapes] == '"' || s[escapes] == '\'' || s[escapes] == '`' && escapes == i) {
		if a, ok := Quoted(s, i, escapes, end); ok {
			if s[escapes] == '`' && strings.Contains(a.Value, " ") {
				return Assignment{} // the output of a command
			}
			return a
		}
	}
	if s[i] == '"' || s[i] == '\'' {
		i++ // a quote that is never closed
	}
	if t.IsProgram {
		if a, ok := wrapped(s, i, end); ok {
			return a
		}
	}
	if s[i:min(i+1, end)] == "{" && !strings.HasPrefix(s[i:end], "{{") && verdict.EncoderPrefix(s[i:end]) == 0 || t.opens(i, min(len(s), i+verdict.MaxValue*2)).n > 0 {
		return Assignment{} // a list or a map
	}
	return t.bareValue(i, end, inline)
}

// doubled returns the value between doubled quotes of a string that is in such quotes, and the one in braces of a
// connection string. A name in braces is a template.
//
//	'user=app password=''X'' host=db'
//	UID=app;PWD={a;b};
func doubled(s string, i, end int) (Assignment, bool) {
	line := s[i:min(end, i+verdict.MaxValue)]
	open, closing := "''", "''"
	if strings.HasPrefix(line, "{") && i > 1 && s[i-1] == '=' && strings.IndexByte(s[max(0, i-verdict.MaxName):i], ';') >= 0 {
		open, closing = "{", "}"
	}
	inner, ok := strings.CutPrefix(line, open)
	if !ok {
		return Assignment{}, false
	}
	value, rest, closed := strings.Cut(inner, closing)
	if !closed || value == "" || strings.ContainsAny(value, " '\"{}:,") || open == "{" && alphabet.IsLetters(value) || rest != "" && strings.IndexByte(" ';\"\r", rest[0]) < 0 {
		return Assignment{}, false
	}
	start := i + len(open)
	return Assignment{Start: start, End: start + len(value), Value: value, Quoted: true}, true
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

// bareEnds returns the bytes that end a word inside a line.
var bareEnds = sync.OnceValue(func() *alphabet.Table {
	return alphabet.NewTable(" \t\r\"" + ",;&)}]<>'|`")
})

// isClosing reports whether c closes a bracket that is open in s: `ab(c` and `)`. A brace that
// begins a variable of a template, `${name`, does not count.
func isClosing(s string, c byte) bool {
	const opening, closing = "([{", ")]}"
	k := strings.IndexByte(closing, c)
	if k < 0 || strings.Count(s, opening[k:k+1]) <= strings.Count(s, closing[k:k+1]) {
		return false
	}
	at := strings.LastIndexByte(s, opening[k])
	return c != '}' || at > 0 && strings.IndexByte("$%#@{", s[at-1]) < 0
}

// bareValue returns a value without quotes: the rest of the line, or the next word if
// inline is set.
func (t *Text) bareValue(i, end int, inline bool) Assignment {
	s, ends := t.S, bareEnds()
	if i >= end || inline && s[i] == ',' {
		return Assignment{} // ends a prompt, as in `"Passphrase:"`, or an empty value, as in `guest,password=,uid=0`
	}
	j := i
	if u := t.unbroken; u.from <= i && i < u.to && (u.inline || !inline) {
		j = min(t.unbroken.to, end, i+maxBare+1)
	}
	for j < end && j-i <= maxBare {
		c := s[j]
		if ends[c] && (inline && j > i || c == ' ' || c == '\t' || c == '\r' || c == '"') && !isClosing(s[i:j], c) {
			break
		}
		j++
	}
	if j-i > maxBare { // too long for a word
		t.unbroken = stretch{i, j, inline}
		return Assignment{}
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
	return Assignment{Start: i, End: j, Value: decode.XML(s[i:j])}
}

// stretch is a part of a text that contains no end of a word; if inline is set, also none
// of the bytes that end a word inside a line.
type stretch struct {
	from, to int
	inline   bool
}

// Quoted returns the string whose quote is at q, preceded by the escapes that begin at
// i, as in JSON inside JSON. The closing quote has the same number of escapes and is before
// end.
func Quoted(s string, i, q, end int) (Assignment, bool) {
	quote, escapes := s[q], s[i:q]
	limit := min(end, q+1+verdict.MaxValue*2)
	for j := q + 1; j < limit; j++ {
		switch {
		case s[j] == '\\' && len(escapes) == 0:
			j++
		case s[j] == quote:
			n := 0
			for j-1-n > q && s[j-1-n] == '\\' {
				n++
			}
			if n != len(escapes) {
				continue
			}
			a := Assignment{Start: q + 1, End: j - n, Quoted: true}
			a.Value = decode.Quoted(s[a.Start:a.End], quote, len(escapes) > 0)
			return a, true
		}
	}
	return Assignment{}, false
}

// extent is the position of a value relative to its name.
type extent uint8

const (
	inLine   extent = iota // on the line of its name
	indented               // on the lines below: a block of YAML
	enclosed               // on the lines below, up to a delimiter: a here-document, a multi-line string
)

// blockOf returns the extent of a value by s, the rest of the line after the separator.
func blockOf(s string, colon bool) extent {
	s = strings.TrimLeft(s, " \t")
	if len(s) == 0 || len(s) > verdict.MaxName || strings.IndexByte("|>\"'<&!", s[0]) < 0 {
		return inLine
	}
	s = strings.TrimRight(s[properties(s):], " \t\r")
	switch {
	case s == "":
	case s[0] == '|', s[0] == '>':
		header, _, _ := strings.Cut(s, " #")
		if header = strings.TrimRight(header, " "); colon && len(header) <= 3 && strings.Trim(header[1:], "+-123456789") == "" {
			return indented
		}
	case s == `"""`, s == "'''":
		return enclosed
	case !colon && strings.HasPrefix(s, "<<") && verdict.IsIdentifier(strings.Trim(s[2:], "-~'\"")):
		return enclosed
	}
	return inLine
}

// block returns the value on the line below S[start:end]. A block with more lines is not a
// password.
func (t *Text) block(start, end int, byIndent bool) Assignment {
	s := t.S
	if end >= len(s) {
		return Assignment{}
	}
	next := lines.End(s, end+1)
	line, below := s[end+1:next], ""
	if next < len(s) {
		below = s[next+1 : lines.End(s, next+1)]
	}
	value, closed := line, false
	for _, quotes := range []string{`"""`, "'''"} {
		value = strings.TrimSuffix(strings.TrimSpace(value), quotes)
		closed = closed || strings.HasPrefix(strings.TrimSpace(below), quotes)
	}
	switch outer := lines.Indent(s[start:end]); {
	case value == "" || len(value) > maxBare:
		return Assignment{}
	case byIndent && (lines.Indent(line) <= outer || strings.TrimSpace(below) != "" && lines.Indent(below) > outer):
		return Assignment{}
	case !byIndent && !closed && len(value) == len(strings.TrimSpace(line)):
		if _, word, _ := strings.Cut(s[start:end], "<<"); word == "" || strings.TrimSpace(below) != strings.Trim(word, "-~'\" \t\r") {
			return Assignment{}
		}
	}
	at := end + 1 + strings.Index(line, value)
	return Assignment{Value: value, Start: at, End: at + len(value), Quoted: true}
}

// wrapped returns the string that an expression at i converts, or that stands in the long
// brackets of Lua: `bytes.fromhex('X')`, `[[X]]`.
func wrapped(s string, i, end int) (Assignment, bool) {
	if inner, long := strings.CutPrefix(s[i:end], "[["); long {
		value, _, closed := strings.Cut(inner, "]]")
		return Assignment{Start: i + 2, End: i + 2 + len(value), Value: value, Quoted: true}, closed && !strings.ContainsAny(value, "\"'[], ")
	}
	if a, ok := quotedLike(s, i, end); ok {
		return a, true
	}
	open := i
	for open < end && open-i < verdict.MaxName && (IsNameByte(s[open], false) || s[open] == ':' || s[open] == '[' || s[open] == ']') {
		open++
	}
	if open == i || open+1 >= end || s[open] != '(' || s[open+1] != '"' && s[open+1] != '\'' || !converts(s[i:open]) {
		return Assignment{}, false
	}
	return Quoted(s, open+1, open+1, end)
}

// quotedLike returns the string in brackets that an operator of Perl or Ruby quotes: `q(X)`, `qq{X}`, `%q[X]`.
func quotedLike(s string, i, end int) (Assignment, bool) {
	rest, ruby := strings.CutPrefix(s[i:end], "%")
	inner := strings.TrimLeft(rest, "q")
	if ruby {
		inner = strings.TrimLeft(rest, "qQ")
	}
	if n := len(rest) - len(inner); n == 0 || n > 2 || inner == "" {
		return Assignment{}, false
	}
	if before := strings.TrimRight(s[max(0, i-verdict.MaxName):i], " \t"); !ruby && !strings.HasSuffix(before, "=>") && !strings.Contains(before[strings.LastIndexByte(before, '\n')+1:], "$") {
		return Assignment{}, false // a call of q, in another language than Perl
	}
	const opening, closing = "([{<", ")]}>"
	k := strings.IndexByte(opening, inner[0])
	if k < 0 {
		return Assignment{}, false
	}
	value, _, closed := strings.Cut(inner[1:], closing[k:k+1])
	start := end - len(inner) + 1
	return Assignment{Start: start, End: start + len(value), Value: value, Quoted: true}, closed && !strings.ContainsAny(value, opening[k:k+1]+"$@\"'")
}

// converts reports whether a function converts the string that is its argument, by its name:
// `bytes.fromhex`, `Base64.decode64`, `SecretStr`.
func converts(function string) bool {
	name := strings.ToLower(function[strings.LastIndexAny(function, ".:]")+1:])
	if strings.HasPrefix(name, "get") || strings.HasPrefix(name, "read") || strings.HasPrefix(name, "load") {
		return false // by the name of a setting
	}
	for _, part := range []string{"hex", "base64", "decode", "atob", "bytes", "secretstr"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return name == "str" || name == "string" || name == "secret" || name == "from" && strings.HasPrefix(function, "Buffer")
}
