package cli

import (
	"iter"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Words returns a completion of a flag or an argument with words, without file names.
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

// FilesBesideCommands completes the arguments of a command that accepts files and has
// subcommands; cobra adds the names of the subcommands. A shell completes files only
// without other suggestions, so if the name of a subcommand matches, the files of the
// working directory are suggested too. Otherwise the shell completes files itself, because
// it knows home directories and quotes.
func FilesBesideCommands(cmd *cobra.Command, args []string, begin string) ([]string, cobra.ShellCompDirective) {
	ownFlag := false // cobra suggests no subcommands after one
	cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) { ownFlag = ownFlag || f.Changed })
	commands, _ := Words(Commands(cmd))(cmd, args, begin)
	if len(args) > 0 || ownFlag || len(commands) == 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	entries, err := os.ReadDir(".")
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var files []string
	for _, e := range entries {
		name := e.Name()
		if !strings.HasPrefix(name, begin) || name[0] == '.' || strings.ContainsAny(name, "\t\n") {
			continue // a tab starts a description
		}
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			name += "/"
		}
		files = append(files, name)
	}
	return files, cobra.ShellCompDirectiveNoFileComp
}

// CompleteFlag completes the values of a declared flag of cmd with words, or with
// directories if there are no words.
func CompleteFlag(cmd *cobra.Command, flag string, words ...string) {
	complete := Words(slices.Values(words))
	if len(words) == 0 {
		complete = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		}
	}
	register(cmd, flag, complete)
}

// CompleteFlagWith is [CompleteFlag] with words that are found when they are needed.
func CompleteFlagWith(cmd *cobra.Command, flag string, words iter.Seq[string]) {
	register(cmd, flag, Words(words))
}

func register(cmd *cobra.Command, flag string, complete cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, complete); err != nil {
		panic(err) //nolint:forbidigo // cobra only refuses undeclared flags
	}
}

// Commands returns the names of the subcommands of cmd.
func Commands(cmd *cobra.Command) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, c := range cmd.Commands() {
			if c.IsAvailableCommand() && !yield(c.Name()) {
				return
			}
		}
	}
}
