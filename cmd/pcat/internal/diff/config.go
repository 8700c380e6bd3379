package diff

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/pcatdev/pcat/catalog/diff"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/diff/config"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
	"github.com/pcatdev/pcat/cmd/pcat/internal/language"
	"github.com/pcatdev/pcat/internal/condition"
	"github.com/pcatdev/pcat/pcore/eval"
	"github.com/pcatdev/pcat/sensitive"
)

// options returns the options of the flags and of the configuration. The flags take
// precedence. The rules of the configuration that have expired are an error of their own,
// because the others apply nevertheless.
func (opts *Options) options(ctx context.Context) (o diff.Options, expired, err error) {
	evaluators, err := condition.Evaluators(opts.Strict)
	if err != nil {
		return o, nil, err
	}
	o.Baseline = opts.Against != ""
	o.StrictEnvironment = opts.StrictEnvironment
	key, err := opts.Key.Key(opts.Streams)
	if err != nil {
		return o, nil, err
	}
	if key != nil {
		if o.Digest, err = sensitive.NewDigest(key); err != nil {
			return o, nil, err
		}
	}
	for _, p := range opts.Profiles {
		o.Profiles = append(o.Profiles, diff.Profile(p))
	}
	if o.Only, err = opts.only(evaluators); err != nil {
		return o, nil, err
	}
	for _, at := range opts.Ignore {
		location, err := diff.ParseSelector(at)
		if err != nil {
			return o, nil, cli.Usage("--ignore: %w", err)
		}
		o.Ignore = append(o.Ignore, diff.Rule{Name: at, At: location})
	}
	data, err := opts.Config.Read(config.Find)
	file := opts.Config.File
	if err != nil || file == "" {
		return o, nil, err
	}
	c, err := config.Parse(filepath.Base(file), data, evaluators)
	if errors.Is(err, eval.ErrSyntax) {
		return o, nil, &cli.Error{Code: cli.ExitUsage, File: file, Err: err}
	} else if err != nil {
		return o, nil, cli.BadInput(file, "", err)
	}
	if !opts.profiled && len(c.Profiles) > 0 {
		o.Profiles = c.Profiles
	}
	for _, err := range c.Apply(&o, time.Now()) {
		expired = errors.Join(expired, cli.BadInput(file, "", err))
	}
	return o, expired, nil
}

// only returns the rules that select the changes to report: one for each --only, with the
// other conditions.
func (opts *Options) only(evaluators config.Evaluators) ([]diff.Rule, error) {
	var rest diff.Rule
	var names []string
	for _, kind := range opts.Kinds {
		rest.Kinds = append(rest.Kinds, diff.Kind(kind))
	}
	if len(opts.Kinds) > 0 {
		names = append(names, "--kind "+strings.Join(opts.Kinds, ","))
	}
	if opts.Where != "" {
		where, err := config.NewCondition(evaluators, "--where", opts.Where)
		if err != nil {
			return nil, cli.Usage("%w", language.Explain(err))
		}
		rest.When = where
		names = append(names, "--where "+opts.Where)
	}
	rest.Name = strings.Join(names, " ")
	if len(opts.Only) == 0 {
		if rest.Name == "" {
			return nil, nil
		}
		return []diff.Rule{rest}, nil
	}
	var rules []diff.Rule
	for _, at := range opts.Only {
		r := rest
		var err error
		if r.At, err = diff.ParseSelector(at); err != nil {
			return nil, cli.Usage("--only: %w", err)
		}
		r.Name = strings.TrimSpace("--only " + at + " " + rest.Name)
		rules = append(rules, r)
	}
	return rules, nil
}

// importRules prints the rules of octocatalog-diff as a configuration.
func (opts *Options) importRules(ctx context.Context) error {
	text, err := config.ImportOctocatalog(append(opts.Import, opts.Args...)...)
	if err != nil {
		return cli.Usage("--import-octocatalog: %w", err)
	}
	return opts.Report.Output.Write(ctx, opts.Streams, nil, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// failures reports conditions that failed: as warnings, or with --strict as errors.
func (opts *Options) failures(r *diff.Report) error {
	var errs []error
	for _, u := range r.Rules {
		if u.Failures == 0 {
			continue
		}
		text := fmt.Sprintf("the condition of %s failed for %s; none is left out because of it: %s", u.Rule, document.Counted(u.Failures, "change"), u.Failure)
		if opts.Strict {
			errs = append(errs, cli.BadInput("", "", errors.New(text)))
			continue
		}
		opts.Streams.Log.Warn(text)
	}
	return errors.Join(errs...)
}
