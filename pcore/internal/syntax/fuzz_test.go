package syntax

import "testing"

// FuzzParse parses any text as a program, as a template and as definitions. All
// nodes of a tree are within the text, and nothing may panic or hang.
func FuzzParse(f *testing.F) {
	readLines(f, "testdata/reference.jsonl", func(c referenceCase) { f.Add(c.Src, c.EPP) })
	f.Fuzz(func(t *testing.T, src string, template bool) {
		if tree, err := parseUnchecked(src, template); err == nil {
			checkSpans(t, tree, len(src))
		}
		_, _ = parseAny(src, template)
		_, _ = Config{}.ParseDefinitions("", src)
	})
}

// parseUnchecked parses a program or a template whose meaning does not matter.
func parseUnchecked(src string, template bool) (Node, error) {
	c := Config{Unchecked: true}
	if template {
		return c.ParseEPP("", src)
	}
	return c.ParseProgram("", src)
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
