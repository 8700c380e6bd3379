package syntax

import (
	"fmt"
	"strings"
	"testing"
)

// TestWalk visits nodes in source order, and skips the ones that visit rejects.
func TestWalk(t *testing.T) {
	const src = "f(1, a => [$x]) |Integer $y = 2| >> String { if $y { 3 } }"
	program, err := ParseProgram("", src)
	if err != nil {
		t.Fatal(err)
	}
	var all, outer []string
	Walk(program, func(n Node) bool {
		all = append(all, strings.TrimPrefix(fmt.Sprintf("%T", n), "*syntax."))
		return true
	})
	const want = "Program Block Call QualifiedName Integer Hash KeyedEntry QualifiedName Array Variable " +
		"Lambda Parameter QualifiedReference Integer QualifiedReference Block If Variable Block Integer"
	if got := strings.Join(all, " "); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	Walk(program, func(n Node) bool {
		outer = append(outer, src[n.Pos():n.End()])
		_, isCall := n.(*Call)
		return !isCall
	})
	if len(outer) != 3 || outer[2] != src {
		t.Errorf("got %q", outer)
	}
}

// TestSpans compares the source text of nodes, and the anchors of errors about
// them.
func TestSpans(t *testing.T) {
	for _, c := range []struct{ src, text, anchor string }{
		{"$x + 1", "$x + 1", "+"},
		{"$x = 1", "$x = 1", "="},
		{"$x.f(1) |$y| { }", "$x.f(1) |$y| { }", "("},
		{"$x.f", "$x.f", "."},
		{"$x[1]", "$x[1]", "$"},
		{"f(1)", "f(1)", "f"},
		{"notice 1, [2]", "notice 1, [2]", "n"},
		{"$x ? { 1 => 2 }", "$x ? { 1 => 2 }", "$"},
		{"type X = Y[1]", "type X = Y[1]", "X"},
		{" if 1 { } else { } ", "if 1 { } else { }", "i"},
		{"\"é${x}\"", "\"é${x}\"", "\""},
		{"@(A) + 1\ntext\nA\n", "@(A) + 1", "+"},
	} {
		program, err := ParseProgram("", c.src)
		if err != nil {
			t.Fatal(err)
		}
		n := program.Body.Statements[0]
		if got := c.src[n.Pos():n.End()]; got != c.text {
			t.Errorf("%q: text %q", c.src, got)
		}
		if got := c.src[Anchor(n):]; !strings.HasPrefix(got, c.anchor) {
			t.Errorf("%q: anchor at %q", c.src, got)
		}
	}
	// In a heredoc with a margin, nodes have their location in the source.
	const src = "@(\"A\")\n   text\n   ${x} $y\n   | A\n"
	program, err := ParseProgram("", src)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	Walk(program, func(n Node) bool {
		if v, ok := n.(*Variable); ok {
			got = append(got, src[v.Pos():v.End()])
		}
		return true
	})
	if len(got) != 2 || got[0] != "x" || got[1] != "$y" {
		t.Errorf("variables at %q", got)
	}
}
