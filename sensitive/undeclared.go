package sensitive

import (
	"maps"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/sensitive/secret"
)

// Found is a plain-text secret that nothing declares to be one, such as an audit
// finds.
type Found struct {
	// Secret is the secret itself, a String.
	Secret *pcore.Sensitive
	// Spelled is the form of the secret at the place, a String: the secret,
	// escaped perhaps, or the encoded text that holds it. Nil is Secret.
	Spelled *pcore.Sensitive
	// At is the place of the text that holds Spelled, and Start is where it
	// begins there, in bytes. Of a Binary, the text is its bytes; of a number,
	// its digits.
	At    catalog.Location
	Start int
}

// occurrence returns the secret as it is at its place, and false for blanks and
// for the replacement of a secret.
func (f *Found) occurrence() (o occurrence, ok bool) {
	o = occurrence{secret: revealed(f.Secret), text: revealed(f.Secret), start: f.Start}
	if f.Spelled != nil {
		o.text = revealed(f.Spelled)
	}
	if text := strings.TrimSpace(o.text); text == "" || secret.IsMarker(text) {
		return o, false
	}
	o.known = spells(o.text, o.secret)
	return o, true
}

// revealed returns the text of a secret that is a String, and "" of others.
func revealed(secret *pcore.Sensitive) string {
	text, _ := secret.Reveal().(pcore.String) //nolint:forbidigo // kept to be looked for
	return string(text)
}

// places are the secrets that were found in one resource, or beside the resources,
// by [placeOf].
type places map[string][]occurrence

func (p places) clone() places {
	c := maps.Clone(p)
	for place, found := range c {
		c[place] = slices.Clip(found)
	}
	return c
}

// occurrence is a secret in one place.
type occurrence struct {
	secret, text string
	start        int
	known        bool // text contains a form of secret that is searched for
}

// foundTitle is a secret in the title of a resource.
type foundTitle struct {
	occurrence
	at catalog.Location
}

// placeOf returns a name for a place in a resource: a key has the same pointer as
// the value under it.
func placeOf(path pcore.Path) string {
	if n := len(path); n > 0 && path[n-1].Kind == pcore.StepKey {
		return path.Pointer() + "/" // no pointer to a value ends so, but one to the key ''
	}
	return path.Pointer()
}

func isTitle(at catalog.Location) bool {
	return !at.Ref.IsZero() && len(at.Path) == 1 && at.Path[0].Key == pcore.String("title")
}

// spells reports whether text contains a secret in a form by which it is followed.
func spells(text, followed string) bool {
	return secret.CompileForms([][]byte{[]byte(strings.TrimSpace(followed))}).Contains([]byte(text))
}

// in returns where the secret is in text: where it was found, and wherever else no
// letter or digit continues it, since a secret is found once in a text. If there is
// no such position, it is every position of it.
func (o occurrence) in(text string) []secret.Span {
	var all, apart []secret.Span
	for at := 0; ; {
		i := strings.Index(text[at:], o.text)
		if i < 0 {
			break
		}
		span := secret.Span{Start: at + i, End: at + i + len(o.text), Pattern: -1}
		all = append(all, span)
		if span.Start == o.start || !continues(text, span) {
			apart = append(apart, span)
		}
		at = span.End
	}
	if len(apart) > 0 {
		return apart
	}
	return all
}

func continues(text string, span secret.Span) bool {
	return span.Start > 0 && isWordByte(text[span.Start-1]) && isWordByte(text[span.Start]) ||
		span.End < len(text) && isWordByte(text[span.End-1]) && isWordByte(text[span.End])
}

func isWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c >= 0x80
}
