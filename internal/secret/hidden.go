package secret

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/pcatdev/pcat/internal/unescape"
)

// leastJoined is the length in bytes from which a secret is searched for across line
// breaks. The end of a line and the beginning of the next may spell a shorter one by
// chance. Encoded secrets are always searched for.
const leastJoined = 16

// hunt finds secrets that escapes or line breaks hide in a text. Most of a copy is usually
// not escaped. So a hunt first finds a few bytes of a secret, in the text as it is or read
// through escapes, and then traces the secret from there in both directions.
type hunt struct {
	tracer
	s     *spellings
	whole bool // the text has no escapes and line breaks: only separated digits are traced
	hits  []Hit
	found map[Hit]bool
	made  map[formsOf][]located // the wordings of the text that was traced last
	size  int                   // of made, in bytes
	path  [longestPath]byte     // what was read
	seen  map[step]bool         // steps from the same start
	walks int                   // from all starts
	most  int                   // the number of walks after which no other way to read is tried from the same start
}

// step is a position in the text where a few bytes were read.
type step struct {
	at, read, leftOut int
	path              [longestPath]byte
}

const (
	// longestPath is the maximum number of bytes that are read to recognize a secret.
	longestPath = 2*window + unescape.LongestText
	// tracesPerByte and tracesAtFirst bound the work for a text that was crafted so that
	// much of a secret is at many positions.
	tracesPerByte = 32
	tracesAtFirst = 1 << 14
	// walksFromStart, walksPerByte and walksAtFirst bound the ways to read a text of which each escape can be read in several
	// ways, from a position, and of all of it: `\060\202` in bytes of several languages.
	walksFromStart = 1 << 16
	walksPerByte   = 64
	walksAtFirst   = 1 << 22
)

// located is a wording and the position of the sample in it.
type located struct {
	wording
	position int
}

// mostKept is the maximum size in bytes of the wordings that a hunt keeps.
const mostKept = 4 << 20

// hunts are reused, because they take much memory.
var hunts = sync.Pool{New: func() any { return new(hunt) }}

// hidden returns the hits in a text that are escaped, or broken into lines.
func (s *spellings) hidden(text []byte, inJSON bool) []Hit {
	if len(text) < MinLen || len(s.texts) == 0 {
		return nil
	}
	h, _ := hunts.Get().(*hunt)
	defer hunts.Put(h)
	return h.in(s, text, inJSON)
}

// in returns the hits of s in a text.
func (h *hunt) in(s *spellings, text []byte, inJSON bool) []Hit {
	h.s, h.hits = s, nil
	h.read(text, inJSON)
	if len(h.found) > 0 {
		clear(h.found)
	}
	if len(h.made) > 0 {
		clear(h.made)
	}
	h.size, h.walks = 0, 0
	first := h.special(nextSpecial(text, 0, inJSON))
	h.whole = first < 0
	h.plain()
	if !h.whole {
		h.escaped(first)
	}
	return h.hits
}

// isSpecial are the bytes with which escapes and line breaks may begin.
var isSpecial = [256]bool{
	'\\': true, '%': true, '&': true, '=': true, '+': true, '\'': true, '"': true, '$': true, '`': true, '^': true, '\n': true, '\r': true,
}

// isSpecialInJSON is isSpecial for a document in JSON: quotes and line breaks are around its strings, and strings with
// backslashes are searched without their escapes.
var isSpecialInJSON = [256]bool{'%': true, '&': true, '=': true, '+': true, '\'': true, '$': true, '`': true, '^': true}

// nextSpecial returns the position of the next special byte or wide gap, from i on, or none.
func nextSpecial(text []byte, i int, inJSON bool) int {
	is := &isSpecial
	if inJSON {
		is = &isSpecialInJSON
	}
	for ; i < len(text); i++ {
		if is[text[i]] || text[i] == ' ' && isWideGap(text, i) {
			return i
		}
	}
	return none
}

// isWideGap reports whether there are two blanks between hexadecimal digits, as in the middle
// of a fingerprint that gpg prints.
func isWideGap(text []byte, i int) bool {
	return 0 < i && i+2 < len(text) && text[i+1] == ' ' && isHexDigit(text[i-1]) && isHexDigit(text[i+2])
}

