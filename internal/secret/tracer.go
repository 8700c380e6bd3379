package secret

import (
	"github.com/pcatdev/pcat/internal/unescape"
)

// wording is a spelling of a secret as a tracer follows it through escapes and line breaks.
type wording struct {
	text []byte
	kind wordingKind
}

// wordingKind is how a spelling may be broken.
type wordingKind uint8

const (
	exactly  wordingKind = iota // not at all
	inLines                     // a line may end in any way, be indented, and be folded at a blank
	inDigits                    // between any two digits of base64
	inBytes                     // hexadecimal in lower case, between any two bytes, which may be separated
)

// state is a position in a wording and a condition on what may follow, in its two low bits.
type state int

const (
	inside    = iota // a character of the wording
	beforeEnd        // blanks, and the line break that is the next character
	afterEnd         // blanks and more line breaks, or a character
	beforeGap        // blanks, and a line break that is not part of the wording
)

func at(position int, condition state) state { return state(position)<<2 | condition }

func (s state) position() int { return int(s >> 2) }

// states are a few states.
type states struct {
	list [3]state
	n    int
}

func (s *states) add(next state) { s.list[s.n], s.n = next, s.n+1 }

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// isBreak reports whether c ends a line.
func isBreak(c byte) bool { return c == '\n' || c == '\r' }

// after returns the states after the byte c.
func (w *wording) after(s state, c byte) (next states) {
	k := s.position()
	if k == len(w.text) {
		return next
	}
	condition := s & 3
	switch {
	case condition == inside, condition == afterEnd:
		if p := w.text[k]; c == p || w.kind == inBytes && c|0x20 == p && 'a' <= p {
			next.add(at(k+1, inside))
		}
		if w.kind != exactly {
			w.breaks(&next, k, condition, c)
		}
	case isBlank(c):
		next.add(s)
	case isBreak(c) && condition == beforeEnd:
		next.add(at(k+1, afterEnd))
	case isBreak(c):
		next.add(at(k, afterEnd))
	}
	return next
}

// breaks adds the states in which c is part of a line break at position k.
func (w *wording) breaks(next *states, k int, condition state, c byte) {
	p := w.text[k]
	switch {
	case condition == afterEnd && (isBlank(c) || isBreak(c)):
		if isBreak(c) && w.kind == inLines && p == '\n' {
			next.n = 0 // also for c, which is p or spelled in another way
			next.add(at(k+1, afterEnd))
		}
		next.add(at(k, afterEnd))
	case !isBlank(c) && !isBreak(c):
		if w.kind == inBytes && c == ':' && 0 < k && k%2 == 0 {
			next.add(at(k, afterEnd))
		}
	case w.kind == inLines && (p == '\n' || p == ' '):
		if isBreak(c) && c != p {
			next.add(at(k+1, afterEnd))
		} else if isBreak(c) {
			next.list[next.n-1] = at(k+1, afterEnd)
		} else {
			next.add(at(k, beforeEnd))
		}
	case !w.mayBreak(k):
	case isBreak(c) || w.kind == inBytes && k%2 == 0:
		next.add(at(k, afterEnd))
	default:
		next.add(at(k, beforeGap))
	}
}

// mayBreak reports whether a line break that is not part of the secret may be before
// position k.
func (w *wording) mayBreak(k int) bool {
	switch w.kind {
	case inDigits, inBytes:
		return 0 < k
	case inLines:
		return 0 < k && len(w.text) >= leastJoined && isDigit(w.text[k-1]) && isDigit(w.text[k])
	default:
		return false
	}
}

