package pcore

import "reflect"

// typeFacts contains precomputed facts about a type, which decide most
// questions before its parameters are examined: see [rule.answer].
type typeFacts struct {
	// parts contains the tags of the alternatives of the type, all of which
	// must be accepted for the type to be accepted, and tagUnknown if there may
	// be others. It is empty only in the zero value, which means that the facts
	// are not known.
	parts    set
	accepts  rule // for parts
	contains rule // for kinds of values
}

// orUnknown returns the facts stored in a type that is composed of others. They
// are unknown for a type created without a constructor, and for an alias that
// is not complete.
func (f *typeFacts) orUnknown() *typeFacts {
	if f.parts == 0 {
		return &factsByTag[tagUnknown]
	}
	return f
}

// factsOf returns the facts of t, which may be nil. They must not be modified.
func factsOf(t Type) *typeFacts {
	if t == nil {
		return &factsByTag[tagUnknown]
	}
	return t.facts()
}

// kindsOf returns the set that contains only the kind of v, which may be nil.
func kindsOf(v Value) set {
	if v == nil {
		return 1 << kindNil
	}
	return 1 << v.kind()
}

// answer is the answer of a rule.
type answer uint8

const (
	no     answer = iota
	unsure        // parameters, components or an alias must be examined
	yes
)

// rule contains the elements that are always accepted, and those that are
// possibly accepted, which include them. All others never are.
type rule struct{ always, possible set }

// answer returns the answer for a type or value composed of parts, all of which
// must be accepted.
func (r rule) answer(parts set) answer {
	switch {
	case parts&^r.possible != 0:
		return no
	case parts&^r.always == 0:
		return yes
	}
	return unsure
}

// union returns the rule of a Variant of r and s.
func (r rule) union(s rule) rule { return rule{r.always | s.always, r.possible | s.possible} }

// with returns r with the elements of s always accepted.
func (r rule) with(s set) rule { return rule{r.always | s, r.possible | s} }

// without returns r with the elements of s never accepted.
func (r rule) without(s set) rule { return rule{r.always &^ s, r.possible &^ s} }

// notAlways returns r with no element of s always accepted.
func (r rule) notAlways(s set) rule { return rule{r.always &^ s, r.possible} }

// comparing contains the tags of types that examine other types even if they
// have no parameters.
const comparing set = 1<<tagInit | 1<<tagIterable | 1<<tagObjectExtension | 1<<tagStruct | 1<<tagTypeReference

// componentFacts returns the facts of t as a component of another type. If t
// has no parameters, it accepts all types that it would otherwise have to
// compare. This is determined here, once, and not for each comparison with t.
func componentFacts(t Type) typeFacts {
	f := *factsOf(t)
	v := reflect.ValueOf(t)
	if v.Kind() == reflect.Pointer && v.Elem().IsZero() && f.parts&(comparing|1<<tagUnknown) == 0 {
		f.accepts = f.accepts.with(f.accepts.possible &^ (1 << tagUnknown))
	}
	return f
}

// optionalFacts returns the facts of Optional[elem].
func optionalFacts(elem Type) typeFacts {
	undef := factsOf(UndefType{})
	if elem == nil { // accepts everything, but only undef is an instance, as in the reference implementation
		return typeFacts{accepts: rule{everything &^ (1 << tagUnknown), everything}, contains: undef.contains, parts: undef.parts}
	}
	f := componentFacts(elem)
	return typeFacts{
		accepts:  f.accepts.with(undef.parts).notAlways(1 << tagUnknown),
		contains: f.contains.with(1 << kindUndef),
		parts:    undef.parts | f.parts,
	}
}

// notUndefFacts returns the facts of NotUndef[elem]. Its parts are those of
// elem only if elem does not accept undef.
func notUndefFacts(elem Type) typeFacts {
	f := componentFacts(elemOrAny(elem))
	n := typeFacts{
		accepts:  f.accepts.without(1<<tagAny | 1<<tagUndef).notAlways(1<<tagInit | 1<<tagUnknown),
		contains: f.contains.without(1 << kindUndef),
	}
	switch f.accepts.answer(1 << tagUndef) {
	case yes:
		n.parts = 1 << tagNotUndef
	case no:
		n.parts = f.parts
	case unsure:
		n.parts = 1 << tagUnknown
	}
	return n
}

// variantFacts returns the facts of Variant[types...].
func variantFacts(types []Type) typeFacts {
	if len(types) == 0 { // compared in a special way
		return typeFacts{}
	}
	var v typeFacts
	for _, t := range types {
		f := componentFacts(t)
		v.accepts = v.accepts.union(f.accepts)
		v.contains = v.contains.union(f.contains)
		v.parts |= f.parts
	}
	v.accepts = v.accepts.notAlways(1 << tagUnknown)
	return v
}

// aliasFacts returns the facts of an alias of t. Its parts are unknown: an
// alias accepts itself even if t does not accept itself.
func aliasFacts(t Type) typeFacts {
	f := componentFacts(t)
	return typeFacts{accepts: f.accepts.notAlways(1 << tagUnknown), contains: f.contains, parts: 1 << tagUnknown}
}
