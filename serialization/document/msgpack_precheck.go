package document

import (
	"github.com/pcatdev/pcat/internal/mpwire"
	"github.com/pcatdev/pcat/serialization/richdata"
)

// msgpackPrecheck is the first pass over MessagePack larger than memory: it reports
// whether all keys are strings and every `__ptype` is the first key of its map, so
// that no key before it is written wrongly. It sees only headers, and reports false
// if in doubt or if the document is malformed.
type msgpackPrecheck struct {
	window
	depth int // the maximum number of levels
	limit int // of one string
	open  []openContainer
}

// openContainer is an open array or map. left is the number of members to come, where
// a key and its value are two.
type openContainer struct {
	left  int
	isMap bool
	first bool // the next key is the first
}

func (s *msgpackPrecheck) run() (plain bool) {
	i := 0
	s.open = append(s.open[:0], openContainer{left: 1})
	for len(s.open) > 0 {
		top := &s.open[len(s.open)-1]
		if top.left == 0 {
			s.open = s.open[:len(s.open)-1]
			continue
		}
		top.left--
		key := top.isMap && top.left&1 != 0
		first := key && top.first
		if key {
			top.first = false
		}
		if len(s.data)-i < 2*word {
			if i = s.need(i, 2*word); i >= len(s.data) {
				return false
			}
		}
		c := s.data[i]
		if n, ok := mpwire.Short(c); ok {
			if key && !first && s.isTypeKey(i) {
				return false
			}
			i += 1 + n
		} else if i = s.other(i, mpwire.First(c), key); i < 0 {
			return false
		}
		if i > len(s.data) {
			if i = s.past(i); i < 0 {
				return false
			}
		}
	}
	return true
}

// isTypeKey reports whether the string at i is `__ptype`, in its usual spelling.
func (s *msgpackPrecheck) isTypeKey(i int) bool {
	n, _ := mpwire.Short(s.data[i])
	return n == len(richdata.TypeKey) && len(s.data)-i > n && string(s.data[i+1:i+1+n]) == richdata.TypeKey
}

// other returns the end of a value at i that is not a short string, or of its header
// if it is an array or map.
func (s *msgpackPrecheck) other(i int, f mpwire.Form, key bool) int {
	n, ok := f.Number(s.data, i)
	body := i + f.Size()
	if !ok || key && f.Kind != mpwire.String {
		return failed
	}
	switch f.Kind {
	case mpwire.Nil, mpwire.Bool, mpwire.Int, mpwire.Uint, mpwire.Float:
		return body
	case mpwire.Map:
		return s.enter(body, int(n), true)
	case mpwire.Array:
		return s.enter(body, int(n), false)
	case mpwire.String:
		if int(n) > s.limit || key && int(n) == len(richdata.TypeKey) { // its header is longer than necessary
			return failed
		}
		return body + int(n)
	default:
		return failed
	}
}

// enter begins an array or a map of n members after its header.
func (s *msgpackPrecheck) enter(i, n int, isMap bool) int {
	if len(s.open) > s.depth {
		return failed
	}
	if isMap {
		n *= 2
	}
	s.open = append(s.open, openContainer{left: n, isMap: isMap, first: true})
	return i
}

// past moves to i, which is not in memory yet.
func (s *msgpackPrecheck) past(i int) int {
	for i > len(s.data) {
		over := i - len(s.data)
		if _, ok := s.more(len(s.data)); !ok {
			return failed
		}
		i = over
	}
	return i
}
