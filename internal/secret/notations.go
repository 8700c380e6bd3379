package secret

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/pcatdev/pcat/internal/unescape"
)

// notation is a way in which programs write a text, other than a character after another:
// bytes as numbers, a text in pieces or with something before each line. Its parts of a text
// are decoded, and what they spell is searched like any other text.
type notation struct {
	name   string
	decode func(d *decoder) // calls d.emit for each part
	needs  byteKinds        // a text without one of these has no part
	// escapes is set if it only unescapes characters. A search reads these by itself, so the
	// result is only searched for other notations.
	escapes bool
	// inLines is set if its parts have line breaks, which a string of JSON without escapes
	// does not have.
	inLines bool
}

// byteKinds are the kinds of bytes by which notations are recognized.
type byteKinds uint16

const (
	digitKind byteKinds = 1 << iota
	letterKind
	quoteKind
	breakKind
	equalsKind
	zeroKind
	backslashKind
	percentKind
	ampersandKind
	allKinds = 1<<iota - 1
)

var kindsOf = [256]byteKinds{
	0: zeroKind, '\'': quoteKind, '"': quoteKind, '\n': breakKind, '=': equalsKind, '\\': backslashKind, '%': percentKind, '&': ampersandKind, '0': digitKind, '1': digitKind,
	'2': digitKind, '3': digitKind, '4': digitKind, '5': digitKind, '6': digitKind, '7': digitKind, '8': digitKind, '9': digitKind, 'a': letterKind,
	'b': letterKind, 'c': letterKind, 'd': letterKind, 'e': letterKind, 'f': letterKind, 'g': letterKind, 'h': letterKind, 'i': letterKind, 'j': letterKind,
	'k': letterKind, 'l': letterKind, 'm': letterKind, 'n': letterKind, 'o': letterKind, 'p': letterKind, 'q': letterKind, 'r': letterKind, 's': letterKind,
	't': letterKind, 'u': letterKind, 'v': letterKind, 'w': letterKind, 'x': letterKind, 'y': letterKind, 'z': letterKind, 'A': letterKind, 'B': letterKind,
	'C': letterKind, 'D': letterKind, 'E': letterKind, 'F': letterKind, 'G': letterKind, 'H': letterKind, 'I': letterKind, 'J': letterKind, 'K': letterKind,
	'L': letterKind, 'M': letterKind, 'N': letterKind, 'O': letterKind, 'P': letterKind, 'Q': letterKind, 'R': letterKind, 'S': letterKind, 'T': letterKind,
	'U': letterKind, 'V': letterKind, 'W': letterKind, 'X': letterKind, 'Y': letterKind, 'Z': letterKind,
}

// longText is the length in bytes from which a text is not searched for kinds of bytes first.
const longText = 256

// notations are the notations that are followed. Each is one row and one function.
var notations = [...]notation{
	{name: "bytes as numbers", decode: (*decoder).numbers, needs: digitKind},
	{name: "hexadecimal dumps", decode: (*decoder).dumps, needs: breakKind, inLines: true},
	{name: "base64", decode: (*decoder).base64, needs: letterKind},
	{name: "quoted pieces", decode: (*decoder).pieces, needs: quoteKind},
	{name: "a sign before each line", decode: (*decoder).signs, needs: breakKind, inLines: true},
	{name: "words of MIME", decode: (*decoder).words, needs: equalsKind},
	{name: "UTF-16", decode: (*decoder).units, needs: zeroKind},
	{name: "backslashes", decode: (*decoder).backslashes, needs: backslashKind, escapes: true, inLines: true},
	{name: "percent", decode: (*decoder).percents, needs: percentKind, escapes: true},
	{name: "entities", decode: (*decoder).entities, needs: ampersandKind, escapes: true},
	{name: "quoted-printable", decode: (*decoder).printable, needs: equalsKind, escapes: true},
}

const (
	// mostNotations is the maximum number of notations inside each other.
	mostNotations = 4
	// leastDecoded is the minimum number of bytes of a part: fewer are no secret that is
	// followed.
	leastDecoded = 6
	// leastNoted is the minimum number of bytes in which a notation writes so many.
	leastNoted = 13
	// decodedPerByte and decodedAtFirst bound the work for a text that was crafted to be
	// decoded in many ways.
	decodedPerByte = 16
	decodedAtFirst = 1 << 16
)

// decoded is what a part of a text spells.
type decoded struct {
	text []byte
	// from and to are the positions in the text where each byte begins and ends. They are
	// known only if mapped is set.
	from, to []int32
	mapped   bool
}

func (d *decoded) add(c byte, from, to int) {
	d.text = append(d.text, c)
	if d.mapped {
		d.from, d.to = append(d.from, int32(from)), append(d.to, int32(to))
	}
}

