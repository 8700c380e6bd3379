package puppetdb

import (
	"iter"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
)

// withAliases adds to the aliases of a resource the name by which its type
// knows it, when that is not its title.
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

// naming is how a type names its resources.
type naming struct {
	variable string // the namevar
	shared   bool   // two resources may have the same name
	path     bool   // the title is the name but for slashes at its end
}

// namingOf returns how a type names its resources, and false when it takes
// more than one parameter to do so: such a resource goes by its title only. A
// type that is not told apart here, such as those of modules, uses `name`.
func namingOf(typeName string) (naming, bool) {
	switch typeName {
	case "File":
		return naming{variable: "path", path: true}, true
	case "Exec":
		return naming{variable: "command", shared: true}, true
	case "Tidy":
		return naming{variable: "path", shared: true}, true
	case "K5login":
		return naming{variable: "path"}, true
	case "Package", "Sshkey":
		return naming{}, false
	default:
		return naming{variable: "name"}, true
	}
}

// of returns the name of a resource, and false when that is its title.
func (n naming) of(ref catalog.Ref, parameters *pcore.Hash) (pcore.Value, bool) {
	name, ok := parameters.GetString(n.variable)
	switch {
	case ok && name.Kind() != pcore.KindUndef:
	case n.path:
		stripped := strings.TrimRight(ref.Title, "/")
		if stripped == "" || strings.HasSuffix(stripped, ":") {
			return nil, false // a root
		}
		name = pcore.String(stripped)
	default:
		return nil, false
	}
	// The compiler makes these two by itself, and gives them a Symbol for a
	// title, which is no String.
	if ref.Title == "main" && (ref.Type == "Class" || ref.Type == "Stage") {
		return name, true
	}
	return name, !pcore.Identical(name, pcore.String(ref.Title))
}

// flatten returns the elements of arrays in arrays, and a value that is no
// array as it is. Undef is none.
func flatten(v pcore.Value) iter.Seq[pcore.Value] {
	return func(yield func(pcore.Value) bool) { flattened(v, yield) }
}

func flattened(v pcore.Value, yield func(pcore.Value) bool) bool {
	if v == nil || v.Kind() == pcore.KindUndef {
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
