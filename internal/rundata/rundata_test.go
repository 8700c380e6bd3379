package rundata

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pcatdev/pcat/internal/test/rubytest"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// read returns a file of testdata, and its kind.
func read(t *testing.T, name string) (*Document, []byte) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	d := Detect(data[:min(len(data), headLen)])
	if d == nil {
		t.Fatalf("%s: not detected", name)
	}
	return d, data
}

// presented returns the presentation of a document.
func presented(t *testing.T, d *Document, data []byte) string {
	t.Helper()
	var catalogs bytes.Buffer
	if _, err := d.Catalogs(&catalogs, data); err != nil {
		t.Fatal(err)
	}
	return catalogs.String()
}

// documents are the files of testdata with their kinds. Real Puppet wrote changed and noop.
var documents = map[string]Kind{
	"changed.yaml": Report, "noop.yaml": Report, "changed.json": Report, "reports.json": Report,
	"events.json": Events, "factsets.json": Facts, "facts.yaml": Facts, "command.json": Facts,
}

func TestDetect(t *testing.T) {
	for name, kind := range documents {
		if d, _ := read(t, name); d.Kind() != kind {
			t.Errorf("%s is of the kind %s", name, d.Kind())
		}
	}
	for text, kind := range map[string]Kind{
		`{"name":"web01","version":1,"resources":[],"edges":[]}`:                                     "",
		`{"catalog":{"name":"web01","resources":[]}}`:                                                "",
		`[{"certname":"web01","catalog_uuid":"x","transaction_uuid":"x","edges":{},"resources":{}}]`: "",
		`[{"type":"File","title":"/x","parameters":{},"certname":"web01"}]`:                          Resources,
		`[{"certname":"web01","name":"kernel","value":"Linux","environment":"production"}]`:          Facts,
		`{"name":"web01","values":{"kernel":"Linux"},"timestamp":"x","expiration":"y"}`:              Facts,
		`{"kernel":"Linux","os":{"name":"Debian"},"timezone":"UTC"}`:                                 Facts,
		"---\nkernel: Linux\nos:\n  name: Debian\ntimezone: UTC\n":                                   Facts,
		`{"certname":"web01","values":{"kernel":"` + strings.Repeat("x", 99):                         Facts,
		`{"name":"web01","values":{"kernel":"` + strings.Repeat("x", 99):                             Facts,
		`{"name":"web01","values":{"kernel":"Linux"}}`:                                               "",
		`[{"certname":"web01","logs":{"data":[],"href":"/x"}}]`:                                      Report,
		`[{"logs":{"data":[`:                                                                        Report,
		`[{"resource_events":{"data":[]},"hash":"x"}]`:                                              Report,
		`[{"certname":"web01","status":"failed","end_time":"x"}]`:                                   "",
		`[{"file":null,"line":null,"tags":[],"time":"x","level":"err","source":"x","message":"x"}]`: Report,
		`[{"level":"err","message":"x","source":"x"}]`:                                              "",
		`[{"certname":"web01","message":"x"}]`:                                                      Events,
		`[{"certname":"web01","property":"x","old_value":"x"}]`:                                     Events,
		`[{"message":"x"}]`:                                                                         "",
		`{"command":"store report","version":8,"payload":{"certname":"web01","report_format":12`:    Report,
		`{"command":"replace catalog","version":9,"payload":{"certname":"web01","edges":[]`:         "",
		`{"report_format":12,"logs":[],"command":"x","payload":{"a":1}}`:                            Report,
		`{"kernel":"Linux","os":{},"timezone":"UTC","command":"x","payload":{"a":1}}`:               Facts,
		`{"command":"deactivate node","version":3,"payload":{"certname":"web01"}}`:                  "",
		`[{"name":"kernel","value":"Linux"}]`:                                                       Facts,
		`[{"certname":"web01","value":"Linux"}]`:                                                    Facts,
		`[{"certname":"web01","path":["a",0],"value":1}]`:                                           Facts,
		`[{"certname":"web01","facts.app.db":{}}]`:                                                  Facts,
		`[{"facts":{"data":[]}}]`:                                                                   Facts,
		`[{"category":"time","name":"total","value":1}]`:                                            "",
		`[{"certname":"web01","parameters":{}}]`:                                                    Resources,
		`[{"certname":"web01","title":"x"}]`:                                                        Resources,
		`[{"certname":"web01","parameters.ensure":"x"}]`:                                            Resources,
		`[{"title":"x","type":"y"}]`:                                                                "",
		`[{"certname":"web01","resources":{"data":[]}}]`:                                            "",
		`{"logs":[]}`:        "",
		`{"kernel":"Linux"}`: "",
		`[1,2]`:              "",
		`[]`:                 "",
		``:                   "",
		"--- !ruby/object:Puppet::Resource::Catalog\nname: web01\nresources: []\n":                    "",
		"---\nname: web01\nresources:\n- type: File\n":                                                "",
		"--- !ruby/object:Puppet::Transaction::Report\nhost: web01\n":                                 Report,
		`{"report_format":12,"host":"web01","logs":[],"resource_statuses":{}}`:                        Report,
		`{"certname":"web01","values":{"a":"b"},"producer_timestamp":"x","environment":"production"}`: Facts,
	} {
		got := Kind("")
		if d := Detect([]byte(text)); d != nil {
			got = d.Kind()
		}
		if got != kind {
			t.Errorf("%s: %q, want %q", text, got, kind)
		}
	}
}

