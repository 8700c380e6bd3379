package secret

import (
	"bytes"
	"hash/maphash"
	"maps"
	"strings"
	"unicode"
)

// Vocabulary is the set of words that catalogs are made of: the names of nodes,
// environments, classes, types, tags and packages, and what several titles have in common,
// such as a directory. A secret that is also one of these words, such as `icingaweb2`, is
// not followed, because replacing the word everywhere would corrupt the catalog. A strong
// secret is followed nevertheless: nobody chooses it as the name of something else, so
// each occurrence is a copy.
//
// The zero value is empty. A Vocabulary may be read concurrently, but not changed. It
// consists of hashes, so it reveals no secret. Case is ignored.
type Vocabulary struct {
	words map[uint64]word
	lower []byte // memory for a word in lower case
}

// word is a possible word of a Vocabulary. It is one unless it was seen in a single title.
type word struct {
	use   wordUse
	title uint64 // hash of the title, if it is the only one
}

type wordUse uint8

const (
	oneTitle wordUse = iota
	aName            // or in several titles
	keptName         // stays even if it is strong
)

// seed is the seed of all hashes.
var seed = maphash.MakeSeed()

// longestWord is the length in bytes of the longest word in a Vocabulary.
const longestWord = 255

// Add adds the name of a class or a tag, and the parts of a qualified name.
func (v *Vocabulary) Add(name []byte) {
	eachPart(name, func(part []byte) { v.add(part, word{use: aName}) })
}

// AddResource adds the type and the title of a resource, and the parts of both. The type
// stays even if it is strong.
func (v *Vocabulary) AddResource(typ, title []byte) {
	eachPart(typ, func(part []byte) { v.add(part, word{use: keptName}) })
	if string(typ) == "Package" {
		v.Add(title)
		return
	}
	hash := maphash.Bytes(seed, title)
	eachPart(title, func(part []byte) { v.add(part, word{oneTitle, hash}) })
}

// Keep adds a name that stays even if it is strong.
func (v *Vocabulary) Keep(name string) { v.add([]byte(name), word{use: keptName}) }

// eachPart calls add for a name and for its parts between slashes and colons.
func eachPart(name []byte, add func(part []byte)) {
	add(name)
	if !bytes.ContainsAny(name, "/:") {
		return
	}
	for _, part := range bytes.FieldsFunc(name, func(r rune) bool { return r == '/' || r == ':' }) {
		add(part)
	}
}

func (v *Vocabulary) add(text []byte, w word) {
	if len(text) < MinFollowed || len(text) > longestWord {
		return
	}
	if bytes.ContainsFunc(text, unicode.IsUpper) {
		v.lower = append(v.lower[:0], bytes.ToLower(text)...)
		text = v.lower
	}
	hash := maphash.Bytes(seed, text)
	if _, known := v.words[hash]; !known && w.use != keptName && isStrong(string(text)) {
		return
	}
	v.see(hash, w)
}

// see adds a word, which may be known, by its hash.
func (v *Vocabulary) see(hash uint64, w word) {
	known, ok := v.words[hash]
	switch {
	case !ok:
	case known.use == oneTitle && w.use == oneTitle && known.title != w.title:
		w = word{use: aName}
	case known.use >= w.use:
		return
	}
	if v.words == nil {
		v.words = map[uint64]word{}
	}
	v.words[hash] = w
}

// Holds reports whether a secret is a word of the catalogs that cannot be replaced. A nil
// Vocabulary holds none.
func (v *Vocabulary) Holds(secret string) bool {
	if v == nil || len(v.words) == 0 {
		return false
	}
	switch w, ok := v.words[maphash.String(seed, strings.ToLower(secret))]; {
	case !ok || w.use == oneTitle:
		return false
	default:
		return w.use == keptName || !isStrong(secret)
	}
}

// Include adds the words of another Vocabulary.
func (v *Vocabulary) Include(other *Vocabulary) {
	for hash, w := range other.words {
		v.see(hash, w)
	}
}

// Clone returns a copy.
func (v *Vocabulary) Clone() *Vocabulary { return &Vocabulary{words: maps.Clone(v.words)} }
