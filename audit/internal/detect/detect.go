package detect

import (
	"iter"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
	"github.com/pcatdev/pcat/audit/internal/commandline"
	"github.com/pcatdev/pcat/audit/internal/decode"
	"github.com/pcatdev/pcat/audit/internal/feature"
	"github.com/pcatdev/pcat/audit/internal/leaf"
	"github.com/pcatdev/pcat/audit/internal/lines"
	"github.com/pcatdev/pcat/audit/internal/token"
	"github.com/pcatdev/pcat/audit/internal/verdict"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/internal/richtext"
)

// Hit is a secret in a leaf. It contains the secret, so it must not be printed.
type Hit struct {
	// Rule is the ID of the rule.
	Rule string
	// Start and End are the position in the text of the leaf: of the secret, or of the
	// encoded text that contains it.
	Start, End int
	// Within are the positions in the decoded texts inside of that text, the outermost first: several secrets
	// of one encoded text have the same Start and End.
	Within []Inner
	// Secret is the decoded secret.
	Secret string
	// Name is the name of the secret, if it has one.
	Name string
	// Encodings are the encodings of the secret, the outermost first.
	Encodings  []string
	Confidence rule.Confidence
	// Loose is set if the name is ambiguous, or may not belong to the value.
	Loose bool
	// Masked is set if the text at the position consists of markers that replace secrets.
	Masked bool
}

// Inner is a position in a decoded text of the leaf, which has a number.
type Inner struct{ Text, Start, End int }

// Detector finds secrets by their context and their form. It is safe for concurrent use.
// Create one with [New].
type Detector struct {
	names  *verdict.Vocabulary
	values *verdict.Values
}

// New returns a Detector with additional names.
func New(own verdict.Names) *Detector {
	names := verdict.NewVocabulary(own)
	return &Detector{names: names, values: verdict.NewValues(names)}
}

// Scanner visits the texts of the leaves of one document. It is not safe for concurrent
// use.
type Scanner struct {
	detector *Detector
	// Judged is called for the value of each name that may be the name of a secret. It may
	// be nil.
	Judged func(Judgement)
	// Markers returns the positions of the markers in a text that replace secrets. Nil means
	// [secret.FindMarkers].
	Markers func(text string) iter.Seq2[int, int]

	text    Text    // of the leaf
	texts   []*Text // of the leaf, in the order in which they are visited
	visited int     // number of texts that were visited
	hits    []Hit   // of the current grammar
	most    int     // number of hits that are kept
	// drawn are the different words in the texts that look drawn at random.
	drawn map[string]struct{}

	features feature.Set // of the current text
	// inside means that the leaf is a secret as a whole, and only secrets inside of it count.
	inside bool
	// unfiltered means that the features are not used. Only tests set it.
	unfiltered bool
	words      []lines.Word      // of the current line
	present    []string          // words that the current text contains
	commands   commandline.Words // of the current command lines
	// verdicts caches up to maxVerdicts reasons for the values of the leaf, because texts
	// repeat values.
	verdicts map[verdict.Candidate]verdict.Reason
	bytes    []byte // of the current text
	cut      bool   // a grammar has too many hits in a text
	decoder  *decode.Decoder

	// beside are the members of the Hash, and around those of the resource, of the last value that was
	// judged by its neighbours.
	beside, around neighbours
	// among are the texts of the Hash or list that was searched last for passwords.
	among neighbours

	current *Text // the text that is searched or decoded
	// Functions for current. They are made once, because most texts are short and many.
	onPart  func(decode.Part)
	onToken func(token.Token)
}

// maxHits is the maximum number of hits of a grammar in a text. It bounds the memory for
// texts that consist of secrets.
const maxHits = 1 << 20

// Scanner returns a Scanner.
func (d *Detector) Scanner() *Scanner {
	s := &Scanner{detector: d, most: maxHits, decoder: decode.New()}
	s.onPart = func(p decode.Part) { s.current.decoded(p) }
	s.onToken = func(k token.Token) { s.current.issued(k) }
	return s
}

// Begin begins another document: the memory of the values of the last one may be that of its values.
func (s *Scanner) Begin() { s.beside, s.around, s.among = neighbours{}, neighbours{}, neighbours{} }

