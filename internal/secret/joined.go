package secret

import (
	"bytes"
	"encoding/base64"
	"html"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/pcatdev/pcat/internal/unescape"
)

// longestPiece is the maximum length of a quoted piece.
const longestPiece = 4096

// operators join quoted pieces, in the order in which they are tried.
var operators = [...]string{"+", "..", ".", "&", "||", "<>", "~", "\\", "`", "^"}

// pieces decodes texts that are joined from quoted pieces: `'abc' + "def"`, and literals one
// after the other.
func (d *decoder) pieces() {
	single, double := d.next('\'', 0), len(d.text)
	if !d.inJSON {
		double = d.next('"', 0)
	}
	var last [2]int // positions behind the last quotes
	floor := 0
	for !d.found {
		i := min(single, double)
		if i == len(d.text) {
			return
		}
		quote := d.text[i]
		before := &last[quote&1]
		start := max(floor, *before)
		*before = i + 1
		from := i + 1
		if second := d.joined(i); second >= 0 && start > 0 && i-start <= longestPiece && bytes.IndexByte(d.text[start:i], d.end) < 0 {
			if end := d.piecesFrom(start, i, second); end > i {
				from, floor = end+1, end+1
				last[d.text[end]&1] = end + 1
			}
		}
		if single < from {
			single = d.next('\'', from)
		}
		if double < from {
			double = d.next('"', from)
		}
	}
}

// piecesFrom decodes the pieces of which the first one is given and the second one begins
// with the quote at a position, and returns the end of the last one.
func (d *decoder) piecesFrom(start, end, second int) int {
	d.out.addPlain(d.text, start, end)
	first := end
	for next := second; next >= 0; next = d.joined(end) {
		to := d.closing(next+1, d.text[next])
		if to < 0 {
			break
		}
		d.out.addPlain(d.text, next+1, to)
		end = to
	}
	if end == first {
		d.out.reset()
		return end
	}
	d.emit()
	return end
}

// mayJoin are the bytes after a quote that ends a piece.
var mayJoin = [256]bool{
	' ': true, '\t': true, '\r': true, '\n': true, '\'': true, '"': true, '+': true, '.': true, '&': true, '|': true, '<': true,
	'~': true, '\\': true, '`': true, '^': true,
}

// joined returns the position of the quote that begins the piece after one that ends with
// the quote at i, or none.
func (d *decoder) joined(i int) int {
	at := i + 1
	if at == len(d.text) || !mayJoin[d.text[at]] {
		return none
	}
	at = d.space(at)
	for _, op := range operators {
		if at < len(d.text) && d.text[at] == op[0] && bytes.HasPrefix(d.text[at:], []byte(op)) {
			if at = d.space(at + len(op)); at < len(d.text) && d.text[at] == '_' { // a continued line of Basic
				at = d.space(at + 1)
			}
			break
		}
	}
	if at >= len(d.text) || at-i > longestGap {
		return none
	}
	if c := d.text[at]; c != '\'' && (c != '"' || d.inJSON) || at == i+1 && c == d.text[i] {
		return none
	}
	return at
}

// space returns the end of the blanks and line breaks at a position, of which it passes only
// some.
func (d *decoder) space(at int) int {
	for most := at + longestGap; at < len(d.text) && at < most && (isBlank(d.text[at]) || isBreak(d.text[at])); {
		at++
	}
	return at
}

// closing returns the position of the quote that ends a piece, or none.
func (d *decoder) closing(start int, quote byte) int {
	for i := start; i < min(len(d.text), start+longestPiece); i++ {
		switch c := d.text[i]; {
		case c == quote && i+1 < len(d.text) && d.text[i+1] == quote: // doubled
			i++
		case c == quote:
			return i
		case c == '\\':
			i++
		case c == d.end:
			return none
		}
	}
	return none
}

// isSign are the bytes that begin a comment, a quotation or a line of a patch.
var isSign = [256]bool{
	'#': true, '/': true, ';': true, '-': true, '>': true, '*': true, '|': true, '+': true, '%': true, '!': true, ':': true,
	'\'': true,
}

