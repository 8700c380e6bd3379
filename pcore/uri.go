package pcore

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// URI is a uniform resource identifier as Ruby's URI library parses it: by RFC
// 3986, with special rules for some schemes. The zero value has no components;
// use [ParseURI] or [NewURI].
type URI struct {
	scheme   string // lower case, empty for a relative reference
	user     *string
	password *string
	host     *string
	port     *int64
	path     *string
	opaque   *string
	query    *string
	fragment *string
	typecode *string // of ftp
}

// errURI is wrapped by the errors for invalid URIs and components.
var errURI = errors.New("bad URI")

// uriComponentNames returns the names of the components, in Ruby's order.
func uriComponentNames() []string {
	return []string{"scheme", "userinfo", "host", "port", "path", "query", "fragment", "opaque"}
}

// ParseURI parses a URI or a relative reference.
func ParseURI(text string) (*URI, error) {
	parts, err := splitURI(text)
	if err != nil {
		return nil, err
	}
	return parts.uri()
}

// NewURI returns a URI of the given components by name: scheme, userinfo, host,
// path, query, fragment and opaque are Strings, port is an Integer.
func NewURI(components *Hash) (*URI, error) {
	var p uriParts
	for k, v := range components.All() {
		name, _ := k.(String)
		if err := p.set(string(name), v); err != nil {
			return nil, err
		}
	}
	if err := p.check(); err != nil {
		return nil, err
	}
	if err := p.build(); err != nil {
		return nil, err
	}
	return p.uri()
}

// defaultPort returns the default port of a scheme, or nil if there is none.
func defaultPort(scheme string) *int64 {
	switch scheme {
	case "http", "ws":
		return new(int64(80))
	case "https":
		return new(int64(443))
	case "ftp":
		return new(int64(21))
	case "ldap":
		return new(int64(389))
	case "ldaps":
		return new(int64(636))
	}
	return nil
}

// Get returns a component by name, or undef if it is missing. It returns false
// if URIs have no such component.
func (v *URI) Get(name string) (Value, bool) {
	switch name {
	case "scheme":
		return textOrUndef(v.scheme), true
	case "userinfo":
		return pointerOrUndef(v.userinfo()), true
	case "host":
		return pointerOrUndef(v.host), true
	case "port":
		if v.port == nil {
			return Undef{}, true
		}
		return Integer(*v.port), true
	case "path":
		return pointerOrUndef(v.plainPath()), true
	case "query":
		return pointerOrUndef(v.query), true
	case "fragment":
		return pointerOrUndef(v.fragment), true
	case "opaque":
		return pointerOrUndef(v.opaque), true
	}
	return nil, false
}

func pointerOrUndef(s *string) Value {
	if s == nil {
		return Undef{}
	}
	return String(*s)
}

func (v *URI) userinfo() *string {
	if v.user == nil || v.password == nil {
		return v.user
	}
	both := *v.user + ":" + *v.password
	return &both
}

// plainPath returns the path. The path of an ftp URI is relative to the login
// directory.
func (v *URI) plainPath() *string {
	if v.scheme != "ftp" || v.path == nil {
		return v.path
	}
	path := strings.TrimPrefix(*v.path, "/")
	if rest, ok := strings.CutPrefix(path, "%2F"); ok {
		path = "/" + rest
	}
	return &path
}

// Absolute reports whether the URI has a scheme.
func (v *URI) Absolute() bool { return v.scheme != "" }

// Text returns the wire form of the URI.
func (v *URI) Text() string {
	var b strings.Builder
	if v.scheme != "" {
		b.WriteString(v.scheme + ":")
	}
	if v.opaque != nil {
		b.WriteString(*v.opaque)
	} else {
		v.writeHierarchy(&b)
	}
	if v.fragment != nil {
		b.WriteString("#" + *v.fragment)
	}
	return b.String()
}

func (v *URI) writeHierarchy(b *strings.Builder) {
	if v.host != nil || v.scheme == "file" || v.scheme == "postgres" {
		b.WriteString("//")
	}
	if info := v.userinfo(); info != nil {
		b.WriteString(*info + "@")
	}
	if v.host != nil {
		b.WriteString(*v.host)
	}
	if v.port != nil && !equalPointers(v.port, defaultPort(v.scheme)) {
		b.WriteString(":" + strconv.FormatInt(*v.port, 10))
	}
	if v.path != nil {
		b.WriteString(*v.path)
	}
	if v.typecode != nil {
		b.WriteString(";type=" + *v.typecode)
	}
	if v.query != nil {
		b.WriteString("?" + *v.query)
	}
}

