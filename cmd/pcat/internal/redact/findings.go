package redact

import (
	"context"

	"github.com/pcatdev/pcat/cmd/pcat/internal/audit"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/redact"
)

// findings is the value of --also.
const findings = "findings"

// checkAlso returns a usage error for invalid flags.
func (opts *Options) checkAlso() error {
	for _, what := range opts.Also {
		if what != findings {
			return cli.Usage("--also: unknown value %q; use %s", what, findings)
		}
	}
	if len(opts.Also) == 0 && (opts.Findings.Config != "" || opts.Findings.NoConfig) {
		return cli.Usage("--config and --no-config need --also %s", findings)
	}
	return opts.Findings.Check()
}

// auditor returns the audit of --also findings, nil when it is not asked for.
func (r *run) auditor(ctx context.Context) (redact.Auditor, error) {
	if len(r.Also) == 0 {
		return nil, nil //nolint:nilnil // nil asks for none
	}
	return audit.NewSearch(ctx, r.Streams, r.Findings, r.sources)
}
