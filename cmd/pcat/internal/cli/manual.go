package cli

import (
	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/internal/manual"
)

// Describe adds to the manual pages what all commands have in common. root is the root command.
func Describe(root *cobra.Command) {
	manual.Exits(root, ExitDone, ExitUsage, ExitInternal)
	manual.Environment(root,
		manual.Fact{Name: "NO_COLOR", Meaning: "if not empty, no colour with --color auto"},
		manual.Fact{Name: "CLICOLOR_FORCE", Meaning: "if neither empty nor 0, colour with --color auto also without a terminal"},
		manual.Fact{Name: "TERM", Meaning: "if dumb, neither colour nor progress"},
		manual.Fact{Name: "TMPDIR", Meaning: "the directory of temporary files (default /tmp)"},
		manual.Fact{Name: "GOGC", Meaning: "when memory is collected; read by the Go runtime, and replaces the choice of pcat"},
		manual.Fact{Name: "GOMEMLIMIT", Meaning: "the limit of memory; read by the Go runtime, and replaces the choice of pcat"},
	)
}
