package yamlwire

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
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

// reference returns the events of libyaml, or skips the test without Ruby.
func reference(t *testing.T, texts []string) [][]string {
	t.Helper()
	if err := exec.Command("ruby", "-rpsych", "-e", "").Run(); err != nil {
		t.Skip("no ruby with psych here")
	}
	in, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("ruby", "testdata/events.rb")
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var all [][]string
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var one []string
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
	}
	if len(all) != len(texts) {
		t.Fatalf("%d results for %d texts", len(all), len(texts))
	}
	return all
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
	"@", "`", "=", "<<", "<<: *a\n", "~", "--", "..", "\ufeff", "\x00", "\x7f", "\u00a0", "[a, b]", "{a: b}", "[a: b, ? c]", "{a, b: }",
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
	want := reference(t, texts)
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

var _ = errors.Is
