package main

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/internal/test/walkthrough"
)

// TestPages runs the commands of the pages, the lines that begin with `$`, each page in a
// copy of the folder that it names. With -update, the test writes the output of commands that
// print something else into the page.
func TestPages(t *testing.T) {
	root := filepath.Join("..", "..")
	hasPuppet := exec.Command("ruby", "-rpuppet", "-e", "").Run() == nil
	for _, tt := range []struct {
		page, folder string
		at           string // the location of the folder; empty for the working directory
		commands     int    // at least
	}{
		{page: "README", folder: "pages/shop", commands: 6},
		{page: "docs/check", folder: "graphs", commands: 6},
		{page: "docs/comparison", folder: "pages/comparison", commands: 3},
		{page: "docs/cookbook", folder: "pages/shop", commands: 40},
		{page: "docs/deferred", folder: "deferred", commands: 6},
		{page: "docs/diff", folder: "pages/diff", commands: 5},
		{page: "docs/formats", folder: "catalogs/rich", commands: 7},
		{page: "docs/graph", folder: "graphs", commands: 3},
		{page: "docs/language", folder: "pages/language", commands: 12},
		{page: "docs/query", folder: "pages/query", commands: 14},
		{page: "docs/show", folder: "pages/show", commands: 11},
		{page: "docs/types", folder: "pages/types", commands: 6},
	} {
		t.Run(tt.page, func(t *testing.T) {
			file := filepath.Join(root, filepath.FromSlash(tt.page)+".md")
			page := read(t, file)
			if folder := "testdata/" + tt.folder + ")"; !strings.Contains(page, "]("+folder) && !strings.Contains(page, "](../"+folder) {
				t.Errorf("the page does not say that its files are in %s", tt.folder)
			}
			dir := t.TempDir()
			if err := os.CopyFS(filepath.Join(dir, tt.at), os.DirFS(filepath.Join(root, "testdata", filepath.FromSlash(tt.folder)))); err != nil {
				t.Fatal(err)
			}
			commands := walkthrough.Steps(page)
			if len(commands) < tt.commands {
				t.Errorf("%d commands are found on the page", len(commands))
			}
			for i, c := range commands {
				t.Run(c.Text, func(t *testing.T) {
					if strings.Contains(c.Text, "--ruby") && !hasPuppet {
						t.Skip("Puppet is not installed for Ruby; apt-get install puppet-agent, or run .ci/run")
					}
					got := output(t, dir, c.Text)
					switch {
					case walkthrough.Equal(c.Printed, got):
					case updating(t):
						commands[i].Printed = got
					default:
						t.Errorf("prints\n%s\nthe page says\n%s", got, c.Printed)
					}
				})
			}
			if updating(t) {
				if err := os.WriteFile(file, []byte(walkthrough.WithOutput(page, commands)), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// output runs a command line in a directory, and returns everything that it prints. The
// output shows a status other than 0.
func output(t *testing.T, dir, line string) string {
	t.Helper()
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(out)
}

// updating reports whether the test writes its expectations.
func updating(t *testing.T) bool {
	t.Helper()
	if *update && os.Getenv("CI") != "" {
		t.Fatal("-update would make any output right: run it by hand and read the difference")
	}
	return *update
}

// TestLinks follows the links of all pages to files of the repository, and to headings in them.
func TestLinks(t *testing.T) {
	root := filepath.Join("..", "..")
	var pages []string
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md"} {
		found, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, found...)
	}
	links := 0
	for _, page := range pages {
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

// TestTables checks that each table of a page has a head, and that all its rows have as many cells.
func TestTables(t *testing.T) {
	root := filepath.Join("..", "..")
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	more, err := filepath.Glob(filepath.Join(root, "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	cell := regexp.MustCompile(`\\\||\|`)
	cells := func(row string) (n int) {
		for _, s := range cell.FindAllString(row, -1) {
			n += 2 - len(s) // an escaped one separates no cells
		}
		return n
	}
	tables := 0
	for _, page := range slices.Concat(pages, more) {
		lines := strings.Split(read(t, page), "\n")
		for i := 0; i < len(lines); i++ {
			switch {
			case strings.HasPrefix(lines[i], "```"):
				for i++; i < len(lines) && !strings.HasPrefix(lines[i], "```"); i++ {
				}
			case strings.HasPrefix(lines[i], "|"):
				tables++
				if i+1 == len(lines) || strings.Trim(lines[i+1], "|-: ") != "" {
					t.Errorf("%s:%d: a table without a head", page, i+1)
				}
				for n := cells(lines[i]); i < len(lines) && strings.HasPrefix(lines[i], "|"); i++ {
					if cells(lines[i]) != n {
						t.Errorf("%s:%d: the row has another number of cells than its table", page, i+1)
					}
				}
			case strings.HasSuffix(lines[i], " |") && !strings.HasPrefix(lines[i], "    "):
				t.Errorf("%s:%d: a row without its beginning", page, i+1)
			}
		}
	}
	if tables < 100 {
		t.Errorf("%d tables are found", tables)
	}
}

// TestVersions checks that pages and pipelines name the newest version of the changelog,
// and no other one of pcat.
func TestVersions(t *testing.T) {
	root := filepath.Join("..", "..")
	newest := regexp.MustCompile(`(?m)^## (\d+\.\d+\.\d+)`).FindStringSubmatch(read(t, filepath.Join(root, "CHANGELOG.md")))
	if newest == nil {
		t.Fatal("the changelog has no version")
	}
	version := regexp.MustCompile(`(?:pcatd?[-_@/:]|pcat/review@|pcatdev/pcat |"version": "|(?:rev|default|PCAT_VERSION|such as)[: ` + "`" + `]+|pcat/(?:raw|releases/download)/)v?(\d+\.\d+\.\d+)`)
	for _, file := range []string{
		"action.yml", "review/action.yml", "docs/install.md", "docs/pipelines.md", "pipelines/gitlab.yml", "pipelines/gitlab-review.yml",
		"pipelines/install.sh", "examples/control-repo/.github/workflows/catalogs.yml", "examples/control-repo/.github/workflows/review.yml",
		"examples/control-repo/.gitlab-ci.yml", "examples/control-repo/.pre-commit-config.yaml", "fleet/go.mod", "fleet/go.work",
		"packaging/puppet/pcatd/metadata.json",
	} {
		found := version.FindAllStringSubmatch(read(t, filepath.Join(root, filepath.FromSlash(file))), -1)
		if len(found) == 0 {
			t.Errorf("%s names no version", file)
		}
		for _, v := range found {
			if v[1] != newest[1] {
				t.Errorf("%s: got %s, want %s", file, v[0], newest[1])
			}
		}
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

// TestFuzzingPage checks that the page lists each fuzz target, and no other one.
func TestFuzzingPage(t *testing.T) {
	root := filepath.Join("..", "..")
	listed := regexp.MustCompile("(?m)^\\| `([^`]+): (Fuzz\\w+)` ").FindAllStringSubmatch(read(t, filepath.Join(root, "docs", "fuzzing.md")), -1)
	var got, want []string
	for _, target := range listed {
		got = append(got, target[1]+": "+target[2])
	}
	target := regexp.MustCompile(`(?m)^func (Fuzz\w+)\(`)
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(file, "_test.go") {
			return err
		}
		dir, err := filepath.Rel(root, filepath.Dir(file))
		for _, name := range target.FindAllStringSubmatch(read(t, file), -1) {
			want = append(want, filepath.ToSlash(dir)+": "+name[1])
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(got)
	slices.Sort(want)
	if len(want) < 40 || !slices.Equal(got, want) {
		t.Errorf("docs/fuzzing.md lists %q, the tests have %q", got, want)
	}
}

// TestContributing checks that the table of CONTRIBUTING.md names folders with Go files, and tests of
// folders that exist.
func TestContributing(t *testing.T) {
	root := filepath.Join("..", "..")
	var rows int
	for _, row := range regexp.MustCompile("(?m)^\\|([^|]*)\\|([^|]*)\\| `([^`]*)` \\|$").FindAllStringSubmatch(read(t, filepath.Join(root, "CONTRIBUTING.md")), -1) {
		rows++
		folders := regexp.MustCompile("`([a-z/]+)`").FindAllStringSubmatch(row[2], -1)
		if len(folders) == 0 && !strings.Contains(row[2], "COMMAND") {
			t.Errorf("no folder in the row%s", row[1])
		}
		for _, f := range folders {
			if _, err := os.Stat(filepath.Join(root, f[1])); err != nil {
				t.Error(err)
			}
		}
		for _, f := range regexp.MustCompile(` \./([a-z/]+)`).FindAllStringSubmatch(row[3], -1) {
			if _, err := os.Stat(filepath.Join(root, f[1])); err != nil {
				t.Error(err)
			}
		}
	}
	if rows < 15 {
		t.Errorf("only %d rows are found", rows)
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

// Every command has a page, every page a way to it from the page about all commands.
func TestCommandPage(t *testing.T) {
	root := filepath.Join("..", "..", "docs")
	page, err := os.ReadFile(filepath.Join(root, "command.md"))
	if err != nil {
		t.Fatal(err)
	}
	all := commands(t)
	for _, name := range all {
		if !strings.Contains(string(page), "`"+name+"`") {
			t.Errorf("the page does not name %q", name)
		}
	}
	if len(all) < 15 {
		t.Errorf("%d commands are found", len(all))
	}
	for _, link := range regexp.MustCompile(`\]\(([a-z-]+\.md)\)`).FindAllStringSubmatch(string(page), -1) {
		if _, err := os.Stat(filepath.Join(root, link[1])); err != nil {
			t.Error(err)
		}
	}
}
