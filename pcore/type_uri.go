package pcore

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// URIType describes URIs by their components.
type URIType struct {
	typeKind
	params *Hash
}

// newURIType returns the type of the URIs whose components match params, by
// name. The port matches an Integer, all other components a String or a Regexp.
// Any component also matches undef, or a type that NotUndef or Undef accepts,
// such as an Enum or a Pattern. Empty params means all URIs.
func newURIType(params *Hash) (*URIType, error) {
	if params.Len() == 0 {
		return &URIType{}, nil
	}
	for k, v := range params.All() {
		name, _ := k.(String)
		if !slices.Contains(uriComponentNames(), string(name)) {
			return nil, fmt.Errorf("URI: there is no component %s", k)
		}
		if !isURIParameter(string(name), v) {
			return nil, fmt.Errorf("URI: the component %s cannot match a value of type %s", name, Generalize(Infer(v)))
		}
	}
	return &URIType{params: params}, nil
}

// parseURIType returns the type of the URIs with the same components as text.
// Like the reference implementation, it rejects relative references: the text
// must contain an absolute URI.
func parseURIType(text string) (*URIType, error) {
	u, err := ParseURI(text)
	if err != nil {
		return nil, err
	}
	if !holdsAbsoluteURI(text) {
		return nil, fmt.Errorf("%w: a URI type needs an absolute URI, such as http://example.com, not %q", errURI, text)
	}
	return u.Type(), nil
}

// holdsAbsoluteURI reports whether text contains a scheme followed by a colon.
func holdsAbsoluteURI(text string) bool {
	scheme := false // after a letter followed only by characters of a scheme
	for i := range len(text) {
		switch c := text[i]; {
		case isLetter(c):
			scheme = true
		case c == ':' && scheme:
			return true
		case !isDigit(c) && strings.IndexByte("+-.", c) < 0:
			scheme = false
		}
	}
	return false
}

func isURIParameter(name string, v Value) bool {
	switch v := v.(type) {
	case Undef:
		return true
	case String:
		return name != "port" && v != ""
	case *Regexp:
		return name != "port"
	case Integer:
		return name == "port" && v >= 0
	case Type:
		return Accepts(newNotUndefType(nil), v) || Accepts(UndefType{}, v)
	default:
		return false
	}
}

// typeName returns "URI".
func (*URIType) typeName() string { return "URI" }

func (t *URIType) String() string { return formatType(t) }

func (t *URIType) containsURI(v *URI) bool {
	for k, p := range t.params.All() {
		name, _ := k.(String)
		component, _ := v.Get(string(name))
		if !Match(p, component) {
			return false
		}
	}
	return true
}

// Type returns the type of the URIs with the same components as v. As in the
// reference implementation, the port is a String, and so a type with a port
// matches no URI.
func (v *URI) Type() *URIType {
	var b HashBuilder
	set := func(name string, s *string) {
		if s != nil {
			b.SetString(name, String(*s))
		}
	}
	if v.scheme != "" {
		b.SetString("scheme", String(v.scheme))
	}
	set("userinfo", v.userinfo())
	if v.host != nil && *v.host != "" {
		b.SetString("host", String(strings.ToLower(*v.host)))
	}
	if v.port != nil && !(*v.port == 80 && v.scheme == "http") && !(*v.port == 443 && v.scheme == "https") {
		b.SetString("port", String(strconv.FormatInt(*v.port, 10)))
	}
	if path := v.plainPath(); path != nil && *path != "" {
		set("path", path)
	}
	set("query", v.query)
	set("fragment", v.fragment)
	set("opaque", v.opaque)
	if b.Len() == 0 {
		return &URIType{}
	}
	return &URIType{params: b.Hash()}
}
