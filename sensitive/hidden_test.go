package sensitive_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/vmihailenco/msgpack/v5"
	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/sensitive"
	"github.com/pcatdev/pcat/serialization"
)

// hiddenSecret returns JSON of a value with a Sensitive, which may be in a member that
// the value leaves out.
func hiddenSecret(own string) map[string]string {
	return map[string]string{
		"itself":                own,
		"beside a Default":      `{"__ptype":"Default","x":` + own + `}`,
		"before its type":       `{"x":` + own + `,"__ptype":"Default"}`,
		"value of a Default":    `{"__ptype":"Default","__pvalue":` + own + `}`,
		"value of a Symbol":     `{"__ptype":"Symbol","__pvalue":` + own + `}`,
		"beside a Binary":       `{"__ptype":"Binary","__pvalue":"YWJj","x":[{"y":` + own + `}]}`,
		"beside a Regexp":       `{"__ptype":"Regexp","__pvalue":"a","x":` + own + `}`,
		"beside a Timestamp":    `{"__ptype":"Timestamp","__pvalue":"2020-01-01T00:00:00.000000000 UTC","x":` + own + `}`,
		"beside a Sensitive":    `{"__ptype":"Sensitive","__pvalue":"another-S3cret","x":` + own + `}`,
		"without a value":       `{"__ptype":"Sensitive","x":` + own + `}`,
		"beside a Hash":         `{"__ptype":"Hash","__pvalue":["k","v"],"x":` + own + `}`,
		"in a Hash of a map":    `{"__ptype":"Hash","__pvalue":{"k":` + own + `}}`,
		"replaced in a Hash":    `{"__ptype":"Hash","__pvalue":["k",` + own + `,"k","v"]}`,
		"key of a Hash":         `{"__ptype":"Hash","__pvalue":[` + own + `,"v"]}`,
		"last in a Hash":        `{"__ptype":"Hash","__pvalue":["k","v",` + own + `]}`,
		"in a Sensitive":        `{"__ptype":"Sensitive","__pvalue":{"__ptype":"Default","x":` + own + `}}`,
		"deep in a Default":     `[{"__ptype":"Default","x":{"__ptype":"Default","y":[` + own + `]}}]`,
		"argument":              `{"__ptype":"Deferred","name":"f","arguments":[` + own + `]}`,
		"beside an argument":    `{"__ptype":"Deferred","name":"f","arguments":[{"__ptype":"Default","x":` + own + `}]}`,
		"attribute":             `{"__ptype":"My::Type","x":` + own + `}`,
		"beside an attribute":   `{"__ptype":"My::Type","x":{"__ptype":"Default","y":` + own + `}}`,
		"type without meaning":  `{"__ptype":1,"__pvalue":` + own + `}`,
		"attribute of a type":   `{"__ptype":"Pcore::EnumType","values":[` + own + `]}`,
		"path of a reference":   `{"__ptype":"LocalRef","__pvalue":` + own + `}`,
		"escaped":               `{"__p\u0074ype":"Def\u0061ult","x":` + own + `}`,
		"Sensitive of nothing":  `{"__ptype":"Sensitive","value":` + own + `}`,
		"beside a Sensitive of": `{"__ptype":"Sensitive","__pvalue":null,"x":[` + own + `]}`,
	}
}

// documentsWith returns documents with a value in each location that a Sensitive may have,
// and another one with a copy.
func documentsWith(value, hidden string) map[string]string {
	copied := `{"type":"Notify","title":"copy","parameters":{"message":` + quoted("-- "+hidden+" --") + `}}`
	resource := func(rest string) string {
		return `{"name":"web01","resources":[` + copied + `,{"type":"T","title":"t",` + rest + `}],"edges":[]}`
	}
	member := func(rest string) string {
		return `{"name":"web01","resources":[` + copied + `],"edges":[],` + rest + `}`
	}
	return map[string]string{
		"parameter":          resource(`"parameters":{"p":` + value + `}`),
		"listed":             resource(`"parameters":{"p":` + value + `},"sensitive_parameters":["p"]`),
		"member":             resource(`"x":` + value),
		"metadata":           member(`"metadata":{"/a":` + value + `}`),
		"recursive_metadata": member(`"recursive_metadata":{"/a":[` + value + `]}`),
		"whole member":       member(`"metadata":` + value),
		"edge":               `{"name":"web01","resources":[` + copied + `],"edges":[{"source":"T[t]","target":"T[u]","x":` + value + `}]}`,
	}
}

