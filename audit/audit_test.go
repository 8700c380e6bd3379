package audit_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/internal/verdict"
	"github.com/pcatdev/pcat/audit/report"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

func input(name string, data []byte) audit.Input {
	return audit.Input{Name: name, Open: func() (*catalog.Reader, io.Closer, error) {
		format, ok := formats.Default().ByContent(data)
		if !ok {
			return nil, nil, serialization.ErrFormat
		}
		return catalog.NewReaderBytes(data, format, serialization.DecodeOptions{}), nil, nil
	}}
}

var key = []byte("0123456789abcdef0123456789abcdef")

func run(t testing.TB, documents ...string) *audit.Report {
	t.Helper()
	return runWith(t, audit.Options{Key: key}, documents...)
}

func runWith(t testing.TB, o audit.Options, documents ...string) *audit.Report {
	t.Helper()
	var inputs []audit.Input
	for i, d := range documents {
		inputs = append(inputs, input(fmt.Sprintf("catalog%d", i), []byte(d)))
	}
	a, err := audit.New(o)
	if err != nil {
		t.Fatal(err)
	}
	r, err := a.Run(context.Background(), inputs)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// node returns a catalog of the given resources.
func node(name string, resources ...string) string {
	return fmt.Sprintf(`{"name":%q,"resources":[%s],"edges":[]}`, name, strings.Join(resources, ","))
}

func class(title, parameters string, sensitive ...string) string {
	s := ""
	if len(sensitive) > 0 {
		s = fmt.Sprintf(`,"sensitive_parameters":["%s"]`, strings.Join(sensitive, `","`))
	}
	return fmt.Sprintf(`{"type":"Class","title":%q,"parameters":%s%s}`, title, parameters, s)
}

// locations returns rule and pointer of each finding.
func locations(r *audit.Report) string {
	var b strings.Builder
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "%s %s %s\n", f.Catalog, f.Rule, f.Pointer)
	}
	return b.String()
}

