package yamlwire

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/pcatdev/pcat/internal/test/rubytest"
)

// events returns the events of a stream in the notation of testdata/events.rb.
func events(p *Parser) []string {
	out := []string{}
	for {
		e, err := p.Next()
		if err != nil {
			return append(out, "ERROR")
		}
		switch e.Kind {
		case StreamEnd:
			return out
		case DocumentStart:
			out = append(out, "+DOC")
		case DocumentEnd:
			out = append(out, "-DOC")
			if e.Explicit {
				out[len(out)-1] += " ..."
			}
		case SequenceStart:
			out = append(out, "+SEQ"+properties(e))
		case SequenceEnd:
			out = append(out, "-SEQ")
		case MappingStart:
			out = append(out, "+MAP"+properties(e))
		case MappingEnd:
			out = append(out, "-MAP")
		case Alias:
			out = append(out, "*"+e.Value)
		case Scalar:
			out = append(out, "="+properties(e)+[]string{":", "'", `"`, "|", ">"}[e.Style]+e.Value)
		}
	}
}

func properties(e Event) (s string) {
	if e.Anchor != "" {
		s += " &" + e.Anchor
	}
	if e.Tag != "" {
		s += " <" + e.Tag + ">"
	}
	return s
}

// isError reports whether the events end with an error. What precedes it depends on
// how far a parser reads ahead.
func isError(events []string) bool { return len(events) > 0 && events[len(events)-1] == "ERROR" }

func same(a, b []string) bool { return isError(a) && isError(b) || slices.Equal(a, b) }

// pieces are what random documents are made of.
var pieces = []string{
	"a", "b", "key", "é", "x y", "1", "'", "\"", "'q'", "\"d\"", "\"\\n\"", "\"\\x41\\\n  b\"", "'it''s'", "\\",
	": ", ":", ":\n", "? ", "?", "- ", "-", "-\n", ", ", ",", "[", "]", "{", "}", "[]", "{}", "a: b", "- a\n", "k:\n",
	"\n", "\n", "\n", "\n\n", " ", " ", "  ", "    ", "\t", "\n ", "\n  ", "\n   ", "\r\n", "\r", "\u0085", "\u2028",
	"&a ", "&b\n", "&a", "*a", "*a ", "*b", "!", "! ", "!t ", "!!str ", "!!", "!e!x ", "!<tag:x> ", "!a%41 ", "!%zz",
	"|\n", ">\n", "|-\n", "|+\n", ">2\n", "|1-\n", "|", ">", "#", " # c\n", "#c\n",
	"---\n", "---", "--- ", "...\n", "...", "\n---\n", "\n...\n", "%YAML 1.1\n", "%YAML 1.2\n---\n", "%TAG !e! tag:e,\n---\n", "%", "%X\n",
	"@", "`", "=", "<<", "<<: *a\n", "~", "--", "..", "..", "\ufeff", "\x00", "\x7f", "\u00a0", "[a, b]", "{a: b}", "[a: b, ? c]", "{a, b: }",
}

func randomText(r *rand.Rand) string {
	var b strings.Builder
	depth := 0
	for range 1 + r.IntN(14) {
		p := pieces[r.IntN(len(pieces))]
		if r.IntN(3) == 0 {
			p = []string{"- ", "a: ", "\n", "  ", "k:\n", "x", "\n  "}[r.IntN(7)]
		}
		b.WriteString(p)
		if strings.HasSuffix(p, "\n") && r.IntN(2) == 0 {
			depth = max(0, depth+r.IntN(4)-1)
			b.WriteString(strings.Repeat(" ", depth))
		}
	}
	return b.String()
}

// TestEventsAreThoseOfLibyaml compares the events of random documents. The environment
// variable PCAT_YAML_SEED selects others, PCAT_YAML_COUNT another number of them.
func TestEventsAreThoseOfLibyaml(t *testing.T) {
	rubytest.NeedPsych(t)
	seed, _ := strconv.ParseUint(os.Getenv("PCAT_YAML_SEED"), 10, 64)
	count, err := strconv.Atoi(os.Getenv("PCAT_YAML_COUNT"))
	if err != nil {
		count = 20000
	}
	r := rand.New(rand.NewPCG(seed, 1))
	texts := make([]string, count)
	for i := range texts {
		// Psych counts a byte order mark as a column; Puppet removes it.
		texts[i] = strings.TrimLeft(randomText(r), "\ufeff")
	}
	want := rubytest.Ask[[]string](t, "testdata/events.rb", texts)
	failures, valid := 0, 0
	for i, text := range texts {
		if !isError(want[i]) {
			valid++
		}
		for _, got := range [][]string{
			events(NewBytes([]byte(text))),
			events(New(iotest.OneByteReader(strings.NewReader(text)))),
		} {
			if !same(got, want[i]) {
				t.Errorf("%q:\n%q, want\n%q", text, got, want[i])
				failures++
			}
		}
		if failures > 10 {
			t.FailNow()
		}
	}
	t.Logf("%d of %d documents are valid", valid, count)
}

