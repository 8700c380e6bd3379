package secretfile_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/internal/secretfile"
)

// Only a credential of systemd may have group bits: they are the mask of its ACL.
func TestRead(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes do not say who can read a file")
	}
	dir := t.TempDir()
	credentials := filepath.Join(dir, "pcatd.service")
	for _, c := range []struct {
		variable, path string
		mode           os.FileMode
		read           bool
	}{
		{"", "token", 0o600, true},
		{"", "token", 0o400, true},
		{"", "token", 0o440, false},
		{"", "token", 0o604, false},
		{credentials, "pcatd.service/token", 0o440, true},
		{credentials + "/", "pcatd.service/token", 0o440, true},
		{credentials, "pcatd.service/token", 0o400, true},
		{credentials, "pcatd.service/token", 0o640, false},
		{credentials, "pcatd.service/token", 0o444, false},
		{credentials, "token", 0o440, false},
		{credentials, "pcatd.service/../token", 0o440, false},
		{credentials, "pcatd.service.d/token", 0o440, false},
	} {
		t.Setenv("CREDENTIALS_DIRECTORY", c.variable)
		path := filepath.Join(dir, filepath.FromSlash(c.path))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		_ = os.Remove(path)
		if err := os.WriteFile(path, []byte("hunter2-and-more"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, c.mode); err != nil { // without the umask
			t.Fatal(err)
		}
		text, err := secretfile.Read(path, 7)
		switch {
		case c.read && (err != nil || string(text) != "hunter2"):
			t.Errorf("%+v: %q, %v", c, text, err)
		case !c.read && (err == nil || !strings.Contains(err.Error(), "others can read") || strings.Contains(err.Error(), "hunter2")):
			t.Errorf("%+v: %q, %v", c, text, err)
		}
	}
}
