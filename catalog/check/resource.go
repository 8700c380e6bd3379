package check

import (
	"slices"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/graph"
	"github.com/pcatdev/pcat/catalog/internal/intern"
	"github.com/pcatdev/pcat/internal/refs"
	"github.com/pcatdev/pcat/pcore"
)

// parameter is a parameter that rules read. The others are not kept.
type parameter uint8

const (
	paramCommand parameter = iota
	paramContent
	paramCreates
	paramEnsure
	paramGID
	paramGroup
	paramHome
	paramManageHome
	paramName
	paramOnlyIf
	paramOwner
	paramPath
	paramPurge
	paramRecurse
	paramRefreshOnly
	paramReinstall
	paramSource
	paramUID
	paramUnless
)

// parameters are the names of parameters.
var parameters = [...]string{
	paramCommand: "command", paramContent: "content", paramCreates: "creates", paramEnsure: "ensure", paramGID: "gid",
	paramGroup: "group", paramHome: "home", paramManageHome: "managehome", paramName: "name", paramOnlyIf: "onlyif",
	paramOwner: "owner", paramPath: "path", paramPurge: "purge", paramRecurse: "recurse", paramRefreshOnly: "refreshonly",
	paramReinstall: "reinstall_on_refresh", paramSource: "source", paramUID: "uid", paramUnless: "unless",
}

// hasValue reports whether rules read the value of a parameter, and not only its presence.
func (p parameter) hasValue() bool { return p != paramContent && p != paramSource }

// traits are the facts about a resource that rules read and many resources share.
type traits struct {
	kind   string
	values []value
}

// value is the value of a parameter; nil if it is secret, unreadable, or not read.
type value struct {
	of    parameter
	value pcore.Value
}

func (t *traits) find(p parameter) (v pcore.Value, ok bool) {
	if t == nil {
		return nil, false
	}
	for i := range t.values {
		if t.values[i].of == p {
			return t.values[i].value, true
		}
	}
	return nil, false
}

func (t *traits) has(p parameter) bool {
	_, ok := t.find(p)
	return ok
}

// text returns the text of a parameter, or "" if it is absent, secret or no text.
func (t *traits) text(p parameter) string {
	v, _ := t.find(p)
	switch v := v.(type) {
	case pcore.String:
		return string(v)
	case pcore.Boolean:
		return v.String()
	default:
		return ""
	}
}

// texts returns the texts and numbers in a parameter, or nil if it is absent or secret.
func (t *traits) texts(p parameter) []string {
	v, _ := t.find(p)
	return refs.Texts(nil, v)
}

func (t *traits) isTrue(p parameter) bool {
	switch t.text(p) {
	case "true", "remote":
		return true
	default:
		return false
	}
}

func (t *traits) isAbsent() bool {
	switch t.text(paramEnsure) {
	case "absent", "purged":
		return true
	default:
		return false
	}
}

// resource is the compact form of a resource.
type resource struct {
	*traits       // nil for none
	line    int64 // 0 if unknown
	file    int32 // in files
}

// node is a node of the graph and its resource.
type node struct {
	graph.Node
	*traits
}

// contents is the part of a catalog that a check needs.
type contents struct {
	graph     *graph.Builder
	resources []resource
	files     []string
	numbers   map[string]int32 // of files
	shared    intern.Table[*traits]
}

func newContents() *contents {
	return &contents{graph: graph.NewBuilder(), numbers: make(map[string]int32)}
}

// add reads a resource.
func (c *contents) add(r *catalog.Resource) error {
	if err := c.graph.AddResource(r); err != nil {
		return err
	}
	file := r.File()
	number, ok := c.numbers[file]
	if !ok {
		number = int32(len(c.files))
		c.files = append(c.files, file)
		c.numbers[file] = number
	}
	c.resources = append(c.resources, resource{c.traitsOf(r), r.Line(), number})
	return nil
}

// traitsOf returns nil if there are none.
func (c *contents) traitsOf(r *catalog.Resource) *traits {
	t := traits{kind: r.Kind()}
	members, _ := r.RawParameters() // the graph has returned the error
	secret := catalog.NamesOf(r.SensitiveParameters())
	read := func(m *catalog.Member) (p parameter, kept, read bool) {
		i := slices.Index(parameters[:], m.Key)
		p = parameter(max(i, 0))
		return p, i >= 0, i >= 0 && p.hasValue() && !secret.Has(m.Key)
	}
	n := 0
	c.shared.Reset(r.Wire())
	c.shared.Text(t.kind)
	for i := range members {
		switch _, kept, read := read(&members[i]); {
		case read:
			c.shared.Member(&members[i])
			n++
		case kept:
			c.shared.Text(members[i].Key)
			c.shared.Text("")
			n++
		}
	}
	if t.kind == "" && n == 0 {
		return nil
	}
	if known, ok := c.shared.Get(); ok {
		return known
	}
	t.values = make([]value, 0, n)
	for i := range members {
		p, kept, read := read(&members[i])
		v := value{of: p}
		if read {
			v.value, _ = r.Decode(&members[i])
		}
		if kept {
			t.values = append(t.values, v)
		}
	}
	c.shared.Set(&t)
	return &t
}
