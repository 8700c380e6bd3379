package auditconfig

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/internal/ruby/toml"
	"github.com/pcatdev/pcat/pcore"
)

// RuleFile is a parsed file of text rules.
type RuleFile struct {
	// Name is the name of the file in errors, or empty to omit it.
	Name string

	rules []*textRule
}

// location returns the location of a line of the file.
func (f *RuleFile) location(line int) string {
	location := fmt.Sprintf("line %d", line)
	if f.Name != "" {
		location += " of " + f.Name
	}
	return location
}

type (
	tomlFile struct {
		Title, Description, MinVersion string
		Extend                         struct {
			UseDefault bool
		}
		Rules      []tomlRule
		Allowlist  *tomlAllowlist
		Allowlists []tomlAllowlist
	}
	tomlRule struct {
		ID, Description, Regex, Path, Remedy string
		SecretGroup                          int
		Entropy                              float64
		Keywords, Tags                       []string
		Severity                             *rule.Severity
		Allowlist                            *tomlAllowlist
		Allowlists                           []tomlAllowlist
	}
	tomlAllowlist struct {
		Description, Condition, RegexTarget             string
		Commits, Paths, Regexes, StopWords, TargetRules []string
	}
)

// ParseTOML parses rules in the format of gitleaks: `[[rules]]` with id, description,
// regex, path, secretGroup, entropy, keywords and allowlists, and `[[allowlists]]` for
// all of them. Rules may also have `severity` and `remedy`. `extend.useDefault` is
// ignored. The error matches [ErrRule] and has the location. Unknown keys are errors,
// because a mistyped rule finds nothing.
func ParseTOML(data []byte) (*RuleFile, error) {
	document, err := toml.Read(strings.TrimPrefix(string(data), "\uFEFF"))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRule, err)
	}
	var parsed tomlFile
	from := filler{document}
	if err := from.fill(reflect.ValueOf(&parsed).Elem(), document.Hash(), nil); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRule, err)
	}
	global, err := allowances(parsed.Allowlist, parsed.Allowlists)
	if err != nil {
		return nil, fmt.Errorf("%w: the global allowlists: %w", ErrRule, err)
	}
	f := &RuleFile{}
	for i, one := range parsed.Rules {
		at := pcore.Path{}.Key("rules").Index(i)
		r, err := one.compile()
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrRule, from.at(at, fmt.Errorf("%q: %w", one.ID, err)))
		}
		r.line = from.Line(at)
		for i := range global {
			if targets := global[i].rules; len(targets) == 0 || slices.Contains(targets, one.ID) {
				r.allow = append(r.allow, global[i].allowance)
			}
		}
		f.rules = append(f.rules, r)
	}
	return f, nil
}

func (one *tomlRule) compile() (*textRule, error) {
	r := &textRule{group: one.SecretGroup, entropy: one.Entropy, keywords: lower(one.Keywords)}
	if !validID.Get().MatchString(one.ID) {
		return nil, errors.New("invalid ID; use letters, digits, '.', '_' and '-'")
	}
	if one.Regex == "" && one.Path == "" {
		return nil, errors.New("the rule has neither regex nor path")
	}
	for _, p := range []struct {
		text string
		into **regexp.Regexp
	}{{one.Regex, &r.regex}, {one.Path, &r.path}} {
		if p.text == "" {
			continue
		}
		var err error
		if *p.into, err = regexp.Compile(p.text); err != nil {
			return nil, err
		}
	}
	if r.group < 0 || r.group > 0 && (r.regex == nil || r.group > r.regex.NumSubexp()) {
		return nil, fmt.Errorf("secretGroup is %d, but the regex has no such group", r.group)
	}
	lists, err := allowances(one.Allowlist, one.Allowlists)
	if err != nil {
		return nil, fmt.Errorf("allowlists: %w", err)
	}
	for _, l := range lists {
		r.allow = append(r.allow, l.allowance)
	}
	r.rule = one.rule()
	return r, nil
}

func (one *tomlRule) rule() rule.Rule {
	r := rule.Rule{ID: ownFamily + "/" + one.ID, Severity: rule.High, Title: one.Description, Remedy: one.Remedy}
	if r.Title == "" {
		r.Title = "Match of the rule " + one.ID
	}
	r.Doc = "A custom rule finds this text, which is not declared Sensitive."
	if r.Remedy == "" {
		r.Remedy = "Wrap the value in `Sensitive(…)`, or let the agent fetch it by a Deferred call from a secret store."
	}
	if one.Severity != nil {
		r.Severity = *one.Severity
	}
	return r
}

// targeted is an allowance for some rules, or for all.
type targeted struct {
	allowance
	rules []string
}

// allowances compiles lists. It ignores commits, because catalogs have none.
func allowances(one *tomlAllowlist, more []tomlAllowlist) ([]targeted, error) {
	if one != nil {
		more = append([]tomlAllowlist{*one}, more...)
	}
	var list []targeted
	for _, a := range more {
		t := targeted{rules: a.TargetRules}
		t.target, t.stopwords = a.RegexTarget, lower(a.StopWords)
		switch strings.ToUpper(a.Condition) {
		case "", "OR", "||":
		case "AND", "&&":
			t.all = true
		default:
			return nil, fmt.Errorf("condition %q: use OR or AND", a.Condition)
		}
		if !slices.Contains([]string{"", "secret", "match", "line"}, a.RegexTarget) {
			return nil, fmt.Errorf("regexTarget %q: use secret, match or line", a.RegexTarget)
		}
		var err error
		if t.paths, err = compileAll(a.Paths); err != nil {
			return nil, fmt.Errorf("paths: %w", err)
		}
		if t.regexes, err = compileAll(a.Regexes); err != nil {
			return nil, fmt.Errorf("regexes: %w", err)
		}
		list = append(list, t)
	}
	return list, nil
}

func compileAll(texts []string) ([]*regexp.Regexp, error) {
	var list []*regexp.Regexp
	for _, text := range texts {
		r, err := regexp.Compile(text)
		if err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, nil
}

func lower(words []string) []string {
	var list []string
	for _, w := range words {
		list = append(list, strings.ToLower(w))
	}
	return list
}
