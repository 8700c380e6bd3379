// Package list is the command pcat list.
package list

import (
	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/list/formats"
	"github.com/pcatdev/pcat/cmd/pcat/internal/list/functions"
	"github.com/pcatdev/pcat/cmd/pcat/internal/list/rules"
)

// NewCmd returns the command.
func NewCmd(streams *cli.IOStreams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the rules, functions and formats that pcat knows",
		Long: `List the rules of pcat audit, the functions that pcat can call, or the formats
that it reads and writes. With names, explain the rules or functions. To list
the resources of a catalog, use pcat ls.`,
		Example: `  pcat list rules
  pcat list rules secret-in-content
  pcat list functions sprintf
  pcat list formats --jsonl`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return cli.Usage("unknown list %q; use rules, functions or formats, or pcat ls for the resources of a catalog", args[0])
		},
	}
	cmd.AddCommand(rules.NewCmd(streams), functions.NewCmd(streams), formats.NewCmd(streams))
	return cmd
}
