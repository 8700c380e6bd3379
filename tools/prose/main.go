// Command prose counts words that make the English of a project hard to read, and fails if
// one of them is too frequent.
//
//	go run . [-limit N] [-each] [-except FOLDER] [DIR]
//
// It reads three bodies of text: the comments of Go files, the sentences in string literals
// below cmd/ (help and messages), and Markdown without code. Well-written projects use each
// counted word at most once in a thousand words.
package main

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// counted lists the words with their forms.
var counted = []struct {
	name  string
	forms *regexp.Regexp
}{
	{"what", regexp.MustCompile(`(?i)^what(ever)?$`)},
	{"tell", regexp.MustCompile(`(?i)^(tell|tells|told|telling)$`)},
	{"stand", regexp.MustCompile(`(?i)^(stand|stands|stood|standing)$`)},
	{"those", regexp.MustCompile(`(?i)^those$`)},
	{"nobody", regexp.MustCompile(`(?i)^(nobody|somebody|who|whoever)$`)},
}

// body is a text with its counts.
type body struct {
	name  string
	words int
	hits  []int // by index of counted
}

var (
	word      = regexp.MustCompile(`[A-Za-z][A-Za-z']*`)
	directive = regexp.MustCompile(`^//(go:|nolint|line |export )`)
	fence     = regexp.MustCompile("(?ms)^ *```.*?^ *```$|^    .*$|`[^`\n]*`")
)

func (b *body) add(text string) {
	if b.hits == nil {
		b.hits = make([]int, len(counted))
	}
	for _, w := range word.FindAllString(text, -1) {
		b.words++
		for i := range counted {
			if counted[i].forms.MatchString(w) {
				b.hits[i]++
			}
		}
	}
}

// rate returns the frequency of the i-th word in a thousand words.
func (b *body) rate(i int) float64 {
	if b.words == 0 {
		return 0
	}
	return 1000 * float64(b.hits[i]) / float64(b.words)
}

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "prose:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("prose", flag.ContinueOnError)
	limit := flags.Float64("limit", 1.5, "the highest rate in a thousand words")
	each := flags.Bool("each", false, "list every folder, too")
	except := flags.String("except", "", "leave out a folder below DIR")
	if err := flags.Parse(args); err != nil {
		return err
	}
	root := "."
	if flags.NArg() > 0 {
		root = flags.Arg(0)
	}
	bodies, folders, err := read(root, filepath.Join(root, filepath.FromSlash(*except)))
	if err != nil {
		return err
	}
	var above []string
	for i := range bodies {
		b := &bodies[i]
		show(out, b)
		for j := range counted {
			if b.rate(j) > *limit {
				above = append(above, fmt.Sprintf("%q in %s: %.1f", counted[j].name, b.name, b.rate(j)))
			}
		}
	}
	if *each {
		for _, b := range folders {
			show(out, b)
		}
	}
	if len(above) > 0 {
		return fmt.Errorf("more than %.1f in a thousand words: %s", *limit, strings.Join(above, "; "))
	}
	return nil
}

func show(out io.Writer, b *body) {
	fmt.Fprintf(out, "%7d words", b.words)
	for j := range counted {
		if b.hits != nil {
			fmt.Fprintf(out, "  %s %4.1f", counted[j].name, b.rate(j))
		}
	}
	fmt.Fprintf(out, "  %s\n", b.name)
}

// read counts words in the comments, in the strings of cmd/ and in the Markdown below root, and in the comments of
// each folder.
func read(root, except string) (bodies []body, folders []*body, err error) {
	comments, help, docs := body{name: "comments"}, body{name: "help and messages"}, body{name: "docs"}
	byFolder := map[string]*body{}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if path != root && (strings.HasPrefix(name, ".") || name == "testdata" || name == "bin" || path == except) {
				return filepath.SkipDir
			}
			return nil
		}
		switch filepath.Ext(name) {
		case ".md":
			text, err := os.ReadFile(path)
			docs.add(fence.ReplaceAllString(string(text), ""))
			return err
		case ".go":
			relative, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			folder := filepath.ToSlash(filepath.Dir(relative))
			if byFolder[folder] == nil {
				byFolder[folder] = &body{name: folder}
			}
			isCommand := strings.HasPrefix(filepath.ToSlash(relative), "cmd/") && !strings.HasSuffix(name, "_test.go")
			return source(path, isCommand, []*body{&comments, byFolder[folder]}, &help)
		}
		return nil
	})
	for _, b := range byFolder {
		folders = append(folders, b)
	}
	slices.SortFunc(folders, func(a, b *body) int { return strings.Compare(a.name, b.name) })
	return []body{comments, help, docs}, folders, err
}

// source counts words in one Go file.
func source(path string, isCommand bool, comments []*body, help *body) error {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
	if err != nil {
		return err
	}
	for _, group := range file.Comments {
		for _, c := range group.List {
			if directive.MatchString(c.Text) {
				continue
			}
			for _, b := range comments {
				b.add(strings.TrimPrefix(c.Text, "//"))
			}
		}
	}
	if !isCommand {
		return nil
	}
	const sentence = 3 // words
	ast.Inspect(file, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
			if text, err := strconv.Unquote(l.Value); err == nil && len(strings.Fields(text)) >= sentence {
				help.add(text)
			}
		}
		return true
	})
	return nil
}
