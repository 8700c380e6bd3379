package typeexpr

import (
	"errors"
	"strings"

	"github.com/pcatdev/pcat/pcore"
)

// Resolver finds types that are not built-in. The name is in lower case, its
// segments joined by `::`, without leading `::`. For an unknown name it returns
// [ErrUnknownType]. Package-level functions that accept a Resolver allow nil,
// for no further types.
type Resolver interface {
	ResolveType(name string) (pcore.Type, error)
}

// Named returns the type with the given name, ignoring case: a built-in type,
// or one that r finds. The error is, or wraps, [ErrUnknownType] if there is
// none.
func Named(name string, r Resolver) (pcore.Type, error) {
	if t, ok := pcore.BuiltinType(name); ok {
		return t, nil
	}
	name = strings.ToLower(strings.TrimPrefix(name, "::"))
	if t, ok := pcore.BuiltinType(name); ok {
		return t, nil
	}
	if r != nil {
		if t, err := r.ResolveType(name); !errors.Is(err, ErrUnknownType) {
			return t, err
		}
	}
	if t := resourceType(name); t != "" {
		v, err := pcore.Parameterize(&pcore.ResourceType{}, false, pcore.String(t))
		if err != nil {
			return nil, err
		}
		return v.(pcore.Type), nil
	}
	return builtinType(name)
}

// resourceTypes are Puppet's built-in resource types.
var resourceTypes = [...]string{
	"Component", "Exec", "File", "Filebucket", "Group", "Node", "Notify", "Package", "Resources", "Schedule",
	"Service", "Stage", "Tidy", "User", "Whit",
}

// resourceType returns the element of resourceTypes with the given lower-case
// name, or "".
func resourceType(name string) string {
	for _, t := range resourceTypes {
		if len(t) == len(name) && t[1:] == name[1:] && t[0]-'A'+'a' == name[0] {
			return t
		}
	}
	return ""
}
