package typeexpr

import (
	"fmt"
	"strings"

	"github.com/pcatdev/pcat/pcore"
)

// Access returns the result of evaluating t[keys…]: the type with parameters
// or, for several titles of a Resource or names of a Class, an Array of types.
// Arrays among the keys are flattened where the reference does so.
func Access(t pcore.Type, keys ...pcore.Value) (pcore.Value, error) {
	if r, ok := t.(*pcore.TypeReferenceType); ok {
		return nil, fmt.Errorf("%w: %s", ErrUnknownType, r.Ref())
	}
	return pcore.Parameterize(t, true, keys...)
}

// parameterize returns t[keys…] for keys that were parsed without evaluation.
func parameterize(t pcore.Type, keys []pcore.Value, r Resolver) (pcore.Value, error) {
	if resource, ok := t.(*pcore.ResourceType); ok && resource.Resource() == "" && (len(keys) == 1 || len(keys) == 2) {
		name, list, ok := unknownResource(keys[0])
		if ok {
			inner, err := parseList(list, r)
			if err != nil {
				return nil, err
			}
			keys = append([]pcore.Value{pcore.String(name)}, inner...)
		}
	}
	return pcore.Parameterize(t, false, keys...)
}

// unknownResource separates the name and the titles of Foo['x'], with an unknown Foo, as the
// parameter of Resource.
func unknownResource(v pcore.Value) (name, list string, ok bool) {
	switch v := v.(type) {
	case *pcore.TypeReferenceType:
		name = v.Ref()
	case pcore.String:
		name = string(v)
	default:
	}
	i := strings.IndexByte(name, '[')
	if i < 0 {
		return "", "", false
	}
	return name[:i], name[i:], true
}
