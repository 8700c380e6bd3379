package pcore

import "github.com/pcatdev/pcat/pcore/semver"

// SemVer is a semantic version. The zero value is 0.0.0.
type SemVer struct{ v semver.Version }

// NewSemVer returns v as a value.
func NewSemVer(v semver.Version) *SemVer { return &SemVer{v} }

// ParseSemVer parses a version such as 1.2.3-rc.1+build, the wire form of the
// value.
func ParseSemVer(text string) (*SemVer, error) {
	v, err := semver.Parse(text)
	if err != nil {
		return nil, err
	}
	return &SemVer{v}, nil
}

// Version returns the version.
func (v *SemVer) Version() semver.Version { return v.v }

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

// NewSemVerRange returns r as a value.
func NewSemVerRange(r semver.Range) *SemVerRange { return &SemVerRange{r} }

// ParseSemVerRange parses a range in the grammar of node-semver, the wire form
// of the value.
func ParseSemVerRange(text string) (*SemVerRange, error) {
	r, err := semver.ParseRange(text)
	if err != nil {
		return nil, err
	}
	return &SemVerRange{r}, nil
}

// Range returns the range.
func (v *SemVerRange) Range() semver.Range { return v.r }

// Text returns the range as written.
func (v *SemVerRange) Text() string { return v.r.String() }

// contains reports whether w is in the range.
func (v *SemVerRange) contains(w *SemVer) bool { return v.r.Contains(w.v) }

// equal reports whether both ranges are the same, even if written differently.
func (v *SemVerRange) equal(w *SemVerRange) bool { return v.r.Equal(w.r) }

// kind returns kindSemVerRange.
func (*SemVerRange) kind() Kind { return kindSemVerRange }

func (v *SemVerRange) String() string { return format(v) }

func (*SemVerRange) value() {}
