package transcode

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
		if 0xa0 <= c && c <= 0xbf {
			if key && !first && s.isTypeKey(i) {
				return false
			}
			i += 1 + int(c&0x1f)
		} else if i = s.other(i, c, key); i < 0 {
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
	const header, text = 0xa7, "__ptype"
	return len(s.data)-i > len(text) && s.data[i] == header && string(s.data[i+1:i+1+len(text)]) == text
}

// other returns where what begins at i with c ends, its members apart. It is not a
// short string.
func (s *skim) other(i int, c byte, key bool) int {
	switch {
	case c >= 0xd9 && c <= 0xdb:
	case key:
		return failed
	case c <= 0x7f || c >= 0xe0 || c == 0xc0 || c == 0xc2 || c == 0xc3:
		return i + 1
	case c <= 0x8f:
		return s.enter(i+1, int(c&0x0f), true)
	case c <= 0x9f:
		return s.enter(i+1, int(c&0x0f), false)
	}
	width := widthOf(c)
	if width == 0 || len(s.data)-i <= width {
		return failed
	}
	body := i + 1 + width
	switch n := bigEndian(s.data[i+1:], width); c {
	case 0xd9, 0xda, 0xdb:
		const typeKey = 7
		if int(n) > s.limit || key && n == typeKey { // a longer header than it takes
			return failed
		}
		return body + int(n)
	case 0xdc, 0xdd:
		return s.enter(body, int(n), false)
	case 0xde, 0xdf:
		return s.enter(body, int(n), true)
	}
	return body
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
