package stdlib

import (
	"errors"
	"fmt"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/internal/annotation"
)

func annotationFunctions() []function.Function {
	const entries = "Hash[Pcore::MemberName, Any]"
	return []function.Function{{
		Name: "annotate",
		Doc: "Returns the annotation of a value, an object of a type that inherits from Annotation. A block or a hash with the attributes " +
			"creates it, clear removes it. With the type Pcore and several annotations by their types, it returns the value.",
		HandlesSensitive: true, // an annotation has only attributes that were given for it
		Dispatches: []function.Dispatch{
			on("Type[Annotation] type, Any value, &Callable[0, 0] block?", annotate),
			on("Type[Annotation] type, Any value, Variant[Enum[clear], "+entries+"] annotation_hash", reannotate),
			on("Type[Pcore] type, Any value, Hash[Type[Annotation], "+entries+"] annotations", annotateAll),
		},
	}}
}

// annotate returns the annotation of a value, after it has created one that the type of the value
// declares, or that the block describes.
func annotate(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	t, err := annotationType(args[0])
	if err != nil {
		return nil, err
	}
	return annotated(c, t, args[1], func() (pcore.Value, error) {
		if c.Block == nil {
			return pcore.Undef{}, nil
		}
		return c.Yield()
	})
}

// annotated is annotate with the attributes of a new annotation, which are undef for none.
func annotated(c *function.Call, t *pcore.ObjectType, v pcore.Value, attributes func() (pcore.Value, error)) (pcore.Value, error) {
	if o, ok := annotation.In(c.Context()).Get(v, t.Name()); ok {
		return o, nil
	}
	init, ok := declaredAnnotation(v, t)
	if !ok {
		var err error
		if init, err = attributes(); err != nil || init == pcore.Value(pcore.Undef{}) {
			return init, err
		}
	}
	return newAnnotation(c, t, v, init)
}

// reannotate replaces or clears the annotation of a value.
func reannotate(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	t, err := annotationType(args[0])
	if err != nil {
		return nil, err
	}
	v, init := args[1], args[2]
	_, clear := init.(pcore.String)
	if _, ok := declaredAnnotation(v, t); ok {
		action := "redefine"
		if clear {
			action = "clear"
		}
		return nil, fmt.Errorf("attempt to %s %s annotation declared on %s", action, t.Name(), pcore.FormatType(v.(pcore.Type), pcore.TypeByName))
	}
	if !clear {
		return newAnnotation(c, t, v, init)
	}
	if o, ok := annotation.In(c.Context()).Clear(v, t.Name()); ok {
		return o, nil
	}
	return pcore.Undef{}, nil
}

// annotateAll creates the annotations that a value does not have, and returns the value.
func annotateAll(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	all, _ := args[2].(*pcore.Hash)
	for k, init := range all.All() {
		t, err := annotationType(k)
		if err != nil {
			return nil, err
		}
		if _, err := annotated(c, t, args[1], func() (pcore.Value, error) { return init, nil }); err != nil {
			return nil, err
		}
	}
	return args[1], nil
}

// annotationType returns the Object type for annotations that an argument is.
func annotationType(v pcore.Value) (*pcore.ObjectType, error) {
	switch t := v.(type) {
	case *pcore.TypeAliasType:
		return annotationType(t.Resolved())
	case *pcore.ObjectTypeExtension:
		return t.Base(), nil
	case *pcore.ObjectType:
		if t.Named() {
			return t, nil
		}
		return nil, errors.New("a type for annotations needs a name")
	default: // accepted as Type[Annotation], such as a Variant
		return nil, fmt.Errorf("%s is not one type for annotations", v)
	}
}

// declaredAnnotation returns the attributes of an annotation that a type declares.
func declaredAnnotation(v pcore.Value, t *pcore.ObjectType) (pcore.Value, bool) {
	var init *pcore.Hash
	switch v := v.(type) {
	case *pcore.ObjectType:
		init = v.InitHash()
	case *pcore.TypeSetType:
		init = v.InitHash()
	default:
		return nil, false
	}
	all, _ := init.GetString("annotations")
	declared, _ := all.(*pcore.Hash)
	return declared.Get(t)
}

// newAnnotation gives v an annotation.
func newAnnotation(c *function.Call, t *pcore.ObjectType, v, init pcore.Value) (pcore.Value, error) {
	attributes, ok := init.(*pcore.Hash)
	if !ok {
		return nil, pcore.Mismatch(t.Name()+" initializer", t.InitType(), init)
	}
	o, err := t.NewByName(attributes)
	if err != nil {
		return nil, err
	}
	if !annotation.CanHave(v) {
		return nil, fmt.Errorf("a value of type %s cannot have annotations", pcore.Generalize(pcore.Infer(v)))
	}
	all, size := annotation.In(c.Context()), function.SizeOf(o)
	if _, known := all.Get(v, t.Name()); !known { // all hold v from now on
		size += function.SizeOf(v)
	}
	if err := c.Spend(int(size)); err != nil {
		return nil, err
	}
	if !all.Set(v, t.Name(), o, size) {
		return nil, fmt.Errorf("too many annotations: %w", function.ErrMemory)
	}
	return o, nil
}
