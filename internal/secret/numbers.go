package secret

import (
	"bytes"
	"unicode/utf8"
)

// isOfNumbers are the bytes of lists of numbers.
var isOfNumbers = [256]bool{
	'0': true, '1': true, '2': true, '3': true, '4': true, '5': true, '6': true, '7': true, '8': true, '9': true, 'a': true,
	'b': true, 'c': true, 'd': true, 'e': true, 'f': true, 'A': true, 'B': true, 'C': true, 'D': true, 'E': true, 'F': true,
	'x': true, 'X': true, ',': true, ';': true, ':': true, '-': true, '\\': true, ' ': true, '\t': true, '\r': true, '\n': true,
}

// isOfBase64 are the digits of base64 in both alphabets.
var isOfBase64 = [256]bool{
	'A': true, 'B': true, 'C': true, 'D': true, 'E': true, 'F': true, 'G': true, 'H': true, 'I': true, 'J': true, 'K': true,
	'L': true, 'M': true, 'N': true, 'O': true, 'P': true, 'Q': true, 'R': true, 'S': true, 'T': true, 'U': true, 'V': true,
	'W': true, 'X': true, 'Y': true, 'Z': true, 'a': true, 'b': true, 'c': true, 'd': true, 'e': true, 'f': true, 'g': true,
	'h': true, 'i': true, 'j': true, 'k': true, 'l': true, 'm': true, 'n': true, 'o': true, 'p': true, 'q': true, 'r': true,
	's': true, 't': true, 'u': true, 'v': true, 'w': true, 'x': true, 'y': true, 'z': true, '0': true, '1': true, '2': true,
	'3': true, '4': true, '5': true, '6': true, '7': true, '8': true, '9': true, '+': true, '/': true, '-': true, '_': true,
}

// valueOf64 are the values of the digits of base64.
var valueOf64 = [256]byte{
	'A': 0, 'B': 1, 'C': 2, 'D': 3, 'E': 4, 'F': 5, 'G': 6, 'H': 7, 'I': 8, 'J': 9, 'K': 10,
	'L': 11, 'M': 12, 'N': 13, 'O': 14, 'P': 15, 'Q': 16, 'R': 17, 'S': 18, 'T': 19, 'U': 20, 'V': 21,
	'W': 22, 'X': 23, 'Y': 24, 'Z': 25, 'a': 26, 'b': 27, 'c': 28, 'd': 29, 'e': 30, 'f': 31, 'g': 32,
	'h': 33, 'i': 34, 'j': 35, 'k': 36, 'l': 37, 'm': 38, 'n': 39, 'o': 40, 'p': 41, 'q': 42, 'r': 43,
	's': 44, 't': 45, 'u': 46, 'v': 47, 'w': 48, 'x': 49, 'y': 50, 'z': 51, '0': 52, '1': 53, '2': 54,
	'3': 55, '4': 56, '5': 57, '6': 58, '7': 59, '8': 60, '9': 61, '+': 62, '/': 63, '-': 62, '_': 63,
}

// number is a number in a list, with the position of its first digit.
type number struct {
	start, digits, end int
	prefixed, minus    bool
}

// base is how the numbers of a list are read.
type base uint8

const (
	hexBytes base = iota
	decimalBytes
	hexCharacters
	decimalCharacters
	hexDigitsOnly // lower case, without what is between them
)

// numbers decodes lists of bytes and characters: `0x41, 0x42`, `65,66`, `41-42`, `4142 4344`.
func (d *decoder) numbers() {
	start, end := nextRun(d.text, &isOfNumbers, nextNumbers, 0)
	for ; start >= 0 && !d.found; start, end = nextRun(d.text, &isOfNumbers, nextNumbers, end) {
		digits, separated := 0, false
		for _, c := range d.text[start:end] {
			if '0' <= c && c <= '9' {
				digits++
			} else if !isHexDigit(c) {
				separated = true
			}
		}
		if digits < leastDecoded && !d.s.hexadecimal { // each byte of ASCII has one
			continue
		}
		d.numbersAt = start
		if separated {
			if d.list(start, end, decimalBytes) {
				d.list(start, end, decimalCharacters)
			}
		} else if !d.s.hexadecimal && !d.isTextInHex(start, end) {
			continue
		}
		if d.list(start, end, hexBytes) && separated {
			d.list(start, end, hexCharacters)
		}
		if d.s.hexadecimal {
			d.list(start, end, hexDigitsOnly)
		}
	}
	d.numbersAt = none
}