// isDigit reports whether c is a digit of base64, in both alphabets, or one of hexadecimal or
// a colon between these.
func isDigit(c byte) bool {
	switch c {
	case '+', '/', '-', '_', ':':
		return true
	}
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// body returns a secret as it is followed in lines: each line ends with a newline, and is
// not indented, except the first.
func body(secret []byte) []byte {
	b := make([]byte, 0, len(secret))
	for i, c := range secret {
		switch {
		case c == '\r' && i+1 < len(secret) && secret[i+1] == '\n':
		case c == '\r':
			b = append(b, '\n')
		case isBlank(c) && len(b) > 0 && b[len(b)-1] == '\n':
		default:
			b = append(b, c)
		}
	}
	return b
}

// tracer follows wordings in a text.
type tracer struct {
	unescape.Readings
	text   []byte
	inJSON bool
	work   int // number of readings tried

	queue []visit
	// Where a backward search was: the first of the states at each position before the
	// beginning, and all of them.
	heads []int32
	past  []visit
}

// visit is a state at a position in the text, and in a list, the index of the next one at
// the same position.
type visit struct {
	at    int
	state state
	next  int32
}

// read begins with another text.
func (t *tracer) read(text []byte, inJSON bool) {
	t.Read(text, inJSON)
	t.text, t.inJSON, t.work = text, inJSON, 0
}

// isClosed reports whether c is no part of a string in the text.
func (t *tracer) isClosed(c byte) bool { return t.inJSON && (c == '"' || c == '\\') }

// trace returns the part of the text that spells w, where position of w is spelled from
// start on. If a character at the end is spelled in several ways, it is the longest one.
func (t *tracer) trace(w *wording, position, start int) (hit Hit, ok bool) {
	end, ok := t.forward(w, position, start)
	if !ok {
		return hit, false
	}
	from, ok := t.backward(w, position, start)
	return Hit{Start: from, End: end}, ok
}

// forward returns the end of the text from start on that spells w from position on.
func (t *tracer) forward(w *wording, position, start int) (end int, ok bool) {
	t.queue = append(t.queue[:0], visit{start, at(position, inside), 0})
	size := at(len(w.text), inside)
	for len(t.queue) > 0 {
		v := t.pop()
		if v.state >= size {
			end, ok = max(end, v.at), true
			continue
		}
		if len(t.queue) == 0 {
			if v = t.plain(w, v); v.state >= size {
				end, ok = max(end, v.at), true
				continue
			}
		}
		if v.at >= len(t.text) {
			continue
		}
		t.work++
		c := t.text[v.at]
		if t.isClosed(c) {
			continue
		}
		next := w.after(v.state, c)
		for _, s := range next.list[:next.n] {
			t.push(v.at+1, s)
		}
		if !unescape.IsIntroducer(c) {
			continue
		}
		list := t.At(v.at)
		for k := range list {
			t.each(w, v.state, list[k].Text(), func(s state) { t.push(list[k].End, s) })
		}
	}
	return end, ok
}

// plain skips characters that can only be read as they are.
func (t *tracer) plain(w *wording, v visit) visit {
	if v.state&3 != inside {
		return v
	}
	k, i, from := v.state.position(), v.at, v.at
	for k < len(w.text) && i < len(t.text) {
		c := t.text[i]
		if c != w.text[k] || unescape.IsIntroducer(c) || isBlank(c) || isBreak(c) {
			break
		}
		k, i = k+1, i+1
	}
	t.work += (i - from) / 8
	return visit{i, at(k, inside), 0}
}

// each calls yield with the states after a text, which is empty at a line break that is part
// of an encoding.
func (t *tracer) each(w *wording, s state, text []byte, yield func(state)) {
	if len(text) == 0 {
		if k := s.position(); 0 < k && k < len(w.text) {
			yield(s)
			if w.kind != exactly && s&3 == inside {
				yield(at(k, afterEnd)) // the next line may be indented
			}
		}
		return
	}
	next := w.after(s, text[0])
	for _, after := range next.list[:next.n] {
		if len(text) == 1 {
			yield(after)
		} else {
			t.each(w, after, text[1:], yield)
		}
	}
}

// push adds a state to the queue unless it is there.
func (t *tracer) push(at int, s state) {
	for _, v := range t.queue {
		if v.at == at && v.state == s {
			return
		}
	}
	t.queue = append(t.queue, visit{at, s, 0})
}

// pop removes the first state from the queue.
func (t *tracer) pop() visit {
	first := 0
	for k, v := range t.queue {
		if v.at < t.queue[first].at {
			first = k
		}
	}
	v, last := t.queue[first], len(t.queue)-1
	t.queue[first] = t.queue[last]
	t.queue = t.queue[:last]
	return v
}

// backward returns the beginning of the text up to start that spells w up to position.
func (t *tracer) backward(w *wording, position, start int) (from int, ok bool) {
	if position == 0 {
		return start, true
	}
	t.heads, t.past = append(t.heads[:0], none), t.past[:0]
	t.meet(start, start, at(position, inside))
	if w.kind != exactly {
		t.meet(start, start, at(position, afterEnd))
	}
	lowest := start
	for i := start - 1; i >= 0 && lowest-i <= unescape.LongestEscape; i-- {
		t.heads = append(t.heads, none)
		t.work++
		c := t.text[i]
		if t.isClosed(c) {
			break
		}
		t.before(w, start, i, i+1, []byte{c})
		if unescape.IsIntroducer(c) {
			list := t.At(i)
			for k := range list {
				if end := list[k].End; end <= start {
					t.before(w, start, i, end, list[k].Text())
				}
			}
		}
		for n := t.heads[start-i]; n != none; n = t.past[n].next {
			lowest = i
			if t.past[n].state == at(0, inside) {
				from, ok = i, true
			}
		}
	}
	return from, ok
}

// before adds the states at position i from which a text up to end leads to a state there.
func (t *tracer) before(w *wording, start, i, end int, text []byte) {
	for n := t.heads[start-end]; n != none; n = t.past[n].next {
		reached := t.past[n].state
		k := reached.position()
		if k == 0 {
			continue
		}
		for s := at(max(0, k-len(text)), inside); s <= at(k, beforeGap); s++ {
			if s < at(1, inside) && s != at(0, inside) {
				continue
			}
			found := false
			t.each(w, s, text, func(after state) { found = found || after == reached })
			if found {
				t.meet(start, i, s)
			}
		}
	}
}

// meet adds a state at a position unless it is there.
func (t *tracer) meet(start, i int, s state) {
	head := &t.heads[start-i]
	for n := *head; n != none; n = t.past[n].next {
		if t.past[n].state == s {
			return
		}
	}
	t.past = append(t.past, visit{i, s, *head})
	*head = int32(len(t.past) - 1)
}
