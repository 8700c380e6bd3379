package rubyre

import (
	"slices"
	"unicode"
	"unicode/utf8"
)

// maxProgram limits the size of a program, counted in instructions and in
// character ranges: a short \p{L} has hundreds of ranges.
const maxProgram = 1 << 17

// opcode is an operation of the backtracking engine.
type opcode uint8

const (
	opText     opcode = iota // match text
	opSet                    // match a character of chars
	opRun                    // match low to high characters of chars, as many as possible
	opSplit                  // continue; on failure, continue at to
	opJump                   // continue at to
	opAnchor                 // check that the position is of the given kind
	opSave                   // set slot to the position
	opReturn                 // set the position to slot
	opLeave                  // if the position equals slot, and slot high is at least low, continue at to
	opZero                   // set slot to 0
	opCount                  // increment slot
	opLoop                   // run another of low to high rounds, counted in slot, or continue at to
	opLoopLazy               // the same, with as few rounds as possible
	opMark                   // set slot to the height of the stack
	opCut                    // drop the choices since the opMark of slot
	opFailTo                 // undo everything since the opMark of slot, and fail
	opBack                   // move back low characters
	opSameText               // match the same text as one of groups
	opWhether                // continue at to unless the group of slot has matched
	opMatch                  // report the match
)

// instruction is one step of a program. The opcodes document the meaning of its
// fields.
type instruction struct {
	op        opcode
	fold      bool // opSameText: ignore case
	kind      anchorKind
	to, slot  int
	low, high int
	text      string
	chars     *charSet
	groups    []int
}

// charSet is a set of characters with fast lookup of ASCII.
type charSet struct {
	ascii [utf8.RuneSelf]bool
	runes runeSet
}

func newCharSet(s runeSet) *charSet {
	c := &charSet{runes: s}
	for r := range asciiRunes().intersect(s).all() {
		c.ascii[r] = true
	}
	return c
}

func (c *charSet) contains(r rune) bool {
	if r < utf8.RuneSelf {
		return c.ascii[r]
	}
	return c.runes.contains(r)
}

// assembler converts a tree to a program.
type assembler struct {
	code  []instruction
	slots int
	keep  int // the slot of \K
	size  int // in units of maxProgram
}

// newMachine returns the machine for a resolved and folded tree, or nil if its
// program would be too large.
func newMachine(n node, groups int) *machine {
	a := assembler{slots: 2 * (groups + 1)}
	a.node(n)
	a.emit(instruction{op: opMatch})
	if a.size > maxProgram {
		return nil
	}
	return &machine{code: a.code, slots: a.slots, groups: groups, keep: a.keep, first: firstBytes(n)}
}

// emit appends an instruction and returns its index.
func (a *assembler) emit(i instruction) int {
	a.size++
	a.code = append(a.code, i)
	return len(a.code) - 1
}

// land sets the target of the instructions at locations to the next instruction.
func (a *assembler) land(locations ...int) {
	for _, at := range locations {
		a.code[at].to = len(a.code)
	}
}

func (a *assembler) slot() int {
	a.slots++
	return a.slots - 1
}

func (a *assembler) set(op opcode, s runeSet, low, high int) {
	a.size += len(s)
	a.emit(instruction{op: op, chars: newCharSet(s), low: low, high: high})
}

func (a *assembler) node(n node) {
	if a.size > maxProgram {
		return
	}
	switch n := n.(type) {
	case *literal:
		a.emit(instruction{op: opText, text: string(n.runes)})
	case *set:
		a.set(opSet, n.runes, 1, 1)
	case *cat:
		for _, c := range n.items {
			a.node(c)
		}
	case *alt:
		a.choice(n.items, a.node)
	case *group:
		a.group(n)
	case *atomic:
		mark := a.slot()
		a.emit(instruction{op: opMark, slot: mark})
		a.node(n.body)
		a.emit(instruction{op: opCut, slot: mark})
	case *look:
		a.look(n)
	case *repeat:
		a.repeat(n)
	case *backref:
		a.emit(instruction{op: opSameText, groups: n.groups, fold: n.fold})
	case *cond:
		whether := a.emit(instruction{op: opWhether, slot: 2*n.group + 1})
		a.node(n.yes)
		out := a.emit(instruction{op: opJump})
		a.land(whether)
		a.node(n.no)
		a.land(out)
	case *anchor:
		a.emit(instruction{op: opAnchor, kind: n.kind})
	case *keep:
		if a.keep == 0 {
			a.keep = a.slot()
		}
		a.emit(instruction{op: opSave, slot: a.keep})
	}
}

// choice emits an ordered choice between items, and calls each to emit an item.
func (a *assembler) choice(items []node, each func(node)) {
	var outs []int
	for i, c := range items {
		if i == len(items)-1 {
			each(c)
			break
		}
		split := a.emit(instruction{op: opSplit})
		each(c)
		outs = append(outs, a.emit(instruction{op: opJump}))
		a.land(split)
	}
	a.land(outs...)
}

func (a *assembler) group(n *group) {
	if n.index == 0 {
		a.node(n.body)
		return
	}
	a.emit(instruction{op: opSave, slot: 2 * n.index})
	a.node(n.body)
	a.emit(instruction{op: opSave, slot: 2*n.index + 1})
}

