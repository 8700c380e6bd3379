package transcode

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/pcatdev/pcat/serialization/internal/pack"
	"github.com/pcatdev/pcat/serialization/internal/wire"
	"github.com/pcatdev/pcat/serialization/richdata"
)

// packer carries JSON over to MessagePack. Its methods append what begins at a
// position of data and return where it ends, or failed.
type packer struct {
	*road
	depth int // how many more levels are allowed
	limit int // of one string
	keys  wire.Keys
	// wide are the arrays and maps whose header is longer than the one byte
	// that was left for it.
	wide []wideHeader
}

type wideHeader struct {
	at, n       int
	fix, medium byte
}

func (p *packer) document(dst []byte) ([]byte, bool) {
	out := slices.Grow(dst, len(p.data))
	out, i := p.value(out, p.skip(0))
	if i < 0 || p.skip(i) != len(p.data) {
		return dst, false
	}
	return p.widen(out), true
}

// at returns the byte at i, and 0, which begins nothing, behind the end.
func (p *packer) at(i int) byte {
	if uint(i) < uint(len(p.data)) {
		return p.data[i]
	}
	return 0
}

// skip returns the position behind the blanks at i.
func (p *packer) skip(i int) int {
	for c := p.at(i); c <= ' ' && (c == ' ' || c == '\n' || c == '\r' || c == '\t'); c = p.at(i) {
		i++
	}
	return i
}

func (p *packer) value(out []byte, i int) ([]byte, int) {
	switch c := p.at(i); c {
	case '"':
		return p.text(out, i)
	case '{':
		return p.object(out, i)
	case '[':
		return p.array(out, i)
	case 'n':
		return p.literal(out, i, "null", pack.Nil)
	case 't':
		return p.literal(out, i, "true", pack.True)
	case 'f':
		return p.literal(out, i, "false", pack.False)
	default:
		return p.number(out, i)
	}
}

func (p *packer) literal(out []byte, i int, text string, b byte) ([]byte, int) {
	if end := i + len(text); end <= len(p.data) && string(p.data[i:end]) == text {
		return append(out, b), end
	}
	return out, failed
}

func (p *packer) array(out []byte, i int) ([]byte, int) {
	if p.depth == 0 {
		return out, failed
	}
	p.depth--
	header, n := len(out), 0
	out = append(out, 0)
	if i = p.skip(i + 1); p.at(i) == ']' {
		return p.close(out, i, header, 0, pack.FixArray, pack.Array16)
	}
	for {
		if out, i = p.value(out, i); i < 0 {
			return out, i
		}
		n++
		switch i = p.skip(i); p.at(i) {
		case ',':
			i = p.skip(i + 1)
		case ']':
			return p.close(out, i, header, n, pack.FixArray, pack.Array16)
		default:
			return out, failed
		}
	}
}

func (p *packer) object(out []byte, i int) ([]byte, int) {
	if p.depth == 0 {
		return out, failed
	}
	p.depth--
	start, header, n := i, len(out), 0
	out = append(out, 0)
	if i = p.skip(i + 1); p.at(i) == '}' {
		return p.close(out, i, header, 0, pack.FixMap, pack.Map16)
	}
	p.keys.Open()
	for {
		at := len(out)
		if out, i = p.key(out, i); i < 0 {
			return out, i
		}
		key := packed(out[at:])
		if string(key) == richdata.TypeKey {
			if n > 0 {
				return out, failed
			}
			p.keys.Close()
			p.depth++
			return p.rich(out[:header], start)
		}
		if _, added := p.keys.Add(key); !added {
			return out, failed
		}
		if out, i = p.value(out, i); i < 0 {
			return out, i
		}
		n++
		switch i = p.skip(i); p.at(i) {
		case ',':
			i = p.skip(i + 1)
		case '}':
			p.keys.Close()
			return p.close(out, i, header, n, pack.FixMap, pack.Map16)
		default:
			return out, failed
		}
	}
}

// key carries a key and moves to its value.
func (p *packer) key(out []byte, i int) ([]byte, int) {
	if p.at(i) != '"' {
		return out, failed
	}
	if out, i = p.text(out, i); i < 0 {
		return out, i
	}
	if i = p.skip(i); p.at(i) != ':' {
		return out, failed
	}
	return out, p.skip(i + 1)
}

