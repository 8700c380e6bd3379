package rubyre

import (
	"iter"
	"regexp"
	"sync"
	"time"
	"unicode/utf8"
)

// program runs one tree.
type program struct {
	linear   *regexp.Regexp // nil if RE2 cannot run the tree
	anchored bool           // the tree depends on the text before a match
	// inside returns the RE2 program for a search that starts after a
	// character; it consumes that character first. Its group 1 is the match.
	inside func() (*regexp.Regexp, error)

	backtracking *machine // used if linear is nil
	timeout      time.Duration
}

// newProgram compiles a resolved and folded tree.
func newProgram(source string, n node, groups int, o Options) (*program, error) {
	l := linear(n)
	if l.ok {
		// An error means that the program is too large for RE2.
		if re, err := compileLinear(n); err == nil {
			return &program{linear: re, anchored: l.anchored, inside: sync.OnceValues(func() (*regexp.Regexp, error) {
				return compileInside(n)
			})}, nil
		}
	}
	return newBacktracking(source, n, groups, o)
}

func compileLinear(n node) (*regexp.Regexp, error) {
	var e emitter
	pattern, ok := e.text(n)
	if !ok {
		return nil, ErrTooComplex
	}
	return regexp.Compile(pattern)
}

func compileInside(n node) (*regexp.Regexp, error) {
	e := emitter{inside: true}
	pattern, ok := e.text(n)
	if !ok {
		return nil, ErrTooComplex
	}
	return regexp.Compile(`\A(?s:.)(?s:.*?)(` + pattern + `)`)
}

// newBacktracking compiles a tree for the backtracking engine.
func newBacktracking(source string, n node, groups int, o Options) (*program, error) {
	m := newMachine(n, groups)
	if m == nil {
		return nil, &UnsupportedError{source, "so large a pattern"}
	}
	return &program{backtracking: m, timeout: o.timeout()}, nil
}

// search is the state of searches in one string.
type search struct {
	p     *program
	s     string
	ascii bool
}

// newSearch prepares s for searches.
func (re *Regexp) newSearch(s string) (*search, error) {
	x := &search{s: s, ascii: asciiString(s)}
	if x.ascii {
		x.p = re.ascii
		return x, nil
	}
	if !utf8.ValidString(s) {
		return nil, ErrInvalidUTF8
	}
	var err error
	x.p, err = re.full()
	return x, err
}

// asciiString reports whether s is ASCII.
func asciiString(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// find returns the byte offsets of the first match at or after from, as pairs,
// with -1 for groups that took no part, or nil if there is none. from must be
// on a character boundary.
func (x *search) find(from int) ([]int, error) {
	p := x.p
	switch {
	case from < 0 || from > len(x.s):
		return nil, nil
	case p.linear == nil:
		return x.backtrack(from)
	case from == 0 || !p.anchored:
		return shift(p.linear.FindStringSubmatchIndex(x.s[from:]), from), nil
	}
	inside, err := p.inside()
	if err != nil { // slightly larger than linear, and too large for RE2
		return nil, ErrTooComplex
	}
	_, size := utf8.DecodeLastRuneInString(x.s[:from])
	m := inside.FindStringSubmatchIndex(x.s[from-size:])
	if m == nil {
		return nil, nil
	}
	return shift(m[2:], from-size), nil
}

// shift adds n to the offsets of a match.
func shift(m []int, n int) []int {
	for i := range m {
		if m[i] >= 0 {
			m[i] += n
		}
	}
	return m
}

// backtrack is find on the backtracking engine.
func (x *search) backtrack(from int) ([]int, error) {
	return x.p.backtracking.find(x.s, from, x.p.timeout)
}

// all yields the matches in order, as scan and gsub do: after an empty match,
// the search continues one character later.
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

// after returns the offset one character after i, or one past the end of the
// string.
func (x *search) after(i int) int {
	if i == len(x.s) {
		return i + 1
	}
	_, size := utf8.DecodeRuneInString(x.s[i:])
	return i + size
}