// look emits a look-around, after which the position is restored and the
// choices within are dropped.
func (a *assembler) look(n *look) {
	mark := a.slot()
	a.emit(instruction{op: opMark, slot: mark})
	if n.negative {
		split := a.emit(instruction{op: opSplit})
		a.looked(n)
		a.emit(instruction{op: opFailTo, slot: mark})
		a.land(split)
		return
	}
	at := a.slot()
	a.emit(instruction{op: opSave, slot: at})
	a.looked(n)
	a.emit(instruction{op: opCut, slot: mark})
	a.emit(instruction{op: opReturn, slot: at})
}

// looked emits the body of a look-around. The body of a look-behind has a fixed
// length, or is a choice between such bodies.
func (a *assembler) looked(n *look) {
	if !n.behind {
		a.node(n.body)
		return
	}
	items := []node{n.body}
	if choice, ok := n.body.(*alt); ok {
		items = choice.items
	}
	a.choice(items, func(c node) {
		chars, _ := length(c)
		a.emit(instruction{op: opBack, low: chars})
		a.node(c)
	})
}

func (a *assembler) repeat(n *repeat) {
	if s, ok := oneOf(n.body); ok && !n.lazy {
		a.set(opRun, s, n.min, n.max)
		return
	}
	switch {
	case n.max == 0:
	case n.min == 1 && n.max == 1:
		a.node(n.body)
	case n.min == 0 && n.max == 1:
		a.optional(n)
	case n.min == 0 && n.max == infinite:
		a.star(n)
	default:
		a.counted(n)
	}
}

// oneOf returns the set of characters that n matches, if n matches exactly one
// character.
func oneOf(n node) (s runeSet, ok bool) {
	switch n := n.(type) {
	case *set:
		return n.runes, true
	case *literal:
		if len(n.runes) == 1 {
			return runeSet{{n.runes[0], n.runes[0]}}, true
		}
	}
	return nil, false
}

// optional emits an optional body.
func (a *assembler) optional(n *repeat) {
	if !n.lazy {
		split := a.emit(instruction{op: opSplit})
		a.node(n.body)
		a.land(split)
		return
	}
	split := a.emit(instruction{op: opSplit})
	out := a.emit(instruction{op: opJump})
	a.land(split)
	a.node(n.body)
	a.land(out)
}

// star emits a body that is repeated any number of times. A round that matches
// the empty string is the last one.
func (a *assembler) star(n *repeat) {
	begin := len(a.code)
	out := a.emit(instruction{op: opSplit})
	if n.lazy {
		split := out
		out = a.emit(instruction{op: opJump})
		a.land(split)
	}
	at := a.slot()
	outs := append(a.round(n, at, at), out)
	a.emit(instruction{op: opJump, to: begin})
	a.land(outs...)
}

// counted emits a body whose rounds are counted.
func (a *assembler) counted(n *repeat) {
	count, op := a.slot(), opLoop
	if n.lazy {
		op = opLoopLazy
	}
	a.emit(instruction{op: opZero, slot: count})
	loop := a.emit(instruction{op: op, slot: count, low: n.min, high: n.max})
	a.emit(instruction{op: opCount, slot: count})
	outs := []int{loop}
	if n.max == infinite {
		outs = append(outs, a.round(n, a.slot(), count)...)
	} else {
		a.node(n.body)
	}
	a.emit(instruction{op: opJump, to: loop})
	a.land(outs...)
}

// round emits one round of an unbounded loop, and returns the instructions that
// leave it: once the minimum number of rounds is reached, a round that matches
// the empty string is the last one. at is a slot for the position, count the
// slot with the number of rounds.
func (a *assembler) round(n *repeat, at, count int) (outs []int) {
	if !nullable(n.body) {
		a.node(n.body)
		return nil
	}
	a.emit(instruction{op: opSave, slot: at})
	a.node(n.body)
	least := n.min
	if count == at {
		least = 0
	}
	return []int{a.emit(instruction{op: opLeave, slot: at, low: least, high: count})}
}

// firstBytes returns the bytes with which a match of n can begin, or nil if it
// can begin with any byte or be empty.
func firstBytes(n node) *[256]bool {
	var first [256]bool
	if !addFirst(n, &first) {
		return nil
	}
	return &first
}

// addFirst adds the bytes with which n can begin, and reports whether every
// match of n begins with one of them.
func addFirst(n node, first *[256]bool) bool {
	switch n := n.(type) {
	case *literal:
		if len(n.runes) == 0 {
			return false
		}
		first[string(n.runes[:1])[0]] = true
		return true
	case *set:
		for _, r := range n.runes {
			for b := r.lo; b <= min(r.hi, unicode.MaxASCII); b++ {
				first[b] = true
			}
			for b := utf8.RuneSelf; r.hi > unicode.MaxASCII && b < len(first); b++ {
				first[b] = true
			}
		}
		return true
	case *cat:
		for _, c := range n.items {
			if addFirst(c, first) {
				return true
			}
			if consumes(c) {
				return false
			}
		}
	case *alt:
		sure := true
		for _, c := range n.items {
			sure = addFirst(c, first) && sure
		}
		return sure
	case *group:
		return addFirst(n.body, first)
	case *atomic:
		return addFirst(n.body, first)
	case *repeat:
		return addFirst(n.body, first) && n.min > 0
	}
	return false
}

// consumes reports whether n may match characters that addFirst did not add.
func consumes(n node) bool {
	switch n.(type) {
	case *backref, *cond:
		return true
	case *look, *anchor, *keep:
		return false
	}
	return slices.ContainsFunc(children(n), consumes)
}
