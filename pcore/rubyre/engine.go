package rubyre

import (
	"errors"
	"iter"
	"regexp"
	"sync"
	"unicode/utf8"

	"github.com/dlclark/regexp2/v2"
)

// maxStack bounds, in integers, what the backtracking engine may remember
// during one search.
const maxStack = 1 << 22

// engines are the ways to run one pattern.
type engines struct {
	groups int
	keep   int // the number of the group that marks \K, or 0
	// textASCII is set when the pattern has Ruby's meaning for ASCII text only.
	textASCII bool

	linear      *regexp.Regexp // nil when RE2 cannot run it
	linearASCII bool           // RE2 can, for ASCII text
	anchored    bool           // it looks at what is before a match
	// inside is the RE2 program for a search that starts after a character,
	// which it reads first. Its group 1 is the match.
	inside func() (*regexp.Regexp, error)
	// backtracking is what runs when RE2 cannot.
	backtracking func() (*regexp2.Regexp, error)
}

// newEngines prepares what runs a resolved and folded tree.
func newEngines(source string, n node, groups int, o Options) (*engines, error) {
	e := &engines{groups: groups}
	if hasKeep(n) {
		e.keep = groups + 1
	}
	e.backtracking = sync.OnceValues(func() (*regexp2.Regexp, error) {
		return compileBacktracking(source, n, e.keep, o)
	})
	if l := linear(n); l.ok {
		if pattern, ok := emitLinear(n, false); ok {
			// An error means that the program would be too large for RE2.
			e.linear, _ = regexp.Compile(pattern)
		}
		e.linearASCII, e.anchored = l.onlyASCII, l.anchored
		e.inside = sync.OnceValues(func() (*regexp.Regexp, error) {
			pattern, _ := emitLinear(n, true)
			return regexp.Compile(`\A(?s:.)(?s:.*?)(` + pattern + `)`)
		})
	}
	if e.linear == nil {
		if _, err := e.backtracking(); err != nil {
			return nil, err
		}
	}
	return e, nil
}

func compileBacktracking(source string, n node, keep int, o Options) (*regexp2.Regexp, error) {
	pattern, failed := emitBacktracking(n, keep)
	if failed != "" {
		return nil, &UnsupportedError{source, failed}
	}
	re, err := regexp2.Compile(pattern, regexp2.OptionMaxBacktrackingStackSize(maxStack))
	if err != nil {
		return nil, &UnsupportedError{source, "what the backtracking engine cannot read"}
	}
	re.MatchTimeout = o.timeout()
	return re, nil
}

// search is one string that is being searched.
type search struct {
	e      *engines
	source string
	s      string
	ascii  bool

	// For the backtracking engine, once it is needed:
	re      *regexp2.Regexp
	runes   []rune
	offsets []int // the byte offset of each rune and of the end; nil for ASCII
}

// newSearch prepares s for searches.
func (re *Regexp) newSearch(s string) (*search, error) {
	x := &search{e: re.engines, source: re.source, s: s, ascii: true}
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			x.ascii = false
			break
		}
	}
	if !x.ascii && !utf8.ValidString(s) {
		return nil, ErrInvalidUTF8
	}
	if re.engines.textASCII && !x.ascii {
		return nil, &UnsupportedError{re.source, "case-insensitive back-reference or look-behind in text beyond ASCII"}
	}
	return x, nil
}

// find returns the byte offsets of the first match at from or later, as pairs,
// -1 for groups that took no part; or nil. from is on a character's boundary.
func (x *search) find(from int) ([]int, error) {
	e := x.e
	switch {
	case from < 0 || from > len(x.s):
		return nil, nil
	case e.linear == nil || e.linearASCII && !x.ascii:
		return x.backtrack(from)
	case from == 0 || !e.anchored:
		return shift(e.linear.FindStringSubmatchIndex(x.s[from:]), from), nil
	}
	inside, err := e.inside()
	if err != nil { // a little larger than linear is, and just too large
		return x.backtrack(from)
	}
	_, size := utf8.DecodeLastRuneInString(x.s[:from])
	m := inside.FindStringSubmatchIndex(x.s[from-size:])
	if m == nil {
		return nil, nil
	}
	return shift(m[2:], from-size), nil
}

// shift moves offsets by n.
func shift(m []int, n int) []int {
	for i := range m {
		if m[i] >= 0 {
			m[i] += n
		}
	}
	return m
}

// backtrack does what find does on the backtracking engine.
func (x *search) backtrack(from int) ([]int, error) {
	if err := x.decode(); err != nil {
		return nil, err
	}
	var m []int
	err := x.re.FindRunesMatches(x.runes, x.runeIndex(from), func(v regexp2.MatchView) bool {
		m = make([]int, 2*(x.e.groups+1))
		for g := range x.e.groups + 1 {
			m[2*g], m[2*g+1] = x.offsetsOf(v, g)
		}
		if x.e.keep > 0 {
			m[0], _ = x.offsetsOf(v, x.e.keep)
		}
		return false
	})
	switch {
	case errors.Is(err, regexp2.ErrBacktrackingStackLimit):
		return nil, ErrTooComplex
	case err != nil:
		return nil, ErrTimeout // its own text quotes the string
	}
	return m, nil
}

// decode prepares the string for the backtracking engine.
func (x *search) decode() (err error) {
	if x.re != nil {
		return nil
	}
	if x.re, err = x.e.backtracking(); err != nil {
		return err
	}
	x.runes = []rune(x.s)
	if !x.ascii {
		x.offsets = make([]int, 0, len(x.runes)+1)
		for i := range x.s {
			x.offsets = append(x.offsets, i)
		}
		x.offsets = append(x.offsets, len(x.s))
	}
	return nil
}

// runeIndex returns the index of the rune at a byte offset.
func (x *search) runeIndex(offset int) int {
	if x.offsets == nil {
		return offset
	}
	lo, hi := 0, len(x.offsets)
	for lo < hi {
		if mid := (lo + hi) / 2; x.offsets[mid] < offset {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// offsetsOf returns where a group begins and ends.
func (x *search) offsetsOf(v regexp2.MatchView, group int) (begin, end int) {
	i, n, ok := v.GroupRange(group)
	switch {
	case !ok:
		return -1, -1
	case x.offsets == nil:
		return i, i + n
	}
	return x.offsets[i], x.offsets[i+n]
}

// all yields the matches one after the other, as scan and gsub walk through
// them: after an empty match the search goes on one character later.
func (x *search) all() iter.Seq2[[]int, error] {
	return func(yield func([]int, error) bool) {
		for from := 0; from <= len(x.s); {
			m, err := x.find(from)
			if err != nil {
				yield(nil, err)
				return
			}
			if m == nil || !yield(m, nil) {
				return
			}
			from = m[1]
			if m[0] == m[1] {
				from = x.after(from)
			}
		}
	}
}

// after returns the offset one character after i, or one beyond the end.
func (x *search) after(i int) int {
	if i == len(x.s) {
		return i + 1
	}
	_, size := utf8.DecodeRuneInString(x.s[i:])
	return i + size
}
