//go:build unix

package function_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/pcatdev/pcat/pcore/function"
)

// TestTreeOnlyRegular checks that only regular files are read, so that a call
// cannot wait for a writer or read a device without end. Find still finds them,
// as the reference does.
func TestTreeOnlyRegular(t *testing.T) {
	dir := t.TempDir()
	fifo := filepath.Join(dir, "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Skip("this file system has no named pipes: ", err)
	}
	module := filepath.Join(dir, "modules", "web")
	for _, sub := range []string{"files", "templates"} {
		if err := os.MkdirAll(filepath.Join(module, sub), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(filepath.Join(module, sub, "pipe"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink("fifo", link); err != nil {
		t.Fatal(err)
	}
	modulePath := []string{filepath.Join(dir, "modules")}
	for name, tt := range map[string]struct {
		tree function.Tree
		kind function.FileKind
		name string
	}{
		"pipe in a folder":     {function.Tree{Folders: []string{dir}}, function.ContentFile, fifo},
		"pipe anywhere":        {function.Tree{Folders: []string{"/"}}, function.ContentFile, fifo},
		"link to a pipe":       {function.Tree{Folders: []string{dir}}, function.ContentFile, link},
		"device":               {function.Tree{Folders: []string{"/"}}, function.ContentFile, "/dev/zero"},
		"folder":               {function.Tree{Folders: []string{"/"}}, function.ContentFile, dir},
		"file of a module":     {function.Tree{ModulePath: modulePath}, function.ContentFile, "web/pipe"},
		"template of a module": {function.Tree{ModulePath: modulePath}, function.TemplateFile, "web/pipe"},
	} {
		t.Run(name, func(t *testing.T) {
			path, found, err := tt.tree.Find(tt.kind, tt.name)
			if err != nil || !found {
				t.Fatalf("Find: %v, %v", found, err)
			}
			_, err = tt.tree.ReadFile(path, nil)
			var at *fs.PathError
			if !errors.Is(err, function.ErrNotRegular) || !errors.As(err, &at) || at.Path != path {
				t.Errorf("ReadFile: %v, want ErrNotRegular at %s", err, path)
			}
		})
	}
}
