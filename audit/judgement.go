package audit

import (
	"github.com/pcatdev/pcat/audit/internal/verdict"
	"github.com/pcatdev/pcat/catalog"
)

// Judgement is how the audit judged a value by its name. Secrets are masked in all its
// texts, and the value is not a part of it.
type Judgement struct {
	// Catalog is the name of the Input.
	Catalog string
	// Pointer is the RFC 6901 pointer to the text with the value, Location its location as a
	// [catalog.Location] has it, Ref the resource, and Path the pointer in the resource, all with
	// secrets masked. Ref and Path are empty for a member of the catalog.
	Pointer, Location, Ref, Path string
	// At is the location, not masked, for programs that change the catalog.
	At catalog.Location
	// Start and End are the position of the value in the text at that location, in bytes.
	Start, End int
	// Name is the name of the value.
	Name string
	// Named is set if the name alone says that the value is a secret.
	Named bool
	// Against is what speaks against a secret, or "" if the value is one.
	Against string
	// Terms are the terms of the score; none if the value is no secret whatever its
	// score. A value is a secret if they add up to at least [Threshold].
	Terms []Term
}

// Term is a part of the score of a value.
type Term struct {
	Points float64
	Reason string
}

// Threshold is the score from which a value is a secret.
const Threshold float64 = verdict.Threshold

// Score returns the sum of the terms.
func (j *Judgement) Score() float64 {
	sum := 0.0
	for _, t := range j.Terms {
		sum += t.Points
	}
	return sum
}

// judge adds the judgements of each input.
func (r *Report) judge(judgements [][]judged) {
	for _, list := range judgements {
		for _, n := range list {
			pointer, _ := pointer(n.base, n.path, r.masker.mask)
			j := Judgement{
				Catalog: r.masker.name(n.catalog.Name), Pointer: pointer, Location: r.masker.mask(n.at().String()), At: n.at(), Start: n.Start, End: n.End,
				Name: r.masker.mask(n.Name), Named: n.judgement.Named, Against: n.judgement.Against,
			}
			if ref := j.At.Ref; !ref.IsZero() {
				j.Ref, j.Path = r.masker.mask(ref.String()), r.masker.mask(j.At.Pointer())
			}
			for _, t := range n.judgement.Terms {
				j.Terms = append(j.Terms, Term(t))
			}
			r.Judgements = append(r.Judgements, j)
		}
	}
}
