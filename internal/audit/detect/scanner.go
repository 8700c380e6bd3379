package detect

import "github.com/pcatdev/pcat/internal/audit/leaf"

// Scanner visits the texts of the leaves of one document. It is not safe for concurrent
// use.
type Scanner struct {
	detector *Detector
	emit     func(Hit)
	visit    func(*Text)
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
	left          int    // number of bytes that may still be decoded for this leaf
	cut           bool   // an encoded part was not decoded completely
	decompressors decompressors
	stop          bool // enough hits in this leaf
}

// Scanner returns a Scanner that calls visit for each text of a leaf: its own text, and the
// texts decoded from it. [Text.Detect] passes its hits to emit.
func (d *Detector) Scanner(emit func(Hit), visit func(*Text)) *Scanner {
	return &Scanner{detector: d, emit: emit, visit: visit}
}

// Leaf visits the texts of l. It returns false if an encoded part is too large or too deep
// and was searched only in part.
func (s *Scanner) Leaf(l *leaf.Leaf) (complete bool) {
	s.left, s.cut, s.stop = maxDecoded, false, false
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
	return !s.cut
}

// Stop suppresses further hits of the current leaf. Its texts are still visited.
func (s *Scanner) Stop() { s.stop = true }

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
