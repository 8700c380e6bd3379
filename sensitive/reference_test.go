package sensitive_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/sensitive"
	"github.com/pcatdev/pcat/serialization"
)

// A secret with a bracket, which the title of a resource completes only in a reference, is
// replaced in the title, so that every reference still names its resource.
func TestSecretAcrossReference(t *testing.T) {
	const title = "run pa55-w0rd now"
	for _, c := range []struct{ secret, want string }{
		{"pa55-w0rd now]", "run redacted-2-by-pcat"},
		{"[run pa55-w0rd", "redacted-2-by-pcat now"},
		{"xec[run pa55-w0rd", "redacted-2-by-pcat now"},
		{"[run pa55-w0rd now]", "redacted-2-by-pcat"},
		{"Exec[run pa55-w0rd now]", "redacted-2-by-pcat"},
		{"pa55-w0rd", "run redacted-1-by-pcat now"},
		{"pa55-w0rd]", title},
		{"[pa55-w0rd", title},
	} {
		const resources = `{"type":"T","title":"t","parameters":{"p":%q},"sensitive_parameters":["p"]},` +
			`{"type":"Exec","title":%q,"parameters":{"n":1}},{"type":"File","title":"f","parameters":{"require":%[3]q}}`
		const edges = `"edges":[{"source":"T[t]","target":%q}]`
		document := func(secret, title string) []byte {
			ref := "Exec[" + title + "]"
			return []byte(strings.Replace(in(fmt.Sprintf(resources, secret, title, ref)), `"edges":[]`, fmt.Sprintf(edges, ref), 1))
		}
		data, want := document(c.secret, title), document("redacted-1-by-pcat", c.want)
		if got := mustRedact(t, data, "rich-json", sensitive.NewMask()); !bytes.Equal(got, want) {
			t.Errorf("%s:\n%s\nwant\n%s", c.secret, got, want)
		}
		for name, masker := range maskers(t) {
			for _, forms := range [][2]string{{"rich-json", "rich-json"}, {"rich-json", "rich-msgpack"}, {"rich-msgpack", "rich-msgpack"}, {"rich-msgpack", "rich-json"}} {
				in := data
				if forms[0] != "rich-json" {
					var packed bytes.Buffer
					w := catalog.NewWriter(&packed, format(t, forms[0]), catalog.WriteOptions{Secrets: serialization.PlainSecrets})
					if err := catalog.Copy(t.Context(), w, reader(t, data, "rich-json")); err != nil {
						t.Fatal(err)
					}
					in = packed.Bytes()
				}
				out, _, err := redact(t, in, forms[0], forms[1], masker())
				if err != nil {
					t.Errorf("%s, %s, %v: %v", c.secret, name, forms, err)
					continue
				}
				clean := whole(t, out, forms[1])
				if e := clean.Edges()[0]; e.Target() != clean.Resources()[1].Ref() {
					t.Errorf("%s, %s, %v: the edge to %s names %s", c.secret, name, forms, clean.Resources()[1].Ref(), e.Target())
				}
			}
		}
	}
}