func TestRun(t *testing.T) {
	tests := []struct {
		name      string
		documents []string
		want      string
	}{
		{
			"a copy of a Sensitive parameter",
			[]string{node("a", class("A", `{"db_password":"n7Hq-vL2pX"}`, "db_password"), class("B", `{"bind":"n7Hq-vL2pX"}`))},
			"catalog0 sensitive-reuse-open /resources/1/parameters/bind\n",
		},
		{
			"a copy of a nested Sensitive, inside other text and in base64",
			[]string{node("a",
				class("A", `{"db":{"pw":{"__ptype":"Sensitive","__pvalue":"n7Hq-vL2pX"}}}`),
				class("B", `{"line":"x n7Hq-vL2pX y","blob":"AAAAbjdIcS12TDJwWAAA"}`))},
			"catalog0 sensitive-reuse-open /resources/1/parameters/line\n" +
				"catalog0 sensitive-reuse-open /resources/1/parameters/blob\n",
		},
		{
			"titles, tags, keys and edges",
			[]string{`{"name":"a","resources":[` + class("A", `{"token":"n7Hq-vL2pX"}`, "token") +
				`,{"type":"Exec","title":"set n7Hq-vL2pX","tags":["n7hq-vl2px"],"parameters":{"a":{"n7Hq-vL2pX":1}}}],` +
				`"edges":[{"source":"Class[A]","target":"Exec[set n7Hq-vL2pX]"}]}`},
			"catalog0 sensitive-in-title /resources/1/title\n" +
				"catalog0 sensitive-in-tag /resources/1/tags/0\n" +
				"catalog0 sensitive-in-key /resources/1/parameters/a/‹secret›\n" +
				"catalog0 sensitive-in-edge /edges/0/target\n",
		},
		{
			"the same tags again",
			[]string{node("a", class("A", `{"token":"n7Hq-vL2pX"}`, "token"),
				`{"type":"T","title":"t","tags":["class","n7hq-vl2px","class"]}`, `{"type":"T","title":"u","tags":["class","n7hq-vl2px"]}`)},
			"catalog0 sensitive-in-tag /resources/1/tags/1\n" +
				"catalog0 sensitive-in-tag /resources/2/tags/1\n",
		},
		{
			"a parameter that is listed again and again, and one that is not there",
			[]string{node("a", `{"type":"Archive","title":"x","parameters":{"source":"n7Hq-vL2pX"},"sensitive_parameters":["source","creates","source","source"]}`)},
			"catalog0 unredactable-parameter /resources/0/parameters/source\n",
		},
		{
			"another node",
			[]string{node("a", class("A", `{"t":"n7Hq-vL2pX"}`, "t")), node("b", class("B", `{"seed":"n7Hq-vL2pX"}`))},
			"catalog1 sensitive-cross-node /resources/0/parameters/seed\n",
		},
		{
			"words and paths are not followed",
			[]string{node("a", class("A", `{"a":"production","b":"/etc/app/secret.key","c":"8080"}`, "a", "b", "c"),
				class("B", `{"environment":"production","file":"/etc/app/secret.key","port":"8080"}`))},
			"",
		},
		{
			"names, keys, URLs and literals",
			[]string{node("a", class("A", `{"db_password":"correct-horse-battery","password_file":"/etc/p","api_token":"%{lookup('x')}",`+
				`"source":"https://deploy:n7Hq-vL2pX@git.example.com/x.git","plain":"https://git@example.com/x",`+
				`"content":"user Sensitive [value redacted]","other":"Deferred({'name' => 'f'})"}`))},
			"catalog0 plain-secret-parameter /resources/0/parameters/db_password\n" +
				"catalog0 url-credentials /resources/0/parameters/source\n" +
				"catalog0 redacted-literal /resources/0/parameters/content\n" +
				"catalog0 deferred-literal /resources/0/parameters/other\n",
		},
		{
			"the text of a Deferred is no secret that another one repeats",
			[]string{node("a", class("A", `{"content":"Deferred({'name' => 'lookup', 'arguments' => ['password']})"}`, "content"),
				class("B", `{"content":"Deferred({'name' => 'sprintf'})"}`))},
			"catalog0 deferred-literal /resources/1/parameters/content\n",
		},
		{
			"an answer of PuppetDB",
			[]string{`{"certname":"a","resources":{"href":"/x","data":[` + class("A", `{"password":"n7Hq-vL2pX"}`) + `]},"edges":{"data":[]}}`},
			"catalog0 plain-secret-parameter /resources/data/0/parameters/password\n",
		},
		{
			"an envelope",
			[]string{`{"document_type":"Catalog","data":` + node("a", class("A", `{"password":"n7Hq-vL2pX"}`)) + `}`},
			"catalog0 plain-secret-parameter /data/resources/0/parameters/password\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := locations(run(t, tt.documents...)); got != tt.want {
				t.Errorf("got\n%swant\n%s", got, tt.want)
			}
		})
	}
}

func TestRealCatalogs(t *testing.T) {
	files, err := filepath.Glob("../testdata/catalogs/*/rich.*")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	fingerprints := map[string]string{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		r := run(t, string(data))
		for _, f := range r.Failures {
			t.Error(file, f)
		}
		var all []string
		for _, f := range r.Findings {
			all = append(all, f.Rule+" "+f.Pointer+" "+f.Fingerprint)
		}
		dir := filepath.Dir(file)
		if other, ok := fingerprints[dir]; ok && other != strings.Join(all, "\n") {
			t.Errorf("%s: findings in JSON and MessagePack differ", dir)
		}
		fingerprints[dir] = strings.Join(all, "\n")
	}
}

