package audit

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"time"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/internal/auditconfig"
)

// decisions are the configuration and the baseline of a run.
type decisions struct {
	config *auditconfig.Config
	file   string // of config, empty without one
	owners *auditconfig.Owners
	key    []byte
	known  *auditconfig.Baseline // nil without one, and if it cannot be compared
	old    *auditconfig.Baseline // the one that is replaced, nil if there is none
	rekey  error                 // why the baseline that is written anew could not be compared; nil when it could

	earlier *auditconfig.Earlier // nil without --since
}

// decisions reads the configuration and the baseline.
func (opts *Options) decisions(sources []cli.Source, key []byte) (*decisions, error) {
	d := &decisions{config: &auditconfig.Config{}, key: key}
	var err error
	if d.file, err = opts.configFile(sources); err != nil {
		return nil, err
	}
	if d.file != "" {
		if d.config, err = readConfig(d.file); err != nil {
			return nil, err
		}
	}
	if d.owners, err = opts.owners(d); err != nil {
		return nil, err
	}
	if d.earlier, err = opts.earlier(key); err != nil {
		return nil, err
	}
	if opts.Baseline == "" {
		return d, nil
	}
	d.old, err = readBaseline(opts.Baseline, key)
	switch {
	case errors.Is(err, auditconfig.ErrNoKey):
		return nil, keyMissing(opts)
	case opts.UpdateBaseline && errors.Is(err, fs.ErrNotExist):
		return d, nil
	case opts.UpdateBaseline && (errors.Is(err, auditconfig.ErrKey) || errors.Is(err, auditconfig.ErrUnkeyed)):
		d.rekey = err
		return d, nil
	case errors.Is(err, auditconfig.ErrUnkeyed):
		return nil, cli.BadInput(opts.Baseline, "", fmt.Errorf("%w: remove the key (--key-file, --key-env, %s, or %s beside the baseline), or rewrite the baseline with --update-baseline", auditconfig.ErrUnkeyed, keyEnv, keyName))
	}
	d.known = d.old
	return d, err
}

// keyMissing returns the error for a baseline that needs a key. Writing it without a key
// would silently drop its protection, for example when a pipeline lost the key.
func keyMissing(opts *Options) error {
	advice := "use --key-file or --key-env, or set " + keyEnv
	if opts.UpdateBaseline {
		advice += "; to start a baseline without a key, remove the file"
	}
	return &cli.Error{Code: cli.ExitUsage, File: opts.Baseline, Err: fmt.Errorf("%w: %s", auditconfig.ErrNoKey, advice)}
}

// configFile returns the file of --config, or else the configuration found in the
// directories of the inputs and their parents. It is empty if there is none.
func (opts *Options) configFile(sources []cli.Source) (string, error) {
	if opts.Decided.Config != "" || opts.Decided.NoConfig {
		return opts.Decided.Config, nil
	}
	looked := map[string]bool{}
	found := ""
	for _, src := range sources {
		dir := src.Dir()
		if looked[dir] {
			continue
		}
		looked[dir] = true
		file, err := auditconfig.Find(dir)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return "", cli.BadInput(dir, "", err)
		case found != "" && file != found:
			return "", cli.Usage("the inputs have two configurations, %s and %s: choose one with --config", found, file)
		default:
			found = file
		}
	}
	return found, nil
}

func readConfig(file string) (*auditconfig.Config, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, cli.BadInput(file, "", err)
	}
	c, err := auditconfig.Parse(text)
	if err != nil {
		return nil, cli.BadInput(file, "", err)
	}
	return c, nil
}

func readBaseline(file string, key []byte) (*auditconfig.Baseline, error) {
	text, err := os.ReadFile(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, cli.BadInput(file, "", fmt.Errorf("no such baseline; create it with --update-baseline (%w)", fs.ErrNotExist))
	case err != nil:
		return nil, cli.BadInput(file, "", err)
	}
	b, err := auditconfig.ReadBaseline(bytes.NewReader(text), key)
	if err != nil {
		return b, cli.BadInput(file, "", err)
	}
	return b, nil
}

