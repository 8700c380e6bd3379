package main

import (
	"slices"
	"strings"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// callable returns the functions that a call can be compared of: they always give the same
// answer, and need neither files, commands nor the network.
func callable(r *function.Registry, source string) []*function.Function {
	var all []*function.Function
	for _, f := range r.All() {
		if f.Source == source && f.Effects == 0 && !slices.Contains([]string{"break", "next", "return"}, f.Name) {
			all = append(all, f)
		}
	}
	return all
}

// call returns a call of a function, mostly with arguments that it accepts.
func (w words) call(f *function.Function) string {
	signatures := f.Signatures()
	if len(signatures) == 0 {
		return f.Name + "()"
	}
	s := signatures[w.IntN(len(signatures))]
	var args []string
	for _, p := range s.Params {
		n := 1
		switch {
		case p.Repeated:
			n = w.IntN(3)
		case p.Optional:
			n = w.IntN(2)
		}
		for range n {
			args = append(args, w.argument(p.Type))
		}
		if n == 0 && p.Optional {
			break
		}
	}
	switch w.IntN(20) {
	case 0:
		args = append(args, w.value(1))
	case 1:
		args = args[:max(0, len(args)-1)]
	}
	call := f.Name + "(" + strings.Join(args, ", ") + ")"
	if s.Block != nil && !w.once(12) {
		call += " " + w.lambda(0)
	}
	return call
}

// argument returns an expression that often has the type.
func (w words) argument(t pcore.Type) string {
	if w.once(6) {
		return w.value(2)
	}
	switch t := t.(type) {
	case *pcore.EnumType:
		if values := t.Values(); len(values) > 0 {
			return "'" + pick(w, values...) + "'"
		}
	case *pcore.VariantType:
		if types := t.Types(); len(types) > 0 {
			return w.argument(pick(w, types...))
		}
	case *pcore.OptionalType:
		return w.argument(t.Elem())
	case *pcore.ArrayType:
		return "[" + w.list(0, 3, func() string { return w.argument(t.Elem()) }) + "]"
	case *pcore.HashType:
		return "{" + w.list(0, 3, func() string { return w.key() + " => " + w.argument(t.Elem()) }) + "}"
	}
	name, _, _ := strings.Cut(t.String(), "[")
	switch name {
	case "String", "Pattern":
		return pick(w, w.text(), w.text(), "'"+pick(w, "a", "b", "x", "y")+"'")
	case "Integer":
		return w.integer()
	case "Numeric", "Float":
		return pick(w, w.integer(), w.float())
	case "Boolean":
		return pick(w, "true", "false")
	case "Regexp":
		return w.regexp()
	case "Type":
		return w.typeText(1)
	case "Iterable", "Collection", "Array":
		return pick(w, w.subject(0), "["+w.list(0, 4, func() string { return w.value(0) })+"]")
	case "Hash":
		return "{" + w.list(0, 3, func() string { return w.key() + " => " + w.value(1) }) + "}"
	case "Sensitive":
		return "Sensitive(" + w.value(0) + ")"
	case "SemVer", "Timespan", "Timestamp", "Binary":
		return w.rich()
	}
	return w.value(2)
}
