package conformance

import "github.com/pcatdev/pcat/pcore"

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
