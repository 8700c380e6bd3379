package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// ownWord is a word that a secret could be: shorter ones are not searched for.
var ownWord = regexp.MustCompile(`[A-Za-z](?:[A-Za-z_-]{4,}[A-Za-z])`)

// verb is a verb of a format.
var verb = regexp.MustCompile(`%[-+# 0-9.*\[\]]*[a-zA-Z]`)

// noOutput are directories whose texts are not printed beside values of catalogs, or, as the
// knowledge of the audit, are like secrets.
var noOutput = []string{".git", ".ci", "audit", "auditconfig", "bench", "conformance", "examples", "fleet", "leak", "live", "names", "reference", "regress", "secret", "testdata", "tools", "walkthrough"}

// TestOwnWords checks that the own text of the commands, in which a secret is no copy, is
// complete: it has the words of all texts in the sources. With -update, the test writes it.
func TestOwnWords(t *testing.T) {
	root := filepath.Join("..", "..")
	words := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains(noOutput, d.Name()) && path != filepath.Join(root, "cmd", "pcat", "internal", "audit"):
			return fs.SkipDir
		case !d.IsDir() && strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go"):
			return addOwnWords(path, words)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Join(slices.Sorted(maps.Keys(words)), "\n") + "\n"
	file := filepath.Join("internal", "document", "own.txt")
	if updating(t) {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if read(t, file) != want {
		t.Errorf("%s is not up to date; run make update", file)
	}
}

// addOwnWords adds the words of the strings in a file of Go, in lower case.
func addOwnWords(path string, words map[string]bool) error {
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if _, ok := n.(*ast.ImportSpec); ok {
			return false
		}
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			text, _ := strconv.Unquote(lit.Value) // it was parsed
			for _, part := range []string{text, verb.ReplaceAllString(text, " ")} {
				for _, word := range ownWord.FindAllString(part, -1) {
					words[strings.ToLower(word)] = true
				}
			}
		}
		return true
	})
	return nil
}
