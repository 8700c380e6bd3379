package sensitive_test

import (
	"bytes"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/sensitive"
)

// Affected leaves out only what stays unchanged, and keeps the shape of the document.
func TestAffected(t *testing.T) {
	if testing.Short() {
		t.Skip("it redacts large documents")
	}
	plain := large("Xk29vLq07TzW", "tr0ub4dor-and-3")
	for name, data := range map[string][]byte{
		"plain":         plain,
		"escapes":       large("Xk29\"vLq\\07T\nzW", "tr0ub\u00e9dor-and-3"),
		"references":    large("f300]", "le[/f11", "tr0ub4dor-and-3"),
		"late type":     bytes.Replace(bytes.Clone(plain), []byte(`{"type":"File","title":"/f8000",`), []byte(`{"x":{"a":1,"__ptype":"Sensitive","__pvalue":"tr0ub4dor-and-3"},"type":"File","title":"/f8000",`), 1),
		"between parts": large(`"},{"type"`, "tr0ub4dor-and-3"),
		"no resources":  []byte(`{"name":"n","version":1,"resources":[]}`),
	} {
		t.Run(name, func(t *testing.T) {
			var c sensitive.Collector
			if err := c.Collect(streamed(t, data)); err != nil {
				t.Fatal(err)
			}
			also := catalog.Ref{Type: "File", Title: "/f4242"}
			// described returns the parts that change, and all that are not resources or edges.
			described := func(r *sensitive.Redactor, parts iter.Seq2[catalog.Part, error]) (list []string, resources int) {
				for p, err := range parts {
					if err != nil {
						t.Fatal(err)
					}
					if p.Resource != nil {
						resources++
					}
					to, _, err := catalog.Apply(t.Context(), r, p)
					if err != nil {
						t.Fatal(err)
					}
					if p.Kind == catalog.PartEdge || p.Kind == catalog.PartResource {
						if to == p && (p.Resource == nil || p.Resource.Ref() != also) {
							continue
						}
					}
					text := fmt.Sprint(p.Kind, p.Key, p.Catalog)
					switch {
					case to.Resource != nil:
						text += string(to.Resource.Bytes())
					case to.Edge != nil:
						text += string(to.Edge.Bytes())
					}
					list = append(list, text)
				}
				return list, resources
			}
			want, all := described(c.Secrets().Redactor(nil), streamed(t, data).Parts())
			r := c.Secrets().Redactor(nil)
			got, some := described(r, r.Affected(streamed(t, data), func(typ, title []byte) bool {
				return catalog.Ref{Type: string(typ), Title: string(title)} == also
			}))
			if !slices.Equal(got, want) {
				t.Errorf("%d parts, want %d: %.300q, want %.300q", len(got), len(want), got, want)
			}
			if all > 0 && name == "plain" && some > all/10 {
				t.Errorf("%d of %d resources", some, all)
			}
		})
	}
}

// The result of the first pass over a document is used only for the same document.
func TestDocumentIsReadAgain(t *testing.T) {
	if testing.Short() {
		t.Skip("it redacts large documents")
	}
	const secret = "Xk29vLq07TzW"
	data := large(secret)
	var c sensitive.Collector
	if err := c.Collect(streamed(t, data)); err != nil {
		t.Fatal(err)
	}
	secrets := c.Secrets()
	output := func(data []byte) string {
		var out bytes.Buffer
		if err := secrets.Redactor(nil).Redact(t.Context(), &out, format(t, "rich-json"), streamed(t, data)); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	for _, err := range secrets.Redactor(nil).Affected(streamed(t, data), func(_, _ []byte) bool { return false }) {
		if err != nil {
			t.Fatal(err)
		}
	}
	if secrets.KnownPieces() == 0 {
		t.Error("no search is known")
	}
	want, _ := redactOf(t, func() *catalog.Reader { return streamed(t, data) })
	if got := output(data); got != want {
		t.Error("another output than that of a document that is read once")
	}
	if n := secrets.KnownPieces(); n != 0 {
		t.Errorf("%d searches were not used, and stay in memory", n)
	}
	changed := bytes.Replace(data, []byte("xxxxxxxxxxxx\"}},{\"type\":\"File\",\"title\":\"/f8000\""), []byte(secret+"\"}},{\"type\":\"File\",\"title\":\"/f8000\""), 1)
	if bytes.Equal(changed, data) {
		t.Fatal("no change")
	}
	if got := output(changed); strings.Contains(got, secret) {
		t.Error("a copy is left in a document that was changed")
	}
}
