package stdlib

import (
	"context"
	"strings"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// result builds a result text in pieces, as an [io.Writer] and an
// [io.StringWriter]. It takes memory and budget for each piece before it stores
// it, like [function.Call.Reserve], so a call fails before a long text exhausts the
// memory. After the first error, including the end of the context, all writes
// and Value return that error. A result is not safe for concurrent use.
type result struct {
	call *function.Call
	b    strings.Builder
	owed int // unpaid units of the budget
	err  error
}

// owing is the number of bytes that a result accepts before it takes budget.
const owing = 4 << 10

// newResult returns an empty text.
func newResult(c *function.Call) *result { return &result{call: c} }

// WriteString implements [io.StringWriter].
func (t *result) WriteString(s string) (int, error) {
	if !t.takes(len(s)) {
		return 0, t.err
	}
	return t.b.WriteString(s)
}

// Write implements [io.Writer].
func (t *result) Write(p []byte) (int, error) {
	if !t.takes(len(p)) {
		return 0, t.err
	}
	return t.b.Write(p)
}

// takes pays for n bytes and reports whether they may be written.
func (t *result) takes(n int) bool {
	if t.err != nil {
		return false
	}
	if t.call.Context().Err() != nil {
		t.err = context.Cause(t.call.Context())
		return false
	}
	if t.b.Cap()-t.b.Len() < n {
		// The builder doubles its capacity. A single piece fits exactly.
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

func (t *result) pay() {
	if t.err == nil {
		t.err = t.call.Spend(t.owed)
		t.owed = 0
	}
}

// Value returns the text as the result of the call.
func (t *result) Value() (pcore.Value, error) {
	if t.pay(); t.err != nil {
		return nil, t.err
	}
	return pcore.String(t.b.String()), nil
}
