// Package ls is the command pcat ls.
package ls

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/graph"
	"github.com/pcatdev/pcat/catalog/manifest"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
	"github.com/pcatdev/pcat/cmd/pcat/internal/language"
	"github.com/pcatdev/pcat/cmd/pcat/internal/locate"
	"github.com/pcatdev/pcat/internal/manual"
	"github.com/pcatdev/pcat/internal/query"
	"github.com/pcatdev/pcat/internal/terminal"
)

// Options are the inputs of one run.
type Options struct {
	Streams  *cli.IOStreams
	Args     []string
	Read     document.ReadFlags
	Jobs     cli.JobFlags
	Long     bool
	JSON     cli.JSONFlags
	Count    bool
	Where    string // an expression
	Strict   bool
	Order    bool
	Each     bool
	Location document.LocationFlags

	locator manifest.Locator
}

// NewCmd returns the command.
func NewCmd(streams *cli.IOStreams) *cobra.Command {
	opts := &Options{Streams: streams}
	cmd := &cobra.Command{
		Use:   "ls [FILE...] [TYPE|REFERENCE...]",
		Short: "List the resources of a catalog",
		Long: `List the resources of a catalog by type, and in the order of the catalog within
a type. TYPE, such as File, and REFERENCE select resources. In a REFERENCE, *
matches any text and ? one character: 'File[/etc/*]', 'Site::*', '*[/etc/motd]'.
Aliases and names also match, such as the path of a File. An argument that names
an existing file is a FILE; a lower-case type needs a FILE before it. The exit
code is 1 if nothing matches.

For several catalogs, each resource is listed once, with the number of catalogs
that have it; --each lists them by file. Declared secrets, secrets that pcat
audit finds, and copies of both are masked, except with --show-secrets. Masked
secrets of different catalogs are not compared.

--where selects by an expression of the Puppet language. It can use $type,
$title, $parameters, the relationships, and the other variables that pcat query
--help lists.

--order prints the position of each resource in the order in which an agent
applies them with ordering=manifest: relationships first, then the order of the
catalog.

In the column FLAGS of --long, S marks a secret parameter, D a Deferred, and X
an exported resource. If catalogs differ, ENSURE is *, and the other columns
come from the first catalog.`,
		Example: `  pcat ls catalog.json
  pcat ls catalog.json Service Package
  pcat ls --long catalog.json 'File[/etc/*]'
  pcat ls catalog.json --where '$parameters[ensure] == absent'
  pcat ls --count catalogs/ Exec`,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Args = args
			return Run(cmd.Context(), opts)
		},
	}
	flags := cmd.Flags()
	flags.BoolVarP(&opts.Long, "long", "l", false, "print ensure, parameters, flags, manifest line and container")
	flags.BoolVarP(&opts.Count, "count", "c", false, "print only the number of resources")
	flags.StringVar(&opts.Where, "where", "", "list only the resources for which `EXPR` is true, as for pcat query -e")
	flags.BoolVar(&opts.Strict, "strict", false, "with --where: treat undef in a match or a comparison, and operators that do not apply to a value, as errors")
	flags.BoolVar(&opts.Order, "order", false, "list the resources of each catalog in the order in which an agent applies them")
	flags.BoolVar(&opts.Each, "each", false, "list each catalog separately")
	opts.JSON.AddFlags(cmd, opts.Streams, "resources of catalogs")
	opts.Read.RunData = true
	opts.Read.AddFlags(cmd)
	opts.Read.AddShowFlags(cmd)
	opts.Jobs.AddFlags(flags)
	opts.Location.AddFlags(cmd)
	cmd.ValidArgsFunction = opts.Read.CompleteReferences(streams)
	manual.Exits(cmd, cli.ExitFindings)
	return cmd
}

