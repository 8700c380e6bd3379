package stdlib

import (
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

func lazyFunctions() []function.Function {
	return []function.Function{
		{
			Name: "reverse_each",
			Doc:  "Returns an iterator over the elements from the last to the first, or calls a block with each of them.",
			Dispatches: []function.Dispatch{
				on("Iterable iterable", reverseEach),
				on("Iterable iterable, &Callable[1, 1] block", reverseEach),
			},
		},
		{
			Name: "step",
			Doc:  "Returns an iterator over the first element and each that is so many further on, or calls a block with each of them.",
			Dispatches: []function.Dispatch{
				on("Iterable iterable, Integer[1] step", step),
				on("Iterable iterable, Integer[1] step, &Callable[1, 1] block", step),
			},
		},
		{
			Name: "tree_each",
			Doc:  "Returns an iterator over a value and everything inside it, each with its path, or calls a block with each.",
			Dispatches: []function.Dispatch{
				on(treeSignature+", &Callable[2, 2] block", treeEach),
				on(treeSignature+", &Callable[1, 1] block", treeEach),
				on(treeSignature, treeEach),
			},
		},
	}
}

func reverseEach(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	s, err := iterate(args[0])
	if err != nil {
		return nil, err
	}
	return offer(c, s.reversed())
}

func step(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	s, err := iterate(args[0])
	if err != nil {
		return nil, err
	}
	s, err = s.every(int64(args[1].(pcore.Integer)))
	if err != nil {
		return nil, err
	}
	return offer(c, s)
}

// offer returns the sequence as an iterator, or calls the block for each value.
func offer(c *function.Call, s sequence) (pcore.Value, error) {
	if c.Block == nil {
		return s.iterator(), nil
	}
	for v := range s.values {
		if _, err := c.Yield(v); function.IsBreak(err) {
			break
		} else if err != nil {
			return nil, err
		}
	}
	return pcore.Undef{}, nil
}

const treeSignature = "Variant[Iterator, Array, Hash, Object] tree, " +
	"Struct[{container_type => Optional[Type], include_root => Optional[Boolean], include_containers => Optional[Boolean], " +
	"include_values => Optional[Boolean], order => Optional[Enum[depth_first, breadth_first]], include_refs => Optional[Boolean]}] options?"

func treeEach(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	options, _ := optional(args, 1).(*pcore.Hash)
	t, err := newTree(args[0], options)
	if err != nil {
		return nil, err
	}
	if c.Block == nil {
		return pcore.NewIterator(pcore.AnyType{}, func(yield func(pcore.Value) bool) {
			t.walk(func(path []pcore.Value, v pcore.Value) bool {
				return yield(pcore.NewArray(pcore.NewArray(path...), v))
			})
		}), nil
	}
	_, byPath := c.Block.Signature().Arity()
	var failed error
	t.walk(func(path []pcore.Value, v pcore.Value) bool {
		if failed = c.Hold(elementSize * int64(1+len(path))); failed != nil {
			return false
		}
		if byPath == 1 {
			_, failed = c.Yield(v)
		} else {
			_, failed = c.Yield(pcore.NewArray(path...), v)
		}
		return failed == nil
	})
	if failed != nil && !function.IsBreak(failed) {
		return nil, failed
	}
	return args[0], nil
}

// tree traverses a value and its nested values.
type tree struct {
	root           pcore.Value
	container      pcore.Type // nil for any container
	withRoot       bool
	withContainers bool
	withValues     bool
	withReferences bool
	breadthFirst   bool
}

func newTree(root pcore.Value, options *pcore.Hash) (*tree, error) {
	flag := func(name string) bool {
		v, ok := options.GetString(name)
		return !ok || v == pcore.Value(pcore.Undef{}) || isTruthy(v)
	}
	t := &tree{
		root:           root,
		withRoot:       flag("include_root") && flag("include_containers"),
		withContainers: flag("include_containers"),
		withValues:     flag("include_values"),
	}
	if !t.withContainers && !t.withValues {
		return nil, errors.New("Options 'include_containers' and 'include_values' cannot both be false") //nolint:staticcheck // the reference's words
	}
	if v, ok := options.GetString("include_refs"); ok {
		t.withReferences = isTruthy(v)
	}
	if v, ok := options.GetString("order"); ok {
		t.breadthFirst = v == pcore.Value(pcore.String("breadth_first"))
	}
	if v, ok := options.GetString("container_type"); ok {
		t.container, _ = v.(pcore.Type)
	}
	if t.container != nil && !isContainerType(t.container) {
		return nil, fmt.Errorf("Only Array, Hash, and Object types can be used as container types. Got %s", t.container) //nolint:staticcheck // the reference's words
	}
	if t.inside(root) == nil {
		return nil, fmt.Errorf("a value of the kind %s has no tree", pcore.KindOf(root))
	}
	return t, nil
}

// isContainerType reports whether t contains only arrays, hashes and objects.
func isContainerType(t pcore.Type) bool {
	switch t := t.(type) {
	case *pcore.ArrayType, *pcore.TupleType, *pcore.HashType, *pcore.StructType, *pcore.ObjectType:
		return true
	case *pcore.VariantType:
		return !slices.ContainsFunc(t.Types(), func(u pcore.Type) bool { return !isContainerType(u) })
	case *pcore.TypeAliasType:
		return t.Resolved() != nil && isContainerType(t.Resolved())
	default:
		return false
	}
}

// inside returns the direct children of a container with their indexes, keys or
// attribute names, or nil if v is not a container.
func (t *tree) inside(v pcore.Value) iter.Seq2[pcore.Value, pcore.Value] {
	if t.container != nil && !pcore.Contains(t.container, v) {
		return nil
	}
	switch v := v.(type) {
	case *pcore.Array:
		return func(yield func(k, e pcore.Value) bool) {
			for i, e := range v.All() {
				if !yield(pcore.Integer(i), e) {
					return
				}
			}
		}
	case *pcore.Hash:
		return v.All()
	case *pcore.Object:
		return t.attributes(v)
	case *pcore.Deferred:
		return attributesOf(v).All()
	case pcore.Type:
		return attributesOfType(v)
	default:
		return nil
	}
}

// attributesOfType returns the attributes that the type of a type itself declares, or nil for a
// type that refers to itself, which has no end.
func attributesOfType(t pcore.Type) iter.Seq2[pcore.Value, pcore.Value] {
	_, all, err := pcore.MetaOf(t)
	if err != nil {
		return nil
	}
	return func(yield func(k, e pcore.Value) bool) {
		for _, name := range declaredByType(t) {
			e, ok := all.GetString(name)
			if !ok {
				e = absentOf(name)
			}
			if !yield(pcore.String(name), e) {
				return
			}
		}
	}
}

// declaredByType returns the names of the attributes that the type of a type declares. It
// inherits others: the bounds of Integer are attributes of Numeric, the size of Array is one
// of Collection.
func declaredByType(t pcore.Type) []string {
	switch t.(type) {
	case *pcore.StringType:
		return []string{"size_type_or_value"}
	case *pcore.EnumType:
		return []string{"values", "case_insensitive"}
	case *pcore.RegexpType:
		return []string{"pattern"}
	case *pcore.PatternType:
		return []string{"patterns"}
	case *pcore.SemVerType:
		return []string{"ranges"}
	case *pcore.URIType:
		return []string{"parameters"}
	case pcore.NumericType, *pcore.TimespanType, *pcore.TimestampType:
		return []string{"from", "to"}
	case *pcore.CollectionType:
		return []string{"size_type"}
	case *pcore.ArrayType:
		return []string{"element_type"}
	case *pcore.HashType:
		return []string{"key_type", "value_type"}
	case *pcore.TupleType:
		return []string{"types", "size_type"}
	case *pcore.StructType:
		return []string{"elements"}
	case *pcore.VariantType:
		return []string{"types"}
	case *pcore.OptionalType, *pcore.NotUndefType, *pcore.TypeType, *pcore.IterableType, *pcore.IteratorType:
		return []string{"type"}
	case *pcore.InitType:
		return []string{"type", "init_args"}
	case *pcore.CallableType:
		return []string{"param_types", "block_type", "return_type"}
	case *pcore.ClassType:
		return []string{"class_name"}
	case *pcore.ResourceType:
		return []string{"type_name", "title"}
	case *pcore.RuntimeType:
		return []string{"runtime", "name_or_pattern"}
	case *pcore.TypeReferenceType:
		return []string{"type_string"}
	case *pcore.TypeAliasType:
		return []string{"name", "type_expr", "resolved_type"}
	case *pcore.ObjectType:
		return []string{"_pcore_init_hash"}
	case *pcore.ObjectTypeExtension:
		return []string{"base_type", "init_parameters"}
	default:
		return nil
	}
}

// absentOf returns the value of an attribute that MetaOf leaves out.
func absentOf(name string) pcore.Value {
	switch name {
	case "case_insensitive":
		return pcore.Boolean(false)
	case "element_type", "key_type", "value_type":
		return pcore.AnyType{}
	case "ranges", "init_args":
		return pcore.NewArray()
	default:
		return pcore.Undef{}
	}
}

// attributes returns the attributes of an object that its type itself declares, as
// in the reference: constants too, references on request, but none that would have
// to be computed.
func (t *tree) attributes(v *pcore.Object) iter.Seq2[pcore.Value, pcore.Value] {
	var declaring *pcore.ObjectType
	switch of := v.Type().(type) {
	case *pcore.ObjectType:
		declaring = of
	case *pcore.ObjectTypeExtension:
		declaring = of.Base()
	default:
		return v.Attributes().All() // the type is unknown
	}
	return func(yield func(k, e pcore.Value) bool) {
		for _, name := range declaring.AttributeNames(t.withReferences) {
			if e, ok := v.Get(name); ok && !yield(pcore.String(name), e) {
				return
			}
		}
	}
}

// attributesOf returns the attributes of a Deferred, an object in the language.
func attributesOf(d *pcore.Deferred) *pcore.Hash {
	var args pcore.Value = pcore.Undef{}
	if a := d.Arguments(); a != nil {
		args = a
	}
	return pcore.NewHash(
		pcore.Entry{Key: pcore.String("name"), Value: pcore.String(d.Name())},
		pcore.Entry{Key: pcore.String("arguments"), Value: args},
	)
}

// node is a container that has not been visited yet.
type node struct {
	path   []pcore.Value
	inside iter.Seq2[pcore.Value, pcore.Value]
}

func (t *tree) walk(yield func(path []pcore.Value, v pcore.Value) bool) {
	if t.withRoot && !yield(nil, t.root) {
		return
	}
	root := node{inside: t.inside(t.root)}
	if root.inside == nil {
		return
	}
	if !t.breadthFirst {
		t.depthFirst(root, yield)
		return
	}
	for queue := []node{root}; len(queue) > 0; queue = queue[1:] {
		for k, v := range queue[0].inside {
			n := node{append(slices.Clip(queue[0].path), k), t.inside(v)}
			if t.wants(n) && !yield(n.path, v) {
				return
			}
			if n.inside != nil {
				queue = append(queue, n)
			}
		}
	}
}

func (t *tree) depthFirst(of node, yield func(path []pcore.Value, v pcore.Value) bool) bool {
	for k, v := range of.inside {
		n := node{append(slices.Clip(of.path), k), t.inside(v)}
		if t.wants(n) && !yield(n.path, v) {
			return false
		}
		if n.inside != nil && !t.depthFirst(n, yield) {
			return false
		}
	}
	return true
}

// wants reports whether a node is yielded. In breadth-first order the reference
// yields values even if only containers are requested.
func (t *tree) wants(n node) bool {
	if n.inside != nil {
		return t.withContainers
	}
	return t.withValues || t.breadthFirst
}
