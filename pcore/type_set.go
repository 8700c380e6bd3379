package pcore

import (
	"errors"
	"fmt"
	"strings"

	"github.com/pcatdev/pcat/internal/ruby/literal"
	"github.com/pcatdev/pcat/pcore/internal/semver"
)

// TypeSetType is a named and versioned set of types: TypeSet[{...}]. The zero
// value is TypeSet, the type of all of them.
type TypeSetType struct {
	typeKind
	name         string
	uri          string
	pcoreVersion *SemVer
	authority    string
	version      *SemVer
	types        *Hash // simple names to types
	references   members[*typeSetReference]
	annotations  *Hash
}

// typeSetReference refers to another TypeSet whose types a TypeSet uses, under
// an alias.
type typeSetReference struct {
	alias     string
	set       string
	authority string
	versions  *SemVerRange
	resolved  *TypeSetType
}

// Name returns the alias of the other TypeSet.
func (r *typeSetReference) Name() string { return r.alias }

// TypeSet returns the other TypeSet.
func (r *typeSetReference) TypeSet() *TypeSetType { return r.resolved }

// errTypeSet is wrapped by the errors for invalid declarations of TypeSets.
var errTypeSet = errors.New("invalid TypeSet")

// runtimeNameAuthority is the name authority of types that do not declare one.
const runtimeNameAuthority = "http://puppet.com/2016.1/runtime"

const pcoreURI = "http://puppet.com/2016.1/pcore"

// newTypeSetType returns the TypeSet that init declares, a hash with the keys
// pcore_version, pcore_uri, name_authority, name, version, types, references
// and annotations. An empty hash declares TypeSet, the type of all of them. A
// reference to another TypeSet is an error; use [DeclareTypeSetType] for such a
// set.
func newTypeSetType(init *Hash) (*TypeSetType, error) {
	t, declare := DeclareTypeSetType("")
	if init.Len() == 0 {
		return t, nil
	}
	return t, declare(init, func(string) (*TypeSetType, error) {
		return nil, fmt.Errorf("%w: nothing can be referred to", errTypeSet)
	})
}

// DeclareTypeSetType returns an incomplete TypeSet, and the function that
// completes it. The function takes the hash that declares the set, with `pcore_version`,
// `version`, `types` and `references` as in the language, and a function
// that finds other TypeSets by name, and must be called once. Before that call,
// the type may only be used as a component of other types.
func DeclareTypeSetType(name string) (t *TypeSetType, declare func(*Hash, func(string) (*TypeSetType, error)) error) {
	t = &TypeSetType{name: name}
	if name != "" {
		t.authority = runtimeNameAuthority
	}
	return t, t.declare
}

func (t *TypeSetType) declare(init *Hash, find func(string) (*TypeSetType, error)) error {
	if err := assertInstance("TypeSet initializer", typeSetInitType(), init); err != nil {
		return err
	}
	text := func(name string) string {
		v, _ := init.GetString(name)
		s, _ := v.(String)
		return string(s)
	}
	if t.name == "" {
		t.name = text("name")
	}
	if t.authority == "" {
		t.authority = text("name_authority")
	}
	t.uri = text("pcore_uri")
	v, _ := init.GetString("types")
	t.types, _ = v.(*Hash)
	v, _ = init.GetString("annotations")
	t.annotations, _ = v.(*Hash)
	if err := t.setVersions(init); err != nil {
		return err
	}
	v, _ = init.GetString("references")
	references, _ := v.(*Hash)
	return t.refer(references, find)
}

func (t *TypeSetType) setVersions(init *Hash) (err error) {
	v, _ := init.GetString("pcore_version")
	if t.pcoreVersion, err = versionFrom(v); err != nil {
		return t.fail("%v", err)
	}
	if major, ok := t.pcoreVersion.v.Major(); !ok || major != 1 || !t.pcoreVersion.v.IsStable() {
		return t.fail("the pcore version is not understood, expected 1.x, got %s", t.pcoreVersion.Text())
	}
	if v, ok := init.GetString("version"); ok {
		if t.version, err = versionFrom(v); err != nil {
			return t.fail("%v", err)
		}
	}
	return nil
}

