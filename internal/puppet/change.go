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
	// Effect names what happens, such as "write-file", and Rank is how grave it is: "info",
	// "write", "restart" or "danger".
	Effect, Rank string
	// Probably indicates that the node has the value already, unless it is unusual: the number of
	// root is 0, and a file that Puppet creates has the mode 0644.
	Probably bool
	// From and To are the old and the new value as text, or "". They can be secrets.
	From, To string
}

// Reason says why Puppet does nothing about a change that it probably need not make.
func (c Change) Reason() string {
	_, isMode := ApplyMode(0, c.To, false)
	switch {
	case c.Property == "ensure" && c.From == folder:
		return "Puppet keeps a directory unless force is true"
	case c.Property == "mode" && !isMode:
		return "Puppet refuses this mode"
	default:
		return "probably the same on the node"
	}
}

// The states with a meaning of their own.
const (
	present = "present"
	absent  = "absent"
	purged  = "purged"
	latest  = "latest"
	file    = "file"
	folder  = "directory"
	link    = "link"
	never   = "never" // a schedule
)

// IsGone reports whether a value of ensure is one of those that remove a resource.
func IsGone(ensure string) bool { return ensure == absent || ensure == purged }

// Values returns the value of a parameter of a resource, or nil. It can be a secret.
type Values func(parameter string) pcore.Value

// text returns a parameter as text, or "".
func (v Values) text(parameter string) string {
	value := v(parameter)
	if value == nil {
		return ""
	}
	return text(value)
}

// ValuesOf returns the values of the parameters of a resource.
func ValuesOf(r *catalog.Resource) Values {
	return func(parameter string) pcore.Value {
		v, ok, err := r.RevealParameter(parameter) //nolint:forbidigo // it is compared, never printed
		if err != nil || !ok || v.Kind() == pcore.KindUndef {
			return nil
		}
		return v
	}
}

// state is what a resource asks of the node.
type state struct {
	*Type
	Values
	names []string // of the parameters
}

func stateOf(r *catalog.Resource) state {
	typ := TypeName(r.Type())
	s := state{Type: TypeOf(typ), Values: ValuesOf(r), names: r.ParameterNames()}
	switch {
	case s.Type == nil:
		s.Type = &Type{Name: typ, namevar: "name", titled: "name"}
	case s.Name == "File":
		s.Values = fileValues(s.Values)
	}
	return s
}

// fileValues returns the values of a File as Puppet completes them: a path in ensure is the
// target of a link, and the other parameters say which kind of file there is without ensure.
func fileValues(of Values) Values {
	ensure, target := of("ensure"), of("target")
	switch s := of.text("ensure"); {
	case s == "false":
		ensure = pcore.String(absent)
	case ensure == nil && target != nil:
		ensure = pcore.String(link)
	case ensure == nil && (of("content") != nil || of("source") != nil):
		ensure = pcore.String(file)
	case s != "" && !slices.Contains([]string{present, absent, file, folder, link}, s):
		ensure, target = pcore.String(link), ensure
	}
	return func(parameter string) pcore.Value {
		switch parameter {
		case "ensure":
			return ensure
		case "target":
			return target
		default:
			return of(parameter)
		}
	}
}

// ensure returns the state of the resource: "" if it is not said.
func (s state) ensure() string {
	if e := s.text("ensure"); e != "" || !s.ensured {
		return e
	}
	return present
}

// rows returns the properties of the type. Those of a type of a module are unknown, so each of
// its parameters counts as one.
func (s state) rows() []property {
	if len(s.properties) > 0 || s.Traceless {
		return s.properties
	}
	var all []property
	for _, name := range s.names {
		if !IsMetaparameter(name) && name != "provider" && name != "name" && name != "path" {
			all = append(all, property{name: name})
		}
	}
	return all
}

// IsMetaparameter reports whether each type has a parameter.
func IsMetaparameter(name string) bool {
	switch name {
	case "alias", "audit", "before", "consume", "export", "loglevel", "noop", "notify", "require", "schedule", "stage", "subscribe", "tag":
		return true
	default:
		return false
	}
}

// IsProperty reports whether Puppet compares a parameter of a type with the node, so that its
// change is one of the node.
func IsProperty(typ, parameter string) bool {
	s := state{Type: TypeOf(typ), names: []string{parameter}}
	if s.Type == nil {
		s.Type = &Type{}
	}
	return slices.ContainsFunc(s.rows(), func(p property) bool { return p.name == parameter })
}