// apply leaves in the report what the user wants to be told about, and says why the rest is not.
func (d *decisions) apply(ctx context.Context, opts *Options, found *audit.Report) error {
	s := opts.Streams
	d.owners.Assign(found, opts.Location.Locator(s, &opts.Read, false))
	if err := opts.checkOwners(d.owners); err != nil {
		return err
	}
	d.compare(opts, found)
	result := d.config.Apply(found, time.Now())
	for _, dropped := range result.Dropped {
		logUnreported(s, slog.LevelInfo, found, &dropped.Finding, "not reported: "+dropReason(&dropped))
	}
	for _, w := range result.Warnings {
		s.Log.Warn(w, cli.FileKey, d.file)
	}
	if file := cmp.Or(opts.Baseline, opts.Since); file != "" && !found.Keyed {
		s.Log.Warn(`without a key, a new secret at a known location stays hidden: generate a key with "pcat audit keygen" and pass it with --key-file or in `+keyEnv, cli.FileKey, file)
	}
	if opts.UpdateBaseline {
		return d.update(ctx, opts, found)
	}
	if d.known != nil {
		known, gone := d.known.Apply(found)
		for i := range known {
			logUnreported(s, slog.LevelInfo, found, &known[i], knownReason(d.known, known[i].Fingerprint))
		}
		if gone > 0 && len(found.Failures) == 0 {
			s.Log.Info(fmt.Sprintf("%d findings no longer occur: --update-baseline removes them", gone), cli.FileKey, opts.Baseline)
		}
	}
	opts.filter(found)
	if found.Limit(opts.MaxFindings); found.Omitted > 0 {
		s.Log.Warn(fmt.Sprintf("%d findings are not shown: --max-findings limits the report to the %d most severe", found.Omitted, opts.MaxFindings))
	}
	d.warnOfMissing(opts, found)
	return nil
}

// dropReason says why a finding is left out.
func dropReason(d *auditconfig.Dropped) string {
	if e := d.Entry; e != nil {
		return fmt.Sprintf("allowed by line %d: %s", e.Line, e.Reason)
	}
	return "the rule is off"
}

// knownReason says that a finding is in the baseline, and why, if a reason was added to it.
func knownReason(b *auditconfig.Baseline, fingerprint string) string {
	if reason := b.Reason(fingerprint); reason != "" {
		return "not reported: in the baseline: " + reason
	}
	return "not reported: in the baseline"
}

// update writes the baseline, unless an input could not be read: its findings would be missing.
func (d *decisions) update(ctx context.Context, opts *Options, found *audit.Report) error {
	if len(found.Failures) > 0 {
		opts.Streams.Log.Warn("not updated: some inputs could not be read", cli.FileKey, opts.Baseline)
		return nil
	}
	switch {
	case errors.Is(d.rekey, auditconfig.ErrUnkeyed):
		opts.Streams.Log.Warn("the baseline was made without a key; rewriting it with the key", cli.FileKey, opts.Baseline)
	case d.rekey != nil:
		opts.Streams.Log.Warn("the baseline was made with another key; rewriting it", cli.FileKey, opts.Baseline)
	}
	b := auditconfig.NewBaseline(found)
	added, gone := b.Len(), 0
	if d.old != nil {
		added, gone = b.Replace(d.old)
	}
	out := cli.OutputFlags{File: opts.Baseline}
	err := out.Write(ctx, opts.Streams, nil, func(w io.Writer) error { return b.Write(w, d.key) })
	switch {
	case errors.Is(err, auditconfig.ErrReason):
		return cli.BadInput(opts.Baseline, "", err)
	case errors.Is(err, audit.ErrSecret):
		return &cli.Error{Code: cli.ExitInternal, File: opts.Baseline, Err: audit.ErrSecret}
	case err != nil:
		return err
	}
	opts.Streams.Notice(fmt.Sprintf("%d written (%d new, %d gone)", b.Len(), added, gone), slog.String(cli.FileKey, opts.Baseline))
	found.Accepted += len(found.Findings)
	found.Findings = nil
	return nil
}

// logUnreported logs why a finding is not reported. Known secrets are masked in its
// location. A location that still looks like a secret, because it is only part of a text,
// is replaced by the rule.
func logUnreported(s *cli.IOStreams, level slog.Level, found *audit.Report, f *audit.Finding, why string) {
	location := f.Location()
	if found.Check([]byte(f.Catalog+": "+location+": "+why)) != nil {
		location = f.Rule
	}
	if found.Check([]byte(f.Catalog+": "+location+": "+why)) != nil {
		why = "accepted, for a reason that contains a secret"
	}
	s.Log.Log(context.Background(), level, why, cli.FileKey, f.Catalog, cli.LocationKey, location, "rule", f.Rule, "fingerprint", f.Fingerprint)
}
