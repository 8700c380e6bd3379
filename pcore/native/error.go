package native

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/pcatdev/pcat/pcore"
)

// Error reports a value that cannot be converted. It never contains the value
// of a secret, nor of a part of one.
type Error struct {
	// Path is the location of the value. Inside a secret, it ends at the secret.
	Path pcore.Path
	// Err is the reason.
	Err error
}

// Error returns the location and the reason:
// "backup.port: 5432 does not fit int8".
func (e *Error) Error() string {
	if len(e.Path) == 0 {
		return e.Err.Error()
	}
	return pathText(e.Path) + ": " + e.Err.Error()
}

// Unwrap returns e.Err.
func (e *Error) Unwrap() error { return e.Err }

// pathEnds is the number of steps at each end of a path that a text shows. The path to a value
// that contains itself is endless.
const pathEnds = 8

// pathText returns a path as Go spells it: backup.hosts[0].port. The middle of a very long one
// is left out.
func pathText(path pcore.Path) string {
	if len(path) > 2*pathEnds {
		return pathText(path[:pathEnds]) + "…" + pathText(path[len(path)-pathEnds:])
	}
	var b strings.Builder
	for _, s := range path {
		switch s.Kind {
		case pcore.StepIndex:
			b.WriteString("[" + strconv.Itoa(s.Index) + "]")
		case pcore.StepAttribute, pcore.StepEntry, pcore.StepKey, pcore.StepSecret, pcore.StepArgument:
			if name, ok := s.Key.(pcore.String); ok && isWord(string(name)) {
				if b.Len() > 0 {
					b.WriteByte('.')
				}
				b.WriteString(string(name))
				continue
			}
			b.WriteString("[" + s.Key.String() + "]")
		}
	}
	return b.String()
}

func isWord(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return r != '_' && r != '-' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
}

// located returns err as an Error.
func located(err error) error {
	if e, ok := errors.AsType[*Error](err); ok && error(e) == err { //nolint:errorlint // a wrapped Error has its own text around the path
		return err
	}
	return &Error{Err: err}
}

// under adds the step to the failed value to err.
func under(err error, step pcore.Step) error {
	e := located(err).(*Error) //nolint:errorlint // located returns no other
	return &Error{Path: slices.Insert(slices.Clone(e.Path), 0, step), Err: e.Err}
}

func entryStep(key pcore.Value) pcore.Step { return pcore.Step{Kind: pcore.StepEntry, Key: key} }

// misfit returns the error for a value of the wrong kind.
func misfit(v pcore.Value, t reflect.Type) error {
	switch v := v.(type) {
	case pcore.Undef:
		return &Error{Err: fmt.Errorf("undef does not fit %s; use a pointer", t)}
	case *pcore.Sensitive:
		return &Error{Err: fmt.Errorf("a Sensitive does not fit %s; use native.Secret[%s]", t, t)}
	case *pcore.Deferred:
		return &Error{Err: fmt.Errorf("a Deferred does not fit %s; resolve it first", t)}
	case *pcore.Object:
		return &Error{Err: fmt.Errorf("a %s does not fit %s; see native.Options.Objects", v.TypeName(), t)}
	default:
		name := pcore.KindOf(v).String()
		article := "a"
		if strings.ContainsRune("AEIOU", rune(name[0])) {
			article = "an"
		}
		return &Error{Err: fmt.Errorf("%s %s does not fit %s", article, name, t)}
	}
}

// outOfRange returns the error for a number of the right kind.
func outOfRange(v pcore.Value, t reflect.Type) error {
	return &Error{Err: fmt.Errorf("%s does not fit %s", v, t)}
}
