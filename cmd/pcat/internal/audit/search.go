package audit

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/internal/auditconfig"
	"github.com/pcatdev/pcat/internal/manual"
)

// ConfigFlags select the audit configuration.
type ConfigFlags struct {
	Config   string // empty: look for it
	NoConfig bool
}

// AddFlags declares the flags.
func (f *ConfigFlags) AddFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.Config, "config", "", "use `FILE` instead of searching for .pcat-audit.yaml")
	flags.BoolVar(&f.NoConfig, "no-config", false, "ignore .pcat-audit.yaml")
	manual.Files(cmd, manual.Fact{Name: auditconfig.Name, Meaning: "the configuration of audits, in the directory of an input or the nearest one above; see --config"})
}

// Check returns a usage error if the flags contradict each other.
func (f *ConfigFlags) Check() error {
	if f.Config != "" && f.NoConfig {
		return cli.Usage("--config and --no-config cannot be used together")
	}
	return nil
}

// Search finds the same secrets as pcat audit, for another command.
type Search struct {
	opts      *Options
	decisions *decisions
	auditor   *audit.Auditor // of inputs
	redacted  *audit.Auditor // of redacted documents
	reported  bool
}

// NewSearch returns a Search with the configuration for the sources. Run reads as many
// inputs at a time as jobs says, which is that of [audit.Options].
func NewSearch(ctx context.Context, s *cli.IOStreams, flags ConfigFlags, sources []cli.Source, jobs int) (*Search, error) {
	opts := &Options{Streams: s, Decided: flags}
	key, err := opts.key()
	if err != nil {
		return nil, err
	}
	d, err := opts.decisions(sources, key)
	if err != nil {
		return nil, err
	}
	auditor, err := opts.auditor(ctx, key, d, audit.Options{Jobs: jobs, KeepSecrets: true})
	if err != nil {
		return nil, err
	}
	// A single Redactor produces the redacted documents, so they are audited one at a time.
	redacted, err := opts.auditor(ctx, key, d, audit.Options{Jobs: 1, KeepSecrets: true})
	if err != nil {
		return nil, err
	}
	return &Search{opts, d, auditor, redacted, false}, nil
}

// Run audits the inputs, and returns the findings that the configuration does not allow.
// The first call warns of those that it allows.
func (s *Search) Run(ctx context.Context, inputs []audit.Input) (*audit.Report, error) {
	found, err := s.auditor.Run(ctx, inputs)
	if err != nil {
		return nil, err
	}
	return s.apply(found), nil
}

// RunRedacted is Run for redacted documents.
func (s *Search) RunRedacted(ctx context.Context, inputs []audit.Input) (*audit.Report, error) {
	found, err := s.redacted.RunRedacted(ctx, inputs)
	if err != nil {
		return nil, err
	}
	return s.apply(found), nil
}

// apply removes what the configuration allows.
func (s *Search) apply(found *audit.Report) *audit.Report {
	// The configuration may accept practices, which redacting does not change.
	found.Findings = slices.DeleteFunc(found.Findings, func(f audit.Finding) bool { return f.Secret == nil })
	result := s.decisions.config.Apply(found, time.Now())
	if s.reported {
		return found
	}
	s.reported = true
	for _, dropped := range result.Dropped {
		logUnreported(s.opts.Streams, slog.LevelWarn, found, &dropped.Finding, "not redacted: "+dropReason(&dropped))
	}
	return found
}
