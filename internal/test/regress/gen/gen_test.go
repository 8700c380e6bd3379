package gen

import (
	"bytes"
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

func TestSeeds(t *testing.T) {
	made := func(seed uint64) []byte { return JSON(Catalog(Options{Seed: seed, Fleet: 1}), seed%3) }
	for seed := range uint64(50) {
		one := made(seed)
		if !bytes.Equal(one, made(seed)) {
			t.Fatalf("the same seed %d makes another catalog", seed)
		}
		if bytes.Equal(one, made(seed+1)) {
			t.Errorf("seed %d makes the catalog of the next", seed)
		}
		if !json.Valid(one) || !utf8.Valid(one) {
			t.Errorf("seed %d makes no JSON", seed)
		}
	}
}

// Most catalogs, and all valid ones, can be read: faults must not hide the handling of values.
func TestFaults(t *testing.T) {
	format := formats.RichJSON()
	refused := map[bool]int{}
	for seed := range uint64(300) {
		for _, valid := range []bool{false, true} {
			data := JSON(Catalog(Options{Seed: seed, Valid: valid}), seed%4)
			if _, err := format.Decode(data, serialization.DecodeOptions{AllowUnknownTypes: true}); err != nil {
				refused[valid]++
				if valid {
					t.Errorf("seed %d: %v", seed, err)
				}
			}
		}
	}
	if n := refused[false]; n == 0 || n > 60 {
		t.Errorf("%d of 300 catalogs are refused", n)
	}
}

func TestAgentYAML(t *testing.T) {
	format := formats.YAML()
	wire := formats.RichJSON()
	for seed := range uint64(100) {
		tree := Catalog(Options{Seed: seed, Valid: true})
		got, err := format.Decode(AgentYAML(tree), serialization.DecodeOptions{AllowUnknownTypes: true})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		want, err := wire.Decode(JSON(tree, 0), serialization.DecodeOptions{AllowUnknownTypes: true})
		if err != nil {
			t.Fatal(err)
		}
		a, err := wire.Append(nil, got, serialization.EncodeOptions{Secrets: serialization.PlainSecrets})
		if err != nil {
			t.Fatal(err)
		}
		b, err := wire.Append(nil, want, serialization.EncodeOptions{Secrets: serialization.PlainSecrets})
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a, b) {
			t.Fatalf("seed %d: another catalog:\n%s\n%s", seed, a, b)
		}
	}
}

func TestBreak(t *testing.T) {
	data := JSON(Catalog(Options{Seed: 1}), 0)
	before := bytes.Clone(data)
	changed := 0
	for seed := range uint64(100) {
		out := Break(data, seed)
		if !bytes.Equal(out, Break(data, seed)) {
			t.Fatalf("the same seed %d makes another fault", seed)
		}
		if !bytes.Equal(out, data) {
			changed++
		}
	}
	if !bytes.Equal(data, before) {
		t.Error("the input is changed")
	}
	if changed < 95 {
		t.Errorf("%d of 100 have a fault", changed)
	}
	if out := Break(nil, 1); len(out) != 0 {
		t.Errorf("%q of nothing", out)
	}
}
