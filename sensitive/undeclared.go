package sensitive

import (
	"maps"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/secret"
	"github.com/pcatdev/pcat/pcore"
)

// Found is an undeclared secret in plain text, for example a finding of an audit.
type Found struct {
	// Secret is the secret itself, a String.
	Secret *pcore.Sensitive
	// Spelled is the form of the secret at the location, a String: the secret, possibly
	// escaped, or the encoded text that contains it. Nil means Secret.
	Spelled *pcore.Sensitive
	// At is the location of the text that contains Spelled, and Start its offset there in
	// bytes. The text of a Binary is its bytes; that of a number, its digits. Again are
	// further offsets.
	At    catalog.Location
	Start int
	Again []int
	// Rule is the name of what found the secret, for a [LeakError]. It may be empty.
	Rule string
	// InPlace is set for a secret that is not followed, such as a default password.
	InPlace bool
	// Doubtful is set for a text that may be no secret. It is followed only if it is no
	// word, number or path.
	Doubtful bool
}

// occurrence returns the secret as it appears at its location, which is replaced as a whole if crowded is set. ok is false
// for blank text and markers.
func (f *Found) occurrence(crowded bool) (o occurrence, ok bool) {
	o = occurrence{secret: revealed(f.Secret), text: revealed(f.Secret), starts: append([]int{f.Start}, f.Again...)}
	if f.Spelled != nil {
		o.text = revealed(f.Spelled)
	}
	text := strings.TrimSpace(o.text)
	ok = text != "" && !secret.IsMarker(text)
	o.known = ok && !crowded && f.isFollowed() && spells(o.text, o.secret)
	return o, ok
}

// isCrowded reports whether many secrets were found in the same encoded text. It is replaced as a whole: searching it for each
// would take long.
func (s *learned) isCrowded(f *Found) bool {
	const many = 16
	list := s.locations[f.At.Ref][locationName(f.At.Path)]
	list = list[max(0, len(list)-many):]
	return len(list) == many && f.Spelled != nil && !slices.ContainsFunc(list, func(o occurrence) bool {
		return o.text != revealed(f.Spelled) || o.starts[0] != f.Start
	})
}

// isFollowed reports whether copies are searched for, unless the secret is too short or too
// common, which the [Report] mentions.
func (f *Found) isFollowed() bool {
	text := revealed(f.Secret)
	return !f.InPlace && (!f.Doubtful || secret.Traceable(text) || secret.Judge(text, nil) != "")
}

// revealed returns the text of a secret if it is a String, and "" otherwise.
func revealed(secret *pcore.Sensitive) string {
	text, _ := secret.Reveal().(pcore.String) //nolint:forbidigo // kept to be looked for
	return string(text)
}

// locations are the undeclared secrets of one resource, or of the rest of the catalog, by
// [locationName].
type locations map[string][]occurrence

func (p locations) clone() locations {
	c := maps.Clone(p)
	for location, found := range c {
		c[location] = slices.Clip(found)
	}
	return c
}

// occurrence is a secret at one location.
type occurrence struct {
	secret, text string
	starts       []int // offsets of text at the location
	known        bool  // text contains a form of secret that is searched for
}

// foundTitle is a secret in the title of a resource.
type foundTitle struct {
	occurrence
	at catalog.Location
}

// locationName returns a name for a location in a resource. It distinguishes a key from its
// value, which have the same pointer.
func locationName(path pcore.Path) string {
	if n := len(path); n > 0 && path[n-1].Kind == pcore.StepKey {
		return path.Pointer() + "/" // only pointers to values under the key '' end so
	}
	return path.Pointer()
}

func isTitle(at catalog.Location) bool {
	return !at.Ref.IsZero() && len(at.Path) == 1 && at.Path[0].Key == pcore.String("title")
}

// spells reports whether text contains a secret in a form by which it is followed.
func spells(text, followed string) bool {
	return secret.CompileTexts([]string{strings.TrimSpace(followed)}).Contains([]byte(text))
}

// in returns the positions of the secret in text: where it was found. If it is at none of
// these positions, all of its positions are returned.
func (o occurrence) in(text string) (spans []secret.Span) {
	for _, start := range o.starts {
		if start >= 0 && start <= len(text) && strings.HasPrefix(text[start:], o.text) {
			spans = append(spans, secret.Span{Start: start, End: start + len(o.text), Pattern: -1})
		}
	}
	if len(spans) > 0 {
		return spans
	}
	for at := 0; ; {
		i := strings.Index(text[at:], o.text)
		if i < 0 {
			return spans
		}
		at += i + len(o.text)
		spans = append(spans, secret.Span{Start: at - len(o.text), End: at, Pattern: -1})
	}
}
