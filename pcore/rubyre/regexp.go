package rubyre

import (
	"iter"
	"slices"
	"strings"
	"sync"
	"time"
)

// DefaultTimeout is how long one search for one match may take when Options says
// nothing.
const DefaultTimeout = 2 * time.Second

// Options are what Ruby gives to Regexp.new beside the pattern, and the bound
// on a search. The zero value compiles a pattern as Puppet writes it, /…/.
type Options struct {
	IgnoreCase bool // i: letters match whatever their case
	MultiLine  bool // m: "." also matches a newline
	Extended   bool // x: white space and # comments in the pattern do not count
	// Timeout bounds a search on the backtracking engine, to about a tenth of a
	// second; RE2 needs none. 0 is DefaultTimeout.
	Timeout time.Duration
}

func (o Options) timeout() time.Duration {
	if o.Timeout <= 0 {
		return DefaultTimeout
	}
	return o.Timeout
}

// Regexp is a compiled pattern. It is safe for concurrent use.
type Regexp struct {
	source  string
	options Options
	names   []string

	ascii *program // for ASCII strings
	full  func() (*program, error)
}

// Check returns an error, a [*SyntaxError] or an [*UnsupportedError], when the
// pattern cannot be read. It makes no program of it: Compile may return an
// [*UnsupportedError] all the same.
func Check(source string) error {
	p, err := parse(source, flags{})
	if err == nil {
		_, _, err = resolve(p)
	}
	return err
}

// Compile compiles a pattern without options. The error is a [*SyntaxError] or
// an [*UnsupportedError].
func Compile(source string) (*Regexp, error) { return Options{}.Compile(source) }

// Compile compiles a pattern. The error is a [*SyntaxError] or an
// [*UnsupportedError].
func (o Options) Compile(source string) (*Regexp, error) {
	p, err := parse(source, flags{ignoreCase: o.IgnoreCase, dotAll: o.MultiLine, extended: o.Extended})
	if err != nil {
		return nil, err
	}
	tree, names, err := resolve(p)
	if err != nil {
		return nil, err
	}
	re := &Regexp{source: source, options: o, names: names}
	if err := re.compile(tree, p.unicode); err != nil {
		return nil, err
	}
	return re, nil
}

// compile makes the programs that run the tree: one for all strings, or when
// that pays one for ASCII strings, and one for others that has to wait until
// such a string comes. unicode is what unescape found: ignoring case, Ruby lets
// an ASCII pattern meet an ASCII string without thought of Unicode.
func (re *Regexp) compile(tree node, unicode bool) error {
	full := sync.OnceValues(func() (*program, error) {
		f := folder{source: re.source}
		folded, err := f.fold(tree, false)
		if err != nil {
			return nil, err
		}
		if f.onlyASCII {
			return nil, &UnsupportedError{re.source, "case-insensitive back-reference or look-behind in text beyond ASCII"}
		}
		return newProgram(re.source, folded, re.NumGroups(), re.options)
	})
	re.full = full
	if !hasFold(tree) && !wide(tree) {
		var err error
		re.ascii, err = full()
		return err
	}
	f := folder{source: re.source, ascii: !unicode}
	folded, err := f.fold(tree, false)
	if err != nil {
		return err
	}
	re.ascii, err = newProgram(re.source, narrow(folded), re.NumGroups(), re.options)
	return err
}

// Source returns the pattern as it was given to Compile.
func (re *Regexp) Source() string { return re.source }

// NumGroups returns the number of capturing groups.
func (re *Regexp) NumGroups() int { return len(re.names) - 1 }

// GroupNames returns the names of the groups by number, "" for unnamed ones and
// for number 0, the whole match. A name may stand there more than once. With
// any named group, plain groups do not capture.
func (re *Regexp) GroupNames() []string { return slices.Clone(re.names) }

// MatchString reports whether the pattern is found in s. The error is
// [ErrInvalidUTF8], [ErrTimeout], [ErrTooComplex] or an [*UnsupportedError].
func (re *Regexp) MatchString(s string) (bool, error) {
	x, err := re.newSearch(s)
	if err != nil {
		return false, err
	}
	if x.p.linear != nil {
		return x.p.linear.MatchString(s), nil
	}
	m, err := x.backtrack(0)
	return m != nil, err
}

// FindSubmatchIndex returns the first match at the byte offset from or later:
// pairs of byte offsets of the match and of its groups by number, -1 for groups
// that took no part. It returns nil when there is none. \G matches at from; ^,
// \b and look-behinds see what is before it. from is on the boundary of a
// character. The errors are those of MatchString.
//
// Each call may look at all of s; use All to walk through the matches.
func (re *Regexp) FindSubmatchIndex(s string, from int) ([]int, error) {
	x, err := re.newSearch(s)
	if err != nil {
		return nil, err
	}
	return x.find(from)
}

// All yields the matches in s one after the other, as FindSubmatchIndex gives
// them, in the places where Ruby's scan and gsub find them: an empty match may
// follow right after another match. An error is the last thing it yields.
func (re *Regexp) All(s string) iter.Seq2[[]int, error] {
	return func(yield func([]int, error) bool) {
		x, err := re.newSearch(s)
		if err != nil {
			yield(nil, err)
			return
		}
		x.all()(yield)
	}
}

// Split returns the pieces of s between matches, as Ruby's String#split gives
// them: what groups matched stands between the pieces, a match of the empty
// string splits characters, and empty pieces at the end are dropped.
func (re *Regexp) Split(s string) ([]string, error) {
	x, err := re.newSearch(s)
	if err != nil || s == "" {
		return nil, err
	}
	var out []string
	begin, from, empty := 0, 0, false
	for from <= len(s) {
		m, err := x.find(from)
		if err != nil {
			return nil, err
		}
		if m == nil {
			break
		}
		switch {
		case m[0] != from || m[0] != m[1]:
			out = append(out, s[begin:max(begin, m[0])])
			begin, from = m[1], m[1]
		case empty:
			out = append(out, s[begin:x.after(begin)])
			begin = from
		default:
			from, empty = x.after(from), true
			continue
		}
		empty = false
		for g := 2; g < len(m); g += 2 {
			if m[g] >= 0 {
				out = append(out, s[m[g]:m[g+1]])
			}
		}
	}
	if begin < len(s) {
		out = append(out, s[begin:])
	}
	for len(out) > 0 && out[len(out)-1] == "" {
		out = out[:len(out)-1]
	}
	return out, nil
}

// Escape returns a pattern that matches s and nothing else, as Ruby's
// Regexp.escape writes it.
func Escape(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == ' ' || strings.ContainsRune(`#$()*+-.?[\]^{|}`, r):
			b.WriteByte('\\')
			b.WriteRune(r)
		case r >= '\t' && r <= '\r':
			b.WriteByte('\\')
			b.WriteByte("tnvfr"[r-'\t'])
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
