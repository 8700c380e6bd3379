package semver

import (
	"slices"
	"strings"
)

// ParseRange parses a range of versions in the grammar of node-semver, as
// implemented by semantic_puppet:
//
//	range       alternative || alternative …           a version in any of them
//	alternative comparator comparator …                a version that meets all of them
//	            partial - partial                      from the first to the second, inclusive
//	comparator  partial, or < > <= >= = ~ ~> ~= ^ and a partial
//	partial     1, 1.2, 1.2.3, 1.2.3-rc.1, 1.2.3+b     x, X or * for any number
//
// A partial by itself, or after =, matches all versions that begin with it. ~
// allows a higher patch number, or a higher minor number if none is given; ^
// allows higher numbers except for the major one, and only a higher patch
// number if the major number is 0. An operator may be followed by blanks; a "v"
// immediately after it is ignored. The empty text is the range "*".
//
// ParseRange also parses the texts that Puppet prints for ranges without a
// lower or an upper bound; see [NewRange]. The error is a [*SyntaxError].
func ParseRange(text string) (Range, error) {
	if r, ok := parseSwapped(text); ok {
		return r, nil
	}
	parts := splitAlternatives(joinOperators(text))
	if len(parts) == 0 {
		return Range{text: "*", alternatives: []simple{{min: comparator{op: opAny}}}}, nil
	}
	if len(parts) > maxAlternatives {
		return Range{}, &SyntaxError{Text: text, Range: true, Err: errTooManyAlternatives}
	}
	r := Range{text: text}
	for _, part := range parts {
		s, ok, err := parseAlternative(part)
		if err != nil {
			return Range{}, &SyntaxError{Text: text, Range: true, Err: err.reason}
		}
		if ok && !slices.Contains(r.alternatives, s) {
			r.alternatives = append(r.alternatives, s)
		}
	}
	r.alternatives = join(r.alternatives)
	return r, nil
}

// misfit reports that a part of a range does not match the grammar; reason is
// nil if there are no details.
type misfit struct{ reason error }

// parseSwapped parses "MAX - MIN" and ">=MAX <MIN", as printed by Puppet, if
// MAX is Infinity.0.0 or MIN is 0.0.0-, which the grammar does not allow. It
// also parses the normal form of alternatives that were joined to a range
// without bounds.
func parseSwapped(text string) (Range, bool) {
	if all := only(opLessEqual, greatest); text == string(all.appendText(nil)) {
		return Range{text: text, alternatives: []simple{all}}, true
	}
	max, min, ok := strings.Cut(text, " - ")
	exclude := !ok
	if exclude {
		max, min, ok = strings.Cut(text, " <")
		max = strings.TrimPrefix(max, ">=")
	}
	if !ok || max != greatest.String() && min != least.String() {
		return Range{}, false
	}
	var low, high *Version
	if min != least.String() {
		v, err := Parse(min)
		if err != nil {
			return Range{}, false
		}
		low = &v
	}
	if max != greatest.String() {
		v, err := Parse(max)
		if err != nil {
			return Range{}, false
		}
		high = &v
	}
	r := NewRange(low, high, exclude)
	r.text = text
	return r, true
}

// joinOperators removes the blanks, or the v, after operators.
func joinOperators(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		b.WriteByte(text[i])
		if strings.IndexByte("<>=~^", text[i]) < 0 {
			continue
		}
		rest := strings.TrimLeft(text[i+1:], blanks)
		if blank := len(text) - i - 1 - len(rest); blank > 0 {
			i += blank
		} else if strings.HasPrefix(rest, "v") {
			i++
		}
	}
	return b.String()
}

const blanks = " \t\n\v\f\r"

// splitAlternatives splits at ||. It removes the blanks around it, and empty
// parts at the end.
func splitAlternatives(text string) []string {
	parts := strings.Split(text, "||")
	for i := range parts {
		if i > 0 {
			parts[i] = strings.TrimLeft(parts[i], blanks)
		}
		if i < len(parts)-1 {
			parts[i] = strings.TrimRight(parts[i], blanks)
		}
	}
	return dropEmptyEnd(parts)
}

func dropEmptyEnd(parts []string) []string {
	for len(parts) > 0 && parts[len(parts)-1] == "" {
		parts = parts[:len(parts)-1]
	}
	return parts
}

// parseAlternative parses comparators, or a hyphen range. ok is false if it
// contains no version.
func parseAlternative(text string) (s simple, ok bool, err *misfit) {
	words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(blanks, r) })
	if len(words) > 0 && !strings.HasPrefix(text, words[0]) {
		return simple{}, false, &misfit{}
	}
	if len(words) == 3 && words[1] == "-" && strings.HasSuffix(text, words[2]) {
		return parseHyphen(words[0], words[2])
	}
	for i, word := range words {
		next, err := parseComparator(word)
		if err != nil {
			return simple{}, false, err
		}
		if i == 0 {
			s, ok = next, true
		} else if ok {
			s, ok = s.intersect(next)
		}
	}
	return s, ok, nil
}

