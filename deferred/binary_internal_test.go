package deferred

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/pcore"
)

// TestMarks checks that a byte string is the same after a call as before, and that a result
// contains no marks.
func TestMarks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes"))
		text := rapid.String().Draw(t, "text")
		for _, name := range []string{"upcase", "join", "flatten", "sort", "type"} {
			args := []pcore.Value{pcore.NewArray(pcore.NewBinaryString(raw), pcore.String(text))}
			c, texts := new(worker).byteCallOf(name, args)
			got, err := c.result(texts[0])
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if c.marked && strings.ContainsFunc(got.String(), isMark) {
				t.Errorf("%s: marks in %s", name, got)
			}
			if first := got.(*pcore.Array).At(0); raw != text && first != pcore.Value(pcore.NewBinaryString(raw)) && name != "join" && name != "type" {
				t.Errorf("%s: got %s, want the bytes %q", name, first, raw)
			}
		}
	})
}
