package eval_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/internal/test/conformance"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/eval"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// TestReference evaluates the programs of programs.jsonl and functions.jsonl, and the operators of
// operators.jsonl on values of all types. Both contain recorded results of
// Puppet.
func TestReference(t *testing.T) {
	functions := registry(t)
	for _, name := range []string{"programs.jsonl", "operators.jsonl", "functions.jsonl"} {
		t.Run(name, func(t *testing.T) {
			for _, c := range cases(t, filepath.Join("testdata", name)) {
				if c.AnythingGoes() {
					continue
				}
				if err := agrees(t, functions, c); err != nil {
					code, _ := c.Text("code")
					t.Errorf("%s: %s\n\t%v", c.ID, code, err)
				}
			}
		})
	}
}

func cases(tb testing.TB, path string) []*conformance.Case {
	tb.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	var all []*conformance.Case
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		c := new(conformance.Case)
		if err := json.Unmarshal(lines.Bytes(), c); err != nil {
			tb.Fatal(err)
		}
		all = append(all, c)
	}
	return all
}

func agrees(t *testing.T, functions function.Finder, c *conformance.Case) error {
	code, _ := c.Text("code")
	w := newWorld(functions, eval.Mode{})
	v, err := w.run(t.Context(), code)
	if err := c.Expect.Check(err, func() error { return sameValue(c.Expect, v) }); err != nil {
		return err
	}
	if !c.Expect.Failed() {
		if err := sameLogs(c, w.logs); err != nil {
			return err
		}
	}
	lax, ok := c.Answer("expect_lax")
	if !ok {
		return nil
	}
	v, err = newWorld(functions, eval.Lax()).run(t.Context(), code)
	if err := lax.Check(err, func() error { return sameValue(lax, v) }); err != nil {
		return fmt.Errorf("lax: %w", err)
	}
	return nil
}

func sameValue(a conformance.Answer, v pcore.Value) error {
	if a.SerializeError != "" {
		return nil
	}
	text, err := formats.RichJSON().Append(nil, v, serialization.EncodeOptions{Secrets: serialization.PlainSecrets})
	if err != nil {
		return err
	}
	return conformance.SameJSON(a.Value, text)
}

// sameLogs compares log messages. The reference logs a deprecation only once per
// process.
func sameLogs(c *conformance.Case, logs []message) error {
	var want []message
	if raw := c.Raw("logs"); raw != nil {
		if err := json.Unmarshal(raw, &want); err != nil {
			return err
		}
	}
	got := slices.DeleteFunc(logs, func(m message) bool {
		deprecation := m[0] == "warning" && strings.Contains(m[1], "deprecated")
		return m[0] == "debug" || m[0] == "err" || deprecation && !slices.Contains(want, m)
	})
	if !slices.Equal(got, want) {
		return fmt.Errorf("logs: want %q, got %q", want, got)
	}
	return nil
}
