package toml

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/pcatdev/pcat/internal/lazyregexp"
	"github.com/pcatdev/pcat/pcore"
)

// Load reads a document. Dates and times with an offset become Timestamps,
// local ones stay texts. The error names the line.
func Load(text string) (*pcore.Hash, error) {
	if !utf8.ValidString(text) {
		return nil, errors.New("a TOML document must be UTF-8")
	}
	p := &parser{rest: strings.ReplaceAll(text, "\r\n", "\n"), root: newTable()}
	p.current = p.root
	for p.rest != "" {
		if err := p.line(); err != nil {
			return nil, fmt.Errorf("line %d: %w", p.lines+1, err)
		}
	}
	return p.root.hash(), nil
}

// table is a table that is still being filled.
type table struct {
	keys    []string
	entries map[string]any // *table, *list or pcore.Value
	// defined tells that it has a header of its own, closed that nothing
	// can be added because it is written as a value.
	defined, closed bool
}

// list is an array of tables.
type list struct{ tables []*table }

func newTable() *table { return &table{entries: make(map[string]any)} }

func (t *table) set(key string, v any) {
	t.keys = append(t.keys, key)
	t.entries[key] = v
}

func (t *table) hash() *pcore.Hash {
	b := pcore.NewHashBuilder(len(t.keys))
	for _, key := range t.keys {
		switch e := t.entries[key].(type) {
		case *table:
			b.SetString(key, e.hash())
		case *list:
			elems := make([]pcore.Value, len(e.tables))
			for i, inner := range e.tables {
				elems[i] = inner.hash()
			}
			b.SetString(key, pcore.NewArray(elems...))
		case pcore.Value:
			b.SetString(key, e)
		}
	}
	return b.Hash()
}

// enter returns the table at the key, which is made when there is none.
func (t *table) enter(key string) (*table, error) {
	switch e := t.entries[key].(type) {
	case nil:
		inner := newTable()
		t.set(key, inner)
		return inner, nil
	case *table:
		if e.closed {
			return nil, fmt.Errorf("the table %s cannot be added to", key)
		}
		return e, nil
	case *list:
		return e.tables[len(e.tables)-1], nil
	default:
		return nil, fmt.Errorf("%s is a value, and no table", key)
	}
}

type parser struct {
	rest    string
	lines   int // that were read
	depth   int
	root    *table
	current *table
}

// line reads one line, with the further ones that its value takes.
func (p *parser) line() error {
	p.blanks()
	var err error
	switch {
	case strings.HasPrefix(p.rest, "[["):
		err = p.listHeader()
	case strings.HasPrefix(p.rest, "["):
		err = p.header()
	case p.rest != "" && p.rest[0] != '\n' && p.rest[0] != '#':
		err = p.assignment(p.current)
	}
	if err != nil {
		return err
	}
	p.blanks()
	p.comment()
	if p.rest != "" && !p.skip("\n") {
		return errors.New("there is more after the end of the line's entry")
	}
	p.lines++
	return nil
}

func (p *parser) blanks() { p.rest = strings.TrimLeft(p.rest, " \t") }

func (p *parser) comment() {
	if strings.HasPrefix(p.rest, "#") {
		if i := strings.IndexByte(p.rest, '\n'); i >= 0 {
			p.rest = p.rest[i:]
		} else {
			p.rest = ""
		}
	}
}

func (p *parser) skip(s string) bool {
	rest, ok := strings.CutPrefix(p.rest, s)
	p.rest = rest
	return ok
}

func (p *parser) header() error {
	p.skip("[")
	keys, err := p.key()
	if err != nil {
		return err
	}
	if !p.skip("]") {
		return errors.New("the header of a table needs a ]")
	}
	t := p.root
	for _, key := range keys {
		if t, err = t.enter(key); err != nil {
			return err
		}
	}
	if t.defined {
		return fmt.Errorf("the table %s is there twice", strings.Join(keys, "."))
	}
	t.defined = true
	p.current = t
	return nil
}

func (p *parser) listHeader() error {
	p.skip("[[")
	keys, err := p.key()
	if err != nil {
		return err
	}
	if !p.skip("]]") {
		return errors.New("the header of an array of tables needs a ]]")
	}
	t := p.root
	for _, key := range keys[:len(keys)-1] {
		if t, err = t.enter(key); err != nil {
			return err
		}
	}
	last := keys[len(keys)-1]
	p.current = newTable()
	p.current.defined = true
	switch e := t.entries[last].(type) {
	case nil:
		t.set(last, &list{[]*table{p.current}})
	case *list:
		e.tables = append(e.tables, p.current)
	default:
		return fmt.Errorf("%s is no array of tables", last)
	}
	return nil
}

