package secret

import (
	"bytes"
	"sync"

	"github.com/pcatdev/pcat/internal/unescape"
)

const (
	// deepest is the number of escapes inside each other that are decoded: three, and
	// those of a document in JSON around them.
	deepest = 4
	// expansion is the number of bytes that a byte of a form takes in a text if it is
	// escaped twice, as in `\\u0041`, or on a short line of its own.
	expansion = 6
	// leastJoined is the length in bytes from which a secret is searched for across line
	// breaks. The end of a line and the beginning of the next may spell a shorter one by
	// chance. Encoded secrets are always searched for.
	leastJoined = 16
	// anyEscape are the kinds of escapes that are decoded together. Quoted-printable is
	// not among them: in `password=C0FFEE`, it would decode the beginning of a secret.
	anyEscape = unescape.Backslash | unescape.Percent | unescape.Entity
)

// hiding collects the hits that escapes or line breaks hide in a text. It searches views
// of the text, which are decoded further, layer by layer.
type hiding struct {
	s     *spellings
	hits  []Hit
	found map[Hit]bool
}

// layer is a view of a text, which may be a view itself.
type layer struct {
	unescape.View
	base  int // position in the layer below, or in the text, where the view begins
	below *layer
}

// layers are reused, because they take much memory.
var layers = sync.Pool{New: func() any { return new(layer) }}

// source returns the part of the text that a part of the layer was decoded from. ok is
// false if it consists of several parts.
func (l *layer) source(start, end int) (from, to int, ok bool) {
	for from, to = start, end; l != nil; l = l.below {
		if from, to, ok = l.Source(from, to); !ok {
			return 0, 0, false
		}
		from, to = from+l.base, to+l.base
	}
	return from, to, true
}

// hidden returns the hits in text that are escaped in some ways or broken into lines.
func (s *spellings) hidden(text []byte, kinds unescape.Kinds) []Hit {
	if len(text) < s.least || unescape.IsPlain(text) || s.pieces != nil && !s.pieces.occur(text, kinds) {
		return nil
	}
	h := hiding{s: s}
	h.joined(text, nil)
	h.layers(text, nil, kinds, deepest)
	return h.hits
}

// layers searches the views of the text of a layer, or of a text, with the escapes of
// some kinds decoded. A plus sign is a blank if a secret has blanks, or a line break is
// before it, so that it may indent a line.
func (h *hiding) layers(text []byte, below *layer, kinds unescape.Kinds, depth int) {
	h.decoded(text, 0, below, kinds&unescape.Printable, depth)
	h.decoded(text, 0, below, kinds&anyEscape, depth)
	if bytes.IndexByte(text, '+') >= 0 && (h.s.spaced || bytes.Contains(text, []byte("%0A+")) || bytes.Contains(text, []byte("%0a+"))) {
		h.decoded(text, 0, below, kinds&anyEscape|unescape.Plus, depth)
	}
}

// decoded searches the text of a layer, or a part of it that begins at base, with the
// escapes of some kinds decoded.
func (h *hiding) decoded(text []byte, base int, below *layer, kinds unescape.Kinds, depth int) {
	l, _ := layers.Get().(*layer)
	defer layers.Put(l)
	l.base, l.below = base, below
	context := h.s.context
	if kinds == unescape.Printable {
		context *= expansion // other escapes are decoded later
	}
	if !l.Decode(text, kinds, context) {
		return
	}
	h.search(l, MinLen)
	h.joined(l.Text, l)
	if depth == 1 {
		return
	}
	switch mixed := kinds&(kinds-1) != 0; {
	case mixed && depth > deepest-h.s.mixed:
		h.each(text, l.Parts, base, below, depth)
	case !mixed && kinds != unescape.Printable:
		h.decoded(l.Text, 0, l, kinds, depth-1)
	}
	h.layers(l.Text, l, anyEscape|unescape.Printable, depth-1)
}

// each searches the parts of text with escapes of several kinds for one kind at a time.
// Text may be escaped in one way and contain escapes of another kind by chance.
func (h *hiding) each(text []byte, parts []unescape.Part, base int, below *layer, depth int) {
	for _, p := range parts {
		for kind := unescape.Backslash; kind <= p.Kinds; kind <<= 1 {
			if p.Kinds&kind != 0 && p.Kinds != kind {
				h.decoded(text[p.Start:p.End], base+p.Start, below, kind, depth)
			}
		}
	}
}

// joined searches the text of a layer, or a text, with its lines joined.
func (h *hiding) joined(text []byte, below *layer) {
	if bytes.IndexByte(text, '\n') < 0 {
		return
	}
	l, _ := layers.Get().(*layer)
	defer layers.Put(l)
	l.base, l.below = 0, below
	if l.Join(text, h.s.digits, false) {
		h.search(l, leastJoined)
	}
	if (bytes.Contains(text, []byte("\n+")) || bytes.Contains(text, []byte(" +"))) && l.Join(text, h.s.digits, true) {
		h.search(l, leastJoined)
	}
	if h.s.spaced && l.Fold(text, h.s.context) {
		h.search(l, MinLen)
	}
}

// search collects the hits in a layer that are not in the one below. Secrets that are
// shorter than least are found only if they are encoded.
func (h *hiding) search(l *layer, least int) {
	h.s.findPlain(l.Text, 0, func(hit Hit) bool {
		hidden := h.s.secrets[hit.Pattern]
		if !l.IsDecoded(hit.Start, hit.End) || len(hidden) < least && bytes.EqualFold(hidden, l.Text[hit.Start:hit.End]) {
			return true
		}
		start, end, ok := l.source(hit.Start, hit.End)
		hit = Hit{start, end, hit.Pattern}
		if !ok || h.found[hit] {
			return true
		}
		if h.found == nil {
			h.found = map[Hit]bool{}
		}
		h.found[hit] = true
		h.hits = append(h.hits, hit)
		return true
	})
}
