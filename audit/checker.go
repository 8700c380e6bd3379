package audit

import (
	"cmp"
	"errors"
	"io"
)

// ErrSecret tells that some output holds a secret.
var ErrSecret = errors.New("audit: the output would contain a secret; nothing was written. This is a bug in pcat: please report it")

// Check returns [ErrSecret] when any secret that the run knows stands in
// output, in any of its spellings.
func (r *Report) Check(output []byte) error {
	c := r.Checker(io.Discard, nil)
	if _, err := c.Write(output); err != nil {
		return err
	}
	return c.Close()
}

// Checker passes on an output to w, piece by piece, after it was searched for
// secrets: its methods return [ErrSecret] when any secret that the run knows
// stands in it, in any of its spellings, and what holds it is not passed on.
// Some secrets are words of the report itself, the name of an encoding or of a
// rule: what stands in frame as well, the output for [Report.Frame], tells
// nothing about the catalogs. Frame is called at need only, to write that; nil
// stands for nothing. Close, which passes on the rest, does not close w.
func (r *Report) Checker(w io.Writer, frame func(io.Writer) error) *Checker {
	c := &Checker{w: w, masker: r.masker}
	var own map[string]bool // the secrets that stand in the frame
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

// Checker searches what is written to it; see [Report.Checker].
type Checker struct {
	w      io.Writer
	masker *masker
	found  func(secret string) error
	held   []byte // not passed on yet
	err    error
}

// within adds the secrets that stand in what write writes.
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

// pieceLen is how much is searched at once, besides what the pieces have in
// common.
const pieceLen = 256 << 10

// Write implements [io.Writer].
func (c *Checker) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0 && c.err == nil; {
		// What the next piece has in common with this one, so that a secret
		// which begins in this one is in one of them as a whole.
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

// Close searches and passes on what is left.
func (c *Checker) Close() error {
	if c.err == nil {
		c.pass(len(c.held))
	}
	return c.err
}

// pass searches what is held and passes on n bytes of it.
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
