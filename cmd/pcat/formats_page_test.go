package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestFormatsPage runs the commands of docs/formats.md in a copy of a catalog. A form ends with a line break
// or without one.
func TestFormatsPage(t *testing.T) {
	root := filepath.Join("..", "..")
	page, err := os.ReadFile(filepath.Join(root, "docs", "formats.md"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(root, "testdata", "catalogs", "rich"))); err != nil {
		t.Fatal(err)
	}
	commands := commandsOf(string(page))
	for _, c := range commands {
		t.Run(c.line, func(t *testing.T) {
			cmd := exec.Command("sh", "-c", c.line)
			cmd.Dir = dir
			out, _ := cmd.CombinedOutput() // a status other than 0 is told by what is printed
			if got := string(out); strings.TrimSpace(got) != strings.TrimSpace(c.printed) {
				t.Errorf("prints\n%s\nthe page says\n%s", got, c.printed)
			}
		})
	}
	if len(commands) < 7 {
		t.Errorf("%d commands are found on the page", len(commands))
	}
}