// inForms returns a document as it is in each form.
func inForms(t tester, doc string) map[string][]byte {
	var v any
	if err := json.Unmarshal([]byte(doc), &v); err != nil {
		t.Fatal(err)
	}
	var pack bytes.Buffer
	e := msgpack.NewEncoder(&pack)
	e.SetSortMapKeys(true)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	y, err := yaml.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	y = append(y, "version: 1\n"...) // the members are sorted, and `resources` must not be the last
	return map[string][]byte{"rich-json": []byte(doc), "rich-msgpack": pack.Bytes(), "yaml": y}
}

// The location of a Sensitive that a Sensitive leaves out is the same in each form.
func TestLocationOfHiddenSecret(t *testing.T) {
	const argument = `{"__ptype":"Sensitive","__pvalue":{"__ptype":"Sensitive","_pvalue":"present"}}`
	doc := documentsWith(`{"__ptype":"Deferred","name":"f","arguments":[[`+argument+`]]}`, "present")["parameter"]
	for form, data := range inForms(t, doc) {
		_, report, err := redact(t, data, form, form, sensitive.NewMask())
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range report.NotFollowed {
			if n.Location != "T[t]/p/arguments/0/0" {
				t.Errorf("%s: %s", form, n.Location)
			}
		}
		if len(report.NotFollowed) == 0 {
			t.Errorf("%s: no secret is left out", form)
		}
	}
}

// A Sensitive in a member that a value leaves out is a secret, too: the document is
// rejected, or neither the secret nor a copy is left.
func TestHiddenSecrets(t *testing.T) {
	if testing.Short() {
		t.Skip("it redacts hundreds of documents")
	}
	const hidden = "Zx9-qKw4vTz!"
	for name, value := range hiddenSecret(`{"__ptype":"Sensitive","__pvalue":"` + hidden + `"}`) {
		t.Run(name, func(t *testing.T) {
			for location, doc := range documentsWith(value, hidden) {
				for form, data := range inForms(t, doc) {
					for mode, masker := range maskers(t) {
						out, _, err := redact(t, data, form, form, masker())
						if err == nil && strings.Contains(string(out), hidden) {
							t.Errorf("%s, %s, %s: %s", location, form, mode, out)
						}
					}
				}
			}
		})
	}
}

