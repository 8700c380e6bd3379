package detect

import (
	"strings"

	"github.com/pcatdev/pcat/catalog/audit/leaf"
	"github.com/pcatdev/pcat/catalog/audit/rule"
	"github.com/pcatdev/pcat/pcore"
)

// Hit is a secret that stands in a leaf. It holds the secret: it must not be
// printed.
type Hit struct {
	// Rule is the ID of the rule.
	Rule string
	// Start and End tell where in the text of the leaf it stands; for one that
	// is encoded, where the encoded text stands.
	Start, End int
	// Secret is the secret itself, decoded.
	Secret string
	// Name is what the place calls the secret, as far as it has a name.
	Name string
	// Encodings are those that were taken off, the outermost first.
	Encodings  []string
	Confidence rule.Confidence
}

// Detector finds secrets by their context and their form. It is safe for
// concurrent use; make one with [New].
type Detector struct {
	names  *vocabulary
	values *values
	tokens *tokens
}

// New returns a Detector.
func New() *Detector {
	return &Detector{names: newVocabulary(), values: newValues(), tokens: newTokens()}
}

// Texts calls visit for each text that l holds: its own, and those that are
// encoded in it. Emit is where [Text.Detect] tells what it finds.
func (d *Detector) Texts(l *leaf.Leaf, emit func(Hit), visit func(*Text)) {
	t := &Text{S: l.Text, detector: d, leaf: l, emit: emit, flow: flowOf(l)}
	if l.Number {
		visit(t)
		return
	}
	if !l.Binary {
		visit(t)
		t.decode(visit, &budget{left: maxDecoded})
		return
	}
	t.Encodings = []string{"binary"}
	t.end = len(l.Text)
	b := &budget{left: maxDecoded}
	if isText(t.S) {
		visit(t)
		t.decode(visit, b)
		return
	}
	t.binary(visit, b, 1)
}

// Detect tells what the text shows by its context and its form. Hits may
// overlap.
func (t *Text) Detect() {
	l := t.leaf
	if l.Kind == leaf.Value && len(t.Encodings) == 0 {
		t.parameter()
	}
	if l.Number {
		return
	}
	t.leaked()
	t.pem()
	t.putty()
	t.jwk()
	t.urls()
	t.providers()
	t.hashes()
	if l.Kind == leaf.Value || len(t.Encodings) > 0 {
		t.grammars()
	}
}

// Secrets returns the secrets that a leaf holds which is declared to be one:
// itself, and those that stand inside it. Of an Array or a Hash that is
// declared as a whole, only the elements count that look like secrets.
func (d *Detector) Secrets(l *leaf.Leaf) []string {
	var list []string
	if l.State != leaf.Inside || random(l.Text) {
		if r := d.values.against(l.Text, password); r == none || r == tooLong {
			list = append(list, l.Text)
		}
	}
	d.Texts(l, func(h Hit) {
		if h.Secret != l.Text || l.State == leaf.Inside {
			list = append(list, h.Secret)
		}
	}, (*Text).Detect)
	return list
}

// Weak reports whether a leaf that is declared a secret is a password that
// everybody tries first.
func (d *Detector) Weak(l *leaf.Leaf) bool {
	if as := d.names.sortOf(l.Name()); as != password && as != token || l.Binary {
		return false
	}
	low := strings.ToLower(l.Text)
	if d.values.weak.has(low) || d.values.placeholders.has(low) && low != "" {
		return true
	}
	for _, name := range []string{"user", "username", "name", "login"} {
		if h := l.Hash(); h != nil {
			if v, _ := h.GetString(name); v == pcore.String(l.Text) {
				return true
			}
		}
	}
	return len(l.Text) < 6 && d.values.against(l.Text, password) == none
}