// assignment reads `key = value` into a table.
func (p *parser) assignment(t *table) error {
	keys, err := p.key()
	if err != nil {
		return err
	}
	if !p.skip("=") {
		return errors.New("a key needs a = and a value")
	}
	p.blanks()
	for _, key := range keys[:len(keys)-1] {
		if t, err = t.enter(key); err != nil {
			return err
		}
		t.defined = true
	}
	last := keys[len(keys)-1]
	if _, taken := t.entries[last]; taken {
		return fmt.Errorf("the key %s is there twice", last)
	}
	v, err := p.value()
	if err != nil {
		return err
	}
	t.set(last, v)
	return nil
}

var bare = lazyregexp.New(`^[A-Za-z0-9_-]+`)

// key reads keys with points between them, and the blanks around.
func (p *parser) key() ([]string, error) {
	var keys []string
	for {
		p.blanks()
		switch {
		case p.rest != "" && (p.rest[0] == '"' || p.rest[0] == '\''):
			s, err := p.quoted(false)
			if err != nil {
				return nil, err
			}
			keys = append(keys, s)
		default:
			s := bare.Get().FindString(p.rest)
			if s == "" {
				return nil, errors.New("a key is missing")
			}
			p.skip(s)
			keys = append(keys, s)
		}
		p.blanks()
		if !p.skip(".") {
			return keys, nil
		}
	}
}

const deepest = 200

// value reads a value: a *table when it is an inline table.
func (p *parser) value() (any, error) {
	if p.depth++; p.depth > deepest {
		return nil, errors.New("the value is nested too deeply")
	}
	defer func() { p.depth-- }()
	switch {
	case p.rest == "":
		return nil, errors.New("a value is missing")
	case p.rest[0] == '"' || p.rest[0] == '\'':
		s, err := p.quoted(true)
		return pcore.String(s), err
	case p.skip("["):
		return p.array()
	case p.skip("{"):
		return p.inlineTable()
	default:
		return p.plain()
	}
}

func (p *parser) array() (any, error) {
	var elems []pcore.Value
	for {
		p.space()
		if p.skip("]") {
			return pcore.NewArray(elems...), nil
		}
		v, err := p.value()
		if err != nil {
			return nil, err
		}
		elems = append(elems, asValue(v))
		p.space()
		if !p.skip(",") && !strings.HasPrefix(p.rest, "]") {
			return nil, errors.New("the elements of an array need a comma between them, and a ] after them")
		}
	}
}

// space skips blanks, comments and line ends.
func (p *parser) space() {
	for {
		p.blanks()
		p.comment()
		if !p.skip("\n") {
			return
		}
		p.lines++
	}
}

func (p *parser) inlineTable() (any, error) {
	t := newTable()
	p.blanks()
	if p.skip("}") {
		t.closed = true
		return t, nil
	}
	for {
		p.blanks()
		if err := p.assignment(t); err != nil {
			return nil, err
		}
		p.blanks()
		if p.skip("}") {
			t.closed = true
			return t, nil
		}
		if !p.skip(",") {
			return nil, errors.New("the entries of an inline table need a comma between them, and a } after them")
		}
	}
}

func asValue(v any) pcore.Value {
	if t, ok := v.(*table); ok {
		return t.hash()
	}
	return v.(pcore.Value)
}

// quoted reads a string in single or double quotes; multiline allows those in
// three.
func (p *parser) quoted(multiline bool) (string, error) {
	quote := p.rest[:1]
	if long := strings.Repeat(quote, 3); multiline && strings.HasPrefix(p.rest, long) {
		return p.longString(long)
	}
	p.skip(quote)
	for i := 0; i < len(p.rest); i++ {
		switch c := p.rest[i]; {
		case c == '\\' && quote == `"`:
			i++
		case c == '\n':
			return "", errors.New("a string must end on its line")
		case c == quote[0]:
			s := p.rest[:i]
			p.rest = p.rest[i+1:]
			if quote == "'" {
				return s, nil
			}
			return unescape(s)
		}
	}
	return "", errors.New("a string has no end")
}

func (p *parser) longString(quotes string) (string, error) {
	p.skip(quotes)
	p.skip("\n")
	for i := 0; i < len(p.rest); i++ {
		if p.rest[i] == '\\' && quotes[0] == '"' {
			i++
			continue
		}
		if !strings.HasPrefix(p.rest[i:], quotes) {
			continue
		}
		for more := 0; more < 2 && strings.HasPrefix(p.rest[i+3:], quotes[:1]); more++ {
			i++ // quotes at the end of the text itself
		}
		s := p.rest[:i]
		p.rest = p.rest[i+3:]
		p.lines += strings.Count(s, "\n")
		if quotes[0] == '\'' {
			return s, nil
		}
		return unescape(s)
	}
	return "", errors.New("a string has no end")
}

