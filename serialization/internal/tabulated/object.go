package tabulated

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// metaAttributes are the attribute names of the meta types that have
// attributes, in the order of the reference.
var metaAttributes = sync.OnceValue(func() map[string][]string {
	return map[string][]string{
		"ArrayType":           {"element_type", "size_type"},
		"CallableType":        {"param_types", "block_type", "return_type"},
		"ClassType":           {"class_name"},
		"CollectionType":      {"size_type"},
		"EnumType":            {"values", "case_insensitive"},
		"FloatType":           {"from", "to"},
		"HashType":            {"key_type", "value_type", "size_type"},
		"InitType":            {"type", "init_args"},
		"IntegerType":         {"from", "to"},
		"IterableType":        {"type"},
		"IteratorType":        {"type"},
		"NotUndefType":        {"type"},
		"ObjectType":          {"_pcore_init_hash"},
		"ObjectTypeExtenType": {"base_type", "init_parameters"},
		"OptionalType":        {"type"},
		"PatternType":         {"patterns"},
		"RegexpType":          {"pattern"},
		"ResourceType":        {"type_name", "title"},
		"RuntimeType":         {"runtime", "name_or_pattern"},
		"SemVerType":          {"ranges"},
		"StringType":          {"size_type_or_value"},
		"StructElement":       {"key_type", "value_type"},
		"StructType":          {"elements"},
		"TimespanType":        {"from", "to"},
		"TimestampType":       {"from", "to"},
		"TupleType":           {"types", "size_type"},
		"TypeReferenceType":   {"type_string"},
		"TypeType":            {"type"},
		"URIType":             {"parameters"},
		"VariantType":         {"types"},
	}
})

// pcoreObject reads an object that has the name of its type.
func (d *deserializer) pcoreObject(name string, n int) (seen, error) {
	index := d.open()
	kind, meta := strings.CutPrefix(name, metaPrefix)
	switch {
	case name == metaPrefix+"TypeAliasType":
		return d.alias(index, n)
	case meta:
		return d.meta(index, kind, n)
	}
	t, err := d.typeNamed(name)
	if err != nil {
		return seen{}, err
	}
	return d.instance(index, t, n)
}

// object reads an object that follows its type.
func (d *deserializer) object(n int) (seen, error) {
	if n == 0 {
		return seen{}, fmt.Errorf("%w: an object without a type", serialization.ErrSyntax)
	}
	typ, err := d.within()
	if err != nil {
		return seen{}, d.at(pcore.Step{Kind: pcore.StepAttribute, Key: pcore.String("__ptype")}, err)
	}
	index := d.open()
	switch t := typ.value.(type) {
	case *pcore.ObjectType:
		return d.instance(index, t, n-1)
	case *pcore.ObjectTypeExtension:
		return d.instance(index, t.Base(), n-1)
	case *pcore.TypeReferenceType:
		return d.undeclared(index, t, n-1)
	default:
		return seen{}, fmt.Errorf("%w: the type of an object is not an Object type", serialization.ErrValue)
	}
}

// typeNamed returns the Object type with the given name. Types defined in the
// document take precedence.
func (d *deserializer) typeNamed(name string) (*pcore.ObjectType, error) {
	if t, ok := d.types[name]; ok {
		return t, nil
	}
	if !validName(name) {
		return nil, serialization.ErrUnknownType
	}
	typ, err := d.opts.Types.Resolve(name)
	switch {
	case errors.Is(err, serialization.ErrUnknownType):
		return nil, fmt.Errorf("%w: the type is needed for the names of the attributes", err)
	case err != nil:
		return nil, err
	}
	switch t := typ.(type) {
	case *pcore.ObjectType:
		return t, nil
	case *pcore.ObjectTypeExtension:
		return t.Base(), nil
	}
	return nil, fmt.Errorf("%w: %s is not an Object type", serialization.ErrValue, pcore.TypeName(typ))
}

// instance reads the attributes of an object.
func (d *deserializer) instance(index int, t *pcore.ObjectType, n int) (seen, error) {
	elems := t.InitType().Elements()
	names := make([]string, len(elems))
	for i, e := range elems {
		names[i] = e.Name()
	}
	attributes, weight, err := d.attributes(names, n)
	if err != nil {
		return seen{}, err
	}
	v, err := newInstance(t, attributes)
	if err != nil {
		return seen{}, fmt.Errorf("%w: %w", serialization.ErrValue, err)
	}
	return d.close(index, v, weight)
}

var (
	errDeferred   = errors.New("a Deferred has a name (String) and optional arguments (Array)")
	errUndeclared = errors.New("an object of an unknown type needs a map of attribute names to values")
)

func newInstance(t *pcore.ObjectType, attributes *pcore.Hash) (pcore.Value, error) {
	if t != pcore.DeferredType() {
		return t.Restore(attributes)
	}
	value, _ := attributes.GetString("name")
	name, ok := value.(pcore.String)
	if !ok {
		return nil, errDeferred
	}
	switch args, _ := attributes.GetString("arguments"); args := args.(type) {
	case nil, pcore.Undef:
		return pcore.NewDeferred(string(name), nil), nil
	case *pcore.Array:
		return pcore.NewDeferred(string(name), args), nil
	default:
		return nil, errDeferred
	}
}

