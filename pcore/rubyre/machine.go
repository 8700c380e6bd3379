package rubyre

import (
	"strings"
	"time"
	"unicode/utf8"
)

// maxStack bounds how much a search may have to remember: choices that are open,
// and what slots were before.
const maxStack = 1 << 20

// machine is a program for the backtracking engine. It is safe for concurrent use.
type machine struct {
	code   []instruction
	slots  int // 2 for each group, and those that the program uses otherwise
	groups int
	keep   int        // the slot of \K, or 0
	first  *[256]bool // what a match can begin with, nil when that may be anything
}

// run is one search.
type run struct {
	*machine
	s     string
	from  int // where the search began
	slots []int
	stack []memory

	steps   int // since the last look at the clock
	timeout time.Duration
	end     time.Time // once many steps are done
}

// memory is what is done when a step fails: slot becomes at again, or when that
// is open or less, the search goes on in another way.
type memory struct {
	slot     int32 // of the program, or one of those below
	pc       int32
	at, last int
}

const (
	open    = -1 // go on with pc at the position at
	shorter = -2 // the same, and then one character before that, as long as that is not before last
)

// find returns the byte offsets of the first match at from or later, as
// [search.find] does.
func (m *machine) find(s string, from int, timeout time.Duration) ([]int, error) {
	r := run{machine: m, s: s, from: from, slots: make([]int, m.slots), timeout: timeout}
	for i := range r.slots {
		r.slots[i] = -1
	}
	for begin := from; begin <= len(s); {
		if m.first == nil || begin < len(s) && m.first[s[begin]] {
			end, err := r.match(begin)
			if err != nil {
				return nil, err
			}
			if end >= 0 {
				return r.found(begin, end), nil
			}
		}
		if begin == len(s) {
			break
		}
		_, size := utf8.DecodeRuneInString(s[begin:])
		begin += size
	}
	return nil, nil
}

// found returns the offsets of a match and its groups.
func (r *run) found(begin, end int) []int {
	if r.keep > 0 {
		begin = r.slots[r.keep]
	}
	m := make([]int, 2*(r.groups+1))
	m[0], m[1] = begin, end
	for g := 2; g < len(m); g += 2 {
		m[g], m[g+1] = -1, -1
		if r.slots[g+1] >= 0 {
			m[g], m[g+1] = r.slots[g], r.slots[g+1]
		}
	}
	return m
}

// stepsBetween is how many steps are done between two looks at the clock. What
// goes over many characters, or much of the stack, counts as many.
const stepsBetween = 1 << 14

// late reports whether time is up. The clock starts at the first look.
func (r *run) late() bool {
	if r.end.IsZero() {
		r.end = time.Now().Add(r.timeout)
		return false
	}
	return time.Now().After(r.end)
}

// set changes a slot, until a step fails.
func (r *run) set(slot, value int) {
	r.stack = append(r.stack, memory{slot: int32(slot), at: r.slots[slot]})
	r.slots[slot] = value
}

// match returns where a match ends that begins at a position, -1 when there is
// none: then all slots are what they were.
func (r *run) match(at int) (end int, err error) {
	pc, ok := 0, true
	for {
		if r.steps++; r.steps >= stepsBetween {
			if r.steps = 0; r.late() {
				return 0, ErrTimeout
			}
		}
		if len(r.stack) > maxStack {
			return 0, ErrTooComplex
		}
		if !ok {
			if pc, at, ok = r.back(); !ok {
				return -1, nil
			}
		}
		i := &r.code[pc]
		if i.op == opMatch {
			return at, nil
		}
		pc, at, ok = r.step(i, pc, at)
	}
}

// back returns to the last choice that is open, if any is.
func (r *run) back() (pc, at int, ok bool) {
	for len(r.stack) > 0 {
		last := len(r.stack) - 1
		m := &r.stack[last]
		switch m.slot {
		case open:
			r.stack = r.stack[:last]
			return int(m.pc), m.at, true
		case shorter:
			pc, at = int(m.pc), m.at
			if at == m.last {
				r.stack = r.stack[:last]
			} else {
				_, n := utf8.DecodeLastRuneInString(r.s[:at])
				m.at -= n
			}
			return pc, at, true
		}
		r.slots[m.slot] = m.at
		r.stack = r.stack[:last]
	}
	return 0, 0, false
}

// choose leaves a choice open.
func (r *run) choose(pc, at int) {
	r.stack = append(r.stack, memory{slot: open, pc: int32(pc), at: at})
}

