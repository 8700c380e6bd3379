package semver

// op is the operator of a comparator.
type op uint8

const (
	opNone op = iota
	opAny
	opGreater
	opGreaterEqual
	opLess
	opLessEqual
	opEqual
)

func (o op) String() string {
	return [...]string{opNone: "", opAny: "*", opGreater: ">", opGreaterEqual: ">=", opLess: "<", opLessEqual: "<=", opEqual: ""}[o]
}

// comparator is an operator and the version it compares with, which opAny does
// not have.
type comparator struct {
	op      op
	version Version
}

func (c comparator) begin() Version {
	switch c.op {
	case opGreater, opGreaterEqual, opEqual:
		return c.version
	default:
		return least
	}
}

func (c comparator) end() Version {
	switch c.op {
	case opLess, opLessEqual, opEqual:
		return c.version
	default:
		return greatest
	}
}

func (c comparator) hasLowerBound() bool {
	switch c.op {
	case opGreater:
		return true
	case opGreaterEqual, opEqual:
		return c.version != least
	default:
		return false
	}
}

func (c comparator) hasUpperBound() bool {
	switch c.op {
	case opLess:
		return true
	case opLessEqual, opEqual:
		return c.version != greatest
	default:
		return false
	}
}

func (c comparator) contains(v Version) bool {
	switch c.op {
	case opAny:
		return true
	case opEqual:
		return v == c.version
	}
	order := v.Compare(c.version)
	switch c.op {
	case opGreater:
		return order > 0
	case opGreaterEqual:
		return order >= 0
	case opLess:
		return order < 0
	case opLessEqual:
		return order <= 0
	default:
		return false
	}
}

// admits reports whether the comparator allows pre-releases with the numbers of
// v: whether it names such a pre-release itself.
func (c comparator) admits(v Version) bool {
	return c.op == opAny || !c.version.IsStable() && c.version.sameTriple(v)
}

func (c comparator) appendText(dst []byte) []byte {
	dst = append(dst, c.op.String()...)
	if c.op == opAny {
		return dst
	}
	return c.version.appendText(dst)
}

// simple is one alternative of a range: one comparator, or a lower and an upper
// one. With one comparator, max is the zero comparator.
type simple struct {
	min, max comparator
}

// nothing is the alternative that contains no version.
var nothing = simple{min: comparator{opLess, least}}

// lower and upper return the comparators that bound s, the same one if s has
// only one.
func (s simple) lower() comparator { return s.min }

func (s simple) upper() comparator {
	if s.max.op == opNone {
		return s.min
	}
	return s.max
}

func (s simple) begin() Version     { return s.lower().begin() }
func (s simple) end() Version       { return s.upper().end() }
func (s simple) excludeBegin() bool { return s.lower().op == opGreater }
func (s simple) excludeEnd() bool   { return s.upper().op == opLess }

func (s simple) contains(v Version) bool {
	return s.lower().contains(v) && s.upper().contains(v)
}

func (s simple) admits(v Version) bool {
	return s.lower().admits(v) || s.upper().admits(v)
}

func (s simple) appendText(dst []byte) []byte {
	switch {
	case s == nothing:
		return append(dst, "<0.0.0"...)
	case s.max.op == opNone:
		return s.min.appendText(dst)
	default:
		dst = append(s.min.appendText(dst), ' ')
		return s.max.appendText(dst)
	}
}

// intersect returns the intersection of s and o. ok is false if it is empty.
func (s simple) intersect(o simple) (both simple, ok bool) {
	switch {
	case s.min.op == opAny:
		return o, true
	case s.touches(o):
		return simple{min: comparator{opEqual, s.begin()}}, !s.excludeBegin() && !o.excludeEnd()
	case o.touches(s):
		return simple{min: comparator{opEqual, o.begin()}}, !o.excludeBegin() && !s.excludeEnd()
	case s.begin().Compare(o.end()) > 0 || o.begin().Compare(s.end()) > 0:
		return simple{}, false
	}
	low, high := o, o
	if c := s.begin().Compare(o.begin()); c > 0 || c == 0 && s.excludeBegin() {
		low = s
	}
	if c := s.end().Compare(o.end()); c < 0 || c == 0 && s.excludeEnd() {
		high = s
	}
	switch {
	case !high.upper().hasUpperBound():
		return low, true
	case !low.lower().hasLowerBound():
		return high, true
	default:
		return simple{low.lower(), high.upper()}, true
	}
}

// touches reports whether s begins with the version with which o ends.
func (s simple) touches(o simple) bool { return s.begin().Compare(o.end()) == 0 }

// union returns the union of s and o. ok is false if it is not one alternative,
// because there is a gap between them.
func (s simple) union(o simple) (either simple, ok bool) {
	switch {
	case s.min.op == opAny:
		return s, true
	case s.contains(o.begin()) || o.contains(s.begin()):
		return hull(lowest(s, o), highest(s, o))
	case s.adjoins(o):
		return hull(s, o)
	case o.adjoins(s):
		return hull(o, s)
	default:
		return simple{}, false
	}
}

// adjoins reports whether there is no version between the end of s and the
// begin of o.
func (s simple) adjoins(o simple) bool {
	if o.excludeBegin() {
		return false
	}
	if s.excludeEnd() {
		return s.end() == o.begin()
	}
	end := s.end()
	return Version{major: end.major, minor: end.minor, patch: end.patch.next()} == o.begin()
}

func lowest(s, o simple) simple {
	if c := s.begin().Compare(o.begin()); c > 0 || c == 0 && s.excludeBegin() {
		return o
	}
	return s
}

func highest(s, o simple) simple {
	if c := s.end().Compare(o.end()); c < 0 || c == 0 && s.excludeEnd() {
		return o
	}
	return s
}

// hull returns the alternative from the begin of low to the end of high.
func hull(low, high simple) (simple, bool) {
	min, max := comparator{opGreaterEqual, low.begin()}, comparator{opLessEqual, high.end()}
	if low.excludeBegin() {
		min.op = opGreater
	}
	if high.excludeEnd() {
		max.op = opLess
	}
	return simple{min: min}.intersect(simple{min: max})
}