func versionFrom(v Value) (*SemVer, error) {
	if s, ok := v.(String); ok {
		return ParseSemVer(string(s))
	}
	version, ok := v.(*SemVer)
	if !ok {
		return nil, fmt.Errorf("a version is not of type %s", Generalize(Infer(v)))
	}
	return version, nil
}

func (t *TypeSetType) fail(format string, args ...any) error {
	return fmt.Errorf("%w: TypeSet %s: %s", errTypeSet, literal.Quote(t.name), fmt.Sprintf(format, args...))
}

func (t *TypeSetType) refer(references *Hash, find func(string) (*TypeSetType, error)) error {
	taken := make(map[string][]semver.Range)
	for k, v := range references.All() {
		spec, _ := v.(*Hash)
		r, err := newTypeSetReference(string(k.(String)), spec, t.authority)
		if err != nil {
			return t.fail("%v", err)
		}
		if _, ok := t.types.Get(k); ok {
			return t.fail("the alias %s collides with the name of a declared type", k)
		}
		key := r.authority + "/" + r.set
		for _, other := range taken[key] {
			if both := other.Intersection(r.versions.r); !both.Equal(semver.Range{}) {
				return t.fail("%s is referred to more than once with overlapping version ranges", literal.Quote(key))
			}
		}
		taken[key] = append(taken[key], r.versions.r)
		if r.resolved, err = find(r.set); err != nil {
			return t.fail("the reference to the TypeSet %s cannot be resolved: %v", literal.Quote(r.set), err)
		}
		if version := r.resolved.version; version == nil || !r.versions.Contains(version) {
			return t.fail("the reference to the TypeSet %s resolves to an incompatible version, expected %s",
				literal.Quote(r.set), r.versions.Text())
		}
		t.references.add(r)
	}
	return nil
}

func newTypeSetReference(alias string, spec *Hash, authority string) (*typeSetReference, error) {
	r := &typeSetReference{alias: alias, authority: authority}
	v, _ := spec.GetString("name")
	name, _ := v.(String)
	r.set = string(name)
	if v, ok := spec.GetString("name_authority"); ok {
		given, _ := v.(String)
		r.authority = string(given)
	}
	switch v, _ := spec.GetString("version_range"); v := v.(type) {
	case *SemVerRange:
		r.versions = v
		return r, nil
	case String:
		versions, err := ParseSemVerRange(string(v))
		r.versions = versions
		return r, err
	default:
		return nil, errors.New("a reference needs a version_range")
	}
}

// typeName returns the name of the set, or "TypeSet" if it has none.
func (t *TypeSetType) typeName() string {
	if t.name == "" {
		return "TypeSet"
	}
	return t.name
}

// Type returns a type by its name within the set, or by alias::name from a
// referenced TypeSet. Names are case-insensitive.
func (t *TypeSetType) Type(name string) (Type, bool) {
	for k, v := range t.types.All() {
		if s, ok := k.(String); ok && strings.EqualFold(string(s), name) {
			u, ok := v.(Type)
			return u, ok
		}
	}
	alias, rest, nested := strings.Cut(name, "::")
	for _, r := range t.references.list {
		switch {
		case !strings.EqualFold(r.alias, alias):
		case nested:
			return r.resolved.Type(rest)
		default:
			return r.resolved, true
		}
	}
	return nil, false
}

func (t *TypeSetType) String() string { return formatType(t) }

// isDefault reports whether t is TypeSet, the type of all of them.
func (t *TypeSetType) isDefault() bool { return t.name == "" && t.pcoreVersion == nil }

func equalTypeSets(a, b *TypeSetType) bool {
	if a == b {
		return true
	}
	return a.authority == b.authority && a.name == b.name && (a.version == nil) == (b.version == nil) &&
		(a.version == nil || a.version.v == b.version.v)
}

func (t *TypeSetType) memberTypes() []Type {
	var inner []Type
	for v := range t.types.Values() {
		if u, ok := v.(Type); ok {
			inner = append(inner, u)
		}
	}
	return inner
}

