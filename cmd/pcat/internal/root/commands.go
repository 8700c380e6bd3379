package root

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/cmd/pcat/internal/audit"
	"github.com/pcatdev/pcat/cmd/pcat/internal/check"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/completion"
	"github.com/pcatdev/pcat/cmd/pcat/internal/convert"
	"github.com/pcatdev/pcat/cmd/pcat/internal/deferred"
	"github.com/pcatdev/pcat/cmd/pcat/internal/diff"
	"github.com/pcatdev/pcat/cmd/pcat/internal/eval"
	"github.com/pcatdev/pcat/cmd/pcat/internal/fetch"
	"github.com/pcatdev/pcat/cmd/pcat/internal/formats"
	"github.com/pcatdev/pcat/cmd/pcat/internal/functions"
	"github.com/pcatdev/pcat/cmd/pcat/internal/get"
	"github.com/pcatdev/pcat/cmd/pcat/internal/graph"
	"github.com/pcatdev/pcat/cmd/pcat/internal/inspect"
	"github.com/pcatdev/pcat/cmd/pcat/internal/ls"
	"github.com/pcatdev/pcat/cmd/pcat/internal/man"
	"github.com/pcatdev/pcat/cmd/pcat/internal/query"
	"github.com/pcatdev/pcat/cmd/pcat/internal/redact"
	"github.com/pcatdev/pcat/cmd/pcat/internal/resolve"
	"github.com/pcatdev/pcat/cmd/pcat/internal/rules"
	"github.com/pcatdev/pcat/cmd/pcat/internal/show"
	"github.com/pcatdev/pcat/cmd/pcat/internal/submit"
	"github.com/pcatdev/pcat/cmd/pcat/internal/types"
	"github.com/pcatdev/pcat/cmd/pcat/internal/unseal"
	"github.com/pcatdev/pcat/cmd/pcat/internal/validate"
	"github.com/pcatdev/pcat/cmd/pcat/internal/verify"
	"github.com/pcatdev/pcat/cmd/pcat/internal/version"
)

// The groups of commands, in the order in which help shows them.
const (
	groupWork  = "work"
	groupAbout = "about"
)

// entry is a command that is made when it is needed.
type entry struct {
	name, group string
	make        func(*cli.IOStreams) *cobra.Command
	kind        kind
}

// kind determines the setup that a command needs.
type kind int

const (
	onFiles    kind = iota // needs cleanup of files after a signal
	onCommands             // needs the complete command tree
	brief                  // only prints a line, and needs no signal handling
)

// commands returns all commands except help. Their group determines the section in the help.
func commands() []entry {
	return []entry{
		{"audit", groupWork, audit.NewCmd, onFiles},
		{"check", groupWork, check.NewCmd, onFiles},
		{"convert", groupWork, convert.NewCmd, onFiles},
		{"deferred", groupWork, deferred.NewCmd, onFiles},
		{"diff", groupWork, diff.NewCmd, onFiles},
		{"eval", groupWork, eval.NewCmd, onFiles},
		{"explain", groupWork, audit.NewExplainCmd, onFiles},
		{"fetch", groupWork, fetch.NewCmd, onFiles},
		{"functions", groupWork, functions.NewCmd, onFiles},
		{"get", groupWork, get.NewCmd, onFiles},
		{"graph", groupWork, graph.NewCmd, onFiles},
		{"inspect", groupWork, inspect.NewCmd, onFiles},
		{"ls", groupWork, ls.NewCmd, onFiles},
		{"query", groupWork, query.NewCmd, onFiles},
		{"redact", groupWork, redact.NewCmd, onFiles},
		{"resolve", groupWork, resolve.NewCmd, onFiles},
		{"rules", groupWork, rules.NewCmd, onFiles},
		{"show", groupWork, show.NewCmd, onFiles},
		{"submit", groupWork, submit.NewCmd, onFiles},
		{"type", groupWork, types.NewCmd, onFiles},
		{"unseal", groupWork, unseal.NewCmd, onFiles},
		{"validate", groupWork, validate.NewCmd, onFiles},
		{"verify", groupWork, verify.NewCmd, onFiles},
		{"why", groupWork, graph.NewWhyCmd, onFiles},

		{"completion", groupAbout, completion.NewCmd, onCommands},
		{"formats", groupAbout, formats.NewCmd, onFiles},
		{"man", groupAbout, man.NewCmd, onCommands},
		{"version", groupAbout, version.NewCmd, brief},
	}
}

// needed are the commands that have to be there to do what args say: making all takes
// longer than some take to work. That is the one that args begin with, and all in any other
// case, such as a wrong name, the completion of a word, or flags first.
func needed(args []string) []entry {
	all := commands()
	if i := named(all, args); i >= 0 && all[i].kind != onCommands {
		return all[i : i+1]
	}
	return all
}

// isBrief reports whether args start with a brief command.
func isBrief(args []string) bool {
	all := commands()
	i := named(all, args)
	return i >= 0 && all[i].kind == brief
}

// named returns the index of the command that args start with, or -1.
func named(all []entry, args []string) int {
	return slices.IndexFunc(all, func(e entry) bool { return len(args) > 0 && args[0] == e.name })
}
