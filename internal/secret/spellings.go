package secret

import (
	"bytes"
	"sync"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/pcatdev/pcat/internal/unescape"
)

// CompileForms returns a Set of all [Forms] of the secrets. It takes much less time and
// memory than [Compile], because a form is generated only when it may occur in a text. It
// also finds secrets of several lines whose lines are indented differently, by up to 64
// blanks, and all forms with escapes or line breaks in them, up to three layers deep. Such
// a Hit consists of whole escapes; hits of one secret may then overlap. Pattern of a [Hit]
// is the position of the secret. CompileForms keeps the slices, which must not be changed
// afterwards.
func CompileForms(secrets [][]byte) *Set {
	parts := bySize(secrets)
	s := &Set{parts: func() []part { return parts }, size: len(secrets)}
	for _, p := range parts {
		s.longest, s.quoted = max(s.longest, p.spellings.longest), max(s.quoted, p.spellings.quoted)
	}
	return s
}

// CompileTexts is [CompileForms] for strings, which are copied.
func CompileTexts(secrets []string) *Set {
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
	return CompileForms(texts)
}

// long is the length in bytes from which a secret is long. The views of a text in which it
// may be hidden are nearly the whole text.
const long = 512

// bySize returns the parts for the secrets: one for all, or one for the short and one for
// the long ones.
func bySize(secrets [][]byte) []part {
	var texts [2][][]byte
	var numbers [2][]int
	for i, s := range secrets {
		size := 0
		if len(s) >= long {
			size = 1
		}
		texts[size], numbers[size] = append(texts[size], s), append(numbers[size], i)
	}
	if len(texts[1]) == 0 {
		return []part{{spellings: newSpellings(secrets)}}
	}
	parts := []part{{spellings: newSpellings(texts[1]), numbers: numbers[1]}}
	parts[0].spellings.cut()
	if len(texts[0]) > 0 {
		parts = append(parts, part{spellings: newSpellings(texts[0]), numbers: numbers[0]})
	}
	return parts
}

// spellings finds secrets in all their forms. For each secret it chooses a stretch, a few
// bytes that no form escapes individually, and searches for the anchors of the stretch's
// spelling in each class of forms. Where an anchor matches, the forms of the secret are
// generated and compared.
type spellings struct {
	secrets   [][]byte
	stretches []int32 // offset of each secret's stretch, or none
	stretched bool    // some secret has a stretch
	kinds     []kind  // of each secret
	anchors   anchorTable

	longest, quoted int // lengths of forms, see Set

	// What a search for hidden secrets needs: the length of the shortest secret, the number
	// of digits to which it may be encoded, whether a secret has blanks, and the number of
	// bytes around an escape.
	least, digits int
	spaced        bool
	context       int
	// mixed is the number of layers of which each kind of escapes is also decoded alone:
	// more than one if a secret itself looks escaped.
	mixed int
	// pieces, unless nil, finds a piece of each secret. Only a text that has one is searched
	// for hidden secrets.
	pieces *spellings

	// rest finds the forms of secrets without a stretch, which are generated at once;
	// owners maps them to their secrets.
	rest   *index
	owners []int32
	// bodies finds the secrets of several lines without the indentation of their lines;
	// bodyOf maps them to the secrets.
	bodies *index
	bodyOf []int32

	// dictionary finds the forms of the secrets with a stretch.
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

// spelling is a form of a secret. offset is the position of the stretch, or of its sample
// if the stretch does not begin at a byte boundary of the form. An outline has a digest
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
	hexClass     = base64Class + 3        // and the next two: one for each separator
	utf16Class   = base64Class + 6        // in both byte orders
	base64Little = base64Class + 7        // and the next two
	numClasses   = int(base64Little) + 3
	classes      = 16 // rounded up to a power of two
)

