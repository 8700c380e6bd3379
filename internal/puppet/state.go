package puppet

import (
	"slices"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
)

// The states with a meaning of their own.
const (
	present = "present"
	absent  = "absent"
	purged  = "purged"
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
		if err != nil || !ok || pcore.Is[pcore.Undef](v) {
			return nil
		}
		return v
	}
}

// state is the state of the node that a resource asks for.
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

// Waits reports whether an agent applies a resource only in some of its runs, because of a schedule. It
// forgets the refreshes of the other ones.
func Waits(r *catalog.Resource) bool {
	title := ValuesOf(r).text("schedule")
	return title != "" && title != "puppet" // the default schedule of this name allows each run
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
	if replace := s.text("replace"); replace != "false" && replace != "no" {
		return false
	}
	if s.Name == "File_line" {
		return p.name == "line" && s.Values("match") != nil
	}
	return s.isFile() && p.effect("").effect == "write-file"
}

// matters reports whether the other parameters of a file let Puppet compare a property.
func (s state) matters(p *property) bool {
	switch {
	case s.Name != "File":
		return true
	case p.name == "content":
		return s.ensure() != folder && s.ensure() != link
	case p.name == "source":
		return s.ensure() != folder || s.recurses()
	case p.name == "sourceselect":
		sources, ok := s.Values("source").(*pcore.Array)
		return s.recurses() && s.text(p.name) == "all" && ok && sources.Len() > 1
	case p.name == "source_permissions":
		return s.Values("source") != nil && s.text(p.name) == "use" && (s.Values("owner") == nil || s.Values("group") == nil || s.Values("mode") == nil)
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

// recurses reports whether a folder manages the files in it.
func (s state) recurses() bool {
	recurse := s.text("recurse")
	return isTrue(recurse) || recurse == "remote" || recurse == "inf"
}

// keepsFolder reports whether a file shall replace a folder, which Puppet does not
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
	if usual, ok := s.usual[p.name]; ok {
		return p.compare(pcore.String(usual), s.Values(p.name), s.Values)
	}
	if !s.isFile() {
		return different
	}
	value := s.text(p.name)
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
