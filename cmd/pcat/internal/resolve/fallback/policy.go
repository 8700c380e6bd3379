package fallback

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/deferred"
	"github.com/pcatdev/pcat/internal/glob"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// Action is what happens if a call fails.
type Action uint8

// The actions. Keep uses the answer of the last run, and another action if there is
// none.
const (
	Fail    Action = iota // the call fails
	Skip                  // the resource is skipped, and what depends on it
	Default               // the value of the rule is used
	Keep                  // the answer of the last run is used
)

var actionNames = [...]string{"fail", "skip", "default", "keep"}

// String returns the word of a policy: fail, skip, default or keep.
func (a Action) String() string { return actionNames[a] }

// Rule says how calls are made, and what happens if they fail. Patterns contain `*`
// for any text and `?` for one character; no patterns match everything.
type Rule struct {
	// Functions are patterns of names of functions.
	Functions []string
	// Paths are patterns of the first argument of a call, if it is a text: the
	// path of a secret. Slashes around both do not count.
	Paths []string
	// Resources are patterns of types and references: `File`,
	// `File[/etc/app/*]`.
	Resources []string
	// OnlyTemporary restricts the action to failures that may be gone later: a
	// time-out, or a [function.TemporaryError]. Other calls fail.
	OnlyTemporary bool
	// Timeout is the maximum time of one attempt; 0 means that of the call.
	Timeout time.Duration
	// Retries is the number of further attempts after a temporary failure.
	Retries int
	// OnFailure is the action, and Otherwise the one instead of Keep if there is
	// no answer, or one older than MaxAge. A call that is not allowed fails
	// always.
	OnFailure, Otherwise Action
	// MaxAge is the maximum age of an answer; 0 means [DefaultMaxAge].
	MaxAge time.Duration
	// Default is the value of the action with this name.
	Default pcore.Value
	// Plain leaves the default as it is. Otherwise it becomes Sensitive.
	Plain bool
}

// DefaultMaxAge is the maximum age of an answer of the last run.
const DefaultMaxAge = 24 * time.Hour

// maxRetries bounds [Rule.Retries].
const maxRetries = 100

// Policy is a list of rules. It is immutable.
type Policy struct{ rules []Rule }

// NewPolicy returns a policy of rules. The error names the rule that is invalid.
func NewPolicy(rules []Rule) (*Policy, error) {
	p := &Policy{slices.Clone(rules)}
	for i := range p.rules {
		if err := p.rules[i].check(); err != nil {
			return nil, fmt.Errorf("rule %d: %w", i+1, err)
		}
	}
	return p, nil
}

func (r *Rule) check() error {
	r.Functions, r.Paths, r.Resources = slices.Clone(r.Functions), slices.Clone(r.Paths), slices.Clone(r.Resources)
	for i, pattern := range r.Functions {
		r.Functions[i] = function.CanonicalName(pattern)
	}
	for i, pattern := range r.Paths {
		r.Paths[i] = strings.Trim(pattern, "/")
	}
	switch {
	case r.Timeout < 0 || r.MaxAge < 0:
		return errors.New("a time cannot be negative")
	case r.Retries < 0 || r.Retries > maxRetries:
		return fmt.Errorf("retries: use a number from 0 to %d", maxRetries)
	case r.Otherwise == Keep:
		return errors.New("otherwise: use fail, skip or default")
	case r.Otherwise != Fail && r.OnFailure != Keep:
		return errors.New("otherwise needs on_failure: keep")
	case r.MaxAge > 0 && r.OnFailure != Keep:
		return errors.New("max_age needs on_failure: keep")
	case r.uses(Default) && r.Default == nil:
		return errors.New("the value is missing: use default: VALUE")
	case !r.uses(Default) && r.Default != nil:
		return errors.New("the default is not used; use on_failure: default")
	case r.Plain && !r.uses(Default):
		return errors.New("sensitive is about a default, and there is none")
	}
	if r.MaxAge == 0 {
		r.MaxAge = DefaultMaxAge
	}
	return nil
}

func (r *Rule) uses(a Action) bool {
	return r.OnFailure == a || r.OnFailure == Keep && r.Otherwise == a
}

// Keeps reports whether a rule needs the answers of the last run.
func (p *Policy) Keeps() bool {
	return slices.ContainsFunc(p.rules, func(r Rule) bool { return r.OnFailure == Keep })
}

// rule returns the first rule that matches a call, with its number from 1, or nil.
func (p *Policy) rule(c *deferred.Call) (*Rule, int) {
	for i := range p.rules {
		if p.rules[i].matches(c) {
			return &p.rules[i], i + 1
		}
	}
	return nil, 0
}

func (r *Rule) matches(c *deferred.Call) bool {
	return matches(r.Functions, function.CanonicalName(c.Function)) && (len(r.Paths) == 0 || matches(r.Paths, pathOf(c))) && r.names(c.At.Ref)
}

// names reports whether a rule matches a resource.
func (r *Rule) names(ref catalog.Ref) bool {
	return len(r.Resources) == 0 || slices.ContainsFunc(r.Resources, func(pattern string) bool {
		typ, title, titled := strings.Cut(strings.TrimSuffix(pattern, "]"), "[")
		return glob.Match(strings.ToLower(typ), strings.ToLower(ref.Type)) && (!titled || glob.Match(title, ref.Title))
	})
}

// pathOf returns the first argument of a call without slashes around it, or "" if it is no text.
func pathOf(c *deferred.Call) string {
	if len(c.Arguments) > 0 {
		if text, ok := c.Arguments[0].(pcore.String); ok {
			return strings.Trim(string(text), "/")
		}
	}
	return ""
}

func matches(patterns []string, text string) bool {
	return len(patterns) == 0 || slices.ContainsFunc(patterns, func(pattern string) bool { return glob.Match(pattern, text) })
}
