package pcore

import (
	"reflect"
	"sync/atomic"
)

// outline summarizes a type by the kinds of types of which it is composed.
// Comparing two outlines decides most questions; see [verdicts.on].
type outline struct {
	// parts contains the tags of the alternatives of the type, all of which
	// must be accepted for the type to be accepted, and tagUnknown if there may
	// be others. It is empty only in the zero value, which means that there is
	// no outline.
	parts    set
	accepts  verdicts // of parts
	contains verdicts // of kinds of values
}

// verdict is the answer that outlines give to a question.
type verdict uint8

const (
	no     verdict = iota
	unsure         // parameters, components or an alias must be examined
	yes
)

// verdicts contains the elements that are always accepted and those that never
// are. For all others the verdict is unsure.
type verdicts struct{ always, never set }

// on returns the verdict on a type or value composed of parts, all of which
// must be accepted.
func (v verdicts) on(parts set) verdict {
	switch {
	case parts&v.never != 0:
		return no
	case parts&^v.always == 0:
		return yes
	}
	return unsure
}

// or returns the verdicts of a Variant of v and w.
func (v verdicts) or(w verdicts) verdicts { return verdicts{v.always | w.always, v.never & w.never} }

func (v verdicts) accept(s set) verdicts { return verdicts{v.always | s, v.never &^ s} }

func (v verdicts) refuse(s set) verdicts { return verdicts{v.always &^ s, v.never | s} }

// doubt removes s from the elements that are always accepted.
func (v verdicts) doubt(s set) verdicts { return verdicts{v.always &^ s, v.never} }

// lookTables maps Go types to the outlines of types and to the kinds of values.
type lookTables struct {
	outlines wordTable[outline] // zero for types that have their own outline
	kinds    wordTable[set]
}

// madeTables contains the tables once they are needed. Calling a sync.Once each
// time would take as long as a lookup.
//
//nolint:gochecknoglobals // a constant that Go cannot spell
var madeTables atomic.Pointer[lookTables]

func tables() *lookTables {
	if made := madeTables.Load(); made != nil {
		return made
	}
	return makeTables()
}

// makeTables may run concurrently; the results are equal.
func makeTables() *lookTables {
	t := &lookTables{}
	t.outlines.unknown = unknownOutline
	t.outlines.fill(ruledOutlines())
	t.kinds.unknown = setOf(kindUnknown)
	t.kinds.fill(knownKinds())
	madeTables.Store(t)
	return t
}

func ruledOutlines() []wordEntry[outline] {
	unit := setOf(tagUnit)
	rules, composed := typeRules(), composedTypes()
	all := make([]wordEntry[outline], 0, len(rules)+len(composed)+1)
	for _, t := range composed {
		all = append(all, wordEntry[outline]{word: wordOfType(t)})
	}
	for tag, r := range rules {
		if r.of != nil {
			all = append(all, wordEntry[outline]{wordOfType(r.of), outline{
				parts:    1 << tag,
				accepts:  verdicts{r.accepts | unit, everything &^ (r.accepts | r.compares | unit | setOf(tagUnknown))},
				contains: verdicts{r.contains, everything &^ (r.contains | r.looksInto | setOf(kindUnknown))},
			}})
		}
	}
	return all
}

func knownKinds() []wordEntry[set] {
	rules, composed, others := typeRules(), composedTypes(), otherValues()
	all := make([]wordEntry[set], 0, len(rules)+len(composed)+len(others)+1)
	for _, v := range others {
		all = append(all, wordEntry[set]{wordOfValue(v), setOf(v.Kind())})
	}
	for _, t := range composed {
		all = append(all, wordEntry[set]{wordOfValue(t), setOf(KindType)})
	}
	for _, r := range rules {
		if r.of != nil {
			all = append(all, wordEntry[set]{wordOfValue(r.of), setOf(KindType)})
		}
	}
	return all
}

