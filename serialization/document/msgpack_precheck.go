package document

import (
	"github.com/pcatdev/pcat/internal/mpwire"
	"github.com/pcatdev/pcat/serialization/richdata"
)

// skim looks over a document of MessagePack that is larger than memory, before it
// is carried: it reports whether all keys are strings and no `__ptype` stands
// anywhere but first in its map, so that what is carried before it is found is
// what the map begins with. It looks at what headers tell only. When it is in
// doubt, as of what is not well-formed, it says no.
type skim struct {
	feed
	depth int // how many levels are allowed
	limit int // of one string
	open  []members
}

// members are those of an array or a map that are still to come, where a key and
// its value are two.
type members struct {
	left  int
	isMap bool
	first bool // the next key is the first one
}

func (s *skim) run() (plain bool) {
	i := 0
	s.open = append(s.open[:0], members{left: 1})
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
func (s *skim) isTypeKey(i int) bool {
	n, _ := mpwire.Short(s.data[i])
	return n == len(richdata.TypeKey) && len(s.data)-i > n && string(s.data[i+1:i+1+n]) == richdata.TypeKey
}

// other returns where what begins at i with the form f ends, its members apart. It
// is not a short string.
func (s *skim) other(i int, f mpwire.Form, key bool) int {
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
		if int(n) > s.limit || key && int(n) == len(richdata.TypeKey) { // a longer header than it takes
			return failed
		}
		return body + int(n)
	default:
		return failed
	}
}

// enter begins an array or a map of n members behind its header.
func (s *skim) enter(i, n int, isMap bool) int {
	if len(s.open) > s.depth {
		return failed
	}
	if isMap {
		n *= 2
	}
	s.open = append(s.open, members{left: n, isMap: isMap, first: true})
	return i
}

// past moves to i, which is beyond what is in memory.
func (s *skim) past(i int) int {
	for i > len(s.data) {
		over := i - len(s.data)
		if _, ok := s.more(len(s.data)); !ok {
			return failed
		}
		i = over
	}
	return i
}
