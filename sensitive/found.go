package sensitive

import (
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/sensitive/secret"
)

// Found is a secret that stands in the clear and that nothing declares to be
// one, such as an audit finds.
type Found struct {
	// Secret is the secret itself, a String.
	Secret *pcore.Sensitive
	// Spelled is what stands for it at the place, a String: the secret,
	// escaped perhaps, or the encoded text that holds it. Nil stands for
	// Secret.
	Spelled *pcore.Sensitive
	// At is the place of the text that holds Spelled, and Start is where it
	// begins there, in bytes. Of a Binary, the text is its bytes; of a number,
	// its digits.
	At    catalog.Location
	Start int
}

// Follow tells of a secret that [Redactor.Collect] does not know of. It is
// replaced in its own place, however short or common it is, and followed as
// others are when it can be. In its own place, Spelled is replaced as a whole
// where no spelling of the secret is known in it. A title is what others refer
// to: when the secret in it cannot be followed, the title is followed as a
// whole. The error tells about the values of Found.
func (r *Redactor) Follow(f Found) error {
	r.ready = false
	s := r.state()
	if err := s.take(f.Secret, f.At); err != nil {
		return err
	}
	p := spelling{secret: revealed(f.Secret), text: revealed(f.Secret), start: f.Start}
	if f.Spelled != nil {
		p.text = revealed(f.Spelled)
	}
	if text := strings.TrimSpace(p.text); text == "" || secret.IsMarker(text) {
		return nil
	}
	p.known = spells(p.text, p.secret)
	if isTitle(f.At) {
		s.titles = append(s.titles, foundTitle{p, f.At})
		return nil
	}
	if s.places[f.At.Ref] == nil {
		s.places[f.At.Ref] = places{}
	}
	key := placeOf(f.At.Path)
	s.places[f.At.Ref][key] = append(s.places[f.At.Ref][key], p)
	return nil
}

// revealed returns the text of a secret that is a String, and "" of others.
func revealed(secret *pcore.Sensitive) string {
	text, _ := secret.Reveal().(pcore.String) //nolint:forbidigo // kept to be looked for
	return string(text)
}

// places are what was found in one resource, or beside the resources, by
// [placeOf].
type places map[string][]spelling

// spelling is a secret in one place.
type spelling struct {
	secret, text string
	start        int
	known        bool // a spelling of secret stands in text
}

// foundTitle is a secret that stands in the title of a resource.
type foundTitle struct {
	spelling
	at catalog.Location
}

// placeOf returns what tells a place in a resource from others: a key has the
// same pointer as what stands under it.
func placeOf(path pcore.Path) string {
	if n := len(path); n > 0 && path[n-1].Kind == pcore.StepKey {
		return path.Pointer() + "/" // no pointer to a value ends so, but one to the key ''
	}
	return path.Pointer()
}

func isTitle(at catalog.Location) bool {
	return !at.Ref.IsZero() && len(at.Path) == 1 && at.Path[0].Key == pcore.String("title")
}

// spells reports whether text contains a secret in a spelling by which it is
// followed.
func spells(text, followed string) bool {
	return secret.CompileForms([][]byte{[]byte(strings.TrimSpace(followed))}).Contains([]byte(text))
}

// follows reports whether copies of a secret are looked for, so that it is
// replaced in its own place as well.
func (s *secrets) follows(p spelling) bool {
	return p.known && secret.Judge(strings.TrimSpace(p.secret), s.names) == ""
}

// takeTitles notes the titles that are replaced as a whole.
func (s *secrets) takeTitles() {
	for _, t := range s.titles {
		if !s.follows(t.spelling) {
			s.add(t.at.Ref.Title, located(t.at))
		}
	}
}

// own returns the parts of the text of a place that have to go because of what
// was found there, and whole when nothing else stands in it.
func (s *secrets) own(found []spelling, text string) (spans []secret.Span, whole bool) {
	for _, p := range found {
		if strings.TrimSpace(p.text) == strings.TrimSpace(text) {
			return nil, true
		}
		if !s.follows(p) {
			spans = append(spans, p.in(text)...)
		}
	}
	return secret.Merge(spans), false
}

// in returns where p stands in text: where it was found, and wherever else no
// letter or digit continues it, since a secret is found once in a text. When
// that is nowhere, it is wherever it stands at all.
func (p spelling) in(text string) []secret.Span {
	var all, apart []secret.Span
	for at := 0; ; {
		i := strings.Index(text[at:], p.text)
		if i < 0 {
			break
		}
		span := secret.Span{Start: at + i, End: at + i + len(p.text), Pattern: -1}
		all = append(all, span)
		if span.Start == p.start || !continues(text, span) {
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
