// Package rules is the command pcat list rules.
package rules

import (
	"context"
	"io"
	"iter"
	"slices"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/cmd/pcat/internal/audit"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/internal/manual"
	"github.com/pcatdev/pcat/internal/terminal"
)

// Options are the inputs of one run.
type Options struct {
	Streams *cli.IOStreams
	IDs     []string // of the rules to explain; none to list all
	JSON    cli.JSONFlags
	All     bool     // samples
	Config  string   // a configuration with rules of the user, empty for none
	Rules   []string // files with rules of the user
}

// NewCmd returns the command.
func NewCmd(streams *cli.IOStreams) *cobra.Command {
	opts := &Options{Streams: streams}
	cmd := &cobra.Command{
		Use:   "rules [ID...]",
		Short: "List or explain the rules of pcat audit",
		Long: `List the rules of pcat audit, or explain the given rules: the meaning, the
remedy, wrong and right Puppet code, and samples that are detected and not
detected. The ID of a rule never changes its meaning. A rule of class leak finds
a plain-text secret; one of class policy finds a practice that makes leaks likely.
With --config and --rules, custom rules are included.`,
		Example: `  pcat list rules
  pcat list rules sensitive-reuse-open
  pcat list rules --config .pcat-audit.yaml
  pcat list rules --jsonl | jq -r 'select(.class == "leak").rule'`,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.IDs = args
			return Run(cmd.Context(), opts)
		},
	}
	cmd.ValidArgsFunction = completeIDs
	cmd.Flags().BoolVar(&opts.All, "all", false, "show all samples of the given rules")
	opts.JSON.AddFlags(cmd, streams, "rules with all details")
	cmd.Flags().StringVar(&opts.Config, "config", "", "add the rules of the configuration `FILE` (.pcat-audit.yaml)")
	cmd.Flags().StringArrayVar(&opts.Rules, "rules", nil, "add rules from `FILE`, as in pcat audit")
	manual.Exits(cmd, cli.ExitBadInput)
	return cmd
}

// Run prints the rules.
func Run(ctx context.Context, opts *Options) error {
	registry, err := audit.Rules(ctx, opts.Streams, opts.Config, opts.Rules)
	if err != nil {
		return err
	}
	rules := slices.Collect(registry.All())
	if len(opts.IDs) > 0 {
		if rules, err = named(registry, opts.IDs); err != nil {
			return err
		}
	}
	switch out := opts.Streams.Out; {
	case opts.JSON.Given():
		return writeJSON(out, rules)
	case len(opts.IDs) == 0:
		return writeList(opts.Streams, rules)
	default:
		return writePages(opts.Streams, rules, opts.All)
	}
}

// named returns the rules with the given IDs. The ID of a member selects its family.
func named(registry *rule.Registry, wanted []string) ([]*rule.Rule, error) {
	var list []*rule.Rule
	for _, id := range wanted {
		r, ok := registry.ByID(id)
		if !ok {
			return nil, cli.Usage("unknown rule %q%s\nRun 'pcat list rules' to list all rules.", id, cli.DidYouMean(id, ids(registry)))
		}
		if !slices.Contains(list, r) {
			list = append(list, r)
		}
	}
	return list, nil
}

func completeIDs(cmd *cobra.Command, args []string, begin string) ([]string, cobra.ShellCompDirective) {
	registry, err := rule.Default()
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	return cli.Words(ids(registry))(cmd, args, begin)
}

func ids(registry *rule.Registry) iter.Seq[string] {
	return func(yield func(string) bool) {
		for r := range registry.All() {
			if !yield(r.ID) {
				return
			}
		}
	}
}

func writeList(s *cli.IOStreams, rules []*rule.Rule) error {
	var table cli.Table
	for _, r := range rules {
		table.Add(r.ID, r.Severity.String(), r.Class.String(), r.Title)
	}
	return s.Print(&table)
}

// Rule describes one rule.
type Rule struct {
	ID       string   `json:"rule"`
	Class    string   `json:"class"`
	Severity string   `json:"severity"`
	Title    string   `json:"title"`
	Doc      string   `json:"doc"`
	Remedy   string   `json:"remedy"`
	CWE      int      `json:"cwe,omitempty"`
	Wrong    string   `json:"wrong,omitempty"`
	Right    string   `json:"right,omitempty"`
	Catch    []string `json:"catch"`
	Ignore   []string `json:"ignore"`
}

func writeJSON(w io.Writer, rules []*rule.Rule) error {
	for _, r := range rules {
		err := terminal.Encode(w, Rule{
			ID: r.ID, Class: r.Class.String(), Severity: r.Severity.String(), Title: r.Title, Doc: r.Doc, Remedy: r.Remedy, CWE: r.CWE,
			Wrong: r.Wrong, Right: r.Right,
			Catch: append([]string{}, r.Catch...), Ignore: append([]string{}, r.Ignore...),
		})
		if err != nil {
			return err
		}
	}
	return nil
}
