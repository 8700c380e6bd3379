package rubyre

import (
	"iter"
	"slices"
	"unicode"
)

// maxFoldRun limits the length of a run of characters each of which could begin
// a multi-character folding ("ssss…"): the number of ways to match it is a
// Fibonacci number.
const maxFoldRun = 14

// simplyEqual reports whether a and b have the same single-character folding.
func simplyEqual(a, b rune) bool {
	for o := unicode.SimpleFold(a); o != a; o = unicode.SimpleFold(o) {
		if o == b {
			return true
		}
	}
	return a == b
}

// equals yields the characters that equal r when case is ignored, including r.
func equals(r rune) iter.Seq[rune] {
	return func(yield func(rune) bool) {
		if !yield(r) {
			return
		}
		for o := unicode.SimpleFold(r); o != r; o = unicode.SimpleFold(o) {
			if !yield(o) {
				return
			}
		}
		for _, m := range multiFoldings {
			if !slices.Contains(m.runes, r) {
				continue
			}
			for _, o := range m.runes {
				if !simplyEqual(o, r) && !yield(o) {
					return
				}
			}
		}
	}
}

// equalSet returns the characters that equal r when case is ignored.
func equalSet(r rune) runeSet {
	var ranges []runeRange
	for o := range equals(r) {
		ranges = append(ranges, runeRange{o, o})
	}
	return newSet(ranges...)
}

// foldable yields every character that equals another when case is ignored.
func foldable() iter.Seq[rune] {
	return func(yield func(rune) bool) {
		for _, c := range unicode.CaseRanges {
			for r := rune(c.Lo); r <= rune(c.Hi); r++ {
				if !yield(r) {
					return
				}
			}
		}
		for _, m := range multiFoldings {
			for _, r := range m.runes {
				if !yield(r) {
					return
				}
			}
		}
	}
}

// foldClosure returns s and the characters that equal its members when case is
// ignored; across the border of ASCII, it follows only the members in crossing.
// As in Ruby, this never adds a non-ASCII Latin-1 character to a class: [é-ü]
// does not contain "É", although a plain é does match it.
func (s runeSet) foldClosure(crossing runeSet) runeSet {
	candidates := foldable()
	if s.small() {
		candidates = s.all()
	}
	var ranges []runeRange
	for r := range candidates {
		if !s.contains(r) {
			continue
		}
		for o := range equals(r) {
			latin1 := !isASCII(o) && o <= unicode.MaxLatin1
			if !latin1 && (isASCII(r) == isASCII(o) || crossing.contains(r)) {
				ranges = append(ranges, runeRange{o, o})
			}
		}
	}
	return s.union(newSet(ranges...))
}

// asciiFoldClosure returns the ASCII characters of s and their other cases.
func (s runeSet) asciiFoldClosure() runeSet {
	s = s.intersect(asciiRunes())
	ranges := slices.Clone(s)
	for r := 'a'; r <= 'z'; r++ {
		upper := unicode.ToUpper(r)
		if s.contains(r) || s.contains(upper) {
			ranges = append(ranges, runeRange{r, r}, runeRange{upper, upper})
		}
	}
	return newSet(ranges...)
}

func isASCII(r rune) bool { return r <= unicode.MaxASCII }

// foldRunes returns runes with their multi-character foldings; characters that
// fold to one character are unchanged.
func foldRunes(runes []rune) []rune {
	var out []rune
	for _, r := range runes {
		i := slices.IndexFunc(multiFoldings[:], func(m multiFolding) bool { return slices.Contains(m.runes, r) })
		if i >= 0 {
			out = append(out, multiFoldings[i].full...)
		} else {
			out = append(out, r)
		}
	}
	return out
}

// joinable yields the multi-character foldings that are prefixes of runes.
func joinable(runes []rune) iter.Seq[multiFolding] {
	return func(yield func(multiFolding) bool) {
		for _, m := range multiFoldings {
			n := len(m.full)
			if n <= len(runes) && slices.EqualFunc(m.full, runes[:n], simplyEqual) && !yield(m) {
				return
			}
		}
	}
}

