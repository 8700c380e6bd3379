package leak

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/diff"
	"github.com/pcatdev/pcat/catalog/diff/report"
	"github.com/pcatdev/pcat/cmd/pcat/internal/diff/config"
	"github.com/pcatdev/pcat/internal/test/catalogtest"
	"github.com/pcatdev/pcat/pcore/eval"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/redact"
	"github.com/pcatdev/pcat/sensitive"
	"github.com/pcatdev/pcat/serialization"
)

// exposed is a catalog with the secret of sampleCatalog in plain text in everything that
// a comparison prints: titles, keys, values, tags, arrows, containers, files, metadata.
const exposed = `{"name":"n.example.com","environment":"production","resources":[
 {"type":"File","title":"/listed","file":"/m/` + canary + `.pp","line":3,"tags":["` + canary + `"],"parameters":{"content":"` + canary + `","mode":"` + canary + `","require":["Exec[` + canary + `]"]}},
 {"type":"My::Thing","title":"nested","parameters":{
   "hash":{"k":"` + canary + `","` + canary + `":"x"},"key":{"` + canary + `":1},"list":[["` + canary + `",2]],"object":{"__ptype":"My::Object","secret":"` + canary + `"}}},
 {"type":"File","title":"/unknown","parameters":{"content":{"__ptype":"Deferred","name":"my::unknown","arguments":["` + canary + `"]}}},
 {"type":"File","title":"/refuses","parameters":{"content":{"__ptype":"Deferred","name":"other","arguments":["` + canary + `"]}}},
 {"type":"File","title":"/fails","parameters":{"content":"a\nb ` + canary + `\nc\n"}},
 {"type":"File","title":"/template","parameters":{"content":"{\"` + canary + `\":\"` + canary + `\"}"}},
 {"type":"Exec","title":"` + canary + `","parameters":{"command":"/bin/x ` + canary + `","environment":["A=` + canary + `"]}},
 {"type":"Class","title":"` + canary + `"}
],"edges":[{"source":"Class[` + canary + `]","target":"My::Thing[nested]"},{"source":"Class[` + canary + `]","target":"Exec[` + canary + `]"}],
"metadata":{"/listed":{"checksum":{"value":"` + canary + `"}}}}`

// encodedCatalog is exposed with copies of the secret in encodings, in texts that differ
// from line to line.
func encodedCatalog(t *testing.T) string {
	t.Helper()
	percent, escaped := "", ""
	for i := range len(canary) {
		percent += fmt.Sprintf("%%%02X", canary[i])
		escaped += fmt.Sprintf(`\u%04x`, canary[i])
	}
	copies := []string{base64.StdEncoding.EncodeToString([]byte(canary)), percent, escaped, hex.EncodeToString([]byte(canary))}
	content, err := json.Marshal("a\n" + strings.Join(copies, "\nx ") + "\nz\n")
	if err != nil {
		t.Fatal(err)
	}
	var titles string
	for i, c := range copies {
		title, err := json.Marshal("/" + c)
		if err != nil {
			t.Fatal(err)
		}
		titles += fmt.Sprintf(`{"type":"File","title":%s,"parameters":{"target":%s}},`, title, strconv.Quote(strconv.Itoa(i)))
	}
	return `{"name":"n.example.com","resources":[` + titles + `
 {"type":"File","title":"/fails","parameters":{"content":` + string(content) + `}},
 {"type":"File","title":"/unknown","parameters":{"content":"` + base64.StdEncoding.EncodeToString([]byte("the text "+canary+"\nin lines\n")) + `"}},
 {"type":"File","title":"/template","parameters":{"content":{"__ptype":"Binary","__pvalue":"` + base64.StdEncoding.EncodeToString([]byte(canary)) + `"}}}
]}`
}

