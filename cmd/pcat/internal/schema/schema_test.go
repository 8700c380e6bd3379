package schema_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/pcatdev/pcat/cmd/pcat/internal/schema"
)

// compile returns an error if a schema is not valid.
func compile(text []byte) error {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	c := jsonschema.NewCompiler()
	const id = "schema.json"
	if err := c.AddResource(id, v); err != nil {
		return err
	}
	_, err = c.Compile(id)
	return err
}

// Every schema is valid, describes its members, and allows others, which later versions may have.
func TestSchemas(t *testing.T) {
	for _, command := range schema.Names() {
		text, err := schema.Of(command, false)
		if err != nil {
			t.Fatal(err)
		}
		if err := compile(text); err != nil {
			t.Errorf("%s: %v", command, err)
		}
		var s struct {
			Title      string
			Properties map[string]described
			Defs       map[string]struct{ Properties map[string]described } `json:"$defs"`
		}
		if err := json.Unmarshal(text, &s); err != nil || s.Title != "pcat "+command+" "+cmp.Or(otherFlags[command], "--json") {
			t.Errorf("%s: title %q, %v", command, s.Title, err)
		}
		for name, p := range s.Properties {
			p.check(t, command, name)
		}
		for def, d := range s.Defs {
			for name, p := range d.Properties {
				p.check(t, command+": "+def, name)
			}
		}
	}
}

// otherFlags are the flags that write a document if it is not --json.
var otherFlags = map[string]string{"resolve": "--report"}

type described struct {
	Description string
	Open        any `json:"additionalProperties"` // false, or a schema of the others
}

func (d *described) check(t *testing.T, where, name string) {
	t.Helper()
	if d.Description == "" || d.Open == false {
		t.Errorf("%s: %s has no description, or is closed", where, name)
	}
}
