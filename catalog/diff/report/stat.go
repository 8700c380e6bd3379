package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pcatdev/pcat/catalog/diff"
	"github.com/pcatdev/pcat/internal/terminal"
)

// writeNames writes the references of the changed resources, sorted, one a line.
func writeNames(w io.Writer, r *diff.Report, _ Options) error {
	var refs []string
	for i := range r.Changes {
		refs = append(refs, terminal.Line(cmp.Or(r.Changes[i].Ref, "the catalog")))
	}
	slices.Sort(refs)
	var b strings.Builder
	for _, ref := range slices.Compact(refs) {
		b.WriteString(ref + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeStat writes a line for each changed node: the percentage of its resources that differ, and
// their numbers. The largest differences come first.
func writeStat(w io.Writer, r *diff.Report, o Options) error {
	t := newText(r, o)
	nodes := slices.Clone(r.Nodes)
	slices.SortStableFunc(nodes, func(a, b diff.Node) int {
		return cmp.Or(cmp.Compare(b.Percent(), a.Percent()), cmp.Compare(a.Name, b.Name))
	})
	width := 0
	for _, n := range nodes {
		width = max(width, utf8.RuneCountInString(terminal.Line(n.Name)))
	}
	for i := range nodes {
		n := &nodes[i]
		name := terminal.Line(n.Name)
		tally := numbers(n)
		rank := ""
		if tally == "" && !t.all && t.isFleet() {
			continue // the summary counts them
		}
		if tally == "" {
			tally = "unchanged"
		} else {
			rank = "  " + t.paint(rankColor(n.Rank), n.Rank.String())
		}
		t.line(0, fmt.Sprintf("%s%s  %5.1f%% of %d  %s%s", t.paint(bold, name), strings.Repeat(" ", width-utf8.RuneCountInString(name)), n.Percent(), n.Resources, tally, rank))
	}
	for i, alone := range [][]string{r.OnlyOld, r.OnlyNew} {
		for _, name := range alone {
			t.line(0, t.paint(bold, terminal.Line(name))+"  "+t.alone[i])
		}
	}
	if t.isFleet() || len(r.NewWarnings) > 0 || r.Filtered > 0 || t.explain {
		t.summary()
	}
	_, err := io.WriteString(w, t.out.String())
	return err
}

// numbers counts the resources with changes.
func numbers(n *diff.Node) string {
	var parts []string
	for _, p := range []struct {
		n    int
		name string
	}{{n.Changed, "changed"}, {n.Added, "added"}, {n.Removed, "removed"}, {n.Renamed, "renamed"}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.name))
		}
	}
	return strings.Join(parts, ", ")
}

// explanation writes the uses of all profiles and rules.
func (t *text) explanation() {
	r := t.report
	t.gap = true
	t.line(0, t.paint(bold, "profiles and rules"))
	row := func(n int, what, rest string) {
		t.line(0, fmt.Sprintf("%6d  %s%s", n, terminal.Line(what), t.paint(dim, terminal.Line(rest))))
	}
	for _, p := range r.Profiles {
		total := 0
		for _, i := range r.Ignored {
			if i.Profile == p {
				total += i.Count
			}
		}
		row(total, "profile "+string(p), "")
	}
	for _, u := range r.Rules {
		rest := ""
		if u.Failures > 0 {
			rest = fmt.Sprintf("  its condition failed %d times: %s", u.Failures, u.Failure)
		}
		row(u.Count, u.Rule, rest)
	}
}
