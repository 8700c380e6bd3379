package sensitive_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/url"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/sensitive"
)

// Text with many escapes takes longer to search.
func BenchmarkRedact(b *testing.B) {
	var lines, mixed strings.Builder
	for i := range 200 {
		fmt.Fprintf(&lines, "  listen_%d = \"port %d & host\" # of <site%d>\n", i, i, i)
		fmt.Fprintf(&mixed, "  a%%20%d\\\"%d&quot;b=3D%%2525&amp;lt;\n", i, i)
	}
	inJSON, _ := json.Marshal(lines.String())
	for _, c := range []struct{ name, content string }{
		{"plain", strings.Repeat("a line without any escapes ", 400)}, {"lines", lines.String()}, {"json", string(inJSON)},
		{"xml", html.EscapeString(lines.String())}, {"percent", url.QueryEscape(lines.String())}, {"mixed", mixed.String()},
	} {
		var doc bytes.Buffer
		doc.WriteString(`{"name":"web01","resources":[{"type":"User","title":"u","parameters":{"password":"S3cret-Value-0815"},"sensitive_parameters":["password"]}`)
		for i := range 100 {
			fmt.Fprintf(&doc, `,{"type":"File","title":"/f%d","parameters":{"ensure":"file","content":%s}}`, i, quoted(c.content))
		}
		doc.WriteString(`],"edges":[]}`)
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(doc.Len()))
			for b.Loop() {
				var c sensitive.Collector
				if err := c.Collect(reader(b, doc.Bytes(), "rich-json")); err != nil {
					b.Fatal(err)
				}
				if err := c.Secrets().Redactor(nil).Redact(b.Context(), io.Discard, format(b, "rich-json"), reader(b, doc.Bytes(), "rich-json")); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
