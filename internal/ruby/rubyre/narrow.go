package rubyre

import "slices"

// wideSet is the number of ranges above which a set justifies a separate
// program for ASCII text.
const wideSet = 32

// wide reports whether a tree for ASCII text could be much smaller, or could
// run on RE2.
func wide(n node) bool {
	switch n := n.(type) {
	case *set:
		return len(n.runes) > wideSet
	case *anchor:
		return n.kind == wordBound || n.kind == notWordBound
	}
	return slices.ContainsFunc(children(n), wide)
}

// narrow returns a tree that is equivalent to n in ASCII text.
func narrow(n node) node {
	switch n := n.(type) {
	case *set:
		return &set{n.runes.intersect(asciiRunes())}
	case *anchor:
		switch n.kind {
		case wordBound:
			return &anchor{asciiBound}
		case notWordBound:
			return &anchor{notASCIIBound}
		}
		return n
	case *alt:
		var items []node
		for _, c := range n.items {
			if c = narrow(c); !impossible(c) {
				items = append(items, c)
			}
		}
		if items == nil {
			return &set{}
		}
		return newAlt(items...)
	}
	n, _ = rebuild(n, func(c node) (node, error) { return narrow(c), nil })
	return n
}

// impossible reports whether n certainly matches nothing and contains no group.
func impossible(n node) bool {
	switch n := n.(type) {
	case *set:
		return len(n.runes) == 0
	case *cat:
		return slices.ContainsFunc(n.items, impossible) && !captures(n, func(int) bool { return true })
	}
	return false
}
