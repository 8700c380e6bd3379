package summary_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/cmd/pcat/internal/inspect/summary"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

func summarize(t testing.TB, data []byte, format string, o summary.Options) []*summary.Summary {
	t.Helper()
	f, err := formats.Default().ByName(format)
	if err != nil {
		t.Fatal(err)
	}
	var all []*summary.Summary
	for s, err := range summary.Summaries(catalog.NewReaderBytes(data, f, serialization.DecodeOptions{}), o) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	return all
}

func read(t *testing.T, data []byte) *catalog.Reader {
	t.Helper()
	f := formats.RichJSON()
	return catalog.NewReaderBytes(data, f, serialization.DecodeOptions{})
}

func TestRealCatalog(t *testing.T) {
	data, err := os.ReadFile("../../../../../testdata/catalogs/secrets/rich.json")
	if err != nil {
		t.Fatal(err)
	}
	s := summarize(t, data, "rich-json", summary.Options{Biggest: 2})[0]
	want := &summary.Summary{
		Node: "web01.example.com", Environment: "production", Version: "1700000000",
		CatalogUUID: "00000000-0000-4000-8000-000000000010",
		Resources:   30, Edges: 29, Classes: 1,
		Types: []summary.Count{
			{"Notify", 10}, {"File", 6}, {"Rich::Holder", 6}, {"Exec", 3}, {"Class", 2}, {"User", 2}, {"Stage", 1},
		},
		Secrets: []summary.Secret{
			{at("File[/etc/app/secrets.yaml]/content"), summary.Listed, "String"},
			{at("File[/etc/app/key2.pem]/content"), summary.Listed, "String"},
			{at("Exec[login safely]/command"), summary.Listed, "String"},
			{at("User[b]/password"), summary.Listed, "String"},
			{at("Rich::Holder[param]/value"), summary.Listed, "String"},
			{at("Rich::Holder[param]/options/ok/secret"), summary.Nested, "String"},
			{at("Rich::Holder[param]/list/0"), summary.Nested, "String"},
			{at("Rich::Holder[copy wrapped]/value"), summary.Listed, "String"},
			{at("Rich::Holder[object]/value/secret"), summary.Nested, "String"},
			{at("Rich::Holder[whole list]/list/0"), summary.Nested, "Array"},
			{at("Rich::Holder[sensitive options]/options/h"), summary.Nested, "Hash"},
			{at("File[/etc/app/empty]/content"), summary.Listed, "String"},
			{at("Notify[short secret]/message"), summary.Listed, "String"},
			{at("Notify[number secret]/message"), summary.Listed, "Integer"},
		},
		Calls: []summary.Call{},
	}
	want.Biggest = s.Biggest
	if diff := cmp.Diff(want, s); diff != "" {
		t.Error(diff)
	}
	if len(s.Biggest) != 2 || s.Biggest[0].Bytes < s.Biggest[1].Bytes || s.Biggest[0].Text != "Notify[holder object]/message" {
		t.Errorf("the biggest values are %v", s.Biggest)
	}
}

// at returns the location with a text.
func at(text string) summary.Location {
	ref, path, _ := strings.Cut(text, "]/")
	return summary.Location{Ref: ref + "]", Path: "/parameters/" + path, Text: text}
}

