package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/internal/manual"
)

// GateFlag is the name of the flag of a [Gate].
const GateFlag = "fail-on"

// gateNone is the step of a gate that nothing reaches.
const gateNone = "none"

// Gate is --fail-on: from which step on the exit code is 1. Each command has one ladder of
// steps, and all have none. Declare the flag with AddFlag.
type Gate struct {
	Steps []string // the ladder, from the lowest step
	Noun  string   // for a step, in lower case
	Step  string   // the value of the flag
}

// AddFlag declares the flag with a default. It begins with the meaning of a step: "findings of
// this `SEVERITY` or higher".
func (g *Gate) AddFlag(cmd *cobra.Command, def, meaning string) {
	cmd.Flags().StringVar(&g.Step, GateFlag, def, "exit with 1 for "+meaning+": "+g.Ladder())
	manual.Exits(cmd, ExitFindings)
	CompleteFlag(cmd, GateFlag, append(slices.Clone(g.Steps), gateNone)...)
}

// Ladder returns the steps as text: "low < high; none for never".
func (g *Gate) Ladder() string { return strings.Join(g.Steps, " < ") + "; none for never" }

// Check returns a usage error for an unknown step.
func (g *Gate) Check() error { return g.check(g.Step) }

func (g *Gate) check(step string) error {
	known := append(slices.Clone(g.Steps), gateNone)
	if slices.Contains(known, step) {
		return nil
	}
	return Usage("--%s %s: unknown %s%s\nUse one of %s", GateFlag, step, g.Noun, DidYouMean(step, slices.Values(known)), strings.Join(known, ", "))
}

// Reached reports whether a step is at least that of the flag.
func (g *Gate) Reached(step string) bool {
	from := slices.Index(g.Steps, g.Step)
	return from >= 0 && slices.Index(g.Steps, step) >= from
}
