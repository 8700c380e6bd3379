package redact

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/internal/terminal"
	"github.com/pcatdev/pcat/redact"
)

// check lists the locations that would be redacted. The error has the exit code of findings if
// there are any.
func (r *run) check(ctx context.Context) error {
	o, err := r.options(ctx)
	if err != nil {
		return err
	}
	result, err := redact.Check(ctx, r.open(), o)
	failures := r.failures(ctx, result.Failures)
	if err != nil {
		return errors.Join(append(failures, r.ended(err))...)
	}
	result.Replacements = result.Replacements[:r.written]
	for i, locations := range result.Replacements {
		printed := map[string]bool{} // a report has a resource several times
		for _, p := range locations {
			lines := []string{terminal.Sprintf("%s: %s: %s\n", r.sources[i].Name, p.At, reason(&p))}
			for _, c := range p.Copies {
				lines = append(lines, terminal.Sprintf("  copy of %s%s\n", c.Of, spelled(c.Layers)))
			}
			text := strings.Join(lines, "")
			if printed[text] {
				continue
			}
			printed[text] = true
			if _, err := io.WriteString(r.Streams.Out, text); err != nil {
				return err
			}
		}
	}
	if err := errors.Join(failures...); err != nil {
		return err
	}
	if r.reached(result) {
		return cli.Exit(cli.ExitFindings)
	}
	return nil
}

// spelled says how a copy is spelled, behind the location of its secret.
func spelled(layers []string) string {
	if len(layers) == 0 {
		return ", unchanged"
	}
	inner := slices.Clone(layers)
	slices.Reverse(inner)
	return ", in " + strings.Join(inner, " in ")
}

// The steps of --fail-on.
const (
	anyStep    = "any"
	undeclared = "undeclared"
)

// reached reports whether a location reaches --fail-on.
func (r *run) reached(result *redact.CheckResult) bool {
	if !result.Clean() && r.FailOn.Reached(anyStep) {
		return true
	}
	for _, locations := range result.Replacements {
		for i := range locations {
			if p := &locations[i]; !p.Declared && !p.OnlyNames && r.FailOn.Reached(undeclared) {
				return true
			}
		}
	}
	return false
}

// reason says why a location would be redacted: the rules of its findings, that its secret is
// declared, or that it has a name.
func reason(p *redact.Replacement) string {
	if p.OnlyNames {
		return "name"
	}
	var reasons []string
	if p.Declared {
		reasons = append(reasons, "declared secret")
	}
	for _, f := range p.Findings {
		if !slices.Contains(reasons, f.Rule) {
			reasons = append(reasons, f.Rule)
		}
	}
	if len(reasons) == 0 {
		return "copy of a secret"
	}
	return strings.Join(reasons, ", ")
}
