package secret

import (
	"bytes"
	"encoding/json"
	"encoding/pem"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/pcatdev/pcat/internal/unescape"
)

// expression finds values, captured by its last group, in texts that contain needs. named
// is set if a value must follow a name, and alone if a match must begin or end a line,
// because prose has more words around it.
type expression struct {
	needs        string
	named, alone bool
	*regexp.Regexp
}

// expressions returns the expressions that find secrets inside a secret text. They are
// compiled once, on first use.
var expressions = sync.OnceValue(func() []expression {
	const (
		// Names of secrets, by their last word.
		name = `[\w.:-]*?(?i:pass(?:word|wd|phrase)?|pwd|pw|secret|token|credentials?|psk|cookie|` +
			`(?:api|access|secret|private|signing|encryption|auth|master|shared)[_-]?key)`
		quoted = `"(?:[^"\\\n]|\\.)*"|'[^'\n]*'`
		value  = `(` + quoted + `|[^\s,;&"'}=:][^\s,;&"'}]*)`
	)
	return []expression{
		// name = value, name: value, "name": "value"
		{"", true, false, regexp.MustCompile(`(?m)(?:^|[\s{,;&?])["']?` + name + `["']?\s*(?:=>|=|:)\s*(` + quoted + `|[^\s,;&"'}]+)`)},
		// name value
		{"", true, true, regexp.MustCompile(`(?m)(?:^|[ \t])` + name + `[ \t]+` + value)},
		// --name value
		{"-", true, false, regexp.MustCompile(`--?` + name + `[= ](` + quoted + `|[^\s"']+)`)},
		// scheme://user:value@host
		{"://", false, false, regexp.MustCompile(`[A-Za-z][\w+.-]*://[^/\s:@]*:([^@/\s]+)@`)},
	}
})

// Inside returns the secrets embedded in a secret text: passwords and keys that follow a
// name, credentials in URLs, tokens in JSON, the parts of private keys in PEM, and the text
// of a line without the quotes around it. The whole text is never one of them.
func Inside(text string) (found []string) {
	if inner := strings.Trim(text, `"`); len(inner) < len(text) && !strings.ContainsAny(inner, "\"\n") {
		found = append(found, inner)
	}
	return append(found, embedded(text)...)
}

// embedded is Inside without the text in quotes.
func embedded(text string) (found []string) {
	if strings.IndexByte(text, '=') < 0 && strings.IndexByte(text, ':') < 0 && strings.IndexByte(text, ' ') < 0 && strings.IndexByte(text, '\t') < 0 {
		return nil // every match contains one of these characters
	}
	keys := append(privateKeys([]byte(text)), tokensIn(text)...)
	text = withoutComments(text)
	named := mayName(text)
	for _, re := range expressions() {
		if re.named && !named || !strings.Contains(text, re.needs) {
			continue
		}
		for _, m := range re.FindAllStringSubmatchIndex(text, -1) {
			if start, end := m[0], m[1]; !re.alone || isAlone(text, start, end) {
				found = append(found, variants(unquote(text[m[len(m)-2]:m[len(m)-1]]))...)
			}
		}
	}
	return append(found, keys...)
}

// isAlone reports whether a part of text is at the beginning or at the end of its line.
func isAlone(text string, start, end int) bool {
	before := text[strings.LastIndexByte(text[:start], '\n')+1 : start]
	behind, _, _ := strings.Cut(text[end:], "\n")
	return strings.TrimSpace(before) == "" || strings.TrimSpace(behind) == ""
}

// tokensIn returns the strings in a document in JSON that look drawn at random. Keys are
// names.
func tokensIn(document string) (tokens []string) {
	if document == "" || document[0] != '{' && document[0] != '[' {
		return nil
	}
	var v any
	if json.Unmarshal([]byte(document), &v) != nil {
		return nil
	}
	var visit func(v any)
	visit = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for _, key := range slices.Sorted(maps.Keys(v)) {
				visit(v[key])
			}
		case []any:
			for _, e := range v {
				visit(e)
			}
		case string:
			if isToken(v) {
				tokens = append(tokens, v)
			}
		}
	}
	visit(v)
	return tokens
}

// withoutComments returns text without the lines that are comments.
func withoutComments(text string) string {
	if !strings.Contains(text, "\n") {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !isCommentLine(line) {
			b.WriteString(line)
		}
	}
	return b.String()
}

// mayName reports whether text may contain one of the names. It is much faster than the
// expressions; each name contains one of these words.
func mayName(text string) bool {
	lower := strings.ToLower(text)
	for _, word := range []string{"pass", "pwd", "pw", "secret", "token", "credential", "psk", "cookie", "key"} {
		if strings.Contains(lower, word) {
			return true
		}
	}
	return strings.Contains(lower, "\u017f") // a long s, which (?i) treats as an s
}

func unquote(value string) string {
	if len(value) < 2 || value[0] != value[len(value)-1] {
		return value
	}
	switch value[0] {
	case '\'':
		return value[1 : len(value)-1]
	case '"':
		return strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\/`, `/`).Replace(value[1 : len(value)-1])
	}
	return value
}

// variants returns value and its percent-decoded form, or nothing if value contains a
// placeholder to be filled in later.
func variants(value string) []string {
	if strings.Contains(value, "${") || strings.Contains(value, "%{") || strings.Contains(value, "<%") {
		return nil
	}
	if plain, changed := unescape.Path(value); changed {
		return []string{value, plain}
	}
	return []string{value}
}

// minKeyLine is the minimum length at which a line of a key is distinctive.
const minKeyLine = 32

// privateKeys returns the parts of the private keys in text that identify a copy that is
// indented, wrapped at another column, or in DER: the lines, the base64 digits and the
// bytes.
func privateKeys(text []byte) (parts []string) {
	for {
		block, rest := pem.Decode(text)
		if block == nil {
			return parts
		}
		if strings.HasSuffix(block.Type, "PRIVATE KEY") {
			body := text[:len(text)-len(rest)]
			body = body[bytes.Index(body, []byte("-----BEGIN")):]
			var digits strings.Builder
			for line := range strings.Lines(string(body)) {
				line = strings.TrimSpace(line)
				if strings.ContainsAny(line, "-: ,") {
					continue
				}
				digits.WriteString(line)
				if len(line) >= minKeyLine {
					parts = append(parts, line)
				}
			}
			parts = append(parts, digits.String(), string(block.Bytes))
		}
		text = rest
	}
}
