package manual

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
)

// Fact is an environment variable or a file in the manual page of a command.
type Fact struct{ Name, Meaning string }

// The annotations of a command with its facts.
const (
	environmentKey = "environment"
	filesKey       = "files"
	exitsKey       = "exits"
)

// Environment adds variables that a command reads. The pages of all commands have those of the
// root command, and the page of a command has those of the commands below it.
func Environment(cmd *cobra.Command, variables ...Fact) { addFacts(cmd, environmentKey, variables) }

// Files adds files that a command reads or writes without being asked to. They appear on the same
// pages as the variables of [Environment].
func Files(cmd *cobra.Command, files ...Fact) { addFacts(cmd, filesKey, files) }

// Exits adds exit statuses that a command can end with. Those of the root command apply to all
// commands. If it has none, all pages have all statuses of the program.
func Exits[Code ~int](cmd *cobra.Command, codes ...Code) {
	for _, code := range codes {
		annotate(cmd, exitsKey, strconv.Itoa(int(code)))
	}
}

func addFacts(cmd *cobra.Command, key string, facts []Fact) {
	for _, f := range facts {
		annotate(cmd, key, f.Name+"\t"+f.Meaning)
	}
}

// annotate appends a line to an annotation.
func annotate(cmd *cobra.Command, key, line string) {
	if cmd.Annotations == nil {
		cmd.Annotations = map[string]string{}
	}
	cmd.Annotations[key] += line + "\n"
}

// facts returns the facts of the page of cmd, sorted by name.
func facts(cmd *cobra.Command, key string) []Fact {
	found := map[string]string{}
	add := func(c *cobra.Command) {
		for line := range strings.Lines(c.Annotations[key]) {
			name, meaning, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
			if found[name] == "" {
				found[name] = meaning
			}
		}
	}
	var below func(c *cobra.Command)
	below = func(c *cobra.Command) {
		add(c)
		for _, sub := range c.Commands() {
			below(sub)
		}
	}
	below(cmd)
	add(cmd.Root())
	var all []Fact
	for _, name := range slices.Sorted(maps.Keys(found)) {
		all = append(all, Fact{name, found[name]})
	}
	return all
}

// exits returns the statuses that cmd can end with, with their meanings.
func exits(cmd *cobra.Command, statuses Statuses) []Fact {
	possible := cmd.Root().Annotations[exitsKey]
	everything := possible == "" || !cmd.HasParent()
	possible += cmd.Annotations[exitsKey]
	lines := strings.Fields(possible)
	var all []Fact
	for code, meaning := range statuses {
		if name := strconv.Itoa(code); everything || slices.Contains(lines, name) {
			all = append(all, Fact{name, meaning})
		}
	}
	return all
}
