package document

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// The second attempt does not repeat the bytes of the first, regardless of the sizes of the writes.
func TestRetold(t *testing.T) {
	const begun, whole = "a catalog be", "a catalog begins and ends"
	for piece := 1; piece <= len(whole); piece++ {
		var out bytes.Buffer
		r := &resumingWriter{w: &out}
		for part := range strings.SplitAfterSeq(begun, " ") {
			if _, err := r.Write([]byte(part)); err != nil {
				t.Fatal(err)
			}
		}
		r.restart()
		for rest := whole; rest != ""; {
			n := min(piece, len(rest))
			if written, err := r.Write([]byte(rest[:n])); written != n || err != nil {
				t.Fatalf("in pieces of %d: %d, %v", piece, written, err)
			}
			rest = rest[n:]
		}
		if err := r.end(); err != nil || out.String() != whole {
			t.Errorf("in pieces of %d: %q, %v", piece, out.String(), err)
		}
	}
}

func TestRetoldOtherwise(t *testing.T) {
	for _, other := range []string{"another", "a cat", ""} {
		var out bytes.Buffer
		r := &resumingWriter{w: &out}
		_, _ = r.Write([]byte("a catal"))
		r.restart()
		_, err := r.Write([]byte(other))
		if err = errors.Join(err, r.end()); !errors.Is(err, errChanged) {
			t.Errorf("%q: %v", other, err)
		}
		if out.String() != "a catal" {
			t.Errorf("%q: %q is written", other, out.String())
		}
	}
}
