package root

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/cmd/pcat/internal/affected"
	"github.com/pcatdev/pcat/cmd/pcat/internal/audit"
	"github.com/pcatdev/pcat/cmd/pcat/internal/check"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/compile"
	"github.com/pcatdev/pcat/cmd/pcat/internal/completion"
	"github.com/pcatdev/pcat/cmd/pcat/internal/convert"
	"github.com/pcatdev/pcat/cmd/pcat/internal/deferred"
	"github.com/pcatdev/pcat/cmd/pcat/internal/diff"
	"github.com/pcatdev/pcat/cmd/pcat/internal/eval"
	"github.com/pcatdev/pcat/cmd/pcat/internal/fetch"
	"github.com/pcatdev/pcat/cmd/pcat/internal/get"
	"github.com/pcatdev/pcat/cmd/pcat/internal/graph"
	"github.com/pcatdev/pcat/cmd/pcat/internal/inspect"
	"github.com/pcatdev/pcat/cmd/pcat/internal/list"
	"github.com/pcatdev/pcat/cmd/pcat/internal/lookup"
	"github.com/pcatdev/pcat/cmd/pcat/internal/ls"
	"github.com/pcatdev/pcat/cmd/pcat/internal/man"
	"github.com/pcatdev/pcat/cmd/pcat/internal/query"
	"github.com/pcatdev/pcat/cmd/pcat/internal/redact"
	"github.com/pcatdev/pcat/cmd/pcat/internal/resolve"
	"github.com/pcatdev/pcat/cmd/pcat/internal/schema"
	"github.com/pcatdev/pcat/cmd/pcat/internal/show"
	"github.com/pcatdev/pcat/cmd/pcat/internal/submit"
	"github.com/pcatdev/pcat/cmd/pcat/internal/types"
	"github.com/pcatdev/pcat/cmd/pcat/internal/unseal"
	"github.com/pcatdev/pcat/cmd/pcat/internal/validate"
	"github.com/pcatdev/pcat/cmd/pcat/internal/verify"
	"github.com/pcatdev/pcat/cmd/pcat/internal/version"
)

// The groups of commands: tasks.
const (
	groupLeaks    = "leaks"
	groupShare    = "share"
	groupCompare  = "compare"
	groupLook     = "look"
	groupConvert  = "convert"
	groupServers  = "servers"
	groupLanguage = "language"
	groupAbout    = "about"
)

// groups returns the groups in the order in which help shows them.
func groups() []*cobra.Group {
	return []*cobra.Group{
		{ID: groupLook, Title: "Look at catalogs"},
		{ID: groupCompare, Title: "Compare and check"},
		{ID: groupLeaks, Title: "Find leaked secrets"},
		{ID: groupShare, Title: "Share catalogs without secrets"},
		{ID: groupConvert, Title: "Convert and resolve"},
		{ID: groupServers, Title: "Get catalogs from servers, and send them"},
		{ID: groupLanguage, Title: "The Puppet language"},
		{ID: groupAbout, Title: "About pcat"},
	}
}

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
		{"affected", groupCompare, affected.NewCmd, onFiles},
		{"audit", groupLeaks, audit.NewCmd, onFiles},
		{"check", groupCompare, check.NewCmd, onFiles},
		{"compile", groupServers, compile.NewCmd, onFiles},
		{"convert", groupConvert, convert.NewCmd, onFiles},
		{"deferred", groupLook, deferred.NewCmd, onFiles},
		{"diff", groupCompare, diff.NewCmd, onFiles},
		{"eval", groupLanguage, eval.NewCmd, onFiles},
		{"explain", groupLeaks, audit.NewExplainCmd, onFiles},
		{"fetch", groupServers, fetch.NewCmd, onFiles},
		{"get", groupLook, get.NewCmd, onFiles},
		{"graph", groupLook, graph.NewCmd, onFiles},
		{"inspect", groupLook, inspect.NewCmd, onFiles},
		{"lookup", groupLanguage, lookup.NewCmd, onFiles},
		{"ls", groupLook, ls.NewCmd, onFiles},
		{"query", groupLook, query.NewCmd, onFiles},
		{"redact", groupShare, redact.NewCmd, onFiles},
		{"resolve", groupConvert, resolve.NewCmd, onFiles},
		{"show", groupLook, show.NewCmd, onFiles},
		{"submit", groupServers, submit.NewCmd, onFiles},
		{"type", groupLanguage, types.NewCmd, onFiles},
		{"unseal", groupShare, unseal.NewCmd, onFiles},
		{"validate", groupCompare, validate.NewCmd, onFiles},
		{"verify", groupConvert, verify.NewCmd, onFiles},
		{"why", groupLook, graph.NewWhyCmd, onFiles},

		{"completion", groupAbout, completion.NewCmd, onCommands},
		{"list", groupAbout, list.NewCmd, onFiles},
		{"man", groupAbout, man.NewCmd, onCommands},
		{"schema", groupAbout, schema.NewCmd, onFiles},
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
