package pcore

import "github.com/pcatdev/pcat/pcore/internal/semver"

// SemVer is a semantic version. The zero value is 0.0.0.
type SemVer struct{ v semver.Version }

// NewSemVer returns the version with the given numbers and identifiers, "" for none.
func NewSemVer(major, minor, patch int64, prerelease, build string) (*SemVer, error) {
	v, err := semver.New(major, minor, patch, prerelease, build)
	if err != nil {
		return nil, err
	}
	return &SemVer{v}, nil
}

// ParseSemVer parses a version such as 1.2.3-rc.1+build, the wire form of the
// value.
func ParseSemVer(text string) (*SemVer, error) {
	v, err := semver.Parse(text)
	if err != nil {
		return nil, err
	}
	return &SemVer{v}, nil
}

// Text returns the wire form of the version.
func (v *SemVer) Text() string { return v.v.String() }

// Compare returns -1, 0 or 1 if v is lower than, equal to or higher than w.
// Build metadata is ignored.
func (v *SemVer) Compare(w *SemVer) int { return v.v.Compare(w.v) }

// kind returns kindSemVer.
func (*SemVer) kind() Kind { return kindSemVer }

func (v *SemVer) String() string { return format(v) }

func (*SemVer) value() {}

// SemVerRange is a set of semantic versions. The zero value is empty.
type SemVerRange struct{ r semver.Range }

// NewSemVerRange returns the range from low to high, which is excluded if excludeHigh is set. A
// nil bound means no bound.
func NewSemVerRange(low, high *SemVer, excludeHigh bool) *SemVerRange {
	var from, to *semver.Version
	if low != nil {
		from = &low.v
	}
	if high != nil {
		to = &high.v
	}
	return &SemVerRange{semver.NewRange(from, to, excludeHigh)}
}

// ParseSemVerRange parses a range in the grammar of node-semver, the wire form
// of the value.
func ParseSemVerRange(text string) (*SemVerRange, error) {
	r, err := semver.ParseRange(text)
	if err != nil {
		return nil, err
	}
	return &SemVerRange{r}, nil
}

// Text returns the range as written.
func (v *SemVerRange) Text() string { return v.r.String() }

// Normalized returns the range as comparisons, as in Puppet's format %p: "~1.2" becomes
// ">=1.2.0 <1.3.0".
func (v *SemVerRange) Normalized() string { return v.r.Normalized() }

// Contains reports whether w is in the range.
func (v *SemVerRange) Contains(w *SemVer) bool { return v.r.Contains(w.v) }

// equal reports whether both ranges are the same, even if written differently.
func (v *SemVerRange) equal(w *SemVerRange) bool { return v.r.Equal(w.r) }

// kind returns kindSemVerRange.
func (*SemVerRange) kind() Kind { return kindSemVerRange }

func (v *SemVerRange) String() string { return format(v) }

func (*SemVerRange) value() {}
