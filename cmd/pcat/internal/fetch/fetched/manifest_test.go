package fetched_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/cmd/pcat/internal/fetch/fetched"
)

// write writes files below a new directory, which it returns.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// A run that was interrupted, even in the middle of a line, is resumed; one that is complete is not.
func TestManifest(t *testing.T) {
	dir := write(t, map[string]string{"a.json": "A", "b.json": "B"})
	const a, b = "puppetdb:a", "puppetdb:b"
	open := func() *fetched.Manifest {
		t.Helper()
		m, err := fetched.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	m := open()
	if m.Resumed() || m.Has(a) {
		t.Error("a new manifest has entries")
	}
	for file, address := range map[string]string{"a.json": a, "b.json": b} {
		if err := m.Add(file, strings.TrimSuffix(file, ".json"), address); err != nil {
			t.Fatal(err)
		}
	}
	if err := m.Close(false); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, fetched.Name)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("got mode %v, %v", info.Mode(), err)
	}
	m = open()
	if !m.Resumed() || !m.Has(a) || !m.Has(b) || m.Has("puppetserver:a") {
		t.Error("the run is not resumed, or has other addresses")
	}
	if err := os.WriteFile(filepath.Join(dir, "a.json"), []byte("changed"), 0o600); err != nil {
		t.Fatal(err)
	}
	if m.Has(a) {
		t.Error("a file that was changed counts")
	}
	for cut := range text {
		if err := os.WriteFile(file, text[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		m, err := fetched.Open(dir)
		if first := strings.IndexByte(string(text), '\n'); cut == 0 || cut >= first {
			if err != nil {
				t.Errorf("cut at %d: %v", cut, err)
			}
		} else if err == nil || !strings.Contains(err.Error(), "is not a manifest of version 1; remove it") {
			t.Errorf("cut at %d: got %v", cut, err)
		}
		if err == nil && m.Has(b) && cut < len(text)-1 && !strings.Contains(string(text[:cut]), `"node":"b"`) {
			t.Errorf("cut at %d: the entry is there", cut)
		}
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	m = open()
	if err := m.Close(true); err != nil {
		t.Fatal(err)
	}
	if m = open(); m.Resumed() || m.Has(b) {
		t.Error("a complete run is resumed")
	}
}