// equal reports whether both are the same URI. It ignores the case of the host,
// and treats an empty path as the root.
func (v *URI) equal(w *URI) bool {
	return (v.scheme == "") == (w.scheme == "") && v.normalized() == w.normalized()
}

func (v *URI) normalized() string {
	n := *v
	if n.path != nil && *n.path == "" {
		n.path = new("/")
	}
	if n.host != nil {
		n.host = new(strings.ToLower(*n.host))
	}
	switch n.scheme { // Ruby does not compare components that these schemes should not have
	case "http", "https":
		n.opaque = nil
	case "file", "ftp":
		n.opaque, n.query, n.fragment = nil, nil, nil
	case "ws":
		n.opaque, n.fragment = nil, nil
	}
	return n.Text()
}

// Merge resolves ref against the base v. It is the operator + of the language.
func (v *URI) Merge(ref *URI) (*URI, error) {
	if ref.Absolute() {
		return ref, nil
	}
	if !v.Absolute() {
		return nil, fmt.Errorf("%w: both %q and %q are relative", errURI, v.Text(), ref.Text())
	}
	merged := *v
	authority := ref.user != nil || ref.host != nil || ref.port != nil
	if (ref.path == nil || *ref.path == "") && !authority && ref.query == nil {
		if ref.fragment != nil {
			merged.fragment = ref.fragment
		}
		return &merged, nil
	}
	if v.opaque == nil { // a query cannot be added to an opaque part
		merged.query = ref.query
	} else if ref.query != nil {
		return nil, fmt.Errorf("%w: a query conflicts with the opaque part of %q", errURI, v.Text())
	}
	merged.fragment = ref.fragment
	switch path := v.plainPath(); {
	case ref.path == nil:
	case authority:
		merged.setPath(*ref.path)
	case path != nil:
		merged.setPath(mergePaths(*path, *ref.path))
	}
	if authority {
		merged.takeAuthority(ref)
	}
	return &merged, nil
}

func (v *URI) takeAuthority(ref *URI) {
	if v.scheme == "file" { // only has a host
		if ref.host != nil {
			v.host = ref.host
		}
		return
	}
	if ref.user != nil {
		v.user = ref.user
		if ref.password != nil {
			v.password = ref.password
		}
	}
	if ref.host != nil {
		v.host = ref.host
	}
	if ref.port != nil {
		v.port = ref.port
	}
}

func (v *URI) setPath(path string) {
	if v.scheme == "ftp" {
		if rest, ok := strings.CutPrefix(path, "/"); ok {
			path = "%2F" + rest
		}
		path = "/" + path
	}
	v.path = &path
}

// mergePaths follows RFC 2396, section 5.2, as Ruby implements it.
func mergePaths(base, rel string) string {
	basePath, relPath := basePathSegments(base), splitPath(rel)
	if len(relPath) > 0 && relPath[0] == "" {
		basePath, relPath = nil, relPath[1:]
	}
	if n := len(relPath); n > 0 && (relPath[n-1] == "." || relPath[n-1] == "..") {
		relPath = append(relPath, "")
	}
	relPath = slices.DeleteFunc(relPath, func(s string) bool { return s == "." })
	var steps []string
	for _, s := range relPath {
		if n := len(steps); s == ".." && n > 0 && steps[n-1] != ".." {
			steps = steps[:n-1]
			continue
		}
		steps = append(steps, s)
	}
	slash := len(steps) > 0
	if len(basePath) == 0 {
		basePath = []string{""}
	} else if slash {
		basePath = basePath[:len(basePath)-1]
	}
	for i, s := range steps {
		if s != ".." {
			basePath = append(basePath, steps[i:]...)
			slash = false
			break
		}
		if len(basePath) > 1 {
			basePath = basePath[:len(basePath)-1]
		}
	}
	if slash {
		basePath = append(basePath, "")
	}
	return strings.Join(basePath, "/")
}

func splitPath(path string) []string {
	if path == "" {
		return nil
	}
	return strings.Split(path, "/")
}

// basePathSegments returns the segments of path after resolving "..", or nil if
// the path leads above the root.
func basePathSegments(path string) []string {
	segments := splitPath(path)
	if n := len(segments); n > 0 && segments[n-1] == ".." {
		segments = append(segments, "")
	}
	var kept []string
	for _, s := range segments {
		switch {
		case s != "..":
			kept = append(kept, s)
		case len(kept) == 0:
			return nil
		default:
			kept = kept[:len(kept)-1]
		}
	}
	return kept
}

// kind returns kindURI.
func (*URI) kind() Kind { return kindURI }

func (v *URI) String() string { return format(v) }

func (*URI) value() {}
