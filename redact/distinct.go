package redact

import (
	"bytes"
	"context"
	"hash/maphash"
	"io"
	"sync"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/serialization"
)

// known are documents that are read several times, with their outlines as far as these are
// kept. It is safe for concurrent use.
type known struct {
	documents []catalog.Opener

	mu       sync.Mutex
	outlines []*catalog.Outline
	size     int // of the documents with a kept outline, in bytes
}

// Outlines are kept for few documents, such as a pair, of a limited total size in bytes.
const (
	few     = 4
	maxKept = 16 << 20
)

func newKnown(documents []catalog.Opener) *known {
	return &known{documents: documents, outlines: make([]*catalog.Outline, len(documents))}
}

// open opens a document. Its outline is nil if it has none.
func (k *known) open(ctx context.Context, number int) (*catalog.Reader, io.Closer, *catalog.Outline, error) {
	k.mu.Lock()
	o := k.outlines[number]
	k.mu.Unlock()
	if o != nil {
		return o.Reader(), nil, o, nil
	}
	src, done, err := k.documents[number](ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	if o = src.Outline(nil); o == nil {
		return src, done, nil, nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.documents) <= few && k.size+len(o.Data) <= maxKept {
		k.outlines[number], k.size = o, k.size+len(o.Data)
	}
	return o.Reader(), done, o, nil
}

// sieve selects the resources and edges that no earlier document has.
type sieve struct {
	seen func(hash uint64) bool // in other documents; nil for none

	mu  sync.Mutex
	own map[uint64]bool // the hashes of the selected ones
}

// isNew reports whether an element was not selected before, and selects it.
func (s *sieve) isNew(hash uint64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.own[hash] || s.seen != nil && s.seen(hash) {
		return false
	}
	s.own[hash] = true
	return true
}

// distinct returns the documents without the resources and edges that another one has, too.
// Each can be opened repeatedly, and is the same each time. Documents without an outline,
// which are not in memory or not JSON, are whole.
func (k *known) distinct(seed maphash.Seed, s *sieve) []catalog.Opener {
	openers := make([]catalog.Opener, len(k.documents))
	for i := range k.documents {
		var once sync.Once
		var dropped []int // parts of the outline
		size := 0         // of the document
		openers[i] = func(ctx context.Context) (*catalog.Reader, io.Closer, error) {
			src, done, o, err := k.open(ctx, i)
			if err != nil || o == nil {
				return src, done, err
			}
			once.Do(func() {
				size = len(o.Data)
				for n := range o.Parts {
					if p := &o.Parts[n]; p.In && !s.isNew(maphash.Bytes(seed, o.Data[p.Start:p.End])) {
						dropped = append(dropped, n)
					}
				}
			})
			if len(dropped) == 0 || len(o.Data) != size || dropped[len(dropped)-1] >= len(o.Parts) { // the file was changed meanwhile
				return src, done, nil
			}
			return catalog.NewReaderBytes(without(o, dropped), src.Format(), serialization.DecodeOptions{}), done, nil
		}
	}
	return openers
}

const blanks = " \t\r\n" // of JSON

// without returns a document without some of the elements of its lists, which are in order.
func without(o *catalog.Outline, dropped []int) []byte {
	var kept []byte
	end := 0
	for _, i := range dropped {
		p := &o.Parts[i]
		kept = append(kept, o.Data[end:p.Start]...)
		end = p.End
		if after := bytes.TrimLeft(o.Data[end:], blanks); after[0] == ',' {
			end = len(o.Data) - len(after) + 1
		} else {
			kept = bytes.TrimSuffix(bytes.TrimRight(kept, blanks), []byte{','})
		}
	}
	return append(kept, o.Data[end:]...)
}
