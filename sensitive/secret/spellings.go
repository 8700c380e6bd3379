package secret

import (
	"bytes"
	"encoding/hex"
	"sync"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// CompileForms returns a Set of all [Forms] of the secrets, which takes much
// less time and memory than to [Compile] them: a form is made when it may
// stand in a text. Beyond that, it finds secrets of several lines whose lines
// are indented otherwise, by up to 64 blanks. Pattern of a [Hit] is the position
// of the secret. It keeps the slices: they must not be changed afterwards.
func CompileForms(secrets [][]byte) *Set {
	x := newSpellings(secrets)
	parts := []part{{spellings: x}}
	return &Set{parts: func() []part { return parts }, size: len(secrets), longest: x.longest, quoted: x.quoted}
}

// spellings finds secrets in all their forms. Of each secret it has a stretch,
// a few bytes that no form escapes one by one, and looks for the anchors of
// what becomes of the stretch in each class of forms. Where one of them stands,
// the forms of its secret are made and compared.
type spellings struct {
	secrets   [][]byte
	stretches []int32 // where that of each secret begins, none without one
	stretched bool    // some secret has one
	kinds     []kind  // of each secret
	anchors   anchorTable

	longest, quoted int // lengths of forms, see Set

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
	outlines map[formsOf][]spelling // of what was made and is not kept
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
	numClasses   = int(base64Little) + 3
	classes      = 16 // is more
)

const (
	none = -1
	// stretchesTried is how many stretches of a secret are looked at to find
	// one whose samples are no other's.
	stretchesTried = 32
	// mostAlike is how many secrets may share a sample: so many are compared for each
	// byte of a text that is made of it.
	mostAlike = 8
)

func newSpellings(secrets [][]byte) *spellings {
	s := &spellings{
		secrets:   secrets,
		stretches: make([]int32, len(secrets)),
		kinds:     make([]kind, len(secrets)),
		base:      newBase(),
		made:      map[formsOf][]spelling{},
		outlines:  map[formsOf][]spelling{},
	}
	stride := longStride
	for i, secret := range secrets {
		t := traitsOf(secret)
		s.kinds[i] = t.kind()
		longest := t.longest(len(secret))
		s.longest = max(s.longest, longest)
		if t.quoted {
			s.quoted = max(s.quoted, longest)
		}
		if spanOf(shortStride) <= t.plain && t.plain < spanOf(longStride) {
			stride = shortStride
		}
	}
	s.anchors = newAnchorTable(len(secrets), stride)
	var patterns, lines [][]byte
	known := map[string]int{} // of lines
	var scratch samples
	for i, secret := range secrets {
		s.stretches[i] = s.add(uint32(i), secret, &scratch)
		if s.stretches[i] != none {
			s.stretched = true
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

// add notes the samples of a secret and returns where its stretch begins. It makes
// them in scratch.
func (s *spellings) add(number uint32, secret []byte, scratch *samples) int32 {
	if number >= mostNumbered {
		return none
	}
	size := spanOf(s.anchors.filter.stride)
	best, fewest, last := none, mostAlike, none
	for off, tried := 0, 0; tried < stretchesTried && fewest > 0; tried++ {
		if off = nextStretch(secret, off, size); off < 0 {
			break
		}
		scratch.of(secret, off, size)
		last = off
		if most := s.anchors.crowd(scratch); most < fewest {
			best, fewest = off, most
		}
		off += window
	}
	if best == none {
		return none
	}
	if best != last {
		scratch.of(secret, best, size)
	}
	s.anchors.add(number, scratch)
	return int32(best)
}

// nextStretch returns where the next stretch of so many bytes begins, from off on.
func nextStretch(secret []byte, off, size int) int {
	plain := 0
	for i := off; i < len(secret); i++ {
		if plain++; !isUnreservedByte(secret[i]) {
			plain = 0
		}
		if plain == size {
			return i + 1 - size
		}
	}
	return none
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
	filter, i := &s.anchors.filter, none
	if s.stretched {
		i = filter.meet(text, 0)
	}
	for ; i >= 0; i = filter.meet(text, i+filter.stride) {
		first, last := s.anchors.around(text, i)
		for ; first <= last; first++ {
			if !s.check(&v, first, yield) {
				return false
			}
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

// check yields the secrets one of whose samples stands at at, and reports whether
// more are wanted.
func (s *spellings) check(v *verifier, at int, yield func(Hit) bool) bool {
	sign, slot := s.anchors.locate(s.anchors.ends(v.text, at))
	for ; s.anchors.slots[slot] != 0; slot = s.anchors.next(slot) {
		number, c, ok := s.anchors.sampleAt(slot, sign)
		if !ok {
			continue
		}
		for i, f := range s.forms(v, number, c) {
			start := at - f.offset
			hit := Hit{start, start + f.size, int(number)}
			id := formID(number, c, i)
			if start >= 0 && hit.End <= len(v.text) && v.isFree(start, id) && v.stands(start, f, id) && !v.yield(hit, id, yield) {
				return false
			}
		}
		if c == plainClass && !s.checkIndented(v, number, at, int(s.stretches[number]), yield) {
			return false
		}
	}
	return true
}

// checkIndented is check for a secret of several lines of which what is at off may
// stand at at.
func (s *spellings) checkIndented(v *verifier, number uint32, at, off int, yield func(Hit) bool) bool {
	if s.kinds[number]&lined == 0 || v.budget < 0 {
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
	// longSecret is the length from which on a secret in lower case is made once, too.
	longSecret = 128
)

// forms returns the forms of a secret that has a stretch, those of a class. They
// are made once, since a text may be made of nothing but anchors, unless they are only
// the secret itself and what it is in lower case.
func (s *spellings) forms(v *verifier, number uint32, c class) []spelling {
	secret, off := s.secrets[number], int(s.stretches[number])
	if c == plainClass && len(secret) < longSecret && s.kinds[number]&reserved == 0 {
		// Few, and the most wanted: there is no other that is as long as the secret.
		v.few = append(v.few[:0], spelling{text: secret, offset: off, size: len(secret)})
		if bytes.ContainsFunc(secret, unicode.IsUpper) {
			v.few = append(v.few, spelling{text: bytes.ToLower(secret), offset: off, size: len(secret)})
		}
		return v.few
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

// forget keeps no more than outlines of what is made.
func (s *spellings) forget() {
	for key, forms := range s.made {
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