func isHexDigit(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f' }

// special returns the first position, from a special byte on, where an escape or a line break
// begins, or none.
func (h *hunt) special(from int) int {
	for i := from; i >= 0; i = nextSpecial(h.text, i+1, h.inJSON) {
		if isBreak(h.text[i]) || h.text[i] == ' ' || h.Begins(i) && len(h.At(i)) > 0 {
			return i
		}
	}
	return none
}

// plain traces the secrets that can be recognized in the text as it is.
func (h *hunt) plain() {
	if h.s.stretched {
		f := &h.s.anchors.filter
		for i := f.meet(h.text, 0); i >= 0; i = f.meet(h.text, i) {
			for first, last := h.s.anchors.around(h.text, i); first <= last; first++ {
				h.sample(h.text, first, first)
			}
			i += f.stride
		}
	}
	if len(h.s.keys.list) > 0 {
		h.keyed()
	}
}

// keyed traces the secrets with a key in the text as it is.
func (h *hunt) keyed() {
	text, keys := h.text, &h.s.keys
	i := 0
	for ; i+2*keyLen <= len(text); i += keysAtOnce {
		if !keys.mayHaveOneOf(binary.LittleEndian.Uint64(text[i:]) | 0x20*ones) {
			continue
		}
		for k := range keysAtOnce {
			if key := keyOf(text[i+k:]); keys.mayHave(key) {
				h.key(key, i+k)
			}
		}
	}
	for ; i+keyLen <= len(text); i++ {
		if key := keyOf(text[i:]); keys.mayHave(key) {
			h.key(key, i)
		}
	}
}

// sample traces the secrets with the sample at a position of what was read, which is spelled
// from start on.
func (h *hunt) sample(read []byte, position, start int) {
	anchors := &h.s.anchors
	sign, slot := anchors.locate(anchors.ends(read, position))
	for ; anchors.slots[slot] != 0; slot = anchors.next(slot) {
		number, c, ok := anchors.sampleAt(slot, sign)
		if !ok {
			continue
		}
		if h.whole && (c < hexClass || utf16Class <= c) {
			continue
		}
		list := h.wordings(number, c)
		for k := range list {
			h.try(&list[k].wording, list[k].position, start, h.s.owner(number))
		}
	}
}

// wordings returns the wordings of a class of a text, which it keeps while the same text is
// searched.
func (h *hunt) wordings(number uint32, c class) []located {
	key := formsOf{number, c}
	if list, ok := h.made[key]; ok {
		return list
	}
	if h.size > mostKept {
		clear(h.made)
		h.size = 0
	}
	if h.made == nil {
		h.made = map[formsOf][]located{}
	}
	var list []located
	h.s.wordings(number, c, func(w *wording, position int) {
		list = append(list, located{*w, position})
		h.size += len(w.text)
		h.work += len(w.text) / 8
	})
	h.made[key] = list
	return list
}

// key traces the secrets with a key, which is spelled from start on.
func (h *hunt) key(key uint32, start int) {
	for _, k := range h.s.keys.of[key] {
		p := &h.s.keys.list[k]
		if h.whole && h.s.keys.wordings[p.wording].kind != inBytes {
			continue
		}
		h.try(&h.s.keys.wordings[p.wording], int(p.offset), start, int(p.secret))
	}
}

// try traces a wording of which the character at an offset is spelled from start on.
func (h *hunt) try(w *wording, offset, start, secret int) {
	if h.work > tracesPerByte*len(h.text)+tracesAtFirst {
		return
	}
	hit, ok := h.trace(w, offset, start)
	if hit.Pattern = secret; !ok || h.found[hit] {
		return
	}
	if h.found == nil {
		h.found = map[Hit]bool{}
	}
	h.found[hit] = true
	h.hits = append(h.hits, hit)
}

// escaped traces the secrets that can be recognized only if escapes are read, or line breaks
// left out, of which the first may be at a position.
func (h *hunt) escaped(first int) {
	width := keyLen
	if h.s.stretched {
		width = spanOf(h.s.anchors.filter.stride)
	}
	next := 0
	for i := first; i >= 0; i = nextSpecial(h.text, i+1, h.inJSON) {
		if isBreak(h.text[i]) {
			if !h.joins(i) {
				continue
			}
		} else if h.text[i] != ' ' && !h.Begins(i) || len(h.At(i)) == 0 {
			continue
		}
		for start := max(next, i-width+1); start <= i; start++ {
			if isSpecial[h.text[start]] && !h.s.keys.special && start < i {
				continue // begins no other path
			}
			if width > keyLen && start+window <= i && len(h.s.keys.list) == 0 && !h.s.anchors.filter.mayHave(h.text, start) {
				continue
			}
			if len(h.seen) > 0 {
				clear(h.seen)
			}
			h.most = min(h.walks+walksFromStart, walksPerByte*len(h.text)+walksAtFirst)
			h.walk(start, start, 0, 0, false)
		}
		next = i + 1
	}
}

// joins reports whether a line break is between digits.
func (h *hunt) joins(i int) bool {
	before := i
	for before > max(0, i-longestGap) && (isBlank(h.text[before-1]) || h.text[before-1] == '\r') {
		before--
	}
	if before == 0 || !isDigit(h.text[before-1]) && len(h.s.keys.gaps) == 0 {
		return false
	}
	end := h.gap(i)
	return end > i && len(h.s.keys.gaps) > 0 || end > i && end < len(h.text) && (isDigit(h.text[end]) || isSpecial[h.text[end]])
}

// longestGap is the maximum number of blanks and line breaks, also escaped ones, that are left
// out together: a line break and an indentation.
const longestGap = 72

// gap returns the end of the blanks and line breaks at a position, or the position if there
// is no line break among them or too many follow each other.
func (h *hunt) gap(i int) int {
	end, broken := i, false
	for n := 0; end < len(h.text); n++ {
		c, next := h.text[end], end+1
		if unescape.IsIntroducer(c) {
			for _, r := range h.At(end) {
				if t := r.Text(); len(t) == 1 && (isBreak(t[0]) || isBlank(t[0]) && (broken || c != '+')) {
					c, next = t[0], r.End
					break
				}
			}
		}
		if !isBlank(c) && !isBreak(c) {
			break
		}
		if n == longestGap {
			return i
		}
		broken = broken || isBreak(c)
		end = next
	}
	if !broken {
		return i
	}
	return end
}

// walk reads on at position i, where n bytes were read from start on, with an escape or a
// line break among them if it is hidden. It looks up each way to read it. leftOut is the
// number of line breaks right before i that were left out.
func (h *hunt) walk(start, i, n, leftOut int, hidden bool) {
	if h.walks++; h.walks > h.most {
		return
	}
	for {
		if n >= window && n < longestPath && h.s.stretched {
			if !h.s.anchors.filter.mayHave(h.path[:], 0) {
				return
			}
			if n >= spanOf(h.s.anchors.filter.stride) {
				if hidden {
					h.sample(h.path[:], 0, start)
				}
				return
			}
		} else if n >= keyLen && !h.s.stretched {
			return
		}
		if i >= len(h.text) || !h.s.prefixes.mayHave(h.path[:n]) {
			return
		}
		c := h.text[i]
		if h.isClosed(c) {
			return
		}
		if isSpecial[c] || isBlank(c) {
			if hidden && h.was(i, n, leftOut) {
				return
			}
			h.branch(start, i, n, leftOut)
			if !h.s.keys.special && unescape.IsIntroducer(c) {
				return
			}
		}
		h.path[n] = c
		n, i, leftOut = n+1, i+1, 0
		h.lookUp(start, n-1, n, hidden)
	}
}

// was reports whether the same bytes were read up to position i before, in another way.
func (h *hunt) was(i, n, leftOut int) bool {
	s := step{at: i, read: n, leftOut: leftOut}
	copy(s.path[:], h.path[:n])
	if h.seen[s] {
		return true
	}
	if h.seen == nil {
		h.seen = map[step]bool{}
	}
	h.seen[s] = true
	return false
}

// branch reads the escapes at position i, and leaves out a line break.
func (h *hunt) branch(start, i, n, leftOut int) {
	if leftOut < unescape.MostBreaks {
		h.skip(start, i, n, leftOut+1)
	}
	if !unescape.IsIntroducer(h.text[i]) {
		return
	}
	list := h.At(i)
	for k := range list {
		text, end := list[k].Text(), list[k].End
		if len(text) == 0 {
			if n > 0 && leftOut < unescape.MostBreaks {
				h.space(start, end, n, leftOut+1)
				h.walk(start, end, n, leftOut+1, true)
			}
			continue
		}
		if len(text) == 1 && unescape.IsIntroducer(text[0]) && !h.s.keys.special {
			continue
		}
		more := n + copy(h.path[n:], text)
		h.lookUp(start, n, more, true)
		h.walk(start, end, more, 0, true)
	}
}

// skip leaves out the line break at position i, or reads it as a blank or another line break.
func (h *hunt) skip(start, i, n, leftOut int) {
	gaps := h.s.keys.gaps
	if len(gaps) == 0 && (n == 0 || !isDigit(h.path[n-1])) {
		return
	}
	end := h.gap(i)
	switch {
	case end > i && n > 0:
		h.walk(start, end, n, leftOut, true)
	case end == i && h.text[i] == ' ' && isWideGap(h.text, i):
		end = i + 2
	}
	if end == i {
		return
	}
	for _, c := range gaps {
		h.path[n] = c
		h.lookUp(start, n, n+1, true)
		h.walk(start, end, n+1, leftOut, true)
	}
	if len(gaps) == 0 {
		h.space(start, end, n, leftOut)
	}
}

// space reads a blank before position i if the bytes so far may be separated digits.
func (h *hunt) space(start, i, n, leftOut int) {
	if isSeparated(h.path[:n]) {
		h.path[n] = ' '
		h.walk(start, i, n+1, leftOut, true)
	}
}

// isSeparated reports whether what was read may be hexadecimal digits with blanks between them.
func isSeparated(read []byte) bool {
	n := len(read)
	if n < 3 {
		return isHexDigit(read[n-1])
	}
	return read[n-3] == ' ' || n >= 5 && read[n-5] == ' ' || n < 5 && isHexDigit(read[n-1])
}

// lookUp looks up the key that was read if it is complete only now.
func (h *hunt) lookUp(start, before, n int, hidden bool) {
	if before >= keyLen || n < keyLen || !hidden || len(h.s.keys.list) == 0 {
		return
	}
	if key := keyOf(h.path[:]); h.s.keys.mayHave(key) {
		h.key(key, start)
	}
}

// keyLen is the number of bytes by which a secret without a stretch is recognized.
const keyLen = MinLen

// keys recognize the forms of secrets without a stretch.
type keys struct {
	filter   []uint64
	of       map[uint32][]int32 // positions in list
	list     []key
	wordings []wording
	special  bool   // some key has an introducer
	gaps     []byte // the blank and the line break, if some key has one
}

// key is the position of a key in a wording.
type key struct {
	wording, secret, offset int32
}

// keyOf returns the key at the beginning of text, regardless of case.
func keyOf(text []byte) uint32 { return binary.LittleEndian.Uint32(text) | 0x20202020 }

func bitOf(key uint32) uint64 { return uint64(key) * 0x9e3779b97f4a7c15 >> 32 }

// mayHave reports whether there may be a key. False is certain.
func (k *keys) mayHave(key uint32) bool {
	bit := bitOf(key) & uint64(64*len(k.filter)-1)
	return k.filter[bit/64]>>(bit%64)&1 != 0
}

// occur reports whether a key may be in a text as it is. False is certain.
func (k *keys) occur(text []byte) bool {
	if len(k.list) == 0 {
		return false
	}
	i := 0
	for ; i+2*keyLen <= len(text); i += keysAtOnce {
		if k.mayHaveOneOf(binary.LittleEndian.Uint64(text[i:]) | 0x20*ones) {
			return true
		}
	}
	for ; i+keyLen <= len(text); i++ {
		if k.mayHave(keyOf(text[i:])) {
			return true
		}
	}
	return false
}

// keysAtOnce is the number of positions whose keys are in eight bytes and are looked up together.
const keysAtOnce = 4

// mayHaveOneOf reports whether there may be a key at one of the first four of eight bytes, which are
// folded. False is certain.
func (k *keys) mayHaveOneOf(folded uint64) bool {
	filter, mask := k.filter, uint64(64*len(k.filter)-1)
	a, b, c, d := bitOf(uint32(folded))&mask, bitOf(uint32(folded>>8))&mask, bitOf(uint32(folded>>16))&mask, bitOf(uint32(folded>>24))&mask
	return (filter[a/64]>>(a%64)|filter[b/64]>>(b%64)|filter[c/64]>>(c%64)|filter[d/64]>>(d%64))&1 != 0
}

// add adds a wording of a secret, recognized by the bytes of spelled at an offset, which
// spell it from position on.
func (k *keys) add(spelled []byte, offset, position, secret int) {
	of := keyOf(spelled[offset:])
	k.special = k.special || slices.ContainsFunc(spelled[offset:offset+keyLen], unescape.IsIntroducer)
	for _, c := range []byte(" \n") {
		if bytes.IndexByte(k.gaps, c) < 0 && bytes.IndexByte(spelled[offset:offset+keyLen], c) >= 0 {
			k.gaps = append(k.gaps, c)
		}
	}
	k.of[of] = append(k.of[of], int32(len(k.list)))
	k.list = append(k.list, key{int32(len(k.wordings) - 1), int32(secret), int32(position)})
}

// addSecret adds the forms of a secret.
func (k *keys) addSecret(text []byte, secret int) {
	if k.of == nil {
		k.of = map[uint32][]int32{}
	}
	add := func(text []byte, kind wordingKind) {
		if len(text) < keyLen {
			return
		}
		k.wordings = append(k.wordings, wording{text, kind})
		offset := k.rarest(text)
		k.add(text, offset, offset, secret)
	}
	plain := body(text)
	add(plain, inLines)
	if key := plain[max(0, recognizable(plain, 0)):]; !bytes.Equal(plain, text) && slices.ContainsFunc(key[:min(keyLen, len(key))], isBreak) {
		add(text, exactly) // it is little but blanks and line breaks, which are not left out from a key
	}
	if len(text) > MaxForms {
		for _, digits := range base64Forms(text) {
			add(digits, inDigits)
		}
		return
	}
	lowered := bytes.ToLower(plain)
	if !bytes.Equal(lowered, plain) {
		add(lowered, inLines)
	}
	for _, digits := range base64Forms(text) {
		add(digits, inDigits)
	}
	if digits := hexForms(text, together)[0]; len(digits) >= 2*keyLen-2 {
		k.wordings = append(k.wordings, wording{digits, inBytes})
		k.add(digits, 0, 0, secret)
		k.add(digits, 2, 2, secret)
		for _, between := range hexSeparators[1:3] {
			k.add(hexForms(text[:2], between)[0], 0, 0, secret)
		}
	}
	if utf8.Valid(text) {
		little, big := utf16Bytes(text)
		add(little, exactly)
		add(big, exactly)
		for _, digits := range append(base64Forms(little), base64Forms(big)...) {
			add(digits, inDigits)
		}
	}
}

// finish completes the filter.
func (k *keys) finish() {
	if len(k.list) == 0 {
		return
	}
	k.filter = make([]uint64, 1<<max(6, bits.Len(uint(len(k.list)))-1))
	for of := range k.of {
		bit := bitOf(of) & uint64(64*len(k.filter)-1)
		k.filter[bit/64] |= 1 << (bit % 64)
	}
}

// keysTried is the maximum number of keys of a wording that are compared to choose the rarest.
const keysTried = 16

// rarest returns the offset of the key in a text that the fewest others have. So secrets that
// begin alike, such as numbered ones, are not all traced wherever one of them begins.
func (k *keys) rarest(text []byte) int {
	best, fewest := 0, none
	for offset, tried := recognizable(text, 0), 0; offset >= 0 && tried < keysTried && fewest != 0; tried++ {
		if n := len(k.of[keyOf(text[offset:])]); fewest == none || n < fewest {
			best, fewest = offset, n
		}
		_, size := utf8.DecodeRune(text[offset:])
		offset = recognizable(text, offset+size)
	}
	return best
}

// recognizable returns the offset of the next key in a text without blanks and the beginnings
// of escapes, from the beginning of a character on, or none.
func recognizable(text []byte, offset int) int {
	for offset+keyLen <= len(text) {
		key := text[offset : offset+keyLen]
		if !slices.ContainsFunc(key, func(c byte) bool { return isSpecial[c] || isBlank(c) }) {
			return offset
		}
		_, size := utf8.DecodeRune(text[offset:])
		offset += size
	}
	return none
}
