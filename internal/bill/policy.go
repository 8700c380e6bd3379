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

// Policy contains rules for the calls that may be deferred. The zero value
// allows all.
//
// Patterns are function names in which * matches any text, ? one character, and
// [ab] one of several characters: `vault_lookup::*`.
type Policy struct {
	// Allow contains patterns of the functions that may be deferred; nil
	// allows all. Variables are always allowed.
	Allow []string
	// MustBeSensitive contains patterns of the functions whose results must
	// be kept secret; see [Entry.Sensitive].
	MustBeSensitive []string
	// NoClearCredentials forbids plain-text credentials in arguments.
	NoClearCredentials bool
	// NoLateBreakage forbids calls that an agent with late resolution does
	// not make; see [Late].
	NoLateBreakage bool
}

// ParsePolicy parses a policy from a hash with the optional keys `allow` and
// `must_be_sensitive`, lists of patterns, and `no_clear_credentials` and
// `no_late_breakage`, true or false.
func ParsePolicy(data pcore.Value) (*Policy, error) {
	rules, ok := data.(*pcore.Hash)
	if !ok {
		return nil, errors.New("a policy must be a map of rules")
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
			err = errors.New("unknown rule; use allow, must_be_sensitive, no_clear_credentials or no_late_breakage")
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", k, err)
		}
	}
	return p, nil
}

// patterns parses a list of patterns. The result is never nil without an error.
func patterns(v pcore.Value) ([]string, error) {
	list, ok := v.(*pcore.Array)
	if !ok {
		return nil, errors.New("expected a list of functions")
	}
	all := make([]string, 0, list.Len())
	for e := range list.Values() {
		text, ok := e.(pcore.String)
		if !ok {
			return nil, fmt.Errorf("a function name must be a string, not a value of type %s", pcore.KindOf(e))
		}
		pattern := function.CanonicalName(string(text))
		if _, err := path.Match(pattern, ""); err != nil {
			return nil, fmt.Errorf("%s: invalid pattern", text)
		}
		all = append(all, pattern)
	}
	return all, nil
}

func boolean(v pcore.Value) (bool, error) {
	b, ok := v.(pcore.Boolean)
	if !ok {
		return false, errors.New("expected true or false")
	}
	return bool(b), nil
}

// Violations returns one sentence for each rule of p that e violates.
func (p *Policy) Violations(e *Entry) []string {
	var found []string
	isVariable := strings.HasPrefix(e.Function, "$")
	if p.Allow != nil && !isVariable && !matches(p.Allow, e.Function) {
		found = append(found, e.Function+" must not be deferred")
	}
	if !e.Sensitive && matches(p.MustBeSensitive, e.Function) {
		found = append(found, "the result of "+e.Function+" is not Sensitive")
	}
	if p.NoClearCredentials {
		for _, at := range e.ClearCredentials {
			found = append(found, fmt.Sprintf("argument %s of %s contains a plain-text credential", argument(at.Path), e.Function))
		}
	}
	if p.NoLateBreakage && e.Late.Breaks {
		found = append(found, e.Function+" is not called as intended: "+e.Late.Reason)
	}
	return found
}

// argument returns the number, from 1, of the innermost argument in a path.
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
