package varied_test

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/pcatdev/pcat/bench/varied"
)

// A catalog has its size, and equal arguments give equal bytes.
func TestCatalog(t *testing.T) {
	var one, two bytes.Buffer
	for _, b := range []*bytes.Buffer{&one, &two} {
		if err := varied.Catalog(b, 3, 4<<20); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(one.Bytes(), two.Bytes()) || !json.Valid(one.Bytes()) || one.Len() < 4<<20 || one.Len() > 5<<20 {
		t.Errorf("%d and %d bytes", one.Len(), two.Len())
	}
	secrets := bytes.Count(one.Bytes(), []byte(`"Sensitive"`)) + bytes.Count(one.Bytes(), []byte(`"sensitive_parameters"`))
	if secrets < 90 || secrets > 100 {
		t.Errorf("%d secrets", secrets)
	}
}

func TestCopied(t *testing.T) {
	real, err := os.ReadFile("../../testdata/catalogs/webstack/rich.json")
	if err != nil {
		t.Fatal(err)
	}
	got, err := varied.Copied(real, 1<<20)
	if err != nil || !json.Valid(got) || len(got) < 1<<20 || len(got) > 2<<20 {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if _, err := varied.Copied([]byte("{"), 1); err == nil {
		t.Error("no error")
	}
}
