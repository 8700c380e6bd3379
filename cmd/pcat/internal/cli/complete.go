package cli

import (
	"iter"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// Words completes from words, and from no file names, what is typed for a flag or an argument.
func Words(words iter.Seq[string]) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, begin string) ([]string, cobra.ShellCompDirective) {
		var fit []string
		for word := range words {
			if strings.HasPrefix(word, begin) {
				fit = append(fit, word)
			}
		}
		return fit, cobra.ShellCompDirectiveNoFileComp
	}
}

// CompleteFlag offers words as the values of a flag that cmd has declared, without any the names of
// folders.
func CompleteFlag(cmd *cobra.Command, flag string, words ...string) {
	complete := Words(slices.Values(words))
	if len(words) == 0 {
		complete = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		}
	}
	if err := cmd.RegisterFlagCompletionFunc(flag, complete); err != nil {
		panic(err) //nolint:forbidigo // only a flag that was not declared is refused
	}
}

// Commands are the names of the commands below cmd.
func Commands(cmd *cobra.Command) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, c := range cmd.Commands() {
			if c.IsAvailableCommand() && !yield(c.Name()) {
				return
			}
		}
	}
}
