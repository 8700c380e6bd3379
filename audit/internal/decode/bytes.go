package decode

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Origin maps the positions in a text to those in the bytes that the text was read from. The
// zero value maps each position to itself.
type Origin []stretch

// stretch is a part of a text, from the position at up to the next stretch. It was read from
// the bytes from the position from on. If wide is set, each byte became two.
type stretch struct {
	at, from int
	wide     bool
}

// Position returns the position in the bytes.
func (o Origin) Position(at int) int {
	i, found := slices.BinarySearchFunc(o, at, func(s stretch, at int) int { return s.at - at })
	if found {
		return o[i].from
	}
	if i == 0 {
		return at
	}
	n := at - o[i-1].at
	if o[i-1].wide {
		n = (n + 1) / 2
	}
	return o[i-1].from + n
}

const (
	// noiseRatio is the share of noise, as a divisor, above which bytes are no text. Random
	// and compressed bytes have one in seven, executables one in three.
	noiseRatio = 10
	// someNoise is the number of bytes of noise that short bytes may have in addition if most
	// are printable ASCII.
	someNoise = 32
	// minRun is the minimum length of a run of bytes that is no noise.
	minRun = 3
	// minStrings is the minimum length of a text in other bytes: that of a token.
	minStrings = 20
)

// isControl reports whether a byte is a control character that texts do not contain.
func isControl(c byte) bool {
	const others = 1<<'\n' | 1<<'\r' | 1<<'\t' | 1<<0x1b
	return c < ' ' && others>>c&1 == 0 || c == 0x7f
}

// isMostlyText reports whether bytes are text in some encoding of eight bits, perhaps with
// zeros between its parts. Noise are control characters, and what is between them if it is
// too short for a word.
func isMostlyText(s string) bool {
	noise, zeros, ascii, run := 0, 0, 0, 0
	for i := range len(s) {
		if !isControl(s[i]) {
			run++
			if s[i] < utf8.RuneSelf {
				ascii++
			}
			continue
		}
		if run < minRun {
			noise += run
		}
		run = 0
		if s[i] == 0 {
			zeros++
		} else {
			noise++
		}
	}
	if run < minRun {
		noise += run
	}
	return noise*noiseRatio <= len(s)-zeros || (noise-someNoise)*noiseRatio <= len(s)-zeros && 2*ascii >= len(s)-zeros
}

// textPrefix returns the length of the text that bytes begin with: a script before its data,
// for example. Text ends at a control character.
func textPrefix(s string) int {
	for i := range len(s) {
		if isControl(s[i]) {
			return strings.LastIndexByte(s[:i], '\n') + 1
		}
	}
	return len(s)
}

// reader reads bytes as text.
type reader struct {
	strings.Builder
	origin Origin
}

// text returns bytes as text: control characters end lines, and the bytes of a line that is
// not UTF-8 are characters of ISO-8859-1.
func text(s string) (string, Origin) {
	var r reader
	r.Grow(len(s))
	r.read(s, 1, 1<<8)
	return r.String(), r.origin
}

// stringsIn returns the strings of ASCII in bytes, a line each.
func stringsIn(s string) (string, Origin) {
	var r reader
	r.read(s, minStrings, utf8.RuneSelf)
	return r.String(), r.origin
}

// read appends the parts of bytes that consist of at least so many bytes below limit, without
// control characters.
func (r *reader) read(s string, least, limit int) {
	for start := 0; start < len(s); {
		end := start
		for end < len(s) && int(s[end]) < limit && !isControl(s[end]) {
			end++
		}
		if end-start >= least {
			r.part(s[start:end], start)
			if end < len(s) {
				r.WriteByte('\n')
			}
		}
		start = end + 1
	}
}

// part appends the part of the bytes that begins at from.
func (r *reader) part(s string, from int) {
	for line := range strings.Lines(s) {
		if utf8.ValidString(line) {
			r.append(line, from, false)
		} else {
			r.latin(line, from)
		}
		from += len(line)
	}
}

// latin appends text in ISO-8859-1.
func (r *reader) latin(s string, from int) {
	for i := 0; i < len(s); {
		wide, start := s[i] >= utf8.RuneSelf, i
		for i < len(s) && s[i] >= utf8.RuneSelf == wide {
			i++
		}
		r.append(s[start:i], from+start, wide)
	}
}

// append appends bytes, and their stretch if the last one does not extend to them.
func (r *reader) append(s string, from int, wide bool) {
	if n := len(r.origin); n == 0 && (wide || r.Len() != from) || n > 0 && (wide != r.origin[n-1].wide || r.origin.Position(r.Len()) != from) {
		r.origin = append(r.origin, stretch{r.Len(), from, wide})
	}
	if !wide {
		r.WriteString(s)
		return
	}
	for i := range len(s) {
		r.WriteRune(rune(s[i]))
	}
}
