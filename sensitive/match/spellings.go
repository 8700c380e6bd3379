package match

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"math/bits"
	"math/rand/v2"
	"sync"
	"unicode/utf16"
	"unicode/utf8"
)

// CompileForms returns a Set of all [Forms] of the secrets, which takes much
// less time and memory than to [Compile] them: a form is made when it may
// stand in a text. Beyond that, it finds secrets of several lines whose lines
// are indented otherwise, by up to 64 blanks. Pattern of a [Hit] is the position
// of the secret. It keeps the slices: they must not be changed afterwards.
func CompileForms(secrets [][]byte) *Set {
	s := &Set{size: len(secrets)}
	for _, secret := range secrets {
		n := longestForm(secret)
		s.longest = max(s.longest, n)
		if mayQuote(secret) {
			s.quoted = max(s.quoted, n)
		}
	}
	parts := []part{{spellings: newSpellings(secrets)}}
	s.parts = func() []part { return parts }
	return s
}

// mayQuote reports whether a double quote may stand in a form of the secret: as
// one of its own, for an apostrophe in a shell, or as half of a character in
// UTF-16.
func mayQuote(secret []byte) bool {
	for _, c := range secret {
		if c == '"' || c == '\'' || c >= utf8.RuneSelf {
			return true
		}
	}
	return false
}

// longestForm returns a length that no form of the secret exceeds. What is not
// reserved takes three bytes at most; a control character in JSON in JSON takes
// seven.
func longestForm(secret []byte) int {
	reserved, lines := 0, 0
	for _, c := range secret {
		if !isUnreservedByte(c) {
			reserved++
		}
		if c == '\n' {
			lines++
		}
	}
	return max(3*len(secret), len(secret)+6*reserved, len(secret)+mostIndent*lines)
}

// spellings finds secrets in all their forms. Of each secret it has a stretch,
// a few bytes that no form escapes one by one, and looks for the anchors of
// what becomes of the stretch in each class of forms. Where one of them stands,
// the forms of its secret are made and compared.
type spellings struct {
	secrets   [][]byte
	stretches []int32 // where that of each secret begins, none without one
	several   []bool  // whether each secret has several lines
	anchors   anchorTable

	// rest finds the forms of secrets without a stretch, which are made at
	// once; owners tells whose they are.
	rest   *index
	owners []int32
	// lines finds a line of each of those that have several, which may be
	// indented otherwise; lineOf tells whose they are.
	lines  *index
	lineOf [][]lineOf

	// base is that of the digests of outlines.
	base uint64

	mu       sync.Mutex
	made     map[formsOf][]spelling
	size     int                    // of made, in bytes
	outlines map[formsOf][]spelling // of what was made and is not kept, when it is long
}

// formsOf are the forms of a secret that belong to a class.
type formsOf struct {
	secret uint32
	class  class
}

// spelling is a form of a secret. The stretch begins at offset, or, when it
// does not begin there with a whole byte, what anchors are taken of. An outline has
// no text, but its digest.
type spelling struct {
	text   []byte
	offset int
	size   int
	digest uint64
}

// class is a kind of forms that spell the stretch alike, but for the case of
// its letters and the alphabet of base64.
type class uint8

const (
	plainClass   class = iota // the stretch as it is, or in lower case
	base64Class               // and the next two: by what stands before
	hexClass     = base64Class + 3
	percentClass = base64Class + 4
	utf16Class   = base64Class + 5 // in both orders of bytes
	base64Little = base64Class + 6 // and the next two
)

const (
	none = -1
	// stretchLen is the number of bytes of which each class makes enough for
	// the anchors of a stride.
	stretchLen = window + stride - 1
	// stretchesTried is how many stretches of a secret are looked at to find
	// one whose anchors are no other's.
	stretchesTried = 32
	// crowd is how many secrets may share an anchor.
	crowd = 16
	// mostAnchors is how many one secret has: of each class, and of base64 in both
	// alphabets.
	mostAnchors = stride * int(base64Little+3+3)
)

