package function_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/pcatdev/pcat/pcore/function"
)

func TestTree(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	open := write("open/a.txt", "open")
	hidden := write("hidden/b.txt", "hidden")
	file := write("modules/web/files/sub/f.conf", "file")
	template := write("modules/web/templates/t.epp", "template")
	write("modules/web/secret.txt", "not in files")
	link := filepath.Join(dir, "open", "link")
	if err := os.Symlink(hidden, link); err != nil {
		t.Fatal(err)
	}
	tree := function.Tree{Folders: []string{filepath.Join(dir, "open")}, ModulePath: []string{filepath.Join(dir, "none"), filepath.Join(dir, "modules")}}

	for _, tt := range []struct {
		kind    function.FileKind
		name    string
		path    string // "" when there is none
		refused bool
	}{
		{function.ContentFile, open, open, false},
		{function.ContentFile, filepath.Join(dir, "open", "missing"), "", false},
		{function.ContentFile, filepath.Join(open, "below"), "", false},
		{function.ContentFile, hidden, "", true},
		{function.ContentFile, filepath.Join(dir, "open", "..", "hidden", "b.txt"), "", true},
		{function.ContentFile, link, "", true},
		{function.ContentFile, "web/sub/f.conf", file, false},
		{function.TemplateFile, "web/sub/f.conf", "", false},
		{function.TemplateFile, "web/t.epp", template, false},
		{function.ContentFile, "web/../secret.txt", "", false},
		{function.ContentFile, "web/../../../hidden/b.txt", "", false},
		{function.ContentFile, "nope/x", "", false},
		{function.ContentFile, "../hidden/b.txt", "", false},
		{function.ContentFile, "web", "", false},
		{function.ContentFile, "web/", "", false},
	} {
		path, found, err := tree.Find(tt.kind, tt.name)
		if (err != nil) != tt.refused || found != (tt.path != "") || path != tt.path {
			t.Errorf("Find(%s) = %q, %v, %v; want %q, refused %v", tt.name, path, found, err, tt.path, tt.refused)
		}
	}
	if content, err := tree.ReadFile(file, nil); err != nil || string(content) != "file" {
		t.Errorf("ReadFile gives %q, %v", content, err)
	}
	t.Chdir(dir)
	relative := function.Tree{ModulePath: []string{"modules"}}
	path, found, err := relative.Find(function.TemplateFile, "web/t.epp")
	if content, readErr := relative.ReadFile(path, nil); err != nil || !found || readErr != nil || string(content) != "template" {
		t.Errorf("a relative module path: %q, %v, %v, %q, %v", path, found, err, content, readErr)
	}
	if _, err := tree.ReadFile(hidden, nil); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("reading what is hidden: %v", err)
	}
	if path, found, err := tree.ModuleDir("web"); err != nil || !found || path != filepath.Join(dir, "modules", "web") {
		t.Errorf("ModuleDir gives %q, %v, %v", path, found, err)
	}
	if _, found, err := tree.ModuleDir(".."); err != nil || found {
		t.Errorf("ModuleDir(..) gives %v, %v", found, err)
	}
	single := function.Tree{Folders: []string{open, link}}
	for path, want := range map[string]string{open: "open", link: "hidden"} {
		if content, err := single.ReadFile(path, nil); err != nil || string(content) != want {
			t.Errorf("a file that is allowed: %q, %v", content, err)
		}
	}
	for _, path := range []string{hidden, filepath.Join(dir, "open"), filepath.Join(dir, "open", "other")} {
		_, err := single.ReadFile(path, nil)
		if refused, ok := errors.AsType[*function.FileRefusedError](err); !ok || refused.Path != path || !errors.Is(err, fs.ErrPermission) {
			t.Errorf("beside a file that is allowed: %v", err)
		}
	}
	if _, found, err := single.Find(function.ContentFile, filepath.Join(open, "below")); found || err != nil {
		t.Errorf("below a file: %v, %v", found, err)
	}
	all := function.Tree{Folders: []string{"/"}}
	if content, err := all.ReadFile(link, nil); err != nil || string(content) != "hidden" {
		t.Errorf("through a link: %q, %v", content, err)
	}
	if _, _, err := (function.Tree{}).Find(function.ContentFile, open); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("the zero value: %v", err)
	}
}
