package root

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
)

// maxEdits is how many letters a word may be off and still suggest the right one.
const maxEdits = 2

// usageError makes err an error of the command line that says where to read on.
func usageError(cmd *cobra.Command, err error) error {
	return cli.Usage("%w\nRun '%s --help' for what can be given.", err, cmd.CommandPath())
}

// usageArgs makes what check refuses an error of the command line.
func usageArgs(check cobra.PositionalArgs) cobra.PositionalArgs {
	if check == nil {
		return nil
	}
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return usageError(cmd, err)
		}
		return nil
	}
}

// flagError makes a flag that cannot be parsed an error of the command line, and names the flag
// that was likely meant.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		if near := nearestFlag(cmd, unknown.GetSpecifiedName()); near != "" {
			err = errors.New(err.Error() + didYouMean("--"+near))
		}
	}
	return usageError(cmd, err)
}

// noCommand says that cmd has no command of that name, and which one was likely meant.
func noCommand(cmd *cobra.Command, name string) error {
	text := fmt.Sprintf("there is no command %q", name)
	if near := cmd.SuggestionsFor(name); len(near) > 0 {
		text += didYouMean(near[0])
	}
	return usageError(cmd, errors.New(text))
}

func didYouMean(name string) string { return "; did you mean " + name + "?" }

// nearestFlag is the flag whose name takes the fewest edits, empty when none is near.
func nearestFlag(cmd *cobra.Command, name string) string {
	nearest, fewest := "", maxEdits+1
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden || len(name) <= maxEdits {
			return
		}
		edits := distance(name, f.Name)
		if strings.HasPrefix(f.Name, name) {
			edits = 1
		}
		if edits < fewest {
			nearest, fewest = f.Name, edits
		}
	})
	return nearest
}

// distance is the number of bytes to insert, delete or replace to make b of a.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replace := diagonal
			if a[i] != b[j] {
				replace++
			}
			diagonal = row[j+1]
			row[j+1] = min(replace, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

func allCommands(cmd *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{cmd}
	for _, c := range cmd.Commands() {
		all = append(all, allCommands(c)...)
	}
	return all
}
