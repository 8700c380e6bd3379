package audit

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
)

// ConfigFlags name the decisions of users about findings.
type ConfigFlags struct {
	Config   string // empty: look for it
	NoConfig bool
}

// AddFlags declares the flags.
func (f *ConfigFlags) AddFlags(flags *pflag.FlagSet) {
	flags.StringVar(&f.Config, "config", "", "use `FILE` instead of searching for .pcat-audit.yaml")
	flags.BoolVar(&f.NoConfig, "no-config", false, "ignore .pcat-audit.yaml")
}

// Check refuses what cannot work.
func (f *ConfigFlags) Check() error {
	if f.Config != "" && f.NoConfig {
		return cli.Usage("--config and --no-config cannot be used together")
	}
	return nil
}

// Search finds the secrets that pcat audit finds, for another command.
type Search struct {
	opts      *Options
	decisions *decisions
	auditor   *audit.Auditor
	told      bool
}

// NewSearch returns a Search under the decisions that hold for the sources.
func NewSearch(ctx context.Context, s *cli.IOStreams, flags ConfigFlags, sources []cli.Source) (*Search, error) {
	opts := &Options{Streams: s, Decided: flags}
	key, err := opts.key()
	if err != nil {
		return nil, err
	}
	d, err := opts.decisions(sources, key)
	if err != nil {
		return nil, err
	}
	// What is searched may be made by one Redactor: one at a time.
	auditor, err := opts.auditor(ctx, key, d, audit.Options{Jobs: 1, KeepSecrets: true})
	if err != nil {
		return nil, err
	}
	return &Search{opts, d, auditor, false}, nil
}

// Run audits the inputs and leaves in the report what is a secret in the clear and not allowed by the
// user. What is allowed is told the first time.
func (s *Search) Run(ctx context.Context, inputs []audit.Input) (*audit.Report, error) {
	found, err := s.auditor.Run(ctx, inputs)
	if err != nil {
		return nil, err
	}
	found.Findings = slices.DeleteFunc(found.Findings, func(f audit.Finding) bool {
		return f.Class != rule.Leak || f.Secret == nil
	})
	result := s.decisions.config.Apply(found, time.Now())
	if s.told {
		return found, nil
	}
	s.told = true
	for _, dropped := range result.Dropped {
		explain(s.opts.Streams, found, &dropped.Finding, why(&dropped))
	}
	if n := len(result.Dropped); n > 0 {
		s.opts.Streams.Log.Warn(fmt.Sprintf("%d findings are allowed and not redacted; -v lists them", n), cli.FileKey, s.decisions.file)
	}
	return found, nil
}