// multiFolding is a folding to several characters, and the characters that fold
// to it.
type multiFolding struct{ full, runes []rune }

// folder rewrites case-insensitive nodes as plain ones.
type folder struct {
	source string
	// ascii reports that no non-ASCII character takes part.
	ascii bool
	// onlyASCII is set if the result has Ruby's semantics for ASCII text only.
	onlyASCII bool
}

// fold returns n without case-insensitive literals and classes. Inside a
// look-behind, a multi-character sequence never matches a single character.
func (f *folder) fold(n node, behind bool) (node, error) {
	switch n := n.(type) {
	case *literal:
		switch {
		case n.fold && f.ascii:
			out := &cat{}
			for _, r := range n.runes {
				out.items = append(out.items, &set{runeSet{{r, r}}.asciiFoldClosure()})
			}
			return out, nil
		case n.fold:
			return f.literal(foldRunes(n.runes), behind)
		}
	case *foldSet:
		return f.class(n), nil
	case *backref:
		f.onlyASCII = f.onlyASCII || n.fold
	case *look:
		behind = behind || n.behind
	}
	return rebuild(n, func(c node) (node, error) { return f.fold(c, behind) })
}

// class expands a case-insensitive class: to a set, and the multi-character
// foldings of its members ("ss" for "ß").
func (f *folder) class(n *foldSet) node {
	var s runeSet
	if f.ascii {
		s = n.runes.asciiFoldClosure()
	} else {
		s = n.runes.foldClosure(n.crossing)
	}
	if n.negative {
		return &set{s.negate()}
	}
	items := []node{&set{s}}
	for _, m := range multiFoldings {
		if !slices.ContainsFunc(m.runes, s.contains) {
			continue
		}
		items = append(items, foldedRun(m.full))
	}
	return newAlt(items...)
}

// literal expands a folded, case-insensitive run of characters.
func (f *folder) literal(folded []rune, behind bool) (node, error) {
	out := &cat{}
	for i := 0; i < len(folded); {
		// No multi-character folding crosses end.
		end := i + 1
		for j := i; j < end; j++ {
			for m := range joinable(folded[j:]) {
				end = max(end, j+len(m.full))
			}
		}
		run := folded[i:end]
		i = end
		switch {
		case len(run) == 1:
			out.items = append(out.items, foldedRune(run[0]))
		case behind:
			f.onlyASCII = true
			for _, r := range run {
				out.items = append(out.items, foldedRune(r))
			}
		case len(run) > maxFoldRun:
			return nil, &UnsupportedError{f.source, "so long a run of letters that may be joined when case is ignored"}
		default:
			out.items = append(out.items, foldedRun(run))
		}
	}
	return newCat(out.items...), nil
}

// foldedRun returns the ways to match folded characters, any of which may begin
// a multi-character folding.
func foldedRun(folded []rune) node {
	if len(folded) == 0 {
		return &cat{}
	}
	choices := []node{&cat{[]node{foldedRune(folded[0]), foldedRun(folded[1:])}}}
	for m := range joinable(folded) {
		var joined []runeRange
		for _, r := range m.runes {
			joined = append(joined, runeRange{r, r})
		}
		choices = append(choices, &cat{[]node{&set{newSet(joined...)}, foldedRun(folded[len(m.full):])}})
	}
	return newAlt(choices...)
}

// foldedRune returns a node for one folded character.
func foldedRune(r rune) node {
	s := equalSet(r)
	if _, ok := s.single(); ok {
		return &literal{runes: []rune{r}}
	}
	return &set{s}
}

// hasFold reports whether n contains a case-insensitive node.
func hasFold(n node) bool {
	switch n := n.(type) {
	case *literal:
		return n.fold
	case *foldSet:
		return true
	case *backref:
		return n.fold
	}
	return slices.ContainsFunc(children(n), hasFold)
}
