package audit_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/audit"
)

// A secret at any position in a long output, however it is written, is not
// passed on; an output without one is passed on completely.
func TestChecker(t *testing.T) {
	const secret = "n7Hq-vL2pX-zK4top"
	r := run(t, node("n", `{"type":"A","title":"x","parameters":{"v":"`+secret+`"},"sensitive_parameters":["v"]}`))
	rapid.Check(t, func(t *rapid.T) {
		output := bytes.Repeat([]byte("some text of a report\n"), rapid.IntRange(0, 40000).Draw(t, "lines"))
		at := rapid.IntRange(-1, len(output)).Draw(t, "at")
		if at >= 0 {
			output = append(append(append([]byte{}, output[:at]...), secret...), output[at:]...)
		}
		inFrame := rapid.Bool().Draw(t, "frame")
		frame := func(w io.Writer) error {
			text := "nothing"
			if inFrame {
				text = "words " + secret
			}
			_, err := io.WriteString(w, text)
			return err
		}
		var passed bytes.Buffer
		c := r.Checker(&passed, frame)
		var err error
		for rest := output; len(rest) > 0 && err == nil; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "piece")
			_, err = c.Write(rest[:n])
			rest = rest[n:]
		}
		err = errors.Join(err, c.Close())
		if at >= 0 && !inFrame {
			if !errors.Is(err, audit.ErrSecret) || passed.Len() > at {
				t.Fatalf("%v, %d bytes are passed on, the secret stands at %d", err, passed.Len(), at)
			}
			return
		}
		if err != nil || !bytes.Equal(passed.Bytes(), output) {
			t.Fatalf("%v, %d of %d bytes are passed on", err, passed.Len(), len(output))
		}
	})
}