// isTextInHex reports whether digits begin with those of a text, and not of a digest.
func (d *decoder) isTextInHex(start, end int) bool {
	var b [2 * leastDecoded]byte
	n := 0
	for ; n < len(b) && start+2*n+1 < end; n++ {
		b[n] = hexValue(d.text[start+2*n])<<4 | hexValue(d.text[start+2*n+1])
	}
	return isText(b[:n])
}

// isText reports whether bytes may begin a text in UTF-8 or UTF-16.
func isText(b []byte) bool {
	zeros := 0
	var before [2]byte
	for i, c := range b {
		high := before[i%2] == 0 || i < 4 // the high byte of each unit before is zero
		before[i%2] = c
		switch {
		case c == 0 && high:
			zeros++
		case c < ' ' && c != '\t' && !isBreak(c) && c != 0x1b:
			return false
		}
	}
	if zeros > 0 {
		return zeros > 1
	}
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		if r == utf8.RuneError && size == 1 {
			return len(b) < utf8.UTFMax && !utf8.FullRune(b)
		}
		b = b[size:]
	}
	return true
}

func hexValue(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}

// list decodes the numbers in a part of the text. It reports whether one is not ASCII.
func (d *decoder) list(start, end int, b base) (wide bool) {
	d.out.reset()
	for i := start; i < end; {
		n, broken := d.number(i, end)
		if broken {
			d.emit()
		}
		if n.end == 0 {
			break
		}
		w, ok := d.addNumber(n, b)
		if !ok {
			d.emit()
		}
		wide = wide || w
		i = n.end
	}
	d.emit()
	return wide
}

// number returns the next number from i on, or one that ends at 0. broken is set if it does
// not belong to the numbers before.
func (d *decoder) number(i, end int) (n number, broken bool) {
	gap := i
	commas, dashes, breaks := 0, 0, 0
	for ; i < end && !isHexDigit(d.text[i]); i++ {
		switch c := d.text[i]; {
		case c == '-':
			dashes++
		case c == ',', c == ';', c == ':':
			commas++
		case c == 'x' || c == 'X':
			broken = true
		case isBreak(c):
			breaks++
		}
	}
	if i == end {
		return n, broken
	}
	broken = broken || commas > 1 || dashes > 1 || dashes > 0 && breaks > 0 || i-gap > longestGap
	n.start, n.digits = i, i
	if i+2 < end && d.text[i] == '0' && d.text[i+1]|0x20 == 'x' && isHexDigit(d.text[i+2]) {
		n.prefixed, n.digits = true, i+2
	}
	for n.end = n.digits; n.end < end && isHexDigit(d.text[n.end]); {
		n.end++
	}
	if n.minus = dashes > 0 && i-gap > 1 && d.text[i-1] == '-'; n.minus {
		n.start--
	}
	return n, broken
}

