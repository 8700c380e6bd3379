package secret

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"iter"
	"slices"
	"sync"
)

// Watch is a list of texts for [Vocabulary.Watch]. It is immutable and safe for concurrent
// use. It contains the texts.
type Watch struct {
	texts func() map[uint64][]string // by hash; a closure hides the texts from reflection
	words func() *Set                // that the texts may be
}

// NewWatch returns a Watch of the texts.
func NewWatch(texts iter.Seq[string]) *Watch {
	list := map[uint64][]string{}
	for text := range texts {
		h := wordHash(text)
		list[h] = append(list[h], text)
	}
	return &Watch{texts: func() map[uint64][]string { return list }, words: sync.OnceValue(func() *Set { return wordsOf(list) })}
}

// wordsOf returns the words that texts may be.
func wordsOf(texts map[uint64][]string) *Set {
	var words [][]byte
	for _, list := range texts {
		if word := wordOf(list[0]); MinFollowed <= len(word) && len(word) <= longestWord {
			words = append(words, []byte(word))
		}
	}
	set, err := Compile(words)
	if err != nil {
		return nil // not for words of this length
	}
	return set
}

// MayOccur reports whether one of the texts may be a word of some names, which are in lower
// case and separated by newlines. False is certain.
func (w *Watch) MayOccur(names []byte) bool { return w.words().Contains(names) }

// Use is how catalogs use a text as a word. Unlike a [Vocabulary], it means the same in
// every process, so it can be stored. The zero value is a text that is not a word.
type Use struct {
	// Name is set if the text is a word of a name, and Kept if the name stays even if the
	// text is strong.
	Name, Kept bool
	// Titles are hashes of up to two resources with the text in their titles. A text in the
	// title of one resource only is not a word.
	Titles []uint64
}

// Add adds another use of the same text.
func (u *Use) Add(other Use) {
	u.Name, u.Kept = u.Name || other.Name, u.Kept || other.Kept
	for _, title := range other.Titles {
		if len(u.Titles) < 2 && !slices.Contains(u.Titles, title) {
			u.Titles = append(slices.Clip(u.Titles), title)
		}
	}
}

// Holds reports whether secret, which has this use, is among the words that
// [Vocabulary.Held] returns.
func (u *Use) Holds(secret string) bool {
	return isHeld(secret, u.Name || u.Kept || len(u.Titles) > 1, u.Kept)
}

// Watch restricts an empty Vocabulary to the uses of the texts in the lists, which
// [Vocabulary.Uses] returns. [Vocabulary.Held] then returns nothing.
func (v *Vocabulary) Watch(lists ...*Watch) {
	v.watched, v.uses = append([]*Watch{}, lists...), map[uint64]Use{}
}

// Uses returns an iterator over the watched texts that are in use. A text in several lists
// occurs once for each.
func (v *Vocabulary) Uses() iter.Seq2[string, Use] {
	return func(yield func(string, Use) bool) {
		for hash, use := range v.uses {
			for _, w := range v.watched {
				for _, text := range w.texts()[hash] {
					if !yield(text, use) {
						return
					}
				}
			}
		}
	}
}

// titleID identifies a resource by its type and title.
type titleID struct{ typ, title []byte }

// hash returns a hash that is the same in every process. Titles that differ only in case
// have the same one.
func (t titleID) hash() uint64 {
	h := sha256.New()
	_, _ = h.Write(binary.AppendUvarint(nil, uint64(len(t.typ)))) // never fails
	_, _ = h.Write(t.typ)
	_, _ = h.Write(bytes.ToLower(t.title))
	return binary.LittleEndian.Uint64(h.Sum(nil))
}

// watch records the use of a word if it is watched.
func (v *Vocabulary) watch(hash, resource uint64) {
	watched := slices.ContainsFunc(v.watched, func(w *Watch) bool { return w.texts()[hash] != nil })
	if !watched {
		return
	}
	u := v.uses[hash]
	switch resource {
	case keptName:
		u.Kept = true
	case aName:
		u.Name = true
	default:
		u.Add(Use{Titles: []uint64{v.title.hash()}})
	}
	v.uses[hash] = u
}
