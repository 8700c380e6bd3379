package audit

import (
	"errors"
	"os"
	"strings"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
	"github.com/pcatdev/pcat/cmd/pcat/internal/language"
	"github.com/pcatdev/pcat/internal/auditconfig"
	"github.com/pcatdev/pcat/internal/condition"
)

// custom reads the rules of the user: those of the configuration, of the files that it names, and
// of --rules.
func (opts *Options) custom(d *decisions) (*auditconfig.RuleSet, error) {
	rules, err := condition.Read(d.config, d.file, opts.Rules, os.ReadFile)
	if broken, ok := errors.AsType[*condition.FileError](err); ok {
		return nil, cli.BadInput(broken.File, "", broken.Err)
	}
	set, err := rules.Compile(opts.Strict)
	switch {
	case errors.Is(err, auditconfig.ErrRule): // which names the files
		return nil, cli.BadInput("", "", err)
	case err != nil:
		return nil, language.Failure(err)
	}
	return set, nil
}

// ruleFailed begins the message of a note about a condition that fails.
const ruleFailed = "the rule "

// ruleFailures joins the notes about a rule that fails for the same reason in several catalogs,
// so that there is one of each cause. With --strict, they are errors.
func (opts *Options) ruleFailures(found *audit.Report) error {
	first, count := map[string]int{}, map[string]int{}
	var kept []audit.Note
	var errs []error
	for _, n := range found.Notes {
		if strings.HasPrefix(n.Message, ruleFailed) {
			if count[n.Message]++; count[n.Message] > 1 {
				continue
			}
			first[n.Message] = len(kept)
		}
		kept = append(kept, n)
	}
	for message, i := range first {
		if more := count[message] - 1; more > 0 {
			kept[i].Message += "; so it did " + document.Counted(more, "more time")
		}
	}
	for i := range kept {
		if n := &kept[i]; opts.Strict && strings.HasPrefix(n.Message, ruleFailed) {
			errs = append(errs, cli.BadInput(n.Catalog, n.Pointer, errors.New(n.Message)))
		}
	}
	found.Notes = kept
	return errors.Join(errs...)
}
