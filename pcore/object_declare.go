package pcore

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/pcatdev/pcat/internal/ruby/literal"
)

// errObjectType is wrapped by the errors for a declaration of an Object type
// that is inconsistent, in itself or with its parent.
var errObjectType = errors.New("invalid Object type")

func objectError(format string, args ...any) error {
	return fmt.Errorf("%w: %s", errObjectType, fmt.Sprintf(format, args...))
}

// NewObjectType returns the Object type that init declares, a hash with the
// optional keys name, parent, type_parameters, attributes, constants,
// functions, equality, equality_include_type, checks and annotations. An empty
// hash declares Object, the type of all objects.
func NewObjectType(init *Hash) (*ObjectType, error) {
	t, declare := DeclareObjectType("")
	return t, declare(init)
}

// DeclareObjectType returns an incomplete Object type, and the function that
// completes it with the hash of [NewObjectType], which may refer to the type.
// The function must be called once. Before that call, the type may only be used
// as a component of other types.
func DeclareObjectType(name string) (t *ObjectType, declare func(init *Hash) error) {
	t = &ObjectType{name: name}
	return t, func(init *Hash) error {
		d := objectDeclaration{t: t, init: init}
		return d.declare()
	}
}

// objectDeclaration is the state of completing an Object type.
type objectDeclaration struct {
	t    *ObjectType
	init *Hash
	// inherited from the parent
	inherited       *ObjectType
	parentAttrs     members[*objectAttribute]
	parentFunctions members[*objectFunction]
	parentParams    members[*objectAttribute]
}