// No report in any format contains a secret in any spelling.
func TestReportsHoldNoSecret(t *testing.T) {
	const secret, other = "n7Hq/vL2+pX?", "Sommer-Fjord2024!"
	r := run(t,
		`{"name":"a","resources":[`+class("A "+secret, `{"token":"`+secret+`","password":"`+other+`"}`, "token")+
			`,{"type":"Exec","title":"set `+other+`","tags":["x"],"parameters":{"`+secret+`":{"`+secret+`":"x"},"url":"http://u:`+other+`@h/"}}],"edges":[]}`,
		node("b", class("B", `{"seed":"`+secret+`","`+other+`":"`+secret+`"}`)))
	if len(r.Findings) < 6 {
		t.Fatalf("only %d findings", len(r.Findings))
	}
	for _, f := range report.Formats() {
		var b bytes.Buffer
		if err := report.Write(&b, f.Name, r, report.Options{Color: true}); err != nil {
			t.Errorf("%s: %v", f.Name, err)
			continue
		}
		for _, s := range []string{secret, other, strings.ToLower(other), "n7Hq", "Fjord2024", "bjdIcS92TDIrcFg", "n7Hq%2FvL2"} {
			if strings.Contains(b.String(), s) {
				t.Errorf("%s: %q stands in the output", f.Name, s)
			}
		}
	}
	if err := r.Check([]byte("x " + secret)); !errors.Is(err, audit.ErrSecret) {
		t.Errorf("Check: %v", err)
	}
}

// A secret may be a word that reports use. It is masked in texts of the
// catalog, and the report is written.
func TestSecretsThatReportsSay(t *testing.T) {
	for _, secret := range []string{
		"base64", "secret-in-content", "plaintext-1", "pointer_masked", "2.1.0-rtm.6", "sarif-2.1.0", "8-15 chars", "severity3", "letters and digits",
		"pcatAudit/v1", "Sensitive[String]", "catalog0", "node-a7", "Class[Db]",
	} {
		r := run(t, node("node-a7",
			class("Db", `{"token":"`+secret+`","password":"`+secret+`","seen":"x `+secret+` y"}`, "token"),
			class(secret, `{"content":"`+base64.StdEncoding.EncodeToString([]byte("db_password: n7Hq-vL2pX"))+`"}`)))
		if len(r.Findings) == 0 {
			t.Errorf("%s: nothing is found", secret)
		}
		for _, f := range report.Formats() {
			var b bytes.Buffer
			if err := report.Write(&b, f.Name, r, report.Options{}); err != nil {
				t.Errorf("%s: %s: %v", secret, f.Name, err)
			}
			if strings.Contains(b.String(), "n7Hq-vL2pX") {
				t.Errorf("%s: %s holds a secret", secret, f.Name)
			}
		}
	}
}

// A pointer can contain a secret although none of its names does.
func TestPointerThatHoldsSecret(t *testing.T) {
	r := run(t, node("n", class("A", `{"key":"parameters/main"}`, "key"), class("B", `{"main":"x parameters/main y"}`)))
	if len(r.Findings) != 1 {
		t.Fatalf("%d findings, want 1", len(r.Findings))
	}
	if f := r.Findings[0]; f.Pointer != "/resources/1/‹secret›" || !f.Hidden || f.Offset < 0 {
		t.Errorf("got %s, hidden %t, offset %d", f.Pointer, f.Hidden, f.Offset)
	}
}

func TestFingerprints(t *testing.T) {
	a, b := class("A", `{"password":"n7Hq-vL2pX","users":[{"password":"Zz81-kkQw"},{"n":1}]}`), class("B", `{"x":1}`)
	first, second := run(t, node("n", a, b)), run(t, node("n", b, strings.Replace(a, `{"password":"Zz81-kkQw"},{"n":1}`, `{"n":1},{"password":"Zz81-kkQw"}`, 1)))
	if len(first.Findings) != 2 || len(second.Findings) != 2 {
		t.Fatalf("%d and %d findings, want 2", len(first.Findings), len(second.Findings))
	}
	for i := range first.Findings {
		if x, y := first.Findings[i], second.Findings[i]; x.Fingerprint != y.Fingerprint || x.Pointer == y.Pointer {
			t.Errorf("%s %s, then %s %s: want the same fingerprint at another place", x.Pointer, x.Fingerprint, y.Pointer, y.Fingerprint)
		}
	}
	if first.Findings[0].Fingerprint == first.Findings[1].Fingerprint {
		t.Error("two secrets have one fingerprint")
	}
}

