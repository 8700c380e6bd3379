package report_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/report"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/manifest"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// The secrets of the fixture: some need escapes in every format.
var secrets = []string{`n7Hq"/v&L2<+pX?`, "Sommer-Fjord2024!", "otter=harbor,quill;77", "zK4%0Atop::k9", "=cmd-Kestrel-81"}

// run audits two nodes that leak all secrets in texts, titles, tags and keys;
// the third input is unreadable.
func run(t testing.TB, jobs int) *audit.Report {
	t.Helper()
	var documents []string
	for n := range 2 {
		var resources []any
		for i, s := range secrets {
			resources = append(resources,
				map[string]any{"type": "Class", "title": fmt.Sprintf("A%d", i), "file": "/m/init.pp", "line": 1 + i, "parameters": map[string]any{"token": s}, "sensitive_parameters": []string{"token"}},
				map[string]any{
					"type": "Exec", "title": "set " + s, "tags": []string{strings.ToLower(s)}, "file": "/m/" + s + ".pp", "line": 3 + i,
					"parameters": map[string]any{s: map[string]any{s: "x " + s}, "b": base64.StdEncoding.EncodeToString([]byte("u:" + s)), "password": s},
				})
		}
		b, err := json.Marshal(map[string]any{"name": fmt.Sprintf("node%d", n), "resources": resources})
		if err != nil {
			t.Fatal(err)
		}
		documents = append(documents, string(b))
	}
	documents = append(documents, `{"resources":[{`)
	format := formats.RichJSON()
	var inputs []audit.Input
	for i, d := range documents {
		inputs = append(inputs, audit.Input{Name: fmt.Sprintf("catalog%d.json", i), Open: func() (*catalog.Reader, io.Closer, error) {
			return catalog.NewReaderBytes([]byte(d), format, serialization.DecodeOptions{}), nil, nil
		}})
	}
	auditor, err := audit.New(audit.Options{Key: []byte("0123456789abcdef0123456789abcdef"), Jobs: jobs})
	if err != nil {
		t.Fatal(err)
	}
	r, err := auditor.Run(context.Background(), inputs)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Findings) < 4*len(secrets) || len(r.Failures) != 1 {
		t.Fatalf("%d findings, %d failures", len(r.Findings), len(r.Failures))
	}
	return r
}

func write(t testing.TB, name string, r *audit.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := report.Write(&b, name, r, report.Options{Color: true, Version: "1.2.3"}); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return b.String()
}

// No report contains a secret in any spelling, nor half of one.
func TestNoSecret(t *testing.T) {
	r := run(t, 1)
	for _, f := range report.Formats() {
		out := write(t, f.Name, r)
		for _, s := range secrets {
			quoted, _ := json.Marshal(s)
			var escaped bytes.Buffer
			_ = xml.EscapeText(&escaped, []byte(s))
			for _, spelling := range []string{
				s, strings.ToLower(s), string(quoted[1 : len(quoted)-1]), escaped.String(), url.QueryEscape(s), url.PathEscape(s), strings.ReplaceAll(s, "/", "~1"),
				base64.StdEncoding.EncodeToString([]byte(s))[:12], hex.EncodeToString([]byte(s))[:12], s[:len(s)/2], s[len(s)/2:], strings.ReplaceAll(s, `"`, `""`),
			} {
				if strings.Contains(out, spelling) {
					t.Errorf("%s: %q stands in the output", f.Name, spelling)
				}
			}
		}
	}
}

