package rubytext

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/pcatdev/pcat/pcore"
)

// MaxFormat is the maximum length in bytes of the result of [Format], so that a
// width such as `%1000000000d` does not exhaust memory.
const MaxFormat = 16 << 20

// Format formats args with Ruby's Kernel#format: flags, width and precision,
// also given as arguments with `*`, and arguments by position (`%1$s`) or by
// name (`%<name>d`, `%{name}`). For arguments by name, args must be a single
// Hash. The errors have Ruby's wording.
func Format(format string, args ...pcore.Value) (string, error) {
	f := formatter{format: format, args: args}
	if err := f.run(); err != nil {
		return "", err
	}
	return string(f.out), nil
}

// WriteFormat writes the result of [Format] to w, directive by directive. The
// error is one of Format, or the first error of w.
func WriteFormat(w io.Writer, format string, args ...pcore.Value) error {
	f := formatter{w: w, format: format, args: args}
	if err := f.run(); err != nil {
		return err
	}
	return f.flush()
}

// formatter processes a format. The way to select arguments must not change
// within a format: next counts the arguments taken in order; after the first
// numbered or named argument it is one of the two negative constants.
type formatter struct {
	format string
	pos    int
	args   []pcore.Value
	next   int
	out    []byte
	w      io.Writer // where out goes; nil when it is kept
	passed int       // bytes that w has
}

// flush passes on what is written so far.
func (f *formatter) flush() error {
	if f.w == nil {
		return nil
	}
	n, err := f.w.Write(f.out)
	f.passed += n
	f.out = f.out[:0]
	return err
}

// length is how many bytes are written so far.
func (f *formatter) length() int { return f.passed + len(f.out) }

const (
	numbered = -1
	named    = -2
)

// directive is the part of a directive between the % and its final letter.
type directive struct {
	space, sharp, plus, minus, zero bool

	hasWidth, hasPrec bool
	width, prec       int

	value pcore.Value // nil until an argument is selected by number or name
	name  string      // including its brackets
}

func (f *formatter) run() error {
	for {
		i := strings.IndexByte(f.format[f.pos:], '%')
		if i < 0 {
			f.out = append(f.out, f.format[f.pos:]...)
			return nil
		}
		f.out = append(f.out, f.format[f.pos:f.pos+i]...)
		f.pos += i + 1
		if f.pos == len(f.format) {
			return errors.New("incomplete format specifier; use %% (double %) instead")
		}
		if err := f.directive(); err != nil {
			return err
		}
		if f.length() > MaxFormat {
			return fmt.Errorf("the formatted text is longer than %d bytes", MaxFormat)
		}
		if err := f.flush(); err != nil {
			return err
		}
	}
}

// directive parses one directive after its % and writes its result.
func (f *formatter) directive() error {
	var d directive
	for f.pos < len(f.format) {
		c := f.format[f.pos]
		var err error
		switch c {
		case ' ', '#', '+', '-', '0':
			err = d.flag(c)
			f.pos++
		case '1', '2', '3', '4', '5', '6', '7', '8', '9':
			err = f.number(&d)
		case '<', '{':
			err = f.named(&d, c)
			if err == nil && c == '{' {
				return f.text(&d, 's')
			}
		case '*':
			err = f.widthArgument(&d)
		case '.':
			err = f.precision(&d)
		default:
			return f.conversion(&d, c)
		}
		if err != nil {
			return err
		}
	}
	if d.hasWidth || d.hasPrec {
		return errors.New("malformed format string - %*[0-9]")
	}
	return errors.New("invalid format character - %")
}

func (d *directive) flag(c byte) error {
	if d.hasWidth {
		return errors.New("flag after width")
	}
	if d.hasPrec {
		return errors.New("flag after precision")
	}
	switch c {
	case ' ':
		d.space = true
	case '#':
		d.sharp = true
	case '+':
		d.plus = true
	case '-':
		d.minus = true
	case '0':
		d.zero = true
	}
	return nil
}

