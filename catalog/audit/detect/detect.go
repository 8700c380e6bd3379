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
	tables tables
	tokens *tokens
	base64 *table // of what is encoded in base64, as a whole
}

// Names are names that a user adds to those that are known.
type Names struct {
	// Secret are words that the name of a secret has as its last.
	Secret []string
	// Harmless are whole names of what is no secret.
	Harmless []string
}

// New returns a Detector.
func New(own Names) *Detector {
	k := newTables()
	d := &Detector{names: newVocabulary(), values: newValues(), tables: k, tokens: newTokens(k), base64: k.of(base64a)}
	for _, w := range own.Secret {
		if w == "" {
			continue
		}
		d.names.passwords.add(strings.ToLower(w))
		d.names.note(strings.ToLower(w))
	}
	for _, n := range own.Harmless {
		d.names.known.told[n] = never
		d.names.note(n)
	}
	return d
}

// Scanner goes over the leaves of one document. It must not be used by several
// goroutines at once.
type Scanner struct {
	detector *Detector
	emit     func(Hit)
	visit    func(*Text)
	// Passed is told of each value that stands under a name for secrets and is
	// none: the name, and what speaks against it, never the value. Nil for
	// nothing.
	Passed func(name, why string)

	text  Text
	words []word // of the line that is looked at
	// arguments are those of the command lines that are looked at, which stand
	// inside each other.
	arguments []argument
	// verdicts are those on the values of the leaf, no more than maxVerdicts:
	// many texts say the same again and again.
	verdicts      map[verdict]reason
	bytes         []byte // of the text that is visited
	left          int    // how many bytes may still be decoded for this leaf
	cut           bool   // something was not decoded to its end
	decompressors decompressors
	stop          bool // enough was found in this leaf
}

// verdict is what was asked about a value.
type verdict struct {
	value string
	as    sort
}

// maxVerdicts is how many verdicts are remembered.
const maxVerdicts = 64

// against is [values.against] for the values of a leaf.
func (s *Scanner) against(value string, as sort) reason {
	v := verdict{value, as}
	if r, ok := s.verdicts[v]; ok {
		return r
	}
	r := s.detector.values.against(value, as)
	if len(s.verdicts) < maxVerdicts {
		if s.verdicts == nil {
			s.verdicts = map[verdict]reason{}
		}
		s.verdicts[v] = r
	}
	return r
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

// look visits the text.
func (t *Text) look() {
	t.has = bytesIn(t.S)
	t.scanner.bytes = append(t.scanner.bytes[:0], t.S...)
	t.scanner.visit(t)
}

// Bytes returns the text as bytes, which are valid during the visit and must
// not be changed.
func (t *Text) Bytes() []byte { return t.scanner.bytes }

// Detect tells what the text shows by its context and its form. Hits may
// overlap.
func (t *Text) Detect() {
	l := t.leaf
	if l.Kind == leaf.Tag {
		return // what Puppet makes of titles
	}
	if l.Kind == leaf.Value && len(t.Encodings) == 0 {
		t.parameter()
	}
	if l.Kind == leaf.Title && l.Resource.Type == "Snmp_community" {
		// The community is what such a resource is called.
		t.judge(assignment{name: "community", value: t.S, end: len(t.S), quoted: true, sort: password})
	}
	if l.Number || len(t.S) < minText {
		return
	}
	has := &t.has
	if has.byte('-') {
		t.pem()
		t.ssh2()
		t.putty()
	}
	if t.S[0] == comment[0] {
		t.signify()
	}
	if has.byte(':') && has.byte('/') {
		t.urls()
	}
	if has.byte('$') || has.byte('{') || has.byte('.') {
		t.hashes()
	}
	if has.byte('k') && has.byte('t') && has.byte('y') || t.leaf.Name() == "d" || t.leaf.Name() == "k" {
		t.jwk()
	}
	if has.byte('[') || has.byte('{') || has.byte('<') {
		t.leaked()
	}
	t.providers(has)
	if l.Kind == leaf.Value || l.Kind == leaf.Title || len(t.Encodings) > 0 {
		t.grammars(has)
	}
}

// minText is the length of the shortest text that can hold a name and a secret.
const minText = 6

// contained tells which bytes a text has.
type contained [4]uint64

func (c *contained) byte(b byte) bool { return c[b>>6]>>(b&63)&1 != 0 }

func bytesIn(s string) (c contained) {
	for i := range len(s) {
		c[s[i]>>6] |= 1 << (s[i] & 63)
	}
	return c
}

// Declared finds the secrets in leaves that are declared to be one. It must not
// be used by several goroutines at once; make one with [Detector.Declared].
type Declared struct {
	scanner *Scanner
	leaf    *leaf.Leaf
	list    []string
}

// Declared returns a Declared.
func (d *Detector) Declared() *Declared {
	in := &Declared{}
	in.scanner = d.Scanner(func(h Hit) {
		if h.Secret != in.leaf.Text || in.leaf.State == leaf.Inside {
			in.list = append(in.list, h.Secret)
		}
	}, (*Text).Detect)
	return in
}

// Secrets returns the secrets that a leaf holds which is declared to be one:
// itself, and those that stand inside it. Of an Array or a Hash that is
// declared as a whole, only the elements count that look like secrets. The
// list is valid until the next call.
func (in *Declared) Secrets(l *leaf.Leaf) []string {
	in.leaf, in.list = l, in.list[:0]
	in.scanner.Leaf(l)
	if l.State != leaf.Inside || random(l.Text) || in.scanner.detector.values.isPhrase(l.Text) || isAlone(l) && (machineMade(l.Text) || strings.Count(l.Text, "-") >= 2) {
		// The scan asked most often the same of it.
		if r := in.scanner.against(l.Text, password); (r == none || r == tooLong) && !in.scanner.detector.isLabel(l.Text) {
			in.list = append(in.list, l.Text)
		}
	}
	return in.list
}

// Weak reports whether a leaf that is declared a secret is a password that
// everybody tries first.
func (d *Detector) Weak(l *leaf.Leaf) bool {
	if as := d.names.sortOf(l.Name()); !as.open() && as != token || l.Binary {
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

// isAlone reports whether a leaf is an element of an Array that is a parameter:
// a list of secrets, and no structure that has names for what is none.
func isAlone(l *leaf.Leaf) bool {
	list, _ := l.Element()
	return list != nil && l.Hash() == nil
}

// speaksAgainst reports whether something speaks against the value of an assignment.
func (t *Text) speaksAgainst(a *assignment) bool {
	r := t.scanner.against(a.value, a.sort)
	if r == none && t.scanner.detector.isLabel(a.value) {
		r = caption
	}
	if r != none && r != empty && a.sort > hint && a.sort != never && t.scanner.Passed != nil {
		t.scanner.Passed(a.name, string(r))
	}
	return r != none
}
