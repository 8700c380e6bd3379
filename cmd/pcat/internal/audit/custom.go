package audit

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/config"
	"github.com/pcatdev/pcat/catalog/query"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
	"github.com/pcatdev/pcat/cmd/pcat/internal/language"
	"github.com/pcatdev/pcat/pcore/eval"
)

// custom reads the rules of the user: those of the configuration, of the files that it names, and
// of --rules.
func (opts *Options) custom(ctx context.Context, d *decisions) (*config.RuleSet, error) {
	files := append([]string(nil), opts.Rules...)
	for _, name := range d.config.RuleFiles {
		if !filepath.IsAbs(name) {
			name = filepath.Join(filepath.Dir(d.file), name)
		}
		files = append(files, name)
	}
	conditions := placed(nil, d.config.Rules, d.file)
	var texts []*config.RuleFile
	for _, name := range files {
		if ext := filepath.Ext(name); ext == ".yaml" || ext == ".yml" {
			c, err := readConfig(name)
			if err != nil {
				return nil, err
			}
			if len(c.Severities)+len(c.Allow)+len(c.RuleFiles)+len(c.Names.Secret)+len(c.Names.Harmless) > 0 {
				return nil, cli.BadInput(name, "", errors.New("a file for --rules can contain only rules; use --config for the other settings"))
			}
			conditions = placed(conditions, c.Rules, name)
			continue
		}
		f, err := readTexts(name)
		if err != nil {
			return nil, err
		}
		texts = append(texts, f)
	}
	evaluators, err := language.Conditions(ctx, opts.Streams, opts.Strict)
	if err != nil {
		return nil, err
	}
	compile := func(name, text string) (config.Expression, error) {
		q, err := query.New(evaluators(), name, text)
		if err != nil {
			return nil, err
		}
		return &condition{evaluators, q}, nil
	}
	set, err := config.NewRuleSet(conditions, compile, texts...)
	switch {
	case errors.Is(err, config.ErrRule): // which names the files
		return nil, cli.BadInput("", "", err)
	case err != nil:
		return nil, language.Failure(err)
	}
	return set, nil
}

// placed adds the rules of a file to list; their locations name it.
func placed(list, rules []config.Condition, file string) []config.Condition {
	for _, c := range rules {
		c.Place += " of " + file
		list = append(list, c)
	}
	return list
}

func readTexts(name string) (*config.RuleFile, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, cli.BadInput(name, "", err)
	}
	f, err := config.ParseTOML(text)
	if err != nil {
		return nil, cli.BadInput(name, "", err)
	}
	f.Name = name
	return f, nil
}

// condition is an expression about resources.
type condition struct {
	evaluators func() *eval.Evaluator
	query      *query.Query
}

// Holds implements [config.Expression].
func (c *condition) Holds(r *audit.Resource) (bool, error) {
	return eval.Condition(c.query.Subject(context.Background(), c.evaluators(), &query.Subject{ // its limit of work ends it
		Type: r.Type, Title: r.Title, Parameters: r.Parameters, Sensitive: r.Sensitive, Tags: r.Tags,
		File: r.File, Line: r.Line, Exported: r.Exported,
	}))
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
			kept[i].Message += "; so it did in " + document.Counted(more, "other catalog")
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
