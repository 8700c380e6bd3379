package faults

import (
	"sync"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/graph"
	"github.com/pcatdev/pcat/internal/intern"
	"github.com/pcatdev/pcat/internal/puppet"
	"github.com/pcatdev/pcat/pcore"
)

// parameter is a parameter that rules read. The others are not kept: a rule cannot name one that
// is not listed here.
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
	numParameters
)

var parameterNames = [...]string{
	paramCommand: "command", paramContent: "content", paramCreates: "creates", paramEnsure: "ensure", paramGID: "gid",
	paramGroup: "group", paramHome: "home", paramManageHome: "managehome", paramName: "name", paramOnlyIf: "onlyif",
	paramOwner: "owner", paramPath: "path", paramPurge: "purge", paramRecurse: "recurse", paramRefreshOnly: "refreshonly",
	paramReinstall: "reinstall_on_refresh", paramSource: "source", paramUID: "uid", paramUnless: "unless",
}

// parametersByName are the parameters by their names.
var parametersByName = sync.OnceValue(func() map[string]parameter {
	all := make(map[string]parameter, len(parameterNames))
	for p, name := range parameterNames {
		all[name] = parameter(p)
	}
	return all
})

func (p parameter) name() string { return parameterNames[p] }

// hasValue reports whether rules read the value of a parameter, and not only its presence.
func (p parameter) hasValue() bool { return p != paramContent && p != paramSource }

// traits are the facts about a resource that rules read: its parameters, and its kind under the
// name kindOf, which no parameter has.
type traits struct{ intern.Facts }

const kindOf = ""

// The forms of values.
const (
	noText  = iota // secret, unreadable, or not read
	text           // a String
	boolean        // a text, but not one of texts
	list           // texts, but not a text
)

// append appends the value of a parameter.
func (p parameter) append(facts []byte, v pcore.Value) []byte {
	switch v := v.(type) {
	case nil:
		return intern.AppendFact(facts, p.name(), noText)
	case pcore.String:
		return intern.AppendFact(facts, p.name(), text, string(v))
	case pcore.Boolean:
		return intern.AppendFact(facts, p.name(), boolean, v.String())
	default:
		return intern.AppendFact(facts, p.name(), list, puppet.Texts(nil, v)...)
	}
}

func (t traits) kind() string { return t.First(kindOf) }

func (t traits) has(p parameter) bool {
	_, ok := t.Form(p.name())
	return ok
}

// text returns the text of a parameter, or "" if it is absent, secret or no text.
func (t traits) text(p parameter) string {
	if form, _ := t.Form(p.name()); form == text || form == boolean {
		return t.First(p.name())
	}
	return ""
}

// texts returns the texts and numbers in a parameter, or nil if it is absent or secret.
func (t traits) texts(p parameter) []string {
	if form, _ := t.Form(p.name()); form == text || form == list {
		return t.Texts(p.name())
	}
	return nil
}

func (t traits) isTrue(p parameter) bool {
	switch t.text(p) {
	case "true", "remote":
		return true
	default:
		return false
	}
}

func (t traits) isAbsent() bool {
	switch t.text(paramEnsure) {
	case "absent", "purged":
		return true
	default:
		return false
	}
}

// resource is the compact form of a resource.
type resource struct {
	line   int64 // 0 if unknown
	file   int32 // in files
	traits int32 // in table
}

// node is a node of the graph and its resource.
type node struct {
	graph.Node
	traits
}

// contents is the part of a catalog that a check needs.
type contents struct {
	graph     *graph.Builder
	resources []resource
	files     []string
	numbers   map[string]int32 // of files
	table     intern.Table
	text      []byte // the last facts
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
	c.resources = append(c.resources, resource{r.Line(), number, c.traitsOf(r)})
	return nil
}

// traitsOf returns the number of the traits of a resource.
func (c *contents) traitsOf(r *catalog.Resource) int32 {
	kind := r.Kind()
	members, _ := r.RawParameters() // the graph has returned the error
	secret := catalog.NamesOf(r.SensitiveParameters())
	kept := parametersByName()
	reads := func(p parameter, m *catalog.Member) bool { return p.hasValue() && !secret.Has(m.Key) }
	c.table.Reset(r.Wire())
	c.table.Text(kind)
	for i := range members {
		m := &members[i]
		switch p, ok := kept[m.Key]; {
		case !ok:
		case reads(p, m):
			c.table.Member(m)
		default:
			c.table.Text(m.Key)
			c.table.Text("")
		}
	}
	if known, ok := c.table.Find(); ok {
		return known
	}
	c.text = c.text[:0]
	if kind != "" {
		c.text = intern.AppendFact(c.text, kindOf, text, kind)
	}
	for i := range members {
		m := &members[i]
		if p, ok := kept[m.Key]; ok {
			var v pcore.Value
			if reads(p, m) {
				if decoded, err := r.Decode(m); err == nil {
					v = decoded
				}
			}
			c.text = p.append(c.text, v)
		}
	}
	return c.table.Add(c.text)
}
