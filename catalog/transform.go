package catalog

import (
	"context"
	"errors"
)

// Transform changes resources, one at a time.
type Transform interface {
	// Resource returns r itself if nothing changes, a changed copy, or nil to
	// drop r. Edges to a dropped resource are kept unless the Transform is also
	// an [EdgeTransform].
	Resource(ctx context.Context, r *Resource) (*Resource, error)
}

// EdgeTransform is a [Transform] that also changes edges.
type EdgeTransform interface {
	Transform
	// Edge returns e, a changed copy, or nil to drop e.
	Edge(ctx context.Context, e *Edge) (*Edge, error)
}

// MemberTransform is a [Transform] that also changes other members: members of
// the catalog, such as `classes`, `tags` and `metadata`, and members of its
// envelopes.
type MemberTransform interface {
	Transform
	// Member returns m, a changed copy, or nil to drop m.
	Member(ctx context.Context, m *Member) (*Member, error)
}

// FinishTransform is a [Transform] that has a result at the end, such as failures
// that it collected.
type FinishTransform interface {
	Transform
	// Finish is called once, after the last part of a document and before its
	// end is written. An error leaves the output incomplete.
	Finish() error
}

// Chain returns a Transform that applies all of ts in order.
func Chain(ts ...Transform) Transform { return chain(ts) }

type chain []Transform

func (c chain) Resource(ctx context.Context, r *Resource) (*Resource, error) {
	for _, t := range c {
		var err error
		if r, err = t.Resource(ctx, r); err != nil || r == nil {
			return nil, err
		}
	}
	return r, nil
}

func (c chain) Edge(ctx context.Context, e *Edge) (*Edge, error) {
	for _, t := range c {
		et, ok := t.(EdgeTransform)
		if !ok {
			continue
		}
		var err error
		if e, err = et.Edge(ctx, e); err != nil || e == nil {
			return nil, err
		}
	}
	return e, nil
}

func (c chain) Member(ctx context.Context, m *Member) (*Member, error) {
	for _, t := range c {
		mt, ok := t.(MemberTransform)
		if !ok {
			continue
		}
		var err error
		if m, err = mt.Member(ctx, m); err != nil || m == nil {
			return nil, err
		}
	}
	return m, nil
}

// Finish calls all transforms, so that each of them reports its errors.
func (c chain) Finish() error {
	var errs []error
	for _, t := range c {
		if ft, ok := t.(FinishTransform); ok {
			errs = append(errs, ft.Finish())
		}
	}
	return errors.Join(errs...)
}

// Apply applies t to a part. It reports false if the part is dropped.
func Apply(ctx context.Context, t Transform, p Part) (Part, bool, error) {
	c := chain{t}
	var err error
	switch p.Kind {
	case PartResource:
		p.Resource, err = c.Resource(ctx, p.Resource)
		return p, p.Resource != nil, err
	case PartEdge:
		p.Edge, err = c.Edge(ctx, p.Edge)
		return p, p.Edge != nil, err
	case PartMember:
		p.Member, err = c.Member(ctx, p.Member)
		if p.Member != nil {
			p.Key = p.Member.Key
		}
		return p, p.Member != nil, err
	case PartMap, PartArray, PartEnd:
	}
	return p, true, nil
}

// Copy copies all of src, including envelopes, to dst through ts, and closes
// dst. The error is an *[Error] or an error of ctx or of a Transform; the output
// then lacks its end. Errors of a [FinishTransform] are joined.
func Copy(ctx context.Context, dst *Writer, src *Reader, ts ...Transform) error {
	dst.counts = len(ts) == 0
	t := chain(ts)
	var ends []Part // not written yet
	for p, err := range src.Parts() {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		p, keep, err := Apply(ctx, t, p)
		if err != nil {
			return err
		}
		if !keep {
			continue
		}
		if p.Kind == PartEnd {
			ends = append(ends, p)
			continue
		}
		if err := writeParts(dst, ends); err != nil {
			return err
		}
		ends = ends[:0]
		if err := dst.Write(p); err != nil {
			return err
		}
	}
	if err := t.Finish(); err != nil {
		return err
	}
	if err := writeParts(dst, ends); err != nil {
		return err
	}
	dst.newline = src.Layout().Newline && dst.format.SameWire(src.from.format)
	return dst.Close()
}

func writeParts(dst *Writer, parts []Part) error {
	for _, p := range parts {
		if err := dst.Write(p); err != nil {
			return err
		}
	}
	return nil
}

// TransformFunc adapts a function to a [Transform].
type TransformFunc func(context.Context, *Resource) (*Resource, error)

// Resource calls f.
func (f TransformFunc) Resource(ctx context.Context, r *Resource) (*Resource, error) {
	return f(ctx, r)
}

// Mask replaces the secrets in the locations and texts of a report. A Redactor of package
// sensitive is one, and its zero value knows no secrets.
type Mask interface {
	Location(at Location) Location
	Text(text string) string
}
