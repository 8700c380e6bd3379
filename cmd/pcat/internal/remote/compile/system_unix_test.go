//go:build unix

package compile_test

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/pcatdev/pcat/cmd/pcat/internal/remote/compile"
)

// A process that is being started has copies of all files for a moment. They keep no lock.
func TestUnlock(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lock")
	f, err := compile.LockFile(name, true)
	if err != nil {
		t.Fatal(err)
	}
	inherited, err := syscall.Dup(int(f.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Close(inherited) }()
	if err := compile.UnlockFile(f); err != nil {
		t.Fatal(err)
	}
	again, err := compile.LockFile(name, false)
	if err != nil {
		t.Fatalf("the file is still locked: %v", err)
	}
	if err := compile.UnlockFile(again); err != nil {
		t.Error(err)
	}
}
