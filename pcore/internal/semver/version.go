package semver

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// errLeadingZero is wrapped by the error for a version whose pre-release has a
// numeric identifier with a leading zero.
var errLeadingZero = errors.New("a numeric pre-release identifier must not have leading zeros")

// errNegative is wrapped by the error for a version created from a negative
// number.
var errNegative = errors.New("a version number must not be negative")

// SyntaxError reports a text that is not a version, or not a range of versions.
type SyntaxError struct {
	Text  string // the whole text
	Range bool   // whether a range was expected
	Err   error  // the details, if any
}

func (e *SyntaxError) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("%v: %q", e.Err, e.Text)
	}
	if e.Range {
		return fmt.Sprintf("%q is not a range of versions: write one as in '>=1.0.0 <2.0.0'", e.Text)
	}
	return fmt.Sprintf("%q is not a version: write one as in '1.2.3-rc.1+build'", e.Text)
}

// Unwrap returns e.Err.
func (e *SyntaxError) Unwrap() error { return e.Err }

// Version is a version of Semantic Versioning 2.0.0. Two versions are equal in
// Puppet if they are equal with ==, which includes the build;
// [Version.Compare], which excludes it, defines their order.
//
// The zero value is the version 0.0.0. A Version is immutable and safe for
// concurrent use.
type Version struct {
	major, minor, patch number
	pre, build          qualifier
}

// qualifier is the pre-release or the build of a version.
type qualifier struct {
	kind qualifierKind
	text string
}

type qualifierKind uint8

const (
	absent qualifierKind = iota
	// list is one or more identifiers separated by dots.
	list
	// single is text that is one identifier although it has the form of a list
	// or a number. Puppet creates it from SemVer(1, 2, 3, 'rc.1').
	single
	// empty is a pre-release without an identifier, below all others. It occurs
	// only in the least version.
	empty
)

// least and greatest represent the missing bounds of a range. Puppet prints
// them as 0.0.0- and Infinity.0.0, which are not valid versions.
var (
	least    = Version{pre: qualifier{kind: empty}}
	greatest = Version{major: infinite}
)

// Parse parses a version: MAJOR.MINOR.PATCH, then an optional hyphen and
// pre-release, then an optional plus sign and build. The numbers may have any
// size. As in Puppet, one final newline is ignored. The error is a
// [*SyntaxError].
func Parse(text string) (Version, error) {
	v, rest, ok := scanTriple(strings.TrimSuffix(text, "\n"))
	if ok {
		v.pre, v.build, rest = scanQualifiers(rest)
	}
	if !ok || rest != "" {
		return Version{}, &SyntaxError{Text: text}
	}
	if !v.pre.valid() {
		return Version{}, &SyntaxError{Text: text, Err: errLeadingZero}
	}
	return v, nil
}

// New returns the version with the given numbers, which must not be negative,
// and the given pre-release and build, without their leading signs, "" if
// absent.
//
// Like Puppet's SemVer.new, it takes a pre-release or a build as one identifier
// even if it contains dots, or digits only. New(1, 2, 3, "rc.1", "") prints as
// 1.2.3-rc.1 but is not equal to that version, and New(1, 2, 3, "10", "")
// compares as text. Use [Parse] for separate identifiers.
func New(major, minor, patch int64, prerelease, build string) (Version, error) {
	v := Version{pre: identifier(prerelease, true), build: identifier(build, false)}
	for _, part := range []struct {
		from int64
		to   *number
	}{{major, &v.major}, {minor, &v.minor}, {patch, &v.patch}} {
		if part.from < 0 {
			return Version{}, fmt.Errorf("%d: %w", part.from, errNegative)
		}
		if part.from > 0 {
			*part.to = number(strconv.FormatInt(part.from, 10))
		}
	}
	for _, q := range []string{prerelease, build} {
		if q != "" && scanIdentifiers(q) != len(q) {
			return Version{}, &SyntaxError{Text: q}
		}
	}
	return v, nil
}

// identifier returns the qualifier with text as its only identifier.
func identifier(text string, numeric bool) qualifier {
	switch {
	case text == "":
		return qualifier{}
	case strings.Contains(text, ".") || numeric && allDigits(text):
		return qualifier{kind: single, text: text}
	default:
		return qualifier{kind: list, text: text}
	}
}

// Major returns the first number of the version. ok is false if it does not
// fit.
func (v Version) Major() (n uint64, ok bool) { return v.major.uint64() }

func (n number) uint64() (uint64, bool) {
	u, err := strconv.ParseUint(n.String(), 10, 64)
	return u, err == nil
}

