package catalogfile

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/internal/compress"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

func catalogOf(name string) string {
	return `{"name":"` + name + `","version":1,"resources":[{"type":"Notify","title":"x","parameters":{}}],"edges":[]}`
}

func TestNode(t *testing.T) {
	for _, tt := range []struct {
		file, text, node string
		is               bool
	}{
		{"a.json", catalogOf("web01"), "web01", true},
		{"a", catalogOf("web01"), "web01", true},
		{"a.json", `{"catalog":` + catalogOf("v4") + `}`, "v4", true},
		{"a.json", `{"certname":"db01","hash":"x","resources":{"href":"","data":[]},"edges":{"href":"","data":[]}}`, "db01", true},
		{"a.json", `{"resources":[],"edges":[],"name":"late"}`, "late", true},
		{"a.json", `{"resources":[],"edges":[]}`, "", true},
		{"a.json", `[` + catalogOf("alone") + `]`, "alone", true},
		{"a.json", `[` + catalogOf("x1") + `,` + catalogOf("x2") + `]`, "", true},
		{"a.json", `[` + catalogOf("x1") + `,` + catalogOf("x2") + `,` + catalogOf("x1") + `]`, "", true},
		{"a.json", `[` + catalogOf("x1") + `,` + catalogOf("x2") + `,{"resources":[tru`, "", true},
		{"a.json", catalogOf("web01")[:70], "web01", true},
		{"a.json", `{"name":"web01","resources":[tru`, "web01", true},
		{"a", `{"resources":[tru`, "", true},
		{"a", ` [ {"resources":[tru`, "", true},
		{"a.json", "a text", "", true},
		{"a.json", "", "", true},
		{"a.json", `{"facts":{}}`, "", false},
		{"a.json", `{"name":"module","author":"x"}`, "", false},
		{"README.md", "# Catalogs\n", "", false},
		{"a.erb", "{% if x %}", "", false},
		{"a.ini", "[main]\nx=1\n", "", false},
		{"empty", "", "", false},
		{"damaged.gz", "\x1f\x8b", "", false},
		{"damaged.json.gz", "\x1f\x8b", "", true},
	} {
		if node, is := Node(tt.file, []byte(tt.text)); node != tt.node || is != tt.is {
			t.Errorf("%s with %q: got %q, %v", tt.file, tt.text, node, is)
		}
	}
	for _, m := range compress.Methods() {
		var b bytes.Buffer
		z, err := compress.NewWriter(m, &b)
		if err != nil {
			t.Fatal(err)
		}
		_, err = z.Write([]byte(catalogOf("z")))
		if err := errors.Join(err, z.Close()); err != nil {
			t.Fatal(err)
		}
		if node, is := Node("z.json"+m.Extension(), b.Bytes()); node != "z" || !is {
			t.Errorf("%v: got %q, %v", m, node, is)
		}
	}
}

// Read stops as soon as the caller knows enough, and names a catalog as far as it was read.
func TestRead(t *testing.T) {
	detect := func(head []byte) (serialization.Format, error) {
		return formats.Default().Detect("auto", head, "a.json")
	}
	broken := strings.Replace(catalogOf("web01"), `"parameters"`, `!`, 1)
	found := Read(strings.NewReader(broken), detect, func(b *Beginning) bool { return b.Found })
	if !found.Found || found.Name != "web01" || found.Err != nil {
		t.Errorf("got %+v", found)
	}
	all := Read(strings.NewReader(broken), detect, func(*Beginning) bool { return false })
	if !all.Found || all.Err == nil || !all.MayBeCatalog("a") {
		t.Errorf("got %+v", all)
	}
	refused := errors.New("refused")
	b := Read(strings.NewReader("x"), func([]byte) (serialization.Format, error) { return serialization.Format{}, refused }, nil)
	if !errors.Is(b.Err, refused) || b.MayBeCatalog("a") || !b.MayBeCatalog("a.json") {
		t.Errorf("got %+v", b)
	}
	b.Err = serialization.ErrTrailing
	if b.MayBeCatalog("a") || !b.MayBeCatalog("a.json.gz") {
		t.Error("after another document, only the name of the file counts")
	}
}

func TestStem(t *testing.T) {
	for file, want := range map[string]string{
		"web01.json": "web01", "dir.json/web01.example.com.json": "web01.example.com", "web01.example.com": "web01.example.com",
		"web01.RICH.JSON": "web01", "web01.stringified.json": "web01", "web01.tabulated.msgpack.zst": "web01",
		"web01.yaml.gz": "web01", "web01.gz": "web01", ".json": ".json", "web01.json.txt": "web01.json.txt",
	} {
		if got := Stem(file); got != want {
			t.Errorf("%s: got %q, want %q", file, got, want)
		}
	}
}
