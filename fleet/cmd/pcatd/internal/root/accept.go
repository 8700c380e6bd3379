package root

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"os/user"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/fleet/internal/coordinate"
	"github.com/pcatdev/pcat/fleet/internal/daemon"
	"github.com/pcatdev/pcat/fleet/internal/decisions"
	"github.com/pcatdev/pcat/fleet/internal/listing"
	"github.com/pcatdev/pcat/internal/auditconfig"
)

func (c *command) accept() *cobra.Command {
	var on decisions.Condition
	var reason, until string
	cmd := &cobra.Command{
		Use:   "accept [FINGERPRINT] --reason REASON [--until DATE]",
		Short: "Accept findings, and list or withdraw acceptances",
		Long: `Accept accepts the findings that match all conditions: a fingerprint, as
"pcatd findings" shows it, or flags. In a condition, * matches any text and ? one
character. Accepted findings are counted in reports, but they are not listed, and
are neither in metrics nor in events. When the last day is over, they are
findings again, with an event.

The acceptance is stored in the fleet, with the user and the time. The files of
"pcatd serve --config" and "--baseline" accept findings, too; "pcatd accept list"
shows all of them, and which ones are unused or expired.`,
		Example: `  pcatd accept 6a0f3be1a4ac992c4fd8c67df2e0256b --reason 'a sample'
  pcatd accept --rule plain-secret-parameter --manifest 'site/legacy/*' \
    --reason 'replaced with the old cluster' --until 2030-12-31
  pcatd accept list
  pcatd accept withdraw k3f9x2aq`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return fmt.Errorf("unexpected %q: see %s --help", args[1], cmd.CommandPath())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				on.Fingerprint = args[0]
			}
			if on == (decisions.Condition{}) {
				return errors.New("give a fingerprint, or a condition such as --rule or --manifest: see pcatd accept --help")
			}
			if strings.TrimSpace(reason) == "" {
				return errors.New("give the reason: --reason REASON")
			}
			var last auditconfig.Date
			if until != "" {
				if err := last.UnmarshalText([]byte(until)); err != nil {
					return fmt.Errorf("--until: %w", err)
				}
			}
			by, err := c.who()
			if err != nil {
				return err
			}
			a := &decisions.Acceptance{Entry: on.Entry(reason, last), By: by}
			return c.client(cmd, false, time.Minute, func(ctx context.Context, client *daemon.Client) error {
				s, err := client.Accept(ctx, a)
				if err != nil {
					return err
				}
				_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n", s.ID, listing.Accepted(s))
				return err
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&on.Rule, "rule", "", "the `RULE`, or its family")
	f.StringVar(&on.Manifest, "manifest", "", "the end of the path of the manifest, a `FILE`; or all of it on the server")
	f.StringVar(&on.Type, "type", "", "the `TYPE` of the resource")
	f.StringVar(&on.Title, "title", "", "the `TITLE` of the resource")
	f.StringVar(&on.Parameter, "parameter", "", "the `NAME` of the parameter")
	f.StringVar(&on.Node, "node", "", "the `NAME` of the node")
	f.StringVar(&on.Catalog, "catalog", "", "the catalog, `FEED/NODE`")
	f.StringVar(&reason, "reason", "", "the `REASON`, which is required")
	f.StringVar(&until, "until", "", "the last `DATE`, such as 2030-12-31 (default no end)")
	cmd.AddCommand(c.accepted(), c.withdraw())
	return cmd
}

func (c *command) accepted() *cobra.Command {
	format := "text"
	var attention bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the acceptances, by whom and why",
		Long: `List shows each acceptance, each entry of the configuration and the baseline, with
the number of findings on all nodes that it matches. The states are active,
unused (it matches no finding, or a part of a baseline does not) and expired.`,
		Example: `  pcatd accept list --attention`,
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := oneOf("--format", format, []string{"text", "json"}); err != nil {
				return err
			}
			return c.client(cmd, false, time.Minute, func(ctx context.Context, client *daemon.Client) error {
				a, err := client.Accepted(ctx)
				if err != nil {
					return err
				}
				for _, w := range a.Warnings {
					cmd.PrintErrf("pcatd: warning: %s\n", w)
				}
				if attention {
					a.States = unusedOf(a)
				}
				return listing.Decisions(cmd.OutOrStdout(), format, release(), a, time.Local)
			})
		},
	}
	cmd.Flags().BoolVar(&attention, "attention", false, "list only unused and expired ones")
	cmd.Flags().StringVar(&format, "format", format, "the `FORMAT`: text or json")
	return cmd
}

// unusedOf returns the decisions that are unused or expired.
func unusedOf(a *coordinate.Accepted) []decisions.State {
	var list []decisions.State
	for _, s := range a.States {
		if s.Use != decisions.Active {
			list = append(list, s)
		}
	}
	return list
}

func (c *command) withdraw() *cobra.Command {
	return &cobra.Command{
		Use:     "withdraw ID...",
		Short:   "Withdraw acceptances: their findings are findings again",
		Example: `  pcatd accept withdraw k3f9x2aq`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("give the IDs of acceptances: pcatd accept list shows them")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, ids []string) error {
			return c.client(cmd, false, time.Minute, func(ctx context.Context, client *daemon.Client) error {
				return client.Withdraw(ctx, ids)
			})
		},
	}
}

// who returns the user of this process and its machine, and the name in the certificate for NATS
// if there is one. Behind sudo, it is the user who called that.
func (c *command) who() (string, error) {
	name := os.Getenv("SUDO_USER")
	if name == "" {
		name = fmt.Sprint("user ", os.Getuid())
		if u, err := user.Current(); err == nil {
			name = u.Username
		}
	}
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	name += "@" + host
	files := c.connection.TLS
	if files.Certificate == "" {
		return name, nil
	}
	pair, err := tls.LoadX509KeyPair(files.Certificate, files.Key)
	if err != nil {
		return "", err
	}
	leaf, err := x509.ParseCertificate(pair.Certificate[0])
	if err != nil {
		return "", err
	}
	return leaf.Subject.CommonName + " (" + name + ")", nil
}
