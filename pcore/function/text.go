package function

import (
	"context"
	"strings"

	"github.com/pcatdev/pcat/pcore"
)

// Text is a text that a call makes piece by piece, as an [io.Writer] and an
// [io.StringWriter]. It pays for each piece before it takes it, in the way of
// [Call.Reserve], and so ends the call before a long text fills the memory. The
// first error, that of an ended context too, comes back from all writes after it,
// and from Value. It is used by one goroutine; see [Call.NewText].
type Text struct {
	call *Call
	b    strings.Builder
	owed int // units of the budget
	err  error
}

// owing is how many bytes a Text takes before it pays its work.
const owing = 4 << 10

// NewText returns an empty text.
func (c *Call) NewText() *Text { return &Text{call: c} }

// WriteString implements [io.StringWriter].
func (t *Text) WriteString(s string) (int, error) {
	if !t.takes(len(s)) {
		return 0, t.err
	}
	return t.b.WriteString(s)
}

// Write implements [io.Writer].
func (t *Text) Write(p []byte) (int, error) {
	if !t.takes(len(p)) {
		return 0, t.err
	}
	return t.b.Write(p)
}

// takes pays for n bytes, and reports whether they may be written.
func (t *Text) takes(n int) bool {
	if t.err != nil {
		return false
	}
	if t.call.ctx.Err() != nil {
		t.err = context.Cause(t.call.ctx)
		return false
	}
	if t.b.Cap()-t.b.Len() < n {
		// As the builder grows. Up to then, a single piece fits exactly.
		if t.err = t.call.Memory.Hold(2*int64(t.b.Cap()) + int64(n)); t.err != nil {
			return false
		}
		t.b.Grow(n)
	}
	if t.owed += n; t.owed >= owing {
		t.pay()
	}
	return t.err == nil
}

func (t *Text) pay() {
	if t.err == nil {
		t.err = t.call.Spend(t.owed)
		t.owed = 0
	}
}

// Value returns the text as the result of the call.
func (t *Text) Value() (pcore.Value, error) {
	if t.pay(); t.err != nil {
		return nil, t.err
	}
	return pcore.String(t.b.String()), nil
}