// IsStable reports whether v has no pre-release.
func (v Version) IsStable() bool { return v.pre.text == "" }

// String returns the text of the version in the syntax of [Parse].
func (v Version) String() string { return string(v.appendText(nil)) }

// appendText appends the text of the version to dst.
func (v Version) appendText(dst []byte) []byte {
	for i, n := range []number{v.major, v.minor, v.patch} {
		if i > 0 {
			dst = append(dst, '.')
		}
		dst = append(dst, n.String()...)
	}
	if v.pre.kind != absent {
		dst = append(dst, '-')
		dst = append(dst, v.pre.text...)
	}
	if v.build.kind != absent {
		dst = append(dst, '+')
		dst = append(dst, v.build.text...)
	}
	return dst
}

// Compare returns -1, 0 or 1: the precedence of v relative to o by section 11
// of Semantic Versioning 2.0.0. Builds are not compared, so 0 does not mean
// equal.
func (v Version) Compare(o Version) int {
	if c := v.major.compare(o.major); c != 0 {
		return c
	}
	if c := v.minor.compare(o.minor); c != 0 {
		return c
	}
	if c := v.patch.compare(o.patch); c != 0 {
		return c
	}
	return v.pre.compare(o.pre)
}

// sameTriple reports whether the numbers of v and o are equal.
func (v Version) sameTriple(o Version) bool {
	return v.major == o.major && v.minor == o.minor && v.patch == o.patch
}

// compare orders pre-releases; an absent one is above all others.
func (q qualifier) compare(o qualifier) int {
	switch {
	case q == o:
		return 0
	case q.kind == absent:
		return 1
	case o.kind == absent:
		return -1
	case q.kind == empty:
		return -1
	case o.kind == empty:
		return 1
	}
	for {
		a, b := q.first(), o.first()
		if c := compareIdentifiers(a, b, q.kind == single, o.kind == single); c != 0 {
			return c
		}
		moreA, moreB := len(a) < len(q.text), len(b) < len(o.text)
		if !moreA || !moreB {
			return b2i(moreA) - b2i(moreB)
		}
		q.text, o.text = q.text[len(a)+1:], o.text[len(b)+1:]
	}
}

// first returns the first identifier of q.
func (q qualifier) first() string {
	if q.kind == single {
		return q.text
	}
	id, _, _ := strings.Cut(q.text, ".")
	return id
}

// compareIdentifiers orders numbers below text; aText and bText report that an
// identifier is text even if it has the form of a number.
func compareIdentifiers(a, b string, aText, bText bool) int {
	aText = aText || !allDigits(a)
	bText = bText || !allDigits(b)
	switch {
	case aText && bText:
		return strings.Compare(a, b)
	case aText:
		return 1
	case bText:
		return -1
	default:
		return number(a).compare(number(b))
	}
}

// valid reports whether no numeric identifier of the pre-release has a leading zero.
func (q qualifier) valid() bool {
	for id := range strings.SplitSeq(q.text, ".") {
		if len(id) > 1 && id[0] == '0' && allDigits(id) {
			return false
		}
	}
	return true
}

// scanTriple splits MAJOR.MINOR.PATCH off the front of s.
func scanTriple(s string) (v Version, rest string, ok bool) {
	if v.major, s, ok = scanNumber(s); !ok {
		return v, s, false
	}
	if v.minor, s, ok = scanNumberAfterDot(s); !ok {
		return v, s, false
	}
	v.patch, s, ok = scanNumberAfterDot(s)
	return v, s, ok
}

func scanNumberAfterDot(s string) (number, string, bool) {
	s, ok := strings.CutPrefix(s, ".")
	if !ok {
		return "", s, false
	}
	return scanNumber(s)
}

// scanQualifiers splits an optional pre-release and build off the front of s.
func scanQualifiers(s string) (pre, build qualifier, rest string) {
	pre, s = scanQualifier(s, '-')
	build, s = scanQualifier(s, '+')
	return pre, build, s
}

func scanQualifier(s string, sign byte) (qualifier, string) {
	if s == "" || s[0] != sign {
		return qualifier{}, s
	}
	n := scanIdentifiers(s[1:])
	if n == 0 {
		return qualifier{}, s
	}
	return qualifier{kind: list, text: s[1 : 1+n]}, s[1+n:]
}

// scanIdentifiers returns the length of the dot-separated identifiers at the
// front of s.
func scanIdentifiers(s string) int {
	end := 0
	for i := range len(s) {
		switch c := s[i]; {
		case isDigit(c), 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', c == '-':
			end = i + 1
		case c == '.' && end == i && i > 0:
		default:
			return end
		}
	}
	return end
}
