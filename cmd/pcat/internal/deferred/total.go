package deferred

import (
	"fmt"
	"io"
	"strings"
	"sync/atomic"

	"github.com/pcatdev/pcat/catalog/manifest"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
	"github.com/pcatdev/pcat/internal/bill"
	"github.com/pcatdev/pcat/internal/terminal"
)

// total prints the calls of all inputs together.
type total struct {
	opts   *Options
	inputs atomic.Int64
	calls  bill.Totals
}

// CallTotal describes equal calls.
type CallTotal struct {
	Function        string   `json:"function"`
	Arguments       []string `json:"arguments"` // their types
	Ref             string   `json:"ref"`
	Path            string   `json:"path"`
	Titles          int      `json:"titles"` // of different resources; several are … in Ref
	Manifest        string   `json:"manifest,omitempty"`
	Line            int64    `json:"line,omitempty"`
	Position        string   `json:"position"`
	Sensitive       bool     `json:"sensitive"`
	SecretArguments bool     `json:"secret_arguments"`
	Credentials     int      `json:"clear_credentials"`
	Provider        string   `json:"provider"`
	Effects         string   `json:"effects,omitempty"`
	Late            string   `json:"late"`
	Reason          string   `json:"reason,omitempty"`
	Violations      []string `json:"violations"`
	Count           int      `json:"count"`
	Nodes           int      `json:"nodes"`
	Examples        []string `json:"examples"` // nodes
}

// add adds the calls of one input.
func (t *total) add(calls []Call) {
	t.inputs.Add(1)
	for i := range calls {
		c := &calls[i]
		t.calls.Add(c.node, c.entry, c.at, c.Violations)
	}
}

func (t *total) write(out io.Writer) error {
	all := t.calls.All()
	if t.opts.JSON.Given() {
		for i := range all {
			if err := terminal.Encode(out, newTotal(&all[i], &t.opts.locator)); err != nil {
				return err
			}
		}
		return nil
	}
	if t.inputs.Load() == 0 {
		return nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s of %s", document.Counted(t.calls.Count(), "deferred call"), document.Counted(int(t.inputs.Load()), "input"))
	if len(all) == 0 {
		_, err := fmt.Fprintln(out, b.String())
		return err
	}
	fmt.Fprintf(&b, ", on %s: %d different\n", document.Counted(t.calls.Nodes(), "node"), len(all))
	b.WriteString("\nCOUNT\tNODES\tCALL\tLOCATION\tPOSITION\tSENSITIVE\tPROVIDER\tLATE\n")
	var reasons, violations strings.Builder
	for i := range all {
		c := &all[i]
		b.WriteString(terminal.Sprintf("%d\t%d\t%s\t%s\t%s\t%s\t%s\t%s\n",
			c.Count, c.Nodes, c.String(), c.Location, string(c.Position), secrecy(c.Sensitive, c.SecretArguments, c.ClearCredentials), c.Provider, lateness(c.Late)))
		if c.Late.Reason != "" {
			reasons.WriteString(t.onNodes(c, c.Late.Reason))
		}
		for _, violation := range c.Violations {
			violations.WriteString(t.onNodes(c, violation))
		}
	}
	section(&b, "differences of the agent", reasons.String())
	section(&b, "policy violations", violations.String())
	return t.opts.aligned(out, b.String())
}

// onNodes returns a line about a call, with examples of the nodes.
func (t *total) onNodes(c *bill.Total, text string) string {
	location := terminal.Line(c.Location)
	if c.Titles > 1 {
		l := &t.opts.locator
		location += fmt.Sprintf(" (%d titles, %s)", c.Titles, l.Hyperlink(l.Text(c.File, c.Line), c.File, c.Line))
	}
	nodes := strings.Join(c.Examples, ", ")
	if more := c.Nodes - len(c.Examples); more > 0 {
		nodes += fmt.Sprintf(" and %d more", more)
	}
	return location + terminal.Sprintf(": %s\n  on %s\n", text, nodes)
}

func newTotal(c *bill.Total, l *manifest.Locator) CallTotal {
	t := CallTotal{
		Function: c.Function, Arguments: c.Arguments, Ref: c.Ref.String(), Path: c.Path, Titles: c.Titles, Manifest: l.Path(c.File), Line: c.Line,
		Position: string(c.Position), Sensitive: c.Sensitive, SecretArguments: c.SecretArguments, Credentials: c.ClearCredentials,
		Provider: c.Provider, Late: lateness(c.Late), Reason: c.Late.Reason, Violations: c.Violations,
		Count: c.Count, Nodes: c.Nodes, Examples: c.Examples,
	}
	if c.Provider != bill.Unknown {
		t.Effects = c.Effects.String()
	}
	return t
}
