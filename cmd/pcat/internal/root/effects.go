package root

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/remote"
)

// need is a condition without which a flag has no effect.
type need struct {
	commands []string // none for all
	flags    []string
	met      func(cmd *cobra.Command, args []string) bool
	text     string // after the names of the flags
}

// needs returns the conditions that commands do not check themselves. A flag without an effect
// is an error: a person who gives it expects one.
func needs() []need {
	return []need{
		{nil, []string{"setting"}, hasAddress(""), "needs an address: puppetdb:, puppetserver: or agent:"},
		{nil, remote.CompileFlagNames(), hasAddress("compile:"), "needs an address that begins with compile:"},
		{nil, []string{"api"}, hasAddress("puppetserver:"), "needs an address that begins with puppetserver:"},
		{nil, []string{"show-secrets"}, without("mask"), "and --mask cannot be used together"},
		{[]string{"convert"}, []string{"mask"}, with("ledger"), "needs --ledger, the only output that it masks"},
		{[]string{"convert", "redact", "resolve", "unseal"}, []string{"indent"}, writesJSON, "needs JSON as the output"},
		{[]string{"check"}, []string{"brief"}, reports("text"), "needs --format text"},
		{[]string{"audit"}, []string{"all"}, reports("text"), "needs a report as text"},
		{[]string{"audit"}, []string{cli.GateFlag}, without("update-baseline"), "and --update-baseline cannot be used together: an update accepts all findings"},
		{[]string{"show"}, []string{"all"}, without("json", "jsonl"), "has no effect on JSON, which is never cut"},
		{[]string{"diff"}, []string{"nodes"}, hasAddress(""), "needs an address: puppetdb: or puppetserver:"},
		{[]string{"diff"}, []string{"link", "marker", "max-bytes"}, reports("markdown"), "needs a report as markdown"},
		{[]string{"diff"}, []string{"side-by-side"}, reports("text"), "needs a report as text"},
		{[]string{"diff"}, []string{"unified", "max-lines", "full"}, reports("text", "markdown", "html"), "needs a report as text, markdown or html"},
		{[]string{"diff"}, []string{cli.GateFlag}, without("assert"), "and --assert cannot be used together"},
		{nil, []string{"each"}, without("total"), "and --total cannot be used together"},
		{nil, []string{"json"}, without("jsonl"), "and --jsonl cannot be used together"},
		alone("ls", "count", "prints a number", "json", "jsonl", "long", "order"),
		alone("query", "list-presets", "prints the presets", "expression", "preset", "by", "csv", "table", "count"),
		alone("query", "missing", "prints nodes", "expression", "preset", "preset-file", "by", "csv", "table", "group-by", "raw", "each", "total"),
		alone("query", "group-by", "prints groups of all inputs", "by", "csv", "table", "count", "raw", "each"),
		alone("query", "csv", "prints each resource", "json", "jsonl", "raw", "table", "count", "by", "total"),
		alone("query", "table", "prints rows", "json", "jsonl", "raw", "count", "by"),
		alone("query", "raw", "prints each resource", "json", "jsonl", "count", "by", "total"),
		{[]string{"query"}, []string{"lax"}, without("strict"), "and --strict cannot be used together"},
		{[]string{"ls"}, []string{"strict"}, with("where"), "needs --where"},
		{[]string{"resolve"}, []string{"retries"}, with("plugin"), "needs --plugin"},
	}
}

// alone returns the condition for a flag of a command to be given without others.
func alone(command, flag, does string, others ...string) need {
	return need{[]string{command}, []string{flag}, without(others...), does + "; it cannot be used with --" + strings.Join(others, ", --")}
}

// checkEffects returns a usage error for a flag that was given, but has no effect.
func checkEffects(cmd *cobra.Command, args []string) (err error) {
	for _, n := range needs() {
		if len(n.commands) > 0 && !slices.Contains(n.commands, cmd.Name()) {
			continue
		}
		for _, name := range n.flags {
			if err == nil && changed(cmd, name) && !n.met(cmd, args) {
				err = cli.Usage("--%s %s", name, n.text)
			}
		}
	}
	return err
}

func changed(cmd *cobra.Command, name string) bool {
	f := cmd.Flags().Lookup(name)
	return f != nil && f.Changed && f.Value.String() != "false"
}

// with returns a condition for one of the flags to be given, and without for none of them.
func with(names ...string) func(*cobra.Command, []string) bool {
	return func(cmd *cobra.Command, _ []string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return changed(cmd, name) })
	}
}

func without(names ...string) func(*cobra.Command, []string) bool {
	any := with(names...)
	return func(cmd *cobra.Command, args []string) bool { return !any(cmd, args) }
}

// hasAddress returns a condition for an argument that is an address, or for a list of pairs,
// which may have one.
func hasAddress(prefix string) func(*cobra.Command, []string) bool {
	return func(cmd *cobra.Command, args []string) bool {
		if cmd.Name() == "compile" && len(args) == 0 {
			args = []string{"compile:"} // its default
		}
		for _, name := range []string{"against", "facts", "table"} {
			if f := cmd.Flags().Lookup(name); f != nil {
				args = append(slices.Clone(args), f.Value.String())
			}
		}
		return changed(cmd, "pairs") || changed(cmd, "compile") || changed(cmd, "ref") || slices.ContainsFunc(args, func(arg string) bool {
			return remote.IsAddress(arg) && strings.HasPrefix(arg, prefix)
		})
	}
}

// writesJSON reports whether the output may be JSON.
func writesJSON(cmd *cobra.Command, _ []string) bool {
	to := cmd.Flags().Lookup("to")
	return to == nil || !strings.Contains(to.Value.String(), "msgpack") && !strings.Contains(to.Value.String(), "yaml")
}

// reports returns a condition for a report in one of the forms.
func reports(formats ...string) func(*cobra.Command, []string) bool {
	return func(cmd *cobra.Command, _ []string) bool {
		return slices.ContainsFunc(reportFormats(cmd.Flags()), func(format string) bool { return slices.Contains(formats, format) })
	}
}

// reportFormats returns the formats of the reports that flags ask for, as far as their names or
// extensions say.
func reportFormats(flags *pflag.FlagSet) (formats []string) {
	text := func(name string) string {
		if f := flags.Lookup(name); f != nil {
			return f.Value.String()
		}
		return ""
	}
	ofFile := func(file string) string {
		switch ext := strings.TrimPrefix(filepath.Ext(strings.TrimSuffix(strings.TrimSuffix(file, ".gz"), ".zst")), "."); ext {
		case "md", "markdown":
			return "markdown"
		case "htm":
			return "html"
		case "json", "jsonl", "html", "sarif", "csv", "xml":
			return ext
		default:
			return "text"
		}
	}
	switch {
	case text("json") == "true":
		formats = append(formats, "json")
	case text("format") != "":
		formats = append(formats, text("format"))
	case text("stat") == "true", text("name-only") == "true":
		formats = append(formats, "stat")
	default:
		formats = append(formats, ofFile(text("output")))
	}
	if f := flags.Lookup("report"); f != nil {
		if list, ok := f.Value.(pflag.SliceValue); ok {
			for _, report := range list.GetSlice() {
				format, file, named := strings.Cut(report, "=")
				if !named {
					format = ofFile(file)
				}
				formats = append(formats, format)
			}
		}
	}
	return formats
}