func parseHyphen(from, to string) (s simple, ok bool, err *misfit) {
	low, err := parsePartial(from)
	if err != nil {
		return simple{}, false, err
	}
	high, err := parsePartial(to)
	if err != nil {
		return simple{}, false, err
	}
	s, ok = only(opGreaterEqual, low.version).intersect(only(opLessEqual, high.version))
	return s, ok, nil
}

// parseComparator parses an optional operator and a partial version.
func parseComparator(word string) (simple, *misfit) {
	n := 0
	for _, operator := range []string{"<=", ">=", "~>", "~=", "<", ">", "=", "~", "^"} {
		if strings.HasPrefix(word, operator) {
			n = len(operator)
			break
		}
	}
	p, err := parsePartial(word[n:])
	if err != nil {
		return simple{}, err
	}
	switch word[:n] {
	case "~", "~>", "~=":
		return p.tilde(), nil
	case "^":
		return p.caret(), nil
	case ">":
		return p.greater(), nil
	case ">=":
		return only(opGreaterEqual, p.version), nil
	case "<":
		return only(opLess, p.version), nil
	case "<=":
		return p.lessEqual(), nil
	default:
		return p.any(), nil
	}
}

func only(o op, v Version) simple { return simple{min: comparator{o, v}} }

// partial is a version of which only the first known numbers, 0 to 3, are
// given. In version, the missing numbers are 0.
type partial struct {
	version Version
	known   int
}

// parsePartial parses all of text as a partial version. Numbers after an x are
// kept in the version, because >=, < and the hyphen use them.
func parsePartial(text string) (p partial, err *misfit) {
	wild := false
	for i, to := range []*number{&p.version.major, &p.version.minor, &p.version.patch} {
		if i > 0 {
			var dot bool
			if text, dot = strings.CutPrefix(text, "."); !dot {
				break
			}
		}
		if text != "" && strings.IndexByte("xX*", text[0]) >= 0 {
			wild, text = true, text[1:]
		} else {
			var ok bool
			if *to, text, ok = scanNumber(text); !ok {
				return partial{}, &misfit{}
			}
			if !wild {
				p.known++
			}
		}
		if i == 2 {
			p.version.pre, p.version.build, text = scanQualifiers(text)
		}
	}
	if text != "" {
		return partial{}, &misfit{}
	}
	if !p.version.pre.valid() {
		return partial{}, &misfit{errLeadingZero}
	}
	return p, nil
}

func (v Version) nextMajor() Version { return Version{major: v.major.next()} }
func (v Version) nextMinor() Version { return Version{major: v.major, minor: v.minor.next()} }

// any returns the versions that begin with p.
func (p partial) any() simple {
	if p.known == 3 {
		return only(opEqual, p.version)
	}
	return p.tilde()
}

// tilde returns the versions from p on with its major number and, if given, its
// minor number.
func (p partial) tilde() simple {
	switch p.known {
	case 0:
		return simple{min: comparator{op: opAny}}
	case 1:
		return window(Version{major: p.version.major}, p.version.nextMajor())
	case 2:
		return window(Version{major: p.version.major, minor: p.version.minor}, p.version.nextMinor())
	default:
		return window(p.version, p.version.nextMinor())
	}
}

// caret returns the versions from p on with its major number and, if that is 0,
// its minor number, if given.
func (p partial) caret() simple {
	if p.known < 2 || p.version.major == "" {
		return p.tilde()
	}
	from := Version{major: p.version.major, minor: p.version.minor}
	if p.known == 3 {
		from = p.version
		if from.pre.kind == absent {
			from.build = qualifier{}
		}
	}
	return window(from, p.version.nextMajor())
}

func (p partial) greater() simple {
	switch p.known {
	case 0:
		return nothing
	case 1:
		return only(opGreaterEqual, p.version.nextMajor())
	case 2:
		return only(opGreaterEqual, p.version.nextMinor())
	default:
		return only(opGreater, p.version)
	}
}

func (p partial) lessEqual() simple {
	switch p.known {
	case 0:
		return simple{min: comparator{op: opAny}}
	case 1:
		return only(opLess, p.version.nextMajor())
	case 2:
		return only(opLess, p.version.nextMinor())
	default:
		return only(opLessEqual, p.version)
	}
}

// window returns the versions in the half-open interval [from, to).
func window(from, to Version) simple {
	return simple{comparator{opGreaterEqual, from}, comparator{opLess, to}}
}
