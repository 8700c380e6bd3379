package pcore

import (
	"math"
	"slices"
)

// memo stores the answers to yes-or-no questions about recursive types, so that
// each question is answered once. A question may recur while it is still open.
// If the comparison has descended into the types since, the answer is yes: this
// is how two recursive types are compared. Otherwise the answer is no, because
// a type that is defined only as itself has no instances.
//
// Such an answer is provisional. If the open question ends with the opposite
// answer, the conclusions from the provisional one are forgotten. The zero
// value is empty.
type memo[Q comparable] struct {
	few   []memoSlot[Q]   // in use until there are many, which is rare
	known map[Q]memoEntry // in use from then on
	depth int             // number of open questions
	level int             // nesting depth inside types
	// lowest is the depth of the outermost open question that was provisionally
	// answered with no.
	lowest int
	trail  []Q // questions answered with yes
}

type memoEntry struct {
	state        memoState
	depth, level int
}

type memoState uint8

const (
	memoOpen memoState = iota
	memoYes
	memoNo
)

// memoMark is the state in which a question was opened.
type memoMark struct{ depth, trail int }

// answer returns the answer to q, if it is known.
func (m *memo[Q]) answer(q Q) (yes, known bool) {
	e, known := m.get(q)
	switch {
	case !known:
		return false, false
	case e.state != memoOpen:
		return e.state == memoYes, true
	case e.level < m.level:
		return true, true
	default:
		m.lowest = min(m.lowest, e.depth)
		return false, true
	}
}

// begin opens the question q.
func (m *memo[Q]) begin(q Q) memoMark {
	if m.few == nil {
		m.few = make([]memoSlot[Q], 0, manyQuestions)
		m.lowest = math.MaxInt
	}
	mark := memoMark{m.depth, len(m.trail)}
	m.set(q, memoEntry{depth: m.depth, level: m.level})
	m.depth++
	return mark
}

// end closes question q, which was opened at mark.
func (m *memo[Q]) end(q Q, mark memoMark, yes bool) {
	m.depth = mark.depth
	if yes {
		m.set(q, memoEntry{state: memoYes})
		m.trail = append(m.trail, q)
	} else {
		for _, concluded := range m.trail[mark.trail:] {
			m.remove(concluded)
		}
		m.trail = m.trail[:mark.trail]
		if m.lowest < mark.depth {
			m.remove(q)
		} else {
			m.set(q, memoEntry{state: memoNo})
		}
	}
	if m.lowest >= mark.depth {
		m.lowest = math.MaxInt
	}
}

// manyQuestions is the number of questions up to which a linear search is used.
const manyQuestions = 8

type memoSlot[Q comparable] struct {
	question Q
	entry    memoEntry
}

func (m *memo[Q]) slot(q Q) int {
	return slices.IndexFunc(m.few, func(s memoSlot[Q]) bool { return s.question == q })
}

func (m *memo[Q]) get(q Q) (e memoEntry, known bool) {
	if m.known != nil {
		e, known = m.known[q]
		return e, known
	}
	if i := m.slot(q); i >= 0 {
		return m.few[i].entry, true
	}
	return memoEntry{}, false
}

func (m *memo[Q]) set(q Q, e memoEntry) {
	if m.known == nil {
		if i := m.slot(q); i >= 0 {
			m.few[i].entry = e
			return
		}
		if len(m.few) < manyQuestions {
			m.few = append(m.few, memoSlot[Q]{q, e})
			return
		}
		m.known = make(map[Q]memoEntry, 2*manyQuestions)
		for _, s := range m.few {
			m.known[s.question] = s.entry
		}
	}
	m.known[q] = e
}

func (m *memo[Q]) remove(q Q) {
	if m.known != nil {
		delete(m.known, q)
	} else if i := m.slot(q); i >= 0 {
		m.few = slices.Delete(m.few, i, i+1)
	}
}
