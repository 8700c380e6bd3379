package leaf

import (
	"bytes"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// source is the part of the document that leaves were decoded from.
type source struct {
	format serialization.Format
	bytes  []byte
	offset int64 // of bytes in the document
	above  int   // number of path steps that lead to it

	cursor *cursor // nil until the first offset is needed
}

// Offset returns the position in the document at which the leaf begins, or -1 if it is
// unknown. Reports use it where a pointer contains a secret and cannot be shown.
//
// Together, the calls for the leaves of a resource read it once, because a Walker visits
// them in the order of the document.
func (l *Leaf) Offset() int64 {
	s := &l.source
	if s.bytes == nil {
		return -1
	}
	if s.cursor == nil {
		o := serialization.DecodeOptions{AllowDuplicates: true, AllowUnknownTypes: true}
		s.cursor = &cursor{reader: s.format.NewReader(bytes.NewBuffer(s.bytes), o), ahead: true} // which is not copied
	}
	path := l.path[s.above:]
	key := len(path) > 0 && path[len(path)-1].Kind == pcore.StepKey && !path[len(path)-1].Listed
	at, ok := s.cursor.find(path, key)
	if !ok {
		return -1
	}
	return s.offset + at
}

// cursor finds the offsets of values in a document. It only moves forward.
type cursor struct {
	reader serialization.Reader
	at     []position // in each open array and map, the outermost first
	ahead  bool       // the value at the last position has not been read
	target []position // of the current call of find
}

// position is a location in an array or a map.
type position struct {
	key   string
	index int   // in an array, or one of the constants below
	start int64 // offset of the key, if any
}

const (
	inMap = -1 // the position is that of a key
	none  = -2 // before the first member
)

func (p position) same(q position) bool { return p.key == q.key && p.index == q.index }

// find returns the offset of the value at path, or of its key. It returns false if there
// is none, or if the cursor is already behind it.
func (c *cursor) find(path pcore.Path, key bool) (int64, bool) {
	if !c.aim(path) || !c.move() {
		return 0, false
	}
	if key {
		return c.at[len(c.at)-1].start, true
	}
	_, err := c.reader.Token() // skips white space
	return c.reader.Offset(), err == nil
}

// aim sets the target to the positions that lead to path in an encoded document.
func (c *cursor) aim(path pcore.Path) bool {
	c.target = c.target[:0]
	member := func(key string) { c.target = append(c.target, position{key: key, index: inMap}) }
	element := func(i int) { c.target = append(c.target, position{index: i}) }
	for _, s := range path {
		switch s.Kind {
		case pcore.StepIndex:
			element(s.Index)
		case pcore.StepArgument:
			member("arguments")
			element(s.Index)
		case pcore.StepSecret:
			member("__pvalue")
		case pcore.StepEntry, pcore.StepAttribute, pcore.StepKey:
			if !s.Listed {
				member(stepText(s))
				continue
			}
			member("__pvalue")
			i := 2 * s.Index
			if s.Kind == pcore.StepEntry {
				i++
			}
			element(i)
		default:
			return false
		}
	}
	return true
}

// move moves to the target and reports whether it is there.
func (c *cursor) move() bool {
	same := 0
	for same < min(len(c.at), len(c.target)) && c.at[same].same(c.target[same]) {
		same++
	}
	if same < len(c.at) {
		if same == len(c.target) || !c.leave(same+1) || !c.advance(c.target[same]) {
			return false
		}
		same++
	}
	for _, p := range c.target[same:] {
		if !c.enter(p.index == inMap) || !c.advance(p) {
			return false
		}
	}
	return c.ahead
}

// leave leaves all but the n outermost arrays and maps, and moves behind the value at the
// position in the last of them.
func (c *cursor) leave(n int) bool {
	for len(c.at) > n {
		if c.reader.Leave() != nil {
			return false
		}
		c.at, c.ahead = c.at[:len(c.at)-1], false
	}
	if c.ahead && c.reader.Skip() != nil {
		return false
	}
	c.ahead = false
	return true
}

// enter moves into the value at the position if it is a map, or an array.
func (c *cursor) enter(isMap bool) bool {
	want := serialization.TokenArray
	if isMap {
		want = serialization.TokenMap
	}
	if !c.ahead {
		return false
	}
	if t, err := c.reader.Token(); err != nil || t != want {
		return false
	}
	if _, err := c.reader.Enter(); err != nil {
		return false
	}
	c.at, c.ahead = append(c.at, position{index: none}), false
	return true
}

// advance moves to p in the innermost array or map.
func (c *cursor) advance(p position) bool {
	for at := &c.at[len(c.at)-1]; ; {
		t, err := c.reader.Token()
		switch {
		case err != nil || t == serialization.TokenEnd:
			return false
		case t == serialization.TokenKey:
			at.start, at.index = c.reader.Offset(), inMap
			if at.key, err = c.reader.Key(); err != nil {
				return false
			}
		case p.index <= at.index:
			return false
		default:
			at.index = max(at.index, -1) + 1
		}
		if at.same(p) {
			c.ahead = true
			return true
		}
		if c.reader.Skip() != nil {
			return false
		}
	}
}