// signs decodes lines that begin with the same sign, and the line before, in which the sign
// may be behind something else.
func (d *decoder) signs() {
	var sign byte
	lines, before := 0, none
	begun := false // the line before the first has the sign
	l := d.lines()
	for l.next() && !d.found {
		i := l.start
		for i < l.end && isBlank(d.text[i]) {
			i++
		}
		isSigned := i < l.end && isSign[d.text[i]] && (d.text[i] != '/' || i+1 < l.end && d.text[i+1] == '/')
		if lines > 0 && (!isSigned || l.first || d.text[i] != sign) {
			if lines > 1 || begun {
				d.emit()
			}
			d.out.reset()
			lines = 0
		}
		if l.first {
			before = none
		}
		if !isSigned {
			before = l.start
			continue
		}
		sign = d.text[i]
		for i < l.end && (d.text[i] == sign || isBlank(d.text[i]) && i+1 < l.end && d.text[i+1] == sign) {
			i++
		}
		if i < l.end && d.text[i] == ' ' {
			i++
		}
		if lines++; lines == 1 {
			if begun = before != none && bytes.IndexByte(d.text[before:l.start], sign) >= 0; begun {
				d.out.addPlain(d.text, before, l.start)
			}
		} else {
			d.out.add('\n', l.start-1, l.start)
		}
		d.out.addPlain(d.text, i, l.end)
		before = none
	}
	if lines > 1 || lines == 1 && begun {
		d.emit()
	}
	d.out.reset()
}

// words decodes encoded words of MIME, which may be several: `=?utf-8?B?cHchWms3?=`.
func (d *decoder) words() {
	end := none // of the word before
	for i := 0; ; {
		n := bytes.Index(d.text[i:], []byte("=?"))
		if n < 0 {
			break
		}
		i += n
		if end != none && len(bytes.TrimSpace(d.text[end:i])) > 0 {
			d.emit()
		}
		if next := d.word(i); next > 0 {
			end, i = next, next
			continue
		}
		i++
	}
	d.emit()
}

// longestEncodedWord is more than the length of an encoded word of MIME.
const longestEncodedWord = 1024

// word adds the text of the encoded word at a position and returns its end, or none.
func (d *decoder) word(start int) (end int) {
	text := d.text[start:min(len(d.text), start+longestEncodedWord)]
	parts := bytes.SplitN(text, []byte("?"), 5)
	if len(parts) < 5 || len(parts[2]) != 1 || len(parts[4]) == 0 || parts[4][0] != '=' || bytes.IndexByte(text[:len(text)-len(parts[4])], d.end) >= 0 {
		return none
	}
	at := start + len("=?") + len(parts[1]) + len("?B?")
	latin := bytes.HasPrefix(bytes.ToLower(parts[1]), []byte("iso-8859")) || bytes.HasPrefix(bytes.ToLower(parts[1]), []byte("windows-125"))
	add := func(c byte, from, to int) {
		if latin {
			d.out.addRune(rune(c), from, to)
		} else {
			d.out.add(c, from, to)
		}
	}
	coded := parts[3]
	switch parts[2][0] | 0x20 {
	case 'b':
		plain, err := base64.RawStdEncoding.DecodeString(string(bytes.TrimRight(coded, "=")))
		if err != nil {
			return none
		}
		for k, c := range plain {
			add(c, at+(8*k+5)/6, min(at+8*(k+1)/6+1, at+len(coded)))
		}
	case 'q':
		for k := 0; k < len(coded); k++ {
			switch c := coded[k]; {
			case c == '_':
				add(' ', at+k, at+k+1)
			case c == '=' && k+2 < len(coded) && isHexDigit(coded[k+1]) && isHexDigit(coded[k+2]):
				add(hexValue(coded[k+1])<<4|hexValue(coded[k+2]), at+k, at+k+3)
				k += 2
			default:
				add(c, at+k, at+k+1)
			}
		}
	default:
		return none
	}
	return at + len(coded) + len("?=")
}

// mostWide is the maximum number of characters other than those of Latin-1 that follow each
// other in UTF-16 among others.
const mostWide = 4

// units decodes texts in UTF-16.
func (d *decoder) units() {
	for i := 0; ; {
		n := bytes.IndexByte(d.text[i:], 0)
		if n < 0 {
			return
		}
		i += n
		end := i + 1
		for _, order := range []struct{ start, high int }{{i - 1, 1}, {i, 0}} { // little endian, big endian
			if order.start >= 0 && (order.start > 0 || order.high == 1 || i == 0) {
				end = max(end, d.unitsFrom(order.start, order.high))
			}
		}
		i = end
	}
}

