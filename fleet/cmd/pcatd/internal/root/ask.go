package root

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/audit/report"
	"github.com/pcatdev/pcat/fleet/internal/coordinate"
	"github.com/pcatdev/pcat/fleet/internal/daemon"
	"github.com/pcatdev/pcat/fleet/internal/health"
	"github.com/pcatdev/pcat/fleet/internal/listing"
	"github.com/pcatdev/pcat/internal/envelope"
	"github.com/pcatdev/pcat/internal/terminal"
)

func (c *command) ingest() *cobra.Command {
	feed, timeout := "ingest", time.Minute
	cmd := &cobra.Command{
		Use:   "ingest FILE...",
		Short: "Deliver catalogs to a fleet",
		Long: `Ingest makes each file the newest catalog of its node, which is the name of the
catalog, or else of the file. It ends when all are stored; "pcatd status --wait"
waits until they are audited.

A file that is not a catalog, or a broken one, is not delivered, and the exit
status is 3; the others are delivered.`,
		Example: `  pcatd ingest web01.json db01.json`,
		Args: func(_ *cobra.Command, files []string) error {
			if len(files) == 0 {
				return errors.New("name the files to deliver")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, files []string) error {
			return c.client(cmd, false, timeout, func(ctx context.Context, client *daemon.Client) error {
				err := client.Ingest(ctx, feed, files)
				if errors.Is(err, daemon.ErrUnreadable) {
					return &exit{exitInput, err}
				}
				return err
			})
		},
	}
	cmd.Flags().StringVar(&feed, "feed", feed, "the `NAME` of the feed; a node is known by its feed and its name")
	cmd.Flags().DurationVar(&timeout, "timeout", timeout, "the longest `TIME` to wait for room")
	return cmd
}

func (c *command) report() *cobra.Command {
	format, timeout := "text", 5*time.Minute
	var names []string
	for _, f := range report.Formats() {
		names = append(names, f.Name)
	}
	names = append(names, coordinate.Baseline)
	cmd := &cobra.Command{
		Use:   "report",
		Short: "Write the report of the fleet",
		Long: `Report writes the findings in the newest catalogs of all nodes, as "pcat audit"
does. The inputs are named FEED/NODE. If catalogs are not audited yet, a warning
says so.

The format baseline is a file for "pcatd serve --baseline", with the findings
that nothing else accepts, and with the reasons of the present baseline.`,
		Example: `  pcatd report --format html > fleet.html
  pcatd report --format baseline > baseline.jsonl`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := oneOf("--format", format, names); err != nil {
				return err
			}
			return c.reader(cmd, false, timeout, func(ctx context.Context, client *daemon.Client) error {
				status, err := client.Status(ctx)
				if err != nil {
					return err
				}
				text, err := client.Report(ctx, format)
				if err != nil {
					return err
				}
				if !status.Settled {
					cmd.PrintErrf("pcatd: warning: the report is not complete: %d catalogs are not audited yet, or not for all secrets\n", status.Stale)
				}
				_, err = cmd.OutOrStdout().Write(text)
				return err
			})
		},
	}
	cmd.Flags().StringVar(&format, "format", format, "the `FORMAT`: "+strings.Join(names, ", "))
	cmd.Flags().DurationVar(&timeout, "timeout", timeout, "the longest `TIME` to wait for the report")
	return cmd
}

func (c *command) status() *cobra.Command {
	var wait, asJSON bool
	timeout := time.Minute
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show the progress of the audit, and the problems",
		Long: `Status shows the number of nodes, and how many are not audited. The fleet is
settled when its report equals one audit of all newest catalogs.

It also shows each feed and each worker of the processes that answer within half
a second, and the reasons why they are degraded.`,
		Example: `  pcatd status --wait`,
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.reader(cmd, wait, timeout, func(ctx context.Context, client *daemon.Client) error {
				ask := client.Status
				if wait {
					ask = client.Wait
				}
				summary, err := ask(ctx)
				if err != nil {
					return err
				}
				s := &daemon.Status{Summary: summary}
				if s.Processes, err = client.Processes(ctx); err != nil {
					return err
				}
				if asJSON {
					return json.NewEncoder(cmd.OutOrStdout()).Encode(struct {
						envelope.Envelope
						*daemon.Status
					}{listing.Envelope(release(), "1.0"), s})
				}
				return writeStatus(cmd.OutOrStdout(), s)
			})
		},
	}
	cmd.Flags().BoolVar(&wait, "wait", false, "wait until the fleet is settled")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	cmd.Flags().DurationVar(&timeout, "timeout", timeout, "the longest `TIME` to wait for an answer")
	return cmd
}