// number parses a width, or the number of an argument if $ follows.
func (f *formatter) number(d *directive) error {
	n, err := f.digits("width")
	if err != nil {
		return err
	}
	if f.pos < len(f.format) && f.format[f.pos] == '$' {
		f.pos++
		if d.value != nil {
			return fmt.Errorf("value given twice - %d$", n)
		}
		d.value, err = f.numbered(n)
		return err
	}
	return d.setWidth(n)
}

func (d *directive) setWidth(n int) error {
	if d.hasWidth {
		return errors.New("width given twice")
	}
	if d.hasPrec {
		return errors.New("width after precision")
	}
	d.hasWidth = true
	if n < 0 {
		d.minus = true
		n = -n
	}
	d.width = n
	return nil
}

func (f *formatter) digits(what string) (int, error) {
	n := 0
	for ; f.pos < len(f.format) && isDigit(f.format[f.pos]); f.pos++ {
		if n = 10*n + int(f.format[f.pos]-'0'); n > math.MaxInt32 {
			return 0, fmt.Errorf("%s too big", what)
		}
	}
	if f.pos == len(f.format) {
		return 0, errors.New("malformed format string - %*[0-9]")
	}
	return n, nil
}

func (f *formatter) widthArgument(d *directive) error {
	if d.hasWidth {
		return errors.New("width given twice")
	}
	f.pos++
	n, err := f.asterisk("width")
	if err != nil {
		return err
	}
	return d.setWidth(n)
}

func (f *formatter) precision(d *directive) error {
	if d.hasPrec {
		return errors.New("precision given twice")
	}
	d.hasPrec = true
	f.pos++
	if f.pos < len(f.format) && f.format[f.pos] == '*' {
		f.pos++
		n, err := f.asterisk("precision")
		d.hasPrec = n >= 0
		d.prec = max(n, 0)
		return err
	}
	n, err := f.digits("precision")
	d.prec = n
	return err
}

// asterisk parses the rest of a `*` and returns the value of its argument.
func (f *formatter) asterisk(what string) (int, error) {
	start := f.pos
	n, err := f.digits(what)
	if err != nil {
		return 0, err
	}
	var v pcore.Value
	if f.format[f.pos] == '$' {
		f.pos++
		v, err = f.numbered(n)
	} else {
		f.pos = start
		v, err = f.unnumbered()
	}
	if err != nil {
		return 0, err
	}
	i, err := implicitInteger(v)
	if err == nil {
		err = fitsInt(i)
	}
	if err == nil && i == math.MinInt32 {
		err = fmt.Errorf("%s too big", what)
	}
	return int(i), err
}

func (f *formatter) argument(d *directive) (pcore.Value, error) {
	if d.value != nil {
		return d.value, nil
	}
	return f.unnumbered()
}

func (f *formatter) unnumbered() (pcore.Value, error) {
	switch f.next {
	case numbered:
		return nil, errors.New("unnumbered(1) mixed with numbered")
	case named:
		return nil, errors.New("unnumbered(1) mixed with named")
	}
	f.next++
	return f.nth(f.next)
}

func (f *formatter) numbered(n int) (pcore.Value, error) {
	switch {
	case f.next > 0:
		return nil, fmt.Errorf("numbered(%d) after unnumbered(%d)", n, f.next)
	case f.next == named:
		return nil, fmt.Errorf("numbered(%d) after named", n)
	case n < 1:
		return nil, fmt.Errorf("invalid index - %d$", n)
	}
	f.next = numbered
	return f.nth(n)
}

func (f *formatter) nth(n int) (pcore.Value, error) {
	if n > len(f.args) {
		return nil, errors.New("too few arguments")
	}
	return f.args[n-1], nil
}

