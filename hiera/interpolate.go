package hiera

import (
	"strings"

	"github.com/pcatdev/pcat/internal/lazyregexp"
	"github.com/pcatdev/pcat/internal/ruby/rubytext"
	"github.com/pcatdev/pcat/pcore"
)

// interpolation is a variable that a configuration depends on.
type interpolation struct {
	name     string // as written
	root     string
	segments []pcore.Value
	value    pcore.Value // nil for none
}

// interpolate returns v with the expressions %{…} in its texts replaced. Methods such as
// lookup('key') are allowed in data, and not in configurations.
func (inv *invocation) interpolate(v pcore.Value, methods bool) (pcore.Value, error) {
	switch v := v.(type) {
	case pcore.String:
		if !strings.Contains(string(v), "%{") {
			return v, nil
		}
		return inv.interpolateText(string(v), methods)
	case *pcore.Array:
		elems := make([]pcore.Value, v.Len())
		for i, e := range v.All() {
			var err error
			if elems[i], err = inv.interpolate(e, methods); err != nil {
				return nil, err
			}
		}
		return pcore.NewArray(elems...), nil
	case *pcore.Hash:
		b := pcore.NewHashBuilder(v.Len())
		for k, e := range v.All() {
			k, err := inv.interpolate(k, methods)
			if err != nil {
				return nil, err
			}
			if e, err = inv.interpolate(e, methods); err != nil {
				return nil, err
			}
			b.Set(k, e)
		}
		return b.Hash(), nil
	default:
		return v, nil
	}
}

var (
	expression = lazyregexp.New(`%\{([^}]*)\}`)
	method     = lazyregexp.New(`(?m)^(\w+)\((?:"([^"]+)"|'([^']+)')\)$`)
)

// maxText is the maximum length of an interpolated text, in bytes.
const maxText = 16 << 20

func (inv *invocation) interpolateText(text string, methods bool) (v pcore.Value, err error) {
	shown := text
	if inv.explain != nil && inv.explain.hidden > 0 {
		shown = pcore.RedactedText
	}
	inv.with(&node{kind: interpolateNode, name: shown}, func() { v, err = inv.interpolated(text, methods) })
	return v, err
}

func (inv *invocation) interpolated(text string, methods bool) (pcore.Value, error) {
	var b strings.Builder
	secret, end := false, 0
	for _, m := range expression.Get().FindAllStringSubmatchIndex(text, -1) {
		b.WriteString(text[end:m[0]])
		end = m[1]
		v, whole, err := inv.expression(text, text[m[0]:m[1]], rubytext.Strip(text[m[2]:m[3]]), methods)
		if err != nil || whole {
			return v, err
		}
		if open := inv.h.bare(v); open != v {
			v, secret = open, true
		}
		b.WriteString(rubytext.Text(v))
		if b.Len() > maxText {
			return nil, lookupErrorf("an interpolated text is longer than %d bytes", maxText)
		}
	}
	b.WriteString(text[end:])
	if err := inv.env.Budget.Spend(b.Len()); err != nil {
		return nil, err
	}
	if secret {
		return inv.h.secret(pcore.String(b.String())), nil
	}
	return pcore.String(b.String()), nil
}

// expression returns the value of an expression. whole reports that it replaces the text, with
// its type.
func (inv *invocation) expression(text, match, expr string, methods bool) (v pcore.Value, whole bool, err error) {
	switch expr {
	case "", "::", `""`, "''", `"::"`, "'::'":
		return pcore.String(""), false, nil
	}
	name, argument := "scope", expr
	if m := method.Get().FindStringSubmatch(expr); m != nil {
		if !methods {
			return nil, false, issuef("Interpolation using method syntax is not allowed in this context")
		}
		name, argument = m[1], m[2]+m[3]
	}
	if name == "alias" && text != match {
		return nil, false, issuef("'alias' interpolation is only permitted if the expression is equal to the entire string")
	}
	checked := argument
	switch name {
	case "lookup", "hiera", "alias":
		v, err = inv.inner(argument)
	case "scope":
		checked = "scope:" + argument
		v, err = inv.scope(argument, text)
	case "literal":
		v = pcore.String(argument)
	default:
		return nil, false, issuef("Unknown interpolation method '%s'", name)
	}
	if err != nil || name == "alias" {
		return v, true, err
	}
	v, err = inv.check(checked, func() (pcore.Value, error) { return inv.interpolate(v, methods) })
	return v, false, err
}

// inner looks up a key for an interpolation. A key without a value is the empty text.
func (inv *invocation) inner(name string) (pcore.Value, error) {
	sub := inv.inside()
	sub.override, sub.defaults = inv.override, inv.defaults
	return sub.find(Query{Keys: []string{name}, Default: pcore.String("")})
}

// scope returns the value of a variable, or a part of it. Undef is the value of one that is
// not set.
func (inv *invocation) scope(name, subject string) (pcore.Value, error) {
	segments, problem := splitKey(name)
	if problem != "" {
		return nil, lookupErrorf("%s in string: %s", problem, subject)
	}
	root := rubytext.Text(segments[0])
	v, err := inv.global(root)
	if err != nil {
		return nil, err
	}
	var value pcore.Value
	if !pcore.Is[pcore.Undef](v) {
		value = v
		if len(segments) > 1 {
			if value, err = inv.sub(name, segments[1:], v); err == errNoKey { //nolint:errorlint // a sentinel that is never wrapped
				value, err = nil, nil
			}
			if err != nil {
				return nil, err
			}
		}
	}
	if inv.collected != nil && (value == nil || !strings.HasPrefix(name, "::")) {
		*inv.collected = append(*inv.collected, interpolation{name, root, segments[1:], value})
	}
	if value == nil {
		return pcore.Undef{}, nil
	}
	return value, nil
}

// global returns the value of a variable: of the overrides, the scope or the defaults.
func (inv *invocation) global(root string) (v pcore.Value, err error) {
	inv.with(&node{kind: scopeNode, name: "Global Scope"}, func() {
		if o, ok := inv.override.GetString(root); ok {
			v = o
			inv.explain.inOverrides(root, v)
			return
		}
		var found bool
		if v, found, err = inv.variable(root); err != nil {
			return
		}
		if found {
			inv.explain.found(root, v)
			return
		}
		if d, ok := inv.defaults.GetString(root); ok {
			v = d
			inv.explain.inDefaults(root, v)
			return
		}
		err = inv.missing(root)
	})
	return v, err
}
