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
	linear   *regexp.Regexp // nil when RE2 cannot run the tree
	anchored bool           // the tree looks at what is before a match
	// inside is the RE2 program for a search that starts after a character,
	// which it reads first. Its group 1 is the match.
	inside func() (*regexp.Regexp, error)

	backtracking *machine // when RE2 cannot
	timeout      time.Duration
}

// newProgram compiles a resolved and folded tree.
func newProgram(source string, n node, groups int, o Options) (*program, error) {
	l := linear(n)
	if l.ok {
		// An error means that the program would be too large for RE2.
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

// search is one string that is being searched.
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

// find returns the byte offsets of the first match at from or later, as pairs,
// -1 for groups that took no part; or nil. from is on a character's boundary.
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
	if err != nil { // a little larger than linear is, and just too large
		return nil, ErrTooComplex
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
	return x.p.backtracking.find(x.s, from, x.p.timeout)
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
