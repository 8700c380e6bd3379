package external

import (
	"errors"
	"slices"
	"strings"
	"unicode"

	"github.com/pcatdev/pcat/internal/lazyregexp"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/sensitive/secret"
)

// secrets are texts that nothing a program says may hold. The zero value holds
// none. They stand behind a pointer, so that printing what has them tells
// nothing.
type secrets struct {
	texts map[string]bool
	size  int
}

// maxSecrets is how many bytes of secrets are looked for in what a program says.
// When there are more, nothing of it is shown.
const maxSecrets = 64 << 10

// masked stands in place of a secret.
const masked = "[redacted]"

// add takes what stands in a Sensitive, or everything, for secrets.
func (s *secrets) add(everything bool, values ...pcore.Value) {
	for _, v := range values {
		_ = pcore.Walk(v, func(c *pcore.Cursor) error {
			if everything || c.Secret() {
				s.leaf(c.Value())
			}
			return nil
		})
	}
}

// join takes what others hides, too.
func (s *secrets) join(others *secrets) {
	for text := range others.texts {
		if s.size > maxSecrets {
			return
		}
		s.one(text)
	}
}

func (s *secrets) leaf(v pcore.Value) {
	switch v := v.(type) {
	case pcore.String:
		s.text(string(v))
	case pcore.Binary:
		s.text(v.Raw())
	case *pcore.Array, *pcore.Hash, *pcore.Object, *pcore.Sensitive, *pcore.Deferred, pcore.Undef, pcore.Default:
	default:
		s.text(v.String())
	}
}

// text adds a text, and also each of its lines and words: a program may tell
// one of them.
func (s *secrets) text(text string) {
	if s.size > maxSecrets {
		return
	}
	s.one(text)
	for line := range strings.Lines(text) {
		s.one(strings.TrimSpace(line))
		for word := range strings.FieldsFuncSeq(line, isSeparator) {
			s.one(word)
		}
	}
}

func (s *secrets) one(text string) {
	if text == "" || s.texts[text] {
		return
	}
	if s.texts == nil {
		s.texts = map[string]bool{}
	}
	s.texts[text] = true
	s.size += len(text)
}

func isSeparator(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// errWithheld stands in place of what a program says when it cannot be masked.
var errWithheld = errors.New("what it says is withheld, since it may hold secrets")

// cleaner returns a function that takes the secrets out of a text. cut tells that
// the text is only the beginning of what was said, so that half a secret may
// stand at its end.
func (s *secrets) cleaner(cut bool) (func(text string) string, error) {
	if len(s.texts) == 0 {
		return func(text string) string { return text }, nil
	}
	if cut || s.size > maxSecrets {
		return nil, errWithheld
	}
	var patterns [][]byte
	short := map[string]bool{}
	for text := range s.texts {
		if len(text) < secret.MinLen {
			short[strings.ToLower(text)] = true
			continue
		}
		for _, form := range secret.Forms([]byte(text)) {
			patterns = append(patterns, form)
		}
		patterns = append(patterns, []byte(strings.ToUpper(text)))
	}
	patterns = slices.DeleteFunc(patterns, func(p []byte) bool { return len(p) < secret.MinLen })
	set, err := secret.Compile(patterns)
	if err != nil {
		return nil, errWithheld
	}
	return func(text string) string { return maskWords(maskSpans(text, set), short) }, nil
}

func maskSpans(text string, set *secret.Set) string {
	var b strings.Builder
	at := 0
	for _, span := range set.Spans([]byte(text)) {
		b.WriteString(text[at:span.Start])
		b.WriteString(masked)
		at = span.End
	}
	b.WriteString(text[at:])
	return b.String()
}

// maskWords masks the secrets that stand in every text by chance, where they are
// a word.
func maskWords(text string, short map[string]bool) string {
	if len(short) == 0 {
		return text
	}
	var b strings.Builder
	for text != "" {
		end := strings.IndexFunc(text, isSeparator)
		if end < 0 {
			end = len(text)
		}
		word := text[:end]
		if short[strings.ToLower(word)] {
			word = masked
		}
		b.WriteString(word)
		text = text[end:]
		next := strings.IndexFunc(text, func(r rune) bool { return !isSeparator(r) })
		if next < 0 {
			next = len(text)
		}
		b.WriteString(text[:next])
		text = text[next:]
	}
	return b.String()
}

// maxMessage is how long a message of a program may be, in bytes, to be shown.
const maxMessage = 1000

// message returns what a program said as a text for one line: without secrets,
// without what would steer a terminal, and not too long. It is empty when the
// program said nothing.
func (s *secrets) message(said *output) (string, error) {
	clean, err := s.cleaner(said.cut)
	if err != nil {
		return "", err
	}
	text := clean(oneLine(clean(said.String()))) // again for what colours had taken apart
	if len(text) > maxMessage {
		text = strings.ToValidUTF8(text[:maxMessage/2], "") + " … " + strings.ToValidUTF8(text[len(text)-maxMessage/2:], "")
	}
	return text, nil
}

func oneLine(text string) string {
	text = steering.Get().ReplaceAllString(strings.ToValidUTF8(text, "�"), "")
	return strings.Join(strings.Fields(strings.Map(printable, text)), " ")
}

// steering matches what colours text and moves the cursor.
var steering = lazyregexp.New(`\x1b\[[0-9;?]*[@-~]`)

func printable(r rune) rune {
	switch {
	case unicode.IsSpace(r):
		return ' '
	case unicode.IsPrint(r):
		return r
	default:
		return -1
	}
}
