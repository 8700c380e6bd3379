package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/cmd/pcat/internal/schema"
)

// jsonRuns are the arguments of the commands that print JSON.
func jsonRuns() map[string][]string {
	return map[string][]string{
		"affected": {"--ref", "HEAD..HEAD", "?repo=control&facts=control/facts"},
		"audit":    {"rich.json"},
		"check":    {"rich.json"},
		"deferred": {"rich.json"},
		"diff":     {"rich.json", "other.json"},
		"explain":  {"rich.json", "File[/etc/rich.secret]"},
		"graph":    {"rich.json"},
		"inspect":  {"rich.json"},
		"ls":       {"rich.json"},
		"query":    {"rich.json"},
		"list":     {"formats"},
		"show":     {"rich.json", "Class[main]"},
		"type":     {"Integer"},
		"validate": {"--modulepath", ".", "--allow-empty", "rich.json"},
		"verify":   {"rich.json"},
		"version":  {},
		"why":      {"rich.json", "File[/etc/rich]"},
	}
}

// Every command with JSON has a schema. Every document begins with the same members, and every line of a stream is an object. The page
// about all commands says which command has which, and why the others have none.
func TestJSON(t *testing.T) {
	dir := t.TempDir()
	for name, from := range map[string]string{"rich.json": "rich", "other.json": "webstack"} {
		data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "catalogs", from, "rich.json"))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "command.md"))
	if err != nil {
		t.Fatal(err)
	}
	runs := jsonRuns()
	control := controlRepository(t, dir)
	for _, command := range commands(t) {
		row := regexp.MustCompile("(?m)^\\| `" + command + "` \\| (.*?) \\| (.*?) \\|").FindStringSubmatch(string(page))
		if row == nil {
			t.Errorf("the table of docs/command.md has no row for %s", command)
			continue
		}
		args, prints := runs[command]
		if document := strings.Contains(row[1], "`--json`"); document != prints {
			t.Errorf("%s: the page says that it has a document: %t, the test: %t", command, document, prints)
		}
		if prints {
			if !slices.ContainsFunc(schema.Names(), func(name string) bool { return strings.Fields(name)[0] == command }) {
				t.Errorf("%s has no schema", command)
			}
			if command == "affected" && !control {
				continue
			}
			testDocument(t, dir, slices.Concat([]string{command}, args, []string{"--json"}))
		}
		if strings.Contains(row[2], "`--jsonl`") {
			testLines(t, dir, slices.Concat([]string{command}, args, []string{"--jsonl"}))
		}
	}
}

// controlRepository makes a Git repository with the facts of a node, and reports whether pcat affected can
// read it.
func controlRepository(t *testing.T, dir string) bool {
	t.Helper()
	for _, needed := range []string{"git", "puppet"} {
		if _, err := exec.LookPath(needed); err != nil {
			t.Logf("needs %s: affected is not tested", needed)
			return false
		}
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	facts := filepath.Join(dir, "control", "facts")
	if err := os.MkdirAll(facts, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(facts, "web01.json"), []byte(`{"a":1}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"-c", "user.name=n", "-c", "user.email=n@example.com", "commit", "-qm", "one"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = filepath.Join(dir, "control")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	return true
}

// commands returns the names of all commands, without the topics of help.
func commands(t *testing.T) []string {
	t.Helper()
	out, err := exec.Command("pcat", "__complete", "help", "").Output()
	if err != nil {
		t.Fatal(err)
	}
	names := strings.Fields(string(out))
	return slices.DeleteFunc(names, func(name string) bool { return strings.HasPrefix(name, ":") || name == "help" || name == "sources" })
}

// run returns the output of a command, which may find something.
func run(t *testing.T, dir string, args []string) []byte {
	t.Helper()
	cmd := exec.Command("pcat", args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if code := cmd.ProcessState.ExitCode(); code > 1 {
		t.Errorf("pcat %s: %v", strings.Join(args, " "), err)
	}
	return out
}

func testDocument(t *testing.T, dir string, args []string) {
	t.Helper()
	var d map[string]any
	out := run(t, dir, args)
	if err := json.Unmarshal(out, &d); err != nil {
		t.Errorf("pcat %s: %v", strings.Join(args, " "), err)
		return
	}
	version, _ := d["version"].(string)
	format, _ := d["format_version"].(string)
	if d["tool"] != "pcat" || version == "" || !regexp.MustCompile(`^[0-9]+\.[0-9]+$`).MatchString(format) {
		t.Errorf("pcat %s: tool %v, version %q, format_version %q", strings.Join(args, " "), d["tool"], version, format)
	}
}

func testLines(t *testing.T, dir string, args []string) {
	t.Helper()
	for line := range bytes.Lines(run(t, dir, args)) {
		var object map[string]any
		if err := json.Unmarshal(line, &object); err != nil {
			t.Errorf("pcat %s: %v: %s", strings.Join(args, " "), err, line)
			return
		}
	}
}
