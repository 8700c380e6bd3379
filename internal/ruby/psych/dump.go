package psych

import (
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pcatdev/pcat/internal/lazyregexp"
	"github.com/pcatdev/pcat/internal/ruby/rubytext"
	"github.com/pcatdev/pcat/pcore"
)

// Options configure the output of [Write]. The zero value selects Psych's
// defaults.
type Options struct {
	// Indent is the number of spaces per level, 2 to 9; other values mean 2.
	Indent int
	// Width is the column after which long texts are broken at a space. Up to twice the Indent,
	// it means 80, as in libyaml; a negative number means no limit.
	Width int
	// Canonical selects YAML's canonical form: every text in double quotes, every
	// value with its tag, and brackets.
	Canonical bool
	// Version is the version of YAML that the document declares; the zero value
	// means none.
	Version [2]int
}

// Write writes v as a YAML document. A value that plain YAML cannot represent is written as
// its text, a Sensitive as its redaction. It stops at the first error of w and returns it.
func Write(w io.Writer, v pcore.Value, o Options) error {
	e := emitter{w: w, step: o.Indent, width: o.Width, longest: o.Width}
	if e.step < 2 || e.step > 9 {
		e.step = 2
	}
	if e.width >= 0 && e.width <= 2*e.step { // as libyaml
		e.width = 80
	}
	if o.Version != [2]int{} {
		e.write("%YAML " + strconv.Itoa(o.Version[0]) + "." + strconv.Itoa(o.Version[1]) + "\n")
	}
	e.write("---")
	if o.Canonical {
		e.newline(0)
		e.canonical(v, 0)
		e.newline(0)
	} else {
		e.document(v)
	}
	e.flush()
	return e.err
}

// emitter writes the block style of libyaml.
type emitter struct {
	w           io.Writer // receives out in portions; nil to keep all output in out
	err         error     // error of w
	begun       bool      // something was written
	out         []byte
	column      int
	step, width int
	longest     int  // the width that was asked for
	open        bool // the last text ends with significant line breaks
}

// portion is the number of bytes to buffer before writing to w.
const portion = 4 << 10

func (e *emitter) flush() {
	if e.w != nil && e.err == nil {
		_, e.err = e.w.Write(e.out)
	}
	if e.w != nil {
		e.out = e.out[:0]
	}
}

func (e *emitter) write(s string) {
	if len(e.out)+len(s) > portion {
		e.flush()
	}
	if e.err != nil {
		return
	}
	e.begun = true
	if e.w != nil && len(s) > portion {
		_, e.err = io.WriteString(e.w, s)
	} else {
		e.out = append(e.out, s...)
	}
	if i := strings.LastIndexByte(s, '\n'); i >= 0 {
		e.column = utf8.RuneCountInString(s[i+1:])
	} else {
		e.column += utf8.RuneCountInString(s)
	}
}

func (e *emitter) newline(indent int) {
	if e.column > 0 || !e.begun {
		e.write("\n")
	}
	e.write(strings.Repeat(" ", indent))
}

func (e *emitter) document(v pcore.Value) {
	seq, isSequence := v.(*pcore.Array)
	hash, isMapping := v.(*pcore.Hash)
	switch {
	case isSequence && seq.Len() > 0:
		e.sequence(seq, 0, true)
	case isMapping && hash.Len() > 0:
		e.mapping(hash, 0, true)
	default:
		e.scalar(v, 0, false)
	}
	e.newline(0)
	if e.open {
		e.write("...\n")
	}
}

// canonical writes a value in the canonical form.
func (e *emitter) canonical(v pcore.Value, indent int) {
	inner := indent + e.step
	begin := func(i int) {
		if i > 0 {
			e.write(",")
		}
		e.newline(inner)
	}
	end := func(n int, bracket string) {
		if n > 0 {
			e.write(",")
			e.newline(indent)
		}
		e.write(bracket)
	}
	switch v := v.(type) {
	case *pcore.Array:
		e.write("[")
		for i, elem := range v.All() {
			if e.err != nil {
				return
			}
			begin(i)
			e.canonical(elem, inner)
		}
		end(v.Len(), "]")
	case *pcore.Hash:
		e.write("{")
		for i := range v.Len() {
			if e.err != nil {
				return
			}
			begin(i)
			e.write("? ")
			e.tagged(v.At(i).Key, inner)
			e.newline(inner)
			e.write(": ")
			e.canonical(v.At(i).Value, inner)
		}
		end(v.Len(), "}")
	default:
		e.tagged(v, indent)
	}
}

