package rubyre

// node is one piece of a parsed pattern. The parser shares nothing between two
// places of a tree, except the bodies of called groups before resolve copies
// them.
type node any

// The kinds of node. Those marked "parsed" are gone once resolve and fold have
// done their work.
type (
	// literal is a run of characters; fold asks for case-insensitive matching.
	literal struct {
		runes []rune
		fold  bool // parsed
	}
	// set matches one character that it contains.
	set struct{ runes runeSet }
	// foldSet is a class under (?i). crossing holds the members whose case
	// partners on the other side of ASCII belong to the class too: \w stays
	// ASCII although "k" equals the Kelvin sign. Parsed.
	foldSet struct {
		runes, crossing runeSet
		negative        bool
	}
	// cat is a sequence; an empty one matches the empty string.
	cat struct{ items []node }
	// alt is an ordered choice.
	alt struct{ items []node }
	// group captures its body as group index, or only wraps it when that is 0.
	group struct {
		index int
		name  string
		body  node
	}
	// atomic is (?>…): once matched, its choices are final.
	atomic struct{ body node }
	// look is a look-ahead or a look-behind.
	look struct {
		behind, negative bool
		body             node
	}
	// repeat matches its body min to max times; max is infinite or a count.
	repeat struct {
		min, max int
		lazy     bool
		body     node
	}
	// backref matches what one of the groups matched: the last one that
	// did and whose text is found again.
	backref struct {
		groups   []int
		fold     bool
		numbered bool // parsed: refers by number, not by name
		level    bool // parsed: \k<n+level>
	}
	// call runs a group's pattern again: \g<name>. Parsed.
	call struct {
		name  string
		index int // the group's number when name is empty
	}
	// cond is (?(group)yes|no).
	cond struct {
		group    int
		numbered bool // parsed
		tooMany  bool // parsed: there are more than two branches
		yes, no  node
	}
	// anchor matches a place.
	anchor struct{ kind anchorKind }
	// keep is \K: the match begins here.
	keep struct{}
)

// infinite is the max of a repeat without an upper bound.
const infinite = -1

// anchorKind is one kind of place.
type anchorKind int

const (
	lineBegin     anchorKind = iota // ^
	lineEnd                         // $
	textBegin                       // \A
	textEnd                         // \z
	textSemiEnd                     // \Z: the end, or before a final newline
	searchBegin                     // \G
	wordBound                       // \b
	notWordBound                    // \B
	asciiBound                      // \b under (?a)
	notASCIIBound                   // \B under (?a)
)

// newCat returns items as one node, with sequences in it taken apart.
func newCat(items ...node) node {
	flat := make([]node, 0, len(items))
	for _, item := range items {
		if c, ok := item.(*cat); ok {
			flat = append(flat, c.items...)
		} else {
			flat = append(flat, item)
		}
	}
	if len(flat) == 1 {
		return flat[0]
	}
	return &cat{flat}
}

// newAlt returns the choice between items as one node.
func newAlt(items ...node) node {
	if len(items) == 1 {
		return items[0]
	}
	return &alt{items}
}

// children returns the nodes directly below n.
func children(n node) []node {
	switch n := n.(type) {
	case *cat:
		return n.items
	case *alt:
		return n.items
	case *group:
		return []node{n.body}
	case *atomic:
		return []node{n.body}
	case *look:
		return []node{n.body}
	case *repeat:
		return []node{n.body}
	case *cond:
		return []node{n.yes, n.no}
	}
	return nil
}

// rebuild returns a copy of n whose children are what f makes of them.
func rebuild(n node, f func(node) (node, error)) (node, error) {
	all := func(items []node) ([]node, error) {
		out := make([]node, len(items))
		for i, item := range items {
			var err error
			if out[i], err = f(item); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	made, err := all(children(n))
	if err != nil {
		return nil, err
	}
	switch n := n.(type) {
	case *cat:
		return &cat{made}, nil
	case *alt:
		return &alt{made}, nil
	case *group:
		return &group{n.index, n.name, made[0]}, nil
	case *atomic:
		return &atomic{made[0]}, nil
	case *look:
		return &look{n.behind, n.negative, made[0]}, nil
	case *repeat:
		return &repeat{n.min, n.max, n.lazy, made[0]}, nil
	case *cond:
		return &cond{group: n.group, numbered: n.numbered, yes: made[0], no: made[1]}, nil
	}
	return n, nil
}

// nullable reports whether n can match the empty string. It is only asked of
// trees without calls.
func nullable(n node) bool {
	switch n := n.(type) {
	case *literal:
		return len(n.runes) == 0
	case *set, *foldSet:
		return false
	case *cat:
		for _, item := range n.items {
			if !nullable(item) {
				return false
			}
		}
		return true
	case *alt:
		for _, item := range n.items {
			if nullable(item) {
				return true
			}
		}
		return false
	case *group:
		return nullable(n.body)
	case *atomic:
		return nullable(n.body)
	case *repeat:
		return n.min == 0 || nullable(n.body)
	case *cond:
		return nullable(n.yes) || nullable(n.no)
	}
	return true // anchors, look-around, back-references, \K
}
