package puppetdb_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/puppetdb"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/eval"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
	"github.com/pcatdev/pcat/serialization/richdata"
)

const catalogs = "../../testdata/catalogs"

func format(t *testing.T, name string) serialization.Format {
	t.Helper()
	f, err := formats.Default().ByName(name)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func parse(t *testing.T, text []byte) *catalog.Catalog {
	t.Helper()
	modules := eval.NewLoader(function.Tree{ModulePath: []string{filepath.Join(catalogs, "modules")}}, nil, eval.Lax())
	r := catalog.NewReaderBytes(text, format(t, "rich-json"), serialization.DecodeOptions{Types: richdata.Types{Resolver: modules}})
	for c, err := range r.Catalogs() {
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	t.Fatal("no catalog")
	return nil
}

func read(t *testing.T, path ...string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(append([]string{catalogs}, path...)...))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func sent(t *testing.T, c *catalog.Catalog) string {
	t.Helper()
	payload, err := puppetdb.Replace(c, puppetdb.Submission{
		TransactionUUID: c.CatalogUUID(),
		Producer:        "web01.example.com",
		Time:            time.Date(2024, 1, 2, 3, 4, 5, 0, time.UTC),
	})
	if err != nil {
		t.Fatal(err)
	}
	text, err := format(t, "stringified-json").Append(nil, payload, serialization.EncodeOptions{Secrets: serialization.PlainSecrets})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestReplace compares with the payload of PuppetDB's terminus, byte for byte.
func TestReplace(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(catalogs, "*", "puppetdb.json"))
	if err != nil || len(files) == 0 {
		t.Fatal("no catalogs: ", err)
	}
	number := regexp.MustCompile(`(value redacted\]:)\d+>`)
	for _, file := range files {
		name := filepath.Base(filepath.Dir(file))
		t.Run(name, func(t *testing.T) {
			got := number.ReplaceAllString(sent(t, parse(t, read(t, name, "rich.json"))), "${1}OBJECT_ID>")
			want := string(read(t, name, "puppetdb.json"))
			if got != want {
				lines := strings.NewReplacer(`{"type"`, "\n{\"type\"", `{"relationship"`, "\n{\"relationship\"")
				t.Error(cmp.Diff(strings.Split(lines.Replace(want), "\n"), strings.Split(lines.Replace(got), "\n")))
			}
		})
	}
}

// TestRestore checks that a catalog keeps its structure, and loses nothing more
// when it is sent again.
func TestRestore(t *testing.T) {
	original := parse(t, read(t, "webstack", "rich.json"))
	back, losses, err := puppetdb.Restore(parse(t, []byte(sent(t, original))))
	if err != nil {
		t.Fatal(err)
	}
	want, got := original.Resources(), back.Resources()
	if len(want) != len(got) {
		t.Fatalf("%d resources, want %d", len(got), len(want))
	}
	for i := range want {
		if want[i].Ref() != got[i].Ref() {
			t.Fatalf("resource %d is %s, want %s", i, got[i].Ref(), want[i].Ref())
		}
	}
	if diff := cmp.Diff(original.Classes(), back.Classes()); diff != "" {
		t.Error("classes:", diff)
	}
	if a, b := len(original.Edges()), len(back.Edges()); a != b {
		t.Errorf("%d edges, want %d", b, a)
	}
	again, _, err := puppetdb.Restore(parse(t, []byte(sent(t, back))))
	if err != nil {
		t.Fatal(err)
	}
	if same, err := catalog.Equal(back, again); !same || err != nil {
		t.Error("what came back changes when it is sent once more: ", err)
	}
	secrets := 0
	for _, l := range losses {
		if l.What == "a secret" {
			secrets++
		}
	}
	if secrets == 0 {
		t.Error("no loss of a nested secret is told")
	}
}

const row = `[{"certname":"n1","version":"7","environment":"production","hash":"aa","transaction_uuid":"u","code_id":null,
"resources":{"href":"/x","data":[
 {"certname":"n1","resource":"bb","type":"File","title":"dir","exported":false,"tags":["file"],"file":null,"line":null,
  "parameters":{"path":"/d","alias":["/d","extra"],"content":"Deferred({'name' => 'x'})"}},
 {"certname":"n1","resource":"cc","type":"Class","title":"A::B","exported":false,"tags":["class"],"file":"a.pp","line":3,"parameters":{}}]},
"edges":{"href":"/y","data":[
 {"relationship":"contains","source_type":"Class","source_title":"A::B","target_type":"File","target_title":"dir"},
 {"relationship":"required-by","source_type":"Class","source_title":"A::B","target_type":"File","target_title":"dir"}]}}]`

func TestRestoreRow(t *testing.T) {
	back, losses, err := puppetdb.Restore(parse(t, []byte(row)))
	if err != nil {
		t.Fatal(err)
	}
	v, err := back.Value()
	if err != nil {
		t.Fatal(err)
	}
	text, err := format(t, "rich-json").Append(nil, v, serialization.EncodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"name":"n1","version":"7","code_id":null,"catalog_uuid":null,"catalog_format":2,"environment":"production","classes":["a::b"],` +
		`"resources":[{"type":"Class","title":"A::B","tags":["class"],"file":"a.pp","line":3,"exported":false,"kind":"class"},` +
		`{"type":"File","title":"dir","tags":["file"],"exported":false,"kind":"compilable_type","parameters":{"path":"/d","alias":["extra"],"content":"Deferred({'name' => 'x'})"}}],` +
		`"edges":[{"source":"Class[A::B]","target":"File[dir]"}]}`
	if diff := cmp.Diff(want, string(text)); diff != "" {
		t.Error(diff)
	}
	var told []string
	for _, l := range losses {
		told = append(told, l.At.String()+": "+l.What)
	}
	for _, want := range []string{": the order of the resources", "File[dir]/content: a Deferred call"} {
		if !strings.Contains(strings.Join(told, "\n"), want) {
			t.Errorf("%q is not told: %q", want, told)
		}
	}
}

// TestRestoreKinds restores the kinds of resources, as far as the types and edges show them.
// An included class has no file, and Puppet writes that its kind is unknown.
func TestRestoreKinds(t *testing.T) {
	const document = `{"certname":"n1","version":"7","hash":"aa","resources":{"data":[%s]},"edges":{"data":[
		{"relationship":"contains","source_type":"Plain","source_title":"a","target_type":"File","target_title":"/a"},
		{"relationship":"required-by","source_type":"Mysql_user","source_title":"b","target_type":"File","target_title":"/a"}]}}`
	resource := func(typ, title string) string {
		return fmt.Sprintf(`{"type":%q,"title":%q,"parameters":{}}`, typ, title)
	}
	declared := `{"type":"Class","title":"Declared","file":"/site.pp","line":1,"parameters":{}}`
	certain := []string{resource("Class", "main"), declared, resource("Node", "default"), resource("File", "/a"), resource("Site::Vhost", "x"), resource("Plain", "a"), resource("Cron", "c")}
	kinds := map[string]string{
		"Class[main]": "unknown", "Class[Declared]": "class", "Node[default]": "unknown", "File[/a]": "compilable_type",
		"Cron[c]": "compilable_type", "Site::Vhost[x]": "defined_type", "Plain[a]": "defined_type",
	}
	for _, tt := range []struct {
		name      string
		resources []string
		format    pcore.Value
	}{
		{"certain", certain, pcore.Integer(2)},
		{"unknown", append(slices.Clip(certain), resource("Mysql_user", "b")), pcore.Integer(1)},
	} {
		back, _, err := puppetdb.Restore(parse(t, fmt.Appendf(nil, document, strings.Join(tt.resources, ","))))
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range back.Resources() {
			if r.Kind() != kinds[r.Ref().String()] {
				t.Errorf("%s: %s is of the kind %q", tt.name, r.Ref(), r.Kind())
			}
		}
		m, _ := back.Member("catalog_format")
		if got, err := m.Value(); err != nil || got != tt.format {
			t.Errorf("%s: catalog_format %v, %v", tt.name, got, err)
		}
	}
}

// TestRestoreKindsOfPuppet restores the kinds that Puppet wrote, from what its terminus sent.
func TestRestoreKindsOfPuppet(t *testing.T) {
	payloads, err := filepath.Glob(filepath.Join(catalogs, "*", "puppetdb.json"))
	if err != nil || len(payloads) == 0 {
		t.Fatalf("no payloads: %v", err)
	}
	kind := regexp.MustCompile(`,"kind":"[a-z_]+"`)
	for _, file := range payloads {
		payload, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		want := make(map[catalog.Ref]string)
		for _, r := range parse(t, payload).Resources() {
			want[r.Ref()] = r.Kind()
		}
		back, _, err := puppetdb.Restore(parse(t, kind.ReplaceAll(payload, nil)))
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range back.Resources() {
			if r.Kind() != "" && r.Kind() != want[r.Ref()] {
				t.Errorf("%s: %s is of the kind %q, not %q", file, r.Ref(), r.Kind(), want[r.Ref()])
			}
		}
	}
}

func TestReplaceRefuses(t *testing.T) {
	catalogOf := func(resources string) *catalog.Catalog {
		return parse(t, []byte(`{"name":"n","version":1,"resources":[`+resources+`],"edges":[]}`))
	}
	for _, tt := range []struct{ name, resources, want string }{
		{"missing", `{"type":"File","title":"/a","parameters":{"require":"File[/b]"}}`, "File[/a]/require: invalid relationship: File[/b] is not in the catalog"},
		{"spelling", `{"type":"File","title":"/a","parameters":{"before":["file[/b]"]}}`, "File[/a]/before: invalid relationship: not a reference"},
		{"no text", `{"type":"File","title":"/a","parameters":{"notify":7}}`, "File[/a]/notify: invalid relationship: not a reference"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := puppetdb.Replace(catalogOf(tt.resources), puppetdb.Submission{})
			if !errors.Is(err, puppetdb.ErrRelationship) || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}

func TestReplaceDetails(t *testing.T) {
	c := parse(t, []byte(`{"name":"n","version":1,"resources":[
		{"type":"File","title":"/","parameters":{}},
		{"type":"File","title":"/a/","parameters":{"require":"File[/]"}},
		{"type":"File","title":"b","parameters":{"path":"/b","notify":[["File[/a]"],"File[/a//]"]}},
		{"type":"User","title":"u","parameters":{"name":"hidden"},"sensitive_parameters":["name"]}
	],"edges":[{"source":"File[/]","target":"File[/a/]"}]}`))
	payload, err := puppetdb.Replace(c, puppetdb.Submission{})
	if err != nil {
		t.Fatal(err)
	}
	text := payload.String()
	if strings.Contains(text, "hidden") {
		t.Error("a namevar that is a secret became an alias")
	}
	edges, _ := payload.GetString("edges")
	if n := edges.(*pcore.Array).Len(); n != 3 {
		t.Errorf("%d edges, want the one of containment, one to the root, and one to /a/ once: %s", n, edges)
	}
	for key, want := range map[string]string{"version": "1", "producer_timestamp": "0001-01-01T00:00:00.000Z"} {
		if v, _ := payload.GetString(key); v != pcore.String(want) {
			t.Errorf("%s is %s, want %s", key, v, want)
		}
	}
}
