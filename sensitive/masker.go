package sensitive

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"strings"
	"sync"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/secret"
	"github.com/pcatdev/pcat/pcore"
)

// Masker makes the replacements of secrets. It is used by one [Redactor]
// and one goroutine at a time.
type Masker interface {
	// Value returns the replacement of a secret in its own location: as a
	// parameter that is listed as sensitive, or inside a Sensitive. Nil
	// leaves it out, where the location allows that.
	Value(secret *pcore.Sensitive, at catalog.Location) (pcore.Value, error)
	// Text returns the replacement of a copy of a secret, a String,
	// inside other text. It must return the same for the same text, and
	// text that differs for different text, also with anything
	// before or behind it.
	Text(copy *pcore.Sensitive) string
}

// texts is a Masker that keeps the shape of values and replaces their texts.
type texts struct {
	replace func(text string) string
	// reserve keeps replace from using the first n markers. It is nil when they
	// have no numbers.
	reserve func(n int)
	// known returns the marker of a text that has one, and may be called while
	// replace is. It is nil when a marker depends on its text alone.
	known func(text string) (marker string, ok bool)
}

// NewMask returns a Masker that replaces each text with `redacted-N-by-pcat`, where N
// numbers the different texts. The same input gives the same output. The numbers of
// different catalogs are unrelated unless they share the Masker.
func NewMask() Masker { return newMask() }

func newMask() *texts {
	n := &numbers{of: map[string]int{}}
	return &texts{replace: n.replace, reserve: n.reserve, known: n.known}
}

// numbers assigns numbers to texts. It is safe for concurrent use.
type numbers struct {
	mu   sync.Mutex
	of   map[string]int
	last int
}

func (n *numbers) replace(text string) string {
	n.mu.Lock()
	defer n.mu.Unlock()
	if _, ok := n.of[text]; !ok {
		n.last++
		n.of[text] = n.last
	}
	return secret.NumberMarker(n.of[text], text)
}

func (n *numbers) known(text string) (marker string, ok bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	number, ok := n.of[text]
	return secret.NumberMarker(number, text), ok
}

func (n *numbers) reserve(number int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.last = max(n.last, number)
}

// minKey is the minimum length in bytes of the key of [NewDigest].
const minKey = 16

// errKey is the error of a key that is too short.
var errKey = errors.New("sensitive: a key needs at least 16 bytes")

// NewDigest returns a Masker that replaces each text with
// `digest-H-by-pcat`, where H is the first half of the text's HMAC-SHA-256
// under key, in hexadecimal: with the same key, the same secret is the same in
// every catalog. Without the key, a guess cannot be checked, so
// keep it as you keep the secrets. It needs at least 16 bytes.
func NewDigest(key []byte) (Masker, error) {
	return newKeyed(key, secret.DigestMarker)
}

// NewPseudonym returns a Masker that does what [NewDigest] does, in words that
// people can say and distinguish: `pseudonym-lusab-babad-gutih-tugad-by-pcat`
// spells the first 64 bits of the HMAC as four proquints.
func NewPseudonym(key []byte) (Masker, error) {
	return newKeyed(key, secret.PseudonymMarker)
}

// newKeyed returns a Masker whose markers are made from digests.
func newKeyed(key []byte, marker func(digest *[sha256.Size]byte, text string) string) (Masker, error) {
	if len(key) < minKey {
		return nil, errKey
	}
	key = bytes.Clone(key)
	return &texts{
		replace: func(text string) string {
			h := hmac.New(sha256.New, key)
			_, _ = h.Write([]byte(text))
			return marker((*[sha256.Size]byte)(h.Sum(nil)), text)
		},
	}, nil
}

// NewKey returns a random key for [NewDigest] and [NewPseudonym]:
// markers made with it correlate in one run, and mean nothing afterwards.
func NewKey() []byte {
	key := make([]byte, sha256.Size)
	_, _ = rand.Read(key) // never fails, according to its documentation
	return key
}

// reserver is a Masker with numbered markers.
type reserver interface {
	// reserveMarkers keeps the Masker from using the first n markers.
	reserveMarkers(n int)
}

func (m *texts) reserveMarkers(n int) {
	if m.reserve != nil {
		m.reserve(n)
	}
}

// Value implements Masker.
func (m *texts) Value(secret *pcore.Sensitive, _ catalog.Location) (pcore.Value, error) {
	return shape(secret, m.text)
}

// shape returns a value with the shape of the secret and its texts replaced.
func shape(secret *pcore.Sensitive, text func(string) string) (pcore.Value, error) {
	return pcore.Rewrite(
		secret.Reveal(), //nolint:forbidigo // every part of it is replaced here
		func(c *pcore.Cursor) (pcore.Value, error) {
			if c.IsKey() {
				return maskedKey(c.Value(), text), nil
			}
			return masked(c.Value(), text), nil
		})
}

// masked returns the replacement of a value whose parts were replaced already.
func masked(v pcore.Value, text func(string) string) pcore.Value {
	switch v := v.(type) {
	case pcore.Undef, *pcore.Array, *pcore.Hash, *pcore.Sensitive:
		return v
	case pcore.Boolean:
		return pcore.Boolean(false)
	case pcore.Integer, pcore.BigInteger:
		return pcore.Integer(0)
	case pcore.Float:
		return pcore.Float(0)
	case pcore.String:
		return pcore.String(text(strings.TrimSpace(string(v))))
	case pcore.Binary:
		return pcore.NewBinaryString(text(v.Raw()))
	default:
		return pcore.String(text(v.String()))
	}
}

// maskedKey is masked for keys, which must stay distinct.
func maskedKey(v pcore.Value, text func(string) string) pcore.Value {
	switch v := v.(type) {
	case *pcore.Array, *pcore.Hash, *pcore.Sensitive:
		return v
	case pcore.String:
		return pcore.String(text(string(v)))
	default:
		return pcore.String(text(v.String()))
	}
}

func (m *texts) text(text string) string {
	if secret.IsMarker(text) {
		return text
	}
	return m.replace(text)
}

// Text implements Masker.
func (m *texts) Text(copy *pcore.Sensitive) string {
	s, _ := copy.Reveal().(pcore.String) //nolint:forbidigo // it is replaced here
	return m.text(string(s))
}

// dropper is a Masker that leaves out secrets in their own locations.
type dropper struct{ *texts }

// NewDrop returns a Masker that removes secrets, as in the catalogs that PuppetDB gets:
// parameters listed as sensitive, with their names, and also Sensitive elements of Arrays
// and entries of Hashes. Arguments of a Deferred, attributes of an Object and copies in
// other text cannot be removed; they are masked like [NewMask] does.
func NewDrop() Masker {
	return &dropper{newMask()}
}

// Value implements Masker.
func (*dropper) Value(*pcore.Sensitive, catalog.Location) (pcore.Value, error) { return nil, nil }

// textMasker is a Masker based on a function for text.
type textMasker struct{ *texts }

// TextMasker returns a Masker that keeps the shape of values and replaces each text with
// the result of replace. Equal texts must have equal results and different texts
// different ones. Markers of this package are unchanged. A replacement must not contain
// the secret: such a document is not written.
func TextMasker(replace func(text string) string) Masker {
	return textMasker{&texts{replace: replace}}
}