var lineEnd = lazyregexp.New(`^\\[ \t]*\n\s*`)

func unescape(s string) (string, error) {
	var b strings.Builder
	for s != "" {
		i := strings.IndexByte(s, '\\')
		if i < 0 {
			b.WriteString(s)
			break
		}
		b.WriteString(s[:i])
		s = s[i:]
		if gap := lineEnd.Get().FindString(s); gap != "" {
			s = s[len(gap):]
			continue
		}
		n, err := unescapeOne(&b, s[1:])
		if err != nil {
			return "", err
		}
		s = s[1+n:]
	}
	return b.String(), nil
}

// unescapeOne writes the character that s begins with, after its backslash, and
// returns how long its name is.
func unescapeOne(b *strings.Builder, s string) (int, error) {
	if s == "" {
		return 0, errors.New("a backslash stands alone")
	}
	switch c := s[0]; c {
	case 'b', 't', 'n', 'f', 'r', 'e', '"', '\\':
		b.WriteByte(map[byte]byte{'b': '\b', 't': '\t', 'n': '\n', 'f': '\f', 'r': '\r', 'e': 0x1B, '"': '"', '\\': '\\'}[c])
		return 1, nil
	case 'u', 'U':
		n := 4
		if c == 'U' {
			n = 8
		}
		if len(s) > n {
			r, err := strconv.ParseUint(s[1:n+1], 16, 32)
			if err == nil && utf8.ValidRune(rune(r)) {
				b.WriteRune(rune(r))
				return n + 1, nil
			}
		}
	}
	return 0, errors.New("an escape is not known")
}

var (
	word     = lazyregexp.New(`^[A-Za-z0-9_+\-.:]+(?: \d\d:\d\d:[A-Za-z0-9_+\-.:]+)?`)
	decimal  = lazyregexp.New(`^[+-]?(?:0|[1-9](?:_?\d)*)$`)
	prefixed = lazyregexp.New(`^0(?:x[0-9A-Fa-f](?:_?[0-9A-Fa-f])*|o[0-7](?:_?[0-7])*|b[01](?:_?[01])*)$`)
	fraction = lazyregexp.New(`^[+-]?(?:0|[1-9](?:_?\d)*)(?:\.\d(?:_?\d)*)?(?:[eE][+-]?\d(?:_?\d)*)?$`)
	local    = lazyregexp.New(`^(?:\d{4}-\d\d-\d\d)?(?:[Tt ]?\d\d:\d\d:\d\d(?:\.\d+)?)?$`)
)

// plain reads what has no quotes or brackets.
func (p *parser) plain() (any, error) {
	s := word.Get().FindString(p.rest)
	p.skip(s)
	digits := strings.ReplaceAll(s, "_", "")
	switch {
	case s == "true" || s == "false":
		return pcore.Boolean(s == "true"), nil
	case decimal.Get().MatchString(s):
		i, err := strconv.ParseInt(digits, 10, 64)
		return number(pcore.Integer(i), err)
	case prefixed.Get().MatchString(s):
		i, err := strconv.ParseInt(digits, 0, 64)
		return number(pcore.Integer(i), err)
	case fraction.Get().MatchString(s):
		f, err := strconv.ParseFloat(digits, 64)
		return number(pcore.Float(f), err)
	}
	switch strings.TrimLeft(s, "+-") {
	case "inf":
		sign := 1
		if s[0] == '-' {
			sign = -1
		}
		return pcore.Float(math.Inf(sign)), nil
	case "nan":
		return pcore.Float(math.NaN()), nil
	}
	return moment(s)
}

func number(v pcore.Value, err error) (any, error) {
	if err != nil {
		return nil, errors.New("a number is too big")
	}
	return v, nil
}

// moment reads dates and times.
func moment(s string) (any, error) {
	upper := strings.ToUpper(strings.Replace(s, " ", "T", 1))
	if t, err := time.Parse(time.RFC3339Nano, upper); err == nil {
		return pcore.NewTimestamp(t.Unix(), int64(t.Nanosecond())), nil
	}
	if s == "" || !local.Get().MatchString(s) {
		return nil, errors.New("a value is missing, or is none")
	}
	return pcore.String(s), nil
}
