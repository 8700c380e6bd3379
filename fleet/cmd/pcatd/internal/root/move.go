package root

import (
	"errors"
	"fmt"
	"log/slog"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/fleet/internal/daemon"
	"github.com/pcatdev/pcat/fleet/internal/store"
)

// oneFile wants one argument.
func oneFile(what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) != 1 {
			return errors.New("name one file: " + what)
		}
		return nil
	}
}

func (c *command) export() *cobra.Command {
	return &cobra.Command{
		Use:   "export FILE",
		Short: "Write everything that is stored to a file",
		Long: `Export writes a backup of the fleet, from which "pcatd import" makes it again:
documents (catalogs, reports and facts), past catalogs, findings with the times
at which they were seen, events, acceptances and dead letters. The fleet can go
on, or be stopped.

The file is encrypted with the fleet key, and does not contain it: keep a copy
of the key elsewhere. It replaces an older file when it is complete.`,
		Example: `  pcatd export /srv/backup/fleet.pcatd`,
		Args:    oneFile("the export to write"),
		RunE: func(cmd *cobra.Command, args []string) error {
			sum, err := c.connection.Export(cmd.Context(), args[0], c.log(cmd, slog.LevelWarn))
			if err != nil {
				return err
			}
			if sum.Damaged > 0 {
				cmd.PrintErrf("pcatd: warning: %d stored values are damaged, and not exported\n", sum.Damaged)
			}
			return moved(cmd, "exported", sum)
		},
	}
}

// moved prints the contents of an export.
func moved(cmd *cobra.Command, what string, sum store.Contents) error {
	_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s: %d documents, %d past catalogs, findings of %d nodes, %d events\n", what, sum.Catalogs, sum.Past, sum.Findings, sum.Events)
	return err
}

func (c *command) imports() *cobra.Command {
	var o daemon.ImportOptions
	var size string
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: "Store an export in an empty storage",
		Long: `Import makes a fleet of an export of "pcatd export", in a state folder or a NATS
server. Findings keep the times at which they were seen, and events their
positions. It needs the key of the exported fleet, and no other process of it.

The file is read to its end first: if it is damaged, nothing is changed. If an
import is interrupted, the storage is not used until the import is repeated.`,
		Example: `  pcatd import --state /var/lib/pcatd --key-file fleet.key fleet.pcatd
  pcatd import --nats nats://nats01:4222 --replicas 3 --key-file fleet.key \
    fleet.pcatd`,
		Args: oneFile("the export to read"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if o.Replicas, err = replicas(o.Replicas, c.connection.URL); err != nil {
				return err
			}
			if o.MaxStore, err = storeSize(size); err != nil {
				return err
			}
			o.Log = c.log(cmd, slog.LevelWarn)
			sum, err := c.connection.Import(cmd.Context(), args[0], o)
			if err != nil {
				return err
			}
			return moved(cmd, "imported", sum)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.FormerKey, "former-key", "", "the `FILE` with the key at the time of the export, if it was rotated since")
	limitFlags(f, &size, &o.Replicas)
	return cmd
}

func (c *command) key() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "key",
		Short: "Replace the fleet key, and make keys for readers",
		Long: `The fleet key encrypts everything that is stored. Who has it can read all secrets
of the fleet.`,
		Example: `  pcatd key rotate
  pcatd key reader dashboard.key`,
	}
	cmd.AddCommand(&cobra.Command{
		Use:   "rotate",
		Short: "Encrypt everything with a new key",
		Long: `Rotate replaces the secret in the key file, and encrypts everything that is
stored again. Fingerprints, and the times of findings, remain. Stop all processes
of the fleet before, and copy the new file to the workers afterwards. Keys of
readers must be made again.

If it is interrupted, the fleet can be used, and the next "pcatd key rotate"
continues: the file has both secrets until then.`,
		Example: `  pcatd key rotate --state /var/lib/pcatd`,
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := c.connection.RotateKey(cmd.Context(), c.log(cmd, slog.LevelWarn)); err != nil {
				return err
			}
			_, err := fmt.Fprintln(cmd.OutOrStdout(), "everything is encrypted with the new key")
			return err
		},
	}, &cobra.Command{
		Use:   "reader FILE",
		Short: "Write a key for a reader",
		Long: `Reader writes a key that is derived from the fleet key to a new file. With it as
--key-file, "pcatd report", "findings", "events" and "status" work. It opens
neither catalogs nor secrets, and ends with the next "pcatd key rotate".`,
		Example: `  pcatd key reader dashboard.key
  pcatd findings --key-file dashboard.key`,
		Args: oneFile("the key to write"),
		RunE: func(_ *cobra.Command, args []string) error { return c.connection.CreateReader(args[0]) },
	})
	return cmd
}
