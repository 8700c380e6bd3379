package sensitive

import "github.com/pcatdev/pcat/catalog"

// plan lists the parts of a document in memory that need work, without decoding them. It
// replaces the parts of a [catalog.Reader]. It is immutable.
type plan struct {
	*catalog.Outline
	declaring []declaring
	secrets   int // number of secrets in their own locations
}

// planned is a resource of a document with a plan.
type planned struct {
	res  *catalog.Resource // as a part of the document
	plan *plan
	own  *declaring // nil if the resource declares nothing
	hit  bool       // it may contain a secret outside of its own locations
}

func newPlan(o *catalog.Outline) *plan {
	p := &plan{Outline: o, declaring: declaringParts(o)}
	for i := range p.declaring {
		p.secrets += len(p.declaring[i].Secrets)
	}
	return p
}

// planOf returns the plan of the document that src reads, which may be known. It is nil
// if the document is not a catalog in memory with an outline.
func planOf(src *catalog.Reader, known *plan) *plan {
	var outline *catalog.Outline
	if known != nil {
		outline = known.Outline
	}
	switch o := src.Outline(outline); o {
	case nil:
		return nil
	case outline:
		return known
	default:
		return newPlan(o)
	}
}
