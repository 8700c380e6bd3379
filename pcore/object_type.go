package pcore

import "slices"

// ObjectType describes objects by their attributes: Object[{attributes => {x =>
// Integer}}]. The zero value is Object, the type of all objects.
//
// See the chapter on Object types in the specification.
type ObjectType struct {
	typeKind
	name        string
	parent      Type // nil, or an ObjectType, an alias of one, or another type
	params      members[*objectAttribute]
	attrs       members[*objectAttribute]
	functions   members[*objectFunction]
	equality    []string // nil when not given
	ignoreType  bool     // equality_include_type => false
	checks      Value
	annotations *Hash
}

// attributeKind indicates how an attribute gets its value.
type attributeKind string

// The kinds of attributes. The zero value is an attribute given to the
// constructor.
const (
	attributeGiven          attributeKind = ""
	attributeConstant       attributeKind = "constant"         // the same for all objects
	attributeDerived        attributeKind = "derived"          // computed, never given
	attributeGivenOrDerived attributeKind = "given_or_derived" // computed unless given
	attributeReference      attributeKind = "reference"        // not contained in the object
)

// objectAttribute is an attribute of an Object type, or a parameter of the type.
type objectAttribute struct {
	name        string
	owner       *ObjectType
	typ         Type
	kind        attributeKind
	value       Value // nil if there is none
	final       bool
	override    bool
	parameter   bool // a type parameter, not an attribute
	annotations *Hash
}

// Name returns the name of the attribute.
func (a *objectAttribute) Name() string { return a.name }

// Owner returns the type that declares the attribute.
func (a *objectAttribute) Owner() *ObjectType { return a.owner }

// Type returns the type of its values.
func (a *objectAttribute) Type() Type { return a.typ }

// Kind returns how the attribute gets its value.
func (a *objectAttribute) Kind() attributeKind { return a.kind }

// Default returns the value of a constant, or the default of another attribute.
// It returns false if there is none.
func (a *objectAttribute) Default() (Value, bool) { return a.value, a.value != nil }

// objectFunction is the signature of a function of an Object type.
type objectFunction struct {
	name        string
	owner       *ObjectType
	typ         Type
	final       bool
	override    bool
	annotations *Hash
}

// Name returns the name of the function.
func (f *objectFunction) Name() string { return f.name }

// Type returns the signature, a Callable or a Variant of them.
func (f *objectFunction) Type() Type { return f.typ }

// members contains the members of an Object type in order and by name. It is
// indexed if there are more than smallHash members.
type members[M interface{ Name() string }] struct {
	list  []M
	index map[string]int
}

func (m *members[M]) add(member M) {
	if i := m.find(member.Name()); i >= 0 {
		m.list[i] = member
		return
	}
	m.list = append(m.list, member)
	switch n := len(m.list); {
	case m.index != nil:
		m.index[member.Name()] = n - 1
	case n > smallHash:
		m.index = make(map[string]int, 2*n)
		for i, known := range m.list {
			m.index[known.Name()] = i
		}
	}
}

// find returns the index of the member, or -1 if there is none.
func (m *members[M]) find(name string) int {
	if m.index == nil {
		return slices.IndexFunc(m.list, func(known M) bool { return known.Name() == name })
	}
	if i, ok := m.index[name]; ok {
		return i
	}
	return -1
}

func (m *members[M]) get(name string) (M, bool) {
	if i := m.find(name); i >= 0 {
		return m.list[i], true
	}
	var none M
	return none, false
}

// Name returns the name of the type, or "Object" if it has none.
func (t *ObjectType) Name() string { return t.typeName() }

func (t *ObjectType) typeName() string {
	if t.name == "" {
		return "Object"
	}
	return t.name
}

// AttributeNames returns the names of the attributes and constants that t itself declares, in
// their order; its parents may declare more. Those of the kind `reference`, whose values an
// object does not contain, are left out unless references is set.
func (t *ObjectType) AttributeNames(references bool) []string {
	names := make([]string, 0, len(t.attrs.list))
	for _, a := range t.attrs.list {
		if references || a.kind != attributeReference {
			names = append(names, a.name)
		}
	}
	return names
}

func (t *ObjectType) String() string { return formatType(t) }

// isDefault reports whether t is Object, the type of all objects.
func (t *ObjectType) isDefault() bool {
	return t.name == "" && t.parent == nil && len(t.params.list) == 0 && len(t.attrs.list) == 0 &&
		len(t.functions.list) == 0 && t.equality == nil && t.checks == nil
}

// parentObject returns the Object type from which t inherits, resolving
// aliases.
func (t *ObjectType) parentObject() *ObjectType {
	if t.parent == nil {
		return nil
	}
	p, _ := resolveAlias(t.parent).(*ObjectType)
	return p
}

// lineage returns the ancestors of t, farthest first, followed by t.
func (t *ObjectType) lineage() []*ObjectType {
	var line []*ObjectType
	for p := t; p != nil; p = p.parentObject() {
		line = append(line, p)
	}
	for i, j := 0, len(line)-1; i < j; i, j = i+1, j-1 {
		line[i], line[j] = line[j], line[i]
	}
	return line
}

func (t *ObjectType) memberTypes() []Type {
	inner := []Type{t.parent}
	for _, a := range t.params.list {
		inner = append(inner, a.typ)
	}
	for _, a := range t.attrs.list {
		inner = append(inner, a.typ)
	}
	for _, f := range t.functions.list {
		inner = append(inner, f.typ)
	}
	return inner
}

// ObjectTypeExtension is an Object type with values for its type parameters:
// Boxed['x'].
type ObjectTypeExtension struct {
	typeKind
	base   *ObjectType
	params *Hash
}

// Base returns the Object type without the parameters.
func (t *ObjectTypeExtension) Base() *ObjectType { return t.base }

// typeName returns the name of the Object type.
func (t *ObjectTypeExtension) typeName() string { return t.base.Name() }

func (t *ObjectTypeExtension) String() string { return formatType(t) }

// Named reports whether the type has a name.
func (t *ObjectType) Named() bool { return t.name != "" }
