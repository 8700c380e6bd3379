package syntax

import "testing"

// FuzzRoundTrip parses any text as a program and as a template. A text that
// parses must print to an equal one, and nothing may panic or hang.
func FuzzRoundTrip(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, src string, template bool) {
		roundTrip(t, src, template)
		_, _ = parseAny(src, template)
		_, _ = ParseDefinitions("", src)
	})
}

// seed adds the texts of the reference cases.
func seed(f *testing.F) {
	readLines(f, "testdata/reference.jsonl", func(c referenceCase) { f.Add(c.Src, c.EPP) })
}

// roundTrip checks that the printed tree parses as an equal tree.
func roundTrip(t *testing.T, src string, template bool) {
	t.Helper()
	c := Config{Unchecked: true}
	parse := func(src string) (Node, error) {
		if template {
			return c.ParseEPP("", src)
		}
		return c.ParseProgram("", src)
	}
	tree, err := parse(src)
	if err != nil {
		return
	}
	text := Print(tree)
	again, err := parse(text)
	if err != nil {
		t.Fatalf("source %q\nprinted %q\n%v", src, text, err)
	}
	if !Equal(tree, again) {
		t.Fatalf("source %q\nprinted %q\nagain %q", src, text, Print(again))
	}
	checkSpans(t, tree, len(src))
}

// checkSpans checks that every node is within the source.
func checkSpans(t *testing.T, tree Node, length int) {
	t.Helper()
	Walk(tree, func(n Node) bool {
		if n.Pos() < 0 || n.End() < n.Pos() || n.End() > length {
			t.Fatalf("%T at %d to %d of %d", n, n.Pos(), n.End(), length)
		}
		if a := Anchor(n); a < 0 || a > length {
			t.Fatalf("anchor of %T at %d of %d", n, a, length)
		}
		return true
	})
}
