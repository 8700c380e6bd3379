package auditconfig

import (
	"errors"
	"fmt"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/internal/lazyregexp"
)

// ownFamily is the family of all rules of users.
const ownFamily = "own"

// ErrRule reports an invalid rule.
var ErrRule = errors.New("invalid rule")

// Condition is a rule on resources.
type Condition struct {
	// ID is the name: letters, digits, `.`, `_` and `-`.
	ID string `yaml:"id"`
	// When is an expression of the Puppet language. The rule matches the
	// resources for which it is true.
	When string `yaml:"when"`
	// Parameter is the parameter that findings name, or "" for the resource.
	Parameter string `yaml:"parameter"`
	// Title, Doc and Remedy are texts for users. Title is required.
	Title  string `yaml:"title"`
	Doc    string `yaml:"doc"`
	Remedy string `yaml:"remedy"`
	// Severity defaults to [rule.Info].
	Severity rule.Severity `yaml:"severity"`
	// Location is the location of the rule in errors, or "" if unknown.
	Location string `yaml:"-"`
}

// name returns the name of the rule in errors of its expression.
func (c *Condition) name() string {
	if c.Location == "" {
		return "rule " + c.ID
	}
	return "rule " + c.ID + " (" + c.Location + ")"
}

// Expression is a compiled expression. It must be safe for concurrent use, and
// its result must depend on the resource only.
type Expression interface {
	// Holds reports whether the expression is true for a resource.
	Holds(r *audit.Resource) (bool, error)
}

// Compiler compiles the expression text; name identifies it in errors. The
// Compiler determines the limits of expressions.
type Compiler func(name, text string) (Expression, error)

// RuleSet is a set of rules. It is immutable and safe for concurrent use. The zero value
// is empty.
type RuleSet struct {
	rules      []rule.Rule
	texts      []*textRule
	conditions []condition
}

type condition struct {
	id, parameter string
	expression    Expression
}

// NewRuleSet returns a RuleSet of the conditions and the rules of the files. The error
// matches [ErrRule], or is an error of compile.
func NewRuleSet(conditions []Condition, compile Compiler, files ...*RuleFile) (*RuleSet, error) {
	s := &RuleSet{}
	locations := map[string]string{} // of the rules by ID
	add := func(r rule.Rule, location string) error {
		if first, twice := locations[r.ID]; twice {
			return fmt.Errorf("%w: duplicate rule %q%s", ErrRule, r.ID, both(first, location))
		}
		locations[r.ID] = location
		s.rules = append(s.rules, r)
		return nil
	}
	for _, c := range conditions {
		r, err := c.rule()
		if err == nil {
			err = add(r, c.Location)
		}
		if err != nil {
			return nil, err
		}
		e, err := compile(c.name(), c.When)
		if err != nil {
			return nil, err
		}
		s.conditions = append(s.conditions, condition{r.ID, c.Parameter, e})
	}
	for _, f := range files {
		for _, t := range f.rules {
			if err := add(t.rule, f.location(t.line)); err != nil {
				return nil, err
			}
			s.texts = append(s.texts, t)
		}
	}
	return s, nil
}

// both returns a text with two locations, or "" if one is unknown.
func both(first, second string) string {
	if first == "" || second == "" {
		return ""
	}
	return ": on " + first + " and on " + second
}

var validID = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// Check returns an error that matches [ErrRule] if the rule is incomplete. It
// does not check the expression.
func (c *Condition) Check() error {
	switch {
	case !validID.Get().MatchString(c.ID):
		return fmt.Errorf("%w: %q is not an ID; use letters, digits, '.', '_' and '-'", ErrRule, c.ID)
	case c.When == "":
		return fmt.Errorf("%w: %s has no expression; set `when`", ErrRule, c.ID)
	case c.Title == "":
		return fmt.Errorf("%w: %s has no title; set `title`", ErrRule, c.ID)
	}
	return nil
}

// rule returns the description of the rule, if the rule is complete.
func (c *Condition) rule() (rule.Rule, error) {
	if err := c.Check(); err != nil {
		return rule.Rule{}, err
	}
	r := rule.Rule{ID: ownFamily + "/" + c.ID, Class: rule.Policy, Severity: c.Severity, Title: c.Title, Doc: c.Doc, Remedy: c.Remedy}
	if r.Doc == "" {
		r.Doc = "A custom rule finds resources for which this expression is true: `" + c.When + "`."
	}
	if r.Remedy == "" {
		r.Remedy = "Ask the author of the rule."
	}
	return r, nil
}

// Rules returns the descriptions of the rules.
func (s *RuleSet) Rules() []rule.Rule { return append([]rule.Rule(nil), s.rules...) }

// Resource calls found for each rule that matches a resource, and failed for each rule
// that cannot be evaluated.
func (s *RuleSet) Resource(r *audit.Resource, found func(id, parameter string), failed func(id string, err error)) {
	for _, c := range s.conditions {
		switch holds, err := c.expression.Holds(r); {
		case err != nil:
			failed(c.id, err)
		case holds:
			found(c.id, c.parameter)
		}
	}
}

// Text calls found for each secret in a text.
func (s *RuleSet) Text(t audit.Text, found func(id string, start, end int)) {
	if len(s.texts) == 0 {
		return
	}
	v := view{Text: t}
	for _, r := range s.texts {
		r.find(&v, func(start, end int) { found(r.rule.ID, start, end) })
	}
}