// kindOf returns the kind of v.
func kindOf(v Value) set { return *tables().kinds.at(wordOfValue(v)) }

// outlineOf returns the outline of t.
func outlineOf(t Type) *outline {
	if o := tables().outlines.at(wordOfType(t)); o.parts != 0 {
		return o
	}
	return ownOutline(t)
}

var unknownOutline = outline{parts: 1 << tagUnknown}

// ownOutline returns the outline stored in a type that is composed of others.
// The outline is unknown for a type created without a constructor, and for an
// alias that is not complete.
func ownOutline(t Type) *outline {
	o := &unknownOutline
	switch t := t.(type) {
	case *OptionalType:
		o = &t.outline
	case *VariantType:
		o = &t.outline
	case *NotUndefType:
		o = &t.outline
	case *TypeAliasType:
		o = &t.outline
	}
	if o.parts == 0 {
		o = &unknownOutline
	}
	return o
}

// comparing contains the tags of types that examine other types even if they
// have no parameters.
const comparing set = 1<<tagInit | 1<<tagIterable | 1<<tagObjectExtension | 1<<tagStruct | 1<<tagTypeReference

// outlineInside returns the outline of t as a component of another type. If t
// has no parameters, it accepts all types that it would otherwise have to
// compare. This is determined here, once, and not for each comparison with t.
func outlineInside(t Type) outline {
	o := *outlineOf(t)
	v := reflect.ValueOf(t)
	if v.Kind() == reflect.Pointer && v.Elem().IsZero() && o.parts&(comparing|setOf(tagUnknown)) == 0 {
		o.accepts = o.accepts.accept(everything &^ (o.accepts.never | setOf(tagUnknown)))
	}
	return o
}

// outlineOptional returns the outline of Optional[elem].
func outlineOptional(elem Type) outline {
	undef := outlineOf(UndefType{})
	if elem == nil { // accepts everything, but only undef is an instance, as in the reference implementation
		return outline{accepts: verdicts{always: everything &^ setOf(tagUnknown)}, contains: undef.contains, parts: undef.parts}
	}
	o := outlineInside(elem)
	return outline{
		accepts:  o.accepts.accept(undef.parts).doubt(setOf(tagUnknown)),
		contains: o.contains.accept(setOf(KindUndef)),
		parts:    undef.parts | o.parts,
	}
}

// outlineNotUndef returns the outline of NotUndef[elem]. Its parts are those of
// elem only if elem does not accept undef.
func outlineNotUndef(elem Type) outline {
	o := outlineInside(elemOrAny(elem))
	n := outline{
		accepts:  o.accepts.refuse(setOf(tagAny, tagUndef)).doubt(setOf(tagInit, tagUnknown)),
		contains: o.contains.refuse(setOf(KindUndef)),
	}
	switch o.accepts.on(setOf(tagUndef)) {
	case yes:
		n.parts = setOf(tagNotUndef)
	case no:
		n.parts = o.parts
	case unsure:
		n.parts = setOf(tagUnknown)
	}
	return n
}

// outlineVariant returns the outline of Variant[types...].
func outlineVariant(types []Type) outline {
	if len(types) == 0 { // compared in a special way
		return outline{}
	}
	v := outline{accepts: verdicts{never: everything}, contains: verdicts{never: everything}}
	for _, t := range types {
		o := outlineInside(t)
		v.accepts = v.accepts.or(o.accepts)
		v.contains = v.contains.or(o.contains)
		v.parts |= o.parts
	}
	v.accepts = v.accepts.doubt(setOf(tagUnknown))
	return v
}

// outlineAlias returns the outline of an alias of t. Its parts are unknown: an
// alias accepts itself even if t does not accept itself.
func outlineAlias(t Type) outline {
	o := outlineInside(t)
	return outline{accepts: o.accepts.doubt(setOf(tagUnknown)), contains: o.contains, parts: setOf(tagUnknown)}
}