// A secret may read like text of a report, or like a combination of texts of
// the catalog and numbers.
func TestSecretsAcrossTexts(t *testing.T) {
	for _, secret := range []string{
		"2 places, 5 nodes", "6 findings", "5 findings: 5",
		"sensitive-reuse-open", "partialFingerprints", "toolExecutionNotifications", "cwe-312",
		"parameters/x", "A3]/x", "Class[A3]", "m/a.pp:3", "a.pp:3 x", `"Class","title"`, `"Class", "A3"`, "n3, n4", "n3,n4",
		"3.json#/res", "n1 and 2 more", `"node": "n3"`, "3,n3,/resources", "line=3,title", "%23Class", "A3%5D",
		"1 line to repair", "rule    A value", "in      Class[", "convert_to: Sensitive", "a3::x", "a3::x: convert_to", "String, Sensitive[",
		"audited:5x", `"file": "5"`, `"declared": true`, `[Db]","path`, `"others": 1`, "5: json:", `name="5"`, "read</b>",
	} {
		var documents []string
		for n := range 6 {
			d := fmt.Sprintf(`{"name":"n%d","resources":[{"type":"Class","title":"Db","parameters":{"password":%q},"sensitive_parameters":["password"]},
				{"type":"Class","title":"A%d","file":"/m/a.pp","line":3,"parameters":{"x":%[2]q}}]}`, n, secret, n)
			if n == 5 {
				d = d[:len(d)-1] // unreadable
			}
			documents = append(documents, d)
		}
		r := audited(t, documents...)
		if len(r.Findings) < 5 {
			t.Errorf("%q: %d findings", secret, len(r.Findings))
		}
		for _, f := range report.Formats() {
			if err := report.Write(io.Discard, f.Name, r, report.Options{}); err != nil {
				t.Errorf("%q: %s: %v", secret, f.Name, err)
			}
		}
	}
}

func TestLimit(t *testing.T) {
	for _, tt := range []struct {
		n       int
		want    string
		omitted int
	}{{0, "aaaaaa aaaaaa bbbbbb cccccc", 0}, {1, "aaaaaa", 3}, {3, "aaaaaa aaaaaa bbbbbb", 1}, {9, "aaaaaa aaaaaa bbbbbb cccccc", 0}} {
		r := fleet(t)
		r.Limit(tt.n)
		var tags []string
		for _, f := range r.Findings {
			tags = append(tags, f.Tag)
		}
		if got := strings.Join(tags, " "); got != tt.want || r.Omitted != tt.omitted {
			t.Errorf("%d: got %s and %d omitted, want %s and %d", tt.n, got, r.Omitted, tt.want, tt.omitted)
		}
	}
}

func TestSameBytes(t *testing.T) {
	one, two := run(t, 1), run(t, 8)
	for _, f := range report.Formats() {
		if write(t, f.Name, one) != write(t, f.Name, two) {
			t.Errorf("%s: the bytes differ with the number of jobs", f.Name)
		}
	}
}

func TestJSON(t *testing.T) {
	r := run(t, 1)
	var document struct {
		Catalogs int
		Failures []struct{ File, Error string }
		Findings []map[string]any
	}
	if err := json.Unmarshal([]byte(write(t, "json", r)), &document); err != nil {
		t.Fatal(err)
	}
	if document.Catalogs != 3 || len(document.Failures) != 1 || document.Failures[0].File != "catalog2.json" || len(document.Findings) != len(r.Findings) {
		t.Errorf("%d catalogs, failures %v, %d findings", document.Catalogs, document.Failures, len(document.Findings))
	}
	lines := strings.Split(strings.TrimSuffix(write(t, "jsonl", r), "\n"), "\n")
	if len(lines) != len(r.Findings) {
		t.Fatalf("%d lines for %d findings", len(lines), len(r.Findings))
	}
	hidden := 0
	for i, line := range lines {
		var f map[string]any
		if err := json.Unmarshal([]byte(line), &f); err != nil {
			t.Fatal(err)
		}
		for _, key := range []string{"file", "pointer", "rule", "class", "severity", "confidence", "fingerprint", "masked", "message"} {
			if _, ok := f[key]; !ok {
				t.Errorf("line %d has no %s", i, key)
			}
		}
		if f["pointer"] == nil {
			hidden++
			if n, ok := f["offset"].(float64); !ok || n <= 0 {
				t.Errorf("line %d tells its place neither by a pointer nor by an offset", i)
			}
		}
	}
	if hidden == 0 {
		t.Error("no pointer is hidden, though keys are secrets")
	}
}