// addText adds several bytes that are spelled together.
func (d *decoded) addText(text []byte, from, to int) {
	for _, c := range text {
		d.add(c, from, to)
	}
}

// addRune adds a character.
func (d *decoded) addRune(r rune, from, to int) {
	var b [utf8.UTFMax]byte
	d.addText(utf8.AppendRune(b[:0], r), from, to)
}

// addPlain adds a part of the text as it is.
func (d *decoded) addPlain(text []byte, from, to int) {
	if !d.mapped {
		d.text = append(d.text, text[from:to]...)
		return
	}
	for i := from; i < to; i++ {
		d.add(text[i], i, i+1)
	}
}

func (d *decoded) reset() { d.text, d.from, d.to = d.text[:0], d.from[:0], d.to[:0] }

// hit returns a hit in what was decoded as one in the text.
func (d *decoded) hit(h Hit) Hit {
	return Hit{int(d.from[h.Start]), int(d.to[h.End-1]), h.Pattern}
}

// decoder decodes the parts of a text in one notation after the other.
type decoder struct {
	s       *spellings
	rows    []notation
	text    []byte
	inJSON  bool
	end     byte           // ends a string in the text
	hits    []Hit          // in the text
	found   bool           // there is a hit, and its position is not needed
	work    *int           // number of bytes that may still be decoded, of the outermost one
	budget  int            // of the outermost one
	onHit   func(Hit) bool // d.hit
	depth   int
	outer   *notation // in which the text was decoded
	current *notation
	out     decoded
	inner   *decoder // of what was decoded
	parent  *decoder // of which this is the inner one

	// trail has the layers of the hit that is taken, if hits are explained, and trails has those of hits.
	trail  *[]string
	trails [][]string

	// numbersAt is the position of the list of numbers that is decoded, or none. In a
	// document, numbers outside of strings are values of their own: parityAt is a position
	// of which inString is known.
	numbersAt, parityAt int
	inString            bool
}

var decoders = sync.Pool{New: func() any { return newDecoder() }}

func newDecoder() *decoder {
	d := new(decoder)
	d.work, d.onHit = &d.budget, d.written
	return d
}

// written takes a hit of a secret whose characters follow each other in the decoded text.
func (d *decoder) written(h Hit) bool {
	if d.trail != nil {
		*d.trail = d.s.layers(h, d.out.text)
	}
	return d.hit(h)
}

// hit takes a hit in what was decoded, and reports whether to continue.
func (d *decoder) hit(h Hit) bool {
	if d.trail != nil {
		*d.trail = slices.Insert(*d.trail, 0, d.current.name)
	}
	switch {
	case d.numbersAt != none && !d.isInString(d.numbersAt):
	case !d.out.mapped:
		d.found = true
	case d.parent != nil:
		d.parent.hit(d.out.hit(h))
	default:
		d.hits = append(d.hits, d.out.hit(h))
		if d.trail != nil {
			d.trails = append(d.trails, *d.trail)
		}
	}
	return !d.found
}

// findDecoded yields the hits in the parts of a text that are written in one of the
// notations, and reports whether to continue. It decodes a text with hits once more, to
// locate them.
func (s *spellings) findDecoded(text []byte, inJSON bool, yield func(Hit) bool) bool {
	if len(text) < leastNoted || len(text) > math.MaxInt32 || len(s.texts) == 0 {
		return true
	}
	d, _ := decoders.Get().(*decoder)
	defer decoders.Put(d)
	d.begin(s, text, false)
	if !d.find(text, inJSON) {
		return true
	}
	d.begin(s, text, true)
	d.find(text, inJSON)
	hits := d.hits
	d.hits = nil
	for _, h := range hits {
		if !yield(h) {
			return false
		}
	}
	return true
}

// begin prepares d to decode a text that is no part of another one.
func (d *decoder) begin(s *spellings, text []byte, mapped bool) {
	d.s, d.rows, d.depth, d.outer, d.out.mapped = s, notations[:], 0, nil, mapped
	d.budget = decodedPerByte*len(text) + decodedAtFirst
}

// find decodes a text and searches its parts. Unless it is mapped, it only reports whether
// there is a hit.
func (d *decoder) find(text []byte, inJSON bool) (found bool) {
	d.text, d.inJSON, d.found = text, inJSON, false
	d.numbersAt, d.parityAt, d.inString = none, 0, false
	if d.end = unescape.BeforeString; inJSON {
		d.end = '"'
	}
	kinds := byteKinds(allKinds)
	if len(text) < longText {
		kinds = 0
		for _, c := range text {
			kinds |= kindsOf[c]
		}
	}
	if kinds&breakKind != 0 && !inJSON && !d.beginsLines() {
		kinds &^= breakKind
	}
	for i := range d.rows {
		row := &d.rows[i]
		if row.needs&kinds == 0 || inJSON && row.inLines || row.escapes && d.outer != nil && d.outer.escapes && (d.outer != row || d.depth > 1) {
			continue
		}
		d.current = row
		d.out.reset()
		if row.decode(d); d.found {
			return true
		}
	}
	return false
}

