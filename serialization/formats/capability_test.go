package formats_test

import (
	"bytes"
	"testing"
	"unicode/utf8"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// TestCapabilities holds the capabilities that formats declare against their
// behaviour.
func TestCapabilities(t *testing.T) {
	big := pcore.NewArray(pcore.NewBinary([]byte{0xff, 0xfe}), pcore.Integer(1<<40), pcore.String("ä"))
	for _, f := range formats.Default().Formats() {
		t.Run(f.Name, func(t *testing.T) {
			doc, err := f.Append(nil, big, serialization.EncodeOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if text := utf8.Valid(doc); text != f.Text {
				t.Errorf("Text is %t, and a document is %q", f.Text, doc)
			}
			if f.IsJSON() && (!f.Text || !bytes.HasPrefix(doc, []byte("["))) {
				t.Error("this is no JSON")
			}
			if f.IsMessagePack() && f.Text {
				t.Error("MessagePack is no text")
			}
			if !f.SameWire(f) {
				t.Error("a format has another wire than itself")
			}
		})
	}
}