func newSpellings(secrets [][]byte) *spellings {
	s := &spellings{
		secrets:   secrets,
		stretches: make([]int32, len(secrets)),
		several:   make([]bool, len(secrets)),
		anchors:   newAnchorTable(len(secrets)),
		base:      newBase(),
		made:      map[formsOf][]spelling{},
		outlines:  map[formsOf][]spelling{},
	}
	var patterns, lines [][]byte
	known := map[string]int{} // of lines
	var scratch [2]anchorList
	for i, secret := range secrets {
		s.several[i] = hasLines(secret)
		s.stretches[i] = s.add(uint32(i), secret, &scratch)
		if s.stretches[i] != none {
			continue
		}
		if line, off := longestLine(secret); len(line) >= MinLen {
			k, ok := known[string(line)]
			if !ok {
				k = len(lines)
				known[string(line)] = k
				lines, s.lineOf = append(lines, line), append(s.lineOf, nil)
			}
			s.lineOf[k] = append(s.lineOf[k], lineOf{uint32(i), off})
		}
		for _, form := range Forms(secret) {
			patterns = append(patterns, form)
			s.owners = append(s.owners, int32(i))
		}
	}
	s.rest, s.lines = newIndex(patterns), newIndex(lines)
	return s
}

// add notes the anchors of a secret and returns where its stretch begins. It makes
// them in scratch.
func (s *spellings) add(number uint32, secret []byte, scratch *[2]anchorList) int32 {
	if number >= mostNumbered {
		return none
	}
	list, found := &scratch[0], &scratch[1]
	best, fewest := none, crowd
	for off, tried := 0, 0; tried < stretchesTried && fewest > 0; tried++ {
		if off = nextStretch(secret, off); off < 0 {
			break
		}
		list.of(secret, off)
		if most := s.anchors.crowd(list); most < fewest {
			best, fewest = off, most
			list, found = found, list
		}
		off += window
	}
	if best != none {
		s.anchors.add(number, found)
	}
	return int32(best)
}

// nextStretch returns where the next stretch begins, from off on.
func nextStretch(secret []byte, off int) int {
	plain := 0
	for i := off; i < len(secret); i++ {
		if plain++; !isUnreservedByte(secret[i]) {
			plain = 0
		}
		if plain == stretchLen {
			return i + 1 - stretchLen
		}
	}
	return none
}

// anchorList is the anchors of one stretch: folded windows, and of each its class
// and which of the windows it is.
type anchorList struct {
	windows [mostAnchors]uint64
	places  [mostAnchors]uint8
	n       int
}

// of makes the list of the anchors of the stretch at off.
func (l *anchorList) of(secret []byte, off int) {
	l.n = 0
	var text [2 * stretchLen]byte
	stretch := secret[off : off+stretchLen]
	l.add(plainClass, stretch)
	for before := range 3 {
		l.base64(base64Class+class(before), stretch, before+off)
	}
	if len(secret) > MaxForms {
		return
	}
	for i, c := range stretch[:stretchLen/2+1] {
		text[2*i], text[2*i+1] = lowerDigits[c>>4], lowerDigits[c&15]
	}
	l.add(hexClass, text[:stretchLen+1])
	for i, c := range stretch[:stretchLen/3+1] {
		text[3*i], text[3*i+1], text[3*i+2] = '%', lowerDigits[c>>4], lowerDigits[c&15]
	}
	l.add(percentClass, text[:stretchLen+1])
	units := utf16Len(secret[:off])
	if units < 0 || !utf8.Valid(secret[off:]) {
		return
	}
	for i, c := range stretch {
		text[2*i], text[2*i+1] = c, 0
	}
	l.add(utf16Class, text[:])
	for before := range 3 {
		l.base64(base64Little+class(before), text[:], before+2*units)
	}
}

const lowerDigits = "0123456789abcdef"

// base64 adds the anchors of the base64 of a stretch that stands at a position
// in what is encoded, in each alphabet in which it is another text.
func (l *anchorList) base64(c class, stretch []byte, position int) {
	const groups = 3
	skip := (3 - position%3) % 3
	var digits [4 * groups]byte
	base64.RawStdEncoding.Encode(digits[:], stretch[skip:skip+3*groups])
	l.add(c, digits[:])
	other := false
	for i, digit := range digits[:stretchLen] {
		switch digit {
		case '+':
			digits[i], other = '-', true
		case '/':
			digits[i], other = '_', true
		}
	}
	if other {
		l.add(c, digits[:])
	}
}

