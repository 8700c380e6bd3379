package detect

import (
	"github.com/pcatdev/pcat/catalog/audit/leaf"
	"github.com/pcatdev/pcat/catalog/audit/rule"
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

// Detector finds secrets by their context and their form. It is immutable and
// safe for concurrent use; make one with [New].
type Detector struct {
	names  *vocabulary
	values *values
}

// New returns a Detector.
func New() *Detector {
	return &Detector{names: newVocabulary(), values: newValues()}
}

// Leaf calls emit for each secret that l shows. Hits may overlap; [Best] tells
// which of them count.
func (d *Detector) Leaf(l *leaf.Leaf, emit func(Hit)) {
	v := view{Detector: d, leaf: l, text: l.Text, emit: emit}
	if l.Kind == leaf.Value && !l.Binary {
		v.named()
	}
	if !l.Number {
		v.formats()
	}
}

// view is a text that is looked at: a leaf, or what was decoded out of one.
type view struct {
	*Detector
	leaf *leaf.Leaf
	text string
	emit func(Hit)

	// What was decoded stands at [start, end) of the leaf.
	encodings  []string
	start, end int
}

// hit tells about text[start:end], or a part of the leaf that was decoded into
// it.
func (v *view) hit(id string, start, end int, confidence rule.Confidence) {
	v.secret(id, start, end, v.text[start:end], "", confidence)
}

// secret tells about a secret that text[start:end] spells.
func (v *view) secret(id string, start, end int, secret, name string, confidence rule.Confidence) {
	if len(v.encodings) > 0 {
		start, end = v.start, v.end
	}
	v.emit(Hit{id, start, end, secret, name, v.encodings, confidence})
}

func (v *view) formats() {
	v.leaked()
	v.pem()
	v.urls()
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
	d.Leaf(l, func(h Hit) {
		if h.Secret != l.Text {
			list = append(list, h.Secret)
		} else if l.State == leaf.Inside {
			list = append(list, h.Secret)
		}
	})
	return list
}
