package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/pcatdev/pcat/cmd/pcat/internal/schema"
)

// invalid is the exit code of a run whose JSON does not match its schema.
const invalid = 99

// validEnv is set for the commands whose JSON is validated.
const validEnv = "PCAT_TEST_VALID"

// validated runs a command. If args ask for JSON, its output must match the schema of the command,
// without members that the schema does not have. So all scripts validate their output.
func validated(args []string, main func() int) int {
	format := func(name string) bool {
		i := slices.Index(args, "--format") + 1
		return slices.Contains(args, "--"+name) || i > 0 && i < len(args) && args[i] == name
	}
	lines := format("jsonl")
	if os.Getenv(validEnv) == "" || len(args) == 0 || !lines && !format("json") || args[0] == "schema" || slices.Contains(args, "--help") || strings.HasPrefix(args[0], "__") {
		return main()
	}
	stdout := os.Stdout
	r, w, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	os.Stdout = w
	printed := make(chan []byte)
	go func() {
		var all bytes.Buffer
		_, _ = io.Copy(io.MultiWriter(&all, stdout), r) // the reader of a script may stop
		_, _ = io.Copy(&all, r)
		printed <- all.Bytes()
	}()
	code := main()
	_ = w.Close()
	out := <-printed
	if code > 1 || len(out) == 0 {
		return code
	}
	command := args[0]
	if _, err := schema.Of(command, false); err != nil && len(args) > 1 {
		command += " " + args[1]
	}
	if err := validate(command, out, lines); err != nil {
		fmt.Fprintf(os.Stderr, "the JSON does not match its schema: %v\n", err)
		return invalid
	}
	return code
}

// validate returns an error if the output of a command does not match its schema.
func validate(command string, out []byte, lines bool) error {
	text, err := schema.Of(command, lines)
	if err != nil {
		return err
	}
	s, err := compile(text)
	if err != nil {
		return err
	}
	for in := json.NewDecoder(bytes.NewReader(out)); ; {
		var d json.RawMessage // graph prints one document for each catalog
		if err := in.Decode(&d); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(d))
		if err != nil {
			return fmt.Errorf("%w: %s", err, d)
		}
		if err := s.Validate(v); err != nil {
			return fmt.Errorf("%w: %s", err, d)
		}
	}
}

// compile compiles a schema that refuses members that it does not have.
func compile(text []byte) (*jsonschema.Schema, error) {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	closeObjects(v)
	c := jsonschema.NewCompiler()
	const id = "schema.json"
	if err := c.AddResource(id, v); err != nil {
		return nil, err
	}
	return c.Compile(id)
}

// closeObjects adds additionalProperties to each schema with properties.
func closeObjects(v any) {
	switch v := v.(type) {
	case map[string]any:
		properties, object := v["properties"].(map[string]any)
		if _, open := v["additionalProperties"]; object && !open {
			v["additionalProperties"] = false
		}
		for key, e := range v {
			if key != "properties" {
				closeObjects(e)
			}
		}
		for _, e := range properties {
			closeObjects(e)
		}
	case []any:
		for _, e := range v {
			closeObjects(e)
		}
	}
}

// Every schema is valid, describes its members, and allows others, which later versions may have.
func TestSchemas(t *testing.T) {
	for _, command := range schema.Names() {
		text, err := schema.Of(command, false)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := compile(text); err != nil {
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
