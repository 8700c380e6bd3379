package secret

import (
	"bytes"
	"slices"
	"sync"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// compileForms returns a Set of all [Forms] of the secrets; see [CompileWritten]. It keeps the
// slices, which must not be changed afterwards.
func compileForms(secrets [][]byte, decodes bool) *Set {
	all := newSpellings(secrets)
	all.decodes = decodes
	parts := []part{{spellings: all}}
	return &Set{parts: func() []part { return parts }, size: len(secrets), longest: all.longest, quoted: all.quoted}
}

// CompileTexts is [CompileWritten] that also finds the secrets in texts that are written in a
// notation: bytes as numbers, quoted pieces, text before each line.
func CompileTexts(secrets []string) *Set { return compileTexts(secrets, true) }

// CompileWritten returns a Set of all [Forms] of the secrets. It takes much less time and
// memory than [Compile], because a form is generated only when it may occur in a text. It
// also finds all forms with escapes in them, in any languages and at least three inside each
// other, and secrets whose lines end in another way or are indented differently. Such a Hit
// consists of whole escapes; hits of one secret may then overlap. Pattern of a [Hit] is the
// position of the secret.
func CompileWritten(secrets []string) *Set { return compileTexts(secrets, false) }

func compileTexts(secrets []string, decodes bool) *Set {
	size := 0
	for _, s := range secrets {
		size += len(s)
	}
	texts, all := make([][]byte, len(secrets)), make([]byte, 0, size) // many small slices take more memory
	for i, s := range secrets {
		from := len(all)
		all = append(all, s...)
		texts[i] = all[from:len(all):len(all)]
	}
	return compileForms(texts, decodes)
}

// spellings finds secrets in all their forms. For each secret it chooses a stretch, a few
// bytes that no form escapes individually, and searches for the anchors of the stretch's
// spelling in each class of forms. Where an anchor matches, the forms of the secret are
// generated and compared.
type spellings struct {
	// texts are the secrets, and behind them those that end their lines, in another way.
	// variants maps the latter to their secrets.
	texts    [][]byte
	variants []int32
	// exact is the number of the texts before those with other characters than their secrets.
	exact int
	// decodes is set if notations are read.
	decodes bool
	// hexadecimal is set if a secret consists of hexadecimal digits.
	hexadecimal bool

	stretches []int32 // offset of each text's stretch, or none
	stretched bool    // some text has a stretch
	anchors   anchorTable
	bodies    map[uint32][]byte // of the secrets of several lines

	longest, quoted int // lengths of forms, see Set

	// rest finds the forms of texts without a stretch, which are generated at once; owners
	// maps them to their secrets. keys recognizes these forms where they are escaped.
	rest   *index
	owners []int32
	keys   keys

	prefixes prefixes // of samples and keys

	// dictionary finds the forms of the texts with a stretch.
	dictionary lazyDictionary

	// base is the base of the digests of outlines.
	base uint64

	mu       sync.Mutex
	made     map[formsOf][]spelling
	size     int                    // of made, in bytes
	outlines map[formsOf][]spelling // forms that were generated but are not kept
}

// formsOf identifies the forms of a secret that belong to a class.
type formsOf struct {
	secret uint32
	class  class
}

// spelling is a secret in one of its forms. offset is the position of the stretch, or of its sample
// if the stretch does not begin at a byte boundary of the spelling. An outline has a digest
// instead of a text.
type spelling struct {
	text   []byte
	offset int
	size   int
	digest uint64
}

// class is a group of forms that spell the stretch the same way, except for the case of
// letters and the base64 alphabet.
type class uint8

const (
	plainClass   class             = iota // the stretch unchanged, or in lower case
	base64Class                           // and the next two: one for each alignment
	hexClass     = base64Class + 3        // and the next four: one for each separator
	utf16Class   = hexClass + 5           // in both byte orders
	base64Little = utf16Class + 1         // and the next two; also in big endian
	numClasses   = int(base64Little) + 3
	classes      = 16 // rounded up to a power of two
)

const (
	none = -1
	// expansion is the number of bytes that a byte of a form takes in a text if it is
	// escaped twice, as in `\\u0041`, or on a short line of its own.
	expansion = 6
	// stretchesTried is the number of stretches of a secret examined to find one whose
	// samples are unique.
	stretchesTried = 32
	// mostPerSample is the maximum number of secrets that share a sample, and so of
	// comparisons for each byte of a text that repeats it.
	mostPerSample = 8
)

func newSpellings(secrets [][]byte) *spellings {
	s := &spellings{
		texts:    slices.Clip(secrets),
		bodies:   map[uint32][]byte{},
		base:     newBase(),
		made:     map[formsOf][]spelling{},
		outlines: map[formsOf][]spelling{},
	}
	stride := longStride
	var others []variant
	for i, secret := range secrets {
		t := traitsOf(secret)
		s.hexadecimal = s.hexadecimal || isHexadecimal(secret)
		for _, text := range otherSpellings(secret) {
			others = append(others, variant{text, int32(i)})
		}
		longest := t.longest(len(secret))
		s.longest = max(s.longest, expansion*longest)
		if t.quoted && t.lines == 0 {
			s.quoted = max(s.quoted, longest)
		}
		if spanOf(shortStride) <= t.plain && t.plain < spanOf(longStride) {
			stride = shortStride
		}
		if t.lines > 0 {
			s.bodies[uint32(i)] = body(secret)
			for _, text := range withLineEnds(secret) {
				s.texts, s.variants = append(s.texts, text), append(s.variants, int32(i))
			}
		}
	}
	s.exact = len(s.texts)
	for _, v := range others {
		if traitsOf(v.text).lines > 0 {
			s.bodies[uint32(len(s.texts))] = body(v.text)
		}
		s.texts, s.variants = append(s.texts, v.text), append(s.variants, v.secret)
	}
	s.anchors = newAnchorTable(len(s.texts), stride)
	s.prefixes = newPrefixes(len(s.texts))
	s.stretches = make([]int32, len(s.texts))
	var patterns [][]byte
	var scratch samples
	for i, text := range s.texts {
		s.stretches[i] = s.add(uint32(i), text, &scratch)
		if s.stretches[i] != none {
			s.stretched = true
			continue
		}
		for _, form := range Forms(text) {
			patterns = append(patterns, form)
			s.owners = append(s.owners, int32(s.owner(uint32(i))))
		}
		s.keys.addSecret(text, s.owner(uint32(i)))
	}
	s.rest = newIndex(patterns)
	for of := range s.keys.of {
		s.prefixes.add(uint64(of))
	}
	s.keys.finish()
	return s
}

// owner returns the number of the secret that a text spells.
func (s *spellings) owner(text uint32) int {
	if secrets := len(s.texts) - len(s.variants); int(text) >= secrets {
		return int(s.variants[int(text)-secrets])
	}
	return int(text)
}

// add adds the samples of a secret and returns the offset of its stretch. It uses scratch
// as memory.
func (s *spellings) add(number uint32, secret []byte, scratch *samples) int32 {
	if number >= mostNumbered {
		return none
	}
	size := spanOf(s.anchors.filter.stride)
	best, fewest, last := none, mostPerSample, none
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
	for i := range scratch.n {
		s.prefixes.add(scratch.list[i].lo)
	}
	return int32(best)
}

// nextStretch returns the offset of the next stretch of size bytes, from off on, or none.
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

// utf16Len returns the number of UTF-16 units of a text, or none if it is not UTF-8.
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

// find yields the hits, with patterns numbered starting at from, and reports whether to
// continue. inJSON is set if the text is a document in JSON.
func (s *spellings) find(text []byte, from int, inJSON bool, yield func(Hit) bool) bool {
	numbered := yield
	if from > 0 {
		numbered = func(h Hit) bool {
			h.Pattern += from
			return yield(h)
		}
	}
	return s.findWritten(text, inJSON, numbered) && (!s.decodes || s.findDecoded(text, inJSON, numbered))
}

// findWritten is find for secrets whose characters follow each other in the text.
func (s *spellings) findWritten(text []byte, inJSON bool, yield func(Hit) bool) bool {
	first := none // position of the first sample
	if s.stretched {
		first = s.anchors.filter.meet(text, 0)
	}
	if !s.findPlain(text, first, 0, yield) {
		return false
	}
	if first < 0 && nextSpecial(text, 0, inJSON) < 0 && !s.keys.occur(text) {
		return true // nothing is hidden
	}
	for _, hit := range s.hidden(text, inJSON) {
		if !yield(hit) {
			return false
		}
	}
	return true
}

// findPlain is find for the forms as they are. The first sample may be at a position, which is none in
// most texts.
func (s *spellings) findPlain(text []byte, first, from int, yield func(Hit) bool) bool {
	if len(s.texts) == 0 {
		return true
	}
	if first >= 0 {
		v := verifier{text: text, from: from, base: s.base}
		if !s.search(&v, first, yield) {
			return false
		}
	}
	return s.rest.find(text, 0, func(h Hit) bool {
		h.Pattern = from + int(s.owners[h.Pattern])
		return yield(h)
	})
}

// search is find for the secrets with a stretch. The first sample may be at position i.
func (s *spellings) search(v *verifier, i int, yield func(Hit) bool) bool {
	filter := &s.anchors.filter
	for ; i >= 0; i = filter.meet(v.text, i) {
		first, last := s.anchors.around(v.text, i)
		for ; first <= last; first++ {
			if !s.check(v, first, yield) {
				return false
			}
		}
		if !v.exhausted(i) {
			i += filter.stride
			continue
		}
		var more bool
		if i, more = v.search(s.dictionary.get(s.newDictionary), i, s.longest, yield); !more {
			return false
		}
	}
	return true
}

func (s *spellings) newDictionary() *dictionary {
	return newDictionary(s.base, func(yield func(int32, []byte) bool) {
		for i, text := range s.texts {
			if s.stretches[i] == none {
				continue
			}
			for _, form := range Forms(text) {
				if !yield(int32(s.owner(uint32(i))), form) {
					return
				}
			}
		}
	})
}

// check yields the secrets that have a sample at position at and reports whether to
// continue.
func (s *spellings) check(v *verifier, at int, yield func(Hit) bool) bool {
	sign, slot := s.anchors.locate(s.anchors.ends(v.text, at))
	for ; s.anchors.slots[slot] != 0; slot = s.anchors.next(slot) {
		number, c, ok := s.anchors.sampleAt(slot, sign)
		if !ok {
			continue
		}
		for i, f := range s.forms(v, number, c) {
			v.work += workPerPattern
			start := at - f.offset
			hit := Hit{start, start + f.size, s.owner(number)}
			id := formID(number, c, i)
			if start >= 0 && hit.End <= len(v.text) && v.isFree(start, id) && v.stands(start, f) && !v.yield(hit, id, yield) {
				return false
			}
		}
	}
	return true
}

// mostForms exceeds the number of forms of a class.
const mostForms = 64

// formID returns a number for a form.
func formID(number uint32, c class, form int) int {
	return (int(number)*classes+int(c))*mostForms + form
}

// stands reports whether a form occurs at start. For an outline, the digest alone
// decides, because comparing would require generating the form again: for 2 MB, one match
// in 2^40 is false, and none is missed.
func (v *verifier) stands(start int, f spelling) bool {
	if f.text == nil {
		return v.digest().of(start, start+f.size) == f.digest
	}
	return v.equal(start, f.text)
}

const (
	// mostMade is the maximum number of bytes of forms that are kept.
	mostMade = 8 << 20
	// besideText is the approximate memory that a form takes beside its text.
	besideText = 64
	// longSecret is the length in bytes from which the lower-case form is cached, too.
	longSecret = 128
)

// forms returns the forms of a class of a secret that has a stretch. They are cached,
// because a text may consist of anchors only, except if they are just the secret and its
// lower-case form.
func (s *spellings) forms(v *verifier, number uint32, c class) []spelling {
	secret, off := s.texts[number], int(s.stretches[number])
	if c == plainClass && len(secret) < longSecret {
		// The most frequent case: at most two forms.
		v.few = v.few[:0]
		add := func(text []byte, offset int) {
			v.few = append(v.few, spelling{text: text, offset: offset, size: len(text)})
		}
		if bytes.ContainsFunc(secret, hasLower) {
			plainSpellings(secret, off, add)
		} else {
			add(secret, off)
		}
		return v.few
	}
	return s.cached(number, c)
}

// hasLower reports whether a letter may be another one in lower case. A byte that is no
// character is.
func hasLower(r rune) bool { return r == utf8.RuneError || unicode.ToLower(r) != r }

// cached returns the forms of a class of a secret that has a stretch, or their outlines.
func (s *spellings) cached(number uint32, c class) []spelling {
	secret, off := s.texts[number], int(s.stretches[number])
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

// forget replaces the cached forms by their outlines.
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

// spellingsOf generates the forms of a class of a secret whose stretch begins at off. The
// offset of a form is the length of the encoded text before the stretch.
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
	if i := int(c - hexClass); i >= 0 && i < len(hexSeparators) {
		for _, text := range hexForms(secret, hexSeparators[i]) {
			add(text, hexSeparators[i].position(off))
		}
		return all
	}
	units := utf16Len(secret[:off])
	if units < 0 || !utf8.Valid(secret) {
		return all
	}
	little, big := utf16Bytes(secret)
	if c == utf16Class {
		add(little, 2*units)
		add(big, 2*units+1) // the same sample follows the zero before the first character
		return all
	}
	// The digits of a character are the same in both byte orders, one byte later.
	base64Spellings(int(c-base64Little), little, 2*units, add)
	base64Spellings((int(c-base64Little)+2)%3, big, 2*units+1, add)
	return all
}

// plainSpellings adds the forms that spell the stretch unchanged or in lower case.
func plainSpellings(secret []byte, off int, add func(text []byte, offset int)) {
	add(secret, off)
	if len(secret) > MaxForms {
		return
	}
	if lower := bytes.ToLower(secret); !bytes.Equal(lower, secret) {
		add(lower, len(bytes.ToLower(secret[:off])))
	}
}

// wordings calls yield with the forms of a class of a text that has a stretch, and the
// position of the sample in each.
func (s *spellings) wordings(number uint32, c class, yield func(w *wording, position int)) {
	text, off := s.texts[number], int(s.stretches[number])
	switch {
	case c == plainClass && s.owner(number) != int(number) && int(number) < s.exact: // spelled as its secret
	case c == plainClass:
		if b, ok := s.bodies[number]; ok {
			text, off = b, len(body(text[:off]))
		}
		yield(&wording{text, inLines}, off)
		if lower := bytes.ToLower(text); len(text) <= MaxForms && !bytes.Equal(lower, text) {
			yield(&wording{lower, inLines}, len(bytes.ToLower(text[:off])))
		}
	case hexClass <= c && c < utf16Class:
		if len(text) <= MaxForms {
			yield(&wording{hexForms(text, together)[0], inBytes}, 2*off)
		}
	default:
		kind := inDigits
		if c == utf16Class {
			kind = exactly
		}
		forms := s.cached(number, c)
		if len(forms) > 0 && forms[0].text == nil {
			forms = spellingsOf(text, off, c)
		}
		for _, f := range forms {
			yield(&wording{f.text, kind}, f.offset)
		}
	}
}

// base64Spellings adds the base64 forms, in both alphabets, of a text that follows before
// bytes in its group.
func base64Spellings(before int, text []byte, position int, add func(text []byte, offset int)) {
	group := (before + position + 2) / 3
	for _, digits := range base64FormsAt(before, text) {
		add(digits, 4*group-firstDigit(before))
	}
}
