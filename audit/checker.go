package audit

import (
	"cmp"
	"errors"
	"io"
)

// ErrSecret reports that the output would have contained a secret. The cause is a bug in
// this module.
var ErrSecret = errors.New("audit: the output would contain a secret, so writing stopped. This is a bug in pcat: please report it")

// Check returns [ErrSecret] if output contains a known secret of the run, in
// any of its spellings.
func (r *Report) Check(output []byte) error {
	c := r.Checker(io.Discard, nil)
	if _, err := c.Write(output); err != nil {
		return err
	}
	return c.Close()
}

// Checker returns a writer that searches an output for secrets and passes it on
// to w, piece by piece. Its methods return [ErrSecret] if the output contains a
// known secret of the run, in any of its spellings; the piece with the secret
// is not passed on.
//
// A secret may be a word of the report itself, such as the name of an encoding
// or of a rule. Such words also occur in the output for [Report.Frame], and are
// allowed because they reveal nothing about the catalogs. frame writes that
// output; it is called only if needed, and nil means no output. Close passes on
// the rest and does not close w.
func (r *Report) Checker(w io.Writer, frame func(io.Writer) error) *Checker {
	c := &Checker{w: w, masker: r.masker}
	var own map[string]bool // the secrets that the frame contains
	c.found = func(secret string) error {
		if own == nil {
			own = map[string]bool{}
			if err := c.within(frame, own); err != nil {
				return err
			}
		}
		if !own[secret] {
			return ErrSecret
		}
		return nil
	}
	return c
}

// Checker searches the data written to it; see [Report.Checker].
type Checker struct {
	w      io.Writer
	masker *masker
	found  func(secret string) error
	held   []byte // not yet passed on
	err    error
}

// within adds the secrets in the output of write to secrets.
func (c *Checker) within(write func(io.Writer) error, secrets map[string]bool) error {
	if write == nil {
		return nil
	}
	search := &Checker{w: io.Discard, masker: c.masker, found: func(secret string) error {
		secrets[secret] = true
		return nil
	}}
	return cmp.Or(write(search), search.Close())
}

// pieceLen is the number of bytes that are searched at a time, without the
// overlap of the pieces.
const pieceLen = 256 << 10

// Write implements [io.Writer].
func (c *Checker) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0 && c.err == nil; {
		// The overlap of this piece and the next one. It is long enough that
		// one of them contains all of a secret that begins in this one.
		common := max(c.masker.longest()-1, 0)
		n := min(len(rest), max(pieceLen, common)+common-len(c.held))
		c.held = append(c.held, rest[:n]...)
		rest = rest[n:]
		if len(c.held) == max(pieceLen, common)+common {
			c.pass(len(c.held) - common)
		}
	}
	if c.err != nil {
		return 0, c.err
	}
	return len(p), nil
}

// Close searches the remaining data and passes it on.
func (c *Checker) Close() error {
	if c.err == nil {
		c.pass(len(c.held))
	}
	return c.err
}

// pass searches the held data and passes on its first n bytes.
func (c *Checker) pass(n int) {
	for h := range c.masker.find(c.held) {
		if c.err = c.found(string(c.held[h.Start:h.End])); c.err != nil {
			return
		}
	}
	if _, c.err = c.w.Write(c.held[:n]); c.err != nil {
		return
	}
	c.held = c.held[:copy(c.held, c.held[n:])]
}