// named parses `<name>` or `{name}` and selects the argument.
func (f *formatter) named(d *directive, open byte) error {
	end := byte('>')
	if open == '{' {
		end = '}'
	}
	n := strings.IndexByte(f.format[f.pos:], end)
	if n < 0 {
		return errors.New("malformed name - unmatched parenthesis")
	}
	name := f.format[f.pos : f.pos+n+1]
	f.pos += n + 1
	switch {
	case d.name != "":
		return fmt.Errorf("named%s after <%s>", name, d.name[1:len(d.name)-1])
	case f.next > 0:
		return fmt.Errorf("named%s after unnumbered(%d)", name, f.next)
	case f.next == numbered:
		return fmt.Errorf("named%s after numbered", name)
	}
	f.next = named
	d.name = name
	if len(f.args) != 1 {
		return errors.New("one hash required")
	}
	h, ok := f.args[0].(*pcore.Hash)
	if !ok {
		return errors.New("one hash required")
	}
	d.value, ok = lookup(h, name[1:len(name)-1])
	if !ok {
		return fmt.Errorf("key%s not found", name)
	}
	return nil
}

// lookup finds a name among the keys, which are symbols in Ruby or, in the
// reference's sprintf, strings.
func lookup(h *pcore.Hash, name string) (pcore.Value, bool) {
	if v, ok := h.GetString(name); ok {
		return v, true
	}
	if name == "default" {
		return h.Get(pcore.Default{})
	}
	return h.Get(pcore.Symbol(name))
}

// conversion writes the argument in the conversion c.
func (f *formatter) conversion(d *directive, c byte) error {
	switch c {
	case '%', '\n', 0:
		if *d != (directive{}) {
			return errors.New("invalid format character - %")
		}
		f.out = append(f.out, '%')
		if c == '%' {
			f.pos++
		}
		return nil
	case 'c':
		f.pos++
		return f.character(d)
	case 's', 'p':
		f.pos++
		return f.text(d, c)
	case 'd', 'i', 'u', 'o', 'x', 'X', 'b', 'B':
		f.pos++
		return f.integer(d, c)
	case 'f', 'e', 'E', 'g', 'G', 'a', 'A':
		f.pos++
		return f.float(d, c)
	default:
		if c < ' ' || c > '~' {
			return errors.New("malformed format string")
		}
		return fmt.Errorf("malformed format string - %%%c", c)
	}
}

func (f *formatter) character(d *directive) error {
	v, err := f.argument(d)
	if err != nil {
		return err
	}
	if s, ok := v.(pcore.String); ok {
		if utf8.RuneCountInString(string(s)) != 1 {
			return errors.New("%c requires a character")
		}
		return f.pad(d, string(s), 1)
	}
	n, err := implicitInteger(v)
	if err == nil {
		err = fitsInt(n)
	}
	if err != nil {
		return err
	}
	if n < 0 || n > utf8.MaxRune || !utf8.ValidRune(rune(n)) {
		return errors.New("invalid character")
	}
	return f.pad(d, string(rune(n)), 1)
}

func (f *formatter) text(d *directive, c byte) error {
	v, err := f.argument(d)
	if err != nil {
		return err
	}
	var s string
	if c == 'p' {
		s = Inspect(v)
	} else {
		s = Text(v)
	}
	if !d.hasPrec && !d.hasWidth {
		f.out = append(f.out, s...)
		return nil
	}
	n := utf8.RuneCountInString(s)
	if d.hasPrec && d.prec < n {
		n = d.prec
		s = firstRunes(s, n)
	}
	return f.pad(d, s, n)
}

// pad writes s, which has n characters, padded to the width of d.
func (f *formatter) pad(d *directive, s string, n int) error {
	fill := d.width - n
	if !d.minus {
		if err := f.fill(' ', fill); err != nil {
			return err
		}
	}
	f.out = append(f.out, s...)
	if d.minus {
		return f.fill(' ', fill)
	}
	return nil
}

func (f *formatter) fill(c byte, n int) error {
	if n > MaxFormat-f.length() {
		return fmt.Errorf("the formatted text is longer than %d bytes", MaxFormat)
	}
	const portion = 4 << 10
	for ; n > portion; n -= portion {
		f.out = append(f.out, bytes.Repeat([]byte{c}, portion)...)
		if err := f.flush(); err != nil {
			return err
		}
	}
	if n > 0 {
		f.out = append(f.out, bytes.Repeat([]byte{c}, n)...)
	}
	return nil
}

// firstRunes returns the first n characters of s, which must have more.
func firstRunes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}
