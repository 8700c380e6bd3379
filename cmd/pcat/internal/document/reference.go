package document

import (
	"context"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/locate"
	"github.com/pcatdev/pcat/cmd/pcat/internal/remote"
	"github.com/pcatdev/pcat/internal/lazyregexp"
	"github.com/pcatdev/pcat/internal/terminal"
)

// Files divides the arguments of a command into names of files and other words, each in
// order. An argument for which isWord reports true is a word, unless there is a file of
// that name. An address of a remote source is a file.
func Files(args []string, isWord func(string) bool) (files, words []string) {
	for _, arg := range args {
		if !isWord(arg) || remote.IsAddress(arg) || isFile(arg) {
			files = append(files, arg)
		} else {
			words = append(words, arg)
		}
	}
	return files, words
}

// References divides the arguments of a command, FILE... REFERENCE..., into files and
// references. A word that is no file is a title without a type if it follows a file, or with
// --files-from. So is the last argument if there is no other reference and it is
// an absolute path, which often names a file of this machine, too.
func (f *ReadFlags) References(args []string) (files []string, targets []locate.Target) {
	known := f.Files.FilesFrom != ""
	lastFile := len(args) - 1
	for lastFile >= 0 && !isInput(args[lastFile]) {
		lastFile--
	}
	for i, arg := range args {
		t, ok := locate.Parse(arg)
		switch {
		case isInput(arg):
			files, known = append(files, arg), true
		case ok:
			targets = append(targets, t)
		case known && i > lastFile && arg != "" && !strings.Contains(arg, "["):
			targets = append(targets, locate.Bare(arg))
		default:
			files, known = append(files, arg), true
		}
	}
	last := len(files) - 1
	if len(targets) == 0 && last >= 0 && (last > 0 || f.Files.FilesFrom != "") && filepath.IsAbs(files[last]) {
		return files[:last], []locate.Target{locate.Bare(files[last])}
	}
	return files, targets
}

// isInput reports whether an argument is an input, and not only the name of one.
func isInput(arg string) bool { return arg == cli.Stdin || remote.IsAddress(arg) || isFile(arg) }

// Reference returns the reference that an argument is, which may be a title without a type.
func Reference(arg string) locate.Target {
	if t, ok := locate.Parse(arg); ok {
		return t
	}
	return locate.Bare(arg)
}

// Ambiguous returns the error about a title without a type that names several resources, if it
// does. where names the input.
func Ambiguous(title, where string, refs []string) error {
	const few = 8
	if more := len(refs) - few; more > 0 {
		refs = append(slices.Clone(refs[:few]), fmt.Sprintf("%d more", more))
	}
	return cli.Usage("%s names several resources in %s; use one of %s", title, InputName(where), strings.Join(refs, ", "))
}

// Find returns the resources that targets name in d. mask masks a text as parts are masked. The
// targets that it returns are as the parts show them: the person who names a resource may know the
// secret in its title. A title without a type that names several resources is an error. Errors are
// [cli.Error]s.
func (d *Document) Find(parts locate.Parts, mask func(string) string, targets ...locate.Target) ([]*locate.Catalog, []locate.Target, error) {
	all, err := locate.Find(parts, targets...)
	if err != nil {
		return nil, nil, d.Failure(err)
	}
	masked := slices.Clone(targets)
	for _, c := range all {
		for _, i := range c.Missing { // only these, because masking numbers the masks
			masked[i] = Reference(mask(targets[i].String()))
		}
	}
	same := func(a, b locate.Target) bool { return a.String() == b.String() }
	if !slices.EqualFunc(masked, targets, same) {
		targets = masked
		if all, err = locate.Find(parts, targets...); err != nil {
			return nil, nil, d.Failure(err)
		}
	}
	for _, c := range all {
		if err := AmbiguousIn(c, d.Name, targets); err != nil {
			return nil, nil, err
		}
	}
	return all, targets, nil
}

// AmbiguousIn returns the error of [Ambiguous] for the targets of a search, nil if none is
// ambiguous.
func AmbiguousIn(c *locate.Catalog, where string, targets []locate.Target) error {
	for i, t := range targets {
		if refs := c.Ambiguous(i); t.IsBare() && refs != nil {
			var names []string
			for _, ref := range refs {
				names = append(names, ref.String())
			}
			return Ambiguous(t.String(), where, names)
		}
	}
	return nil
}

// isFile reports whether a file has the name, or matches it as a pattern.
func isFile(name string) bool {
	if _, err := os.Stat(name); err == nil {
		return true
	}
	matches, err := filepath.Glob(name)
	return err == nil && len(matches) > 0
}

// IsTarget reports whether an argument is a reference or a location.
func IsTarget(arg string) bool {
	_, ok := locate.Parse(arg)
	return ok
}

// IsSelector reports whether an argument is a type, a reference or a pattern.
func IsSelector(arg string) bool {
	_, ok := locate.ParseSelector(arg)
	return ok
}

// Selectors returns a function that reports whether one of the selectors, which are values
// of a flag, selects a resource. Without any, it selects all.
func Selectors(flag string, words []string) (func(*catalog.Resource) bool, error) {
	var all []locate.Selector
	for _, word := range words {
		s, ok := locate.ParseSelector(word)
		if !ok {
			return nil, cli.Usage("%s %q: use a type, a reference or a pattern, such as 'File[/etc/*]'", flag, word)
		}
		all = append(all, s)
	}
	return func(r *catalog.Resource) bool {
		return len(all) == 0 || slices.ContainsFunc(all, func(s locate.Selector) bool { return s.Match(r) })
	}, nil
}