// tagged writes a scalar with its tag. A String needs none.
func (e *emitter) tagged(v pcore.Value, indent int) {
	text := rubytext.Text(v)
	switch v := v.(type) {
	case pcore.Undef:
		text = ""
		e.write("!!null ")
	case pcore.Default, pcore.Symbol:
		text = ":" + text
		e.write("! ")
	case pcore.Float:
		text = floatText(float64(v))
		e.write("! ")
	case pcore.Boolean, pcore.Integer, pcore.BigInteger:
		e.write("! ")
	default:
		if text == mergeKey {
			e.write("!!str ")
		}
	}
	e.write(`"`)
	e.doubleQuoted(text, indent+e.step, true)
	e.write(`"`)
}

// sequence writes a block sequence, on a new line if fresh is set.
func (e *emitter) sequence(v *pcore.Array, indent int, fresh bool) {
	for i, elem := range v.All() {
		if e.err != nil {
			return
		}
		if fresh || i > 0 {
			e.newline(indent)
		}
		e.write("-")
		e.inside(elem, indent)
	}
}

// mapping writes a block mapping, on a new line if fresh is set.
func (e *emitter) mapping(v *pcore.Hash, indent int, fresh bool) {
	first := true
	for k, elem := range v.All() {
		if e.err != nil {
			return
		}
		if fresh || !first {
			e.newline(indent)
		}
		first = false
		if e.key(k, indent) {
			e.inside(elem, indent)
			continue
		}
		switch inner := elem.(type) {
		case *pcore.Array:
			if inner.Len() > 0 {
				e.sequence(inner, indent, true) // as deep as its key
				continue
			}
		case *pcore.Hash:
			if inner.Len() > 0 {
				e.mapping(inner, indent+e.step, true)
				continue
			}
		default:
		}
		e.scalar(elem, indent, false)
	}
}

// inside writes an element of a sequence after its dash.
func (e *emitter) inside(v pcore.Value, indent int) {
	switch v := v.(type) {
	case *pcore.Array:
		if v.Len() > 0 {
			e.write(strings.Repeat(" ", e.step-1))
			e.sequence(v, indent+e.step, false)
			return
		}
	case *pcore.Hash:
		if v.Len() > 0 {
			e.write(strings.Repeat(" ", e.step-1))
			e.mapping(v, indent+e.step, false)
			return
		}
	default:
	}
	e.scalar(v, indent, false)
}

// key writes a key up to the colon. It reports whether the key is complex,
// marked by a question mark because it has several lines or more than 128
// bytes.
func (e *emitter) key(k pcore.Value, indent int) (complex bool) {
	const longest = 128
	s := keyText(k)
	if len(s) <= longest && !strings.ContainsFunc(s, isBreak) {
		inline := emitter{step: e.step, width: -1, longest: e.longest}
		inline.scalar(k, indent, true)
		e.write(strings.TrimPrefix(string(inline.out), " ") + ":")
		return false
	}
	e.write("?")
	e.scalar(k, indent, false)
	e.newline(indent)
	e.write(":")
	return true
}

func keyText(k pcore.Value) string {
	if pcore.Is[pcore.Undef](k) {
		return ""
	}
	return rubytext.Text(k)
}

// scalar writes a value in flow style after a space. A key must stay on one
// line.
func (e *emitter) scalar(v pcore.Value, indent int, isKey bool) {
	switch v := v.(type) {
	case pcore.Undef:
		if isKey {
			e.write(" ! ''")
		}
	case pcore.Default:
		e.write(" :default")
	case pcore.Symbol:
		e.write(" :" + string(v))
	case pcore.Float:
		e.write(" " + floatText(float64(v)))
	case pcore.Boolean, pcore.Integer, pcore.BigInteger:
		e.write(" " + v.String())
	case *pcore.Array:
		e.write(" []")
	case *pcore.Hash:
		e.write(" {}")
	default:
		e.text(rubytext.Text(v), indent, isKey)
	}
}

func floatText(f float64) string {
	switch {
	case math.IsNaN(f):
		return ".nan"
	case math.IsInf(f, 1):
		return ".inf"
	case math.IsInf(f, -1):
		return "-.inf"
	default:
		return pcore.Float(f).String()
	}
}

type style uint8

