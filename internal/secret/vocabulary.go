package secret

import (
	"bytes"
	"hash/maphash"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pcatdev/pcat/pcore"
)

// Vocabulary collects the words that catalogs are made of: the names of nodes,
// environments, classes, types, tags, packages, accounts and services, the beginnings of
// these, the words in the names of secret parameters, the accounts beside secrets, and
// words that the titles of several resources have in common, such as a directory. A secret
// that is also one of these words, such as `icingaweb2`, is not followed, because replacing
// the word everywhere would corrupt the catalog. A strong secret is followed nevertheless:
// nobody chooses it as the name of something else, so each occurrence is a copy.
//
// The zero value is empty. A Vocabulary is not safe for concurrent use, except for
// [Vocabulary.Held]. It consists of hashes, so it reveals no secret. Case is ignored.
type Vocabulary struct {
	// words may repeat a word. There are too many of them to look up each.
	words []mention
	// recent has words by their hash, so that frequent ones are not repeated.
	recent []mention

	lastType []byte // of a resource
	lower    []byte // memory for a word in lower case

	// With watched texts, only their uses are recorded, and words stays empty.
	watched []*Watch
	uses    map[uint64]Use // by the hash of the text
	title   titleID        // of the current resource
}

// mention is the hash of a possible word of a catalog, and of the resource in whose title
// it is, or one of the following.
type mention struct{ text, resource uint64 }

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

// Add adds the name of a class or a tag, and the words in it.
func (v *Vocabulary) Add(name []byte) { v.addWords(name, aName) }

// AddResource adds the type and the title of a resource, and the words in both. The type
// stays even if it is strong. Resources of some types are names on the node, such as the
// account `hacluster`. Any other title can be made from a secret.
func (v *Vocabulary) AddResource(typ, title []byte) {
	if !bytes.Equal(typ, v.lastType) {
		v.lastType = append(v.lastType[:0], typ...)
		v.addWords(typ, keptName)
	}
	switch string(typ) {
	case "Class", "Package", "User", "Group", "Service", "Host", "Yumrepo":
		v.addWords(title, aName)
	default:
		if v.watched != nil {
			v.title = titleID{typ: typ, title: title}
		}
		resource := maphash.Bytes(seed, typ) ^ bits.RotateLeft64(maphash.Bytes(seed, v.toLower(title)), 1)
		v.addWords(title, resource|1<<63) // not one of the constants
	}
}

// AddParameter adds the name of a parameter that is a secret, and the words in it: in
// `monitor_password`, `monitor` is an account. Names of parameters come from the code of a
// module, so no secret is in them.
func (v *Vocabulary) AddParameter(name string) {
	v.add([]byte(name), aName)
	for word := range strings.SplitSeq(name, "_") {
		if len(word) < len(name) {
			v.add([]byte(word), aName)
		}
	}
}

// AddAccounts adds the names of accounts in a Hash if a value beside them is a secret: a weak
// password is often the name of its user.
func (v *Vocabulary) AddAccounts(h *pcore.Hash) {
	hasSecret := false
	for _, e := range h.All() {
		hasSecret = hasSecret || pcore.Is[*pcore.Sensitive](e)
	}
	if !hasSecret {
		return
	}
	for k, e := range h.All() {
		key, _ := k.(pcore.String)
		if name, ok := e.(pcore.String); ok && namesAccount(string(key)) {
			v.add([]byte(name), aName)
		}
	}
}

// Keep adds a name that stays even if it is strong.
func (v *Vocabulary) Keep(name string) { v.add([]byte(name), keptName) }

// addWords adds a name and the words in it if it is an identifier or a path. Other titles,
// such as a command, can contain a secret.
func (v *Vocabulary) addWords(name []byte, resource uint64) {
	for _, c := range name {
		if !isUnreservedByte(c) && c != '/' && c != ':' {
			return
		}
	}
	v.add(name, resource)
	// A segment of a path can have several words: `zabbix_server.conf`.
	for segment := range bytes.FieldsFuncSeq(name, func(r rune) bool { return r == '/' || r == ':' }) {
		if len(segment) < len(name) {
			v.add(segment, resource)
		}
		for part := range bytes.FieldsFuncSeq(segment, func(r rune) bool { return r == '.' || r == '-' || r == '_' }) {
			if len(part) < len(segment) {
				v.add(part, resource)
			}
			v.addBeginnings(part, resource)
		}
	}
}

// addBeginnings adds the beginnings of a word in a name, such as `monitor` in
// `monitoring`.
func (v *Vocabulary) addBeginnings(part []byte, resource uint64) {
	if resource > keptName {
		return // a title
	}
	for n := MinFollowed; n < len(part); n++ {
		v.add(part[:n], aName)
	}
}

func (v *Vocabulary) add(text []byte, resource uint64) {
	if len(text) < MinFollowed || len(text) > longestWord {
		return
	}
	hash := maphash.Bytes(seed, v.toLower(text))
	if v.watched != nil {
		v.watch(hash, resource)
		return
	}
	if v.recent == nil {
		v.recent = make([]mention, recentWords)
	}
	last := &v.recent[hash%recentWords]
	switch {
	case last.text != hash:
	case last.resource == resource, last.resource == keptName, last.resource == aName && resource != keptName:
		return // nothing new
	case resource != keptName:
		resource = aName // in several titles
	}
	*last = mention{hash, resource}
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
		resource uint64 // the last
		is, kept bool
	}
	if len(v.words) == 0 {
		return nil
	}
	uses := make(map[uint64]use, len(secrets))
	for _, secret := range secrets {
		uses[wordHash(secret)] = use{}
	}
	for _, w := range v.words {
		u, ok := uses[w.text]
		if !ok {
			continue
		}
		u.is = u.is || w.resource <= keptName || u.resource != 0 && u.resource != w.resource
		u.kept = u.kept || w.resource == keptName
		u.resource = w.resource
		uses[w.text] = u
	}
	held := map[string]bool{}
	for _, secret := range secrets {
		if u := uses[wordHash(secret)]; isHeld(secret, u.is, u.kept) {
			held[secret] = true
		}
	}
	return held
}

// wordHash returns the hash of the word that a secret may be.
func wordHash(secret string) uint64 {
	return maphash.String(seed, wordOf(secret))
}

// wordOf returns the word that a secret may be.
func wordOf(secret string) string { return strings.TrimFunc(strings.ToLower(secret), isMark) }

// MayBeWord reports whether a secret is one that a name can keep from being followed.
func MayBeWord(secret string) bool {
	return len(secret) >= MinFollowed && len(secret) <= longestWord && !IsStrong(secret)
}

// isHeld reports whether a secret that is a word of the catalogs is not followed.
func isHeld(secret string, isWord, isKept bool) bool { return isKept || isWord && !IsStrong(secret) }

// Include adds the words of another Vocabulary.
func (v *Vocabulary) Include(other *Vocabulary) { v.words = append(v.words, other.words...) }

// Clone returns a copy.
func (v *Vocabulary) Clone() Vocabulary { return Vocabulary{words: slices.Clip(v.words)} }

// isMark reports whether a character at either end of a secret does not make it another
// word.
func isMark(r rune) bool {
	return r < utf8.RuneSelf && !isUnreservedByte(byte(r)) || r == '-' || r == '.'
}
