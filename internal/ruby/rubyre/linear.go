package rubyre

// linearity describes whether RE2 matches a tree with Ruby's semantics.
type linearity struct {
	ok bool
	// anchored is set if the tree depends on the text before it: if it contains
	// ^, \A, \b or \B.
	anchored bool
	seen     map[int]bool // the numbers of the groups visited
}

// linear determines whether RE2 can run n.
func linear(n node) linearity {
	l := linearity{ok: true, seen: map[int]bool{}}
	l.visit(n, false)
	return l
}

// visit visits n. consumes reports whether a character must follow n.
func (l *linearity) visit(n node, consumes bool) {
	switch n := n.(type) {
	case *look, *atomic, *backref, *cond, *keep:
		l.ok = false
	case *cat:
		for i := len(n.items) - 1; i >= 0; i-- {
			l.visit(n.items[i], consumes)
			consumes = consumes || !nullable(n.items[i])
		}
	case *alt:
		for _, c := range n.items {
			l.visit(c, consumes)
		}
	case *group:
		if n.index > 0 {
			l.ok = l.ok && !l.seen[n.index] // seen already: a copy made for a call
			l.seen[n.index] = true
		}
		l.visit(n.body, consumes)
	case *repeat:
		if nullable(n.body) {
			l.ok = false // engines differ in when they stop
		}
		l.visit(n.body, consumes)
	case *anchor:
		l.anchor(n.kind, consumes)
	}
}

func (l *linearity) anchor(kind anchorKind, consumes bool) {
	switch kind {
	case lineBegin:
		// RE2 matches after a final newline, Ruby does not.
		l.anchored = true
		l.ok = l.ok && consumes
	case textBegin, asciiBound, notASCIIBound:
		l.anchored = true
	case wordBound, notWordBound, textSemiEnd, searchBegin:
		l.ok = false
	}
}
