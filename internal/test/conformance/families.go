package conformance

import (
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/typeexpr"
)

// Runner runs a case. It returns nil if pcat and Puppet agree, and otherwise
// the expected and the actual result; [Answer.Check] distinguishes errors from
// differences.
type Runner func(*Case) error

// Families returns the runners of the implemented families by name. folder is
// the folder of the cases, which provides the definitions that some need.
func Families(folder Folder, reference pcore.Reference) (map[string]Runner, error) {
	l, err := newLanguage(folder, reference)
	if err != nil {
		return nil, err
	}
	r, err := newRichData(l)
	if err != nil {
		return nil, err
	}
	return map[string]Runner{
		"assignable":    l.pairs(assignable),
		"common":        l.pairs(common),
		"types_parse":   l.typesParse,
		"deferred":      l.deferred,
		"epp":           l.epp,
		"eval":          l.eval,
		"from_rich":     r.fromRich,
		"infer":         l.infer,
		"instance":      l.instance,
		"new":           l.evaluated("expr"),
		"rich_data":     r.richData,
		"stdlib":        l.evaluated("expr"),
		"strftime":      l.evaluated("expr"),
		"string_format": l.stringFormat,
	}, nil
}

// TypeOf returns a function that evaluates the text of a type, or reads it as a String if only this is possible. It can use the
// definitions of the folder.
func TypeOf(folder Folder, reference pcore.Reference) (func(text string) (pcore.Type, error), error) {
	l, err := newLanguage(folder, reference)
	if err != nil {
		return nil, err
	}
	return func(text string) (pcore.Type, error) {
		c := &Case{Env: "std"}
		if t, err := l.typeOf(c, text); err == nil {
			return t, nil
		}
		known, err := l.types(c)
		if err != nil {
			return nil, err
		}
		return typeexpr.Parse(text, known)
	}, nil
}
