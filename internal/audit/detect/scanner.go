package detect

import "github.com/pcatdev/pcat/internal/audit/leaf"

// Scanner goes over the leaves of one document. It must not be used by several
// goroutines at once.
type Scanner struct {
	detector *Detector
	emit     func(Hit)
	visit    func(*Text)
	// Judged is told of each value of a name that may be that of a secret. Nil
	// for nothing.
	Judged func(Judgement)

	text  Text
	words []word // of the line that is looked at
	// arguments are those of the command lines that are looked at, which stand
	// inside each other.
	arguments []argument
	// verdicts are those on the values of the leaf, no more than maxVerdicts:
	// many texts say the same again and again.
	verdicts      map[candidate]reason
	bytes         []byte // of the text that is visited
	left          int    // how many bytes may still be decoded for this leaf
	cut           bool   // something was not decoded to its end
	decompressors decompressors
	stop          bool // enough was found in this leaf
}

// Scanner returns a Scanner that calls visit for each text that a leaf holds:
// its own, and those that are encoded in it. Emit is where [Text.Detect] tells
// what it finds.
func (d *Detector) Scanner(emit func(Hit), visit func(*Text)) *Scanner {
	return &Scanner{detector: d, emit: emit, visit: visit}
}

// Leaf visits the texts that l holds. It reports false when something encoded
// in it is too large or too deep, and was looked at in part only.
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
		t.decode()
	default:
		t.Encodings = binaryOnly
		t.end = len(l.Text)
		t.inside()
	}
	return !s.cut
}

// Stop tells that enough was found in the leaf that is scanned: its texts are
// visited, and what they show is not told any more.
func (s *Scanner) Stop() { s.stop = true }

var binaryOnly = []string{"binary"}

// maxVerdicts is how many verdicts are remembered.
const maxVerdicts = 64

// against is [values.against] for the values of a leaf.
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
