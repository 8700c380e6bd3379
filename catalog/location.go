package catalog

import (
	"slices"
	"strconv"
	"strings"

	"github.com/pcatdev/pcat/pcore"
)

// Location is a location in a catalog. With a Ref, the first step of Path is the
// name of a parameter or of another member of the resource. Without a Ref, Path
// starts at the catalog.
type Location struct {
	Ref  Ref
	Path pcore.Path
}

// String returns the location as messages show it:
// `Type[title]/parameter/path`, with slashes between the steps of the path. A
// value inside a Sensitive has the location of the Sensitive.
func (l Location) String() string {
	var steps []string
	if !l.Ref.IsZero() {
		steps = append(steps, l.Ref.String())
	}
path:
	for _, s := range l.Path {
		switch s.Kind {
		case pcore.StepIndex:
			steps = append(steps, strconv.Itoa(s.Index))
		case pcore.StepArgument:
			steps = append(steps, "arguments", strconv.Itoa(s.Index))
		case pcore.StepEntry, pcore.StepKey, pcore.StepAttribute:
			steps = append(steps, keyText(s.Key))
		case pcore.StepSecret:
			break path // keys inside may be secret, too
		}
	}
	return strings.Join(steps, "/")
}

// Pointer returns the path as an RFC 6901 JSON pointer in the resource or, without a Ref, in the
// document: `/parameters/content`. The first step is a parameter. A value inside a Sensitive has
// the pointer of the Sensitive.
func (l Location) Pointer() string {
	path := l.Path
	if i := slices.IndexFunc(path, func(s pcore.Step) bool { return s.Kind == pcore.StepSecret }); i >= 0 {
		path = path[:i]
	}
	if l.Ref.IsZero() || len(path) == 0 {
		return path.Pointer()
	}
	return "/" + keyParameters + path.Pointer()
}

func keyText(key pcore.Value) string {
	if s, ok := key.(pcore.String); ok {
		return string(s)
	}
	return key.String()
}

// Parameter returns the location of a parameter, or of another member, of the
// resource.
func (r Ref) Parameter(name string) Location {
	return Location{Ref: r, Path: pcore.Path{}.Key(name)}
}

// Join returns the location that path leads to from l.
func (l Location) Join(path pcore.Path) Location {
	return Location{Ref: l.Ref, Path: append(l.Path[:len(l.Path):len(l.Path)], path...)}
}

// Locate returns the location of path, which starts at the resource or, if r is
// zero, at the document. The step to `parameters` is dropped. The location ends
// at a parameter named in sensitive or at a Sensitive, because its contents
// must not be exposed; secret reports whether it does.
func (r Ref) Locate(path pcore.Path, sensitive Names) (at Location, secret bool) {
	at = Location{Ref: r, Path: append(pcore.Path(nil), path...)}
	if !r.IsZero() && len(path) > 1 && path[0].Key == pcore.String(keyParameters) {
		at.Path = at.Path[1:]
		if name, ok := at.Path[0].Key.(pcore.String); ok && sensitive.Has(string(name)) {
			at.Path = at.Path[:1]
			return at, true
		}
	}
	for i, step := range at.Path {
		if step.Kind == pcore.StepSecret {
			at.Path = at.Path[:i]
			return at, true
		}
	}
	return at, false
}