const (
	plain style = iota
	single
	double
	literal
	block // folded, with a header
)

var (
	nonWord  = lazyregexp.New(`(?m)^[^\p{L}\p{M}\p{Nd}\p{Pc}][^"]*$`)
	badOctal = lazyregexp.New(`\A0[0-7]*[89]`)
	yesOrNo  = lazyregexp.New(`\A[yn]\z`)
)

const (
	mergeKey   = "<<"
	indicators = "#,[]{}&*!|>'\"%@`" // characters that cannot begin a plain text
)

// styleOf returns the style that Psych requests. A text is long if it has more than longest
// characters, unless that is 0 or negative.
func styleOf(s string, longest int) style {
	switch {
	case hasLines(s):
		return literal
	case s == mergeKey:
		return single
	case yesOrNo.Get().MatchString(s):
		return double
	case longest > 0 && utf8.RuneCountInString(s) > longest:
		return block
	case nonWord.Get().MatchString(s):
		return double
	case !pcore.Is[pcore.String](Scalar(s)), badOctal.Get().MatchString(s):
		return single
	default:
		return plain
	}
}

// hasLines reports whether a line break is followed by more than another line break.
func hasLines(s string) bool {
	_, rest, found := strings.Cut(s, "\n")
	return found && rest != "" && rest != "\n"
}

// text writes a text in the requested style, or in the next one that can
// represent it.
func (e *emitter) text(s string, indent int, isKey bool) {
	a := analyze(s)
	style := styleOf(s, e.longest)
	if (style == literal || style == block) && (!a.block || isKey) {
		style = double
	}
	if style == plain && (!a.plain || s == "") {
		style = single
	}
	if style == single && (!a.single || isKey && a.multiline) {
		style = double
	}
	e.write(" ")
	if s == mergeKey {
		e.write("!!str ")
	}
	breaks := !isKey
	switch style {
	case plain:
		e.folded(s, indent+e.step, breaks)
	case single:
		e.write("'")
		e.singleQuoted(s, indent+e.step, breaks)
		e.write("'")
	case double:
		e.write(`"`)
		e.doubleQuoted(s, indent+e.step, breaks)
		e.write(`"`)
	case literal:
		e.literal(s, indent+e.step)
	case block:
		e.block(s, indent+e.step)
	}
}

// analysis reports which styles can represent a text.
type analysis struct {
	plain, single, block bool
	multiline            bool
}

func analyze(s string) analysis {
	a := analysis{plain: true, single: true, block: true}
	if strings.HasPrefix(s, "---") || strings.HasPrefix(s, "...") {
		a.plain = false
	}
	var previous rune
	spaceBreak, breakSpace, special := false, false, false
	for i, r := range s {
		next, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):])
		blankNext := i+utf8.RuneLen(r) == len(s) || next == ' ' || next == '\t' || isBreak(next)
		blankBefore := i == 0 || previous == ' ' || previous == '\t' || isBreak(previous)
		switch {
		case i == 0 && (strings.ContainsRune(indicators, r) || blankNext && (r == '-' || r == '?')):
			a.plain = false
		case r == ':' && blankNext, r == '#' && blankBefore:
			a.plain = false
		}
		switch {
		case isBreak(r):
			a.multiline = true
			spaceBreak = spaceBreak || previous == ' '
		case r == ' ':
			breakSpace = breakSpace || isBreak(previous)
		}
		special = special || !isPrintable(r)
		previous = r
	}
	if a.multiline || strings.HasPrefix(s, " ") || previous == ' ' {
		a.plain = false
	}
	if previous == ' ' {
		a.block = false
	}
	if breakSpace {
		a.plain, a.single = false, false
	}
	if spaceBreak || special {
		a.plain, a.single, a.block = false, false, false
	}
	return a
}

func isPrintable(r rune) bool {
	return r == '\n' || ' ' <= r && r <= '~' || 0xA0 <= r && r <= 0xD7FF ||
		0xE000 <= r && r <= 0xFFFD && r != 0xFEFF
}

// isBreak reports whether r ends a line. Only '\n' is written as it is with every style.
func isBreak(r rune) bool {
	return r == '\n' || r == '\r' || r == '\u0085' || r == '\u2028' || r == '\u2029'
}

// lineBreak writes a character that ends a line.
func (e *emitter) lineBreak(r rune) {
	e.write(string(r))
	e.column = 0
}

