package pcore

import (
	"reflect"
	"sync/atomic"
)

// outline is what shows of a type at a look, from the kinds of types of which it
// is made. Two of them answer most questions; see [verdicts.on].
type outline struct {
	// parts are the tags of types all of which have to be accepted where the type
	// is, with tagUnknown when there may be others. They are empty only in the
	// zero value, which stands for no outline.
	parts    set
	accepts  verdicts // on parts
	contains verdicts // on kinds of values
}

// verdict is the answer to a question that may need more than a look.
type verdict uint8

const (
	no     verdict = iota
	unsure         // parameters or parts have to be compared, or an alias to be followed
	yes
)

// verdicts tell what is always accepted and what never is. About the rest
// nothing is known.
type verdicts struct{ always, never set }

// on returns the verdict on what is made of parts, all of which have to be
// accepted.
func (v verdicts) on(parts set) verdict {
	switch {
	case parts&v.never != 0:
		return no
	case parts&^v.always == 0:
		return yes
	}
	return unsure
}

// or returns what is known of what v or w accepts.
func (v verdicts) or(w verdicts) verdicts { return verdicts{v.always | w.always, v.never & w.never} }

func (v verdicts) accept(s set) verdicts { return verdicts{v.always | s, v.never &^ s} }

func (v verdicts) refuse(s set) verdicts { return verdicts{v.always &^ s, v.never | s} }

// doubt makes v forget that s is always accepted.
func (v verdicts) doubt(s set) verdicts { return verdicts{v.always &^ s, v.never} }

// lookTables tell the outlines of types and the kinds of values.
type lookTables struct {
	outlines wordTable[outline] // the zero one for types with an outline of their own
	kinds    wordTable[set]
}

// madeTables are the tables from the first question on. To ask a sync.Once each
// time would take as long as a look.
//
//nolint:gochecknoglobals // a constant that Go cannot spell
var madeTables atomic.Pointer[lookTables]

func tables() *lookTables {
	if made := madeTables.Load(); made != nil {
		return made
	}
	return makeTables()
}

// makeTables may run several times at once, and makes the same each time.
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

// ownOutline returns the outline of a type that is made of others. It knows
// nothing of one that was made without a constructor, and of an alias that is
// not complete.
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

// comparing are the tags of types that compare others even when they have no
// parameters.
const comparing set = 1<<tagInit | 1<<tagIterable | 1<<tagObjectExtension | 1<<tagStruct | 1<<tagTypeReference

// outlineInside returns the outline of t as a part of another type. It is sure of
// what t compares when t has no parameters, which is not looked for each time that
// t is asked.
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
	if elem == nil { // which accepts everything, and describes undef alone, as in the reference
		return outline{accepts: verdicts{always: everything &^ setOf(tagUnknown)}, contains: undef.contains, parts: undef.parts}
	}
	o := outlineInside(elem)
	return outline{
		accepts:  o.accepts.accept(undef.parts).doubt(setOf(tagUnknown)),
		contains: o.contains.accept(setOf(KindUndef)),
		parts:    undef.parts | o.parts,
	}
}

// outlineNotUndef returns the outline of NotUndef[elem]. As a part it counts as
// its element only where that does not accept undef.
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
	if len(types) == 0 { // which is compared in a way of its own
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

// outlineAlias returns the outline of an alias of t. What the parts of t are does
// not show: an alias accepts itself, even where what it stands for does not.
func outlineAlias(t Type) outline {
	o := outlineInside(t)
	return outline{accepts: o.accepts.doubt(setOf(tagUnknown)), contains: o.contains, parts: setOf(tagUnknown)}
}