// close ends the array or map of n members whose bracket stands at i.
func (p *packer) close(out []byte, i, header, n int, fix, medium byte) ([]byte, int) {
	p.depth++
	if n <= pack.Fixed {
		out[header] = fix | byte(n)
	} else {
		p.wide = append(p.wide, wideHeader{header, n, fix, medium})
	}
	return out, i + 1
}

// widen makes room for the headers that are longer than a byte, from the end
// on, so that each byte moves once.
func (p *packer) widen(out []byte) []byte {
	if len(p.wide) == 0 {
		return out
	}
	slices.SortFunc(p.wide, func(a, b wideHeader) int { return b.at - a.at })
	var scratch [5]byte
	more := 0
	for i := range p.wide {
		more += len(p.wide[i].bytes(scratch[:0])) - 1
	}
	from, to := len(out), len(out)+more
	out = slices.Grow(out, more)[:to]
	for i := range p.wide {
		h := &p.wide[i]
		tail := from - (h.at + 1)
		to -= tail
		copy(out[to:to+tail], out[h.at+1:from])
		header := h.bytes(scratch[:0])
		to -= len(header)
		copy(out[to:], header)
		from = h.at
	}
	return out
}

func (h *wideHeader) bytes(b []byte) []byte { return pack.Count(b, h.n, h.fix, h.medium) }

// text carries a string. Its length is known before its header is written.
func (p *packer) text(out []byte, i int) ([]byte, int) {
	start := i + 1
	end := wire.PlainEnd(p.data, start)
	if p.at(end) != '"' {
		return p.oddText(out, start, end)
	}
	if end-start > p.limit {
		return out, failed
	}
	return append(pack.Text(out, end-start), p.data[start:end]...), end + 1
}

// oddText carries a string that begins at start and has escapes or characters
// beyond ASCII, from i on.
func (p *packer) oddText(out []byte, start, i int) ([]byte, int) {
	escaped := false
	for ; p.at(i) != '"'; i = wire.TextEnd(p.data, i) {
		switch c := p.at(i); {
		case c == '\\':
			escaped = true
			i += 2
		case c < ' ':
			return out, failed
		}
	}
	text := p.data[start:i]
	if len(text) > p.limit || !utf8.Valid(text) {
		return out, failed
	}
	header := len(out)
	out = pack.Text(out, len(text))
	body := len(out)
	if !escaped {
		return append(out, text...), i + 1
	}
	out, ok := appendUnescaped(out, text)
	if !ok {
		return out, failed
	}
	// Without its escapes, the string is shorter, and maybe its header.
	n := len(out) - body
	if at := len(pack.Text(out[:header], n)); at < body {
		out = out[:at+copy(out[at:], out[body:])]
	}
	return out, i + 1
}

// appendUnescaped appends what text, which has escapes, stands for. A
// backslash is not the last byte of it.
func appendUnescaped(out, text []byte) (_ []byte, ok bool) {
	for {
		n := bytes.IndexByte(text, '\\')
		if n < 0 {
			return append(out, text...), true
		}
		out = append(out, text[:n]...)
		c := text[n+1]
		text = text[n+2:]
		switch c {
		case '"', '\\', '/':
		case 'b':
			c = '\b'
		case 'f':
			c = '\f'
		case 'n':
			c = '\n'
		case 'r':
			c = '\r'
		case 't':
			c = '\t'
		case 'u':
			r, n := unicodeEscape(text)
			if n == 0 {
				return out, false
			}
			out, text = utf8.AppendRune(out, r), text[n:]
			continue
		default:
			return out, false
		}
		out = append(out, c)
	}
}

// unicodeEscape returns the character of an escape, whose text follows its
// \u, or of the two that make a surrogate pair, and how long it is; 0 when it
// is none.
func unicodeEscape(text []byte) (r rune, n int) {
	r, ok := hex(text)
	if !ok || !utf16.IsSurrogate(r) {
		if !ok {
			return 0, 0
		}
		return r, 4
	}
	if len(text) < 6 || text[4] != '\\' || text[5] != 'u' {
		return 0, 0
	}
	low, ok := hex(text[6:])
	if r = utf16.DecodeRune(r, low); !ok || r == utf8.RuneError {
		return 0, 0
	}
	return r, 10
}

