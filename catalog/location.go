package catalog

import (
	"strconv"
	"strings"

	"github.com/pcatdev/pcat/pcore"
)

// Location is a place in a catalog. With a Ref, the first step of Path is the
// name of a parameter, or of another member of the resource. Without one, Path
// leads from the catalog itself.
type Location struct {
	Ref  Ref
	Path pcore.Path
}

// String returns the place as messages name it: `Type[title]/parameter/path`.
// The steps of the path are separated by slashes; what a Sensitive holds has
// the place of the Sensitive.
func (l Location) String() string {
	var steps []string
	if !l.Ref.IsZero() {
		steps = append(steps, l.Ref.String())
	}
	for _, s := range l.Path {
		switch s.Kind {
		case pcore.StepIndex:
			steps = append(steps, strconv.Itoa(s.Index))
		case pcore.StepArgument:
			steps = append(steps, "arguments", strconv.Itoa(s.Index))
		case pcore.StepEntry, pcore.StepKey, pcore.StepAttribute:
			steps = append(steps, keyText(s.Key))
		case pcore.StepSecret:
		}
	}
	return strings.Join(steps, "/")
}

func keyText(key pcore.Value) string {
	if s, ok := key.(pcore.String); ok {
		return string(s)
	}
	return key.String()
}

// Parameter returns the place of a parameter, or of another member, of the
// resource.
func (r Ref) Parameter(name string) Location {
	return Location{Ref: r, Path: pcore.Path{}.Key(name)}
}

// Join returns the place that path leads to from l.
func (l Location) Join(path pcore.Path) Location {
	return Location{Ref: l.Ref, Path: append(l.Path[:len(l.Path):len(l.Path)], path...)}
}
