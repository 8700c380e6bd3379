package audit

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"log/slog"
	"os"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/internal/auditconfig"
	"github.com/pcatdev/pcat/internal/compress"
)

// checkRules returns a usage error if a pattern of --rule matches no rule, because a
// mistyped one would hide all findings.
func (opts *Options) checkRules(own *auditconfig.RuleSet) error {
	if len(opts.Filter.Rules) == 0 {
		return nil
	}
	rules, err := rule.Default()
	if err != nil {
		return err
	}
	if rules, err = rules.With(own.Rules()...); err != nil {
		return err
	}
	unknown := opts.Filter.UnknownRules(rules)
	if len(unknown) == 0 {
		return nil
	}
	return cli.Usage("--rule %s: no such rule%s (pcat list rules lists them)", unknown[0], cli.DidYouMean(strings.TrimPrefix(unknown[0], "!"), idsOf(rules)))
}

// ruleIDs yields the IDs of the rules of pcat, for completion.
func ruleIDs(yield func(string) bool) {
	if rules, err := rule.Default(); err == nil {
		idsOf(rules)(yield)
	}
}

func idsOf(rules *rule.Registry) iter.Seq[string] {
	return func(yield func(string) bool) {
		for r := range rules.All() {
			if !yield(r.ID) {
				return
			}
		}
	}
}

// checkNodes returns an error if a pattern of --node matches no node, for the same reason.
// It is not certain if a catalog could not be read.
func (opts *Options) checkNodes(found *audit.Report) error {
	unknown := opts.Filter.UnknownNodes(found)
	if len(unknown) == 0 || len(found.Failures) > 0 {
		return nil
	}
	why := fmt.Sprintf("--node %s: none of the %d nodes in the inputs matches%s", unknown[0], len(found.Nodes), cli.DidYouMean(unknown[0], slices.Values(found.Nodes)))
	if len(found.Nodes) == 1 {
		why = fmt.Sprintf("--node %s: the only node in the inputs is %s", unknown[0], found.Nodes[0])
	}
	if found.Check([]byte(why)) != nil {
		why = "--node: a pattern matches no node in the inputs"
	}
	return opts.Read.Files.Nothing("", why)
}

// checkTypes returns an error if a pattern of --type matches the type of no finding, and
// one of them is similar: a mistyped pattern would hide its findings.
func (opts *Options) checkTypes(found *audit.Report) error {
	types := func(yield func(string) bool) {
		for i := range found.Findings {
			if !yield(strings.ToLower(found.Findings[i].Type)) {
				return
			}
		}
	}
	for _, pattern := range opts.Filter.UnknownTypes(found) {
		if similar := cli.DidYouMean(strings.ToLower(pattern), types); similar != "" {
			return cli.Usage("--type %s: no finding is at a resource of this type%s", pattern, similar)
		}
	}
	return nil
}

// filter removes the findings that the flags hide, and logs them.
func (opts *Options) filter(found *audit.Report) {
	removed := opts.Filter.Apply(found)
	for i := range removed {
		logUnreported(opts.Streams, slog.LevelInfo, found, &removed[i], "not reported: hidden by the filters")
	}
}

// earlier reads the file of --since, or returns nil without one.
func (opts *Options) earlier(key []byte) (e *auditconfig.Earlier, err error) {
	if opts.Since == "" {
		return nil, nil
	}
	f, err := os.Open(opts.Since)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, cli.BadInput(opts.Since, "", fmt.Errorf("no such report; write one with --report jsonl=FILE, or begin with an empty file (%w)", fs.ErrNotExist))
	}
	if err != nil {
		return nil, cli.BadInput(opts.Since, "", err)
	}
	defer func() { _ = f.Close() }() // it was only read
	var r io.Reader
	if r, err = compress.NewReader(f); err == nil {
		e, err = auditconfig.ReadEarlier(r, key)
	}
	switch {
	case errors.Is(err, auditconfig.ErrNoKey):
		return nil, &cli.Error{Code: cli.ExitUsage, File: opts.Since, Err: fmt.Errorf("%w: use --key-file or --key-env, or set %s", err, keyEnv)}
	case errors.Is(err, auditconfig.ErrUnkeyed):
		return nil, cli.BadInput(opts.Since, "", fmt.Errorf("%w: remove the key of this run (--key-file, --key-env, %s, or %s beside the baseline), or write a new report with the key", err, keyEnv, keyName))
	case err != nil:
		return nil, cli.BadInput(opts.Since, "", err)
	}
	return e, nil
}

// compare relates the findings to the earlier run, and logs the ones that are gone.
func (d *decisions) compare(opts *Options, found *audit.Report) {
	if d.earlier == nil {
		return
	}
	gone, otherKey := d.earlier.Compare(found, &opts.Filter)
	for i := range gone {
		logUnreported(opts.Streams, slog.LevelInfo, found, &gone[i], "gone since the earlier run")
	}
	if otherKey && found.Keyed {
		opts.Streams.Log.Warn("all findings are new, although some are at the same locations: the earlier report may have been made with another key", cli.FileKey, opts.Since)
	}
}

// warnOfMissing warns of findings that may only be new because the earlier report was cut
// or filtered.
func (d *decisions) warnOfMissing(opts *Options, found *audit.Report) {
	if d.earlier == nil || d.earlier.Missing() == 0 {
		return
	}
	fresh := func(f audit.Finding) bool { return f.State == audit.Fresh }
	if slices.ContainsFunc(found.Findings, fresh) {
		opts.Streams.Log.Warn(notThere(d.earlier.Missing())+" in this report, because it was cut or filtered; they count as new if they still occur", cli.FileKey, opts.Since)
	}
}

func notThere(n int) string {
	if n == 1 {
		return "1 finding is not"
	}
	return findings(n) + " are not"
}
