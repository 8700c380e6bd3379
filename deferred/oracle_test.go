package deferred_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/pcatdev/pcat/deferred"
	"github.com/pcatdev/pcat/internal/test/conformance"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/eval"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/function/stdlib"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
	"github.com/pcatdev/pcat/serialization/richdata"
)

// TestFaithful resolves the documents of testdata/values.jsonl, or of the file
// named by PCAT_VALUES, and compares the results with recorded results of
// Puppet.
func TestFaithful(t *testing.T) {
	file := os.Getenv("PCAT_VALUES")
	if file == "" {
		file = "testdata/values.jsonl"
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		c := new(conformance.Case)
		if err := json.Unmarshal(lines.Bytes(), c); err != nil {
			t.Fatal(err)
		}
		if c.AnythingGoes() || c.Expect.SerializeError != "" {
			continue
		}
		r := resolver(t)
		r.Faithful = true
		if raw := c.Raw("facts"); raw != nil {
			r.Facts = decode(t, string(raw)).(*pcore.Hash)
		}
		check := func(want conformance.Answer) error {
			got, err := resolveText(t, r, c.Raw("doc"))
			return want.Check(err, func() error { return conformance.SameJSON(want.Value, encode(t, got)) })
		}
		if err := check(c.Expect); err != nil {
			t.Errorf("%s %s\n\t%v", c.ID, c.Raw("doc"), err)
		}
		if lax, ok := c.Answer("expect_lax"); ok {
			r.Language = eval.Lax()
			if err := check(lax); err != nil {
				t.Errorf("%s, lax, %s\n\t%v", c.ID, c.Raw("doc"), err)
			}
		}
	}
}

func resolveText(t *testing.T, r *deferred.Resolver, doc []byte) (pcore.Value, error) {
	t.Helper()
	v, err := formats.RichJSON().Decode(doc, options())
	if err != nil {
		return nil, err
	}
	return r.Resolve(t.Context(), v)
}

func options() serialization.DecodeOptions {
	return serialization.DecodeOptions{Types: richdata.Types{}, AllowUnknownTypes: true}
}

// resolver returns a resolver with the functions of the language that may read
// files.
func resolver(t *testing.T) *deferred.Resolver {
	t.Helper()
	functions, err := stdlib.New(pcore.OpenVox8)
	if err != nil {
		t.Fatal(err)
	}
	return &deferred.Resolver{
		Functions: functions,
		Policy:    deferred.Policy{Effects: function.ReadsFiles},
		World:     function.Env{Files: function.Tree{Folders: []string{"/"}}},
	}
}

func decode(t *testing.T, text string) pcore.Value {
	t.Helper()
	v, err := formats.RichJSON().Decode([]byte(text), options())
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

func encode(t *testing.T, v pcore.Value) []byte {
	t.Helper()
	text, err := formats.RichJSON().Append(nil, v, serialization.EncodeOptions{Secrets: serialization.PlainSecrets})
	if err != nil {
		t.Fatalf("%s: %v", v, err)
	}
	return text
}