// Run lists the resources.
func Run(ctx context.Context, opts *Options) error {
	if err := errors.Join(opts.Read.Check(), opts.Jobs.Check(), opts.Location.Check()); err != nil {
		return err
	}
	opts.locator = opts.Location.Locator(opts.Streams, &opts.Read, !opts.JSON.Given())
	files, words := document.Files(opts.Args, document.IsSelector)
	if len(files) == 0 && len(words) > 0 && !startsUpper(words[0]) && opts.Read.Files.FilesFrom == "" {
		files, words = words[:1], words[1:] // a mistyped name of a file is more likely
	}
	for _, file := range files {
		if t, ok := locate.Parse(file); ok && len(t.Path()) > 0 && !exists(file) {
			return cli.Usage("%s: ls lists resources, not locations in them; use pcat show or pcat get", file)
		}
	}
	r := &run{opts: opts}
	var err error
	if r.selects, err = document.Selectors("ls", words); err != nil {
		return err
	}
	if len(words) == 1 {
		r.only, _ = locate.ParseSelector(words[0])
	}
	if err := r.compile(ctx); err != nil {
		return err
	}
	sources, err := opts.Read.Sources(ctx, opts.Streams, &opts.Jobs, files)
	if err != nil {
		return err
	}
	r.order = document.Order(sources)
	r.several = len(sources) > 1
	err = opts.Read.Each(ctx, &opts.Jobs, sources, opts.Streams.Out, r.document)
	err = errors.Join(err, r.failing.Report(opts.Streams, opts.Strict))
	if r.merges() {
		err = errors.Join(err, r.write(opts.Streams.Out, r.merged.resources, ""))
		if r.mayHideDifferences() {
			_, failed := fmt.Fprintln(opts.Streams.Out, "\n"+document.NotCompared)
			err = errors.Join(err, failed)
		}
	}
	if r.found || len(words) == 0 && opts.Where == "" || cli.CodeOf(err) > cli.ExitFindings {
		return err
	}
	return errors.Join(err, r.nothing(sources, words))
}

// merges reports whether a resource of several catalogs is listed once.
func (opts *Options) merges() bool { return !opts.Each && !opts.JSON.Given() && !opts.Order }

func exists(file string) bool {
	_, err := os.Lstat(file)
	return err == nil
}

// startsUpper reports whether a word begins with a capital letter, as the names of types
// do, or with a pattern.
func startsUpper(word string) bool { return word[0] < 'a' || word[0] > 'z' }

// run collects the resources of all documents.
type run struct {
	opts    *Options
	selects func(*catalog.Resource) bool
	only    locate.Selector               // the only word for selects
	search  func() (*query.Search, error) // of --where, with a limit of work of its own
	order   map[string]int                // of the inputs
	several bool                          // inputs
	failing language.AllFailures

	mu       sync.Mutex
	found    bool
	catalogs int
	merged   merged
	near     locate.Suggestions
}

// compile compiles --where.
func (r *run) compile(ctx context.Context) error {
	if r.opts.Where == "" {
		r.search = func() (*query.Search, error) { return &query.Search{}, nil }
		return nil
	}
	world, err := (&language.Flags{}).World(ctx, r.opts.Streams, &r.opts.Read.Files)
	if err != nil {
		return err
	}
	r.search = func() (*query.Search, error) {
		return query.NewSearch(world.Fresh().Evaluator(language.Leniency{Undef: !r.opts.Strict}), "--where", r.opts.Where, nil)
	}
	_, err = r.search()
	return language.Failure(err)
}

// merges reports whether the resources of all inputs are listed together.
func (r *run) merges() bool { return r.several && r.opts.merges() }

