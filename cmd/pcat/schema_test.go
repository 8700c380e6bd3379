package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

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
	s, err := closed(text)
	if err != nil {
		return err
	}
	for in := json.NewDecoder(bytes.NewReader(out)); ; {
		var d any // graph prints one document for each catalog
		if err := in.Decode(&d); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
		if err := s.Validate(d); err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
	}
}

// closed returns a schema that refuses members that it does not have. The pcat of the scripts validates with a package
// that does nothing until then: it starts for each command. The test of package schema validates the schemas.
func closed(text []byte) (*jsonschema.Resolved, error) {
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		return nil, err
	}
	closeObjects(v)
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, err
	}
	return s.Resolve(nil)
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

// A document with an unknown member, a wrong type, or without a member is refused, in a stream also.
func TestClosedSchema(t *testing.T) {
	out, err := exec.Command("pcat", "version", "--json").Output()
	if err != nil {
		t.Fatal(err)
	}
	var d map[string]any
	if err := json.Unmarshal(out, &d); err != nil {
		t.Fatal(err)
	}
	if err := validate("version", slices.Concat(out, out), false); err != nil {
		t.Error(err)
	}
	for name, change := range map[string]func(map[string]any){
		"unknown": func(d map[string]any) { d["unknown"] = 1 },
		"type":    func(d map[string]any) { d["version"] = 1 },
		"missing": func(d map[string]any) { delete(d, "version") },
	} {
		other := maps.Clone(d)
		change(other)
		text, err := json.Marshal(other)
		if err != nil {
			t.Fatal(err)
		}
		if validate("version", slices.Concat(out, text), false) == nil {
			t.Errorf("%s: %s is accepted", name, text)
		}
	}
}