// Texts returns an iterator over the texts of l: its own text, and the texts decoded from
// it. A text is valid until the next one.
func (s *Scanner) Texts(l *leaf.Leaf) iter.Seq[*Text] {
	return func(yield func(*Text) bool) {
		s.begin(l)
		for t := s.next(); t != nil; t = s.next() {
			if !yield(t) {
				return
			}
			if !l.Number && t.content == decode.Text && !t.isObject && !t.isWord() {
				s.current = t
				s.decoder.Parts(t.S, len(t.Encodings), s.onPart)
			}
		}
	}
}

// next returns the next text, or nil.
func (s *Scanner) next() *Text {
	if s.visited == len(s.texts) {
		return nil
	}
	t := s.texts[s.visited]
	s.visited++
	if t.content != decode.Bytes {
		t.has = alphabet.ContainedIn(t.S)
		if !s.unfiltered {
			t.features = &s.features
			t.features.Begin(t.S)
		}
	}
	s.bytes = append(s.bytes[:0], t.S...)
	return t
}

// Complete reports whether all texts of the last leaf were visited, with all their hits.
// Otherwise a grammar has too many hits in a text, or an encoded part is too large or too
// deep, and only a part of it was visited.
func (s *Scanner) Complete() bool { return !s.cut && s.decoder.Complete() }

// IsData reports whether the texts of the last leaf that were visited have so many different words that look drawn at random
// that they are data: then hits of [UnnamedSecret] are no secrets.
func (s *Scanner) IsData() bool { return len(s.drawn) > mostDrawn }

// count counts a word that looks drawn at random.
func (s *Scanner) count(word string) {
	if s.drawn == nil {
		s.drawn = map[string]struct{}{}
	}
	s.drawn[word] = struct{}{}
}

// begin prepares for the texts of l.
func (s *Scanner) begin(l *leaf.Leaf) {
	s.cut = false
	if len(s.drawn) > 0 {
		clear(s.drawn)
	}
	s.decoder.Reset()
	if len(s.verdicts) > 0 {
		clear(s.verdicts)
	}
	clear(s.texts)
	s.texts, s.visited = s.texts[:0], 0
	t := &s.text
	s.read(t, l)
	if !l.Binary {
		t.visit()
		if l.Kind == leaf.Value && (richtext.IsObject(l.Text) || richtext.IsCall(l.Text)) {
			t.isObject = s.object(l)
		}
		return
	}
	t.Encodings = binaryOnly
	t.end = len(l.Text)
	s.current = t
	s.decoder.Inside(l.Text, len(t.Encodings), s.onPart)
}

// read sets t to the text of a leaf.
func (s *Scanner) read(t *Text, l *leaf.Leaf) {
	*t = Text{S: l.Text, scanner: s, leaf: l, flow: flowOf(l)}
	if t.flow == content {
		t.kind = kindOf(t.target(), t.S)
	}
}

// object visits the texts of the object that l was written for, as if l were the object, and
// reports whether it is one. The text of a Deferred may be cut.
func (s *Scanner) object(l *leaf.Leaf) bool {
	o, ok := richtext.Parse(l.Text)
	if !ok {
		return richtext.IsCall(l.Text)
	}
	next := 0
	l.Within(o.Value, func(part *leaf.Leaf) {
		for next < len(o.Literals) && o.Literals[next].Text != part.Text {
			next++
		}
		if next == len(o.Literals) {
			return
		}
		t := new(Text)
		s.read(t, part.Clone())
		t.origin = &o.Literals[next]
		next++
		t.visit()
	})
	return true
}

var binaryOnly = []string{"binary"}

// maxVerdicts is the maximum number of cached verdicts.
const maxVerdicts = 64

// against is [verdict.Values.Against] with a cache for the values of a leaf.
func (s *Scanner) against(c verdict.Candidate) verdict.Reason {
	if r, ok := s.verdicts[c]; ok {
		return r
	}
	r := s.detector.values.Against(c)
	if len(s.verdicts) < maxVerdicts {
		if s.verdicts == nil {
			s.verdicts = map[verdict.Candidate]verdict.Reason{}
		}
		s.verdicts[c] = r
	}
	return r
}