// defines reports whether u is a type of the set.
func (t *TypeSetType) defines(u Type) bool {
	_, ok := t.ownName(u)
	return ok
}

func (t *TypeSetType) ownName(u Type) (string, bool) {
	for k, v := range t.types.All() {
		if own, ok := v.(Type); ok && EqualTypes(own, u) {
			s, _ := k.(String)
			return string(s), true
		}
	}
	return "", false
}

// nameFor returns the name of u within the set.
func (t *TypeSetType) nameFor(u Type) string {
	if name, ok := t.ownName(u); ok {
		return name
	}
	for _, r := range t.references.list {
		if name, ok := r.resolved.ownName(u); ok {
			return r.alias + "::" + name
		}
	}
	return u.typeName()
}

// InitHash returns the hash that declares the set, as the function of [DeclareTypeSetType] takes it.
func (t *TypeSetType) InitHash() *Hash {
	var b HashBuilder
	set := func(name, text string) {
		if text != "" {
			b.SetString(name, String(text))
		}
	}
	if t.annotations != nil {
		b.SetString("annotations", t.annotations)
	}
	if t.isDefault() {
		set("pcore_uri", pcoreURI)
		set("pcore_version", "1.0.0")
		set("name_authority", runtimeNameAuthority)
		set("name", "DefaultTypeSet")
		set("version", "0.0.0")
		return b.Hash()
	}
	set("pcore_uri", t.uri)
	set("pcore_version", t.pcoreVersion.Text())
	set("name_authority", t.authority)
	b.SetString("name", textOrUndef(t.name))
	if t.version != nil {
		set("version", t.version.Text())
	}
	if t.types.Len() > 0 {
		b.SetString("types", t.types)
	}
	if len(t.references.list) > 0 {
		b.SetString("references", memberHash(t.references.list, func(r *typeSetReference) Value {
			return r.spec(t.authority)
		}))
	}
	return b.Hash()
}

func (r *typeSetReference) spec(authority string) Value {
	var b HashBuilder
	if r.authority != authority {
		b.SetString("name_authority", String(r.authority))
	}
	b.SetString("name", String(r.set))
	b.SetString("version_range", String(r.versions.Text()))
	return b.Hash()
}

// typeSet writes a TypeSet, in which its own types have their simple names.
func (f *typeFormatter) typeSet(t *TypeSetType) {
	outer := f.set
	defer func() { f.set = outer }()
	f.text("TypeSet[")
	f.entries(t.InitHash(), f.word, func(k, v Value) {
		h, ok := v.(*Hash)
		switch {
		case ok && k == Value(String("types")):
			f.set = t
			f.entries(h, f.word, func(_, u Value) { f.setMember(u) })
		case ok && k == Value(String("references")):
			f.entries(h, f.word, func(_, spec Value) { f.value(spec) })
		default:
			f.value(v)
		}
	})
	f.text("]")
}

// setMember writes the definition of a type of a set.
func (f *typeFormatter) setMember(v Value) {
	expand := f.expand
	f.expand = true
	switch u := v.(type) {
	case *Hash:
		f.declaration(u)
	case Type:
		f.append(u)
	default:
		f.value(u)
	}
	f.expand = expand
}

func typeSetInitType() Type {
	uri := pattern(`\A[a-zA-Z][\-+.a-zA-Z\d]*:\S*\z`)
	simpleName := pattern(`\A[A-Z]\w*\z`)
	qualifiedName := pattern(`\A[A-Z]\w*(?:::[A-Z]\w*)*\z`)
	text := NewStringType(atLeast(1))
	version := variant(text, &SemVerType{})
	reference := structOf(
		entry("name", qualifiedName),
		entry("version_range", variant(text, SemVerRangeType{})),
		maybe("name_authority", uri),
		annotationsType(),
	)
	return structOf(
		maybe("pcore_uri", uri),
		entry("pcore_version", version),
		maybe("name_authority", uri),
		maybe("name", qualifiedName),
		maybe("version", version),
		maybe("types", NewHashType(simpleName, variant(&TypeType{}, objectInitType()), atLeast(1))),
		maybe("references", NewHashType(simpleName, reference, atLeast(1))),
		annotationsType(),
	)
}
