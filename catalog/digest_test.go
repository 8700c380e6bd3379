package catalog_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

var digestKey = []byte("0123456789abcdef")

// resourceOf reads the only resource of a document.
func resourceOf(t *testing.T, doc []byte, form serialization.Format) *catalog.Resource {
	t.Helper()
	for r, err := range catalog.NewReaderBytes(doc, form, serialization.DecodeOptions{}).Resources() {
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	t.Fatal("no resource")
	return nil
}

func digestOf(t *testing.T, members string) [32]byte {
	t.Helper()
	doc := `{"name":"n","resources":[{"type":"User","title":"a",` + members + `}],"edges":[]}`
	d, err := resourceOf(t, []byte(doc), formats.RichJSON()).Digest(digestKey)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestDigest(t *testing.T) {
	const base = `"tags":["x","y"],"parameters":{"a":[1,{"k":"v","l":1.5}],"b":"s"}`
	want := digestOf(t, base)
	for name, tt := range map[string]struct {
		members string
		same    bool
	}{
		"order of keys":       {`"parameters":{"b":"s","a":[1,{"l":1.5,"k":"v"}]},"tags":["x","y"]`, true},
		"spelling":            {`"tags":["x","y"],"parameters":{"a":[1,{"k":"\u0076","l":15e-1}],"b":"s"}`, true},
		"file and line":       {`"file":"/a.pp","line":3,` + base, true},
		"order of elements":   {`"tags":["y","x"],"parameters":{"a":[1,{"k":"v","l":1.5}],"b":"s"}`, false},
		"another value":       {`"tags":["x","y"],"parameters":{"a":[1,{"k":"v","l":1.5}],"b":"t"}`, false},
		"Integer and Float":   {`"tags":["x","y"],"parameters":{"a":[1.0,{"k":"v","l":1.5}],"b":"s"}`, false},
		"text and number":     {`"tags":["x","y"],"parameters":{"a":["1",{"k":"v","l":1.5}],"b":"s"}`, false},
		"key moved":           {`"tags":["x","y"],"parameters":{"a":[1,{"k":"v"},{"l":1.5}],"b":"s"}`, false},
		"a name is Sensitive": {base + `,"sensitive_parameters":["b"]`, false},
		"a value Sensitive":   {`"tags":["x","y"],"parameters":{"a":[1,{"k":"v","l":1.5}],"b":{"__ptype":"Sensitive","__pvalue":"s"}}`, false},
	} {
		if same := digestOf(t, tt.members) == want; same != tt.same {
			t.Errorf("%s: same is %t", name, same)
		}
	}
}

// TestDigestOfForms reads one resource in every rich format.
func TestDigestOfForms(t *testing.T) {
	const doc = `{"name":"n","resources":[{"type":"User","title":"a","parameters":{"t":{"__ptype":"Timestamp","__pvalue":"2026-01-02T03:04:05.000000006 UTC"},"d":{"__ptype":"Deferred","name":"f","arguments":[{"__ptype":"Binary","__pvalue":"AAE="}]},"r":{"__ptype":"Regexp","__pvalue":"a.b"}}}],"edges":[]}`
	v, err := formats.RichJSON().Decode([]byte(doc), serialization.DecodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want, err := resourceOf(t, []byte(doc), formats.RichJSON()).Digest(digestKey)
	if err != nil {
		t.Fatal(err)
	}
	for _, form := range formats.Default().Formats() {
		if !form.Rich {
			continue
		}
		other, err := form.Append(nil, v, serialization.EncodeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := resourceOf(t, other, form).Digest(digestKey); err != nil || got != want {
			t.Errorf("%s: another digest, %v", form.Name, err)
		}
	}
}

func TestDigestErrors(t *testing.T) {
	const doc = `{"name":"n","resources":[{"type":"User","title":"a","parameters":{"password":{"__ptype":"Integer","__pvalue":"hunter2"}},"sensitive_parameters":["password"]}],"edges":[]}`
	r := resourceOf(t, []byte(doc), formats.RichJSON())
	if _, err := r.Digest(digestKey[:15]); !errors.Is(err, catalog.ErrDigestKey) {
		t.Errorf("a short key: %v", err)
	}
	if _, err := r.Digest(digestKey); err != nil && strings.Contains(err.Error(), "hunter2") {
		t.Errorf("the error shows the secret: %v", err)
	}
	one, err := resourceOf(t, []byte(small), formats.RichJSON()).Digest(digestKey)
	if err != nil {
		t.Fatal(err)
	}
	other, err := resourceOf(t, []byte(small), formats.RichJSON()).Digest([]byte("another key 0123"))
	if err != nil || one == other {
		t.Errorf("the key does not count: %v", err)
	}
}
