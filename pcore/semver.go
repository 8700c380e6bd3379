package pcore

import "cmp"

// SemVer is a semantic version.
type SemVer struct{ text string }

// Text returns the version as it is written on the wire.
func (v *SemVer) Text() string { return v.text }

// Compare returns -1, 0 or 1 as v comes before, with or after w.
func (v *SemVer) Compare(w *SemVer) int { return cmp.Compare(v.text, w.text) }

// Kind returns KindSemVer.
func (*SemVer) Kind() Kind { return KindSemVer }

func (v *SemVer) String() string { return format(v) }

func (*SemVer) value() {}

// SemVerRange is a set of semantic versions.
type SemVerRange struct{ text string }

// Text returns the range as it was written.
func (v *SemVerRange) Text() string { return v.text }

// Equal reports whether both are the same range.
func (v *SemVerRange) Equal(w *SemVerRange) bool { return v.text == w.text }

// Kind returns KindSemVerRange.
func (*SemVerRange) Kind() Kind { return KindSemVerRange }

func (v *SemVerRange) String() string { return format(v) }

func (*SemVerRange) value() {}