const (
	none = -1
	// stretchesTried is the number of stretches of a secret examined to find one whose
	// samples are unique.
	stretchesTried = 32
	// mostAlike is the maximum number of secrets that share a sample, and so of
	// comparisons for each byte of a text that repeats it.
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
	s.mixed = 1
	s.least = shortest(secrets)
	s.digits = max(MinLen, min(4*s.least/3-1, max(s.least, leastJoined)))
	stride := longStride
	for i, secret := range secrets {
		t := traitsOf(secret)
		s.kinds[i] = t.kind()
		longest := t.longest(len(secret))
		s.context = max(s.context, longest+mostIndent)
		s.longest = max(s.longest, expansion*longest)
		if t.quoted && t.lines == 0 {
			s.quoted = max(s.quoted, longest)
		}
		if t.escaped > 0 {
			spaced := bytes.IndexByte(secret, ' ') >= 0
			s.spaced = s.spaced || spaced
			if bytes.ContainsAny(secret, `\%&`) || spaced && bytes.IndexByte(secret, '+') >= 0 {
				s.mixed = deepest - 1
			}
		}
		if spanOf(shortStride) <= t.plain && t.plain < spanOf(longStride) {
			stride = shortStride
		}
	}
	s.anchors = newAnchorTable(len(secrets), stride)
	var patterns, bodies [][]byte
	var scratch samples
	for i, secret := range secrets {
		s.stretches[i] = s.add(uint32(i), secret, &scratch)
		if s.kinds[i]&lined != 0 {
			if b := body(secret); len(b) >= MinLen {
				bodies, s.bodyOf = append(bodies, b), append(s.bodyOf, int32(i))
			}
		}
		if s.stretches[i] != none {
			s.stretched = true
			continue
		}
		for _, form := range Forms(secret) {
			patterns = append(patterns, form)
			s.owners = append(s.owners, int32(i))
		}
	}
	s.rest, s.bodies = newIndex(patterns), newIndex(bodies)
	return s
}

// cut cuts a piece from each secret, unless one has no stretch. All secrets are long. A copy
// of a secret, however it is spelled, contains a copy of its piece.
func (s *spellings) cut() {
	pieces := make([][]byte, len(s.secrets))
	for i, secret := range s.secrets {
		if s.stretches[i] == none {
			return
		}
		pieces[i] = piece(secret, int(s.stretches[i]))
	}
	s.pieces = newSpellings(pieces)
	s.pieces.mixed = s.mixed
}

// piece returns a part of a secret that is long enough not to occur by chance, and that
// includes the stretch. It begins and ends with bytes that no form escapes, because some
// forms depend on whether a byte is the first or the last.
func piece(secret []byte, stretch int) []byte {
	const size = 64
	start := max(0, min(stretch-size/2, len(secret)-size))
	end := start + size
	for !isUnreservedByte(secret[start]) {
		start++
	}
	for !isUnreservedByte(secret[end-1]) {
		end--
	}
	return secret[start:end]
}

// add adds the samples of a secret and returns the offset of its stretch. It uses scratch
// as memory.
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
// continue. It decodes escapes of some kinds.
func (s *spellings) find(text []byte, from int, kinds unescape.Kinds, yield func(Hit) bool) bool {
	if !s.findPlain(text, from, yield) {
		return false
	}
	for _, hit := range s.hidden(text, kinds) {
		hit.Pattern += from
		if !yield(hit) {
			return false
		}
	}
	return true
}

// occur reports whether text contains a secret. It decodes escapes of some kinds.
func (s *spellings) occur(text []byte, kinds unescape.Kinds) bool {
	return !s.find(text, 0, kinds, func(Hit) bool { return false })
}

// findPlain is find for the forms as they are.
func (s *spellings) findPlain(text []byte, from int, yield func(Hit) bool) bool {
	if len(s.secrets) == 0 {
		return true
	}
	if s.stretched {
		// Most texts have no sample.
		if i := s.anchors.filter.meet(text, 0); i >= 0 {
			v := verifier{text: text, from: from, base: s.base}
			if !s.search(&v, i, yield) {
				return false
			}
		}
	}
	return s.rest.find(text, 0, func(h Hit) bool {
		h.Pattern = from + int(s.owners[h.Pattern])
		return yield(h)
	}) && (len(s.bodyOf) == 0 || s.findIndented(text, from, yield))
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
		for i, secret := range s.secrets {
			if s.stretches[i] == none {
				continue
			}
			for _, form := range Forms(secret) {
				if !yield(int32(i), form) {
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
			hit := Hit{start, start + f.size, int(number)}
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
	secret, off := s.secrets[number], int(s.stretches[number])
	if c == plainClass && len(secret) < longSecret && s.kinds[number]&reserved == 0 {
		// The most frequent case: at most two forms, each as long as the secret.
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
			add(text, (2+len(hexSeparators[i]))*off)
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
	base64Spellings(int(c-base64Little), little, 2*units, add)
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
	for _, r := range replacements() {
		add(r.of(secret, off))
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