// Fingerprints with a key are in files of users and must never change.
func TestFingerprintsStay(t *testing.T) {
	r := run(t, node("n", class("A", `{"password":"n7Hq-vL2pX","users":[{"password":"Zz81-kkQw"},{"n":1}]}`)))
	want := []string{"2036257d0a083a63e53250e022cf39b6 3371e2", "f61810bfabf2addb63190783f2ec8725 31e031"}
	for i, f := range r.Findings {
		if got := f.Fingerprint + " " + f.Tag; got != want[i] {
			t.Errorf("%s: got %s, want %s", f.Pointer, got, want[i])
		}
	}
	if !r.Keyed || len(r.Findings) != 2 {
		t.Errorf("keyed: %v, %d findings", r.Keyed, len(r.Findings))
	}
}

// unkeyed returns the findings of a run without a key, sorted by location.
func unkeyed(t *testing.T, documents ...string) []string {
	t.Helper()
	r := runWith(t, audit.Options{}, documents...)
	if r.Keyed {
		t.Error("a run without a key has one")
	}
	var list []string
	for _, f := range r.Findings {
		if len(f.Fingerprint) != 64 {
			t.Errorf("%s has %d digits: it looks like one under a key", f.Fingerprint, len(f.Fingerprint))
		}
		list = append(list, f.Rule+" "+f.Type+"["+f.Title+"]/"+f.Parameter+" "+f.Fingerprint)
	}
	slices.Sort(list)
	return list
}

// Without a key, a fingerprint depends only on the location.
func TestFingerprintsWithoutKey(t *testing.T) {
	const a = `{"type":"Class","title":"A","parameters":{"password":"n7Hq-vL2pX","users":[{"password":"Zz81-kkQw"},{"n":1}]}}`
	want := unkeyed(t, node("n", a))
	for name, tt := range map[string]struct {
		same      bool
		documents []string
	}{
		"another run":           {true, []string{node("n", a)}},
		"another node":          {true, []string{node("m", a)}},
		"another secret":        {true, []string{node("n", strings.Replace(a, "n7Hq-vL2pX", "Qk27-ttRw9", 1))}},
		"an unrelated resource": {true, []string{node("n", class("B", `{"x":1}`), a)}},
		"another position":      {true, []string{node("n", strings.Replace(a, `{"password":"Zz81-kkQw"},{"n":1}`, `{"n":1},{"password":"Zz81-kkQw"}`, 1))}},
		"members the other way": {true, []string{node("n", `{"type":"Class","title":"A","parameters":{"users":[{"n":1},{"password":"Zz81-kkQw"}],"password":"n7Hq-vL2pX"}}`)}},
		"another title":         {false, []string{node("n", strings.Replace(a, `"A"`, `"B"`, 1))}},
		"another parameter":     {false, []string{node("n", strings.Replace(a, `"users"`, `"people"`, 1))}},
		"another one there":     {false, []string{node("n", strings.Replace(a, `{"n":1}`, `{"password":"Tt45-mmPq"}`, 1))}},
	} {
		if got := unkeyed(t, tt.documents...); slices.Equal(got, want) != tt.same {
			t.Errorf("%s: got\n%s\nwant the same is %v as\n%s", name, strings.Join(got, "\n"), tt.same, strings.Join(want, "\n"))
		}
	}
	if two := unkeyed(t, node("n", a), node("m", a)); !slices.Equal(two, []string{want[0], want[0], want[1], want[1]}) {
		t.Errorf("two nodes: got\n%s", strings.Join(two, "\n"))
	}
	third := unkeyed(t, node("n", strings.Replace(a, `{"n":1}`, `{"password":"Tt45-mmPq"}`, 1)))
	if len(third) != 3 || !slices.Contains(third, want[0]) || !slices.Contains(third, want[1]) {
		t.Errorf("one more there: got\n%s\nwant it besides\n%s", strings.Join(third, "\n"), strings.Join(want, "\n"))
	}
}