// emit searches what was decoded, and begins the next part.
func (d *decoder) emit() {
	if len(d.out.text) >= leastDecoded && !d.found && *d.work >= len(d.out.text) {
		*d.work -= len(d.out.text)
		d.search()
	}
	d.out.reset()
}

// search searches what was decoded.
func (d *decoder) search() {
	if !d.current.escapes && !d.s.findWritten(d.out.text, false, d.onHit) || d.depth+1 == mostNotations || len(d.out.text) < leastNoted {
		return
	}
	if d.inner == nil {
		d.inner = newDecoder()
		d.inner.parent = d
	}
	in := d.inner
	in.s, in.rows, in.depth, in.outer, in.work, in.out.mapped, in.trail = d.s, d.rows, d.depth+1, d.current, d.work, d.out.mapped, d.trail
	if in.find(d.out.text, false) {
		d.found = true
	}
}

// bounds returns the beginning and the end of the string around a position.
func (d *decoder) bounds(i int) (start, end int) {
	start = bytes.LastIndexByte(d.text[:i], d.end) + 1
	if n := bytes.IndexByte(d.text[i:], d.end); n >= 0 {
		return start, i + n
	}
	return start, len(d.text)
}

// isInString reports whether a position, behind those that were asked for before, is in a
// string: numbers outside are values of their own.
func (d *decoder) isInString(i int) bool {
	if !d.inJSON {
		return true
	}
	for d.parityAt < i {
		n := bytes.IndexAny(d.text[d.parityAt:i], `"\`)
		if n < 0 {
			d.parityAt = i
			break
		}
		if d.parityAt += n; d.text[d.parityAt] == '\\' {
			d.parityAt++ // what follows is escaped
		} else {
			d.inString = !d.inString
		}
		d.parityAt++
	}
	return d.inString
}

// leastRun is the minimum length of digits that are decoded. It has eight bytes from a
// multiple of eight on.
const leastRun = 15

// nextRun returns the beginning and the end of the next run of at least leastRun bytes of a
// kind, from a position on, or none. next returns the position of the next eight bytes that
// may be of the kind, in steps of eight, or none.
func nextRun(text []byte, is *[256]bool, next func(text []byte, from int) int, from int) (start, end int) {
	for i := next(text, (from+7)&^7); i >= 0; i = next(text, i) {
		if start, end = i, i; is[text[i+7]] {
			for end < len(text) && is[text[end]] {
				end++
			}
		}
		if end < i+8 {
			i += 8
			continue
		}
		for start > from && is[text[start-1]] {
			start--
		}
		if end-start >= leastRun {
			return start, end
		}
		i = (end + 7) &^ 7
	}
	return none, none
}

// The high bits of eight bytes.
const highBits = 0x80 * ones

// nextBase64 returns the position of the next eight bytes that may be digits of base64: none is
// a blank, a quote or another sign before the digits, nor a dot or a colon, and not all are
// lower-case letters, as in a word. Of a text, one in a thousand has eight such digits.
func nextBase64(text []byte, from int) int {
	for i := from; i+8 <= len(text); i += 8 {
		eight := binary.LittleEndian.Uint64(text[i:])
		if eight&(0x60*ones) == 0x60*ones || (eight&^highBits+(0x80-'+')*ones)&highBits != highBits {
			continue
		}
		dots, colons := eight^'.'*ones, eight^':'*ones
		if ((dots-ones)&^dots|(colons-ones)&^colons)&highBits == 0 {
			return i
		}
	}
	return none
}

// nextNumbers returns the position of the next eight bytes that may be numbers: two are
// decimal digits, because a byte of ASCII has one in each base, and none is a letter from G
// to W.
func nextNumbers(text []byte, from int) int {
	for i := from; i+8 <= len(text); i += 8 {
		eight := binary.LittleEndian.Uint64(text[i:])
		low := eight &^ highBits
		digits := (low + (0x80-'0')*ones) &^ (low + (0x80-'9'-1)*ones) & highBits
		if digits&(digits-1) == 0 {
			continue
		}
		letters := low & (0x1f * ones)
		if (letters+(0x80-'G'&0x1f)*ones)&^(letters+(0x80-'W'&0x1f-1)*ones)&(eight<<1)&highBits == 0 {
			return i
		}
	}
	return none
}
