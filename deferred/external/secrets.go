package external

import (
	"errors"
	"strings"
	"unicode"

	"github.com/pcatdev/pcat/internal/lazyregexp"
	"github.com/pcatdev/pcat/internal/secret"
	"github.com/pcatdev/pcat/pcore"
)

// secrets is a set of texts to be masked in the output of programs. The zero
// value is empty. Use it by pointer, so that printing a containing value does
// not reveal it.
type secrets struct {
	texts map[string]bool
	size  int
}

// maxSecrets is the maximum total size of secrets in bytes. Beyond it, the
// output of programs is withheld.
const maxSecrets = 64 << 10

// masked replaces a secret.
const masked = "[redacted]"

// add adds the contents of each Sensitive, or everything, as secrets.
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

// join adds the secrets of others.
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

// text adds a text and each of its lines and words, because a program may quote
// only a part.
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

// errWithheld replaces output that cannot be masked.
var errWithheld = errors.New("its message is withheld because it may contain secrets")

// cleaner returns a function that masks the secrets in a text. cut reports that
// the text is truncated, so that a partial secret may be at its end.
func (s *secrets) cleaner(cut bool) (func(text string) string, error) {
	if len(s.texts) == 0 {
		return func(text string) string { return text }, nil
	}
	if cut || s.size > maxSecrets {
		return nil, errWithheld
	}
	var long []string
	short := map[string]bool{}
	for text := range s.texts {
		if len(text) < secret.MinLen {
			short[strings.ToLower(text)] = true
			continue
		}
		long = append(long, text, strings.ToUpper(text))
	}
	set := secret.CompileTexts(long)
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

// maskWords masks secrets that are too short for a substring search where they
// are whole words.
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

// maxMessage is the maximum length of a displayed message in bytes.
const maxMessage = 1000

// message returns the output of a program as one line, without secrets and
// terminal control sequences, and shortened. It is empty if there is no output.
func (s *secrets) message(said *output) (string, error) {
	clean, err := s.cleaner(said.cut)
	if err != nil {
		return "", err
	}
	text := clean(oneLine(clean(said.String()))) // again for secrets that were interrupted by colors
	if len(text) > maxMessage {
		text = strings.ToValidUTF8(text[:maxMessage/2], "") + " … " + strings.ToValidUTF8(text[len(text)-maxMessage/2:], "")
	}
	return text, nil
}

func oneLine(text string) string {
	text = steering.Get().ReplaceAllString(strings.ToValidUTF8(text, "�"), "")
	return strings.Join(strings.Fields(strings.Map(printable, text)), " ")
}

// steering matches escape sequences for colors and cursor movement.
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
