package pcore

import (
	"fmt"
	"slices"

	"github.com/pcatdev/pcat/pcore/internal/semver"
)

// SemVerType describes the versions in at least one of its ranges, or all
// versions if it has no ranges.
type SemVerType struct {
	typeKind
	ranges []*SemVerRange
}

// newSemVerType returns the type of the versions in any of the ranges. Ranges
// that overlap or are adjacent are merged. More than [semver.MaxAlternatives]
// ranges are an error.
func newSemVerType(ranges ...*SemVerRange) (*SemVerType, error) {
	if len(ranges) < 2 {
		return &SemVerType{ranges: slices.Clone(ranges)}, nil
	}
	apart := make([]semver.Range, len(ranges))
	for i, r := range ranges {
		apart[i] = r.r
	}
	joined, err := semver.Merge(apart)
	if err != nil {
		return nil, fmt.Errorf("SemVer: %w", err)
	}
	t := &SemVerType{ranges: make([]*SemVerRange, len(joined))}
	for i, r := range joined {
		t.ranges[i] = &SemVerRange{r}
	}
	return t, nil
}

// typeName returns "SemVer".
func (*SemVerType) typeName() string { return "SemVer" }

func (t *SemVerType) String() string { return formatType(t) }

// covers reports whether each range of o is inside a range of t.
func (t *SemVerType) covers(o *SemVerType) bool {
	if len(t.ranges) == 0 {
		return true
	}
	if len(o.ranges) == 0 {
		return false
	}
	for _, inner := range o.ranges {
		if !slices.ContainsFunc(t.ranges, func(r *SemVerRange) bool { return r.r.Covers(inner.r) }) {
			return false
		}
	}
	return true
}
