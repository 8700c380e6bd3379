package main

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestSentences(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"a paragraph of two lines", "One line\ngoes on. Two; three.", []string{"One line goes on.", "Two;", "three."}},
		{"code and links", "Use `a. b` as [the page](x.md) says.", []string{"Use CODE as the page says."}},
		{"blocks without sentences", "# Heading\n\n    code. Of what\n\n| a | table. |\n\n```sh\necho so that\n```\n\nText.", []string{"Text."}},
		{"a list", "- one\n  line\n- two", []string{"one line", "two"}},
		{"a comment of HTML", "<!-- so that -->\nText.", []string{"Text."}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := sentences(tt.text); !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// TestHabits has a sentence with and one without each habit.
func TestHabits(t *testing.T) {
	long := strings.Repeat("word ", 41)
	for name, tt := range map[string]struct{ with, without string }{
		"more than 40 words":                   {long, long[len("word "):]},
		"so that":                              {"A key is kept, so that nothing changes.", "A key is kept, so nothing changes."},
		"of what":                              {"A list of what changed.", "A list of the changes."},
		"that of":                              {"The format is that of the file.", "The extension selects the format."},
		"a leading Of":                         {"Of several catalogs, each is listed.", "For several catalogs, each is listed."},
		", too":                                {"Keys are masked, too.", "Keys are also masked."},
		"beside":                               {"A file beside the catalog.", "A file next to the catalog."},
		"of its own":                           {"It is a module of its own.", "It is a separate module."},
		"the ones":                             {"Declared ones are masked.", "Declared secrets are masked."},
		"is no":                                {"A template is no finding.", "It is no longer a finding."},
		"grave, mend":                          {"The gravest change is first.", "The most severe change is first."},
		"place for location":                   {"All places are listed.", "The file is replaced in place; it takes place once."},
		"location as a verb":                   {"layout locations the nodes.", "It lists the locations of the nodes."},
		"form for format":                      {"Read the tabulated form.", "The form of a password; forms of a word."},
		"in place of":                          {"A marker in place of the secret.", "A marker instead of the secret."},
		"as it is":                             {"It writes the text as it is.", "It writes the text unchanged."},
		"a leading So is":                      {"So is the browser.", "The browser is optional."},
		", also in":                            {"Keys are masked, also in titles.", "Keys are masked, even in titles."},
		"a chain of of":                        {"The name of the file of the catalog of the node.", "The file name of the node's catalog."},
		"a long parenthesis inside a sentence": {"The key (from a file, a variable or the directory of the baseline) is secret.", "The key (from a file) is secret."},
		"a verb at the end":                    {"It lists the changes that there are.", "It lists the changes."},
		"whoever":                              {"Whoever has the key can read it.", "The holder of the key can read it."},
	} {
		i := slices.IndexFunc(habits, func(h habit) bool { return h.name == name })
		if i < 0 {
			t.Errorf("no habit %q", name)
			continue
		}
		if habits[i].count(tt.with) != 1 {
			t.Errorf("%s: not found in %q", name, tt.with)
		}
		if habits[i].count(tt.without) != 0 {
			t.Errorf("%s: found in %q", name, tt.without)
		}
	}
}

func TestShellComments(t *testing.T) {
	got := shellComments("#!/bin/sh\n# One\n# comment.\necho '#' # not here\n  # Another one.\n")
	if want := "One\ncomment.\n\nAnother one.\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestRun counts the texts below a folder, and fails for a habit above its limit.
func TestRun(t *testing.T) {
	for _, tt := range []struct{ name, file, text, want string }{
		{"plain", "page.md", "A sentence.\n\n    code\n\nAnother one.\n", ""},
		{"behind code", "page.md", "A sentence.\n\n    code\n\n" + strings.Repeat("It is what it is. ", 3), `"what" in docs`},
		{"a habit", "page.md", strings.Repeat("Text is kept, so that it stays. ", 3), `"so that" in docs`},
		{"a few are spared", "page.md", strings.Repeat("Text is kept, so that it stays. ", 2), ""},
		{"a script", "run.sh", "# " + strings.Repeat("Text is kept, so that it stays. ", 3), `"so that" in scripts`},
		{"the code of a script", "run.sh", strings.Repeat("echo 'so that'\n", 3), ""},
		{"a comment", "a.go", "package a\n\n// " + strings.Repeat("Text is kept, so that it stays. ", 3) + "\nvar _ = 1\n", `"so that" in comments`},
		{"help", "cmd/a.go", "package a\n\nvar _ = `" + strings.Repeat("Text is kept, so that it stays. ", 3) + "`\n", `"so that" in help and messages`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), filepath.FromSlash(tt.file))
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(tt.text), 0o644); err != nil {
				t.Fatal(err)
			}
			dir := strings.TrimSuffix(file, string(filepath.Separator)+filepath.FromSlash(tt.file))
			err := run([]string{dir}, io.Discard)
			switch {
			case tt.want == "" && err != nil:
				t.Error(err)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}