// add adds the windows of text, the last one first: of several places of a
// pattern, the first is found first.
func (l *anchorList) add(c class, text []byte) {
	text = text[:stretchLen]
	for i := stride - 1; i >= 0; i-- {
		l.windows[l.n] = fold(binary.LittleEndian.Uint64(text[i:]))
		l.places[l.n] = uint8(c)*stride + uint8(i)
		l.n++
	}
}

// utf16Len returns the number of units of a text, and none when it is not
// UTF-8.
func utf16Len(text []byte) (n int) {
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if r == utf8.RuneError && size == 1 {
			return none
		}
		n += utf16.RuneLen(r)
		text = text[size:]
	}
	return n
}

// find yields the hits, whose patterns are numbered beginning with from, and
// reports whether more are wanted.
func (s *spellings) find(text []byte, from int, yield func(Hit) bool) bool {
	if len(s.secrets) == 0 {
		return true
	}
	v := verifier{text: text, from: from, base: s.base, budget: workPerByte * (len(text) + 1<<16)}
	for i := s.anchors.meet(text, 0); i >= 0; i = s.anchors.meet(text, i+stride) {
		if !s.check(&v, fold(binary.LittleEndian.Uint64(text[i:])), i, yield) {
			return false
		}
	}
	return s.rest.find(text, 0, func(h Hit) bool {
		h.Pattern = from + int(s.owners[h.Pattern])
		return yield(h)
	}) && s.lines.find(text, 0, func(h Hit) bool {
		for _, line := range s.lineOf[h.Pattern] {
			if v.budget < 0 {
				break // very many secrets share a line that stands very often
			}
			if !s.checkIndented(&v, line.secret, h.Start, line.off, yield) {
				return false
			}
		}
		return true
	})
}

// check yields the secrets one of whose anchors stands at at, and reports
// whether more are wanted.
func (s *spellings) check(v *verifier, w uint64, at int, yield func(Hit) bool) bool {
	sign, slot := s.anchors.locate(w)
	for ; s.anchors.slots[slot] != 0; slot = s.anchors.next(slot) {
		place, ok := s.anchors.placeAt(slot, sign)
		if !ok {
			continue
		}
		number := place / places
		c, first := class(place%places/stride), at-int(place%stride)
		for i, f := range s.forms(number, c) {
			start := first - f.offset
			hit := Hit{start, start + f.size, int(number)}
			id := formID(number, c, i)
			if start >= 0 && hit.End <= len(v.text) && v.isFree(start, id) && v.stands(start, f, id) && !v.yield(hit, id, yield) {
				return false
			}
		}
		if c == plainClass && !s.checkIndented(v, number, first, int(s.stretches[number]), yield) {
			return false
		}
	}
	return true
}

// checkIndented is check for a secret of several lines of which what is at off may
// stand at at.
func (s *spellings) checkIndented(v *verifier, number uint32, at, off int, yield func(Hit) bool) bool {
	if at < 0 || !s.several[number] || v.budget < 0 {
		return true
	}
	secret := s.secrets[number]
	start, end, ok := v.indented(at, secret, off)
	if !ok || bytes.Equal(v.text[start:end], secret) { // which was found as it is
		return true
	}
	id := formID(number, plainClass, mostForms-1)
	return !v.isFree(start, id) || v.yield(Hit{start, end, int(number)}, id, yield)
}

// mostForms is more than there are of one class.
const mostForms = 64

// formID returns a number for a form.
func formID(number uint32, c class, form int) int {
	const classes = 16
	return (int(number)*classes+int(c))*mostForms + form
}

// stands reports whether a form stands at start; id is that of the form only. Of an
// outline the digest decides alone, as the form would have to be made again: of 2 MB,
// one in 2^40 is found where it does not stand, and none is missed.
func (v *verifier) stands(start int, f spelling, id int) bool {
	if f.text == nil {
		return v.digest().of(start, start+f.size) == f.digest
	}
	return v.equalTo(start, f.text, id)
}