// attributes reads the values of n attributes, which have the first n names.
func (d *deserializer) attributes(names []string, n int) (attributes *pcore.Hash, weight int, err error) {
	if n > len(names) {
		return nil, 0, fmt.Errorf("%w: the type has %d attributes, the object %d", serialization.ErrValue, len(names), n)
	}
	weight = 1
	b := pcore.NewHashBuilder(n)
	for i, name := range names[:n] {
		v, err := d.within()
		if err != nil {
			return nil, 0, d.at(pcore.Step{Kind: pcore.StepAttribute, Index: i, Key: pcore.String(name)}, err)
		}
		b.SetString(name, v.value)
		weight = heavier(weight, v)
	}
	return b.Hash(), weight, nil
}

// undeclared reads the attributes of an object with a type reference.
func (d *deserializer) undeclared(index int, t *pcore.TypeReferenceType, n int) (seen, error) {
	known, err := d.typeNamed(t.Ref())
	switch {
	case err != nil && !errors.Is(err, serialization.ErrUnknownType):
		return seen{}, err
	case err != nil && !d.opts.AllowUnknownTypes:
		return seen{}, err
	case n != 1:
		return seen{}, fmt.Errorf("%w: %w", serialization.ErrValue, errUndeclared)
	}
	v, err := d.within()
	if err != nil {
		return seen{}, d.at(pcore.Step{Kind: pcore.StepAttribute, Key: pcore.String("attributes")}, err)
	}
	attributes, ok := v.value.(*pcore.Hash)
	if !ok || !namesOnly(attributes) {
		return seen{}, fmt.Errorf("%w: %w", serialization.ErrValue, errUndeclared)
	}
	if known == nil {
		return d.close(index, pcore.NewObject(t, attributes), v.weight+1)
	}
	restored, err := newInstance(known, attributes)
	if err != nil {
		return seen{}, fmt.Errorf("%w: %w", serialization.ErrValue, err)
	}
	return d.close(index, restored, v.weight+1)
}

func namesOnly(h *pcore.Hash) bool {
	for k := range h.Keys() {
		if _, ok := k.(pcore.String); !ok {
			return false
		}
	}
	return true
}

// meta reads a type or an entry of a Struct.
func (d *deserializer) meta(index int, kind string, n int) (seen, error) {
	attributes, weight, err := d.attributes(metaAttributes()[kind], n)
	if err != nil {
		return seen{}, err
	}
	v, err := pcore.FromMeta(metaPrefix+kind, attributes)
	switch {
	case errors.Is(err, pcore.ErrNoMetaType):
		return seen{}, fmt.Errorf("%w: no metatype has this name", serialization.ErrUnknownType)
	case err != nil:
		return seen{}, fmt.Errorf("%w: %w", serialization.ErrValue, err)
	}
	if t, ok := v.(*pcore.ObjectType); ok && t.Named() {
		v = d.declared(t)
	}
	return d.close(index, v, weight)
}

// declared returns the type to use for a type defined in the document: the
// known type with that name if they are equal.
func (d *deserializer) declared(t *pcore.ObjectType) *pcore.ObjectType {
	if known, err := d.typeNamed(t.Name()); err == nil && pcore.EqualTypes(known, t) {
		return known
	}
	d.types[t.Name()] = t
	return t
}

// alias reads a type alias, which may refer to itself.
func (d *deserializer) alias(index, n int) (seen, error) {
	if n != 3 {
		return seen{}, fmt.Errorf("%w: an alias has a name, an expression and a type", serialization.ErrValue)
	}
	value, err := d.within()
	if err != nil {
		return seen{}, d.at(pcore.Step{Kind: pcore.StepAttribute, Key: pcore.String("name")}, err)
	}
	name, ok := value.value.(pcore.String)
	if !ok {
		return seen{}, fmt.Errorf("%w: the name of an alias is a String", serialization.ErrValue)
	}
	alias, resolve := pcore.NewTypeAliasType(string(name))
	d.values[index] = seen{alias, 1}
	if _, err := d.within(); err != nil {
		return seen{}, d.at(pcore.Step{Kind: pcore.StepAttribute, Index: 1, Key: pcore.String("type_expr")}, err)
	}
	value, err = d.within()
	if err != nil {
		return seen{}, d.at(pcore.Step{Kind: pcore.StepAttribute, Index: 2, Key: pcore.String("resolved_type")}, err)
	}
	t, ok := value.value.(pcore.Type)
	if !ok {
		return seen{}, fmt.Errorf("%w: an alias must refer to a type", serialization.ErrValue)
	}
	if err := resolve(t); err != nil {
		return seen{}, fmt.Errorf("%w: %w", serialization.ErrValue, err)
	}
	return d.close(index, d.known(alias, string(name)), value.weight+1)
}

// known returns the type to use for an alias in the document: the known alias with that name if
// they are equal, which known Object types also refer to.
func (d *deserializer) known(alias *pcore.TypeAliasType, name string) *pcore.TypeAliasType {
	if !validName(name) {
		return alias
	}
	t, err := d.opts.Types.Resolve(name)
	if known, ok := t.(*pcore.TypeAliasType); ok && err == nil && pcore.EqualTypes(known, alias) {
		return known
	}
	return alias
}
