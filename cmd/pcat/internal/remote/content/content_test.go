package content_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/cmd/pcat/internal/remote/compile"
	"github.com/pcatdev/pcat/cmd/pcat/internal/remote/content"
)

// compiled is a catalog with resources that copy files, after others that do not.
const compiled = `{"tags":["c"],"name":"web01","version":"1","environment":"production","resources":[
	{"type":"File","title":"/a","parameters":{"source":"puppet:///modules/m/a"}},
	{"type":"File","title":"/d","tags":["file"],"file":"/code/site.pp","line":3,"parameters":{"ensure":"directory","source":"puppet:///modules/m/d","recurse":true,"mode":"0644","notify":"Notify[n]"}},
	{"type":"File","title":"own","parameters":{"path":"/d/x","content":"own"}},
	{"type":"File","title":"/e","parameters":{"source":"puppet:///modules/m/d","recurse":"remote"}},
	{"type":"File","title":"/e/sub","parameters":{"ensure":"directory"}},
	{"type":"File","title":"/bytes","parameters":{"source":["puppet:///modules/m/bytes","puppet:///modules/m/a"]}},
	{"type":"File","title":"/large","parameters":{"source":"puppet:///modules/m/large"}},
	{"type":"File","title":"/none","file":"/code/manifests/site.pp","line":7,"parameters":{"source":["puppet:///modules/m/none","puppet:///modules/none"]}},
	{"type":"File","title":"/absent","parameters":{"ensure":"absent","source":"puppet:///modules/m/a"}},
	{"type":"File","title":"/link","parameters":{"source":"puppet:///modules/m/link"}},
	{"type":"File","title":"/local","parameters":{"source":"/etc/hosts"}},
	{"type":"Concat_fragment","title":"f","parameters":{"target":"t","source":"puppet:///modules/m/a"}},
	{"type":"User","title":"u","parameters":{"password":"s3cr3t"},"sensitive_parameters":["password"]}
 ],"edges":[{"source":"Class[C]","target":"File[/d]"},{"source":"Class[C]","target":"File[/a]"}],"classes":["c"]}`

func TestInclude(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a": "main\n", "d/x": "x\n", "d/sub/y": "y\n", "bytes": "\x00\xff", "large": strings.Repeat("x", 2<<20),
	} {
		write(t, filepath.Join(dir, "modules", "m", "files", filepath.FromSlash(name)), text)
	}
	if err := os.Symlink("a", filepath.Join(dir, "modules", "m", "files", "link")); err != nil {
		t.Skip(err)
	}
	s, err := content.Open(compile.Tree{Dir: dir, ModulePath: []string{filepath.Join(dir, "modules")}, Server: "/code"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	data, warnings, err := s.Include(t.Context(), []byte(compiled))
	if err != nil {
		t.Fatal(err)
	}
	const missing = "manifests/site.pp:7: File[/none]: no file has its source, so that an agent reports an error: puppet:///modules/m/none, puppet:///modules/none"
	if len(warnings) != 1 || warnings[0].String() != missing {
		t.Errorf("got warnings %v", warnings)
	}
	var got struct {
		Resources []resource
		Edges     []struct{ Source, Target string }
		Classes   []string
	}
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	const files = "/code/modules/m/files/"
	want := []string{
		"/a content_file=" + files + "a content=main\n", "/d", "own content=own", "/e", "/e/sub",
		"/bytes content_file=" + files + "bytes content=map[__ptype:Binary __pvalue:AP8=]",
		"/large content_file=" + files + "large checksum_value=6932fd31e5daf4739b9fa78ff777b2831b0995cc1d0b0093cac80601902013bc",
		"/none", "/absent", "/link target=a", "/local", "f content_file=" + files + "a content=main\n", "u",
		"/d/sub/y content_file=" + files + "d/sub/y content=y\n", // resources that were there keep their positions
		"/e/x content_file=" + files + "d/x content=x\n",
	}
	for i, r := range got.Resources {
		if i >= len(want) || r.String() != want[i] {
			t.Errorf("got %q", r.String())
		}
	}
	if len(got.Resources) != len(want) || len(got.Classes) != 1 || !strings.Contains(string(data), "s3cr3t") {
		t.Errorf("got %d resources, classes %v", len(got.Resources), got.Classes)
	}
	child := got.Resources[len(got.Resources)-2]
	if text := fmt.Sprintf("%v %v %v %v", child.Tags, child.File, child.Line, child.Parameters); text != "[file] /code/site.pp 3 map[content:y\n ensure:file mode:0644 notify:Notify[n] source:puppet:///modules/m/d/sub/y]" {
		t.Errorf("got %q for a file in a folder", text)
	}
	if edge := got.Edges[len(got.Edges)-1]; edge.Source != "Class[C]" || edge.Target != "File[/d/sub/y]" {
		t.Errorf("got edge %v", edge)
	}
}

type resource struct {
	Type, Title, File string
	Line              int
	Tags              []string
	ContentFile       string `json:"content_file"`
	Parameters        map[string]any
}

func (r *resource) String() string {
	text := r.Title
	if r.ContentFile != "" {
		text += " content_file=" + r.ContentFile
	}
	for _, name := range []string{"content", "checksum_value", "target"} {
		if v, ok := r.Parameters[name]; ok && (name != "target" || r.Type == "File") {
			text += fmt.Sprintf(" %s=%v", name, v)
		}
	}
	return text
}

// write writes a file with its folders.
func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