// The same for secrets at random locations.
func TestSecretsAnywhere(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := 0
		var secrets []string
		var value *rapid.Generator[string]
		value = rapid.Custom(func(t *rapid.T) string {
			of := func() string {
				if rapid.IntRange(0, 2).Draw(t, "deep") == 0 {
					return value.Draw(t, "value")
				}
				return rapid.SampledFrom([]string{`1`, `"a"`, `null`, `[]`, `{"k":"v"}`, `{"__ptype":"Default"}`}).Draw(t, "leaf")
			}
			switch rapid.IntRange(0, 4).Draw(t, "kind") {
			case 0:
				typ := rapid.SampledFrom([]string{`"Default"`, `"Sensitive"`, `"Symbol"`, `"My::Type"`, `"Binary"`, `"Hash"`, `"Deferred"`, `1`, `"Nope"`, `{}`}).Draw(t, "type")
				return rapid.SampledFrom([]string{
					`{"__ptype":` + typ + `,"x":` + of() + `}`,
					`{"x":` + of() + `,"__ptype":` + typ + `}`,
					`{"__ptype":` + typ + `,"__pvalue":` + of() + `}`,
					`{"__pvalue":` + of() + `,"__ptype":` + typ + `,"x":` + of() + `}`,
					`{"__ptype":` + typ + `,"name":"f","arguments":[` + of() + `]}`,
				}).Draw(t, "rich")
			case 1:
				return "[" + of() + "," + of() + "]"
			case 2:
				return `{"__ptype":"Hash","__pvalue":[` + of() + "," + of() + "," + of() + "]}"
			default:
				n++
				secrets = append(secrets, fmt.Sprintf("S3cret-%d!x", n))
				return `{"__ptype":"Sensitive","__pvalue":` + quoted(secrets[len(secrets)-1]) + `}`
			}
		})
		v := value.Draw(rt, "value")
		for location, doc := range documentsWith(v, strings.Join(secrets, " ")) {
			for form, data := range inForms(rt, doc) {
				out, _, err := redact(t, data, form, form, sensitive.NewMask())
				for _, hidden := range secrets {
					// Samples that were not chosen have no Sensitive.
					if err == nil && strings.Contains(v, hidden) && strings.Contains(string(out), hidden) {
						rt.Fatalf("%s, %s: %s\n%s", location, form, data, out)
					}
				}
			}
		}
	})
}

// A secret that refers to another value is an error: the value is not where the secret
// is.
func TestSecretReferences(t *testing.T) {
	const reference = `{"__ptype":"LocalRef","__pvalue":"$['a']"}`
	for name, parameters := range map[string]string{
		"to a member":      `"p":{"a":"Zx9-qKw4vTz!","b":{"__ptype":"Sensitive","__pvalue":` + reference + `}}`,
		"to a parameter":   `"a":"Zx9-qKw4vTz!","p":{"__ptype":"Sensitive","__pvalue":` + reference + `}`,
		"in an argument":   `"a":"Zx9-qKw4vTz!","p":{"__ptype":"Deferred","name":"f","arguments":[{"__ptype":"Sensitive","__pvalue":` + reference + `}]}`,
		"inside":           `"a":"Zx9-qKw4vTz!","p":{"__ptype":"Sensitive","__pvalue":["x",{"y":` + reference + `}]}`,
		"inside of a Hash": `"a":"Zx9-qKw4vTz!","p":{"__ptype":"Sensitive","__pvalue":{"__ptype":"Hash","__pvalue":[` + reference + `,1]}}`,
		"with escapes":     `"a":"Zx9-qKw4vTz!","p":{"__ptype":"Sensitive","__pvalue":{"__pt\u0079pe":"Local\u0052ef","__pvalue":"$['a']"}}`,
		"listed":           `"a":"Zx9-qKw4vTz!","l":` + reference,
		"in a listed one":  `"a":"Zx9-qKw4vTz!","l":[{"y":` + reference + `}]`,
	} {
		t.Run(name, func(t *testing.T) {
			doc := in(`{"type":"T","title":"t","parameters":{` + parameters + `},"sensitive_parameters":["l"]}`)
			for form, data := range inForms(t, doc) {
				out, _, err := redact(t, data, form, form, sensitive.NewMask())
				if !errors.Is(err, serialization.ErrReference) {
					t.Errorf("%s: %s, %v", form, out, err)
				}
			}
		})
	}
	// A reference to a secret is no secret.
	doc := in(`{"type":"T","title":"t","parameters":{"p":{"a":{"__ptype":"Sensitive","__pvalue":"Zx9-qKw4vTz!"},"b":` + reference + `}}}`)
	for form, data := range inForms(t, doc) {
		if out, _, err := redact(t, data, form, form, sensitive.NewMask()); err != nil || strings.Contains(string(out), "Zx9") {
			t.Errorf("%s: %s, %v", form, out, err)
		}
	}
}
