package stdlib_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/pcatdev/pcat/internal/test/conformance"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/function/stdlib"
	"github.com/pcatdev/pcat/pcore/typeexpr"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// TestAgainstPuppet evaluates the calls in testdata: Deferred values with
// recorded results of Puppet, of version 8.5 of the module, and of 9.7 and the
// modules for databases (16.3 and 10.6). PCAT_CALLS can name another file.
func TestAgainstPuppet(t *testing.T) {
	files := []string{"testdata/calls.jsonl", "testdata/module.jsonl", "testdata/module9.jsonl"}
	if file := os.Getenv("PCAT_CALLS"); file != "" {
		files = []string{file}
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) { againstPuppet(t, file) })
	}
}

func againstPuppet(t *testing.T, file string) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	registry, err := stdlib.New(pcore.Puppet7)
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
		got, err := resolve(registry, c)
		err = c.Expect.Check(err, func() error {
			text, err := formats.RichJSON().Append(nil, got, serialization.EncodeOptions{Secrets: serialization.PlainSecrets})
			if err != nil {
				return err
			}
			return conformance.SameJSON(c.Expect.Value, text)
		})
		if err != nil {
			t.Errorf("%s %s\n\t%v", c.ID, c.Raw("doc"), err)
		}
	}
}

func newRegistry(t *testing.T) *function.Registry {
	t.Helper()
	r, err := stdlib.New(pcore.OpenVox8)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func resolve(r *function.Registry, c *conformance.Case) (pcore.Value, error) {
	doc, err := formats.RichJSON().Decode(c.Raw("doc"), serialization.DecodeOptions{})
	if err != nil {
		return nil, err
	}
	var facts pcore.Value = pcore.NewHash()
	if raw := c.Raw("facts"); raw != nil {
		if facts, err = formats.RichJSON().Decode(raw, serialization.DecodeOptions{}); err != nil {
			return nil, err
		}
	}
	env := &function.Env{
		Functions: r,
		Allow:     func(*function.Function) error { return nil },
		Variables: variables{"facts": facts},
		Files:     files{},
		ParseType: func(text string) (pcore.Type, error) { return typeexpr.Parse(text, nil) },
		Resolve: func(c *function.Call, d *pcore.Deferred) (pcore.Value, error) {
			return apply(c.Context(), c.Env, d)
		},
	}
	return apply(context.Background(), env, doc)
}

// apply makes the calls in a value, innermost first.
func apply(ctx context.Context, env *function.Env, v pcore.Value) (pcore.Value, error) {
	switch v := v.(type) {
	case *pcore.Deferred:
		args, err := applyAll(ctx, env, slices.Collect(v.Arguments().Values()))
		if err != nil {
			return nil, err
		}
		return env.Call(ctx, v.Name(), args, nil)
	case *pcore.Array:
		elems, err := applyAll(ctx, env, slices.Collect(v.Values()))
		return pcore.NewArray(elems...), err
	default:
		return v, nil
	}
}

func applyAll(ctx context.Context, env *function.Env, values []pcore.Value) ([]pcore.Value, error) {
	for i, v := range values {
		var err error
		if values[i], err = apply(ctx, env, v); err != nil {
			return nil, err
		}
	}
	return values, nil
}

type variables map[string]pcore.Value

func (vs variables) Variable(name string) (pcore.Value, bool, error) {
	v, ok := vs[name]
	return v, ok, nil
}

// files provides the files of this machine, without modules.
type files struct{}

func (files) Find(_ function.FileKind, name string) (string, bool, error) {
	if !strings.HasPrefix(name, "/") {
		return "", false, nil
	}
	_, err := os.Stat(name)
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return "", false, nil
	}
	return name, err == nil, err
}

func (files) ReadFile(path string, _ func(int) error) ([]byte, error) { return os.ReadFile(path) }

func (files) ModuleDir(string) (string, bool, error) { return "", false, nil }