func TestDeferredCalls(t *testing.T) {
	data, err := os.ReadFile("../../../../../testdata/catalogs/rich/rich.json")
	if err != nil {
		t.Fatal(err)
	}
	got := summarize(t, data, "rich-json", summary.Options{})[0].Calls
	want := []summary.Call{
		{"upcase", 3, []summary.Location{
			at("Rich::Holder[deferred]/value"),
			at("Rich::Holder[deferred nested]/value/arguments/0/1"),
			at("Rich::Holder[deferred in sensitive]/value"),
		}},
		{"join", 2, []summary.Location{at("Rich::Holder[deferred nested]/value"), at("File[/etc/rich.secret]/content")}},
		{"$facts", 1, []summary.Location{at("Rich::Holder[deferred nested]/value/arguments/0/0")}},
		{"inline_epp", 1, []summary.Location{at("File[/etc/rich]/content")}},
		{"length", 1, []summary.Location{at("Rich::Holder[deferred in hash]/options/a/b/0")}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestSameInAllForms(t *testing.T) {
	files, err := filepath.Glob("../../../../../testdata/catalogs/*/rich.json")
	if err != nil || len(files) == 0 {
		t.Fatal("no catalogs", err)
	}
	rich := formats.RichJSON()
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		o := serialization.DecodeOptions{AllowUnknownTypes: true}
		v, err := rich.Decode(data, o)
		if err != nil {
			t.Fatal(err)
		}
		want := summarize(t, data, rich.Name, summary.Options{Biggest: -1})[0]
		for _, f := range formats.Default().Formats() {
			if !f.Rich {
				continue
			}
			data, err := f.Append(nil, v, serialization.EncodeOptions{Secrets: serialization.PlainSecrets})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, summarize(t, data, f.Name, summary.Options{Biggest: -1})[0]); diff != "" {
				t.Errorf("%s in %s: %s", file, f.Name, diff)
			}
		}
	}
}

func TestLocationsCanBeHidden(t *testing.T) {
	const named, secret = `{"name":"n","resources":[{"type":"Exec","title":"hunter2-title","parameters":{"a":{"__ptype":"Deferred","name":"f"}}}],"edges":[]}`,
		`{"name":"m","resources":[{"type":"User","title":"hunter2-user","parameters":{"password":"hunter2"},"sensitive_parameters":["password"]}],"edges":[]}`
	hide := func(at catalog.Location) catalog.Location {
		return catalog.Location{Ref: catalog.Ref{Type: at.Ref.Type, Title: "hidden"}, Path: pcore.Path{}.Key("p")}
	}
	text, err := json.Marshal(summarize(t, []byte("["+named+","+secret+"]"), "rich-json", summary.Options{Display: hide}))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), "hunter2") || !strings.Contains(string(text), "Exec[hidden]\",\"path\":\"/parameters/p") || !strings.Contains(string(text), "User[hidden]\",\"path\":\"/parameters/p") {
		t.Errorf("%s", text)
	}
	whole := 0
	for s, err := range summary.Summaries(read(t, []byte("["+named+","+secret[:60])), summary.Options{Display: hide}) {
		if s != nil {
			whole++
		} else if err == nil {
			t.Error("a catalog that is cut off is no error")
		}
	}
	if whole != 1 {
		t.Errorf("%d catalogs were summed up before the one that is cut off", whole)
	}
}

func TestOneForEachCatalog(t *testing.T) {
	data := []byte(`[{"name":"a","resources":[{"type":"T","title":"1"}]},{"resources":[],"edges":[{"source":"A[b]","target":"C[d]"}],"name":"b"}]`)
	all := summarize(t, data, "rich-json", summary.Options{})
	if len(all) != 2 || all[0].Node != "a" || all[0].Resources != 1 || all[1].Node != "b" || all[1].Edges != 1 || all[1].Resources != 0 {
		t.Errorf("%+v", all)
	}
}

func ExampleSummaries() {
	data := []byte(`{"name":"web01","environment":"production","version":1,"resources":[
		{"type":"File","title":"/etc/app","parameters":{
			"content":{"__ptype":"Deferred","name":"vault_lookup::lookup","arguments":["secret/app"]}},
		 "sensitive_parameters":["content"]}],"edges":[]}`)
	format := formats.RichJSON()
	for s, err := range summary.Summaries(catalog.NewReaderBytes(data, format, serialization.DecodeOptions{}), summary.Options{}) {
		if err != nil {
			panic(err)
		}
		fmt.Println(s.Node, s.Resources)
		fmt.Println(s.Secrets[0].Text, s.Secrets[0].Encoding)
		fmt.Println(s.Calls[0].Function, s.Calls[0].Locations[0].Path)
	}
	// Output:
	// web01 1
	// File[/etc/app]/content listed
	// vault_lookup::lookup /parameters/content
}