// addNumber adds the bytes of a number. It reports whether they are not ASCII, and whether it
// can be read so.
func (d *decoder) addNumber(n number, b base) (wide, ok bool) {
	size := n.end - n.digits
	switch b {
	case hexDigitsOnly:
		for i := n.digits; i < n.end; i++ {
			c := d.text[i]
			if 'A' <= c && c <= 'F' {
				c |= 0x20
			}
			d.out.add(c, i, i+1)
		}
		return false, true
	case hexBytes:
		first := n.start
		i := n.digits
		if size == 1 && n.prefixed {
			d.out.add(hexValue(d.text[i]), first, n.end)
			return false, true
		}
		if size%2 != 0 {
			return false, false
		}
		for ; i < n.end; i += 2 {
			c := hexValue(d.text[i])<<4 | hexValue(d.text[i+1])
			d.out.add(c, first, i+2)
			first, wide = i+2, wide || c >= utf8.RuneSelf
		}
		return wide, true
	case hexCharacters:
		if size > 6 {
			return false, false
		}
	default:
		if n.prefixed || size > 7 {
			return false, false
		}
	}
	value := 0
	for i := n.digits; i < n.end; i++ {
		v := int(hexValue(d.text[i]))
		if b == hexCharacters {
			value = value<<4 | v
			continue
		}
		if v > 9 {
			return false, false
		}
		value = value*10 + v
	}
	wide = value >= utf8.RuneSelf || n.minus
	switch {
	case b == decimalBytes && n.minus && value <= 128:
		d.out.add(byte(-value), n.start, n.end)
	case b == decimalBytes && value > 255:
		return wide, false
	case b == decimalBytes:
		d.out.add(byte(value), n.start, n.end)
	case !utf8.ValidRune(rune(value)):
		return wide, false
	default:
		d.out.addRune(rune(value), n.start, n.end)
	}
	return wide, true
}

// dumps decodes the dumps of xxd, hexdump, od and certutil: an offset, bytes, and the text
// that they spell.
func (d *decoder) dumps() {
	lines, before := 0, none
	flush := func() {
		if lines > 1 {
			d.emit()
		}
		d.out.reset()
		lines = 0
	}
	l := d.lines()
	for l.next() && !d.found {
		if l.first {
			flush()
			before = none
		}
		switch {
		case !d.dumped(l.start, l.end):
			flush()
		case lines == 0 && before != none && d.dumpedBehind(before, l.start-1):
			d.dumped(l.start, l.end)
			lines = 2
		default:
			lines++
		}
		before = l.start
	}
	flush()
}

// dumpedBehind adds the bytes of the first line of a dump, which is behind something else.
func (d *decoder) dumpedBehind(start, end int) bool {
	i := bytes.Index(d.text[start:end], []byte(firstOffset))
	if i < 0 {
		return false
	}
	d.out.reset()
	return d.dumped(start+i, end)
}

// lineReader reads the lines of a text.
type lineReader struct {
	d            *decoder
	start, end   int
	first        bool // the line begins a string
	newline, mid int  // the next line break, and the next beginning of a string
}

func (d *decoder) lines() lineReader {
	return lineReader{d: d, end: none, newline: d.next('\n', 0), mid: d.next(d.end, 0)}
}

// next moves on to the next line and reports whether there is one.
func (l *lineReader) next() bool {
	text := l.d.text
	l.first = l.end < 0 || l.end == l.mid
	l.start = l.end + 1
	if l.start > len(text) {
		return false
	}
	if l.newline < l.start {
		l.newline = l.d.next('\n', l.start)
	}
	if l.mid < l.start {
		l.mid = l.d.next(l.d.end, l.start)
	}
	l.end = min(l.newline, l.mid)
	return true
}

// beginsLines reports whether a line begins with a sign or like a dump.
func (d *decoder) beginsLines() bool {
	text := d.text
	for i := 0; i < len(text); {
		for i < len(text) && isBlank(text[i]) {
			i++
		}
		if i+leastOffset < len(text) && (isSign[text[i]] || isHexDigit(text[i]) && isHexDigit(text[i+1]) && isHexDigit(text[i+2]) && isHexDigit(text[i+3])) {
			return true
		}
		n := bytes.IndexByte(text[i:], '\n')
		if n < 0 {
			return false
		}
		i += n + 1
	}
	return false
}

// next returns the position of the next byte of a kind, or the end of the text.
func (d *decoder) next(c byte, from int) int {
	if n := bytes.IndexByte(d.text[from:], c); n >= 0 {
		return from + n
	}
	return len(d.text)
}

const (
	leastOffset = 4 // digits
	firstOffset = "0000"
	dumpedHalf  = 8 // bytes after which hexdump leaves a wider gap
)

