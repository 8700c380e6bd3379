package root

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/catalog/diff"
	"github.com/pcatdev/pcat/catalog/diff/report"
	"github.com/pcatdev/pcat/fleet/internal/daemon"
	"github.com/pcatdev/pcat/fleet/internal/history"
	"github.com/pcatdev/pcat/fleet/internal/listing"
)

// moment parses a time: how long ago it is, or the time itself.
func moment(flag, text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if days, found := strings.CutSuffix(text, "d"); found {
		if n, err := strconv.ParseUint(days, 10, 16); err == nil {
			return now.Add(-time.Duration(n) * 24 * time.Hour), nil
		}
	}
	if d, err := time.ParseDuration(text); err == nil && d >= 0 {
		return now.Add(-d), nil
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil || t.After(now) {
		return t, fmt.Errorf("%s %s: use a duration such as 90m, 24h or 7d, or a past time such as 2026-01-31T08:00:00Z", flag, text)
	}
	return t, nil
}

// oneOf checks the value of a flag.
func oneOf(flag, value string, names []string) error {
	if slices.Contains(names, value) {
		return nil
	}
	return fmt.Errorf("%s %s: use one of %s", flag, value, strings.Join(names, ", "))
}

func (c *command) changes() *cobra.Command {
	since, format := "24h", "text"
	var names []string
	for _, f := range report.Formats() {
		names = append(names, f.Name)
	}
	cmd := &cobra.Command{
		Use:   "changes [--since TIME]",
		Short: "Compare the catalogs with an earlier time",
		Long: `Changes compares the newest catalog of each node with its catalog at an earlier
time, as "pcat diff" does: equal changes of many nodes are one entry, and
secrets are masked. Nodes are named FEED/NODE.

It reads the storage, and needs no coordinator. Superseded catalogs are kept for
the time of "pcatd serve --keep". If a node has new catalogs every few minutes,
one in four hours is kept. The next catalog replaces one that was not kept.

The exit status is 0 if nothing changed, 1 if something did, and 3 if a catalog
cannot be read; the others are compared.`,
		Example: `  pcatd changes --since 2h
  pcatd changes --since 2026-01-31T08:00:00Z --format html > changes.html`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := oneOf("--format", format, names); err != nil {
				return err
			}
			now := time.Now()
			at, err := moment("--since", since, now)
			if err != nil {
				return err
			}
			return c.client(cmd, false, time.Minute, func(ctx context.Context, client *daemon.Client) error {
				if keep, known := client.Keep(ctx); known && now.Sub(at) > keep+time.Minute {
					cmd.PrintErrf("pcatd: warning: superseded catalogs are kept for %s (--keep of pcatd serve): earlier changes are missing\n", keep)
				}
				return compare(ctx, cmd, client, at, format)
			})
		},
	}
	cmd.Flags().StringVar(&since, "since", since, "the `TIME` to compare with: how long ago, such as 90m or 2d, or a time such as 2026-01-31T08:00:00Z")
	cmd.Flags().StringVar(&format, "format", format, "the `FORMAT`: "+strings.Join(names, ", "))
	return cmd
}

func compare(ctx context.Context, cmd *cobra.Command, client *daemon.Client, at time.Time, format string) error {
	r, failures, err := client.Changes(ctx, at, diff.Options{})
	if err != nil {
		return err
	}
	if format == "text" && len(r.Changed)+len(r.Unchanged)+len(r.OnlyOld)+len(r.OnlyNew)+len(failures) == 0 {
		_, err := fmt.Fprintln(cmd.OutOrStdout(), "no catalog changed since", at.Local().Format("2006-01-02 15:04"))
		return err
	}
	if err := report.Write(cmd.OutOrStdout(), format, r, report.Options{Time: time.Now(), Alone: [2]string{"removed", "no earlier catalog"}}); err != nil {
		return err
	}
	for _, err := range failures {
		complain(cmd.ErrOrStderr(), err)
	}
	switch {
	case len(failures) > 0:
		return &exit{status: exitInput}
	case !r.Equal():
		return &exit{status: exitChanges}
	}
	return nil
}

