package sensitive

import (
	"bufio"
	"io"
)

// patch is a document that consists of unchanged parts of another one and of
// replacements. The parts themselves were searched; text across their ends is
// searched before anything is written.
type patch struct {
	data  []byte // the other document
	fresh []byte // the replacements, one behind the other
	list  []patchPiece
	end   int // end of the processed part of data
}

// patchPiece is the text from start to end in data, or in fresh.
type patchPiece struct {
	start, end int
	isFresh    bool
}

// replace replaces data from start to end by text, which is
// behind all that was replaced before.
func (p *patch) replace(start, end int, text []byte) {
	first := len(p.fresh)
	p.fresh = append(p.fresh, text...)
	p.renew(start, end, first)
}

// quote is replace for a string that needs no escapes. It returns the text without
// quotes.
func (p *patch) quote(start, end int, text string) []byte {
	first := len(p.fresh)
	p.fresh = append(append(append(p.fresh, '"'), text...), '"')
	p.renew(start, end, first)
	return p.fresh[first+1 : len(p.fresh)-1]
}

// renew replaces data from start to end by fresh from first on.
func (p *patch) renew(start, end, first int) {
	p.keep(start)
	if len(p.fresh) > first {
		p.list = append(p.list, patchPiece{first, len(p.fresh), true})
	}
	p.end = end
}

// keep adds data up to end.
func (p *patch) keep(end int) {
	if end > p.end {
		p.list = append(p.list, patchPiece{start: p.end, end: end})
	}
	p.end = end
}

// patchState is a state of a patch to return to.
type patchState struct{ pieces, fresh, end int }

func (p *patch) state() patchState { return patchState{len(p.list), len(p.fresh), p.end} }

// back removes everything that was added since.
func (p *patch) back(to patchState) {
	p.list, p.fresh, p.end = p.list[:to.pieces], p.fresh[:to.fresh], to.end
}

// between returns the text that replaces data from start to end, of which every replacement
// was added since.
func (p *patch) between(start, end int, since patchState) (text []byte) {
	for _, k := range p.list[since.pieces:] {
		if !k.isFresh {
			k.start = max(k.start, start)
		}
		text = append(text, p.text(k)...)
	}
	return append(text, p.data[max(p.end, start):end]...)
}

func (p *patch) text(k patchPiece) []byte {
	if k.isFresh {
		return p.fresh[k.start:k.end]
	}
	return p.data[k.start:k.end]
}

// write writes the document, or nothing of it when a secret reaches across the
// ends of pieces. The last of data must have been kept.
func (p *patch) write(dst io.Writer, s *matcher) error {
	total, seams := 0, 0
	for i, k := range p.list {
		total += k.end - k.start
		seams += 2 * p.reach(i, s)
	}
	if seams > total { // searching everything is cheaper
		g := s.guard(dst, "json")
		if err := p.writeAll(g); err != nil {
			return err
		}
		return g.Close()
	}
	offset := 0
	var seam []byte
	var memory searcher
	for i, k := range p.list {
		if n := p.reach(i, s); n > 0 {
			seam = p.appendAround(seam[:0], i, n)
			if s.hitsJSON(seam, &memory) {
				return leakNear(int64(offset))
			}
		}
		offset += k.end - k.start
	}
	if _, buffered := dst.(io.ByteWriter); buffered {
		return p.writeAll(dst)
	}
	w := bufio.NewWriterSize(dst, 64<<10)
	if err := p.writeAll(w); err != nil {
		return err
	}
	return w.Flush()
}

func (p *patch) writeAll(w io.Writer) error {
	for _, k := range p.list {
		if _, err := w.Write(p.text(k)); err != nil {
			return err
		}
	}
	return nil
}

// reach returns how much has to be searched before and behind the beginning of a
// piece. A string of JSON begins and ends with a quote, so that only a spelling
// with a quote in it can reach across its ends.
func (p *patch) reach(i int, s *matcher) int {
	switch {
	case i == 0:
		return 0
	case p.isString(i-1) || p.isString(i):
		return s.set.LongestQuoted()
	}
	return s.set.Longest()
}

// isString reports whether a piece is a new JSON string.
func (p *patch) isString(i int) bool {
	k := p.list[i]
	return k.isFresh && p.fresh[k.start] == '"'
}

// appendAround appends the n bytes before and after the beginning of a piece to text, which
// is empty, or fewer at the ends of the document.
func (p *patch) appendAround(text []byte, i, n int) []byte {
	first, before := i, 0
	for first > 0 && before < n {
		first--
		before += p.list[first].end - p.list[first].start
	}
	skip, wanted := max(0, before-n), min(before, n)+n
	for _, k := range p.list[first:] {
		if len(text) == wanted {
			break
		}
		t := p.text(k)[skip:]
		text = append(text, t[:min(len(t), wanted-len(text))]...)
		skip = 0
	}
	return text
}
