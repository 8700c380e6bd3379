package rubyre

import (
	"iter"
	"slices"
	"strings"
	"sync"
	"time"
)

// DefaultTimeout is the default of Options.Timeout.
const DefaultTimeout = 2 * time.Second

// Options are the options of Ruby's Regexp.new, and a time limit for searches.
// The zero value compiles a Puppet pattern /…/.
type Options struct {
	IgnoreCase bool // i: ignore the case of letters
	MultiLine  bool // m: "." also matches a newline
	Extended   bool // x: ignore white space and # comments in the pattern
	// Timeout limits the time of each search for a match on the backtracking
	// engine, with a precision of about a tenth of a second; RE2 needs no
	// limit. 0 means DefaultTimeout.
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

// Check returns a [*SyntaxError] or an [*UnsupportedError] if the pattern
// cannot be parsed. It does not compile the pattern: Compile may still return
// an [*UnsupportedError].
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

// compile creates the programs that run the tree: one for all strings or, if
// worthwhile, one for ASCII strings and a second one for other strings, which
// is compiled on first use. unicode is the result of unescape: when Ruby
// ignores case, it matches an ASCII pattern against an ASCII string without
// Unicode rules.
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

// Source returns the pattern passed to Compile.
func (re *Regexp) Source() string { return re.source }

// NumGroups returns the number of capturing groups.
func (re *Regexp) NumGroups() int { return len(re.names) - 1 }

// GroupNames returns the names of the groups by number, "" for unnamed ones and
// for number 0, the whole match. Names may repeat. If any group is named,
// unnamed groups do not capture.
func (re *Regexp) GroupNames() []string { return slices.Clone(re.names) }

// MatchString reports whether s contains a match of the pattern. The error is
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

// FindSubmatchIndex returns the first match at or after the byte offset from:
// pairs of byte offsets of the match and of its groups by number, with -1 for
// groups that took no part. It returns nil if there is none. \G matches at
// from; ^, \b and look-behinds see the text before it. from must be on a
// character boundary. The errors are the same as in MatchString.
//
// Each call may examine all of s; use All to iterate over the matches.
func (re *Regexp) FindSubmatchIndex(s string, from int) ([]int, error) {
	x, err := re.newSearch(s)
	if err != nil {
		return nil, err
	}
	return x.find(from)
}

// All yields the matches in s in order, in the form of FindSubmatchIndex, at
// the positions of Ruby's scan and gsub: an empty match may follow immediately
// after another match. If there is an error, it yields it last.
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

// Split returns the parts of s between matches, as Ruby's String#split does:
// the texts of groups are inserted between the parts, a match of the empty
// string splits characters, and empty parts at the end are dropped.
func (re *Regexp) Split(s string) ([]string, error) {
	var out []string
	err := re.SplitFunc(s, func(piece string) error {
		out = append(out, piece)
		return nil
	})
	if err != nil {
		return nil, err
	}
	for len(out) > 0 && out[len(out)-1] == "" {
		out = out[:len(out)-1]
	}
	return out, nil
}

// SplitFunc calls f with each of the pieces that Split returns, and with the empty
// ones at the end. The error is that of a search, or the first one of f, which
// ends it.
func (re *Regexp) SplitFunc(s string, f func(piece string) error) error {
	x, err := re.newSearch(s)
	if err != nil || s == "" {
		return err
	}
	begin, from, empty := 0, 0, false
	for from <= len(s) {
		m, err := x.find(from)
		if err != nil {
			return err
		}
		if m == nil {
			break
		}
		switch {
		case m[0] != from || m[0] != m[1]:
			err = f(s[begin:max(begin, m[0])])
			begin, from = m[1], m[1]
		case empty:
			err = f(s[begin:x.after(begin)])
			begin = from
		default:
			from, empty = x.after(from), true
			continue
		}
		empty = false
		for g := 2; g < len(m) && err == nil; g += 2 {
			if m[g] >= 0 {
				err = f(s[m[g]:m[g+1]])
			}
		}
		if err != nil {
			return err
		}
	}
	if begin < len(s) {
		return f(s[begin:])
	}
	return nil
}

// Escape returns a pattern that matches exactly s, as Ruby's Regexp.escape
// does.
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
