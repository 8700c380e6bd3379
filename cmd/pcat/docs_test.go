package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestDeferredPage runs the commands of docs/deferred.md, the lines that begin
// with `$`, in a copy of testdata/deferred. What is printed is what stands below
// them, but for durations.
func TestDeferredPage(t *testing.T) {
	root := filepath.Join("..", "..")
	page, err := os.ReadFile(filepath.Join(root, "docs", "deferred.md"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(root, "testdata", "deferred"))); err != nil {
		t.Fatal(err)
	}
	hasPuppet := exec.Command("ruby", "-rpuppet", "-e", "").Run() == nil
	commands := 0
	for _, c := range commandsOf(string(page)) {
		t.Run(c.line, func(t *testing.T) {
			if strings.Contains(c.line, "--ruby") && !hasPuppet {
				t.Skip("Puppet is not installed for Ruby; apt-get install puppet-agent, or run .ci/run")
			}
			cmd := exec.Command("sh", "-c", c.line)
			cmd.Dir = dir
			out, _ := cmd.CombinedOutput() // a status other than 0 is told by what is printed
			if got := timeless(string(out)); got != timeless(c.printed) {
				t.Errorf("prints\n%s\nthe page says\n%s", got, c.printed)
			}
		})
		commands++
	}
	if commands < 6 {
		t.Errorf("%d commands are found on the page", commands)
	}
}

// What the page shows of plugins is what is in the folder.
func TestDeferredPageShowsPlugins(t *testing.T) {
	root := filepath.Join("..", "..")
	page, err := os.ReadFile(filepath.Join(root, "docs", "deferred.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"plugins/vault_lookup/lookup", "plugins/inventory/owner"} {
		source, err := os.ReadFile(filepath.Join(root, "testdata", "deferred", name))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(page), "\n"+string(source)+"```\n") {
			t.Errorf("the page does not show %s as it is", name)
		}
	}
}

type command struct{ line, printed string }

// commandsOf returns the commands in the indented blocks of a page.
func commandsOf(page string) []command {
	var all []command
	open := false
	for line := range strings.Lines(page) {
		text, indented := strings.CutPrefix(line, "    ")
		switch {
		case strings.HasPrefix(text, "$ ") && indented:
			all = append(all, command{line: strings.TrimSpace(text[2:])})
			open = true
		case open && indented:
			all[len(all)-1].printed += text
		default:
			open = false
		}
	}
	return all
}

// timeless returns text without what is another each time.
func timeless(text string) string { return duration.ReplaceAllString(text, " in (duration)") }

var duration = regexp.MustCompile(`(?m) in [0-9.]+(ns|µs|ms|s)$`)

// Every command has a page, every page a way to it from the page about all commands.
func TestCommandPage(t *testing.T) {
	root := filepath.Join("..", "..", "docs")
	page, err := os.ReadFile(filepath.Join(root, "command.md"))
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("pcat", "__complete", "help", "").Output()
	if err != nil {
		t.Fatal(err)
	}
	commands := 0
	for line := range strings.Lines(string(out)) {
		name := strings.TrimSpace(line)
		if strings.HasPrefix(name, ":") || name == "help" {
			continue
		}
		commands++
		if !strings.Contains(string(page), "`"+name+"`") {
			t.Errorf("the page does not name %q", name)
		}
	}
	if commands < 15 {
		t.Errorf("%d commands are found", commands)
	}
	for _, link := range regexp.MustCompile(`\]\(([a-z-]+\.md)\)`).FindAllStringSubmatch(string(page), -1) {
		if _, err := os.Stat(filepath.Join(root, link[1])); err != nil {
			t.Error(err)
		}
	}
}