// step does what an instruction says, and returns where to go on.
func (r *run) step(i *instruction, pc, at int) (next, to int, ok bool) {
	next = pc + 1
	switch i.op {
	case opText:
		return next, at + len(i.text), strings.HasPrefix(r.s[at:], i.text)
	case opSet:
		if at == len(r.s) {
			return 0, 0, false
		}
		c, n := utf8.DecodeRuneInString(r.s[at:])
		return next, at + n, i.chars.contains(c)
	case opRun:
		return r.take(i, next, at)
	case opSplit:
		r.choose(i.to, at)
	case opJump:
		next = i.to
	case opPlace:
		return next, at, r.isPlace(i.kind, at)
	case opSave:
		r.set(i.slot, at)
	case opReturn:
		at = r.slots[i.slot]
	case opLeave:
		if r.slots[i.slot] == at && r.slots[i.high] >= i.low {
			next = i.to
		}
	case opZero:
		r.set(i.slot, 0)
	case opCount:
		r.set(i.slot, r.slots[i.slot]+1)
	case opLoop, opLoopLazy:
		next = r.loop(i, next, at)
	case opMark:
		r.set(i.slot, len(r.stack)+1)
	case opCut:
		r.cut(r.slots[i.slot])
	case opFailTo:
		r.undo(r.slots[i.slot])
		return 0, 0, false
	case opBack:
		r.steps += i.low
		for range i.low {
			if at == 0 {
				return 0, 0, false
			}
			_, n := utf8.DecodeLastRuneInString(r.s[:at])
			at -= n
		}
	case opSameText:
		return r.sameText(i, next, at)
	case opWhether:
		if r.slots[i.slot] < 0 {
			next = i.to
		}
	}
	return next, at, true
}

// take goes past as many characters as there are, and leaves open to take fewer.
func (r *run) take(i *instruction, next, at int) (int, int, bool) {
	least, n := at, 0
	for ; at < len(r.s) && (n < i.high || i.high == infinite); n++ {
		c, size := utf8.DecodeRuneInString(r.s[at:])
		if !i.chars.contains(c) {
			break
		}
		if at += size; n < i.low {
			least = at
		}
	}
	r.steps += n
	if n > i.low {
		_, size := utf8.DecodeLastRuneInString(r.s[:at])
		r.stack = append(r.stack, memory{slot: shorter, pc: int32(next), at: at - size, last: least})
	}
	return next, at, n >= i.low
}

// loop decides whether there is another round.
func (r *run) loop(i *instruction, next, at int) int {
	n := r.slots[i.slot]
	switch {
	case n < i.low:
		return next
	case n == i.high:
		return i.to
	case i.op == opLoopLazy:
		r.choose(next, at)
		return i.to
	}
	r.choose(i.to, at)
	return next
}

// cut forgets the choices above a height of the stack, and keeps what slots were.
func (r *run) cut(height int) {
	r.steps += len(r.stack) - height
	kept := height
	for _, m := range r.stack[height:] {
		if m.slot >= 0 {
			r.stack[kept] = m
			kept++
		}
	}
	r.stack = r.stack[:kept]
}

// undo takes back all above a height of the stack.
func (r *run) undo(height int) {
	r.steps += len(r.stack) - height
	for len(r.stack) > height {
		m := r.stack[len(r.stack)-1]
		if m.slot >= 0 {
			r.slots[m.slot] = m.at
		}
		r.stack = r.stack[:len(r.stack)-1]
	}
}

// sameText finds the text again that the last of the groups matched whose text
// is here.
func (r *run) sameText(i *instruction, next, at int) (int, int, bool) {
	for g := len(i.groups) - 1; g >= 0; g-- {
		begin, end := r.slots[2*i.groups[g]], r.slots[2*i.groups[g]+1]
		if end < 0 {
			continue
		}
		text := r.s[begin:end]
		r.steps += len(text)
		if strings.HasPrefix(r.s[at:], text) || i.fold && len(r.s)-at >= len(text) && strings.EqualFold(r.s[at:at+len(text)], text) {
			return next, at + len(text), true
		}
	}
	return 0, 0, false
}

// isPlace reports whether a position is a place of that kind.
func (r *run) isPlace(kind anchorKind, at int) bool {
	switch kind {
	case lineBegin: // Ruby sees no line after the newline that ends the text
		return at == 0 || r.s[at-1] == '\n' && at < len(r.s)
	case lineEnd:
		return at == len(r.s) || r.s[at] == '\n'
	case textBegin:
		return at == 0
	case textEnd:
		return at == len(r.s)
	case textSemiEnd:
		return r.s[at:] == "" || r.s[at:] == "\n"
	case searchBegin:
		return at == r.from
	case wordBound, asciiBound:
		return r.bound(kind == asciiBound, at)
	}
	return !r.bound(kind == notASCIIBound, at)
}

// bound reports whether a word begins or ends at a position.
func (r *run) bound(ascii bool, at int) bool {
	before, _ := utf8.DecodeLastRuneInString(r.s[:at])
	after, _ := utf8.DecodeRuneInString(r.s[at:])
	return (at > 0 && isWord(before, ascii)) != (at < len(r.s) && isWord(after, ascii))
}

func isWord(c rune, ascii bool) bool {
	if c < utf8.RuneSelf {
		return c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
	}
	return !ascii && classWord.runes().contains(c)
}
