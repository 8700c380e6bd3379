package roundtrip

import (
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
)

// locationOf returns the location of path in v, a document. Inside a resource, the
// path begins with the parameter. It ends at a secret parameter or at a
// Sensitive.
func locationOf(v pcore.Value, path pcore.Path) catalog.Location {
	at := catalog.Location{}
	inResources := false
	for i, step := range path {
		next := into(v, step)
		at.Path = append(at.Path, step)
		if step.Kind == pcore.StepSecret || next == nil {
			return at
		}
		if step.Kind == pcore.StepEntry {
			inResources = inResources && step.Key == pcore.String("data") || step.Key == pcore.String("resources")
		}
		if ref, secrets, ok := resource(next); ok && inResources && step.Kind == pcore.StepIndex {
			at, _ := ref.Locate(path[i+1:], catalog.NamesOf(secrets))
			return at
		}
		v = next
	}
	return at
}

// resource returns the reference of a resource and its sensitive parameters.
func resource(v pcore.Value) (ref catalog.Ref, secrets []string, ok bool) {
	h, ok := v.(*pcore.Hash)
	if !ok {
		return ref, nil, false
	}
	text := func(key string) string {
		v, _ := h.GetString(key)
		s, _ := v.(pcore.String)
		return string(s)
	}
	list, _ := h.GetString("sensitive_parameters")
	names, _ := list.(*pcore.Array)
	for name := range names.Values() {
		if s, ok := name.(pcore.String); ok {
			secrets = append(secrets, string(s))
		}
	}
	ref = catalog.Ref{Type: text("type"), Title: text("title")}
	return ref, secrets, ref.Type != "" && ref.Title != ""
}

// into returns the value at a step, or nil for steps that cannot lead to a
// resource.
func into(v pcore.Value, step pcore.Step) pcore.Value {
	switch v := v.(type) {
	case *pcore.Array:
		if step.Kind == pcore.StepIndex && step.Index < v.Len() {
			return v.At(step.Index)
		}
	case *pcore.Hash:
		if step.Kind == pcore.StepEntry {
			next, _ := v.Get(step.Key)
			return next
		}
	default:
	}
	return nil
}

// isKey reports whether a step enters the member with a key.
func isKey(step pcore.Step, key string) bool {
	return step.Kind == pcore.StepEntry && step.Key == pcore.String(key)
}