// Parts returns the parts of d as mask changes them.
func (d *Document) Parts(ctx context.Context, mask catalog.Transform) locate.Parts {
	return func() iter.Seq2[catalog.Part, error] {
		return func(yield func(catalog.Part, error) bool) {
			for p, err := range d.Reader().Parts() {
				keep := true
				if err == nil {
					err = ctx.Err()
				}
				if err == nil {
					p, keep, err = catalog.Apply(ctx, mask, p)
				}
				if err != nil {
					yield(catalog.Part{}, err)
					return
				}
				if keep && !yield(p, nil) {
					return
				}
			}
		}
	}
}

// NotFound returns the text of an error about a reference that names nothing, with similar
// ones. where names the inputs.
func NotFound(target, where string, near locate.Suggestions) string {
	text := "no " + target + " in " + InputName(where)
	typ, _, typed := strings.Cut(target, "[")
	if !typed {
		text = "no resource " + target + " in " + InputName(where) + ", and no file of this name"
	}
	switch {
	case len(near.Refs) > 0:
		var refs []string
		for _, ref := range near.Refs {
			refs = append(refs, ref.String())
		}
		return text + "; did you mean " + orList(refs) + "?"
	case !typed && IsSelector(target) && 'A' <= target[0] && target[0] <= 'Z':
		return text + "; 'pcat ls FILE " + target + "' lists the resources of a type"
	case !typed:
		return text + "; write 'Type[title]', or list the resources with 'pcat ls'"
	case strings.ContainsAny(target, "*?"):
		return text + "; 'pcat ls' lists the resources that match a pattern"
	case near.HasType:
		return text + "; 'pcat ls FILE " + typ + "' lists the resources of this type"
	case len(near.Types) > 0:
		return text + ", and no resource of this type; did you mean the type " + orList(near.Types) + "?"
	default:
		return text + ", and no resource of this type; 'pcat inspect' lists the types"
	}
}

// NoLocation returns the error about a location that a resource in a file does not have, with the
// names that it has.
func NoLocation(file string, err *locate.LocationError) error {
	near := cli.DidYouMean(err.Path[len(err.Path)-1], slices.Values(err.Known))
	const few = 12
	if near == "" && len(err.Known) > 0 && len(err.Known) <= few {
		near = "; use one of " + strings.Join(err.Known, ", ")
	}
	return &cli.Error{Code: cli.ExitFindings, File: file, Err: fmt.Errorf("%w%s", err, near)}
}

// InputName returns the name of an input in a sentence.
func InputName(name string) string {
	if name == cli.Stdin {
		return "standard input"
	}
	return name
}

// orList joins words as in a sentence.
func orList(words []string) string {
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// The bounds of a completion: it must not keep a person waiting.
const (
	completeTime  = time.Second
	completeBytes = 64 << 20 // of one file
	completeFiles = 3
	completeWords = 1000
)

// CompleteReferences completes references, `Type[title]`, from the files that args name,
// and files otherwise. Types and titles with a declared secret or with control characters
// are left out.
func (f *ReadFlags) CompleteReferences(s *cli.IOStreams) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, begin string) ([]string, cobra.ShellCompDirective) {
		files, _ := Files(args, func(arg string) bool { return IsTarget(arg) || IsSelector(arg) })
		typ, _, inTitle := strings.Cut(begin, "[")
		if len(files) == 0 || slices.Contains(files, cli.Stdin) || !inTitle && isFile(begin+"*") && begin != "" {
			return nil, cobra.ShellCompDirectiveDefault
		}
		ctx := cmd.Context()
		if ctx == nil {
			ctx = context.Background()
		}
		ctx, cancel := context.WithTimeout(ctx, completeTime)
		defer cancel()
		read := *f
		read.Files.MaxSize = completeBytes
		read.Files.FilesFrom = ""
		sources, err := read.Files.Sources(ctx, s, files)
		if err != nil {
			return nil, cobra.ShellCompDirectiveDefault
		}
		seen := map[string]bool{}
		for _, src := range sources[:min(len(sources), completeFiles)] {
			read.complete(ctx, src.Silent(), typ, inTitle, seen)
		}
		var words []string
		for word := range seen {
			if len(word) >= len(begin) && strings.EqualFold(word[:len(begin)], begin) {
				words = append(words, begin+word[len(begin):]) // the shell compares what was typed
			}
		}
		slices.Sort(words)
		words = words[:min(len(words), completeWords)]
		switch {
		case len(words) == 0:
			return nil, cobra.ShellCompDirectiveDefault
		case inTitle:
			return words, cobra.ShellCompDirectiveNoFileComp
		default:
			return words, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
		}
	}
}

// typeName matches the name of a type.
var typeName = lazyregexp.New(`^[A-Z][a-zA-Z0-9_]*(::[A-Z][a-zA-Z0-9_]*)*$`)

// complete adds the references of a source, or its types with a bracket. Errors end it: a
// completion has no location for a message.
func (f *ReadFlags) complete(ctx context.Context, src cli.Source, typ string, titles bool, words map[string]bool) {
	doc, err := f.Open(ctx, src)
	if err != nil {
		return
	}
	defer func() { _ = doc.Close() }()
	mask, err := doc.Redactor()
	if err != nil {
		return
	}
	for r, err := range doc.Reader().Resources() {
		if err != nil || ctx.Err() != nil {
			return
		}
		ref := r.Ref()
		word := ref.Type + "["
		if titles {
			word = ref.String()
		}
		switch {
		case titles && !strings.EqualFold(ref.Type, typ), !titles && !typeName.Get().MatchString(ref.Type):
		case mask.Text(word) == word && terminal.Line(word) == word:
			words[word] = true
		}
	}
}