func (d *objectDeclaration) declare() error {
	if err := assertInstance("object initializer", objectInitType(), d.init); err != nil {
		return err
	}
	if name, ok := d.init.GetString("name"); ok && d.t.name == "" {
		d.t.name = string(name.(String))
	}
	for _, step := range []func() error{
		d.parent, d.typeParameters, d.attributes, d.functions, d.equality,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	if checks, ok := d.init.GetString("checks"); ok && checks.kind() != kindUndef {
		d.t.checks = checks
	}
	d.t.annotations = d.hash("annotations")
	return nil
}

func (d *objectDeclaration) hash(name string) *Hash {
	v, _ := d.init.GetString(name)
	h, _ := v.(*Hash)
	return h
}

func (d *objectDeclaration) parent() error {
	v, ok := d.init.GetString("parent")
	if !ok {
		return nil
	}
	d.t.parent = v.(Type)
	for p := d.t.parent; p != nil; {
		switch resolved := resolveAlias(p).(type) {
		case *TypeReferenceType:
			return objectError("%s: reference to unresolved type %s", d.t.label(), literal.Quote(resolved.ref))
		case *ObjectType:
			if resolved == d.t {
				return objectError("the type %s inherits from itself", d.t.label())
			}
			p = resolved.parent
		default:
			p = nil
		}
	}
	d.inherited = d.t.parentObject()
	if d.inherited != nil {
		d.parentAttrs, d.parentFunctions = d.inherited.allAttributes(), d.inherited.allFunctions()
		d.parentParams = d.inherited.allParams()
	}
	return nil
}

func (d *objectDeclaration) typeParameters() error {
	for k, spec := range d.hash("type_parameters").All() {
		name := string(k.(String))
		p := &objectAttribute{name: name, owner: d.t, parameter: true}
		switch spec := spec.(type) {
		case Type:
			p.typ = spec
		case *Hash:
			v, _ := spec.GetString("type")
			t, ok := v.(Type)
			if !ok {
				return objectError("%s: the type is missing", p.label())
			}
			p.typ = t
			p.value, _ = spec.GetString("value")
		default:
			return assertInstance(p.label(), &TypeType{}, spec)
		}
		if _, ok := p.typ.(*OptionalType); !ok {
			p.typ = NewOptionalType(p.typ)
		}
		if inherited, ok := d.parentParams.get(name); ok {
			return objectError("%s attempts to override %s without having override => true", p.label(), inherited.label())
		}
		d.t.params.add(p)
	}
	return nil
}

func (d *objectDeclaration) attributes() error {
	for k, spec := range d.hash("attributes").All() {
		a, err := d.attribute(string(k.(String)), spec)
		if err != nil {
			return err
		}
		d.t.attrs.add(a)
	}
	for k, v := range d.hash("constants").All() {
		name := string(k.(String))
		if _, ok := d.t.attrs.get(name); ok {
			return objectError("attribute %s[%s] is defined as both a constant and an attribute", d.t.label(), name)
		}
		a := &objectAttribute{name: name, owner: d.t, kind: attributeConstant, value: v, typ: Generalize(Infer(v)), final: true}
		_, a.override = d.parentAttrs.get(name)
		if err := d.checkAttributeOverride(a); err != nil {
			return err
		}
		d.t.attrs.add(a)
	}
	return nil
}

func (d *objectDeclaration) attribute(name string, spec Value) (*objectAttribute, error) {
	a := &objectAttribute{name: name, owner: d.t}
	if name == "__ptype" || name == "__pvalue" {
		return nil, objectError("The attribute '%s' is reserved and cannot be used", name)
	}
	switch spec := spec.(type) {
	case Type:
		a.typ = spec
		if _, ok := spec.(*OptionalType); ok {
			a.value = Undef{}
		}
	case *Hash:
		if err := a.take(spec); err != nil {
			return nil, err
		}
	default:
		return nil, assertInstance(a.label(), &TypeType{}, spec)
	}
	return a, d.checkAttributeOverride(a)
}

func (a *objectAttribute) take(spec *Hash) error {
	if err := assertInstance("initializer for "+a.label(), attributeInitType(), spec); err != nil {
		return err
	}
	t, _ := spec.GetString("type")
	a.typ, _ = t.(Type)
	kind, _ := spec.GetString("kind")
	text, _ := kind.(String)
	a.kind = attributeKind(text)
	a.final = flag(spec, "final")
	a.override = flag(spec, "override")
	annotations, _ := spec.GetString("annotations")
	a.annotations, _ = annotations.(*Hash)
	v, given := spec.GetString("value")
	if a.kind == attributeConstant {
		if _, ok := spec.GetString("final"); ok && !a.final {
			return objectError("%s of kind 'constant' cannot be combined with final => false", a.label())
		}
		if !given {
			return objectError("%s of kind 'constant' requires a value", a.label())
		}
		a.final = true
	}
	if !given {
		return nil
	}
	if a.kind == attributeDerived || a.kind == attributeGivenOrDerived {
		return objectError("%s of kind '%s' cannot be combined with an attribute value", a.label(), a.kind)
	}
	a.value = v
	if _, ok := v.(Default); ok {
		return nil
	}
	return assertInstance(a.label()+" value", a.typ, v)
}

func flag(h *Hash, name string) bool {
	v, _ := h.GetString(name)
	return v == Value(Boolean(true))
}

func (d *objectDeclaration) checkAttributeOverride(a *objectAttribute) error {
	if f, ok := d.parentFunctions.get(a.name); ok {
		return objectError("%s attempts to override %s", a.label(), f.label())
	}
	inherited, ok := d.parentAttrs.get(a.name)
	if !ok {
		return missingOverride(a.override, a.label(), "attribute")
	}
	bothConstant := inherited.kind == attributeConstant && a.kind == attributeConstant
	return checkOverride(a, inherited, inherited.final && !bothConstant, a.override)
}

func missingOverride(override bool, label, feature string) error {
	if override {
		return objectError("expected %s to override an inherited %s, but no such %s was found", label, feature, feature)
	}
	return nil
}

type objectMember interface {
	label() string
	Type() Type
}

func checkOverride(m, inherited objectMember, final, override bool) error {
	switch {
	case final:
		return objectError("%s attempts to override final %s", m.label(), inherited.label())
	case !override:
		return objectError("%s attempts to override %s without having override => true", m.label(), inherited.label())
	case !Accepts(inherited.Type(), m.Type()):
		return objectError("%s attempts to override %s with a type that does not match", m.label(), inherited.label())
	}
	return nil
}

func (d *objectDeclaration) functions() error {
	for k, spec := range d.hash("functions").All() {
		f := &objectFunction{name: string(k.(String)), owner: d.t}
		if err := f.take(spec); err != nil {
			return err
		}
		if _, ok := d.t.attrs.get(f.name); ok {
			return objectError("%s conflicts with attribute with the same name", f.label())
		}
		if a, ok := d.parentAttrs.get(f.name); ok {
			return objectError("%s attempts to override %s", f.label(), a.label())
		}
		inherited, ok := d.parentFunctions.get(f.name)
		err := missingOverride(!ok && f.override, f.label(), "function")
		if ok {
			err = checkOverride(f, inherited, inherited.final, f.override)
		}
		if err != nil {
			return err
		}
		d.t.functions.add(f)
	}
	return nil
}

func (f *objectFunction) take(spec Value) error {
	h, ok := spec.(*Hash)
	if !ok {
		if err := assertInstance(f.label(), newTypeType(&CallableType{}), spec); err != nil {
			return err
		}
		f.typ = spec.(Type)
		return nil
	}
	if err := assertInstance("initializer for function "+literal.Quote(f.name), functionInitType(), h); err != nil {
		return err
	}
	t, _ := h.GetString("type")
	f.typ, _ = t.(Type)
	f.final, f.override = flag(h, "final"), flag(h, "override")
	annotations, _ := h.GetString("annotations")
	f.annotations, _ = annotations.(*Hash)
	return nil
}

func (d *objectDeclaration) equality() error {
	include, given := d.init.GetString("equality_include_type")
	d.t.ignoreType = given && include == Value(Boolean(false))
	switch v, _ := d.init.GetString("equality"); v := v.(type) {
	case String:
		d.t.equality = []string{string(v)}
	case *Array:
		d.t.equality = make([]string, 0, v.Len())
		for e := range v.Values() {
			name, _ := e.(String)
			d.t.equality = append(d.t.equality, string(name))
		}
	default: // not given
	}
	if len(d.t.equality) == 0 {
		return nil
	}
	if d.t.ignoreType {
		return objectError("%s: equality_include_type = false cannot be combined with non empty equality specification", d.t.label())
	}
	for _, name := range d.t.equality {
		if err := d.checkEquality(name); err != nil {
			return err
		}
	}
	return nil
}

func (d *objectDeclaration) checkEquality(name string) error {
	label := d.t.label()
	if a, ok := d.parentAttrs.get(name); ok {
		if definer := d.inherited.equalityDefiner(name); definer != nil {
			return objectError("%s equality is referencing %s which is included in equality of %s", label, a.label(), definer.label())
		}
		if a.kind == attributeConstant {
			return constantInEquality(label, a)
		}
		return nil
	}
	if a, ok := d.t.attrs.get(name); ok {
		if a.kind == attributeConstant {
			return constantInEquality(label, a)
		}
		return nil
	}
	for _, of := range []members[*objectFunction]{d.t.functions, d.parentFunctions} {
		if f, ok := of.get(name); ok {
			return objectError("%s equality is referencing %s. Only attribute references are allowed", label, f.label())
		}
	}
	return objectError("%s equality is referencing non existent attribute %s", label, literal.Quote(name))
}

func constantInEquality(label string, a *objectAttribute) error {
	return objectError("%s equality is referencing constant %s. Reference to constant is not allowed in equality", label, a.label())
}

// equalityDefiner returns the farthest ancestor of t, or t itself, whose
// equality includes the attribute, or nil if there is none.
func (t *ObjectType) equalityDefiner(name string) *ObjectType {
	for _, p := range t.lineage() {
		if slices.Contains(p.equalityNames(), name) {
			return p
		}
	}
	return nil
}

// equalityNames returns the attributes declared by t itself that are compared
// for equality.
func (t *ObjectType) equalityNames() []string {
	if t.equality != nil {
		return t.equality
	}
	var names []string
	for _, a := range t.attrs.list {
		if a.kind != attributeConstant && a.kind != attributeDerived {
			names = append(names, a.name)
		}
	}
	return names
}

func (t *ObjectType) label() string { return t.Name() }

func (a *objectAttribute) label() string {
	feature := "attribute"
	if a.parameter {
		feature = "type_parameter"
	}
	return feature + " " + a.owner.label() + "[" + a.name + "]"
}

func (f *objectFunction) label() string { return "function " + f.owner.label() + "[" + f.name + "]" }

// allAttributes returns the inherited attributes, followed by those of t.
func (t *ObjectType) allAttributes() members[*objectAttribute] {
	var all members[*objectAttribute]
	for _, p := range t.lineage() {
		for _, a := range p.attrs.list {
			all.add(a)
		}
	}
	return all
}

func (t *ObjectType) allFunctions() members[*objectFunction] {
	var all members[*objectFunction]
	for _, p := range t.lineage() {
		for _, f := range p.functions.list {
			all.add(f)
		}
	}
	return all
}

func (t *ObjectType) allParams() members[*objectAttribute] {
	var all members[*objectAttribute]
	for _, p := range t.lineage() {
		for _, a := range p.params.list {
			all.add(a)
		}
	}
	return all
}

// InitHash returns the hash that declares the type, as accepted by
// [NewObjectType].
func (t *ObjectType) InitHash() *Hash { return t.initHash(true) }

func (t *ObjectType) initHash(named bool) *Hash {
	var b HashBuilder
	if t.annotations != nil {
		b.SetString("annotations", t.annotations)
	}
	if named && t.name != "" {
		b.SetString("name", String(t.name))
	}
	if t.parent != nil {
		b.SetString("parent", t.parent)
	}
	if len(t.params.list) > 0 {
		b.SetString("type_parameters", memberHash(t.params.list, (*objectAttribute).paramSpec))
	}
	var constants, others []*objectAttribute
	for _, a := range t.attrs.list {
		if a.kind == attributeConstant && EqualTypes(a.typ, Generalize(Infer(a.value))) {
			constants = append(constants, a)
		} else {
			others = append(others, a)
		}
	}
	if len(others) > 0 {
		b.SetString("attributes", memberHash(others, (*objectAttribute).spec))
	}
	if len(constants) > 0 {
		b.SetString("constants", memberHash(constants, func(a *objectAttribute) Value { return a.value }))
	}
	if len(t.functions.list) > 0 {
		b.SetString("functions", memberHash(t.functions.list, (*objectFunction).spec))
	}
	if t.equality != nil {
		b.SetString("equality", arrayOf(t.equality, func(s string) Value { return String(s) }))
	}
	if t.checks != nil {
		b.SetString("checks", t.checks)
	}
	return b.Hash()
}

func memberHash[M interface{ Name() string }](list []M, spec func(M) Value) *Hash {
	var b HashBuilder
	for _, m := range list {
		b.SetString(m.Name(), spec(m))
	}
	return b.Hash()
}

// spec returns the hash that declares the attribute, or only its type if
// nothing else is declared.
func (a *objectAttribute) spec() Value { return a.specOf(a.typ) }

func (a *objectAttribute) specOf(t Type) Value {
	var b HashBuilder
	b.SetString("type", t)
	if a.final && a.kind != attributeConstant {
		b.SetString("final", Boolean(true))
	}
	if a.override {
		b.SetString("override", Boolean(true))
	}
	if a.annotations != nil {
		b.SetString("annotations", a.annotations)
	}
	if a.kind != attributeGiven {
		b.SetString("kind", String(a.kind))
	}
	if a.value != nil {
		b.SetString("value", a.value)
	}
	if b.Len() == 1 {
		return t
	}
	return b.Hash()
}

// paramSpec omits the Optional that type parameters always have.
func (a *objectAttribute) paramSpec() Value {
	p := *a
	if p.value == Value(Undef{}) {
		p.value = nil
	}
	if o, ok := a.typ.(*OptionalType); ok && o.elem != nil {
		return p.specOf(o.elem)
	}
	return p.specOf(a.typ)
}

func (f *objectFunction) spec() Value {
	a := objectAttribute{typ: f.typ, final: f.final, override: f.override, annotations: f.annotations}
	return a.spec()
}

// memberName returns the type of the names of attributes and functions.
func memberName() Type { return pattern(`\A[a-z_]\w*\z`) }

func annotationsType() StructElement {
	return maybe("annotations", NewOptionalType(NewHashType(newTypeType(annotationType()), NewHashType(memberName(), nil, nil), nil)))
}

// The types of the hashes that declare Object types and their members. They are
// created with the first declaration.
var (
	objectInitType = sync.OnceValue(func() Type {
		name, notUndef := memberName(), newNotUndefType(nil)
		return structOf(
			maybe("name", pattern(`\A[A-Z]\w*(?:::[A-Z]\w*)*\z`)),
			maybe("parent", &TypeType{}),
			maybe("type_parameters", NewHashType(name, notUndef, nil)),
			maybe("attributes", NewHashType(name, notUndef, nil)),
			maybe("constants", NewHashType(name, nil, nil)),
			maybe("functions", NewHashType(variant(name, newStringValueType("[]")), notUndef, nil)),
			maybe("equality", variant(name, NewArrayType(name, nil))),
			maybe("equality_include_type", &BooleanType{}),
			maybe("checks", AnyType{}),
			annotationsType(),
		)
	})
	attributeInitType = sync.OnceValue(func() Type {
		return structOf(
			entry("type", &TypeType{}),
			maybe("final", &BooleanType{}),
			maybe("override", &BooleanType{}),
			maybe("kind", NewEnumType(false, string(attributeConstant), string(attributeDerived),
				string(attributeGivenOrDerived), string(attributeReference))),
			maybe("value", AnyType{}),
			annotationsType(),
		)
	})
	functionInitType = sync.OnceValue(func() Type {
		return structOf(
			entry("type", newTypeType(&CallableType{})),
			maybe("final", &BooleanType{}),
			maybe("override", &BooleanType{}),
			annotationsType(),
		)
	})
)

// lastSegment returns the part of a qualified name after the last ::.
func lastSegment(name string) string {
	return name[strings.LastIndex(name, ":")+1:]
}
