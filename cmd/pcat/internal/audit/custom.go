package audit

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/config"
	"github.com/pcatdev/pcat/catalog/query"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/language"
	"github.com/pcatdev/pcat/deferred"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/eval"
	"github.com/pcatdev/pcat/pcore/function"
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
	c, err := newCompiler(ctx, opts.Streams)
	if err != nil {
		return nil, err
	}
	set, err := config.NewRuleSet(conditions, c.compile, texts...)
	switch {
	case errors.Is(err, config.ErrRule): // which names the files
		return nil, cli.BadInput("", "", err)
	case err != nil:
		return nil, language.Failure(err)
	}
	return set, nil
}

// placed adds the rules of a file to list; their places name it.
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

// compiler compiles expressions to conditions. They can access only the resource: no files, commands,
// network or log.
type compiler struct {
	env   function.Env
	parse *eval.Evaluator
}

func newCompiler(ctx context.Context, s *cli.IOStreams) (*compiler, error) {
	world, err := (&language.Flags{}).World(ctx, s, &cli.InputFlags{})
	if err != nil {
		return nil, err
	}
	env := world.Env
	env.Functions, env.Allow = world.Finder, deferred.Policy{}.Allow
	env.Log = func(function.Level, string) {}
	return &compiler{env, eval.New(env, nil, eval.Mode{})}, nil
}

func (c *compiler) compile(name, text string) (config.Expression, error) {
	q, err := query.New(c.parse, name, text)
	if err != nil {
		return nil, err
	}
	return &condition{c, q}, nil
}

// condition is an expression about resources.
type condition struct {
	compiler *compiler
	query    *query.Query
}

// workLimit bounds one evaluation, for one resource.
const workLimit = 100_000

// Holds implements [config.Expression]. Each evaluation has a budget of its own, so that the answer
// does not depend on the others.
func (c *condition) Holds(r *audit.Resource) (bool, error) {
	env := c.compiler.env
	env.Budget = function.NewBudget(workLimit)
	v, err := c.query.Subject(context.Background(), eval.New(env, nil, eval.Mode{}), &query.Subject{ // the budget ends it
		Type: r.Type, Title: r.Title, Parameters: r.Parameters, Sensitive: r.Sensitive, Tags: r.Tags,
		File: r.File, Line: r.Line, Exported: r.Exported,
	})
	if err != nil {
		return false, refusal(err)
	}
	holds, isTruth := v.(pcore.Boolean)
	if _, undef := v.(pcore.Undef); !isTruth && !undef {
		return false, errors.New("the result is neither true nor false")
	}
	return bool(holds), nil
}

// refusal returns the reason why an expression failed, without the data that err may quote.
func refusal(err error) error {
	why := "the value has the wrong type for this operation"
	if errors.Is(err, function.ErrBudget) {
		why = function.ErrBudget.Error()
	}
	if at := (*eval.Error)(nil); errors.As(err, &at) {
		return fmt.Errorf("line %d, column %d: %s", at.Line, at.Column, why)
	}
	return errors.New(why)
}
