package detect

import (
	"github.com/pcatdev/pcat/catalog/audit/rule"
)

// named looks at a value whose place has a name.
func (v *view) named() {
	name := v.leaf.Name()
	if name == "" || !v.leaf.InParameter() {
		return
	}
	s := v.names.sortOf(name)
	if s == plain || s == never || v.values.against(v.text, s) != none {
		return
	}
	if v.leaf.Number && s != password {
		return
	}
	v.secret("plain-secret-parameter", 0, len(v.text), v.text, name, confidenceOf(s, v.text))
}

func confidenceOf(s sort, value string) rule.Confidence {
	if s == hint || s == password && !machineMade(value) {
		return rule.Possible
	}
	return rule.Likely
}
