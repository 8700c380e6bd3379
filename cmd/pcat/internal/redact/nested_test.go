package redact

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// nested are texts that hold a secret, by how it was encoded, the last step first.
func nested(t *testing.T, secret string) map[string]string {
	t.Helper()
	text := "db_password: " + secret + "\nuser: app\n"
	steps := map[string]func(string) string{
		"base64": func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) },
		"url":    func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) },
		"hex":    func(s string) string { return hex.EncodeToString([]byte(s)) },
		"gzip": func(s string) string {
			var b bytes.Buffer
			w := gzip.NewWriter(&b)
			if _, err := w.Write([]byte(s)); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			return base64.StdEncoding.EncodeToString(b.Bytes())
		},
	}
	all := map[string]string{"base64 of base64 of base64 of base64": steps["base64"](steps["base64"](steps["base64"](steps["base64"](text))))}
	for first, encode := range steps {
		all[first] = encode(text)
		for second, again := range steps {
			all[second+" of "+first] = again(encode(text))
			if first != "gzip" || second != "gzip" { // which are two steps each, and one more is too deep
				all[second+" of base64 of "+first] = again(steps["base64"](encode(text)))
			}
		}
	}
	return all
}

// Secrets that are encoded once or twice are removed, declared or not, at every location.
func TestNestedEncodingsAreRedacted(t *testing.T) {
	if testing.Short() {
		t.Skip("it redacts and audits hundreds of catalogs")
	}
	const secret = "Xk29vLq07TzWmN3b"
	locations := map[string]string{
		"a value":        `{"type":"File","title":"/a","parameters":{"content":%s}}`,
		"a key":          `{"type":"File","title":"/a","parameters":{"settings":{%s:1}}}`,
		"a nested value": `{"type":"File","title":"/a","parameters":{"settings":{"a":[1,{"b":%s}]}}}`,
	}
	declared := map[string]string{
		"declared": fmt.Sprintf(`,{"type":"File","title":"/b","parameters":{"content":{"__ptype":"Sensitive","__pvalue":%q}}}`, secret),
		"not":      "",
	}
	texts := nested(t, secret)
	file := filepath.Join(t.TempDir(), "catalog.json")
	for how, text := range texts {
		quoted, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		for where, resource := range locations {
			for which, other := range declared {
				name := fmt.Sprintf("%s in %s, %s", how, where, which)
				data := fmt.Sprintf(`{"resources":[`+resource+`%s],"edges":[]}`, quoted, other)
				if len(leaks(t, []byte(data), "rich-json")) == 0 {
					t.Errorf("%s: an audit does not see it, which tests nothing", name)
				}
				if err := os.WriteFile(file, []byte(data), 0o600); err != nil {
					t.Fatal(err)
				}
				out := redacted(t, file, "rich-json")
				if left := leaks(t, out, "rich-json"); len(left) > 0 || strings.Contains(string(out), text) {
					t.Errorf("%s: left: %v\n%s", name, left, out)
				}
			}
		}
	}
}
