// Command prose counts words and constructions that make the English of a project hard to read, and
// fails if one of them is too frequent.
//
//	go run . [-limit N] [-each] [-list HABIT] [-except FOLDER] [DIR]
//
// It reads four bodies of text: the comments of Go files, the sentences in string literals below cmd/
// (help and messages), Markdown without code, and the comments of scripts, Makefiles, YAML and Ruby.
// Well-written projects use each counted word at most once in a thousand words. Each habit has its own
// limit; -list prints the sentences that have a habit.
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

// comments is the name of the body with the comments of Go files.
const comments = "comments"

// body is a text with its counts.
type body struct {
	name  string
	words int
	hits  []int      // by index of counted
	found [][]string // the sentences with a habit, by index of habits
	count []int      // the occurrences of a habit, by index of habits
}

var (
	word      = regexp.MustCompile(`[A-Za-z][A-Za-z']*`)
	directive = regexp.MustCompile(`^//(go:|nolint|line |export )`)
	fence     = regexp.MustCompile("(?ms)^ *```.*?^ *```$|^    [^\n]*$|`[^`\n]*`")
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

// addSentences counts habits in a text from a file.
func (b *body) addSentences(file, text string) {
	if b.count == nil {
		b.count, b.found = make([]int, len(habits)), make([][]string, len(habits))
	}
	for _, sentence := range sentences(text) {
		for i := range habits {
			if n := habits[i].count(sentence); n > 0 {
				b.count[i] += n
				b.found[i] = append(b.found[i], file+": "+sentence)
			}
		}
	}
}

// habitRate returns the frequency of the i-th habit in a thousand words.
func (b *body) habitRate(i int) float64 {
	if b.words == 0 || b.count == nil {
		return 0
	}
	return 1000 * float64(b.count[i]) / float64(b.words)
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
	list := flags.String("list", "", "list the sentences with a habit")
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
				above = append(above, fmt.Sprintf("%q in %s: %.1f, at most %.1f", counted[j].name, b.name, b.rate(j), *limit))
			}
		}
		for j := range habits {
			if most := habits[j].limit(b); b.habitRate(j) > most && b.count[j] > spared {
				above = append(above, fmt.Sprintf("%q in %s: %.2f, at most %.2f", habits[j].name, b.name, b.habitRate(j), most))
			}
			if *list == habits[j].name && b.found != nil {
				fmt.Fprintln(out, strings.Join(b.found[j], "\n"))
			}
		}
	}
	showHabits(out, bodies)
	if *each {
		for _, b := range folders {
			show(out, b)
		}
	}
	if len(above) > 0 {
		return fmt.Errorf("too many in a thousand words (-list HABIT prints sentences): %s", strings.Join(above, "; "))
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

// showHabits prints the rate of each habit in each body, and its limit.
func showHabits(out io.Writer, bodies []body) {
	for j := range habits {
		for i := range bodies {
			fmt.Fprintf(out, "%7.2f", bodies[i].habitRate(j))
		}
		fmt.Fprintf(out, "  at most %.1f in comments, else %.1f  %s\n", habits[j].comments, habits[j].most, habits[j].name)
	}
}

// script reports whether a file has comments that begin with #.
func script(name string, text []byte) bool {
	switch filepath.Ext(name) {
	case ".sh", ".yml", ".yaml", ".rb":
		return true
	case "":
		return name == "Makefile" || strings.HasPrefix(string(text), "#!")
	}
	return strings.HasPrefix(name, "Containerfile")
}

var shellComment = regexp.MustCompile(`(?m)^\s*# ?([^!].*|)$`)

// shellComments returns the comments of a script that have lines of their own.
func shellComments(text string) string {
	var b strings.Builder
	last := -1
	for i, line := range strings.Split(text, "\n") {
		m := shellComment.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		if last >= 0 && last != i-1 {
			b.WriteString("\n")
		}
		last = i
		b.WriteString(m[1] + "\n")
	}
	return b.String()
}

// read counts words and habits in the comments, in the strings of cmd/, in the Markdown and in the scripts below root,
// and words in the comments of each folder.
func read(root, except string) (bodies []body, folders []*body, err error) {
	ofGo, help, docs, scripts := body{name: comments}, body{name: "help and messages"}, body{name: "docs"}, body{name: "scripts"}
	byFolder := map[string]*body{}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			hidden := strings.HasPrefix(name, ".") && name != ".ci" && name != ".github"
			if path != root && (hidden || name == "testdata" || name == "bin" || path == except) {
				return filepath.SkipDir
			}
			return nil
		}
		relative, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		switch filepath.Ext(name) {
		case ".md":
			text, err := os.ReadFile(path)
			docs.add(fence.ReplaceAllString(string(text), ""))
			docs.addSentences(relative, string(text))
			return err
		case ".sh", ".yml", ".yaml", ".rb", "", ".pcatd":
			text, err := os.ReadFile(path)
			if err == nil && script(name, text) {
				comment := shellComments(string(text))
				scripts.add(comment)
				scripts.addSentences(relative, comment)
			}
			return err
		case ".go":
			folder := filepath.ToSlash(filepath.Dir(relative))
			if byFolder[folder] == nil {
				byFolder[folder] = &body{name: folder}
			}
			isCommand := strings.HasPrefix(filepath.ToSlash(relative), "cmd/") && !strings.HasSuffix(name, "_test.go")
			return source(path, isCommand, []*body{&ofGo, byFolder[folder]}, &help)
		}
		return nil
	})
	for _, b := range byFolder {
		folders = append(folders, b)
	}
	slices.SortFunc(folders, func(a, b *body) int { return strings.Compare(a.name, b.name) })
	return []body{ofGo, help, docs, scripts}, folders, err
}

// source counts words in one Go file.
func source(path string, isCommand bool, bodies []*body, help *body) error {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
	if err != nil {
		return err
	}
	for _, group := range file.Comments {
		for _, c := range group.List {
			if directive.MatchString(c.Text) {
				continue
			}
			for _, b := range bodies {
				b.add(strings.TrimPrefix(c.Text, "//"))
			}
		}
		bodies[0].addSentences(path, group.Text())
	}
	if !isCommand {
		return nil
	}
	const sentence = 3 // words
	ast.Inspect(file, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
			if text, err := strconv.Unquote(l.Value); err == nil && len(strings.Fields(text)) >= sentence {
				help.add(text)
				help.addSentences(path, text)
			}
		}
		return true
	})
	return nil
}
