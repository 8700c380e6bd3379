package semver

// For the tests.
var (
	ErrLeadingZero         = errLeadingZero
	ErrNegative            = errNegative
	ErrTooManyAlternatives = errTooManyAlternatives
	MaxAlternatives        = maxAlternatives
	MergeOf                = Range.merge
)

// Minor returns the second number of the version; see [Version.Major].
func (v Version) Minor() (n uint64, ok bool) { return v.minor.uint64() }

// Patch returns the third number of the version; see [Version.Major].
func (v Version) Patch() (n uint64, ok bool) { return v.patch.uint64() }

// Prerelease returns the pre-release without its hyphen, "" for none.
func (v Version) Prerelease() string { return v.pre.text }

// Build returns the build without its plus sign, "" for none.
func (v Version) Build() string { return v.build.text }

// Begin returns the lower bound of the range. ok is false if there is none, or
// if there is more than one alternative.
func (r Range) Begin() (v Version, ok bool) {
	parts := r.parts()
	if len(parts) != 1 {
		return Version{}, false
	}
	v = parts[0].begin()
	return v, v != least
}

// End returns the upper bound of the range. ok is false if there is none, or if
// there is more than one alternative.
func (r Range) End() (v Version, ok bool) {
	parts := r.parts()
	if len(parts) != 1 {
		return Version{}, false
	}
	v = parts[0].end()
	return v, v != greatest && v != least
}

// ExcludeBegin reports whether the range excludes the result of [Range.Begin].
func (r Range) ExcludeBegin() bool {
	return len(r.parts()) == 1 && r.parts()[0].excludeBegin()
}

// ExcludeEnd reports whether the range excludes the result of [Range.End].
func (r Range) ExcludeEnd() bool {
	return len(r.parts()) == 1 && r.parts()[0].excludeEnd()
}