// A presentation without a change restores each byte of the document.
func TestRestoreUnchanged(t *testing.T) {
	for name := range documents {
		d, data := read(t, name)
		var out bytes.Buffer
		if err := d.Restore(&out, data, strings.NewReader(presented(t, d, data))); err != nil {
			t.Fatal(name, err)
		}
		if diff := cmp.Diff(string(data), out.String()); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

// A changed text of the presentation changes the same text in the document, and nothing else.
func TestRestore(t *testing.T) {
	for _, test := range []struct{ name, from, to string }{
		{"changed.yaml", "Vr7mqLt2xPweN9", "redacted-1-by-pcat"},
		{"changed.json", "Vr7mqLt2xPweN9", "redacted-1-by-pcat"},
		{"noop.yaml", "Zk4TrWq8LmXs", "redacted-1-by-pcat"},
		{"noop.yaml", "Fd9GhJk3LpOi", "redacted-1-by-pcat"},
		{"reports.json", "otter-cinder-7", "redacted-1-by-pcat"},
		{"events.json", "otter-cinder-7", "redacted-1-by-pcat"},
		{"factsets.json", "otter-cinder-7", "redacted-1-by-pcat"},
		{"facts.yaml", "MC4CAQAwBQYDK2VwBCIEIPndp/CnI2UVIa+9Wz/0Xd5JPjMriH84xe5QvnnQkGHI", "redacted-1-by-pcat"},
		{"facts.yaml", "word", "redacted-1-by-pcat"},
	} {
		d, data := read(t, test.name)
		catalogs := presented(t, d, data)
		if !strings.Contains(catalogs, test.from) {
			t.Errorf("%s: the presentation has no %s", test.name, test.from)
		}
		var out bytes.Buffer
		if err := d.Restore(&out, data, strings.NewReader(strings.ReplaceAll(catalogs, test.from, test.to))); err != nil {
			t.Fatal(test.name, err)
		}
		want := strings.ReplaceAll(string(data), test.from, test.to)
		if diff := cmp.Diff(want, out.String()); diff != "" {
			t.Errorf("%s:\n%s", test.name, diff)
		}
	}
}

// A projection has some fields of the rows of PuppetDB. All of its texts are presented.
func TestProjections(t *testing.T) {
	for document, want := range map[string]string{
		`[{"certname":"web01","logs":{"data":[{"level":"err","message":"otter","source":"/Stage[main]/File[/x]/content"}],"href":"/x"}}]`: `"title":"/x"`,
		`[{"file":null,"line":3,"tags":["err"],"time":"x","level":"err","source":"File[/x]","message":"otter"}]`:                          `"message":"otter"`,
		`[{"certname":"web01","message":"otter"}]`:                                                                   `"message":"otter"`,
		`[{"name":"app","value":{"password":"otter"}}]`:                                                              `"app":{"password":"otter"}`,
		`[{"certname":"web01","value":"otter"}]`:                                                                     `"value":"otter"`,
		`[{"certname":"web01","path":["app",0,"password"],"value":"otter"}]`:                                         `"app":{"0":{"password":"otter"}}`,
		`[{"name":"app","path":["app","db","password"],"value":"otter"}]`:                                            `"app":{"db":{"password":"otter"}}`,
		`[{"certname":"web01","facts.app.db":{"password":"otter"}}]`:                                                 `"facts.app.db":{"password":"otter"}`,
		`[{"facts":{"data":[{"name":"password","value":"otter"}],"href":"/x"}}]`:                                     `"password":"otter"`,
		`[{"certname":"web01","parameters":{"password":"otter"}}]`:                                                   `"type":"Resource","title":"web01"`,
		`[{"parameters":{"password":"otter"}},{"parameters":{}}]`:                                                    `"title":"unknown"`,
		`[{"certname":"web01","title":"otter"}]`:                                                                     `"type":"Resource","certname":"web01","title":"otter"`,
		`[{"type":"User","title":"x","parameters.password":"otter"}]`:                                                `"parameters":{"parameters.password":"otter"}`,
		`[{"certname":"w","parameters":{"a":"b"},"parameters.password":"otter"}]`:                                    `"parameters.password":"otter"`,
		`[{"certname":"w","parameters":null,"parameters.password":"otter"}]`:                                         `"parameters.password":"otter"`,
		`[{"name":["a","otter"],"value":"x"}]`:                                                                       `"name":["a","otter"]`,
		`[{"name":"x","value":"y"},{"value":"otter","path":[` + strings.Repeat(`"a",`, 100_000) + `"b"]}]`:           `"otter"`,
		`[{"file":null,"line":3,"tags":["err"],"time":"x","level":"err","source":"File[/x]","message":"m"},"otter"]`: `"value":"otter"`,
	} {
		d := Detect([]byte(document))
		if d == nil {
			t.Errorf("%s: not detected", document)
			continue
		}
		catalogs := presented(t, d, []byte(document))
		if !strings.Contains(catalogs, want) {
			t.Errorf("%s: %s has no %s", document, catalogs, want)
		}
		for _, to := range []string{"otter", "marker"} {
			var out bytes.Buffer
			if err := d.Restore(&out, []byte(document), strings.NewReader(strings.ReplaceAll(catalogs, "otter", to))); err != nil {
				t.Error(document, err)
			}
			if diff := cmp.Diff(strings.ReplaceAll(document, "otter", to), out.String()); diff != "" {
				t.Errorf("%s:\n%s", document, diff)
			}
		}
	}
}

// TestRestoreKeepsSpelling changes one text of a resource whose other values are written anew.
func TestRestoreKeepsSpelling(t *testing.T) {
	const document = `{"name":"web01","values":{"kernel":"Linux","load":5432.50,"big":1E2,"path":"\/srv","word":"caf\u00e9","password":"otter"},"timestamp":"x"}`
	d := Detect([]byte(document))
	var out bytes.Buffer
	changed := strings.NewReplacer("5432.50", "5432.5", "1E2", "100.0", `\/`, "/", `\u00e9`, "é", "otter", "marker").Replace(presented(t, d, []byte(document)))
	if err := d.Restore(&out, []byte(document), strings.NewReader(changed)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Replace(document, "otter", "marker", 1), out.String()); diff != "" {
		t.Error(diff)
	}
}

func TestFactsOf(t *testing.T) {
	for text, want := range map[string]string{
		`{"kernel":"Linux","name":"a fact"}`:                                        `|{"kernel":"Linux","name":"a fact"}`,
		`{"name":"web01","values":{"kernel":"Linux"}}`:                              `web01|{"kernel":"Linux"}`,
		`{"certname":"web01","values":{"kernel":"Linux"},"producer":"x"}`:           `web01|{"kernel":"Linux"}`,
		`{"certname":"web01","facts":{"kernel":"Linux"}}`:                           `web01|{"kernel":"Linux"}`,
		`{"certname":"web01","facts":{"data":[{"name":"kernel","value":"Linux"}]}}`: `web01|{"kernel":"Linux"}`,
		`{"facts":{"kernel":"Linux"}}`:                                              `|{"facts":{"kernel":"Linux"}}`,
		`{"certname":"web01","facts":{"data":[{"name":"kernel"}]}}`:                 errFact.Error(),
	} {
		v, err := formats.JSON().Decode([]byte(text), serialization.DecodeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		facts, node, err := FactsOf(v.(*pcore.Hash)) //nolint:forcetypeassert // an object of the test
		got := ""
		if err != nil {
			got = err.Error()
		} else if data, err := formats.JSON().Append(nil, facts, serialization.EncodeOptions{}); err == nil {
			got = node + "|" + strings.TrimSpace(string(data))
		}
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// TestCommands presents the command in a message apart from the text around it.
func TestCommands(t *testing.T) {
	for _, message := range []string{
		"'|/bin/x -p a|' returned 1 instead of one of [0]", "Failed to call refresh: '|/bin/x -p a|' returned 1 instead of one of [0]",
		"change from 'notrun' to ['0'] failed: '|/bin/x -p a|' returned 1 instead of one of [0]", "Execution of '|/bin/x -p a|' returned 1: x",
	} {
		n := new(tree).asCommand(new(tree).text(strings.ReplaceAll(message, "|", "")))
		if got := n.get("before").text() + "|" + n.get("command").text() + "|" + n.get("after").text(); got != message {
			t.Errorf("%s, want %s", got, message)
		}
	}
}

// All texts of a document are in its presentation, so that none stays unseen.
func TestPresentation(t *testing.T) {
	d, data := read(t, "events.json")
	const want = `[{"document":"events","name":"db01.example.com","resources":[{"type":"Mysql_user","title":"app@localhost",` +
		`"file":"/etc/puppetlabs/code/environments/production/manifests/site.pp","line":7,` +
		`"tags":["password","Mysql_user","success","Stage[main]","Main","Mysql_user[app@localhost]"],` +
		`"parameters":{"password":{"new_value":"otter-cinder-7","corrective_change":false,"run_start_time":"2026-11-29T05:21:27.200Z",` +
		`"old_value":"saffron-lark-3","containing_class":null,"resource_title":"app@localhost","environment":"production",` +
		`"timestamp":"2026-11-29T05:21:27.969Z","certname":"db01.example.com","message":"password changed 'saffron-lark-3' to 'otter-cinder-7'"}}}]}]` + "\n"
	if diff := cmp.Diff(want, presented(t, d, data)); diff != "" {
		t.Error(diff)
	}
	for _, test := range []struct{ source, typ, title string }{
		{"/Stage[main]/App/File[/etc/app.conf]/content", "File", "/etc/app.conf"},
		{"/Stage[main]/App/Exec[/bin/x [a] > /y]/returns", "Exec", "/bin/x [a] > /y"},
		{"Apache::Vhost[www]", "Apache::Vhost", "www"},
		{"Puppet", "", ""},
		{"//web01/Puppet", "", ""},
	} {
		if typ, title, _ := sourceOf(test.source); typ != test.typ || title != test.title {
			t.Errorf("%s: %s[%s]", test.source, typ, title)
		}
	}
}

// Text behind a document, or a document that is cut off, is an error, and no document is more than
// another one that was changed.
func TestSeveralDocuments(t *testing.T) {
	d, data := read(t, "changed.yaml")
	for _, between := range []string{"", "...\n", "# a comment\n"} {
		stream := slices.Concat(data, []byte(between), data, []byte("---\n"))
		catalogs := presented(t, d, stream)
		var out bytes.Buffer
		if err := d.Restore(&out, stream, strings.NewReader(strings.ReplaceAll(catalogs, "Vr7mqLt2xPweN9", "redacted-1-by-pcat"))); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(strings.ReplaceAll(string(stream), "Vr7mqLt2xPweN9", "redacted-1-by-pcat"), out.String()); diff != "" {
			t.Errorf("%q:\n%s", between, diff)
		}
	}
	_, facts := read(t, "facts.yaml")
	if _, err := d.Catalogs(new(bytes.Buffer), slices.Concat(data, facts)); !errors.Is(err, errKinds) {
		t.Error(err)
	}
}

// A document that is alone, behind comments or before an empty one, is no list.
func TestOneDocument(t *testing.T) {
	d, data := read(t, "changed.yaml")
	alone := presented(t, d, data)
	for _, stream := range [][]byte{
		slices.Concat([]byte("# a comment\n\n"), data), slices.Concat([]byte("\ufeff"), data),
		slices.Concat(data, []byte("---\n# the end\n")), slices.Concat(data, []byte("...\n")), slices.Concat(data, []byte("---\n---\n")),
	} {
		if diff := cmp.Diff(alone, presented(t, d, stream)); diff != "" {
			t.Errorf("%.20q … %.20q:\n%s", stream, stream[len(stream)-20:], diff)
		}
	}
	for text, want := range map[string]bool{
		"": false, "a: 1\n": false, "a: 1\n---\nb: 1\n": true, "---\na: 1\n--- b\n": true, "%YAML 1.1\n---\na: 1\n": false, "--- {a: 1}\n...\n# x\n---\n": false,
		"--- |\n x\n---\n\n# y\nb: 1": true, "a: '\n ---'\n": false,
	} {
		if got := hasSeveral([]byte(text)); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}

func TestFaults(t *testing.T) {
	for _, text := range []string{
		`{"report_format":12,"logs":[]} x`, `{"report_format":12,"logs":[{"message":"x"`, `{"report_format":12,"logs":[{"message" "x"}]}`,
		"--- !ruby/object:Puppet::Transaction::Report\nhost: \"web01\nlogs:\n",
		"--- !ruby/object:Puppet::Transaction::Report\nhost: web01\nlogs:\n- *x\n",
	} {
		d := Detect([]byte(text))
		if d == nil {
			d = &Document{kind: Report, yaml: text[0] == '-'}
		}
		if _, err := d.Catalogs(new(bytes.Buffer), []byte(text)); err == nil {
			t.Errorf("%s: no error", text)
		}
	}
	d, data := read(t, "changed.json")
	if err := d.Restore(new(bytes.Buffer), data, strings.NewReader(`{"resources":[]}`)); err == nil {
		t.Error("no error for a resource that is missing")
	}
}

// Real Puppet reads a report with replaced texts as one, and finds them in it.
func TestPuppetReads(t *testing.T) {
	if err := exec.Command("ruby", "-rpuppet", "-e", "").Run(); err != nil {
		t.Skip("no ruby with puppet here")
	}
	var restored []string
	for _, name := range []string{"changed.yaml", "noop.yaml"} {
		d, data := read(t, name)
		catalogs := presented(t, d, data)
		for _, secret := range []string{"Vr7mqLt2xPweN9", "OldPass77xQz1", "Zk4TrWq8LmXs", "Fd9GhJk3LpOi"} {
			catalogs = strings.ReplaceAll(catalogs, secret, `it's: a \"new\" # text,\n\u00e9`)
		}
		var out bytes.Buffer
		if err := d.Restore(&out, data, strings.NewReader(catalogs)); err != nil {
			t.Fatal(err)
		}
		restored = append(restored, out.String())
	}
	for i, texts := range rubytest.Ask[[]string](t, filepath.Join("testdata", "read.rb"), restored) {
		if all := strings.Join(texts, "\n"); !strings.Contains(all, `it's: a "new" # text,`) || strings.Contains(all, "Vr7m") {
			t.Errorf("%d: Puppet reads %s\n%s", i, all, restored[i])
		}
	}
}

// A second payload of a command is kept, as a text of the document.
func TestTwoPayloads(t *testing.T) {
	data := []byte(`{"command":"replace facts","payload":{"certname":"web01","values":{"a":"b"}},"payload":{"certname":"web02","values":{"token":"x"}}}`)
	d := Detect(data)
	if d == nil {
		t.Fatal("not detected")
	}
	if got := presented(t, d, data); !strings.Contains(got, `"token":"x"`) {
		t.Errorf("the presentation lacks the second payload: %s", got)
	}
}
