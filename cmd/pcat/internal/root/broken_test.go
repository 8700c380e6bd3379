package root

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
)

// Of a catalog that is cut anywhere, no command names a key of a secret: of a
// parameter whose list would come later, or of a Sensitive. Nor does one of a whole
// catalog, however much it logs.
func TestKeysOfSecrets(t *testing.T) {
	const mark = "Qz7"
	const hidden = `{"` + mark + `a":"` + mark + `b","` + mark + `c":[{"__ptype":"Deferred","name":"nope","arguments":[{"` + mark + `d":1}]}],` +
		`"` + mark + `e":{"__ptype":"SemVer","__pvalue":"1.2.3"},"` + mark + `f":"{\"` + mark + `g\": {\"` + mark + `h\": 1"}`
	const document = `{"name":"n","resources":[{"type":"File","title":"/s","parameters":{"content":{"__ptype":"Sensitive","__pvalue":` + hidden + `}}},` +
		`{"type":"File","title":"/l","parameters":{"mode":"0644","content":` + hidden + `},"sensitive_parameters":["content"]}],"edges":[]}`
	step := 3 // each command has other positions than the next
	if testing.Short() {
		step = 40
	}
	for i, args := range [][]string{
		{"audit"}, {"audit", "--format", "json"}, {"inspect"}, {"inspect", "--json"}, {"verify"}, {"deferred"}, {"deferred", "--json"},
		{"redact"}, {"redact", "--mode", "drop"}, {"redact", "--only", "declared"}, {"redact", "--check"}, {"resolve", "--trace"}, {"validate", "--modulepath", t.TempDir()}, {"convert", "-t", "rich-msgpack"}, {"convert", "-t", "json"},
		{"convert", "-t", "yaml"}, {"convert", "-t", "puppetdb"}, {"query", "-e", "$title == 1"}, {"get", "resources.1.title"},
		{"show", "File[/s]", "File[/l]", "File[/l]/content/a"}, {"show", "--json", "File[/s]", "File[/l]"}, {"ls"}, {"ls", "--long"}, {"ls", "--json"},
	} {
		shows := !slices.Contains([]string{"convert", "resolve", "get", "query"}, args[0]) // no secret on standard output
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			for n := len(document) - i%step; n >= 0; n -= step {
				var out, errs bytes.Buffer
				s := cli.Streams(strings.NewReader(document[:n]), &out, &errs)
				all := append(slices.Clone(args), "-vv", "-f", "rich-json", "-")
				if args[0] == "audit" {
					all = append(slices.Clone(args), "-vv", "-")
				}
				code := execute(t.Context(), s, NewCmd(s, all...), all)
				if code == cli.ExitUsage {
					t.Fatalf("cut at %d: %s", n, errs.String())
				}
				if text := errs.String(); strings.Contains(text, mark) {
					t.Fatalf("cut at %d: %s", n, text)
				}
				if text := out.String(); shows && strings.Contains(text, mark) {
					t.Fatalf("cut at %d: %s", n, text)
				}
			}
		})
	}
}
