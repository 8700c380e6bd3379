package rundata

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// FuzzRestore presents a document and restores it. Without a change, the document keeps its bytes. If a word is replaced in all texts, the presentation of the restored
// document has the word nowhere.
func FuzzRestore(f *testing.F) {
	const word, marker = "Vr7mqLt2xPweN9", "redacted-1-by-pcat"
	plant := strings.NewReplacer("Zk4TrWq8LmXs", word, "Fd9GhJk3LpOi", word, "otter-cinder-7", word)
	for name := range documents {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add([]byte(plant.Replace(string(data))))
	}
	f.Add([]byte("--- !ruby/object:Puppet::Transaction::Report\nhost: web01\nlogs:\n- message: |\n    a\n     " + word + "\n"))
	f.Add([]byte(`{"name":"web01","values":{"a":"` + word + `","b":["\u0041",1E2]},"timestamp":"x","expiration":"y"}`))
	f.Add([]byte(`{"kernel":"Linux","os":{"name":"` + word + `"},"timezone":"UTC"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		d := Detect(data[:min(len(data), headLen)])
		if d == nil {
			return
		}
		var catalogs bytes.Buffer
		if _, err := d.Catalogs(&catalogs, data); err != nil {
			return
		}
		if _, err := formats.JSON().Decode(catalogs.Bytes(), serialization.DecodeOptions{}); err != nil {
			return // its readers refuse the document
		}
		var same bytes.Buffer
		if err := d.Restore(&same, data, bytes.NewReader(catalogs.Bytes())); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(same.Bytes(), data) {
			t.Fatalf("restored %q from %q", same.Bytes(), data)
		}
		changed := bytes.ReplaceAll(catalogs.Bytes(), []byte(word), []byte(marker))
		var restored, again bytes.Buffer
		if d.Restore(&restored, data, bytes.NewReader(changed)) != nil {
			return // the word is in the name of a member, for example
		}
		if _, err := d.Catalogs(&again, restored.Bytes()); err != nil {
			t.Fatalf("%v: %q, restored from %q", err, restored.Bytes(), data)
		}
		if bytes.Contains(again.Bytes(), []byte(word)) {
			t.Fatalf("%q is left in %q, restored from %q", word, restored.Bytes(), data)
		}
	})
}