const (
	// mostMade is how many bytes of forms are kept.
	mostMade = 8 << 20
	// besideText is about what a form takes beside its text.
	besideText = 64
	// longSecret is the length from which on outlines of the forms of a secret take
	// less memory than it is worth to make them wherever an anchor stands: a text may
	// be made of nothing but anchors.
	longSecret = 128
)

// forms returns the forms of a secret that has a stretch, those of a class. Of a long
// one they are made once.
func (s *spellings) forms(number uint32, c class) []spelling {
	secret, off := s.secrets[number], int(s.stretches[number])
	if c == plainClass && len(secret) < longSecret && isUnreserved(secret) {
		return spellingsOf(secret, off, c) // few, and the most wanted
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	key := formsOf{number, c}
	if forms, ok := s.made[key]; ok {
		return forms
	}
	if forms, ok := s.outlines[key]; ok {
		return forms
	}
	forms, size := spellingsOf(secret, off, c), 0
	for _, f := range forms {
		size += f.size + besideText
	}
	if s.size+size > mostMade {
		s.forget()
	}
	s.made[key] = forms
	s.size += size
	return forms
}

// forget keeps outlines only of what is made of long secrets, and nothing of what is
// made of others.
func (s *spellings) forget() {
	for key, forms := range s.made {
		if len(s.secrets[key.secret]) < longSecret {
			continue
		}
		outlines := make([]spelling, len(forms))
		for i, f := range forms {
			outlines[i] = spelling{offset: f.offset, size: f.size, digest: digestOf(s.base, f.text)}
		}
		s.outlines[key] = outlines
	}
	clear(s.made)
	s.size = 0
}

// spellingsOf makes the forms of a class of a secret whose stretch begins at off.
// Before the stretch stands what becomes of what is before it.
func spellingsOf(secret []byte, off int, c class) (all []spelling) {
	add := func(text []byte, offset int) {
		for i := range all {
			if bytes.Equal(all[i].text, text) {
				return
			}
		}
		all = append(all, spelling{text: text, offset: offset, size: len(text)})
	}
	if c == plainClass {
		plainSpellings(secret, off, add)
		return all
	}
	if base64Class <= c && c < base64Class+3 {
		base64Spellings(int(c-base64Class), secret, off, add)
		return all
	}
	if len(secret) > MaxForms {
		return all
	}
	switch c {
	case hexClass:
		lower := hex.AppendEncode(nil, secret)
		add(lower, 2*off)
		add(bytes.ToUpper(lower), 2*off)
		return all
	case percentClass:
		for _, text := range allPercent(secret) {
			add(text, 3*off)
		}
		return all
	default:
	}
	units := utf16Len(secret[:off])
	if units < 0 || !utf8.Valid(secret) {
		return all
	}
	little, big := utf16Bytes(secret)
	if c == utf16Class {
		add(little, 2*units)
		add(big, 2*units+1) // behind the zero before the first character it is the same
		return all
	}
	base64Spellings(int(c-base64Little), little, 2*units, add)
	return all
}

// plainSpellings adds the forms that spell the stretch as it is, or in lower case.
func plainSpellings(secret []byte, off int, add func(text []byte, offset int)) {
	each := func(spell func([]byte) [][]byte) {
		before := spell(secret[:off])
		for i, text := range spell(secret) {
			add(text, len(before[i]))
		}
	}
	add(secret, off)
	reserved := !isUnreserved(secret)
	if reserved {
		each(jsonForms)
	}
	if len(secret) > MaxForms {
		return
	}
	if lower := bytes.ToLower(secret); !bytes.Equal(lower, secret) {
		add(lower, len(bytes.ToLower(secret[:off])))
	}
	if reserved {
		each(quotedForms)
		each(xmlForms)
		each(urlForms)
	}
}

// base64Spellings adds the forms in base64 of a text that has so many bytes before it in
// its group, in both alphabets.
func base64Spellings(before int, text []byte, position int, add func(text []byte, offset int)) {
	group := (before + position + 2) / 3
	for _, digits := range base64FormsAt(before, text) {
		add(digits, 4*group-firstDigit(before))
	}
}

// fold brings the letters of a window to one case: what is the same but for that
// has the same anchors. Of what a stretch becomes, nothing else turns into the same.
func fold(w uint64) uint64 { return w | 0x2020202020202020 }

// anchorTable holds the anchors of secrets, folded: each slot of slots, in as many
// bits as it needs, plus one, the secret with its place, and above that a sign of its
// window. It has an open addressing.
type anchorTable struct {
	spread uint64
	filter []uint64
	shift  uint // of the hash, for a word of filter
	slots  []uint32
	number uint32 // the bits of a slot that tell the place
}

const (
	// places is how many there are in a secret.
	places = 64
	// mostNumbered is how many secrets have numbers that fit into a slot and leave
	// some bits for the sign.
	mostNumbered = 1 << 22
	// filterPerSecret is how many bits of the filter there are for each secret. An
	// anchor takes two.
	filterPerSecret = 1024
	// slotsPerSecret leaves room beside all anchors that a secret may have: most have
	// some less.
	slotsPerSecret = mostAnchors * 3 / 2
)

func newAnchorTable(secrets int) anchorTable {
	secrets = min(secrets, mostNumbered)
	log := max(13, bits.Len(uint(filterPerSecret*secrets))-1)
	return anchorTable{
		spread: rand.Uint64() | 1, //nolint:gosec // guards time, no secret
		filter: make([]uint64, 1<<(log-6)),
		shift:  uint(64 - (log - 6)),
		slots:  make([]uint32, slotsPerSecret*secrets+1),
		number: 1<<bits.Len(uint(places*secrets)) - 1,
	}
}

// twoBits returns the bits of a hash in its word of the filter. The word is told
// by the highest bits.
func twoBits(hash uint64) uint64 {
	return 1<<(hash>>38&63) | 1<<(hash>>32&63)
}

// meet returns where in text, from i on and in strides, the next window stands
// that may be an anchor, none when there is none.
func (t *anchorTable) meet(text []byte, i int) int {
	if i+window > len(text) {
		return none
	}
	filter, spread, shift := t.filter, t.spread, t.shift&63
	// What is left is sliced, by what it is known to have, which takes less than to
	// slice text anew.
	for rest := text[i:]; len(rest) >= window; rest = rest[stride:] {
		hash := fold(binary.LittleEndian.Uint64(rest)) * spread
		if twoBits(hash)&^filter[hash>>shift] == 0 {
			return len(text) - len(rest)
		}
	}
	return none
}

// mayHave reports false when the table surely has no anchor with the window.
func (t *anchorTable) mayHave(w uint64) bool {
	hash := w * t.spread
	both := twoBits(hash)
	return t.filter[hash>>t.shift]&both == both
}

// locate returns the sign of a window and the slot from which on it is.
func (t *anchorTable) locate(w uint64) (sign uint32, slot int) {
	hi, lo := bits.Mul64(w^t.spread, t.spread)
	mixed := hi ^ lo
	return uint32(mixed) &^ t.number, int(mixed >> 32 * uint64(len(t.slots)) >> 32)
}

// placeAt returns the place that stands in a slot, unless its window has another
// sign.
func (t *anchorTable) placeAt(slot int, sign uint32) (place uint32, ok bool) {
	e := t.slots[slot]
	return e&t.number - 1, e&^t.number == sign
}

func (t *anchorTable) next(slot int) int {
	if slot++; slot == len(t.slots) {
		return 0
	}
	return slot
}

// crowd returns how many entries there are at most that have one of the
// anchors, up to [crowd].
func (t *anchorTable) crowd(l *anchorList) (most int) {
	for _, w := range l.windows[:l.n] {
		if !t.mayHave(w) {
			continue
		}
		n := 0
		sign, slot := t.locate(w)
		for ; t.slots[slot] != 0 && n < crowd; slot = t.next(slot) {
			if _, ok := t.placeAt(slot, sign); ok {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}

func (t *anchorTable) add(number uint32, l *anchorList) {
	for i, w := range l.windows[:l.n] {
		sign, slot := t.locate(w)
		for t.slots[slot] != 0 {
			slot = t.next(slot)
		}
		t.slots[slot] = sign | number*places + uint32(l.places[i]) + 1
		hash := w * t.spread
		t.filter[hash>>t.shift] |= twoBits(hash)
	}
}
