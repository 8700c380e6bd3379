package rubyre

import (
	"strings"
	"time"
	"unicode/utf8"
)

// maxStack limits the number of entries on a search's stack: open choices and
// previous values of slots.
const maxStack = 1 << 20

// machine is a program for the backtracking engine. It is safe for concurrent
// use.
type machine struct {
	code   []instruction
	slots  int // 2 for each group, and further ones of the program
	groups int
	keep   int        // the slot of \K, or 0
	first  *[256]bool // the bytes that can begin a match; nil if any can
}

// run is the state of one search.
type run struct {
	*machine
	s     string
	from  int // start of the search
	slots []int
	stack []memory

	steps   int // since the last check of the clock
	timeout time.Duration
	end     time.Time // set at the first check of the clock
}

// memory is an entry of the stack, handled when a step fails: it restores slot
// to at or, if slot is negative, resumes the search at a choice.
type memory struct {
	slot     int32 // index of a slot, or one of the constants below
	pc       int32
	at, last int
}

const (
	open    = -1 // resume with pc at the position at
	shorter = -2 // the same, then at one character less each time, down to last
)

// find returns the byte offsets of the first match at or after from, as
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

// stepsBetween is the number of steps between two checks of the clock. An
// operation over many characters, or over much of the stack, counts as many
// steps.
const stepsBetween = 1 << 14

// late reports whether the time is up. The clock starts at the first check.
func (r *run) late() bool {
	if r.end.IsZero() {
		r.end = time.Now().Add(r.timeout)
		return false
	}
	return time.Now().After(r.end)
}

// set sets a slot; backtracking restores its value.
func (r *run) set(slot, value int) {
	r.stack = append(r.stack, memory{slot: int32(slot), at: r.slots[slot]})
	r.slots[slot] = value
}

// match returns the end of a match that begins at a position, or -1 if there is
// none. In the latter case all slots have their previous values.
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

// back returns to the last open choice, if any.
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

// choose records an open choice.
func (r *run) choose(pc, at int) {
	r.stack = append(r.stack, memory{slot: open, pc: int32(pc), at: at})
}

// step executes an instruction, and returns where to continue.
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
	case opAnchor:
		return next, at, r.isAt(i.kind, at)
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

// take matches as many characters as possible, and records the choice to take
// fewer.
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

// loop decides whether to run another round.
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

// cut drops the choices above a height of the stack, but keeps the previous
// values of slots.
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

// undo reverts everything above a height of the stack.
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

// sameText matches the text of the last of the groups whose text occurs at the
// position.
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

// isAt reports whether a position is of the given kind.
func (r *run) isAt(kind anchorKind, at int) bool {
	switch kind {
	case lineBegin: // Ruby does not match after a newline that ends the text
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

// bound reports whether there is a word boundary at a position.
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
