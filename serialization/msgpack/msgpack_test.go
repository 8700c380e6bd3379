package msgpack_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/json"
	"github.com/pcatdev/pcat/serialization/msgpack"
	"github.com/pcatdev/pcat/serialization/richdata"
)

func TestCatalogsGoToJSONAndBack(t *testing.T) {
	files, err := filepath.Glob("../../testdata/catalogs/*/rich.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no catalogs: %v", err)
	}
	read := serialization.DecodeOptions{AllowUnknownTypes: true}
	write := serialization.EncodeOptions{Secrets: serialization.ClearSecrets}
	for _, file := range files {
		asJSON, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		packed, err := os.ReadFile(filepath.Join(filepath.Dir(file), "rich.msgpack"))
		if err != nil {
			t.Fatal(err)
		}
		v, err := json.Decode(asJSON, read)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := msgpack.Append(nil, v, richdata.Rich, write); err != nil || string(got) != string(packed) {
			t.Errorf("%s to MessagePack: differs, %v", file, err)
		}
		v, err = msgpack.Decode(packed, read)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := json.Append(nil, v, richdata.Rich, write); err != nil || string(got) != string(asJSON) {
			t.Errorf("%s from MessagePack: differs, %v", file, err)
		}
	}
}
