package reference

import (
	stdjson "encoding/json"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/internal/test/anystruct"
	"github.com/pcatdev/pcat/pcore/native"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// TestNative checks that Puppet reads the types and the values that package
// native makes of random Go values, and that each value is an instance of its
// type.
func TestNative(t *testing.T) {
	requirePuppet(t)
	puppet := serve(t, filepath.Join("testdata", "native.rb"))
	rapid.Check(t, func(t *rapid.T) {
		for range 5 {
			goType := anystruct.Type(t, 3)
			typ, err := new(native.Codec).TypeOf(goType)
			if err != nil {
				t.Fatal(err)
			}
			v, err := native.Marshal(anystruct.Value(t, goType).Interface())
			if err != nil {
				t.Fatal(err)
			}
			text, err := formats.RichJSON().Append(nil, v, serialization.EncodeOptions{Secrets: serialization.PlainSecrets})
			if err != nil {
				t.Fatal(err)
			}
			var answer struct {
				OK          bool
				Type, Error string
			}
			question := struct {
				Type string             `json:"type"`
				JSON stdjson.RawMessage `json:"json"`
			}{typ.String(), text}
			switch err := puppet.ask(question, &answer); {
			case err != nil:
				t.Fatal(err)
			case answer.Error != "":
				t.Fatalf("Puppet: %s\n%s\n%s", answer.Error, typ, text)
			case !answer.OK:
				t.Fatalf("Puppet: not a %s, which it reads as %s:\n%s", typ, answer.Type, text)
			case answer.Type != typ.String():
				t.Fatalf("Puppet writes %s, pcat %s", answer.Type, typ)
			}
		}
	})
}
