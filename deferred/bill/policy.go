package bill

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// Policy says which calls may be deferred, and how. The zero value has nothing
// against any.
//
// Patterns are names of functions in which * stands for any text, ? for one
// character and [ab] for one of several: `vault_lookup::*`.
type Policy struct {
	// Allow are the patterns of functions that may be deferred; nil allows all.
	// Reading a variable is no function.
	Allow []string
	// MustBeSensitive are the patterns of functions whose results have to be
	// kept secret: see [Entry.Sensitive].
	MustBeSensitive []string
	// NoClearCredentials forbids credentials in clear among the arguments.
	NoClearCredentials bool
	// NoLateBreakage forbids calls that are not made by an agent that resolves
	// late: see [Late].
	NoLateBreakage bool
}

// ParsePolicy reads a policy from data: a hash with the keys `allow` and
// `must_be_sensitive`, lists of patterns, `no_clear_credentials` and
// `no_late_breakage`, true or false. Each may be left out.
func ParsePolicy(data pcore.Value) (*Policy, error) {
	rules, ok := data.(*pcore.Hash)
	if !ok {
		return nil, errors.New("a policy is a map of rules")
	}
	p := new(Policy)
	for k, v := range rules.All() {
		var err error
		switch name, _ := k.(pcore.String); name {
		case "allow":
			p.Allow, err = patterns(v)
		case "must_be_sensitive":
			p.MustBeSensitive, err = patterns(v)
		case "no_clear_credentials":
			p.NoClearCredentials, err = boolean(v)
		case "no_late_breakage":
			p.NoLateBreakage, err = boolean(v)
		default:
			err = errors.New("there is no such rule; use allow, must_be_sensitive, no_clear_credentials and no_late_breakage")
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", k, err)
		}
	}
	return p, nil
}

// patterns returns the list of patterns that v is, never nil.
func patterns(v pcore.Value) ([]string, error) {
	list, ok := v.(*pcore.Array)
	if !ok {
		return nil, errors.New("a list of functions is needed")
	}
	all := make([]string, 0, list.Len())
	for e := range list.Values() {
		text, ok := e.(pcore.String)
		if !ok {
			return nil, fmt.Errorf("the name of a function is a text, not a value of the type %s", e.Kind())
		}
		pattern := function.CanonicalName(string(text))
		if _, err := path.Match(pattern, ""); err != nil {
			return nil, fmt.Errorf("%s: the pattern cannot be read", text)
		}
		all = append(all, pattern)
	}
	return all, nil
}

func boolean(v pcore.Value) (bool, error) {
	b, ok := v.(pcore.Boolean)
	if !ok {
		return false, errors.New("true or false is needed")
	}
	return bool(b), nil
}

// Breaches returns what p has against e, a sentence each; none when e is fine.
func (p *Policy) Breaches(e *Entry) []string {
	var found []string
	isVariable := strings.HasPrefix(e.Function, "$")
	if p.Allow != nil && !isVariable && !matches(p.Allow, e.Function) {
		found = append(found, e.Function+" may not be deferred")
	}
	if !e.Sensitive && matches(p.MustBeSensitive, e.Function) {
		found = append(found, "the result of "+e.Function+" is not kept in a Sensitive")
	}
	if p.NoClearCredentials {
		for _, at := range e.ClearCredentials {
			found = append(found, fmt.Sprintf("argument %s of %s holds a credential in clear", argument(at.Path), e.Function))
		}
	}
	if p.NoLateBreakage && e.Late.Breaks {
		found = append(found, e.Function+" is not called as it should: "+e.Late.Reason)
	}
	return found
}

// argument is the number, from 1, of the innermost argument that a path leads to.
func argument(p pcore.Path) string {
	for _, s := range slices.Backward(p) {
		if s.Kind == pcore.StepArgument {
			return strconv.Itoa(s.Index + 1)
		}
	}
	return "?"
}

func matches(patterns []string, name string) bool {
	name = function.CanonicalName(name)
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		ok, err := path.Match(pattern, name)
		return err == nil && ok
	})
}
