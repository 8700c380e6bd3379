package puppetdb

import (
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/puppet"
	"github.com/pcatdev/pcat/pcore"
)

// The values of catalog_format. With 2, an agent applies the resources of the kind
// `compilable_type`. Before, it applied those whose types it has.
const (
	decidedByAgent = pcore.Integer(1)
	decidedByKind  = pcore.Integer(2)
)

// kinds finds the kinds of the resources of a catalog.
type kinds struct {
	containers map[catalog.Ref]bool // what contains a resource
}

func kindsOf(edges []*catalog.Edge) kinds {
	k := kinds{make(map[catalog.Ref]bool)}
	for _, e := range edges {
		if kind := e.Relationship(); kind == "contains" || kind == "" {
			k.containers[e.Source()] = true
		}
	}
	return k
}

// of returns the kind of a resource, or "" if nothing shows it: a type without a namespace is
// one of a module, or a define whose resources are all missing.
func (k kinds) of(r *catalog.Resource) string {
	switch typ := r.Type(); {
	case r.Kind() != "":
		return r.Kind()
	case typ == "Class" && r.File() != "":
		return "class" // declared as a resource, and so located
	case typ == "Class" || typ == "Node":
		return "unknown" // as Puppet writes it for an included one; agents take it for a container
	case puppet.IsCore(typ):
		return "compilable_type"
	case strings.Contains(typ, "::") || k.containers[r.Ref()]:
		return "defined_type" // types written in Ruby have no namespace
	default:
		return ""
	}
}
