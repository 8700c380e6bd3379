package faults_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/cmd/pcat/internal/faults"
	"github.com/pcatdev/pcat/sensitive"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// readers returns readers of a document in memory and in a stream.
func readers(text []byte) map[string]*catalog.Reader {
	return map[string]*catalog.Reader{
		"memory": catalog.NewReaderBytes(text, formats.RichJSON(), serialization.DecodeOptions{}),
		"stream": catalog.NewReader(bytes.NewReader(text), formats.RichJSON(), serialization.DecodeOptions{}),
	}
}

// Catalogs has the findings of Catalog, also for lists, envelopes and pages.
func TestCatalogs(t *testing.T) {
	files, err := filepath.Glob("../../../../testdata/graphs/*.json")
	if err != nil || len(files) < 20 {
		t.Fatal(len(files), err)
	}
	for _, file := range files {
		one, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, around := range []string{
			`%s`, `[%s,{"name":"x","resources":[],"edges":[]}]`, `{"edges":[{"source":"Class[x]","target":"Class[y]"}],"data":%s}`,
		} {
			text := fmt.Appendf(nil, around, one)
			var want []faults.Result
			for c, err := range readers(text)["stream"].Catalogs() {
				if err != nil {
					t.Fatal(err)
				}
				findings, err := faults.Catalog(c, new(sensitive.Redactor), faults.Options{AllHints: true})
				if err != nil {
					t.Fatal(err)
				}
				want = append(want, faults.Result{Node: c.Name(), Findings: findings})
			}
			for name, r := range readers(text) {
				var got []faults.Result
				for result, err := range faults.Catalogs(r, new(sensitive.Redactor), faults.Options{AllHints: true}) {
					if err != nil {
						t.Fatal(err)
					}
					got = append(got, result)
				}
				if diff := cmp.Diff(want, got); diff != "" || len(got) == 0 {
					t.Errorf("%s in %s, %s (-catalog +catalogs)\n%s", file, around, name, diff)
				}
			}
		}
	}
}

func TestCatalogsOfPages(t *testing.T) {
	text := []byte(`{"name":"n","edges":{"data":[{"source":"Class[A]","target":"Notify[x]"}]},"resources":{"data":[` +
		`{"type":"Class","title":"A"},{"type":"Notify","title":"x"},{"type":"Notify","title":"y"}]}}`)
	for name, r := range readers(text) {
		for result, err := range faults.Catalogs(r, new(sensitive.Redactor), faults.Options{}) {
			if err != nil {
				t.Fatal(err)
			}
			var refs []string
			for _, f := range result.Findings {
				refs = append(refs, f.Ref.String())
			}
			if got := strings.Join(refs, " "); result.Node != "n" || got != "Class[A] Notify[y]" {
				t.Errorf("%s: %s: %s", name, result.Node, got)
			}
		}
	}
}

func TestCatalogsErrors(t *testing.T) {
	invalid := `{"name":"n","resources":[{"type":"File","title":"/x","parameters":{"require":{"__ptype":"Timestamp","__pvalue":"no"}}}],"edges":[]}`
	for _, text := range []string{invalid, "[" + invalid + "]", `{"name":"n"}`} {
		for name, r := range readers([]byte(text)) {
			failures := 0
			for _, err := range faults.Catalogs(r, new(sensitive.Redactor), faults.Options{}) {
				if err != nil {
					failures++
				}
			}
			if failures != 1 {
				t.Errorf("%s, %s: %d errors", text, name, failures)
			}
		}
	}
	for _, err := range faults.Catalogs(readers([]byte(invalid))["stream"], nil, faults.Options{}) {
		if err == nil {
			t.Error("no error without a mask")
		}
	}
}

// A check keeps little of each resource, also if the values of their parameters differ.
func TestMemory(t *testing.T) {
	for _, tt := range []struct {
		parameters string
		most       int64 // bytes for each resource
	}{
		{`"ensure":"file","mode":"0644","owner":"root","content":"line %d"`, 180},
		{`"ensure":"file","path":"/srv/other/file%d","owner":"root","content":"x"`, 450},
	} {
		if each := bytesForEach(t, tt.parameters); each <= 0 || each > tt.most {
			t.Errorf("%s: %d bytes for each resource; want at most %d", tt.parameters, each, tt.most)
		}
	}
}

func bytesForEach(t *testing.T, parameters string) int64 {
	t.Helper()
	const resources = 20_000
	var b bytes.Buffer
	b.WriteString(`{"name":"n","resources":[{"type":"Unknown","title":"x","kind":"compilable_type"}`)
	for i := range resources {
		fmt.Fprintf(&b, `,{"type":"File","title":"/srv/data/file%d","tags":["file","class"],"file":"/etc/puppet/manifests/site.pp",`+
			`"line":%d,"parameters":{`+parameters+`}}`, i, i%1000, i)
	}
	b.WriteString(`],"edges":[]}`)
	heap := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	r := readers(b.Bytes())["stream"]
	before, during := heap(), int64(0)
	o := faults.Options{HasType: func(string) bool { // called when the graph is complete
		during = heap()
		return true
	}}
	for _, err := range faults.Catalogs(r, new(sensitive.Redactor), o) {
		if err != nil {
			t.Fatal(err)
		}
	}
	runtime.KeepAlive(b.Bytes())
	t.Logf("%d bytes for each resource", (during-before)/resources)
	return (during - before) / resources
}
