package sensitive

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/secret"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// ErrLeak reports that the output would have contained a secret. The cause is a bug in
// this package, or a secret in a location where it cannot be replaced. The error is a
// [LeakError].
var ErrLeak = errors.New("the output would contain a secret, so writing stopped")

// LeakError says where the output would have contained a secret. It matches [ErrLeak],
// and contains no secret itself.
type LeakError struct {
	// At is the location of the secret in the document, with secrets masked. It is zero
	// if only the text of several parts together contains the secret, or if nobody
	// searched for it; see [Redactor.Locate].
	At catalog.Location
	// Offset is the approximate position in the output in bytes, from 0, or -1 if
	// unknown.
	Offset int64
	// Secret is where the secret was first declared or found, with secrets masked. It is zero
	// if unknown. Rule is the name of what found it, or "" if it is declared; see
	// [Found.Rule].
	Secret catalog.Location
	Rule   string
}

// of sets the origin of the secret. clean masks its location.
func (e *LeakError) of(o origin, clean func(catalog.Location) catalog.Location) {
	e.Rule, e.Secret = o.rule, clean(o.Location)
}

// Error implements error.
func (e *LeakError) Error() string {
	text := ErrLeak.Error()
	if from := e.Secret.String(); from != "" {
		text += " (" + cmp.Or(e.Rule, "declared") + ": " + from + ")"
	}
	switch at := e.At.String(); {
	case at != "":
		return at + ": " + text
	case e.Offset >= 0:
		return fmt.Sprintf("near byte %d of the output: %s", e.Offset, text)
	default:
		return text
	}
}

// Unwrap returns [ErrLeak].
func (*LeakError) Unwrap() error { return ErrLeak }

// leakAt returns the error for a secret at a location in the document.
func leakAt(at catalog.Location) error { return &LeakError{At: at, Offset: -1} }

// leakNear returns the error for a secret near a position in the output.
func leakNear(offset int64) error { return &LeakError{Offset: offset} }

// Locate returns err with the location of the secret, if err matches [ErrLeak], and
// otherwise err itself. src is the document again, and form that of the output. Locate
// redacts the parts of the document one by one until one still contains a secret.
func (r *Redactor) Locate(ctx context.Context, err error, format serialization.Format, src *catalog.Reader) error {
	if !errors.Is(err, ErrLeak) {
		return err
	}
	l := &locator{Redactor: r, format: format}
	resources := 0
	for part, readErr := range src.Parts() {
		if readErr != nil || ctx.Err() != nil {
			return err
		}
		at, found := l.leakIn(ctx, part)
		if found {
			leak := &LeakError{At: r.displayed(at, resources), Offset: -1}
			if l.origin != nil {
				leak.of(*l.origin, r.clean)
			}
			return leak
		}
		if part.Kind == catalog.PartResource {
			resources++
		}
	}
	return err
}

// locator finds a secret in the output of a Redactor.
type locator struct {
	*Redactor
	format serialization.Format // of the output
	origin *origin              // of the secret that was found first, or nil
}

// leakIn redacts a part, and returns the location of a secret that is still in it.
func (l *locator) leakIn(ctx context.Context, part catalog.Part) (at catalog.Location, found bool) {
	to, keep, err := catalog.Apply(ctx, l.Redactor, part)
	var leak *LeakError
	switch {
	case errors.As(err, &leak):
		if !leak.Secret.Ref.IsZero() {
			l.origin = &origin{leak.Secret, leak.Rule}
		}
		return leak.At, true
	case err != nil || !keep:
		return at, false
	}
	switch to.Kind {
	case catalog.PartResource:
		return l.leakInResource(to.Resource)
	case catalog.PartEdge:
		v, err := to.Edge.Value()
		return locationOf(to), err == nil && l.leaks(v)
	case catalog.PartMember:
		v, err := to.Member.Value()
		return locationOf(to), err == nil && l.leaks(entryOf(pcore.String(to.Member.Key), v))
	case catalog.PartMap, catalog.PartArray, catalog.PartEnd:
	}
	return at, false
}

// leakInResource returns the location of a secret in a resource: a value inside of a
// parameter, a parameter, or the resource.
func (l *locator) leakInResource(res *catalog.Resource) (at catalog.Location, found bool) {
	v, err := res.RevealValue() //nolint:forbidigo // to be searched
	if err != nil || !l.leaks(v) && !l.hit(res.Bytes()) {
		return at, false
	}
	at.Ref = res.Ref()
	if parameters, err := res.RevealParameters(); err == nil { //nolint:forbidigo // to be searched
		at.Path = l.leakPath(parameters, nil)
	}
	return at, true
}

// leakPath returns the path to the innermost value with a secret in v, which is at path
// and contains one.
func (l *locator) leakPath(v pcore.Value, path pcore.Path) pcore.Path {
	switch v := v.(type) {
	case *pcore.Array:
		for i, e := range v.All() {
			if l.leaks(e) {
				return l.leakPath(e, path.Index(i))
			}
		}
	case *pcore.Hash:
		for key, e := range v.All() {
			if name, ok := key.(pcore.String); ok && l.leaks(entryOf(key, e)) {
				return l.leakPath(e, path.Key(string(name)))
			}
		}
	default:
	}
	return path
}

// leaks reports whether the text of a value in the output contains a secret.
func (l *locator) leaks(v pcore.Value) bool {
	text, err := l.format.Append(nil, v, serialization.EncodeOptions{Secrets: serialization.PlainSecrets})
	return err == nil && l.hit(text)
}

// hit reports whether text of the output contains a secret.
func (l *locator) hit(text []byte) bool {
	for _, s := range l.stages() {
		counts := func(_ []byte, h secret.Hit) bool {
			if l.origin == nil {
				l.origin = &s.texts[h.Pattern].origin
			}
			return true
		}
		if s.hitsOf(text, counts) || l.format.IsJSON() && s.hitsJSONOf(text, &searcher{}, counts) {
			return true
		}
	}
	return false
}

// hit reports whether text contains a secret.
func (r *Redactor) hit(text []byte) bool {
	return slices.ContainsFunc(r.stages(), func(s *stage) bool { return s.hits(text) })
}

// displayed returns a location with secrets masked. If it still contains one, the
// location is that of the resource with the given index.
func (r *Redactor) displayed(at catalog.Location, resource int) catalog.Location {
	if clean := r.clean(at); !clean.Ref.IsZero() || at.Ref.IsZero() {
		return clean
	}
	return catalog.Location{Path: pcore.Path{}.Key("resources").Index(resource)}
}

func entryOf(key, value pcore.Value) pcore.Value {
	return pcore.NewHash(pcore.Entry{Key: key, Value: value})
}

// locationOf returns the location of a part, as far as it has one.
func locationOf(part catalog.Part) catalog.Location {
	switch part.Kind {
	case catalog.PartResource:
		return catalog.Location{Ref: part.Resource.Ref()}
	case catalog.PartEdge:
		source, target := part.Edge.Source().String(), part.Edge.Target().String() // it has no name of its own
		return catalog.Location{Path: pcore.Path{}.Key("edges").Key(source).Key(target)}
	case catalog.PartMember:
		return catalog.Location{Path: pcore.Path{}.Key(part.Key)}
	case catalog.PartMap, catalog.PartArray, catalog.PartEnd:
	}
	return catalog.Location{}
}
