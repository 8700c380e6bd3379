package detect

import (
	"iter"

	"github.com/pcatdev/pcat/internal/audit/leaf"
)

// Scanner visits the texts of the leaves of one document. It is not safe for concurrent
// use.
type Scanner struct {
	detector *Detector
	// visit is called for the texts of the current leaf, and yield for the hits in the current
	// text, until they return false.
	visit          func(*Text) bool
	yield          func(Hit) bool
	left, finished bool // visit or yield returned false
	// Judged is called for the value of each name that may be the name of a secret. It may
	// be nil.
	Judged func(Judgement)

	text  Text
	words []word // of the current line
	// arguments are the words of the current command lines, the outermost first.
	arguments []argument
	// verdicts caches up to maxVerdicts reasons for the values of the leaf, because texts
	// repeat values.
	verdicts      map[candidate]reason
	bytes         []byte // of the current text
	budget        int    // number of bytes that may still be decoded for this leaf
	cut           bool   // an encoded part was not decoded completely
	decompressors decompressors
}

// Scanner returns a Scanner.
func (d *Detector) Scanner() *Scanner { return &Scanner{detector: d} }

// Texts returns an iterator over the texts of l: its own text, and the texts decoded from
// it. A text is valid until the next one.
func (s *Scanner) Texts(l *leaf.Leaf) iter.Seq[*Text] {
	return func(yield func(*Text) bool) { s.leaf(l, yield) }
}

// Complete reports whether all texts of the last leaf were visited. Otherwise an encoded part
// is too large or too deep, and only a part of it was.
func (s *Scanner) Complete() bool { return !s.cut }

// leaf visits the texts of l.
func (s *Scanner) leaf(l *leaf.Leaf, visit func(*Text) bool) {
	s.visit, s.left, s.budget, s.cut = visit, false, maxDecoded, false
	clear(s.verdicts)
	s.text = Text{S: l.Text, scanner: s, leaf: l, flow: flowOf(l)}
	t := &s.text
	if t.flow == content {
		t.kind = kindOf(t.target(), t.S)
	}
	switch {
	case l.Number:
		t.look()
	case !l.Binary:
		t.look()
		decoder{t}.decode()
	default:
		t.Encodings = binaryOnly
		t.end = len(l.Text)
		decoder{t}.inside()
	}
}

var binaryOnly = []string{"binary"}

// maxVerdicts is the maximum number of cached verdicts.
const maxVerdicts = 64

// against is [values.against] with a cache for the values of a leaf.
func (s *Scanner) against(c candidate) reason {
	if r, ok := s.verdicts[c]; ok {
		return r
	}
	r := s.detector.values.against(c)
	if len(s.verdicts) < maxVerdicts {
		if s.verdicts == nil {
			s.verdicts = map[candidate]reason{}
		}
		s.verdicts[c] = r
	}
	return r
}
