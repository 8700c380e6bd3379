package document

import (
	"os"
	"path/filepath"
	"testing"
)

func TestCheckout(t *testing.T) {
	top := t.TempDir()
	for _, dir := range []string{"plain/sub", "control/.git", "control/site/profile", "environments/production/site"} {
		if err := os.MkdirAll(filepath.Join(top, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(top, "worktree/site"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(top, "worktree/.git"), []byte("gitdir: elsewhere"), 0o600); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{
		"plain/sub": "plain/sub", "control": "control", "control/site/profile": "control", "worktree/site": "worktree",
		"environments/production/site": "environments/production", "environments/production": "environments/production", "environments": "environments",
	} {
		if got := checkoutOf(filepath.Join(top, dir)); got != filepath.Join(top, want) {
			t.Errorf("%s: got %s, want %s", dir, got, want)
		}
	}
}
