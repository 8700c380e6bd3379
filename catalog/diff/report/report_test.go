package report_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/catalog/diff"
	"github.com/pcatdev/pcat/catalog/diff/report"
	"github.com/pcatdev/pcat/internal/test/catalogtest"
	"github.com/pcatdev/pcat/redact"
)

func side(t testing.TB, document string) diff.Side {
	t.Helper()
	return catalogtest.Side(t, catalogtest.JSON(document))
}

func compared(t testing.TB, old, new string) *diff.Report {
	t.Helper()
	r, err := diff.Compare(t.Context(), side(t, old), side(t, new), redact.NewFinder(nil), diff.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func written(t testing.TB, format string, r *diff.Report, o report.Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := report.Write(&b, format, r, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestHostile checks that no text of a catalog is more than text in a report.
func TestHostile(t *testing.T) {
	const odd = "\u202e\u009b[31m</details><script>|`x`@all\n```\n"
	text, err := json.Marshal(odd)
	if err != nil {
		t.Fatal(err)
	}
	document := func(value string) string {
		return fmt.Sprintf(`{"name":%[1]s,"resources":[{"type":"File","title":%[1]s,"file":%[1]s,"line":1,"parameters":{%[1]s:%[2]s,"content":"a\n%[3]s","require":[%[1]s,"File[%[3]s]"]}}]}`,
			text, value, strings.Trim(string(text), `"`)+value)
	}
	r := compared(t, document("1"), document("2"))
	if len(r.Changes) < 2 {
		t.Fatalf("%d changes", len(r.Changes))
	}
	for _, f := range report.Formats() {
		format := f.Name
		out := written(t, format, r, report.Options{})
		if strings.ContainsAny(out, "\u202e\u009b") {
			t.Errorf("%s contains hidden characters:\n%q", format, out)
		}
		switch format {
		case "json", "sarif":
			if !json.Valid([]byte(out)) {
				t.Error("the JSON is invalid")
			}
		case "jsonl":
			for line := range strings.Lines(out) {
				if !json.Valid([]byte(line)) {
					t.Error("a line of JSON is invalid")
				}
			}
		case "markdown":
			outside, _, _ := strings.Cut(out, "````diff")
			if strings.Contains(outside, "<script>") || strings.Count(out, "````") != 2 || strings.Contains(outside, "@all") {
				t.Errorf("the Markdown is not escaped:\n%s", out)
			}
		}
	}
}

// TestMarkdownIsShort checks the limit with more changes than fit.
func TestMarkdownIsShort(t *testing.T) {
	f := diff.NewFleet(redact.NewFinder(nil), diff.Options{})
	for i := range 300 {
		document := func(value string) diff.Side {
			return side(t, fmt.Sprintf(`{"name":"node%d","resources":[{"type":"File","title":"/%d","parameters":{"content":"%s"}}]}`, i, i, strings.Repeat(value+`\n`, 40)))
		}
		p, err := f.Compare(t.Context(), document("a"), document("b"))
		if err != nil {
			t.Fatal(err)
		}
		f.Add(p)
	}
	out := written(t, "markdown", f.Report(), report.Options{})
	if len(out) > 60000 || !strings.Contains(out, "are left out, because they are too long") || !strings.Contains(out, "300 nodes changed") {
		t.Errorf("%d bytes, ending in\n%s", len(out), out[max(0, len(out)-300):])
	}
}

// TestMarkdownShrinks checks the order in which a comment becomes shorter, whatever the
// limit is: the headline and the link remain.
func TestMarkdownShrinks(t *testing.T) {
	f := diff.NewFleet(redact.NewFinder(nil), diff.Options{})
	for i := range 40 {
		document := func(value string) diff.Side {
			return side(t, fmt.Sprintf(`{"name":"node%d","resources":[{"type":"File","title":"/%d","parameters":{"content":"%s"}}]}`, i, i*i, strings.Repeat(value+`\n`, 40)))
		}
		p, err := f.Compare(t.Context(), document("a"), document("b"))
		if err != nil {
			t.Fatal(err)
		}
		f.Add(p)
	}
	r := f.Report()
	for _, tt := range []struct {
		most int
		has  []string
		not  []string
	}{
		{60000, []string{"-     a", "… more of 80 changed lines"}, []string{"left out"}},
		{30000, []string{"… more of 80 changed lines"}, []string{"left out"}},
		{10000, []string{"… more of 80 changed lines", "are left out", "| node39 |"}, []string{"sets of nodes with other changes"}},
		{1000, []string{"sets of nodes with other changes"}, []string{"| node39 |", "<details>"}},
	} {
		out := written(t, "markdown", r, report.Options{MaxBytes: tt.most, Link: "https://ci.example.com/<7>", Marker: "prod"})
		if len(out) > tt.most || strings.Count(out, "```")%2 != 0 {
			t.Errorf("%d: %d bytes", tt.most, len(out))
		}
		for _, want := range append(tt.has, "<!-- pcat-diff:prod -->\n### Catalog diff: 40 changes in 40 nodes: 40 write\n", "Full report: <https://ci.example.com/%3C7%3E>\n") {
			if !strings.Contains(out, want) {
				t.Errorf("%d: the comment lacks %q\n%s", tt.most, want, out)
			}
		}
		for _, not := range tt.not {
			if strings.Contains(out, not) {
				t.Errorf("%d: the comment contains %q", tt.most, not)
			}
		}
	}
}

// TestTexts shows how texts that hardly differ are printed.
func TestTexts(t *testing.T) {
	for _, tt := range []struct{ old, new, want string }{
		{`"a\nb\n"`, `"a\r\nb\n"`, "-a\n      +a␍\n       b"},
		{`"a\nb\n"`, `"a\nb"`, " a\n      -b\n      +b ∎ no line break at the end"},
		{`"a\n\tb\n"`, `"a\n    b\n"`, "-⇥b\n      +····b"},
		{`"SGVsbG8gV29ybGQsIGhlbGxvIQ=="`, `"SGVsbG8gV29ybGQsIGdvb2RieQ=="`, "base64  @@ -1 +1 @@\n      -Hello World"},
		{`{"__ptype":"Binary","__pvalue":"AAEC"}`, `{"__ptype":"Binary","__pvalue":"AAED"}`, "Binary, 3 → 3 bytes, from byte 2: 02 → 03"},
		{`"{\"a\":1}"`, `"{ \"a\": 1 }"`, "{\"a\":1} → { \"a\": 1 }"},
		{`"{\"a\":1}"`, `"{\"a\":2}"`, "content  json  /a  1 → 2"},
		{`"{\"a\":1,\"b\":1}"`, `"{\"a\":2,\"b\":2}"`, "content  json\n      /a  1 → 2\n      /b  1 → 2\n"},
		{`"{\"a\":1,\n\"b\":1}"`, `"{\"a\":1, \"b\":1}"`, "content  json, the same data written differently\n"},
	} {
		document := func(value string) string {
			return `{"name":"n","resources":[{"type":"File","title":"/x","parameters":{"content":` + value + `}}]}`
		}
		if out := written(t, "text", compared(t, document(tt.old), document(tt.new)), report.Options{}); !strings.Contains(out, tt.want) {
			t.Errorf("%s and %s:\n%s\nwant\n%s", tt.old, tt.new, out, tt.want)
		}
	}
}

// A change on one line says that it was compared in part, as hunks do.
func TestLongLine(t *testing.T) {
	if testing.Short() {
		t.Skip("it compares lines of megabytes")
	}
	document := func(message string) string {
		text, err := json.Marshal(message)
		if err != nil {
			t.Fatal(err)
		}
		return `{"name":"n","resources":[{"type":"File","title":"/x","parameters":{"content":` + string(text) + `}}]}`
	}
	line := func(seed uint64) string {
		random := rand.New(rand.NewPCG(seed, seed))
		var b strings.Builder
		for range 200_000 {
			fmt.Fprintf(&b, "w%d ", random.IntN(300))
		}
		return b.String()
	}
	for name, r := range map[string]*diff.Report{
		"a text": compared(t, document(line(1)), document(line(2))),
		"data":   compared(t, document(`{"a":"`+line(1)+`"}`), document(`{"a":"`+line(2)+`"}`)),
	} {
		for _, format := range []string{"text", "markdown", "html"} {
			if out := written(t, format, r, report.Options{}); !strings.Contains(out, "too different to compare all of them") {
				t.Errorf("%s in %s: nothing says that the line is compared in part", name, format)
			}
		}
	}
	short := compared(t, document(strings.ReplaceAll(line(1), "w1 ", "")), document(strings.ReplaceAll(line(1), "w2 ", "")))
	if out := written(t, "text", short, report.Options{}); strings.Contains(out, "too different") {
		t.Error("a small change is compared in part")
	}
}

// A change of a class for which a line has no room has the name of its parameter, never nothing.
func TestNarrowLine(t *testing.T) {
	document := func(value string) string {
		return `{"name":"web01","resources":[{"type":"Class","title":"Roles::Profiles::Long_name_of_a_class","parameters":{
			"colour":"` + value + strings.Repeat("x", 20) + `","size":"` + value + strings.Repeat("y", 20) + `","width":"` + value + `"}}]}`
	}
	r := compared(t, document("a"), document("b"))
	for width, want := range map[int]string{
		40: "~ Class[Roles::Profiles::Long_name_of_a_class]  colour  and 2 more\n",
		61: "~ Class[Roles::Profiles::Long_name_of_a_class]  colour · size  and 1 more\n",
		77: "~ Class[Roles::Profiles::Long_name_of_a_class]  colour · size · width  a → b\n",
	} {
		if got := written(t, "text", r, report.Options{Width: width}); !strings.Contains(got, want) {
			t.Errorf("width %d: got\n%s, want %s", width, got, want)
		}
	}
}

// The first line of a resource has as much as fits; resources that leave the catalog, and defines that come with theirs, have no entry of their own.
func TestEntries(t *testing.T) {
	file := func(title, more string) string {
		return `{"type":"File","title":"` + title + `","parameters":{"ensure":"file"` + more + `}}`
	}
	purging := `{"type":"File","title":"/d","parameters":{"ensure":"directory","recurse":true,"purge":true,"require":"File[/app]"}}`
	define := `{"type":"Site::App","title":"x","kind":"definition","parameters":{}},{"type":"File","title":"/x","parameters":{"ensure":"file"}}`
	for _, tt := range []struct {
		name, old, new, edges string
		width                 int
		all                   bool
		want                  string
	}{
		{"changes on one line", file("/a", `,"owner":"root","group":"root"`), file("/a", `,"owner":"app","group":"app"`), "", 0, false,
			"n  1 changed\n~ File[/a]  write  group  root → app · owner  root → app\n"},
		{"no room for them", file("/a", `,"owner":"root","group":"root"`), file("/a", `,"owner":"app","group":"app"`), "", 40, false,
			"n  1 changed\n~ File[/a]  write\n    group  root → app\n    owner  root → app\n"},
		{"resources that leave the catalog", file("/a", "") + "," + file("/b", "") + "," + file("/c", ""), file("/c", ""), "", 0, false,
			"n  2 removed\n- 2 resources, each of which stays on the node: File[/a], File[/b]\n"},
		{"a new resource without room", file("/a", ""), file("/a", "") + "," + file("/etc/some/long/path", `,"mode":"0600"`), "", 40, false,
			"n  1 added\n+ File[/etc/some/long/path]  write\n    ensure=file mode=0600\n"},
		{"a removed file that is not purged, because its directory is skipped",
			`{"type":"File","title":"/app","parameters":{"ensure":"directory"}},` + purging + "," + file("/d/a", "") + "," + file("/b", ""),
			`{"type":"File","title":"/app","parameters":{"ensure":"link","target":"/x"}},` + purging, "", 0, false,
			"n  1 changed, 2 removed · not listed (--all): 1 change that means the same to Puppet\n~ File[/app]  danger  ensure  directory → link  ↳ fail: Puppet does not replace a directory without force\n" +
				"- File[/b]  it stays on the node\n- File[/d/a]  ↳ skipped, because File[/app] fails\n"},
		{"with all", file("/a", "") + "," + file("/b", ""), file("/b", ""), "", 0, true,
			"n  1 removed\n- File[/a]  it stays on the node  ensure=file\n"},
		{"a define that comes with its resources", file("/a", ""), file("/a", "") + "," + define, `{"source":"Site::App[x]","target":"File[/x]"}`, 0, false,
			"n  2 added · not listed (--all): 1 change of classes and defines\n+ File[/x]  write  ensure=file  Site::App[x]\n"},
	} {
		document := func(resources, edges string) string {
			return `{"name":"n","resources":[` + resources + `],"edges":[` + edges + `]}`
		}
		r := compared(t, document(tt.old, ""), document(tt.new, tt.edges))
		if got := written(t, "text", r, report.Options{Width: tt.width, All: tt.all}); got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
}
