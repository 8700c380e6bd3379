package root

import (
	"errors"
	"fmt"
	"iter"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/remote"
)

// usageError makes err an error of the command line that says where to read on.
func usageError(cmd *cobra.Command, err error) error {
	return cli.Usage("%w\nRun '%s --help' for help.", err, cmd.CommandPath())
}

// usageArgs turns errors of check into usage errors.
func usageArgs(check cobra.PositionalArgs) cobra.PositionalArgs {
	if check == nil {
		return nil
	}
	return func(cmd *cobra.Command, args []string) error {
		if check(cmd, args) != nil {
			return usageError(cmd, wrongArgs(cmd, args))
		}
		return nil
	}
}

// wrongArgs returns an error with the arguments that cmd takes.
func wrongArgs(cmd *cobra.Command, args []string) error {
	switch {
	case !strings.Contains(cmd.Use, " "):
		return fmt.Errorf("%s takes no arguments: unexpected %q", cmd.CommandPath(), args[0])
	case len(args) == 0:
		return fmt.Errorf("missing arguments; usage: %s", cmd.UseLine())
	default:
		return fmt.Errorf("wrong number of arguments (%d); usage: %s", len(args), cmd.UseLine())
	}
}

// flagError makes a flag that cannot be parsed an error of the command line, and names the flag
// that was likely meant.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		if name := unknown.GetSpecifiedName(); len(name) > 1 {
			err = errors.New(err.Error() + cli.DidYouMean("--"+name, flags(cmd)))
		}
	case errors.As(err, &invalid):
		err = wrongValue(invalid)
	}
	return usageError(cmd, err)
}

// wrongValue returns an error with the values that a flag takes. The errors of the
// libraries describe internals.
func wrongValue(err *pflag.InvalidValueError) error {
	flag, value := err.GetFlag(), err.GetValue()
	switch flag.Value.Type() {
	case "int", "count":
		return fmt.Errorf("--%s: %q is not a whole number", flag.Name, value)
	case "bool":
		return fmt.Errorf("--%s: %q is neither true nor false; the flag without a value means true", flag.Name, value)
	case "duration":
		return fmt.Errorf("--%s: %q is not a duration: use a number with its unit, such as 500ms, 30s or 5m", flag.Name, value)
	default:
		return fmt.Errorf("--%s: %w", flag.Name, err.Unwrap())
	}
}

// noCommand returns the error for an unknown command, with a suggestion.
func noCommand(cmd *cobra.Command, name string) error {
	if cmd.HasParent() {
		return usageError(cmd, fmt.Errorf("unknown command %q%s", name, cli.DidYouMean(name, cli.Commands(cmd))))
	}
	hint, isURL := cli.URLHint(name)
	other, known := otherNames()[strings.ToLower(name)]
	_, err := os.Stat(name)
	switch {
	case isURL:
		return usageError(cmd, fmt.Errorf("expected a command before a URL; pcat does not read URLs: %s", hint))
	case known:
		return usageError(cmd, fmt.Errorf("unknown command %q; did you mean %s?", name, other))
	case remote.IsAddress(name) || err == nil:
		return usageError(cmd, fmt.Errorf("unknown command %q; name a command before the input: pcat ls %s", name, name))
	}
	return usageError(cmd, fmt.Errorf("unknown command %q%s", name, cli.DidYouMean(name, cli.Commands(cmd))))
}

// otherNames are the names that commands have in other tools.
func otherNames() map[string]string {
	names := map[string]string{}
	for command, others := range map[string]string{
		"audit":    "scan detect secrets leaks gitleaks",
		"check":    "lint doctor cycles",
		"convert":  "transcode to export",
		"diff":     "compare changes delta",
		"eval":     "repl console run",
		"fetch":    "download pull",
		"get":      "cat jq",
		"graph":    "dot tree deps dependencies",
		"inspect":  "info stat stats summary summarize",
		"list":     "rules functions formats",
		"lookup":   "hiera data",
		"ls":       "dir resources",
		"query":    "grep search find filter select",
		"redact":   "mask anonymize sanitize scrub encrypt",
		"show":     "describe view print dump",
		"submit":   "upload push send",
		"unseal":   "decrypt",
		"validate": "typecheck",
		"verify":   "roundtrip test",
	} {
		for _, other := range strings.Fields(others) {
			names[other] = command
		}
	}
	return names
}

// flags returns the flags of cmd, with their hyphens.
func flags(cmd *cobra.Command) iter.Seq[string] {
	return func(yield func(string) bool) {
		more := true
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			more = more && (f.Hidden || yield("--"+f.Name))
		})
	}
}

func allCommands(cmd *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{cmd}
	for _, c := range cmd.Commands() {
		all = append(all, allCommands(c)...)
	}
	return all
}
