package report_test

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/report"
	"github.com/pcatdev/pcat/catalog"
)

// titled is a catalog with a Sensitive value in a title, in the edges and the tag that repeat
// it, and in the tag of a contained resource. Its class, which is declared by include, has
// another secret. One line has findings of two rules.
const titled = `{"name":"db01","resources":[
	{"type":"Class","title":"Profile::Db","parameters":{"password":"q8Zr-TnVk2L-wXs4","token":"zK4top-k9Xw-Tq4"},"sensitive_parameters":["password"]},
	{"type":"Package","title":"pg","file":"/c/modules/profile/manifests/db.pp","line":3,"parameters":{}},
	{"type":"App","title":"set q8Zr-TnVk2L-wXs4","tags":["app","q8zr-tnvk2l-wxs4"],"file":"/m/app.pp","line":9,"parameters":{}},
	{"type":"Notify","title":"inside","tags":["q8zr-tnvk2l-wxs4"],"file":"/m/app.pp","line":20,"parameters":{}},
	{"type":"File","title":"/a","file":"/m/app.pp","line":12,"parameters":{"show_diff":true,"content":"mysql -u app -pGx7vhuz-Tqm2-Lw\n"}}
],"edges":[{"source":"Class[Profile::Db]","target":"App[set q8Zr-TnVk2L-wXs4]"},{"source":"App[set q8Zr-TnVk2L-wXs4]","target":"Notify[inside]"}]}`

// A line of a manifest is one entry with all its rules, and a title with its edges and tags,
// also those of other resources.
func TestRepairs(t *testing.T) {
	r := audited(t, titled)
	var b strings.Builder
	if err := report.Write(&b, "text", r, report.Options{}); err != nil {
		t.Fatal(err)
	}
	if b.String() != titledText {
		t.Errorf("got\n%s", b.String())
	}
	if got := strings.Count(write(t, "github", r), "\n"); got != 3 {
		t.Errorf("%d annotations", got)
	}
}

const titledText = `0 (db01)
1 catalog audited, 8 findings: 5 critical, 2 high, 1 low
2 lines and 1 other location to repair

critical  /m/app.pp:9
  rule    The title of a resource contains a Sensitive value (sensitive-in-title)
  in      App[set ‹secret›]/title
          and in 2 edges, 2 tags
  why     it is Sensitive in Class[Profile::Db]/password
  fix     app { 'a title without the secret': parameter => Sensitive($secret) }
  secret  ‹16-31 chars, mixed, #2›

high      /m/app.pp:12
  rule    Text assigns a secret to a name such as password (secret-in-content)
  in      File[/a]/content as -p
  fix     content => Sensitive(epp('profile/a.epp', $parameters))
  secret  ‹8-15 chars, mixed, #3›
  rule    low: Differences of a file with a secret are shown (show-diff-enabled)
  in      File[/a]/show_diff
  fix     show_diff => false

high      /c/modules/profile/manifests/db.pp
  rule    A parameter named like a secret is a plain String (plain-secret-parameter)
  in      Class[Profile::Db]/token
  fix     class profile::db (Sensitive[String] $token)
  secret  ‹8-15 chars, mixed, #1›
`

// A title of another catalog has no part in the entry of an edge.
func TestTitlesOfCatalogs(t *testing.T) {
	in := func(input int, element audit.Element, typ, pointer string) audit.Finding {
		return audit.Finding{Input: input, Catalog: "a", Rule: "copied-secret", Type: typ, Title: "x", Parameter: "title", Element: element, Tag: "1", Pointer: pointer, At: catalog.Location{}}
	}
	r := &audit.Report{Catalogs: 2, Findings: []audit.Finding{
		in(0, audit.InTitle, "App", "/resources/1"), in(0, audit.InEdge, "", "/edges/1/target"), in(1, audit.InEdge, "", "/edges/2/target"),
	}}
	var b strings.Builder
	if err := report.Write(&b, "text", r, report.Options{}); err != nil {
		t.Fatal(err)
	}
	if got := b.String(); strings.Count(got, "\n  rule ") != 2 || !strings.Contains(got, "  and in 1 edge\n") || !strings.Contains(got, "/edges/2/target\n") {
		t.Errorf("got\n%s", got)
	}
}

// A narrow terminal breaks lines, and colors do not count.
func TestNarrowText(t *testing.T) {
	const width = 50
	for _, color := range []bool{false, true} {
		var b strings.Builder
		if err := report.Write(&b, "text", audited(t, titled), report.Options{Width: width, Color: color}); err != nil {
			t.Fatal(err)
		}
		plain := regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(b.String(), "")
		if !strings.Contains(plain, "\n  rule    Text assigns a secret to a name such as\n          password (secret-in-content)\n") {
			t.Errorf("color %v:\n%s", color, plain)
		}
		for line := range strings.Lines(plain) {
			if strings.HasPrefix(line, " ") && utf8.RuneCountInString(line) > width+1 {
				t.Errorf("color %v: longer than %d: %s", color, width, line)
			}
		}
	}
}
