package fallback

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/pcatdev/pcat/pcore"
)

// ParsePolicy parses a policy from a hash with the key `rules`, an array of hashes
// with the keys `function`, `path`, `resource`, `timeout`, `retries`, `failures`,
// `on_failure`, `max_age`, `otherwise`, `default` and `sensitive`. Each is optional,
// and the first three are a pattern or an array of patterns. The default of `retries`
// is 2.
func ParsePolicy(data pcore.Value) (*Policy, error) {
	whole, ok := data.(*pcore.Hash)
	if !ok {
		return nil, errors.New("a policy must be a map with the key rules")
	}
	var list *pcore.Array
	for k, v := range whole.All() {
		if k != pcore.Value(pcore.String("rules")) {
			return nil, fmt.Errorf("unknown key %s; use rules", k)
		}
		if list, ok = v.(*pcore.Array); !ok {
			return nil, errors.New("rules: expected a list of rules")
		}
	}
	if list == nil {
		return nil, errors.New("the key rules is missing")
	}
	rules := make([]Rule, list.Len())
	for i := range rules {
		rules[i].Retries = parsedRetries
	}
	for i, e := range list.All() {
		if err := rules[i].parse(e); err != nil {
			return nil, fmt.Errorf("rule %d: %w", i+1, err)
		}
	}
	return NewPolicy(rules)
}

// parsedRetries are the retries of a rule that does not name them.
const parsedRetries = 2

func (r *Rule) parse(v pcore.Value) error {
	rule, ok := v.(*pcore.Hash)
	if !ok {
		return errors.New("expected a map, such as {function: \"vault_lookup::*\", on_failure: skip}")
	}
	for k, v := range rule.All() {
		key, _ := k.(pcore.String)
		if err := r.set(string(key), v); err != nil {
			return fmt.Errorf("%s: %w", k, err)
		}
	}
	return nil
}

func (r *Rule) set(key string, v pcore.Value) (err error) {
	switch key {
	case "function":
		r.Functions, err = texts(v)
	case "path":
		r.Paths, err = texts(v)
	case "resource":
		r.Resources, err = texts(v)
	case "timeout":
		r.Timeout, err = duration(v)
	case "retries":
		n, ok := v.(pcore.Integer)
		if !ok || n < 0 || n > maxRetries {
			return fmt.Errorf("use a number from 0 to %d", maxRetries)
		}
		r.Retries = int(n)
	case "failures":
		r.OnlyTemporary, err = choice(v, "any", "temporary")
	case "on_failure":
		r.OnFailure, err = action(v, Fail, Skip, Default, Keep)
	case "otherwise":
		r.Otherwise, err = action(v, Fail, Skip, Default)
	case "max_age":
		r.MaxAge, err = duration(v)
	case "default":
		r.Default = v
	case "sensitive":
		sensitive, ok := v.(pcore.Boolean)
		if !ok {
			return errors.New("use true or false")
		}
		r.Plain = !bool(sensitive)
	default:
		return errors.New("unknown key; use function, path, resource, timeout, retries, failures, on_failure, max_age, otherwise, default or sensitive")
	}
	return err
}

// texts returns the texts of a text, or of an array of at least one.
func texts(v pcore.Value) ([]string, error) {
	list, ok := v.(*pcore.Array)
	if !ok {
		list = pcore.NewArray(v)
	}
	var all []string
	for e := range list.Values() {
		text, ok := e.(pcore.String)
		if !ok || text == "" {
			return nil, errors.New("use a text, or a list of texts")
		}
		all = append(all, string(text))
	}
	if all == nil {
		return nil, errors.New("the list is empty; leave out the key to match everything")
	}
	return all, nil
}

// duration returns a time such as 5s, 12h or 7d.
func duration(v pcore.Value) (time.Duration, error) {
	text, ok := v.(pcore.String)
	d, err := time.ParseDuration(string(text))
	if days, isDays := strings.CutSuffix(string(text), "d"); isDays {
		var n uint64
		n, err = strconv.ParseUint(days, 10, 12)
		d = time.Duration(n) * 24 * time.Hour
	}
	if !ok || err != nil || d <= 0 {
		return 0, errors.New("use a time such as 5s, 12h or 7d")
	}
	return d, nil
}

func action(v pcore.Value, allowed ...Action) (Action, error) {
	names := make([]string, len(allowed))
	for i, a := range allowed {
		if v == pcore.Value(pcore.String(a.String())) {
			return a, nil
		}
		names[i] = a.String()
	}
	last := len(names) - 1
	return 0, fmt.Errorf("use %s or %s", strings.Join(names[:last], ", "), names[last])
}

// choice reports whether v is the second of two words.
func choice(v pcore.Value, no, yes string) (bool, error) {
	switch v {
	case pcore.Value(pcore.String(no)):
		return false, nil
	case pcore.Value(pcore.String(yes)):
		return true, nil
	default:
		return false, fmt.Errorf("use %s or %s", no, yes)
	}
}
