package diff_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestFiles checks the list of files in the package comment.
func TestFiles(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for _, m := range regexp.MustCompile(`(?m)^//\t(\w+\.go) `).FindAllStringSubmatch(string(doc), -1) {
		listed = append(listed, m[1])
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	files = slices.DeleteFunc(files, func(f string) bool { return strings.HasSuffix(f, "_test.go") || f == "doc.go" })
	slices.Sort(listed)
	if !slices.Equal(listed, files) {
		t.Errorf("the comment lists\n%q, the files are\n%q", listed, files)
	}
}
