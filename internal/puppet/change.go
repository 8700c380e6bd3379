package puppet

import (
	"slices"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
)

// Change is a property that Puppet would set on the node.
type Change struct {
	// Property is its name, and Parameter is the parameter that has the value: ensure of a File can
	// have the target of a link.
	Property, Parameter string
	// Effect names the event, such as "write-file", and Rank is how grave it is: "info",
	// "write", "restart" or "danger".
	Effect, Rank string
	// Probably indicates that the node has the value already, unless it is unusual: the number of
	// root is 0, and a file that Puppet creates has the mode 0644.
	Probably bool
	// Fails indicates that Puppet cannot make the change. It skips all that comes after the resource.
	Fails bool
	// From and To are the old and the new value as text, or "". They can be secrets.
	From, To string
}

// Reason says why Puppet does nothing about a change that it probably need not make, or why it fails.
func (c Change) Reason() string {
	switch {
	case c.Fails && c.Property == "ensure":
		return "Puppet does not replace a directory without force"
	case c.Fails:
		return "Puppet refuses this mode"
	case c.Property == "links":
		return "it only matters for links"
	default:
		return "probably the same on the node"
	}
}

// Changes returns the properties that Puppet would set on a node that has the state of the old
// version of a resource, to reach that of the new one.
func Changes(old, new *catalog.Resource) []Change {
	o, n := stateOf(old), stateOf(new)
	was, is := o.ensure(), n.ensure()
	if IsGone(is) || IsGone(was) {
		if p := n.find("ensure"); p != nil && is != "" {
			return n.appendChange(nil, p, o, compareEnsure(n, was, is))
		}
		return nil
	}
	var all []Change
	rows := n.rows()
	if n.keepsFolder(was) {
		p := n.find("ensure")
		return n.appendChange(nil, p, o, refused)
	}
	for i := range rows {
		p := &rows[i]
		value, before := n.Values(p.name), o.Values(p.name)
		if p.name == "ensure" {
			if is != "" {
				all = n.appendChange(all, p, o, compareEnsure(n, was, is))
			}
			continue
		}
		switch {
		case value == nil && before != nil && n.resets[p.name] && !IsGone(text(before)):
			all = n.appendChange(all, p, o, different)
		case value == nil || !n.matters(p):
		case before == nil:
			all = n.appendChange(all, p, o, n.isUsual(p, o))
		case n.keeps(p):
		case p.reading.kind == "mode":
			all = n.appendChange(all, p, o, compareModes(text(before), text(value), is == folder))
		default:
			all = n.appendChange(all, p, o, p.compare(before, value, n.Values))
		}
	}
	return all
}

// compareModes compares permissions of a file.
func compareModes(old, new string, directory bool) likeness {
	const unknown = 0o644
	was, ok := ApplyMode(unknown, old, directory)
	is, also := ApplyMode(was, new, directory)
	switch {
	case !also:
		return refused
	case !ok || was != is:
		return different
	case strings.Trim(old, "01234567") == "", isWhole(old):
		return same
	default:
		return probable
	}
}

// isWhole reports whether a mode says all permissions of everyone.
func isWhole(mode string) bool {
	a, _ := ApplyMode(0, mode, false)
	b, ok := ApplyMode(0o777, mode, false)
	return ok && a == b
}

// compareEnsure compares states of a resource: new is satisfied by several others.
func compareEnsure(s state, old, new string) likeness {
	if p := s.find("ensure"); p != nil {
		old, new = p.reading.munge(old), p.reading.munge(new)
	}
	switch {
	case old == new:
		return same
	case s.isFile() && s.keeps(s.find("ensure")) && !IsGone(old) && old != "":
		return same
	case IsGone(old) && new == absent:
		return same
	case IsGone(old) || IsGone(new) || old == "disabled":
		return different
	case s.Name == "File" && new == present && old != "":
		return same
	case s.Name == "File" && new == file && old == present:
		return probable
	case s.Name == "Mount" && old == "defined" && new == "unmounted":
		return probable
	case s.Name == "Package" && new == present, s.Name == "Mount" && new == "defined" && old != "":
		return same
	default:
		return different
	}
}

