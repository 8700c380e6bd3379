package secret

import (
	"encoding/binary"
	"unicode/utf8"
)

// sample holds the first sixteen bytes, in little endian, of the spelling of a stretch in
// one class. Only as many bytes as the stretch has are significant.
type sample struct {
	lo, hi uint64
	class  class
}

// samples are the samples of one stretch.
type samples struct {
	list [numClasses]sample
	n    int
}

// of makes the samples of the stretch of size bytes at off. It computes eight bytes at
// once: going byte by byte took most of the compile time.
func (l *samples) of(secret []byte, off, size int) {
	var b [2 * window]byte
	copy(b[:], secret[off:off+size])
	l.n = 0
	lo, hi := binary.LittleEndian.Uint64(b[:]), binary.LittleEndian.Uint64(b[window:])
	l.add(plainClass, lo, hi)
	for before := range 3 {
		skip := toGroup(before + off)
		six, next := binary.BigEndian.Uint64(b[skip:])>>16, binary.BigEndian.Uint64(b[skip+6:])>>16
		l.add(base64Class+class(before), base64Digits(six), base64Digits(next))
	}
	if len(secret) > MaxForms {
		return
	}
	four, next := spread(uint32(lo)), spread(uint32(lo>>32)) // all remaining samples derive from these eight bytes
	digits, more := hexDigits(four), hexDigits(next)
	l.add(hexClass, digits, more)
	l.add(hexClass+1, separatedLow(digits)|':'*lowSeparators, separatedHigh(digits, more)|':'*highSeparators)
	l.add(hexClass+2, separatedLow(digits)|' '*lowSeparators, separatedHigh(digits, more)|' '*highSeparators)
	groups := [...]sample{grouped(digits, more, 4), grouped(digits, more, 2)}
	l.add(hexClass+3+class(off%2), groups[0].lo, groups[0].hi)
	l.add(hexClass+4-class(off%2), groups[1].lo, groups[1].hi)
	units := utf16Len(secret[:off])
	if units < 0 || !utf8.Valid(secret[off:]) {
		return
	}
	l.add(utf16Class, four, next)
	for before := range 3 {
		skip := toGroup(before + 2*units)
		six, next := utf16Group(b[(skip+1)/2:]), utf16Group(b[(skip+1)/2+3:])
		if skip == 1 { // begins with the second byte of the previous unit
			six, next = six>>8, next>>8
		}
		l.add(base64Little+class(before), base64Digits(six), base64Digits(next))
	}
}

func (l *samples) add(c class, lo, hi uint64) {
	l.list[l.n] = sample{fold(lo), fold(hi), c}
	l.n++
}

// last returns the last anchor of the sample.
func (s *sample) last(stride int) uint64 {
	bits := 8 * (stride - 1)
	return s.lo>>bits | s.hi<<(64-bits)
}

// toGroup returns the number of bytes from a position in base64 input to the next group
// of three.
func toGroup(position int) int { return (3 - position%3) % 3 }

// spread inserts a zero after each byte.
func spread(four uint32) uint64 {
	w := uint64(four)
	w = (w | w<<16) & 0x0000ffff0000ffff
	return (w | w<<8) & 0x00ff00ff00ff00ff
}

// hexDigits returns the hexadecimal digits of four spread bytes.
func hexDigits(four uint64) uint64 {
	n := (four>>4 | four<<8) & (0x0f * ones)
	letters := (n + 6*ones) >> 4 & ones
	return n + '0'*ones + letters*('a'-'0'-10)
}

// ones multiplied by a byte repeats it in all eight positions.
const ones = 0x0101010101010101

// separatedLow and separatedHigh return the first and the last eight bytes of the given
// digits with a separator behind each two, which is zero.
func separatedLow(digits uint64) uint64 {
	return digits&0xffff | digits>>16&0xffff<<24 | digits>>32&0xffff<<48
}

func separatedHigh(digits, more uint64) uint64 {
	return digits>>48<<8 | more&0xffff<<32 | more>>16<<56
}

// grouped returns sixteen digits with a blank behind the first ones and behind each four
// others, as far as they fit.
func grouped(digits, more uint64, first int) (s sample) {
	var in, out [2 * window]byte
	binary.LittleEndian.PutUint64(in[:], digits)
	binary.LittleEndian.PutUint64(in[window:], more)
	for from, to := 0, 0; to < len(out); to++ {
		if to%5 == first {
			out[to] = ' '
			continue
		}
		out[to] = in[from]
		from++
	}
	return sample{lo: binary.LittleEndian.Uint64(out[:]), hi: binary.LittleEndian.Uint64(out[window:])}
}

// The positions of the separators.
const (
	lowSeparators  = 0x0000010000010000
	highSeparators = 0x0001000001000001
)

// utf16Group returns three ASCII characters in UTF-16: six bytes, in big endian.
func utf16Group(b []byte) uint64 {
	return uint64(b[0])<<40 | uint64(b[1])<<24 | uint64(b[2])<<8
}

// base64Digits returns the eight digits of six bytes in big endian. None is one of the
// two digits in which the alphabets differ: unreserved ASCII characters never encode to
// them.
func base64Digits(six uint64) uint64 {
	n := six>>24 | six<<32&(0xffffff<<32)
	n = n>>12&0x00000fff00000fff | n&0x00000fff00000fff<<16
	n = n>>6&0x003f003f003f003f | n&0x003f003f003f003f<<8
	lower, digit := (n+(128-26)*ones)>>7&ones, (n+(128-52)*ones)>>7&ones
	return n + 'A'*ones + lower*('a'-'A'-26) - digit*('a'-26-'0'+52)
}
