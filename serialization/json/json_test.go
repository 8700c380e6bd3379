package json_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/json"
	"github.com/pcatdev/pcat/serialization/richdata"
)

func TestCatalogsAreWrittenAsTheyWereRead(t *testing.T) {
	files, err := filepath.Glob("../../testdata/catalogs/*/rich.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no catalogs: %v", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		v, err := json.Decode(data, serialization.DecodeOptions{AllowUnknownTypes: true})
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		got, err := json.Append(nil, v, richdata.Rich, serialization.EncodeOptions{Secrets: serialization.ClearSecrets})
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if string(got) != string(data) {
			t.Errorf("%s: differs", file)
		}
	}
}