// document lists the resources of a document.
func (r *run) document(ctx context.Context, doc *document.Document, out io.Writer) error {
	if r.merges() {
		out = io.Discard // written at the end, but searched for secrets here
	}
	var all listing
	err := doc.Printed(ctx, out, r.opts.JSON.Given(), func(mask document.Mask, out io.Writer) error {
		all = listing{run: r, out: out}
		if err := all.list(ctx, doc, mask); err != nil {
			return err
		}
		return r.suggest(ctx, doc, mask, &all)
	})
	if err != nil {
		return err // nothing counts of a document that failed, or has a secret in its output
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.found = r.found || all.found
	r.catalogs += all.catalogs
	r.near.Add(all.near)
	if r.merges() {
		r.merged.add(r.order[doc.Name], all.resources)
	}
	return nil
}

// listing is the result for one document.
type listing struct {
	*run

	out       io.Writer
	prefix    string
	resources []*Resource // not written yet
	found     bool        // a resource in any catalog
	catalogs  int
	near      locate.Suggestions
}

// list lists the resources of a document: together, or by catalog.
func (l *listing) list(ctx context.Context, doc *document.Document, mask document.Mask) error {
	search, err := l.search()
	if err != nil {
		return err
	}
	var positions []map[int]int
	if l.opts.Order {
		if positions, err = l.positions(doc); err != nil {
			return err
		}
	}
	if l.several && !l.merges() {
		l.prefix = doc.Name + ": "
	}
	src := &query.Source{Open: doc.Reader, Mask: mask, Select: l.selects, Named: l.opts.JSON.Given(), Contained: l.opts.Long || l.opts.JSON.Given()}
	err = l.failing.Find(ctx, l.order[doc.Name], doc.Name, src, search, nil, func(m *query.Match) error {
		one, err := l.resource(m.Resource)
		if err != nil {
			return err
		}
		one.File = commonly(doc.Name)
		if l.opts.Order {
			if one.Position = int32(positions[m.Catalog][m.Index]); one.Position == 0 {
				return nil
			}
		}
		if len(l.resources) > 0 && l.resources[0].Catalog != one.Catalog && !l.opts.merges() {
			if err := l.flush(src); err != nil {
				return err
			}
		}
		l.found, l.resources = true, append(l.resources, one)
		return nil
	})
	if err != nil {
		return err
	}
	l.catalogs = len(src.Nodes)
	return l.flush(src)
}

// flush writes the resources, and keeps the ones that are merged with others.
func (l *listing) flush(src *query.Source) error {
	if src.Contained {
		for _, one := range l.resources {
			one.Container = commonly(src.Container(int(one.Catalog), int(one.index)))
		}
	}
	if len(src.Nodes) > 1 && !l.several && l.opts.merges() {
		var together merged
		together.add(0, l.resources)
		l.resources = together.resources
	}
	err := l.write(l.out, l.resources, l.prefix)
	if !l.merges() {
		l.resources = nil
	}
	return err
}

// positions returns the positions in the order in which an agent applies the resources of each
// catalog, by their indexes.
func (l *listing) positions(doc *document.Document) ([]map[int]int, error) {
	var all []map[int]int
	for c, err := range doc.Reader().Catalogs() {
		if err != nil {
			return nil, err
		}
		g, err := graph.New(c)
		if err != nil {
			return nil, err
		}
		order := g.Order()
		if left := g.Len() - len(order); left > 0 {
			doc.Log().Warn(document.Counted(left, "resource")+
				" of dependency cycles, or after one, cannot be applied and are left out; 'pcat check' shows the cycles", cli.FileKey, doc.Name)
		}
		positions := make(map[int]int, len(order))
		for i, node := range order {
			positions[node] = i + 1
		}
		all = append(all, positions)
	}
	return all, nil
}

// suggest searches for references that are similar to one that selects nothing.
func (r *run) suggest(ctx context.Context, doc *document.Document, mask catalog.Transform, l *listing) error {
	r.mu.Lock()
	searched := r.found || l.found || r.only.Type() == ""
	r.mu.Unlock()
	if searched {
		return nil
	}
	target, one := r.only.Target()
	if !one {
		target, _ = locate.Parse(r.only.Type() + "[*]") // for types that are similar
	}
	var err error
	l.near, err = locate.Near(doc.Parts(ctx, mask), target)
	return err
}

// mayHideDifferences reports whether a resource of several catalogs has a masked text.
func (r *run) mayHideDifferences() bool {
	return !r.opts.Count && !r.opts.Read.ShowsSecrets() && slices.ContainsFunc(r.merged.resources, func(one *Resource) bool {
		return one.catalogs > 1 && slices.ContainsFunc([]string{one.Ref.Title, one.Ensure.String(), one.Manifest.String(), one.Container.String()}, document.IsMasked)
	})
}

// nothing returns the error for selectors that select nothing.
func (r *run) nothing(sources []cli.Source, words []string) error {
	where := document.InputName(sources[0].Name)
	if r.several {
		where = fmt.Sprintf("%d catalogs", r.catalogs)
	}
	if r.opts.Where != "" {
		return &cli.Error{Code: cli.ExitFindings, Err: errors.New("no resource matches --where " + r.opts.Where + " in " + where)}
	}
	if len(words) > 1 {
		return &cli.Error{Code: cli.ExitFindings, Err: fmt.Errorf("no resource matches %s in %s", strings.Join(words, " or "), where)}
	}
	message := "no resource matches " + words[0] + " in " + where
	if _, one := r.only.Target(); one {
		message = document.NotFound(words[0], where, r.near)
	} else if len(r.near.Types) > 0 {
		message += "; did you mean " + strings.Join(r.near.Types, " or ") + "?"
	}
	return &cli.Error{Code: cli.ExitFindings, Err: errors.New(message)}
}

// write prints resources: the number, a table, or JSON.
func (r *run) write(out io.Writer, all []*Resource, prefix string) error {
	sortResources(all)
	switch {
	case r.opts.Count:
		n := 0
		for _, one := range all {
			n += max(1, int(one.catalogs))
		}
		_, err := io.WriteString(out, terminal.Sprintf("%s%d\n", prefix, n))
		return err
	case r.opts.JSON.Given():
		for _, one := range all {
			shown := *one
			shown.Manifest = commonly(r.opts.locator.Path(one.Manifest.String()))
			if err := terminal.Encode(out, shown); err != nil {
				return err
			}
		}
		return nil
	}
	return r.opts.Streams.WriteTable(out, r.table(all, prefix))
}
