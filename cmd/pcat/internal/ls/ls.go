// Package ls is the command pcat ls.
package ls

import (
	"bufio"
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
	"github.com/pcatdev/pcat/catalog/manifest"
	"github.com/pcatdev/pcat/catalog/query"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
	"github.com/pcatdev/pcat/cmd/pcat/internal/language"
	"github.com/pcatdev/pcat/cmd/pcat/internal/lookup"
	"github.com/pcatdev/pcat/internal/terminal"
	"github.com/pcatdev/pcat/sensitive"
)

// Options are the inputs of one run.
type Options struct {
	Streams     *cli.IOStreams
	Args        []string
	Read        document.ReadFlags
	Jobs        cli.JobFlags
	Long        bool
	JSON        bool
	Count       bool
	Where       string // an expression
	Strict      bool
	Order       bool
	Each        bool
	ShowSecrets bool
	Location    document.LocationFlags

	locator manifest.Locator
}

// NewCmd returns the command.
func NewCmd(streams *cli.IOStreams) *cobra.Command {
	opts := &Options{Streams: streams}
	cmd := &cobra.Command{
		Use:   "ls [FILE...] [TYPE|REFERENCE...]",
		Short: "List the resources of a catalog",
		Long: `List the resources of a catalog by type, in the order of the catalog: all, or
those of a TYPE such as File, or those that match a REFERENCE, in which * is any
text and ? any character: 'File[/etc/*]', 'Site::*', '*[/etc/motd]'. Aliases and
names match, too, such as the path of a File. An argument that names a file is a
file; a type in lower case needs a file before it. The exit code is 1 if nothing
matches.

Of several catalogs, each resource is listed once, with the number of catalogs
that have it; --each lists them by file. Secrets are masked, except with
--show-secrets: declared ones, the ones that pcat audit finds, and their copies.
Masked secrets of different catalogs are not compared.

--where selects by an expression of the Puppet language: $type, $title and
$parameters, the relations, and all else that pcat query --help lists.

--order numbers the resources in the order in which an agent applies them, with
its setting ordering=manifest: relations first, then the order of the catalog.

The flags of --long: S has a secret parameter, D a Deferred, X is exported. If
catalogs differ, ENSURE is *, and the other columns are of the first catalog.`,
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
	flags.BoolVar(&opts.Each, "each", false, "list each catalog for itself")
	flags.BoolVar(&opts.JSON, "json", false, "print JSON, one object per resource and catalog")
	flags.BoolVar(&opts.ShowSecrets, "show-secrets", false, "print secrets in titles instead of masking them")
	opts.Read.AddFlags(cmd)
	opts.Read.AddMaskFlag(cmd)
	opts.Jobs.AddFlags(flags)
	opts.Location.AddFlags(cmd)
	cmd.ValidArgsFunction = opts.Read.CompleteReferences(streams)
	return cmd
}

func (opts *Options) check() error {
	if opts.Order && (opts.Long || opts.Count) {
		return cli.Usage("--order prints positions and resources; it cannot be used together with --long or --count")
	}
	if opts.Count && (opts.JSON || opts.Long) {
		return cli.Usage("--count cannot be used together with --json or --long")
	}
	return errors.Join(opts.Read.Check(), opts.Jobs.Check(), opts.Location.Check())
}

// Run lists the resources.
func Run(ctx context.Context, opts *Options) error {
	if err := opts.check(); err != nil {
		return err
	}
	opts.locator = opts.Location.Locator(opts.Streams, !opts.JSON)
	files, words := document.Files(opts.Args, document.IsSelector)
	if len(files) == 0 && len(words) > 0 && !startsUpper(words[0]) && opts.Read.Files.FilesFrom == "" {
		files, words = words[:1], words[1:] // a mistyped name of a file is more likely
	}
	for _, file := range files {
		if t, ok := lookup.Parse(file); ok && len(t.Path()) > 0 && !exists(file) {
			return cli.Usage("%s: ls lists resources, not places in them; use pcat show or pcat get", file)
		}
	}
	r := &run{opts: opts, merged: &table{}, waiting: map[string]*table{}}
	for _, word := range words {
		s, _ := lookup.ParseSelector(word)
		r.selectors = append(r.selectors, s)
	}
	if err := r.where(ctx); err != nil {
		return err
	}
	sources, err := opts.Read.Sources(ctx, opts.Streams, &opts.Jobs, files)
	if err != nil {
		return err
	}
	r.sources = sources
	r.order = make(map[string]int, len(sources))
	for i, src := range sources {
		r.order[src.Name] = i
	}
	r.several = len(sources) > 1
	r.merge = r.several && !opts.Each && !opts.JSON && !opts.Order
	err = opts.Read.Each(ctx, &opts.Jobs, sources, opts.Streams.Out, r.document)
	err = errors.Join(err, r.failing.Report(opts.Streams, opts.Strict))
	if r.merge {
		r.mergeRest()
		err = errors.Join(err, r.write(opts.Streams.Out, r.merged, ""))
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

func exists(file string) bool {
	_, err := os.Lstat(file)
	return err == nil
}

// startsUpper reports whether a word begins with a capital letter, as the names of types
// do, or with a pattern.
func startsUpper(word string) bool { return word[0] < 'a' || word[0] > 'z' }

// run collects the rows of all documents.
type run struct {
	opts           *Options
	selectors      []lookup.Selector
	condition      func() (*query.Query, error) // of --where; nil for none
	order          map[string]int               // of the inputs
	failing        language.AllFailures
	several, merge bool

	mu       sync.Mutex
	found    bool
	catalogs int
	merged   *table
	sources  []cli.Source      // not merged yet
	waiting  map[string]*table // for earlier sources
	near     lookup.Suggestions
}

func (r *run) selects(res *catalog.Resource) bool {
	return len(r.selectors) == 0 || slices.ContainsFunc(r.selectors, func(s lookup.Selector) bool { return s.Match(res) })
}

func (r *run) document(ctx context.Context, doc *document.Document, out io.Writer) error {
	if r.merge {
		out = io.Discard // written at the end, but searched for secrets here
	}
	var l *listing
	var err error
	if r.opts.ShowSecrets {
		l, err = r.list(ctx, doc, catalog.Chain(), out)
	} else {
		wire := ""
		if r.opts.JSON {
			wire = "json"
		}
		err = doc.Guarded(ctx, out, wire, func(mask *sensitive.Redactor, out io.Writer) (err error) {
			l, err = r.list(ctx, doc, mask, out)
			return err
		})
	}
	if err != nil {
		l = &listing{table: &table{}} // nothing of a document that failed, or has a secret in its output
	}
	r.add(doc.Name, l)
	return doc.Failure(err)
}

// listing is the result for one document.
type listing struct {
	table    *table // of the last catalog with --json
	found    bool   // a resource in any catalog
	catalogs int
	near     lookup.Suggestions
}

// seen records whether a table has resources.
func (l *listing) seen(t *table) {
	l.table, l.found = t, l.found || t.size > 0
}

// add adds the result for a document whose output contains no secret.
func (r *run) add(name string, l *listing) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.found = r.found || l.found
	r.catalogs += l.catalogs
	r.near.Add(l.near)
	if r.merge {
		r.waiting[name] = l.table
		r.mergeNext()
	}
}

// list lists the resources of a document.
func (r *run) list(ctx context.Context, doc *document.Document, mask catalog.Transform, out io.Writer) (*listing, error) {
	if r.opts.Order {
		return r.ordered(ctx, doc, mask, out)
	}
	parts := doc.Parts(ctx, mask)
	t, l := &table{}, &listing{}
	node := ""
	matches, err := r.matches(ctx, doc, mask)
	if err != nil {
		return nil, err
	}
	n := 0 // resources
	for p, err := range parts() {
		if err != nil {
			return nil, err
		}
		switch {
		case p.Kind == catalog.PartResource:
			n++
			if matches != nil && !matches[n-1] || !r.selects(p.Resource) {
				continue
			}
			row, err := r.row(p.Resource)
			if err != nil {
				return nil, err
			}
			t.add(row)
		case p.Kind == catalog.PartEdge && r.opts.Long || p.Kind == catalog.PartEdge && r.opts.JSON:
			t.edge(p.Edge)
		case p.Kind == catalog.PartMember && (p.Key == "name" || p.Key == "certname"):
			if v, err := p.Member.Value(); err == nil {
				node = text(v)
			}
		case p.Catalog:
			l.catalogs++
			t.end()
			if r.opts.JSON {
				if err := r.opts.writeJSON(out, doc.Name, node, t); err != nil {
					return nil, err
				}
				l.seen(t)
				t, node = &table{}, ""
			}
		}
	}
	l.seen(t)
	if err := r.suggest(l, parts); err != nil {
		return nil, err
	}
	if r.opts.JSON {
		return l, nil
	}
	prefix := ""
	switch {
	case r.several && !r.merge:
		prefix = doc.Name + ": "
	case !r.several && l.catalogs > 1 && !r.opts.Each:
		several := t
		t = &table{}
		t.merge(several)
	}
	return l, r.write(out, t, prefix)
}

// mergeNext merges the tables of the next sources, in order: the result is the same for any
// number of jobs.
func (r *run) mergeNext() {
	for len(r.sources) > 0 && r.waiting[r.sources[0].Name] != nil {
		r.merged.merge(r.waiting[r.sources[0].Name])
		delete(r.waiting, r.sources[0].Name)
		r.sources = r.sources[1:]
	}
}

// mergeRest merges the tables that waited for sources which could not be read.
func (r *run) mergeRest() {
	for _, src := range r.sources {
		if t := r.waiting[src.Name]; t != nil {
			r.merged.merge(t)
		}
	}
}

// suggest searches for references that are similar to one that selects nothing.
func (r *run) suggest(l *listing, parts lookup.Parts) error {
	r.mu.Lock()
	searched := r.found || l.found || len(r.selectors) != 1
	r.mu.Unlock()
	if searched {
		return nil
	}
	s := r.selectors[0]
	target, one := s.Target()
	if !one {
		target, _ = lookup.Parse(s.Type() + "[*]") // for types that are similar
	}
	var err error
	l.near, err = lookup.Near(parts, target)
	return err
}

// mayHideDifferences reports whether a resource of several catalogs has a masked text.
func (r *run) mayHideDifferences() bool {
	if r.opts.Count || r.opts.ShowSecrets {
		return false
	}
	for i := range r.merged.size {
		one := r.merged.row(i)
		if one.catalogs > 1 && slices.ContainsFunc([]string{one.ref.Title, one.ensure, one.manifest, one.containerText()}, document.IsMasked) {
			return true
		}
	}
	return false
}

// nothing returns the error for selectors that select nothing.
func (r *run) nothing(sources []cli.Source, words []string) error {
	where := document.Place(sources[0].Name)
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
	if _, one := r.selectors[0].Target(); one {
		message = document.NotFound(words[0], where, r.near)
	} else if len(r.near.Types) > 0 {
		message += "; did you mean " + strings.Join(r.near.Types, " or ") + "?"
	}
	return &cli.Error{Code: cli.ExitFindings, Err: errors.New(message)}
}

// write prints a table.
func (r *run) write(out io.Writer, t *table, prefix string) error {
	w := bufio.NewWriter(out)
	var err error
	switch {
	case r.opts.Count:
		_, err = fmt.Fprintf(w, "%s%d\n", terminal.Line(prefix), t.count())
	case r.opts.Long:
		err = r.long(w, t, prefix)
	default:
		err = r.short(w, t, prefix)
	}
	if err != nil {
		return err
	}
	return w.Flush()
}