func hex(text []byte) (r rune, ok bool) {
	if len(text) < 4 {
		return 0, false
	}
	for _, c := range text[:4] {
		switch {
		case '0' <= c && c <= '9':
			r = r<<4 | rune(c-'0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return r, true
}

// packed returns the text of the string that was written as b.
func packed(b []byte) []byte {
	switch c := b[0]; {
	case c < 0xd9:
		return b[1:]
	case c == 0xd9:
		return b[2:]
	case c == 0xda:
		return b[3:]
	}
	return b[5:]
}

// maxDigits is how long the text of a number may be here.
const maxDigits = 64

// number carries a number. Those of up to 18 digits without a fraction fit 64
// bits.
func (p *packer) number(out []byte, i int) ([]byte, int) {
	start := i
	if p.at(i) == '-' {
		i++
	}
	first := i
	var n int64
	for c := p.at(i); '0' <= c && c <= '9'; c = p.at(i) {
		n = 10*n + int64(c-'0')
		i++
	}
	switch digits := i - first; {
	case digits == 0, digits > maxDigits, digits > 1 && p.data[first] == '0':
		return out, failed
	case p.at(i) == '.', p.at(i)|0x20 == 'e':
		return p.float(out, start, i)
	case digits > 18:
		return p.large(out, start, i)
	}
	if first > start {
		n = -n
	}
	return pack.Int(out, n), i
}

// large carries an integer of many digits.
func (p *packer) large(out []byte, start, end int) ([]byte, int) {
	text := string(p.data[start:end])
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return pack.Int(out, n), end
	}
	if n, err := strconv.ParseUint(text, 10, 64); err == nil {
		return pack.Uint(out, n), end
	}
	return out, failed
}

// float carries a number that has a fraction or an exponent at i.
func (p *packer) float(out []byte, start, i int) ([]byte, int) {
	if p.at(i) == '.' {
		if i = p.digits(i + 1); i < 0 {
			return out, failed
		}
	}
	if p.at(i)|0x20 == 'e' {
		i++
		if c := p.at(i); c == '+' || c == '-' {
			i++
		}
		if i = p.digits(i); i < 0 {
			return out, failed
		}
	}
	if i-start > maxDigits {
		return out, failed
	}
	f, err := strconv.ParseFloat(string(p.data[start:i]), 64)
	if err != nil || math.IsInf(f, 0) {
		return out, failed
	}
	return pack.Float(out, f), i
}

// digits returns the end of the digits at i, of which there is one at least.
func (p *packer) digits(i int) int {
	start := i
	for c := p.at(i); '0' <= c && c <= '9'; c = p.at(i) {
		i++
	}
	if i == start {
		return failed
	}
	return i
}

// rich carries the map at start, which begins with `__ptype`, when it has one
// of the shapes, and takes it along the value road otherwise.
func (p *packer) rich(out []byte, start int) ([]byte, int) {
	header := len(out)
	p.depth--
	out, end := p.shaped(append(out, 0), header, start)
	p.depth++
	if end == foreign {
		return p.fragment(out[:header], start, p.depth)
	}
	return out, end
}

func (p *packer) shaped(out []byte, header, start int) ([]byte, int) {
	out, i := p.key(out, p.skip(start+1))
	if p.at(i) != '"' {
		return out, foreign
	}
	at := len(out)
	if out, i = p.text(out, i); i < 0 {
		return out, failed
	}
	name := packed(out[at:])
	if string(name) == localRef {
		return out, failed
	}
	s := p.shape(name)
	least, most := s.count()
	if s == shapeOther {
		return out, foreign
	}
	for n := 0; ; n++ {
		i = p.skip(i)
		switch c := p.at(i); {
		case c == '}' && n < least:
			return out, foreign
		case c == '}':
			out[header] = pack.FixMap | byte(1+n)
			return out, i + 1
		case c != ',':
			return out, failed
		case n == most:
			return out, s.stray()
		}
		if out, i = p.member(out, p.skip(i+1), s, n, name); i < 0 {
			return out, i
		}
	}
}

// member carries the n-th member of a map that has a shape.
func (p *packer) member(out []byte, i int, s shape, n int, name []byte) ([]byte, int) {
	at := len(out)
	if out, i = p.key(out, i); i < 0 {
		return out, failed
	}
	if string(packed(out[at:])) != s.member(n) {
		return out, foreign
	}
	switch c := p.at(i); {
	case s == shapeAny, s == shapeDeferred && n == 1 && c == '[':
		return p.value(out, i)
	case c != '"' || n == 1:
		return out, foreign
	}
	at = len(out)
	if out, i = p.text(out, i); i < 0 {
		return out, failed
	}
	if s == shapeText && !p.isCanonical(name, packed(out[at:])) {
		return out, foreign
	}
	return out, i
}