// A copy has the first location of its secret, with the members of a finding. A location that contains a secret
// is left out.
func TestSourceInJSON(t *testing.T) {
	const file = `{"type":"File","title":"/etc/app.conf","file":"/m/file.pp","line":9,"parameters":{"content":%q}}`
	for _, tt := range []struct{ resources, want string }{
		{
			`{"type":"Class","title":"Db","file":"/m/db.pp","line":3,"parameters":{"conf":{"a/b":{"__ptype":"Sensitive","__pvalue":"n7Hq-vL2pX"}}}},` + fmt.Sprintf(file, "n7Hq-vL2pX"),
			`{"declared":true,"ref":"Class[Db]","path":"/parameters/conf/a~1b","manifest":"/m/db.pp","line":3}`,
		},
		{
			`{"type":"Class","title":"A","parameters":{"x":"n7Hq-vL2pX"},"sensitive_parameters":["x"]},{"type":"Class","title":"B","parameters":{"x":"n7Hq-vL2pX"},"sensitive_parameters":["x"]},` + fmt.Sprintf(file, "n7Hq-vL2pX"),
			`{"declared":true,"ref":"Class[A]","path":"/parameters/x","others":1}`,
		},
		{
			`{"type":"Class","title":"Db","file":"/m/db.pp","line":3,"parameters":{"password":"n7Hq-vL2pX"}},` + fmt.Sprintf(file, "say n7Hq-vL2pX twice"),
			`{"declared":false,"ref":"Class[Db]","path":"/parameters/password","manifest":"/m/db.pp","line":3}`,
		},
		{
			`{"type":"Class","title":"Db","file":"/m/db.pp","line":3,"parameters":{"n7Hq-vL2pX":"n7Hq-vL2pX"},"sensitive_parameters":["n7Hq-vL2pX"]},` + fmt.Sprintf(file, "n7Hq-vL2pX"),
			`{"declared":true,"ref":"Class[Db]","manifest":"/m/db.pp","line":3}`,
		},
		{
			fmt.Sprintf(file, "n7Hq-vL2pX") + `],"extra":[{"__ptype":"Sensitive","__pvalue":"n7Hq-vL2pX"}`,
			`{"declared":true,"pointer":"/extra/0"}`,
		},
	} {
		var got []string
		for line := range strings.Lines(write(t, "jsonl", audited(t, `{"name":"n1","resources":[`+tt.resources+`]}`))) {
			var f struct {
				Type   string
				Source json.RawMessage
			}
			if err := json.Unmarshal([]byte(line), &f); err != nil {
				t.Fatal(err)
			}
			if f.Type == "File" {
				got = append(got, string(f.Source))
			}
		}
		if len(got) != 1 || got[0] != tt.want {
			t.Errorf("%s: got %s, want %s", tt.resources, got, tt.want)
		}
	}
}