// folded writes a text on lines broken at single spaces.
func (e *emitter) folded(s string, indent int, breaks bool) {
	for i, r := range s {
		if r == ' ' && e.breaksAt(s, i, breaks) {
			e.newline(indent)
			continue
		}
		e.write(string(r))
	}
}

// breaksAt reports whether to break a long line at the single space at index i.
func (e *emitter) breaksAt(s string, i int, breaks bool) bool {
	return e.breaksAtFirst(s, i, breaks) && s[i+1] != ' '
}

// breaksAtFirst reports whether to break a long line at the space at index i, which more spaces
// may follow.
func (e *emitter) breaksAtFirst(s string, i int, breaks bool) bool {
	return breaks && e.width > 0 && e.column > e.width && i > 0 && i < len(s)-1 && s[i-1] != ' '
}

func (e *emitter) singleQuoted(s string, indent int, breaks bool) {
	ended := false // the last character was a line break
	for i, r := range s {
		switch {
		case isBreak(r):
			if !ended && r == '\n' {
				e.write("\n")
			}
			e.lineBreak(r)
			ended = true
			continue
		case ended:
			e.write(strings.Repeat(" ", indent))
		}
		ended = false
		switch {
		case r == ' ' && e.breaksAt(s, i, breaks):
			e.newline(indent)
		case r == '\'':
			e.write("''")
		default:
			e.write(string(r))
		}
	}
	if ended {
		e.write(strings.Repeat(" ", indent))
	}
}

func (e *emitter) doubleQuoted(s string, indent int, breaks bool) {
	for i, r := range s {
		switch {
		case r == ' ' && e.breaksAtFirst(s, i, breaks):
			e.newline(indent)
			if s[i+1] == ' ' {
				e.write(`\`) // keeps the spaces at the begin of the line
			}
		case r == '"' || r == '\\':
			e.write(`\` + string(r))
		case isPrintable(r) && !isBreak(r):
			e.write(string(r))
		default:
			e.write(escape(r))
		}
	}
}

func escape(r rune) string {
	const named = "0\x00a\x07b\x08t\tn\nv\x0bf\x0cr\re\x1bN\u0085_\u00a0L\u2028P\u2029"
	var letter rune
	for i, c := range []rune(named) {
		if i%2 == 0 {
			letter = c
		} else if c == r {
			return `\` + string(letter)
		}
	}
	digits := strings.ToUpper(strconv.FormatInt(int64(r), 16))
	switch {
	case r <= 0xFF:
		return `\x` + strings.Repeat("0", 2-len(digits)) + digits
	case r <= 0xFFFF:
		return `\u` + strings.Repeat("0", 4-len(digits)) + digits
	default:
		return `\U` + strings.Repeat("0", 8-len(digits)) + digits
	}
}

func (e *emitter) literal(s string, indent int) {
	e.blockHeader("|", s)
	ended := true // the last character was a line break
	for _, r := range s {
		if isBreak(r) {
			e.lineBreak(r)
			ended = true
			continue
		}
		if ended {
			e.write(strings.Repeat(" ", indent))
		}
		e.write(string(r))
		ended = false
	}
}

// block writes a text that can only end with line breaks on lines broken at single spaces.
func (e *emitter) block(s string, indent int) {
	e.blockHeader(">", s)
	text := strings.TrimRightFunc(s, isBreak)
	ended := true // the last character was a line break
	for i, r := range text {
		switch {
		case isBreak(r):
			e.lineBreak(r)
			ended = true
			continue
		case ended:
			e.column = 0
			e.write(strings.Repeat(" ", indent))
		case r == ' ' && !strings.HasPrefix(text[i+1:], " ") && e.column > e.width:
			e.newline(indent)
			continue
		}
		e.write(string(r))
		ended = false
	}
	for _, r := range s[len(text):] {
		e.lineBreak(r)
	}
}

// blockHeader writes the header of a block with a text.
func (e *emitter) blockHeader(indicator, s string) {
	first, _ := utf8.DecodeRuneInString(s)
	last, size := utf8.DecodeLastRuneInString(s)
	before, _ := utf8.DecodeLastRuneInString(s[:len(s)-size])
	e.write(indicator)
	if first == ' ' || isBreak(first) {
		e.write(strconv.Itoa(e.step))
	}
	switch {
	case !isBreak(last):
		e.write("-")
	case len(s) == size || isBreak(before):
		e.write("+")
		e.open = true
	}
	e.write("\n")
}
