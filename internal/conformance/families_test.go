package conformance

// runner asks pcat the question of a case. It returns nil when pcat and Puppet agree, and otherwise
// what was expected and what came; [Answer.Check] tells refusals from differences.
type runner func(*Case) error

// families returns what runs the cases of each family that is built, by the family's name. folder
// is where the cases come from, for the definitions that some need.
func families(folder Folder) (map[string]runner, error) {
	l, err := newLanguage(folder)
	if err != nil {
		return nil, err
	}
	r, err := newRichData(l)
	if err != nil {
		return nil, err
	}
	return map[string]runner{
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
		"strftime":      l.evaluated("expr"),
		"string_format": l.stringFormat,
	}, nil
}
