package main

import (
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/root"
	"github.com/pcatdev/pcat/internal/manual"
)

// section matches a section of a manual page in Markdown, and item a line of a section.
var (
	section = regexp.MustCompile(`(?ms)^## (.+?)\n\n(.*?)(?:\n\n|\n?\z)`)
	item    = regexp.MustCompile("(?m)^- `(.+?)`: (.*)$")
)

// terms returns the terms of a section of the manual page of a command.
func terms(cmd *cobra.Command, title string) (all []string) {
	for _, s := range section.FindAllStringSubmatch(manual.Markdown(cmd, cli.Statuses()), -1) {
		if s[1] != title {
			continue
		}
		for _, term := range item.FindAllStringSubmatch(s[2], -1) {
			all = append(all, term[1])
		}
	}
	return all
}

// pages calls visit for each command with a manual page.
func pages(cmd *cobra.Command, visit func(*cobra.Command)) {
	visit(cmd)
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			pages(c, visit)
		}
	}
}

// Each page has its sections.
func TestManualSections(t *testing.T) {
	pages(root.NewCmd(cli.System()), func(cmd *cobra.Command) {
		page := manual.Page(cmd, cli.Statuses())
		for _, title := range []string{"NAME", "SYNOPSIS", "DESCRIPTION", "EXAMPLES", "OPTIONS", "ENVIRONMENT", "EXIT STATUS"} {
			if !strings.Contains(page, "\n.SH \""+title+"\"\n") {
				t.Errorf("%s has no section %s", manual.Name(cmd), title)
			}
		}
	})
}

// The exit statuses of a page are the ones that the scripts see: a status that a command ends with
// is on its page, and a status that only some commands have ends one of the scripts.
func TestManualStatuses(t *testing.T) {
	scripts, err := filepath.Glob(filepath.Join("testdata", "*", "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	tree := root.NewCmd(cli.System())
	seen := map[string]map[string]string{ // page, status: script
		"pcat-list-functions": {"3": "a directory that root cannot read either"},
	}
	exit := regexp.MustCompile(`(?m)^(?:\[.*\] )?exits (\d+) pcat (.*)$`)
	for _, script := range scripts {
		for _, line := range exit.FindAllStringSubmatch(read(t, script), -1) {
			cmd, _, err := tree.Find(strings.Fields(line[2]))
			if err != nil || !cmd.HasParent() || !cmd.IsAvailableCommand() {
				continue
			}
			name := manual.Name(cmd)
			if seen[name] == nil {
				seen[name] = map[string]string{}
			}
			seen[name][line[1]] = script
		}
	}
	version, _, err := tree.Find([]string{"version"})
	if err != nil {
		t.Fatal(err)
	}
	general := terms(version, "Exit status")
	if want := []string{"0", "2", "5"}; !slices.Equal(general, want) {
		t.Errorf("pcat version: got the statuses %q, want %q", general, want)
	}
	pages(tree, func(cmd *cobra.Command) {
		if !cmd.HasParent() {
			return
		}
		name := manual.Name(cmd)
		listed := terms(cmd, "Exit status")
		for _, status := range slices.Sorted(maps.Keys(seen[name])) {
			if number, err := strconv.Atoi(status); err == nil && number < 128 && !slices.Contains(listed, status) {
				t.Errorf("%s has no status %s, which %s sees", name, status, seen[name][status])
			}
		}
		for _, status := range listed {
			if !slices.Contains(general, status) && seen[name][status] == "" {
				t.Errorf("%s has status %s, which no script sees", name, status)
			}
		}
	})
}

// The page about the command has the table of exit codes.
func TestDocumentedStatuses(t *testing.T) {
	page := read(t, filepath.Join("..", "..", "docs", "command.md"))
	table := "| code | meaning |\n|---|---|\n"
	for code, meaning := range cli.Statuses() {
		table += "| " + strconv.Itoa(code) + " | " + meaning + " |\n"
	}
	if !strings.Contains(page, table+"\n") {
		t.Errorf("docs/command.md does not have the table\n%s", table)
	}
}
