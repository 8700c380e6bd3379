package sensitive

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
)

func matcherOf(texts ...string) *matcher {
	s := newLearned(nil)
	for _, text := range texts {
		s.candidates = append(s.candidates, candidate{text: text})
	}
	return newMatcher(s.snapshot())
}

// TestGuardSeesAcrossPieces moves a secret, spelled with escapes, across the boundaries
// of pieces.
func TestGuardSeesAcrossPieces(t *testing.T) {
	if testing.Short() {
		t.Skip("it searches 36 large documents")
	}
	s := matcherOf("hunter2-é\n3")
	for _, spelled := range []string{"hunter2-é\n3", `hunter2-é\n3`, `\u0068unter2-\u00e9\n3`, `\\\\hunter2-\u00e9\u000a3`} {
		for before := holdBack - 100; before < holdBack+150; before += 29 {
			var out bytes.Buffer
			g := s.guard(&out, "json")
			doc := `{"` + strings.Repeat("x", before) + spelled + strings.Repeat("y", 200) + `"}`
			for rest := doc; rest != ""; {
				n := min(len(rest), holdBack/4+3)
				_, _ = io.WriteString(g, rest[:n])
				rest = rest[n:]
			}
			if err := g.Close(); !errors.Is(err, ErrLeak) {
				t.Fatalf("%q behind %d bytes was not seen: %v", spelled, before, err)
			}
			if bytes.Contains(out.Bytes(), []byte("unter2")) {
				t.Fatalf("%q behind %d bytes was written", spelled, before)
			}
		}
	}
}

func TestGuardWritesWhatIsClean(t *testing.T) {
	if testing.Short() {
		t.Skip("it searches a large document")
	}
	s := matcherOf("hunter2")
	doc := strings.Repeat(`\\\"hunter\\`, 3*holdBack/10)
	var out bytes.Buffer
	g := s.guard(&out, "json")
	if _, err := io.Copy(g, iotestReader(doc)); err != nil {
		t.Fatal(err)
	}
	if err := g.Close(); err != nil || out.String() != doc {
		t.Errorf("%v, %d of %d bytes were written", err, out.Len(), len(doc))
	}
}

// iotestReader returns a Reader that reads in pieces of odd lengths.
func iotestReader(s string) io.Reader { return &odd{s, 1} }

type odd struct {
	s string
	n int
}

func (o *odd) Read(p []byte) (int, error) {
	if o.s == "" {
		return 0, io.EOF
	}
	o.n = o.n*7%9973 + 1
	n := copy(p[:min(o.n, len(p))], o.s)
	o.s = o.s[n:]
	return n, nil
}

func TestGuardPassesOnErrors(t *testing.T) {
	broken := errors.New("no space left")
	g := matcherOf("hunter2").guard(writerFunc(func([]byte) (int, error) { return 0, broken }), "json")
	_, _ = io.WriteString(g, "x")
	if err := g.Close(); !errors.Is(err, broken) {
		t.Error(err)
	}
	if _, err := g.Write([]byte("y")); !errors.Is(err, broken) {
		t.Error(err)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// TestGuardKnowsItsOwnWords checks that only secrets among the fixed words are not
// searched for.
func TestGuardKnowsItsOwnWords(t *testing.T) {
	own := func() []byte { return []byte(`{"unchanged":["x"],"no change at all":1}`) }
	for _, tt := range []struct {
		output string
		leaks  bool
	}{
		{`{"unchanged":["node"]}`, false},
		{`{"unchanged":["hunter2"]}`, true},
		{`{"unchanged":["hunter\u0032"]}`, true},
		{`{"unch\u0061nged":[]}`, false},
		{`{"Unchanged":["unchanged"]}`, false},
		{`{"name":"unchanged-2"}`, true},
		{`{"name":"my_unchanged"}`, true},
		{`{"name":"no change at all"}`, false},
		{`{"name":"no change at all of it"}`, false},
		{`{"name":"no change at allies"}`, true},
	} {
		for _, wire := range []string{"json", ""} {
			g := matcherOf("unchanged", "hunter2", "change at all").guard(io.Discard, wire)
			g.own = newOwnText(own)
			_, _ = io.WriteString(g, tt.output)
			if err := g.Close(); errors.Is(err, ErrLeak) != tt.leaks {
				t.Errorf("%s as %q: %v", tt.output, wire, err)
			}
		}
	}
}

// Own text may contain secrets, but not together with other text, wherever the pieces end.
func TestWriteOwn(t *testing.T) {
	type piece struct {
		text string
		own  bool
	}
	long := strings.Repeat("x ", holdBack/2)
	for _, tt := range []struct {
		pieces []piece
		leaks  bool
	}{
		{[]piece{{"a hunter2 b", true}}, false},
		{[]piece{{"a hunter2 b", false}}, true},
		{[]piece{{"a hun", true}, {"ter2 b", true}}, false},
		{[]piece{{"a hun", true}, {"ter2 b", false}}, true},
		{[]piece{{"a hun", false}, {"ter2 b", true}}, true},
		{[]piece{{"a ", false}, {"hunter2", true}, {" b", false}}, false},
		{[]piece{{long, false}, {"hunter2" + long, true}, {"x", false}, {long + "hunter2", true}, {long, false}}, false},
		{[]piece{{long, false}, {"hunter2" + long, true}, {"hunter2", false}, {long, true}}, true},
		{[]piece{{long, true}, {"hun", true}, {"", false}, {"ter2", true}}, false},
	} {
		for _, several := range []bool{false, true} {
			var out strings.Builder
			g := matcherOf("hunter2").guard(&out, "")
			if several {
				first := matcherOf("hunter2", "other-secret").guard(g, "")
				first.next, g = g, first
			}
			want := ""
			for _, p := range tt.pieces {
				write := g.Write
				if p.own {
					write = g.WriteOwn
				}
				want += p.text
				_, _ = write([]byte(p.text)) // Close returns the error
			}
			err := g.Close()
			if errors.Is(err, ErrLeak) != tt.leaks || err == nil && out.String() != want {
				t.Errorf("%.200v, %t: %v", tt.pieces, several, err)
			}
		}
	}
}