// TestEvents compares with recorded events of libyaml: testdata/events.jsonl is the
// output of testdata/events.rb for testdata/documents.json.
func TestEvents(t *testing.T) {
	var texts []string
	data, err := os.ReadFile("testdata/documents.json")
	if err == nil {
		err = json.Unmarshal(data, &texts)
	}
	if err != nil {
		t.Fatal(err)
	}
	data, err = os.ReadFile("testdata/events.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.Split(bytes.TrimSpace(data), []byte("\n"))
	if len(lines) != len(texts) {
		t.Fatalf("%d lines for %d documents", len(lines), len(texts))
	}
	for i, text := range texts {
		var want []string
		if err := json.Unmarshal(lines[i], &want); err != nil {
			t.Fatal(err)
		}
		if got := events(NewBytes([]byte(text))); !same(got, want) {
			t.Errorf("%q:\n%q, want\n%q", text, got, want)
		}
	}
}

// TestAnchored compares the events of each alias with the events of its node.
func TestAnchored(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	aliases := 0
	for range 60000 {
		text := "&a " + randomText(r) + []string{"\n- *a", "\nk: *a", ", *a]"}[r.IntN(3)]
		if r.IntN(2) == 0 {
			text = "- &b\n  " + randomText(r) + "\n- *b\n- " + randomText(r) + "\n- *b\n"
		}
		p := NewBytes([]byte(text))
		var all []Event
		start := make(map[string]int)
		for {
			e, err := p.Next()
			if err != nil || e.Kind == StreamEnd {
				break
			}
			if e.Kind == DocumentStart {
				clear(start)
			}
			if e.Anchor != "" {
				start[e.Anchor] = len(all)
			}
			all = append(all, e)
			if e.Kind != Alias {
				continue
			}
			from, known := start[e.Value]
			node, ok := p.Anchored(e)
			if ok != known {
				t.Fatalf("%q: the anchor of *%s is known: %t", text, e.Value, ok)
			}
			want, complete := nodeAt(all[:len(all)-1], from)
			if !ok || !complete {
				continue
			}
			aliases++
			want[0].Anchor = ""
			for i := range want {
				got, err := node.Next()
				if err != nil {
					t.Fatalf("%q: *%s: %v", text, e.Value, err)
				}
				got.At, want[i].At = 0, 0
				if got != want[i] {
					t.Fatalf("%q: event %d of *%s is %+v, want %+v", text, i, e.Value, got, want[i])
				}
			}
			if got, err := node.Next(); err != nil || got.Kind != StreamEnd {
				t.Fatalf("%q: *%s does not end: %+v, %v", text, e.Value, got, err)
			}
		}
	}
	if aliases < 1000 {
		t.Errorf("only %d aliases", aliases)
	}
}

// nodeAt returns a copy of the events of the node at index i, if all of them are there.
func nodeAt(all []Event, i int) (node []Event, complete bool) {
	depth := 0
	for j := i; j < len(all); j++ {
		switch all[j].Kind {
		case SequenceStart, MappingStart:
			depth++
		case SequenceEnd, MappingEnd:
			depth--
		}
		if depth == 0 {
			return slices.Clone(all[i : j+1]), true
		}
	}
	return nil, false
}

// TestErrors checks positions, and that no error quotes the document.
func TestErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a: [1", "invalid YAML at line 1, column 6: did not find ',' or the end of a flow collection"},
		{"a: 1\r\nb: 'hunter2", "invalid YAML at line 2, column 4: a quoted scalar is not closed"},
		{"hunter2: a\n hunter2: b: c", "invalid YAML at line 2, column 9: mapping values are not allowed in this context"},
		{"---\na: 1\n---\nb: \xff", "text is not valid UTF-8 at line 4, column 4: not a character"},
		{"a\x00", "invalid YAML at line 1, column 2: control characters are not allowed"},
		{"\xff\xfea\x00", "text is not valid UTF-8 at line 1, column 1: the text is UTF-16; convert it to UTF-8"},
		{"- !hunter2!x 1", "invalid YAML at line 1, column 3: found an undefined tag handle"},
	} {
		for _, p := range []*Parser{NewBytes([]byte(c.text)), New(iotest.OneByteReader(strings.NewReader(c.text)))} {
			var err error
			var e Event
			for e, err = p.Next(); err == nil && e.Kind != StreamEnd; e, err = p.Next() {
			}
			var location *Error
			if !errors.As(err, &location) || err.Error() != c.want {
				t.Errorf("%q: %v, want %s", c.text, err, c.want)
			}
		}
	}
}

// TestLookAhead checks that a document is returned before the next one has been read.
func TestLookAhead(t *testing.T) {
	broken := errors.New("broken")
	p := New(io.MultiReader(strings.NewReader("a: 1\n---\n"), iotest.ErrReader(broken)))
	for range 7 {
		e, err := p.Next()
		if err != nil {
			t.Fatal(err)
		}
		if e.Kind == DocumentEnd {
			return
		}
	}
	t.Error("the document does not end")
}

func FuzzParser(f *testing.F) {
	f.Add([]byte("a: &x [1, {b: c}]\nb: *x\n--- |\n t\n...\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		whole, pieces := events(NewBytes(data)), events(New(iotest.OneByteReader(bytes.NewReader(data))))
		if !same(whole, pieces) {
			t.Errorf("%q and\n%q", whole, pieces)
		}
	})
}
