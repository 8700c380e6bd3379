package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestPages runs the commands of the pages in docs, the lines that begin with `$`, each page in a copy of
// the folder that it names. The output must equal the lines below the command, except for durations and
// blank lines at the end: some forms do not end with a line break.
func TestPages(t *testing.T) {
	root := filepath.Join("..", "..")
	hasPuppet := exec.Command("ruby", "-rpuppet", "-e", "").Run() == nil
	for _, tt := range []struct {
		page, folder string
		commands     int // at least
	}{
		{"deferred", "deferred", 6},
		{"formats", "catalogs/rich", 7},
		{"language", "pages/language", 11},
		{"query", "pages/query", 14},
		{"show", "pages/show", 11},
		{"types", "pages/types", 6},
	} {
		t.Run(tt.page, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join(root, "docs", tt.page+".md"))
			if err != nil {
				t.Fatal(err)
			}
			page := string(text)
			if folder := "](../testdata/" + tt.folder + ")"; !strings.Contains(page, folder) {
				t.Errorf("the page does not say that its files are in %s", tt.folder)
			}
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(filepath.Join(root, "testdata", filepath.FromSlash(tt.folder)))); err != nil {
				t.Fatal(err)
			}
			commands := commandsOf(page)
			if len(commands) < tt.commands {
				t.Errorf("%d commands are found on the page", len(commands))
			}
			for _, c := range commands {
				t.Run(c.line, func(t *testing.T) {
					if strings.Contains(c.line, "--ruby") && !hasPuppet {
						t.Skip("Puppet is not installed for Ruby; apt-get install puppet-agent, or run .ci/run")
					}
					cmd := exec.Command("sh", "-c", c.line)
					cmd.Dir = dir
					out, _ := cmd.CombinedOutput() // the output shows a status other than 0
					if got := timeless(string(out)); strings.TrimSpace(got) != strings.TrimSpace(timeless(c.printed)) {
						t.Errorf("prints\n%s\nthe page says\n%s", got, c.printed)
					}
				})
			}
		})
	}
}

// TestLinks follows the links of all pages to files of the repository, and to headings in them.
func TestLinks(t *testing.T) {
	root := filepath.Join("..", "..")
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	more, err := filepath.Glob(filepath.Join(root, "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	links := 0
	for _, page := range append(pages, more...) {
		for _, link := range link.FindAllStringSubmatch(read(t, page), -1) {
			file, heading, _ := strings.Cut(link[1], "#")
			if strings.Contains(file, "://") {
				continue
			}
			links++
			target := page
			if file != "" {
				target = filepath.Join(filepath.Dir(page), filepath.FromSlash(file))
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: %v", page, err)
			} else if heading != "" && !anchors(read(t, target))[heading] {
				t.Errorf("%s: there is no heading %s in %s", page, heading, target)
			}
		}
	}
	if links < 50 {
		t.Errorf("%d links are found", links)
	}
}

// TestThreatModel checks that the tests and packages that hold the defences of the threat model exist.
func TestThreatModel(t *testing.T) {
	root := filepath.Join("..", "..")
	text := read(t, filepath.Join(root, "docs", "threat-model.md"))
	defences := regexp.MustCompile("`([a-z]+(?:/[a-z]+)*)(?:: ((?:Test|Fuzz)[A-Za-z]+))?`").FindAllStringSubmatch(text, -1)
	found := 0
	for _, d := range defences {
		pkg, name := d[1], d[2]
		if name == "" && !strings.Contains(pkg, "/") {
			continue // a command, or another word
		}
		found++
		files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pkg), "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		holds := func(file string) bool { return strings.Contains(read(t, file), "\nfunc "+name+"(") }
		if len(files) == 0 || name != "" && !slices.ContainsFunc(files, holds) {
			t.Errorf("there is no %s %s", pkg, name)
		}
	}
	if found < 30 {
		t.Errorf("only %d defences are found", found)
	}
}

var (
	link    = regexp.MustCompile(`\]\(([^) ]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.+)$`)
	mark    = regexp.MustCompile("[^a-z0-9_ -]+")
)

// anchors are the names under which code hosts show the headings of a page.
func anchors(page string) map[string]bool {
	names := make(map[string]bool)
	for _, h := range heading.FindAllStringSubmatch(page, -1) {
		names[strings.ReplaceAll(mark.ReplaceAllString(strings.ToLower(h[1]), ""), " ", "-")] = true
	}
	return names
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The plugins on the page equal the files in the folder.
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

// TestReadmeShowsAnExample holds the program of the README against the example that
// is run.
func TestReadmeShowsAnExample(t *testing.T) {
	root := filepath.Join("..", "..")
	_, example, found := strings.Cut(read(t, filepath.Join(root, "catalog", "example_test.go")), "func ExampleOpen() {\n")
	example, _, ends := strings.Cut(example, "\t// Output:")
	if !found || !ends {
		t.Fatal("the example is missing")
	}
	example = strings.ReplaceAll("\n"+example, "\n\t", "\n")
	example = strings.Replace(example, "../testdata/catalogs/webstack/rich.json", "catalog.json.gz", 1)
	if !strings.Contains(read(t, filepath.Join(root, "README.md")), "```go"+example+"```\n") {
		t.Errorf("the README does not show the example:%s", example)
	}
}

type command struct{ line, printed string }

// commandsOf returns the commands in the indented blocks of a page. An empty line in a block is part of the
// output.
func commandsOf(page string) []command {
	var all []command
	open, empty := false, ""
	for line := range strings.Lines(page) {
		text, indented := strings.CutPrefix(line, "    ")
		switch {
		case strings.HasPrefix(text, "$ ") && indented:
			all = append(all, command{line: strings.TrimSpace(text[2:])})
			open, empty = true, ""
		case open && indented:
			all[len(all)-1].printed += empty + text
			empty = ""
		case open && line == "\n":
			empty += line
		default:
			open, empty = false, ""
		}
	}
	return all
}

// timeless returns text without its durations.
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
