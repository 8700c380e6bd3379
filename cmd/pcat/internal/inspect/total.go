package inspect

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync/atomic"
	"text/tabwriter"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
	"github.com/pcatdev/pcat/cmd/pcat/internal/inspect/summary"
	"github.com/pcatdev/pcat/internal/terminal"
	"github.com/pcatdev/pcat/sensitive"
)

// Total describes all catalogs.
type Total struct {
	Inputs int `json:"inputs"`
	Failed int `json:"failed"` // inputs that cannot be read
	*summary.Total
}

// total prints one summary of all catalogs. Inputs that cannot be read are counted; they
// contribute nothing else.
func (opts *Options) total(ctx context.Context, sources []cli.Source) error {
	var totals summary.Totals
	var done atomic.Int64
	err := opts.Read.Each(ctx, &opts.Jobs, sources, io.Discard, func(ctx context.Context, doc *document.Document, _ io.Writer) error {
		doc.WarnFlattened(doc.Log())
		var all []*summary.Summary
		// The summaries are printed in the total, but searched for secrets here.
		err := doc.Guarded(ctx, io.Discard, "", func(mask *sensitive.Redactor, out io.Writer) error {
			return opts.summaries(doc, mask, func(s *summary.Summary) error {
				all = append(all, s)
				return writeText(out, Summary{Summary: s}, true)
			})
		})
		if err != nil {
			return doc.Failure(err)
		}
		done.Add(1)
		totals.Document(doc.Form.Name, doc.Size())
		for _, s := range all {
			s.Node = cmp.Or(s.Node, doc.Name)
			totals.Add(s)
		}
		return nil
	})
	total := Total{Inputs: len(sources), Failed: len(sources) - int(done.Load()), Total: totals.Total(opts.Biggest)}
	if total.Catalogs == 0 || ctx.Err() != nil {
		return err
	}
	if opts.JSON {
		return errors.Join(err, json.NewEncoder(terminal.JSONWriter(opts.Streams.Out)).Encode(total))
	}
	return errors.Join(err, writeTotal(opts.Streams.Out, total))
}

// mostSecrets is the number of locations of secrets that are printed.
const mostSecrets = 20

func writeTotal(out io.Writer, t Total) error {
	var b strings.Builder
	field := func(name, value string) { b.WriteString(terminal.Sprintf("%s\t%s\n", name, value)) }
	field("catalogs", strconv.Itoa(t.Catalogs))
	if t.Nodes != t.Catalogs {
		field("nodes", strconv.Itoa(t.Nodes))
	}
	if t.Failed > 0 {
		field("failed", fmt.Sprintf("%d of %s", t.Failed, document.Counted(t.Inputs, "input")))
	}
	field("forms", listed(t.Forms))
	field("environments", listed(t.Environments))
	field("bytes", ranged(t.Bytes, "an input"))
	field("resources", ranged(t.Resources, "a catalog"))
	if t.Exported.Sum > 0 {
		field("exported", ranged(t.Exported, "a catalog"))
	}
	field("edges", ranged(t.Edges, "a catalog"))
	if len(t.Secrets) > 0 {
		n := 0
		for _, s := range t.Secrets {
			n += s.Count
		}
		field("secrets", fmt.Sprintf("%d at %s", n, document.Counted(len(t.Secrets), "place")))
	}
	table(&b, "types", "COUNT\tNODES\tA CATALOG\tTYPE", len(t.Types))
	for _, c := range t.Types {
		b.WriteString(terminal.Sprintf("  %d\t%d\t%s\t%s\n", c.Sum, c.Nodes, between(c.Range), c.Type))
	}
	table(&b, "secrets", "COUNT\tNODES\tPLACE", len(t.Secrets))
	for _, s := range t.Secrets[:min(mostSecrets, len(t.Secrets))] {
		b.WriteString(terminal.Sprintf("  %d\t%d\t%s  %s%s\n", s.Count, s.Nodes, s.Place, s.Encoding, prefixed(", ", s.Kind)))
	}
	if more := len(t.Secrets) - mostSecrets; more > 0 {
		fmt.Fprintf(&b, "  and %s; --json --total lists all\n", document.Counted(more, "other place"))
	}
	table(&b, "deferred calls", "COUNT\tNODES\tFUNCTION", len(t.Calls))
	for _, c := range t.Calls {
		b.WriteString(terminal.Sprintf("  %d\t%d\t%s\n", c.Count, c.Nodes, c.Function))
	}
	table(&b, "largest values", "BYTES\tNODE\tPLACE", len(t.Biggest))
	for _, v := range t.Biggest {
		b.WriteString(terminal.Sprintf("  %d\t%s\t%s\n", v.Bytes, v.Node, v.Place))
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	if _, err := io.WriteString(w, b.String()); err != nil {
		return err
	}
	return w.Flush()
}

// table begins a list with columns.
func table(b *strings.Builder, name, columns string, n int) {
	section(b, name, n)
	if n > 0 {
		b.WriteString("  " + columns + "\n")
	}
}

// listed returns names with their counts: "production 280, test 20".
func listed(groups []summary.Group) string {
	texts := make([]string, len(groups))
	for i, g := range groups {
		texts[i] = cmp.Or(g.Name, "unknown") + " " + strconv.Itoa(g.Count)
	}
	return strings.Join(texts, ", ")
}

// ranged returns a sum, and the numbers of which: "44100, 140 to 150 a catalog".
func ranged(r summary.Range, each string) string {
	return fmt.Sprintf("%d, %s %s", r.Sum, between(r), each)
}

func between(r summary.Range) string {
	if r.Min == r.Max {
		return strconv.FormatInt(r.Min, 10)
	}
	return fmt.Sprintf("%d to %d", r.Min, r.Max)
}