// unitsFrom decodes UTF-16 from a position on, of which the high byte of each unit is the
// first or second one, and returns its end.
func (d *decoder) unitsFrom(start, high int) (end int) {
	wide := 0
	i := start
	for i+1 < len(d.text) && wide <= mostWide {
		unit := func(at int) rune { return rune(d.text[at+high])<<8 | rune(d.text[at+1-high]) }
		r, size := unit(i), 2
		if r == 0 || d.text[i] == d.end && d.text[i+1] == d.end {
			break
		}
		if utf16.IsSurrogate(r) {
			if i+3 >= len(d.text) {
				break
			}
			if r = utf16.DecodeRune(r, unit(i+2)); r == utf8.RuneError {
				break
			}
			size = 4
		}
		if wide++; r <= 0xff {
			wide, end = 0, i+size
		}
		d.out.addRune(r, i, i+size)
		i += size
	}
	d.emit()
	return end
}

// unescaped decodes the strings that have an escape: escape appends what one at a position
// spells and returns its end, or the position.
func (d *decoder) unescaped(introducer byte, escape func(d *decoder, i, end int) int) {
	for next := 0; next < len(d.text) && !d.found; {
		n := bytes.IndexByte(d.text[next:], introducer)
		if n < 0 {
			return
		}
		at := next + n
		to := escape(d, at, len(d.text))
		if d.out.reset(); to == at {
			next = at + 1
			continue
		}
		start, end := d.bounds(at)
		for i := start; i < end; {
			n := bytes.IndexByte(d.text[i:end], introducer)
			if n < 0 {
				n = end - i
			}
			d.out.addPlain(d.text, i, i+n)
			if i += n; i == end {
				break
			}
			to := escape(d, i, end)
			if to == i {
				d.out.add(introducer, i, i+1)
				to++
			}
			i = to
		}
		d.emit()
		next = end + 1
	}
}

// backslashes unescapes backslashes as JSON and C do.
func (d *decoder) backslashes() { d.unescaped('\\', (*decoder).backslashAt) }

func (d *decoder) backslashAt(i, end int) int {
	r, size, fault := unescape.Escape(d.text[i:min(end, i+unescape.Longest)])
	switch {
	case fault == unescape.None:
	case i+3 < end && d.text[i+1] == 'x' && isHexDigit(d.text[i+2]) && isHexDigit(d.text[i+3]):
		r, size = rune(hexValue(d.text[i+2])<<4|hexValue(d.text[i+3])), 4
	case i+1 < end && (d.text[i+1] == '\'' || d.text[i+1] == '$' || d.text[i+1] == '`'):
		r, size = rune(d.text[i+1]), 2
	default:
		return i
	}
	d.out.addRune(r, i, i+size)
	return i + size
}

// isByte reports whether two hexadecimal digits are at a position.
func (d *decoder) isByte(i, end int) bool {
	return i+2 <= end && isHexDigit(d.text[i]) && isHexDigit(d.text[i+1])
}

func (d *decoder) byteAt(i int) byte { return hexValue(d.text[i])<<4 | hexValue(d.text[i+1]) }

// percents unescapes `%41`, and plus signs after it.
func (d *decoder) percents() { d.unescaped('%', (*decoder).percentAt) }

func (d *decoder) percentAt(i, end int) int {
	if !d.isByte(i+1, end) {
		return i
	}
	d.out.add(d.byteAt(i+1), i, i+3)
	for i += 3; i < end && d.text[i] == '+'; i++ {
		d.out.add(' ', i, i+1)
	}
	return i
}

// longestEntity is the maximum length of an entity that is unescaped.
const longestEntity = 12

// entities unescapes `&quot;` and `&#10;`.
func (d *decoder) entities() { d.unescaped('&', (*decoder).entityAt) }

func (d *decoder) entityAt(i, end int) int {
	n := bytes.IndexByte(d.text[i:min(end, i+longestEntity)], ';')
	if n < 0 {
		return i
	}
	whole := string(d.text[i : i+n+1])
	text := html.UnescapeString(whole)
	if text == whole {
		return i
	}
	d.out.addText([]byte(text), i, i+n+1)
	return i + n + 1
}

// printable unescapes quoted-printable.
func (d *decoder) printable() { d.unescaped('=', (*decoder).softAt) }

func (d *decoder) softAt(i, end int) int {
	switch rest := d.text[i+1 : end]; {
	case d.isByte(i+1, end) && !('a' <= d.text[i+1] || 'a' <= d.text[i+2]):
		d.out.add(d.byteAt(i+1), i, i+3)
		return i + 3
	case bytes.HasPrefix(rest, []byte("\n")):
		return i + len("=\n")
	case bytes.HasPrefix(rest, []byte("\r\n")):
		return i + len("=\r\n")
	}
	return i
}