// dumped adds the bytes of a line of a dump and reports whether it is one. A byte ends with
// its line, so that the text behind the bytes goes with them.
func (d *decoder) dumped(start, end int) bool {
	i := start
	for i < end && isBlank(d.text[i]) {
		i++
	}
	offset := i
	for i < end && isHexDigit(d.text[i]) {
		i++
	}
	if i-offset < leastOffset {
		return false
	}
	if i < end && d.text[i] == ':' {
		i++
	}
	added := 0
	for {
		gap := i
		for i < end && (isBlank(d.text[i]) || d.text[i] == '-' && added > 0) {
			i++
		}
		digits := i
		for i < end && isHexDigit(d.text[i]) {
			i++
		}
		wide := added > 0 && digits-gap > 1 // before the text, or after half of the bytes
		switch n := i - digits; {
		case digits == gap, n < 2, n%2 != 0, wide && (added != dumpedHalf || n != 2):
			return added > 0
		case i < end && !isBlank(d.text[i]) && d.text[i] != '-' && d.text[i] != '\r':
			return added > 0
		}
		for ; digits < i; digits += 2 {
			d.out.add(hexValue(d.text[digits])<<4|hexValue(d.text[digits+1]), digits, end)
			added++
		}
	}
}

// base64 decodes base64 of texts. Its first digit is the first one of a word.
func (d *decoder) base64() {
	start, end := nextRun(d.text, &isOfBase64, nextBase64, 0)
	for ; start >= 0 && !d.found; start, end = nextRun(d.text, &isOfBase64, nextBase64, end) {
		if d.isTextIn64(start) {
			end = max(end, d.digits64(start))
		}
	}
}

// checked64 is the number of digits of base64 that are decoded first.
const checked64 = 12

// isTextIn64 reports whether the first digits of base64 are those of a text.
func (d *decoder) isTextIn64(start int) bool {
	var bytes [checked64 / 4 * 3]byte
	b := bytes[:0]
	for i := start; i < start+checked64; i += 4 {
		v := group64(d.text[i:])
		b = append(b, byte(v>>16), byte(v>>8), byte(v))
		if first := b[0]; first < ' ' && first != 0 && !isBlank(first) && !isBreak(first) {
			return false
		}
	}
	return isText(b)
}

func group64(text []byte) uint32 {
	return uint32(valueOf64[text[0]])<<18 | uint32(valueOf64[text[1]])<<12 | uint32(valueOf64[text[2]])<<6 | uint32(valueOf64[text[3]])
}

// leastWrapped is the minimum length of a line of base64 that continues on the next one.
const leastWrapped = 12

// digits64 decodes base64 from a position on, over line breaks, and returns the end of the
// lines that cannot begin another text. A part of it begins and ends with the digits that
// depend on no other bytes.
func (d *decoder) digits64(start int) int {
	var bits uint32
	n, before := 0, start
	line, width, lines := start, 0, 1
	alike := true // the first two lines are as long
	second := start
	i := start
	for i < len(d.text) {
		c := d.text[i]
		if !isOfBase64[c] {
			size, next := i-line, d.indented(i)
			if lines < 3 {
				alike, width = lines == 1 || size == width, size
			}
			if next == i || size < leastWrapped || size != width {
				break
			}
			line, lines, i = next, lines+1, next
			if lines == 2 {
				second = next
			}
			continue
		}
		bits = bits<<6 | uint32(valueOf64[c])
		switch n % 4 {
		case 0:
			before = i
		case 1:
			d.out.add(byte(bits>>4), before, i)
			before = i + 1
		case 2:
			d.out.add(byte(bits>>2), before, i)
			before = i + 1
		case 3:
			d.out.add(byte(bits), before, i+1)
		}
		n, i = n+1, i+1
	}
	d.emit()
	if !alike {
		return second // it may begin another text
	}
	return i
}

// indented returns the position of the first digit of base64 on the next line, if the line
// ends at i, or i.
func (d *decoder) indented(i int) int {
	next, broken := i, false
	for next < len(d.text) && next-i < longestGap && (isBlank(d.text[next]) || isBreak(d.text[next])) {
		broken = broken || isBreak(d.text[next])
		next++
	}
	if broken && next < len(d.text) && isOfBase64[d.text[next]] {
		return next
	}
	return i
}
