package semver

import (
	"slices"
	"strings"
)

// ParseRange reads a range of versions in the grammar of node-semver, as
// semantic_puppet has it:
//
//	range       alternative || alternative …           a version in one of them
//	alternative comparator comparator …                a version that meets all of them
//	            partial - partial                      from the one to the other, included
//	comparator  partial, or < > <= >= = ~ ~> ~= ^ and a partial
//	partial     1, 1.2, 1.2.3, 1.2.3-rc.1, 1.2.3+b     x, X or * for a number that may be any
//
// A partial alone, or after =, is all versions that begin so. ~ lets the patch number
// grow, or the minor one if none is given; ^ lets all but the major number grow, and
// the patch number only when the major number is 0. Blanks may stand after an operator,
// where a "v" directly before the version is ignored. The empty text is the range "*".
//
// It reads what Puppet writes for ranges without a lower or an upper bound as well; see
// [NewRange]. The error is a [*SyntaxError].
func ParseRange(text string) (Range, error) {
	if r, ok := parseSwapped(text); ok {
		return r, nil
	}
	parts := splitAlternatives(joinOperators(text))
	if len(parts) == 0 {
		return Range{text: "*", alternatives: []simple{{min: comparator{op: opAny}}}}, nil
	}
	if len(parts) > MaxAlternatives {
		return Range{}, &SyntaxError{Text: text, Range: true, Err: ErrTooManyAlternatives}
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

// misfit says that a part of a range does not fit the grammar; reason is nil when
// there is nothing to add.
type misfit struct{ reason error }

// parseSwapped reads "MAX - MIN" and ">=MAX <MIN" as Puppet writes them when MAX is
// Infinity.0.0 or MIN is 0.0.0-, neither of which occurs in the grammar, and the normal
// form of alternatives that are joined to a range without bounds.
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

// joinOperators takes out the blanks, or the v, that follow an operator.
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

// splitAlternatives splits at || and drops the blanks around it, and what is empty at
// the end.
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

// parseAlternative reads comparators, or a hyphen range. ok is false when no version
// is in it.
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

// parseComparator reads an operator, which may be absent, and a partial version.
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

// A partial is a version of which only the first known numbers, 0 to 3, are given;
// the others are 0 in version.
type partial struct {
	version Version
	known   int
}

// parsePartial reads all of text as a partial version. Numbers behind an x are kept in
// the version, where >=, < and the hyphen heed them.
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
		return partial{}, &misfit{ErrLeadingZero}
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

// tilde returns the versions from p on in which only the last known number, but for the
// patch number not the minor one, is another.
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

// caret returns the versions from p on that have its major number, and its minor
// number if the major one is 0.
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

// window returns the versions from the one to the other, which is excluded.
func window(from, to Version) simple {
	return simple{comparator{opGreaterEqual, from}, comparator{opLess, to}}
}