func TestSARIF(t *testing.T) {
	r := run(t, 1)
	var log struct {
		Schema  string `json:"$schema"`
		Version string
		Runs    []struct {
			Tool struct {
				Driver struct {
					Name, SemanticVersion string
					Rules                 []struct {
						ID         string
						Properties struct{ Tags []string }
					}
				}
			}
			Invocations []struct{ ExecutionSuccessful bool }
			Results     []struct {
				RuleID    string
				RuleIndex int
				Level     string
				Message   struct{ Text string }
				Locations []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           struct{ StartLine int }
					}
					LogicalLocations []struct{ FullyQualifiedName string }
				}
				PartialFingerprints map[string]string
				Properties          struct {
					Findings     int
					Repairs      []string
					Fingerprints []string
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(write(t, "sarif", r)), &log); err != nil {
		t.Fatal(err)
	}
	if log.Version != "2.1.0" || len(log.Runs) != 1 || log.Runs[0].Tool.Driver.SemanticVersion != "1.2.3" || log.Runs[0].Invocations[0].ExecutionSuccessful {
		t.Errorf("version %s, %d runs", log.Version, len(log.Runs))
	}
	run := log.Runs[0]
	found := 0
	known := make(map[string]bool)
	for _, result := range run.Results {
		found += result.Properties.Findings
		at := result.Locations[0]
		if key := fmt.Sprint(result.RuleID, at.PhysicalLocation); known[key] {
			t.Errorf("two results for %s", key)
		} else {
			known[key] = true
		}
	}
	repeated := 0 // edges and tags of a title that is a result
	for i := range r.Findings {
		if e := r.Findings[i].Element; e == audit.InEdge || e == audit.InTag {
			repeated++
		}
	}
	if found < len(r.Findings)-repeated || found > len(r.Findings) || len(run.Results) >= found {
		t.Fatalf("%d results for %d of %d findings", len(run.Results), found, len(r.Findings))
	}
	for i, result := range run.Results {
		if run.Tool.Driver.Rules[result.RuleIndex].ID != result.RuleID {
			t.Errorf("result %d: rule %d is not %s", i, result.RuleIndex, result.RuleID)
		}
		at := result.Locations[0]
		if u, err := url.Parse(at.PhysicalLocation.ArtifactLocation.URI); err != nil || u.Path == "" {
			t.Errorf("result %d: %q is no URI: %v", i, at.PhysicalLocation.ArtifactLocation.URI, err)
		}
		if at.PhysicalLocation.Region.StartLine < 1 || len(at.LogicalLocations) != 2 {
			t.Errorf("result %d: line %d, %d logical locations", i, at.PhysicalLocation.Region.StartLine, len(at.LogicalLocations))
		}
		var repairs []string
		for i := range r.Findings {
			if f := &r.Findings[i]; slices.Contains(result.Properties.Fingerprints, f.Fingerprint) && f.Rule == result.RuleID {
				repairs = append(repairs, f.Repair)
			}
		}
		if list := result.Properties.Repairs; len(list) == 0 || !slices.IsSorted(list) || len(slices.Compact(slices.Clone(list))) < len(list) || slices.ContainsFunc(list, func(id string) bool { return !slices.Contains(repairs, id) }) {
			t.Errorf("result %d: the repairs are %q, not of %q", i, list, repairs)
		}
		if !slices.ContainsFunc(r.Findings, func(f audit.Finding) bool { return f.Fingerprint == result.PartialFingerprints["pcatAudit/v1"] }) || result.Message.Text == "" {
			t.Errorf("result %d: fingerprints %v, message %q", i, result.PartialFingerprints, result.Message.Text)
		}
	}
}

func TestJUnit(t *testing.T) {
	r := run(t, 1)
	var suites struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Suites   []struct {
			Name  string `xml:"name,attr"`
			Cases []struct {
				Failure *struct{} `xml:"failure"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal([]byte(write(t, "junit", r)), &suites); err != nil {
		t.Fatal(err)
	}
	if n := suites.Failures; n == 0 || n >= len(r.Findings) || suites.Errors != 1 || suites.Tests != n+1 || len(suites.Suites) < 3 {
		t.Errorf("%d tests, %d failures, %d errors in %d suites", suites.Tests, suites.Failures, suites.Errors, len(suites.Suites))
	}
}

func TestCSV(t *testing.T) {
	r := run(t, 1)
	rows, err := csv.NewReader(strings.NewReader(write(t, "csv", r))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != len(r.Findings)+1 {
		t.Fatalf("%d rows for %d findings", len(rows), len(r.Findings))
	}
	for _, row := range rows {
		for _, cell := range row {
			if cell != "" && strings.ContainsAny(cell[:1], "=+-@") {
				t.Errorf("a spreadsheet takes %q for a formula", cell)
			}
		}
	}
}

func TestGitHub(t *testing.T) {
	r := run(t, 1)
	lines := strings.Split(strings.TrimSuffix(write(t, "github", r), "\n"), "\n")
	repaired := map[string]bool{}
	for _, f := range r.Findings {
		repaired[fmt.Sprint(f.File, f.Line)] = true
	}
	if len(lines) != len(repaired)+1 {
		t.Fatalf("%d lines for %d lines to repair and a failure", len(lines), len(repaired))
	}
	for _, line := range lines {
		kind, rest, ok := strings.Cut(strings.TrimPrefix(line, "::"), " ")
		if !ok || kind != "error" && kind != "warning" && kind != "notice" || strings.Count(rest, "::") < 1 {
			t.Errorf("%q is no command", line)
		}
	}
}

// hostile audits a catalog in which text is the title, the file of the manifest and a key,
// and part of the name.
func hostile(t *testing.T, text string) *audit.Report {
	t.Helper()
	document, err := json.Marshal(map[string]any{"name": text, "resources": []any{
		map[string]any{"type": "Exec", "title": text, "file": text, "line": 7, "parameters": map[string]any{text: map[string]any{"password": "Kestrel-4417-moor"}}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	auditor, err := audit.New(audit.Options{Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	r, err := auditor.Run(context.Background(), []audit.Input{{Name: text + ".json", Open: func() (*catalog.Reader, io.Closer, error) {
		return catalog.NewReaderBytes(document, formats.RichJSON(), serialization.DecodeOptions{}), nil, nil
	}}})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Findings) != 1 {
		t.Fatalf("%d findings", len(r.Findings))
	}
	return r
}

// Text of a catalog stays inside its property or message of a workflow command.
func TestGitHubEscapes(t *testing.T) {
	for text, want := range map[string]string{
		"a,line=9":             "file=a%2Cline=9,line=7,title=plain-secret-parameter::",
		"a::stop-commands::x":  "file=a%3A%3Astop-commands%3A%3Ax,line=7,",
		"a%0Ab":                "file=a%250Ab,line=7,",
		"a\r\n::error::forged": "file=a··%3A%3Aerror%3A%3Aforged,line=7,",
		"a\u202e\u009b\x1b":    "file=a···,line=7,",
	} {
		out := write(t, "github", hostile(t, text))
		if !strings.Contains(out, want) || strings.Count(out, "\n") != 1 || strings.ContainsAny(out, "\r\u202e\u009b\x1b") {
			t.Errorf("%q: %q lacks %q", text, out, want)
		}
	}
}

// No cell is a formula, or continues in another line.
func TestCSVFormulas(t *testing.T) {
	formula := regexp.MustCompile(`^[\s\p{Z}]*[=+\-@＝＋－＠]`)
	for _, text := range []string{"=cmd|' /C calc'!A0", "+1", "-1", "@SUM(A1)", "  =1", "\t=1", "\r=1", "\n=1", "\u00a0=1", "＝1", "＋1", "－1", "＠x"} {
		out := write(t, "csv", hostile(t, text))
		rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		if strings.Count(out, "\n") != 2 {
			t.Errorf("%q: %q has other lines than the header and a finding", text, out)
		}
		for _, cell := range rows[1] {
			if formula.MatchString(cell) {
				t.Errorf("%q: a spreadsheet takes %q for a formula", text, cell)
			}
		}
	}
}

func TestText(t *testing.T) {
	r := run(t, 1)
	var b bytes.Buffer
	if err := report.Write(&b, "text", r, report.Options{}); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(b.String(), "2 catalogs audited, ") {
		t.Error("the sum is not on top")
	}
	for _, want := range []string{"  nodes   2: node0, node1\n", "\ncritical  /m/", "  fix     ", "not audited: catalog2.json", "2 catalogs audited, "} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing", want)
		}
	}
	if strings.Contains(b.String(), "\x1b[") {
		t.Error("coloured, though not asked for")
	}
}

// No format shows a secret for a practice, but the parameter that has it.
func TestPractice(t *testing.T) {
	document := `{"name":"n","resources":[{"type":"Class","title":"A","exported":true,"parameters":{"v":{"__ptype":"Sensitive","__pvalue":"n7Hq-vL2pX"}},"sensitive_parameters":["v"]}]}`
	r := audited(t, document)
	if len(r.Findings) != 1 || r.Findings[0].Rule != "exported-secret" || r.Findings[0].Tag != "" || r.Findings[0].Severity != rule.High {
		t.Fatalf("%+v", r.Findings)
	}
	for name, want := range map[string]string{
		"sarif":  `"text": "An exported resource contains a secret: v at Class[A]/exported in 0"` + "\n          },\n          \"locations\"",
		"github": "::An exported resource contains a secret: v at Class[A]/exported in 0\n",
		"csv":    ",A,exported,,,",
		"junit":  `type="high">v&#xA;0#/resources/0/exported `,
	} {
		if got := write(t, name, r); !strings.Contains(got, want) {
			t.Errorf("%s has no %q: %s", name, want, got)
		}
	}
}

// Texts of a catalog do not control the terminal on which a report is shown.
func TestTerminal(t *testing.T) {
	const steers = `\u001b[31m\u009b1m\u202e`
	r := audited(t, `{"name":"n`+steers+`","resources":[
		{"type":"Cl`+steers+`","title":"A`+steers+`","parameters":{"v`+steers+`":"n7Hq-vL2pX"},"sensitive_parameters":["v`+steers+`"]},
		{"type":"Cl`+steers+`","title":"B`+steers+`","file":"/m`+steers+`","parameters":{"x`+steers+`":{"password":"n7Hq-vL2pX"}}},
		{"type":"Cl","title":"C","parameters":{"x":{"__ptype":"no <`+steers+`"}}}]}`,
		`{"name":"n`+steers+`","resources":[{"type":"Cl`+steers+`","title":"B`+steers+`","parameters":{"x`+steers+`":"zk4top-Kw81"},"sensitive_parameters":["x`+steers+`"]},
		{"type":"Cl","title":"B`+steers+`","parameters":{"y":"zk4top-Kw81"}}]}`)
	if len(r.Findings) == 0 || len(r.Failures) != 1 {
		t.Fatalf("%d findings, %d failures", len(r.Findings), len(r.Failures))
	}
	for _, name := range []string{"text", "github", "junit", "json"} {
		var b bytes.Buffer
		if err := report.Write(&b, name, r, report.Options{}); err != nil {
			t.Fatal(err)
		}
		if name != "json" && strings.ContainsAny(b.String(), "\x1b\u009b\u202e") || strings.Contains(b.String(), "\x1b") {
			t.Errorf("%s: %q", name, b.String())
		}
	}
}

// audited returns the report of documents named 0, 1 and so on.
func audited(t testing.TB, documents ...string) *audit.Report {
	t.Helper()
	format := formats.RichJSON()
	var inputs []audit.Input
	for i, d := range documents {
		inputs = append(inputs, audit.Input{Name: fmt.Sprint(i), Open: func() (*catalog.Reader, io.Closer, error) {
			return catalog.NewReaderBytes([]byte(d), format, serialization.DecodeOptions{}), nil, nil
		}})
	}
	auditor, err := audit.New(audit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := auditor.Run(t.Context(), inputs)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestUnknownFormat(t *testing.T) {
	err := report.Write(io.Discard, "papyrus", &audit.Report{}, report.Options{})
	if !errors.Is(err, report.ErrFormat) || !strings.Contains(err.Error(), "jsonl") {
		t.Errorf("got %v", err)
	}
}

func TestNothingFound(t *testing.T) {
	for _, f := range report.Formats() {
		var b bytes.Buffer
		if err := report.Write(&b, f.Name, &audit.Report{Catalogs: 1}, report.Options{}); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
}

// A report for people lists the worst locations, and counts the others.
func TestManyLocations(t *testing.T) {
	var resources []string
	for n := range 60 {
		resources = append(resources, fmt.Sprintf(`{"type":"Class","title":"A%d","file":"/m/a.pp","line":%d,"parameters":{"x":"k9Xw-Tq4Zr-7"}}`, n, n+1))
	}
	r := audited(t, `{"name":"n","resources":[{"type":"Class","title":"Db","parameters":{"password":"k9Xw-Tq4Zr-7"},"sensitive_parameters":["password"]},`+
		strings.Join(resources, ",")+`]}`)
	for _, tt := range []struct {
		all   bool
		where int
		more  bool
	}{{false, 20, true}, {true, 60, false}} {
		var b bytes.Buffer
		if err := report.Write(&b, "text", r, report.Options{All: tt.all}); err != nil {
			t.Fatal(err)
		}
		out := b.String()
		if n := strings.Count(out, "\nhigh      /m/a.pp:"); n != tt.where || strings.Contains(out, "\n40 more to repair; --all lists them\n") != tt.more {
			t.Errorf("all %t: %d places in %s", tt.all, n, out)
		}
		if !strings.Contains(out, "  high             1  /m/a.pp:10\n  and 50 more\n") {
			t.Errorf("all %t: no table, or not of ten lines: %s", tt.all, out)
		}
	}
	if out := write(t, "jsonl", r); strings.Count(out, "\n") != 60 {
		t.Errorf("jsonl has %d lines, want 60", strings.Count(out, "\n"))
	}
}

// All forms show manifests as the locator does.
func TestLocations(t *testing.T) {
	const address = "https://git.example.com/control/blob/{environment}/{path}#L{line}"
	const file = "/etc/puppetlabs/code/environments/production/modules/a/manifests/a b.pp"
	r := audited(t, `{"name":"n","resources":[{"type":"User","title":"u","file":"`+file+`","line":7,"parameters":{"password":"k9Xw-Tq4Zr-7"}}]}`)
	if len(r.Findings) != 1 {
		t.Fatalf("%d findings", len(r.Findings))
	}
	for _, tt := range []struct {
		locator manifest.Locator
		path    string
		link    string
	}{
		{manifest.Locator{}, "modules/a/manifests/a b.pp", ""},
		{manifest.Locator{SourceRoot: "/etc/puppetlabs/code"}, "environments/production/modules/a/manifests/a b.pp", ""},
		{manifest.Locator{SourceRoot: "/"}, file, ""},
		{manifest.Locator{Checkout: []string{"/etc/puppetlabs"}}, "code/environments/production/modules/a/manifests/a b.pp", ""},
		{manifest.Locator{SourceURL: address}, "modules/a/manifests/a b.pp", "https://git.example.com/control/blob/production/modules/a/manifests/a%20b.pp#L7"},
	} {
		text := cmp.Or(tt.link, tt.path+":7")
		wants := map[string][]string{
			"text": {"high      " + text + "\n"}, "sarif": {`"uri": "` + (&url.URL{Path: tt.path}).String() + `"`}, "github": {"file=" + tt.path + ","},
			"junit": {` file="` + tt.path + `"`}, "jsonl": {`"manifest":"` + tt.path + `","line":7`}, "json": {`"manifest": "` + tt.path + `"`},
			"csv": {"," + tt.path + ",7,"}, "html": {"<code>" + tt.path + ":7</code>", `"` + tt.path + `"`},
		}
		if tt.link != "" {
			wants["sarif"] = append(wants["sarif"], `"hostedViewerUri": "`+tt.link+`"`)
			wants["html"] = []string{`<a href="` + tt.link + `" rel="noreferrer"><code>` + tt.path + ":7</code></a>", `"` + tt.link + `"`}
		}
		for format, list := range wants {
			var b bytes.Buffer
			if err := report.Write(&b, format, r, report.Options{Locator: tt.locator}); err != nil {
				t.Fatal(err)
			}
			for _, want := range list {
				if !strings.Contains(b.String(), want) {
					t.Errorf("%s, %+v: lacks %q: %s", format, tt.locator, want, &b)
				}
			}
		}
	}
	var b bytes.Buffer
	o := report.Options{Color: true, Locator: manifest.Locator{SourceURL: address, Terminal: true}}
	if err := report.Write(&b, "text", r, o); err != nil {
		t.Fatal(err)
	}
	if want := "\x1b]8;;https://git.example.com/control/blob/production/modules/a/manifests/a%20b.pp#L7\x1b\\modules/a/manifests/a b.pp:7\x1b]8;;\x1b\\"; !strings.Contains(b.String(), want) {
		t.Errorf("a terminal: %q lacks %q", &b, want)
	}
}