func writeStatus(out io.Writer, s *daemon.Status) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	state := "settled"
	if !s.Settled {
		state = "working"
	}
	_, _ = fmt.Fprintf(w, "state\t%s\n", state) // Flush returns the error
	for _, name := range slices.Sorted(maps.Keys(s.Units)) {
		_, _ = fmt.Fprintf(w, "nodes of %s\t%d\n", terminal.Line(name), s.Units[name])
	}
	_, _ = fmt.Fprintf(w, "not audited\t%d\ndead letters\t%d\naccepted findings\t%d\nsecrets\t%d, version %d\nstored\t%s of %s\ntasks\t%d waiting, %d in work\n",
		s.Stale, s.Dead, s.Accepted, s.Secrets, s.Knowledge, size(s.Stored), size(s.Limit), s.Waiting, s.Delivered)
	several := len(s.Processes) > 1
	for i := range s.Processes {
		p := &s.Processes[i]
		at := ""
		if several {
			at = " on " + terminal.Line(p.Name)
		}
		for _, f := range p.Feeds {
			_, _ = fmt.Fprintf(w, "feed %s%s\t%s\n", terminal.Line(f.Name), at, terminal.Line(feedLine(&f)))
		}
		if p.Role == "worker" {
			_, _ = fmt.Fprintf(w, "worker%s\t%d tasks done, %d given back\n", at, p.Tasks.Done, p.Tasks.Failed+p.Tasks.Foreign)
		}
	}
	for _, one := range problems(s) {
		_, _ = fmt.Fprintf(w, "degraded\t%s\n", terminal.Line(one))
	}
	return w.Flush()
}

// feedLine returns the state of a feed in words.
func feedLine(f *health.FeedState) string {
	state, last := "ok", "never delivered"
	if len(f.Problems) > 0 {
		state = "degraded"
	}
	if !f.Last.IsZero() {
		last = "last success " + f.Last.Local().Format("2006-01-02 15:04:05")
	}
	return fmt.Sprintf("%s, %s, %d stored, %d errors", state, last, f.Catalogs[health.Stored], f.Errors)
}

// problems returns the problems of the fleet and of its processes, each once.
func problems(s *daemon.Status) []string {
	var list []string
	add := func(problems []health.Problem, at string) {
		for _, one := range problems {
			if text := one.String() + at; !slices.Contains(list, text) {
				list = append(list, text)
			}
		}
	}
	add(s.Problems, "")
	for i := range s.Processes {
		at := ""
		if s.Processes[i].Role == "worker" {
			at = " (" + s.Processes[i].Name + ")"
		}
		add(s.Processes[i].Problems, at)
	}
	return list
}

// size returns a rounded number of bytes.
func size(n int64) string {
	switch {
	case n < 1<<20:
		return fmt.Sprintf("%d KB", (n+1<<10-1)>>10)
	case n < 1<<30:
		return fmt.Sprintf("%d MB", n>>20)
	default:
		return fmt.Sprintf("%.1f GB", float64(n)/(1<<30))
	}
}

func (c *command) dead() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "dead",
		Short: "List and retry catalogs that could not be audited",
		Long: `A catalog becomes a dead letter if its audit fails, or ends the worker, several
times. It is tried again after pauses from a minute to six hours, when it
changes, with another version of pcatd, and after "pcatd dead retry".`,
		Example: `  pcatd dead list
  pcatd dead retry web01.example.com`,
	}
	cmd.AddCommand(&cobra.Command{
		Use:   "list",
		Short: "List the dead letters",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.client(cmd, false, time.Minute, func(ctx context.Context, client *daemon.Client) error {
				list, err := client.DeadLetters(ctx)
				if err != nil {
					return err
				}
				if len(list) == 0 {
					_, err := fmt.Fprintln(cmd.OutOrStdout(), "no dead letters")
					return err
				}
				w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
				_, _ = fmt.Fprintln(w, "NODE\tSINCE\tTRIED AGAIN\tREASON") // Flush returns the error
				day := func(t time.Time) string { return t.Local().Format("2006-01-02 15:04") }
				for _, d := range list {
					_, _ = fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", terminal.Line(d.Feed+"/"+d.Node), day(d.Time), day(d.Retry), terminal.Line(d.Reason)) // as above
				}
				return w.Flush()
			})
		},
	}, &cobra.Command{
		Use:   "retry [NODE...]",
		Short: "Audit dead letters again, of some nodes or all",
		RunE: func(cmd *cobra.Command, nodes []string) error {
			return c.client(cmd, false, time.Minute, func(ctx context.Context, client *daemon.Client) error {
				n, err := client.Retry(ctx, nodes)
				if err != nil {
					return err
				}
				cmd.Printf("%d catalogs are audited again\n", n)
				return nil
			})
		},
	})
	return cmd
}