func (c *command) findings() *cobra.Command {
	format, since, older, severity := "text", "", "", rule.Info.String()
	var filter listing.Filter
	cmd := &cobra.Command{
		Use:   "findings",
		Short: "List findings with the times at which they appeared",
		Long: `Findings lists each finding of each node: when it was seen first, when the last
catalog with it arrived, and since when it is gone. A finding is known by its
fingerprint. Findings that are gone are kept for 90 days. Accepted ones are
listed with --accepted. Owners come from "owners" in the file of "pcatd serve
--config". Findings with the same "repair" value in JSON are fixed by the same
change.

"pcatd report" describes each finding in detail, with its remedy.`,
		Example: `  pcatd findings --since 24h --severity high
  pcatd findings --owner '@example/dba' --older-than 30d
  pcatd findings --gone --node 'web*' --format csv > gone.csv`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var err error
			if filter.Severity, err = rule.ParseSeverity(severity); err != nil {
				return fmt.Errorf("--severity %w", err)
			}
			if filter.Since, err = moment("--since", since, time.Now()); err != nil {
				return err
			}
			if filter.Before, err = moment("--older-than", older, time.Now()); err != nil {
				return err
			}
			if filter.Gone && filter.Accepted {
				return errors.New("use either --gone or --accepted")
			}
			if err := errors.Join(filter.Check(), oneOf("--format", format, []string{"text", "json", "csv"})); err != nil {
				return err
			}
			return c.reader(cmd, false, time.Minute, func(ctx context.Context, client *daemon.Client) error {
				list := listing.Findings{Version: release()}
				err := client.Findings(ctx, func(r *history.Record) error {
					list.Add(r, &filter)
					return nil
				})
				if err != nil {
					return err
				}
				return list.Write(cmd.OutOrStdout(), format, time.Local)
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&since, "since", "", "only findings that appeared, or with --gone or --accepted disappeared or were accepted, since `TIME`: how long ago, such as 90m or 2d, or a time such as 2026-01-31T08:00:00Z")
	f.BoolVar(&filter.Gone, "gone", false, "list only the findings that are gone")
	f.BoolVar(&filter.Accepted, "accepted", false, "list only the findings that are accepted")
	f.StringArrayVar(&filter.Nodes, "node", nil, "only findings of the nodes, or FEED/NODE, with a `NAME` such as 'web*'; repeatable")
	f.StringSliceVar(&filter.Owners, "owner", nil, "only findings of these `OWNERS` (* and ? match, ! excludes); none selects findings without an owner")
	f.StringSliceVar(&filter.Rules, "rule", nil, "only findings of these `RULES`: IDs or families, with * and ?; ! excludes")
	f.StringVar(&older, "older-than", "", "only findings first seen before `TIME`: an age such as 7d, or a timestamp")
	f.StringVar(&severity, "severity", severity, "only findings of the severity `NAME` or a higher one: info, low, medium, high, critical")
	f.StringVar(&format, "format", format, "the `FORMAT`: text, json or csv")
	return cmd
}

func (c *command) events() *cobra.Command {
	format, since, follow := "text", "", false
	cmd := &cobra.Command{
		Use:   "events",
		Short: "Print findings as they appear and disappear",
		Long: `Events prints one line for each event. The kinds are

  new       a finding appeared on a node for the first time
  again     a finding that was gone is back, or is no longer accepted
  gone      a finding no longer occurs
  accepted  a finding was accepted: there are no events about it from now on
  failed    a catalog cannot be audited

Events are kept for 30 days. They contain no secrets. With --follow, pcatd waits
for further ones, also while pcatd serve is restarted, and ends when it is
interrupted. A subscriber of NATS gets the same JSON from pcat.event.KIND.`,
		Example: `  pcatd events --since 24h
  pcatd events --follow --format json | while read -r event; do …; done`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			at, err := moment("--since", since, time.Now())
			if err != nil {
				return err
			}
			if err := oneOf("--format", format, []string{"text", "json"}); err != nil {
				return err
			}
			if follow && since == "" {
				at = time.Now()
			}
			return c.reader(cmd, false, time.Minute, func(ctx context.Context, client *daemon.Client) error {
				return client.Events(ctx, at, follow, func(body []byte) error {
					err := listing.Event(cmd.OutOrStdout(), format, body, time.Local)
					if errors.Is(err, listing.ErrEvent) {
						complain(cmd.ErrOrStderr(), err)
						return nil
					}
					return err
				})
			})
		},
	}
	f := cmd.Flags()
	f.BoolVarP(&follow, "follow", "f", false, "wait for further events")
	f.StringVar(&since, "since", "", "only events since `TIME`: how long ago, such as 90m or 2d, or a time such as 2026-01-31T08:00:00Z (default all that are kept, or with --follow none)")
	f.StringVar(&format, "format", format, "the `FORMAT`: text or json")
	return cmd
}
