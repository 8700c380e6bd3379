package rubyre

// node is a node of a parsed pattern. The parser shares no subtrees, except the
// bodies of called groups before resolve copies them.
type node any

// The kinds of node. Fields and nodes marked "parsed" do not occur after
// resolve and fold.
type (
	// literal is a run of characters; fold requests case-insensitive matching.
	literal struct {
		runes []rune
		fold  bool // parsed
	}
	// set matches one character of the set.
	set struct{ runes runeSet }
	// foldSet is a class under (?i). crossing contains the members whose case
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
	// group captures the text that its body matches as group index; an index of
	// 0 means a non-capturing group.
	group struct {
		index int
		name  string
		body  node
	}
	// atomic is (?>…): after it matches, its choices are final.
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
	// backref matches the same text as one of the groups: the last one that
	// took part in the match and whose text occurs at the position.
	backref struct {
		groups   []int
		fold     bool
		numbered bool // parsed: refers to the group by number, not by name
		level    bool // parsed: \k<n+level>
	}
	// call is \g<name>: it matches a group's pattern again. Parsed.
	call struct {
		name  string
		index int // the group's number, if name is empty
	}
	// cond is (?(group)yes|no).
	cond struct {
		group    int
		numbered bool // parsed
		tooMany  bool // parsed: more than two branches
		yes, no  node
	}
	// anchor matches a position.
	anchor struct{ kind anchorKind }
	// keep is \K: it sets the start of the match.
	keep struct{}
)

// infinite is the max of a repeat without an upper bound.
const infinite = -1

// anchorKind is a kind of position.
type anchorKind int

const (
	lineBegin     anchorKind = iota // ^
	lineEnd                         // $
	textBegin                       // \A
	textEnd                         // \z
	textSemiEnd                     // \Z: at the end, or before a final newline
	searchBegin                     // \G
	wordBound                       // \b
	notWordBound                    // \B
	asciiBound                      // \b under (?a)
	notASCIIBound                   // \B under (?a)
)

// newCat returns the sequence of items as one node, with nested sequences
// flattened.
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

// rebuild returns a copy of n with f applied to each child.
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

// nullable reports whether n can match the empty string. The tree must not
// contain calls.
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