// IsIdle reports whether an agent does nothing to a resource, and why: it has noop, or a schedule
// that is never. schedule returns the Schedule with a title, or nil.
func IsIdle(r *catalog.Resource, schedule func(title string) *catalog.Resource) (reason string, ok bool) {
	of := ValuesOf(r)
	title := of.text("schedule")
	switch {
	case isTrue(of.text("noop")):
		return "noop", true
	case title == "":
		return "", false
	case title == never:
		return "its schedule is never", true
	}
	if s := schedule(title); s != nil && ValuesOf(s).text("period") == never {
		return "its schedule is never", true
	}
	return "", false
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
		return n.appendChange(nil, p, o, probable)
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

// find returns a property, or nil.
func (s state) find(name string) *property {
	rows := s.rows()
	i := slices.IndexFunc(rows, func(p property) bool { return p.name == name })
	if i < 0 {
		return nil
	}
	return &rows[i]
}

// keeps reports whether Puppet leaves a file as it is, once there is one.
func (s state) keeps(p *property) bool {
	replace := s.text("replace")
	return s.isFile() && (replace == "false" || replace == "no") && p.effect("").effect == "write-file"
}

// matters reports whether the other parameters of a file let Puppet compare a property.
func (s state) matters(p *property) bool {
	switch {
	case s.Name != "File":
		return true
	case p.name == "content":
		return s.ensure() != folder && s.ensure() != link
	case p.name == "source":
		recurse := s.text("recurse")
		return s.ensure() != folder || isTrue(recurse) || recurse == "remote" || recurse == "inf"
	case p.name == "checksum_value":
		return s.Values("source") != nil
	case p.name == "target":
		return !isTrue(s.text("recurse"))
	case p.name == "mode":
		return s.ensure() != link || s.text("links") == "follow"
	default:
		return true
	}
}

// keepsFolder reports whether a file shall take the place of a folder, which Puppet does not
// delete without force.
func (s state) keepsFolder(was string) bool {
	is := s.ensure()
	return s.Name == "File" && was == folder && (is == file || is == link) && !isTrue(s.text("force"))
}

// Keeps reports whether Puppet leaves a property of a file as it is, once there is one.
func Keeps(r *catalog.Resource, parameter string) bool {
	s := stateOf(r)
	p := s.find(parameter)
	return p != nil && s.keeps(p)
}

// isUsual reports whether the node has the value of a property that the old version does not
// contain.
func (s state) isUsual(p *property, old state) likeness {
	value := s.text(p.name)
	if usual, ok := s.usual[p.name]; ok {
		return sameIf(p.reading.munge(value) == p.reading.munge(usual))
	}
	if !s.isFile() {
		return different
	}
	created := old.ensure() != "" && old.ensure() != link
	switch {
	case s.keeps(p):
		return same
	case p.reading.kind == "owner" && (value == "root" || value == "0"):
		return probable
	case p.name == "content" && value == "" && s.Values("content") != nil && old.Values("source") == nil && created:
		return probable
	case p.reading.kind == "mode" && created:
		usual := uint64(0o644)
		if old.ensure() == folder {
			usual = 0o755
		}
		if n, ok := ApplyMode(usual, value, old.ensure() == folder); ok && n == usual {
			return probable
		}
	}
	return different
}

// isFile reports whether resources of a type are files: those of the module concat are, too.
func (t *Type) isFile() bool { return t.Name == "File" || t.Name == concatFile }

// compareModes compares permissions of a file.
func compareModes(old, new string, directory bool) likeness {
	const unknown = 0o644
	was, ok := ApplyMode(unknown, old, directory)
	is, also := ApplyMode(was, new, directory)
	switch {
	case !also:
		return probable // the resource fails
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
	if p := s.find("ensure"); p != nil && p.reading.kind != "" {
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
	c := Change{Property: p.name, Parameter: p.name, Probably: l == probable, From: old.text(p.name), To: s.text(p.name)}
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
	info   = "info"
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
		if p := &rows[i]; p.name != "ensure" && s.Values(p.name) != nil {
			all = s.appendChange(all, p, nothing, different)
		}
	}
	return all
}

// IsAlike reports whether a parameter means the same in two versions of a resource, although it is
// spelled in another way, or is what Puppet assumes without it. The change of a property must not
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
