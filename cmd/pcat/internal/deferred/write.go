package deferred

import (
	"errors"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/bill"
	"github.com/pcatdev/pcat/internal/terminal"
)

// Call describes one call.
type Call struct {
	File            string   `json:"file"`
	Ref             string   `json:"ref"`
	Path            string   `json:"path"` // [catalog.Location.Pointer]
	Manifest        string   `json:"manifest,omitempty"`
	Line            int64    `json:"line,omitempty"`
	Function        string   `json:"function"`
	Arguments       []string `json:"arguments"` // their types
	Position        string   `json:"position"`
	Sensitive       bool     `json:"sensitive"`
	SecretArguments bool     `json:"secret_arguments"`
	Credentials     int      `json:"clear_credentials"` // how many arguments hold one
	Provider        string   `json:"provider"`
	Effects         string   `json:"effects,omitempty"`
	Late            string   `json:"late"` // works, breaks, never works, or loses secret
	Reason          string   `json:"reason,omitempty"`
	Violations      []string `json:"violations"` // of the policy

	location string // the location in text
	entry    *bill.Entry
	at       catalog.Location // masked, as are the others
	node     string
}

// The values of Late.
const (
	works   = "works"
	breaks  = "breaks"
	noAgent = "never"
	loses   = "loses secret"
)

// The steps of --fail-on.
const (
	stepLate      = "late"
	stepViolation = "violation"
)

// step returns the step of --fail-on that a call reaches, empty for none.
func (c *Call) step() string {
	switch {
	case len(c.Violations) > 0:
		return stepViolation
	case c.Late != works:
		return stepLate
	}
	return ""
}

func newCall(file string, e *bill.Entry, location catalog.Location, violations []string) Call {
	c := Call{
		File: file, Ref: location.Ref.String(), Path: location.Pointer(), location: location.String(), Function: e.Function, Arguments: e.Arguments,
		Position: string(e.Position), Sensitive: e.Sensitive, SecretArguments: e.SecretArguments,
		Credentials: len(e.ClearCredentials), Provider: e.Provider,
		entry: e, at: location,
		Reason: e.Late.Reason, Violations: append([]string{}, violations...),
	}
	if e.Provider != bill.Unknown {
		c.Effects = e.Effects.String()
	}
	c.Late = lateness(e.Late)
	return c
}

func lateness(l bill.Late) string {
	switch {
	case l.Always:
		return noAgent
	case l.Breaks:
		return breaks
	case l.Loses:
		return loses
	default:
		return works
	}
}

func (opts *Options) write(out io.Writer, calls []Call, file string, first bool) error {
	if opts.JSON.Given() {
		for _, c := range calls {
			if err := terminal.Encode(out, c); err != nil {
				return err
			}
		}
		return nil
	}
	return opts.aligned(out, text(calls, file, first))
}

// aligned writes lines whose cells are separated by tabs. On a terminal, long lines are broken.
func (opts *Options) aligned(out io.Writer, lines string) error {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	_, err := io.WriteString(w, lines)
	if err = errors.Join(err, w.Flush()); err != nil {
		return err
	}
	_, err = io.WriteString(out, opts.Streams.Fit(b.String()))
	return err
}

// text returns a table of the calls, the reasons why agents have other results, and the
// policy violations.
func text(calls []Call, file string, first bool) string {
	var b strings.Builder
	if !first {
		b.WriteByte('\n')
	}
	plural := "s"
	if len(calls) == 1 {
		plural = ""
	}
	b.WriteString(terminal.Sprintf("%s: %d deferred call%s\n", file, len(calls), plural))
	if len(calls) == 0 {
		return b.String()
	}
	b.WriteString("\nCALL\tLOCATION\tPOSITION\tSENSITIVE\tPROVIDER\tLATE\n")
	for _, c := range calls {
		b.WriteString(terminal.Sprintf("%s(%s)\t%s\t%s\t%s\t%s\t%s\n",
			c.Function, strings.Join(c.Arguments, ", "), c.location, c.Position, secrecy(c.Sensitive, c.SecretArguments, c.Credentials), c.Provider, c.Late))
	}
	var reasons, violations strings.Builder
	for _, c := range calls {
		if c.Reason != "" {
			reasons.WriteString(terminal.Sprintf("%s: %s\n", c.location, c.Reason))
		}
		for _, violation := range c.Violations {
			violations.WriteString(terminal.Sprintf("%s: %s\n", c.location, violation))
		}
	}
	section(&b, "differences of the agent", reasons.String())
	section(&b, "policy violations", violations.String())
	return b.String()
}

func section(b *strings.Builder, name, lines string) {
	if lines != "" {
		b.WriteString("\n" + name + "\n" + lines)
	}
}

// secrecy summarizes the secrets of a call for the column SENSITIVE.
func secrecy(sensitive, arguments bool, credentials int) string {
	text := "no"
	if sensitive {
		text = "yes"
	}
	if arguments {
		text += ", arguments"
	}
	if credentials > 0 {
		text += ", clear credential"
	}
	return text
}
