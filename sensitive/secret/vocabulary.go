package secret

import (
	"bytes"
	"hash/maphash"
	"slices"
	"strings"
	"unicode/utf8"
)

// Vocabulary collects the words that catalogs are made of: the names of nodes,
// environments, classes, types, tags and packages, and what several titles have in common,
// such as a directory. A secret that is also one of these words, such as `icingaweb2`, is
// not followed, because replacing the word everywhere would corrupt the catalog. A strong
// secret is followed nevertheless: nobody chooses it as the name of something else, so
// each occurrence is a copy.
//
// The zero value is empty. A Vocabulary is not safe for concurrent use, except for
// [Vocabulary.Held]. It consists of hashes, so it reveals no secret. Case is ignored.
type Vocabulary struct {
	// words may repeat a word. There are too many of them to look up each.
	words []mention
	// recent has words by their hash, so that frequent ones are not repeated.
	recent []mention
	lower  []byte // memory for a word in lower case
}

// mention is the hash of a possible word of a catalog, and of the title that it is part of,
// or one of the following.
type mention struct{ text, title uint64 }

const (
	aName    = iota + 1 // a word without doubt
	keptName            // one that stays even if it is strong
)

// seed is the seed of all hashes.
var seed = maphash.MakeSeed()

const (
	longestWord = 255  // length in bytes of the longest word
	recentWords = 1024 // a power of two
)

// Add adds the name of a class or a tag, and the parts of a qualified name.
func (v *Vocabulary) Add(name []byte) { v.addParts(name, aName) }

// AddResource adds the type and the title of a resource, and the parts of both. The type
// stays even if it is strong.
func (v *Vocabulary) AddResource(typ, title []byte) {
	v.addParts(typ, keptName)
	if string(typ) == "Package" {
		v.addParts(title, aName)
		return
	}
	v.addParts(title, maphash.Bytes(seed, title)|1<<63) // no hash is a constant
}

// Keep adds a name that stays even if it is strong.
func (v *Vocabulary) Keep(name string) { v.add([]byte(name), keptName) }

// addParts adds a name and its parts between slashes and colons.
func (v *Vocabulary) addParts(name []byte, title uint64) {
	start := 0
	for i, c := range name {
		if c == '/' || c == ':' {
			v.add(name[start:i], title)
			start = i + 1
		}
	}
	v.add(name[start:], title)
	if start > 0 && title <= keptName { // a title with parts is not part of another
		v.add(name, title)
	}
}

func (v *Vocabulary) add(text []byte, title uint64) {
	if len(text) < MinFollowed || len(text) > longestWord {
		return
	}
	hash := maphash.Bytes(seed, v.toLower(text))
	if v.recent == nil {
		v.recent = make([]mention, recentWords)
	}
	last := &v.recent[hash%recentWords]
	switch {
	case last.text != hash:
	case last.title == title, last.title == keptName, last.title == aName && title != keptName:
		return // nothing new
	case title != keptName:
		title = aName // in several titles
	}
	*last = mention{hash, title}
	v.words = append(v.words, *last)
}

// toLower returns text in lower case, in the memory of v if it differs.
func (v *Vocabulary) toLower(text []byte) []byte {
	upper := false
	for _, c := range text {
		if c >= utf8.RuneSelf {
			return bytes.ToLower(text)
		}
		upper = upper || c >= 'A' && c <= 'Z'
	}
	if !upper {
		return text
	}
	v.lower = append(v.lower[:0], text...)
	for i, c := range v.lower {
		if c >= 'A' && c <= 'Z' {
			v.lower[i] = c | 0x20
		}
	}
	return v.lower
}

// Held returns the secrets that are words of the catalogs, and so cannot be replaced
// everywhere.
func (v *Vocabulary) Held(secrets []string) map[string]bool {
	type use struct {
		title uint64 // the first
		is    bool
		kept  bool
	}
	if len(v.words) == 0 {
		return nil
	}
	uses := make(map[uint64]use, len(secrets))
	hash := func(secret string) uint64 { return maphash.String(seed, strings.ToLower(secret)) }
	for _, secret := range secrets {
		uses[hash(secret)] = use{}
	}
	for _, w := range v.words {
		u, ok := uses[w.text]
		if !ok {
			continue
		}
		u.is = u.is || w.title <= keptName || u.title != 0 && u.title != w.title
		u.kept = u.kept || w.title == keptName
		u.title = w.title
		uses[w.text] = u
	}
	held := map[string]bool{}
	for _, secret := range secrets {
		if u := uses[hash(secret)]; u.kept || u.is && !isStrong(secret) {
			held[secret] = true
		}
	}
	return held
}

// Include adds the words of another Vocabulary.
func (v *Vocabulary) Include(other *Vocabulary) { v.words = append(v.words, other.words...) }

// Clone returns a copy.
func (v *Vocabulary) Clone() Vocabulary { return Vocabulary{words: slices.Clip(v.words)} }
