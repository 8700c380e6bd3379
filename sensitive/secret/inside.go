package secret

import (
	"bytes"
	"encoding/pem"
	"regexp"
	"strings"
	"sync"

	"github.com/pcatdev/pcat/internal/unescape"
)

// expression finds values, as its last group, in texts that hold needs. Named tells
// that they have a name.
type expression struct {
	needs string
	named bool
	*regexp.Regexp
}

// expressions find the secrets inside of a secret text. They are compiled once,
// when they are needed.
var expressions = sync.OnceValue(func() []expression {
	const (
		// names of what is secret, by their last word
		name = `[\w.:-]*?(?i:pass(?:word|wd|phrase)?|pwd|pw|secret|token|credentials?|psk|cookie|` +
			`(?:api|access|secret|private|signing|encryption|auth|master|shared)[_-]?key)`
		quoted = `"(?:[^"\\\n]|\\.)*"|'[^'\n]*'`
	)
	return []expression{
		// name = value, name: value, "name": "value", name value
		{"", true, regexp.MustCompile(`(?m)(?:^|[\s{,;&?])["']?` + name + `["']?(?:\s*(?:=>|=|:)\s*|[ \t]+)(` + quoted + `|[^\s,;&"'}]+)`)},
		// --name value
		{"-", true, regexp.MustCompile(`--?` + name + `[= ](` + quoted + `|[^\s"']+)`)},
		// scheme://user:value@host
		{"://", false, regexp.MustCompile(`[A-Za-z][\w+.-]*://[^/\s:@]*:([^@/\s]+)@`)},
	}
})

// Inside returns passwords and keys with a name, credentials in URLs, and what
// private keys in PEM consist of. None of them is the whole text.
func Inside(text string) (found []string) {
	if strings.IndexByte(text, '=') < 0 && strings.IndexByte(text, ':') < 0 && strings.IndexByte(text, ' ') < 0 && strings.IndexByte(text, '\t') < 0 {
		return nil // one of these stands in all that is looked for
	}
	named := mayName(text)
	for _, re := range expressions() {
		if re.named && !named || !strings.Contains(text, re.needs) {
			continue
		}
		for _, m := range re.FindAllStringSubmatch(text, -1) {
			found = append(found, variants(unquote(m[len(m)-1]))...)
		}
	}
	return append(found, privateKeys([]byte(text))...)
}

// mayName reports whether one of the names may stand in a text that an expression looks
// for: that takes much longer. Each of them holds one of the words here.
func mayName(text string) bool {
	lower := strings.ToLower(text)
	for _, word := range []string{"pass", "pwd", "pw", "secret", "token", "credential", "psk", "cookie", "key"} {
		if strings.Contains(lower, word) {
			return true
		}
	}
	return strings.Contains(lower, "\u017f") // a long s, which is an s to an expression
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

// variants returns value and what it means in a URL; nothing for a value that
// is filled in later.
func variants(value string) []string {
	if strings.Contains(value, "${") || strings.Contains(value, "%{") || strings.Contains(value, "<%") {
		return nil
	}
	if plain, changed := unescape.Path(value); changed {
		return []string{value, plain}
	}
	return []string{value}
}

// minKeyLine is the length from which on a line of a key is told from others.
const minKeyLine = 32

// privateKeys returns the parts of the private keys in text by which a copy is
// known that is indented, wrapped at another column, or in DER: its lines, its
// digits and its bytes.
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
