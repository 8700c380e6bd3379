package audit

import (
	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
)

func newInitCmd(streams *cli.IOStreams) *cobra.Command {
	return &cobra.Command{Use: "init"}
}