// TestComparing checks that no report reveals a secret that either side declares.
func TestComparing(t *testing.T) {
	if testing.Short() {
		t.Skip("it writes hundreds of reports")
	}
	side := func(text string, format serialization.Format) diff.Side {
		return catalogtest.Side(t, func() *catalog.Reader {
			return catalog.NewReaderBytes(inForm(t, text, format), format, serialization.DecodeOptions{})
		})
	}
	form := rich(t)
	// Rules whose conditions fail with the secret, or print it.
	var rules []diff.Rule
	functions := resolver(t).Functions
	digester, err := sensitive.NewDigest([]byte("0123456789abcdef"))
	if err != nil {
		t.Fatal(err)
	}
	for _, when := range []string{"fail(String($new))", "fail($old.unwrap)", "warning($new) and $title == '" + canary + "'"} {
		c, err := config.NewCondition(func() *eval.Evaluator { return eval.New(function.Env{Functions: functions}, nil, eval.Mode{}) }, "when", when)
		if err != nil {
			t.Fatal(err)
		}
		rules = append(rules, diff.Rule{Name: "a rule", When: c})
	}
	documents := map[string]string{
		"sample": sampleCatalog, "exposed": exposed, "encoded": encodedCatalog(t),
		"renamed":  strings.NewReplacer(`"title":"`+canary+`"`, `"title":"new `+canary+`"`, `[`+canary+`]`, `[new `+canary+`]`).Replace(exposed),
		"declared": strings.Replace(sampleCatalog, "/listed", "/other", 1),
		"empty":    `{"name":"` + canary + `.example.com","environment":"x","resources":[],"metadata":{"/listed":{}}}`,
	}
	encodings := []string{}
	for _, format := range []string{"%%%02X", "%%%02x", `\u%04x`, `\\u%04x`} {
		spelling := ""
		for i := range len(canary) {
			spelling += fmt.Sprintf(format, canary[i])
		}
		encodings = append(encodings, spelling)
	}
	total := 0
	for old, a := range documents {
		for new, b := range documents {
			for _, profile := range diff.Profiles() {
				where := fmt.Sprintf("%s and %s with %s", old, new, profile)
				// Both sides know the secret, or it would be none.
				sides := []diff.Side{side(a, form), side(b, form)}
				if !strings.Contains(a+b, "Sensitive") {
					continue
				}
				o := diff.Options{Profiles: []diff.Profile{profile}, Ignore: rules}
				if profile == "effect" {
					o.Digest = digester
				}
				f := diff.NewFleet(redact.NewFinder(nil), o)
				p, err := f.Compare(t.Context(), sides[0], sides[1])
				if err != nil {
					t.Fatal(err)
				}
				f.Add(p)
				if !p.Equal() {
					f.OnlyOld(canary)
				}
				r := f.Report()
				total += len(r.Changes)
				machinery(t, where+": a pair", p)
				machinery(t, where+": a fleet", f)
				printed(t, where+": a report", *r)
				for _, c := range r.Changes {
					printed(t, where+": a change", c)
				}
				for _, format := range report.Formats() {
					var out bytes.Buffer
					if err := report.Write(&out, format.Name, r, report.Options{Color: true, MaxLines: -1, Explain: true, SideBySide: len(old) > len(new)}); err != nil {
						t.Errorf("%s: %s: %v", where, format.Name, err)
					}
					noLeak(t, where+": "+format.Name, out.String())
					for _, spelling := range encodings {
						if strings.Contains(out.String(), spelling) {
							t.Errorf("%s: %s contains the secret as %s", where, format.Name, spelling)
						}
					}
				}
			}
		}
	}
	if total < 500 {
		t.Errorf("%d changes, which tests nothing", total)
	}
}

// TestAssembled compares files that are assembled of fragments with a secret, and purged files that
// are called like it.
func TestAssembled(t *testing.T) {
	document := func(text, purged string) func() *catalog.Reader {
		return catalogtest.JSON(`{"name":"n","resources":[{"type":"Concat_file","title":"/c","parameters":{"tag":"t"}},
 {"type":"Concat_fragment","title":"a","parameters":{"target":"/c","content":"` + text + `\nkey ` + canary + `\n"}},
 {"type":"Concat_fragment","title":"` + canary + `","parameters":{"target":"/c","order":"20","content":"x ` + canary + `\n"}},
 {"type":"File","title":"/` + canary + `","parameters":{"ensure":"directory","recurse":true,"purge":true,"notify":"Service[` + canary + `]"}},
 {"type":"File","title":"/` + canary + `/` + purged + `","parameters":{"content":"x"}},
 {"type":"Service","title":"` + canary + `","parameters":{"ensure":"running","restart":"/bin/restart ` + canary + `"}},
 {"type":"My::S","title":"s","parameters":{"p":{"__ptype":"Sensitive","__pvalue":"` + canary + `"}}}],"edges":[]}`)
	}
	sides := []diff.Side{catalogtest.Side(t, document("one", "a")), catalogtest.Side(t, document("two", "b"))}
	r, err := diff.Compare(t.Context(), sides[0], sides[1], redact.NewFinder(nil), diff.Options{})
	if err != nil {
		t.Fatal(err)
	}
	effects := make(map[string]bool)
	for _, c := range r.Changes {
		printed(t, "a change", c)
		for _, e := range c.Effects {
			effects[e.Effect] = true
		}
	}
	for _, effect := range []string{"write-file", "delete-file", "refresh"} {
		if !effects[effect] {
			t.Errorf("no effect %s", effect)
		}
	}
	for _, format := range report.Formats() {
		for _, all := range []bool{false, true} {
			var out bytes.Buffer
			if err := report.Write(&out, format.Name, r, report.Options{MaxLines: -1, All: all}); err != nil {
				t.Errorf("%s: %v", format.Name, err)
			}
			noLeak(t, format.Name, out.String())
		}
	}
}