// appendChange appends the change of a property, unless the values are the same.
func (s state) appendChange(all []Change, p *property, old state, l likeness) []Change {
	if l == same {
		return all
	}
	c := Change{Property: p.name, Parameter: p.name, Probably: l == probable, Fails: l == refused, From: old.text(p.name), To: s.text(p.name)}
	switch {
	case p.name == "ensure":
		c.From, c.To = old.ensure(), s.ensure()
	case p.name == "target" && !slices.Contains(s.names, p.name):
		c.Parameter = "ensure"
	}
	e := p.effect(p.reading.munge(c.To))
	c.Rank, c.Effect = e.rank, e.effect
	switch p.reading.kind {
	case "mode":
		if opens(c.From, c.To) {
			c.Rank = danger
		}
	case "form":
		if c.From != "" && c.From != present && !IsGone(c.From) && !IsGone(c.To) && c.To != present {
			c.Rank, c.Effect = danger, "replace-file"
		}
	case "version":
		c.rateVersion()
	}
	if c.Effect == "" {
		c.Rank, c.Effect = write, s.change(p, c.To)
	}
	return append(all, c)
}

// change returns the name of the effect of a change of a property for which the table has none.
func (s state) change(p *property, to string) string {
	verb := "change-"
	if p.name == "ensure" {
		verb = "create-"
		if IsGone(to) {
			verb = "remove-"
		}
	}
	return verb + strings.ToLower(s.Name)
}

const (
	write  = "write"
	danger = "danger"
)

// effect returns the effect of a change to a value.
func (p *property) effect(value string) outcome {
	for _, o := range p.effects {
		if o.value == "" || o.value == value {
			return o
		}
	}
	return outcome{rank: write}
}

// opens reports whether a mode lets everyone write a file, or runs it as its owner or its
// group, and the old one does not.
func opens(old, new string) bool {
	const bits = 0o6002
	was, _ := ApplyMode(0o644, old, false)
	is, ok := ApplyMode(was, new, false)
	return ok && is&bits&^was != 0
}

// Creation returns the properties that Puppet would set for a resource that no catalog had
// before. They are not certain: the node can have them already.
func Creation(r *catalog.Resource) []Change {
	s := stateOf(r)
	nothing := state{Type: s.Type, Values: func(string) pcore.Value { return nil }}
	nothing.Type = &Type{Name: s.Name, properties: s.properties}
	var all []Change
	unknown := s.properties == nil && !s.Traceless
	p := s.find("ensure")
	if p == nil && unknown {
		p = &property{name: "ensure"} // perhaps it has one
	}
	if e := s.ensure(); p != nil && (e != "" || unknown) {
		all = s.appendChange(all, p, nothing, different)
		if s.Name != "Service" {
			return all
		}
	}
	rows := s.rows()
	for i := range rows {
		if p := &rows[i]; p.name != "ensure" && s.Values(p.name) != nil && s.matters(p) {
			all = s.appendChange(all, p, nothing, different)
		}
	}
	return all
}

// IsAlike reports whether a parameter means the same in two versions of a resource, although it is
// spelled in another way, or is the value that Puppet assumes without it. The change of a property must not
// be one of [Changes].
func IsAlike(typ, parameter string, old, new *catalog.Resource) bool {
	if !IsCore(typ) {
		return false
	}
	if IsGone(stateOf(new).ensure()) {
		return false // it does not matter, which is something else
	}
	before, after := ValuesOf(old)(parameter), ValuesOf(new)(parameter)
	if IsProperty(typ, parameter) {
		return after != nil
	}
	if before == nil || after == nil {
		return false
	}
	if alike(before, after) {
		return true
	}
	x, y := text(before), text(after)
	isBoolean := func(s string) bool { return isTrue(s) || s == "false" || s == "no" }
	return isBoolean(x) && isBoolean(y) && isTrue(x) == isTrue(y)
}
