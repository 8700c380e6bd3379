package rundata

import (
	"bytes"
	"os"
	"testing"
)

// An unchanged presentation restores the document.
func TestRestoreUnchanged(t *testing.T) {
	for _, file := range os.Args[len(os.Args)-1:] {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		d := Detect(data[:min(len(data), 64<<10)])
		if d == nil {
			t.Fatal("not detected")
		}
		t.Log(d.Kind(), d.Wire())
		var view, out bytes.Buffer
		if err := d.Catalogs(&view, data); err != nil {
			t.Fatal(err)
		}
		t.Log(view.String())
		if err := d.Restore(&out, data, &view); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(out.Bytes(), data) {
			t.Error("differs")
		}
	}
}
