package puppetdb

import (
	"iter"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/puppet"
	"github.com/pcatdev/pcat/pcore"
)

// withAliases adds the name of a resource to its aliases, unless the name is the
// title.
func withAliases(ref catalog.Ref, parameters *pcore.Hash, secret catalog.Names) *pcore.Hash {
	names, ok := namingOf(ref.Type)
	if !ok {
		return parameters
	}
	declared, _ := parameters.GetString("alias")
	aliases := slices.Collect(flatten(declared))
	if name, ok := names.of(ref, parameters); ok && !names.shared && !secret.Has(names.variable) {
		known := func(a pcore.Value) bool { return pcore.Identical(a, name) }
		if !slices.ContainsFunc(aliases, known) {
			aliases = append(aliases, name)
		}
	}
	if len(aliases) == 0 {
		return parameters
	}
	b := pcore.NewHashBuilder(parameters.Len() + 1)
	for k, v := range parameters.All() {
		b.Set(k, v)
	}
	b.SetString("alias", pcore.NewArray(aliases...))
	return b.Hash()
}

// naming describes how a type names its resources.
type naming struct {
	variable string // the namevar
	shared   bool   // different resources can have the same name
	path     bool   // the default name is the title without trailing slashes
}

// namingOf returns the naming of a type. It returns false for types with several namevars, whose
// resources are known only by title.
func namingOf(typeName string) (naming, bool) {
	if puppet.HasSeveralNamevars(typeName) {
		return naming{}, false
	}
	variable := puppet.TitleParameter(typeName)
	return naming{
		variable: variable,
		shared:   typeName != "Class" && puppet.Namevar(typeName) != variable,
		path:     typeName == "File",
	}, true
}

// of returns the name of a resource, or false if the name is the title.
func (n naming) of(ref catalog.Ref, parameters *pcore.Hash) (pcore.Value, bool) {
	name, ok := parameters.GetString(n.variable)
	switch {
	case ok && !pcore.Is[pcore.Undef](name):
	case n.path:
		stripped := strings.TrimRight(ref.Title, "/")
		if stripped == "" || strings.HasSuffix(stripped, ":") {
			return nil, false // a root directory
		}
		name = pcore.String(stripped)
	default:
		return nil, false
	}
	// The compiler creates these two resources with a Symbol as title, which
	// never equals a String.
	if ref.Title == "main" && (ref.Type == "Class" || ref.Type == "Stage") {
		return name, true
	}
	return name, !pcore.Identical(name, pcore.String(ref.Title))
}

// flatten returns the elements of nested arrays, or the value itself if it is
// not an array. It omits undef.
func flatten(v pcore.Value) iter.Seq[pcore.Value] {
	return func(yield func(pcore.Value) bool) { flattened(v, yield) }
}

func flattened(v pcore.Value, yield func(pcore.Value) bool) bool {
	if v == nil || pcore.Is[pcore.Undef](v) {
		return true
	}
	list, ok := v.(*pcore.Array)
	if !ok {
		return yield(v)
	}
	for e := range list.Values() {
		if !flattened(e, yield) {
			return false
		}
	}
	return true
}
