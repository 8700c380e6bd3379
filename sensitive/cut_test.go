package sensitive_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/sensitive"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// redactYAML returns the redacted document.
func redactYAML(text []byte) ([]byte, error) {
	src := func() *catalog.Reader {
		return catalog.NewReaderBytes(text, formats.YAML(), serialization.DecodeOptions{})
	}
	c := sensitive.NewCollector(sensitive.CollectOptions{})
	if err := c.Collect(src()); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err := c.Secrets().Redactor(nil).Redact(context.Background(), &out, formats.YAML(), src())
	return out.Bytes(), err
}

// declaredTexts returns the texts of the parameters that a catalog declares to be
// secret, except those that its redaction contains, too.
func declaredTexts(t *testing.T, text, redacted []byte) (texts []string) {
	t.Helper()
	for res, err := range catalog.NewReaderBytes(text, formats.YAML(), serialization.DecodeOptions{}).Resources() {
		if err != nil {
			t.Fatal(err)
		}
		parameters, err := res.RevealParameters()
		if err != nil {
			t.Fatal(err)
		}
		listed := res.SensitiveParameters()
		for name, v := range parameters.All() {
			s, isSecret := v.(*pcore.Sensitive)
			if isSecret {
				v = s.Reveal()
			}
			text, ok := v.(pcore.String)
			if key, ok := name.(pcore.String); ok && slices.Contains(listed, string(key)) {
				isSecret = true
			}
			if ok && isSecret && !bytes.Contains(redacted, []byte(text)) {
				texts = append(texts, string(text))
			}
		}
	}
	return texts
}

// asYAML returns a catalog in rich JSON as YAML.
func asYAML(t *testing.T, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := catalog.NewWriter(&b, formats.YAML(), catalog.WriteOptions{Secrets: serialization.PlainSecrets})
	if err := catalog.Copy(context.Background(), w, catalog.NewReaderBytes(data, formats.RichJSON(), serialization.DecodeOptions{})); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestCutYAML cuts catalogs at every byte, or larger ones at some of the line breaks,
// unless the environment variable PCAT_EVERY_CUT is set. A part of a catalog is refused,
// or redacted without any secret that the whole declares.
func TestCutYAML(t *testing.T) {
	if testing.Short() {
		t.Skip("it redacts each beginning of a document")
	}
	texts := map[string][]byte{
		"own": asYAML(t, []byte(`{"name":"n","resources":[{"type":"A","title":"a","parameters":{"p":"Kestrel-Fjord","q":"is Kestrel-Fjord"},`+
			`"sensitive_parameters":["p"]},{"type":"B","title":"b","parameters":{"r":{"__ptype":"Sensitive","__pvalue":"Osprey-Sound"}}}],"edges":[],"classes":["c"]}`)),
	}
	files, err := filepath.Glob("../testdata/catalogs/*/rich.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(files, "../testdata/catalogs/relations/agent.yaml") {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		texts[file] = data
		if filepath.Ext(file) == ".json" {
			texts[file] = asYAML(t, data)
		}
	}
	for file, text := range texts {
		t.Run(file, func(t *testing.T) { cutEverywhere(t, text) })
	}
}

func cutEverywhere(t *testing.T, text []byte) {
	redacted, err := redactYAML(text)
	if err != nil {
		t.Fatal(err)
	}
	secrets := declaredTexts(t, text, redacted)
	const small, steps = 2 << 10, 100
	every := len(text) <= small || os.Getenv("PCAT_EVERY_CUT") != ""
	lines := bytes.Count(text, []byte("\n"))
	refused, kept, line := 0, 0, 0
	for cut := range text {
		if text[cut] == '\n' {
			line++
		}
		if !every && (text[cut] != '\n' || line%(lines/steps+1) != 0) {
			continue
		}
		out, err := redactYAML(text[:cut])
		if err != nil {
			refused++
			continue
		}
		kept++
		for _, s := range secrets {
			if bytes.Contains(out, []byte(s)) {
				t.Fatalf("cut at byte %d, a declared secret is in the output", cut)
			}
		}
	}
	t.Logf("%d secrets, %d bytes; %d parts are refused, %d redacted", len(secrets), len(text), refused, kept)
}

func TestYAMLWithoutEdgesIsRefused(t *testing.T) {
	const resource = "resources:\n- {type: A, title: a, parameters: {p: Kestrel-Fjord}, sensitive_parameters: [p]}\n"
	for text, complete := range map[string]bool{
		resource:                                 false,
		"name: n\n" + resource:                   false,
		resource + "edges: []\n":                 true,
		resource + "edges:\n":                    true,
		resource + "classes: [a]\n":              true,
		"catalog:\n  resources: []\n  edges: []": true,
		"data:\n  resources: []\nx: 1":           false,
		"- resources: []\n  edges: []\n- resources:\n  - {type: A, title: a}\n": false,
	} {
		_, err := redactYAML([]byte(text))
		if complete && err != nil || !complete && !errors.Is(err, serialization.ErrTruncated) {
			t.Errorf("%q: %v", text, err)
		}
		if err != nil && strings.Contains(err.Error(), "Kestrel") {
			t.Errorf("the error shows a secret: %v", err)
		}
	}
}