// Without a key, fingerprints and tags do not depend on the secret.
func TestFingerprintsHoldNoSecret(t *testing.T) {
	document := func(secret string) string {
		return node("n",
			`{"type":"Class","title":"Own","parameters":{"secret":"`+secret+`"},"sensitive_parameters":["secret"]}`,
			`{"type":"Psql","title":"ALTER ROLE x PASSWORD '`+secret+`'","tags":["`+strings.ToLower(secret)+`"],"parameters":{"map":{"`+secret+`":{"password":"Zz81-kkQw"}},"list":["`+secret+`","`+secret+`"]}}`)
	}
	made := func(secret string) []string {
		var list []string
		for _, f := range runWith(t, audit.Options{}, document(secret)).Findings {
			list = append(list, f.Rule+" "+f.Fingerprint+" "+f.Tag)
		}
		return list
	}
	one, other := made("Yq77-lantern-3"), made("Wk31-beacons-8")
	if len(one) < 6 || !slices.Equal(one, other) {
		t.Errorf("got\n%s\nand\n%s", strings.Join(one, "\n"), strings.Join(other, "\n"))
	}
}

// Without a key, tags are numbers in the order of first occurrence.
func TestTagsWithoutKey(t *testing.T) {
	var got []string
	for _, f := range runWith(t, audit.Options{}, node("n", class("A", `{"password":"n7Hq-vL2pX","x_password":"Zz81-kkQw"}`)),
		node("m", class("B", `{"password":"Zz81-kkQw","y_password":"Tt45-mmPq","z_password":"n7Hq-vL2pX"}`))).Findings {
		got = append(got, f.Tag)
		if !strings.Contains(f.Shown, "#"+f.Tag+"›") {
			t.Errorf("tag %s, shown %s", f.Tag, f.Shown)
		}
	}
	if want := []string{"1", "2", "2", "3", "1"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestUnreadableInput(t *testing.T) {
	r := run(t, node("a", class("A", `{"password":"n7Hq-vL2pX"}`)), `{"resources":[{"type"`)
	if len(r.Findings) != 1 || len(r.Failures) != 1 || r.Failures[0].Name != "catalog1" {
		t.Errorf("%d findings, failures %v", len(r.Findings), r.Failures)
	}
}

func Example() {
	document := []byte(`{"name":"web01","resources":[
		{"type":"Class","title":"Db","parameters":{"root_password":"n7Hq-vL2pX"},"sensitive_parameters":["root_password"]},
		{"type":"File","title":"/etc/app.conf","parameters":{"content":"pw = n7Hq-vL2pX\n"}}]}`)
	format := formats.RichJSON()
	auditor, err := audit.New(audit.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := auditor.Run(context.Background(), []audit.Input{{Name: "web01.json", Open: func() (*catalog.Reader, io.Closer, error) {
		return catalog.NewReaderBytes(document, format, serialization.DecodeOptions{}), nil, nil
	}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range r.Findings {
		fmt.Println(f.Severity, f.Rule, f.At)
		fmt.Println(f.Message)
	}
	// Output:
	// high sensitive-reuse-open File[/etc/app.conf]/content
	// A value that is Sensitive elsewhere is plain text; it is Sensitive in Class[Db]/root_password
}

func TestBombIsNoted(t *testing.T) {
	if testing.Short() {
		t.Skip("it is a test of bounds")
	}
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write(make([]byte, 32<<20))
	_ = w.Close()
	r := run(t, node("a", class("A", `{"x":"`+base64.StdEncoding.EncodeToString(b.Bytes())+`"}`)))
	if len(r.Notes) != 1 || r.Notes[0].Pointer != "/resources/0/parameters/x" {
		t.Errorf("notes %v", r.Notes)
	}
}

func TestNames(t *testing.T) {
	document := node("a", class("A", `{"relish":"n7Hq-vL2pX"}`), class("B", `{"alias_key_token":"n8Hq-vL2pX"}`))
	if got, want := locations(run(t, document)), "catalog0 plain-secret-parameter /resources/1/parameters/alias_key_token\n"; got != want {
		t.Errorf("without names: got %q, want %q", got, want)
	}
	own := verdict.Names{Secret: []string{"relish"}, Harmless: []string{"alias_key_token"}}
	if got, want := locations(runWith(t, audit.Options{Key: key, Names: audit.Names(own)}, document)), "catalog0 plain-secret-parameter /resources/0/parameters/relish\n"; got != want {
		t.Errorf("with names: got %q, want %q", got, want)
	}
}

// A kept secret has the text that spells it, which is the text to be removed
// from the catalog.
func TestKeptSecretsAreSpelled(t *testing.T) {
	content := "user = app\\npassword = Zx9-q\\\"Kw4vTz\\n"
	encoded := base64.StdEncoding.EncodeToString([]byte("password = Tr0ub4dor-and-3\n"))
	r := runWith(t, audit.Options{Key: key, KeepSecrets: true}, `{"name":"n","resources":[
		{"type":"File","title":"/a.conf","parameters":{"content":"`+content+`"}},
		{"type":"File","title":"/b.conf","parameters":{"content":"x `+encoded+` y"}},
		{"type":"Db","title":"c","parameters":{"password":"Tr0ub4dor-and-4"}}],"edges":[]}`)
	want := [][2]string{{`Zx9-q"Kw4vTz`, `Zx9-q"Kw4vTz`}, {"Tr0ub4dor-and-3", encoded}, {"Tr0ub4dor-and-4", "Tr0ub4dor-and-4"}}
	if len(r.Findings) != len(want) {
		t.Fatalf("%d findings", len(r.Findings))
	}
	for i, f := range r.Findings {
		if secret, spelled := f.Secret.Reveal().String(), f.Spelled.Reveal().String(); !strings.Contains(secret, want[i][0]) || !strings.Contains(spelled, want[i][1]) {
			t.Errorf("%v: %s, spelled %s", f.At, secret, spelled)
		}
	}
	for _, f := range runWith(t, audit.Options{Key: key}, `{"resources":[{"type":"Db","title":"c","parameters":{"password":"Tr0ub4dor-and-4"}}],"edges":[]}`).Findings {
		if f.Secret != nil || f.Spelled != nil {
			t.Errorf("%v: a secret is kept that nobody asked for", f.At)
		}
	}
}

// A secret that is also declared with the end of a line has one description, as it has one tag.
func TestDescriptionOfLine(t *testing.T) {
	declared := class("A", `{"v":"n7Hq-vL2pX-zK4top","w":"n7Hq-vL2pX-zK4top\n"}`, "v", "w")
	list := run(t, node("a", declared), node("b", declared)).Findings
	if len(list) != 2 {
		t.Fatalf("%d findings", len(list))
	}
	for _, f := range list {
		if f.Rule != "secret-reuse" || f.Shown != "‹16-31 chars, mixed, #"+list[0].Tag+"›" {
			t.Errorf("%s: %s", f.Rule, f.Shown)
		}
	}
}

// Several files of one node are one node: a secret declared in one and leaked
// in another does not come from another node.
func TestNodeInSeveralFiles(t *testing.T) {
	const secret = "n7Hq-vL2pX-zK4top"
	declared := class("A", `{"v":"`+secret+`"}`, "v")
	open := `{"type":"Notify","title":"x","parameters":{"message":"` + secret + `"}}`
	rules := func(r *audit.Report) (list []string) {
		for _, f := range r.Findings {
			list = append(list, f.Rule)
		}
		return list
	}
	if got := rules(run(t, node("a", declared), node("a", declared, open))); !slices.Equal(got, []string{"sensitive-reuse-open"}) {
		t.Errorf("two files of one node: %v", got)
	}
	if got := rules(run(t, node("a", declared), node("b", open))); !slices.Equal(got, []string{"sensitive-cross-node"}) {
		t.Errorf("two nodes: %v", got)
	}
	if got := rules(run(t, node("a", declared), node("b", declared))); !slices.Equal(got, []string{"secret-reuse"}) {
		t.Errorf("two nodes that declare it: %v", got)
	}
	if got := rules(run(t, node("a", declared), node("a", open))); !slices.Equal(got, []string{"sensitive-reuse-open"}) {
		t.Errorf("another file of the node: %v", got)
	}
}

func TestJudgements(t *testing.T) {
	document := node("a", class("A", `{"db_password":"op://prod/x/password","x":{"k7Xq9-zzW4_token":"none"},"api_key":"zZ81xk92Qw7","y":"k7Xq9-zzW4"}`, "y"),
		`{"type":"File","title":"/etc/x","tags":[],"exported":false,"parameters":{"content":"password = ${DB}\nport = 80\n"}}`)
	if r := run(t, document); len(r.Judgements) > 0 {
		t.Errorf("told without being asked: %v", r.Judgements)
	}
	r := runWith(t, audit.Options{Key: key, Explain: func(string, string) bool { return true }}, document)
	var got []string
	for _, j := range r.Judgements {
		got = append(got, fmt.Sprintf("%s: %s: %s %.1f", j.Pointer, j.Name, j.Against, j.Score()))
	}
	want := []string{
		"/resources/0/parameters/db_password: db_password: a reference to a secret 0.0",
		"/resources/0/parameters/x/‹secret›_token: ‹secret›_token: a keyword 0.0",
		"/resources/0/parameters/api_key: api_key:  26.5",
		"/resources/1/parameters/content: password: filled in from a variable 0.0",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A pointer that is masked because of a secret has an offset, whether a
// detector or a copy elsewhere revealed the secret.
func TestHiddenLocationsHaveOffsets(t *testing.T) {
	for _, parameters := range []string{
		`{"up":{"https://svc:k7Xq9zzW@h/":{"token":"A8kq-77hGt2pQ9"}}}`,
		`{"password":"k7Xq9-zzW4!","m":{"a k7Xq9-zzW4!":{"https://svc:f7Rq9zzW@h/":1}}}`,
	} {
		for _, f := range run(t, node("a", class("A", parameters))).Findings {
			if f.Hidden && f.Offset < 0 {
				t.Errorf("%s at %s has neither pointer nor offset", f.Rule, f.Pointer)
			}
		}
	}
}

// A failure names its input and wraps the cause.
func TestFailure(t *testing.T) {
	f := audit.Failure{Name: "x.json", Err: serialization.ErrFormat}
	if got, want := f.Error(), "x.json: "+serialization.ErrFormat.Error(); got != want || !errors.Is(f, serialization.ErrFormat) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The nodes are the ones of the inputs that were read to the end. The name of an
// input replaces an unknown name.
func TestNodes(t *testing.T) {
	r := run(t, "["+node("b")+","+node("a")+"]", node("a"), `{"resources":[],"edges":[]}`, `[`+node("c")+`,{"name":"d","resources":[`)
	if got := strings.Join(r.Nodes, " "); got != "a b catalog2" || len(r.Failures) != 1 || r.Catalogs != 5 {
		t.Errorf("nodes %q of %d catalogs, %d failures", got, r.Catalogs, len(r.Failures))
	}
}

// TestReportBesideCatalog searches a report for the secrets that the catalog of its node declares.
func TestReportBesideCatalog(t *testing.T) {
	a, err := audit.New(audit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	declares := input("catalog", []byte(`{"name":"web01","resources":[{"type":"User","title":"app","parameters":{"password":"blue-heron-walks-2"},"sensitive_parameters":["password"]}],"edges":[]}`))
	report := audit.Document("report", []byte(`{"host":"web01","report_format":12,"logs":[{"level":"notice","source":"Puppet","tags":[],"message":"the seed is blue-heron-walks-2"}],"resource_statuses":{}}`))
	for _, test := range []struct {
		inputs []audit.Input
		want   int
	}{{[]audit.Input{report}, 0}, {[]audit.Input{declares, report}, 1}} {
		r, err := a.Run(t.Context(), test.inputs)
		if err != nil || len(r.Failures) > 0 || len(r.Findings) != test.want {
			t.Fatalf("%v, %v", err, r)
		}
		for _, f := range r.Findings {
			if f.Rule != "secret-in-report" || f.Catalog != "report" {
				t.Errorf("%+v", f)
			}
		}
	}
}
