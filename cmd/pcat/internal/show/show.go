// Package show is the command pcat show.
package show

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
	"github.com/pcatdev/pcat/cmd/pcat/internal/lookup"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/sensitive"
)

// Options are the inputs of one run.
type Options struct {
	Streams     *cli.IOStreams
	Args        []string
	Read        document.ReadFlags
	Jobs        cli.JobFlags
	JSON        bool
	All         bool
	ShowSecrets bool
	Location    document.LocationFlags
}

// NewCmd returns the command.
func NewCmd(streams *cli.IOStreams) *cobra.Command {
	opts := &Options{Streams: streams}
	cmd := &cobra.Command{
		Use:   "show [FILE...] REFERENCE...",
		Short: "Show a resource: parameters, relations, container, manifest line",
		Long: `Show a resource of a catalog: the manifest line that declares it, the classes and
defined types that contain it, its parameters, and its relations in both
directions: require, before, notify and subscribe of this resource and of all
others.

REFERENCE is Type[title], in any spelling that Puppet accepts; aliases and names
find a resource, too, such as the path of a File. A title or a path is enough if
only one resource has it: /etc/motd. To show one parameter only, or a part of it,
add its name and keys: 'File[/etc/motd]/content'. An argument that names a file is
a file. The exit code is 1 if no catalog has the resource.

Of several catalogs, equal resources are shown once, with their nodes. Long
values and lists are cut, except with --all or for one parameter. Secrets are
masked, except with --show-secrets: declared ones, the ones that pcat audit finds,
and their copies. Masked secrets of different catalogs are not compared.`,
		Example: `  pcat show catalog.json 'File[/etc/motd]'
  pcat show catalog.json 'File[/etc/motd]/content' 'Class[Motd]'
  pcat show catalog.json /etc/motd
  pcat show catalogs/ 'Service[sshd]'
  pcat show --json catalog.msgpack 'Exec[login]' | jq .parameters`,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Args = args
			return Run(cmd.Context(), opts)
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&opts.JSON, "json", false, "print JSON, one object per resource and catalog")
	flags.BoolVarP(&opts.All, "all", "a", false, "do not cut long values and lists")
	flags.BoolVar(&opts.ShowSecrets, "show-secrets", false, "print secrets instead of masking them")
	opts.Read.AddFlags(cmd)
	opts.Read.AddMaskFlag(cmd)
	opts.Jobs.AddFlags(flags)
	opts.Location.AddFlags(cmd)
	cmd.ValidArgsFunction = opts.Read.CompleteReferences(streams)
	return cmd
}

// Run shows the resources.
func Run(ctx context.Context, opts *Options) error {
	if err := errors.Join(opts.Read.Check(), opts.Jobs.Check(), opts.Location.Check()); err != nil {
		return err
	}
	files, targets, err := opts.split()
	if err != nil {
		return err
	}
	sources, err := opts.Read.Sources(ctx, opts.Streams, &opts.Jobs, files)
	if err != nil {
		return err
	}
	r := &run{
		opts:    opts,
		targets: targets,
		layout:  newLayout(opts),
		results: make(map[string][]shown, len(sources)),
		bodies:  map[string]string{},
		search:  make([]search, len(targets)),
	}
	err = opts.Read.Each(ctx, &opts.Jobs, sources, opts.Streams.Out, r.document)
	if !opts.JSON {
		err = errors.Join(err, r.write(opts.Streams.Out, sources))
	}
	if cli.CodeOf(err) > cli.ExitFindings && r.catalogs == 0 {
		return err // nothing was searched
	}
	return errors.Join(err, r.missing(sources))
}

// split divides the arguments into files and targets.
func (opts *Options) split() (files []string, targets []lookup.Target, err error) {
	files, targets = opts.Read.References(opts.Args)
	if len(opts.Args) == 0 && opts.Streams.InTerminal {
		return nil, nil, cli.ErrNoInput
	}
	if i := slices.IndexFunc(files, func(f string) bool { return strings.Contains(f, "[") && !strings.Contains(f, "]") }); i >= 0 {
		return nil, nil, cli.Usage("%s: unfinished reference; quote all of it: 'Type[title]'", files[i])
	}
	if len(targets) > 0 {
		return files, targets, nil
	}
	return nil, nil, cli.Usage("missing reference; for example: pcat show catalog.json 'File[/etc/motd]'")
}

// run collects the results of all documents.
type run struct {
	opts    *Options
	targets []lookup.Target
	layout  layout

	mu       sync.Mutex
	catalogs int
	results  map[string][]shown // by document
	bodies   map[string]string  // each text once
	search   []search           // by target
}

// search is the state of the search for a target.
type search struct {
	found    bool   // a catalog has the resource
	name     string // as it is shown, if a catalog lacks the resource
	near     lookup.Suggestions
	hasPlace bool  // a catalog has the location
	noPlace  error // a catalog has the resource without the location
}

// shown is a resource as text.
type shown struct {
	target     int
	node, file string
	title      string // the first line
	body       string
}

func (r *run) document(ctx context.Context, doc *document.Document, out io.Writer) error {
	mask, redactor := catalog.Chain(), (*sensitive.Redactor)(nil)
	if !r.opts.ShowSecrets {
		var err error
		if redactor, err = doc.Redactor(); err != nil {
			return doc.Failure(err)
		}
		mask = redactor
	}
	parts := doc.Parts(ctx, mask)
	targets := r.targets
	all, err := lookup.Find(parts, targets...)
	if err == nil && redactor != nil {
		if masked, changed := maskedTargets(targets, all, redactor); changed {
			targets = masked
			all, err = lookup.Find(parts, targets...)
		}
	}
	if err != nil {
		return doc.Failure(err)
	}
	if err := r.suggest(all, targets, parts); err != nil {
		return doc.Failure(err)
	}
	for _, c := range all {
		if err := document.AmbiguousIn(c, doc.Name, targets); err != nil {
			return err
		}
	}
	for _, c := range all {
		for _, f := range c.Found {
			if err := r.resource(ctx, doc, c, f, out); err != nil {
				return doc.Failure(err)
			}
		}
	}
	return nil
}

// maskedTargets returns the targets with the titles as they are shown: a person who names a
// resource may know the secret in its title. It masks only the targets that are missing,
// after the document, which numbers the masks.
func maskedTargets(targets []lookup.Target, all []*lookup.Catalog, mask *sensitive.Redactor) (masked []lookup.Target, changed bool) {
	masked = slices.Clone(targets)
	for _, c := range all {
		for _, i := range c.Missing {
			text := mask.Text(targets[i].String())
			if text != targets[i].String() {
				masked[i], changed = document.Reference(text), true
			}
		}
	}
	return masked, changed
}

// suggest records the targets that were found, and searches for names similar to the others.
func (r *run) suggest(all []*lookup.Catalog, targets []lookup.Target, parts lookup.Parts) error {
	missing := map[int]bool{}
	r.mu.Lock()
	for _, c := range all {
		r.catalogs++
		for _, i := range c.Missing {
			missing[i] = true
		}
		for _, f := range c.Found {
			r.search[f.Target].found = true
		}
	}
	maps.DeleteFunc(missing, func(i int, _ bool) bool { return r.search[i].found })
	r.mu.Unlock()
	for i := range missing {
		near, err := lookup.Near(parts, targets[i])
		if err != nil {
			return err
		}
		r.mu.Lock()
		r.search[i].near.Add(near)
		r.search[i].name = targets[i].Name()
		r.mu.Unlock()
	}
	return nil
}

// missing returns the error about the targets that no catalog has.
func (r *run) missing(sources []cli.Source) error {
	var errs []error
	for _, s := range r.search {
		if s.found && !s.hasPlace && s.noPlace != nil {
			errs = append(errs, s.noPlace)
		}
		if s.found || s.name == "" {
			continue
		}
		where := fmt.Sprintf("%d catalogs", r.catalogs)
		if r.catalogs == 1 {
			where = sources[0].Name
		}
		text := document.NotFound(s.name, where, s.near)
		errs = append(errs, &cli.Error{Code: cli.ExitFindings, Err: errors.New(text)})
	}
	return errors.Join(errs...)
}

// resource prints a resource, or keeps its text to print it with the nodes that have the same.
func (r *run) resource(ctx context.Context, doc *document.Document, c *lookup.Catalog, f *lookup.Found, out io.Writer) error {
	v, ok, err := r.value(doc.Name, f)
	if err != nil || !ok {
		return err
	}
	if r.opts.JSON {
		return r.guarded(ctx, doc, out, "json", func(w io.Writer) error { return r.json(w, doc.Name, c, f, v) })
	}
	var text bytes.Buffer
	err = r.guarded(ctx, doc, &text, "", func(w io.Writer) error {
		_, err := io.WriteString(w, r.layout.resource(f, v))
		return err
	})
	if err != nil {
		return err
	}
	title, body, _ := strings.Cut(text.String(), "\n")
	r.mu.Lock()
	defer r.mu.Unlock()
	if known, ok := r.bodies[body]; ok {
		body = known
	} else {
		r.bodies[body] = body
	}
	r.results[doc.Name] = append(r.results[doc.Name], shown{f.Target, c.Node, doc.Name, title, body})
	return nil
}

// value returns the value at the location that the target names; nil for a whole resource. ok
// is false if the resource has no such location, which is an error only if no catalog has it.
func (r *run) value(file string, f *lookup.Found) (v pcore.Value, ok bool, err error) {
	if len(f.Path) > 0 {
		v, err = f.Value()
	}
	var place *lookup.PlaceError
	r.mu.Lock()
	defer r.mu.Unlock()
	if errors.As(err, &place) {
		r.search[f.Target].noPlace = document.NoPlace(file, place)
		return nil, false, nil
	}
	if err == nil {
		r.search[f.Target].hasPlace = true
	}
	return v, err == nil, err
}

// guarded calls do with a writer that lets no secret pass, unless secrets are to be shown.
func (r *run) guarded(ctx context.Context, doc *document.Document, out io.Writer, wire string, do func(io.Writer) error) error {
	if r.opts.ShowSecrets {
		return do(out)
	}
	return doc.Guarded(ctx, out, wire, func(_ *sensitive.Redactor, out io.Writer) error { return do(out) })
}

// write prints the resources by target, each with the nodes on which it is equal.
func (r *run) write(out io.Writer, sources []cli.Source) error {
	var groups []*group
	byText := map[string]*group{}
	for i := range r.targets {
		for _, src := range sources {
			for _, s := range r.results[src.Name] {
				if s.target != i {
					continue
				}
				key := s.title + "\n" + s.body
				g := byText[key]
				if g == nil {
					g = &group{title: s.title, body: s.body}
					byText[key] = g
					groups = append(groups, g)
				}
				g.add(s.node, s.file)
			}
		}
	}
	for i, g := range groups {
		text := g.title + "\n"
		if i > 0 {
			text = "\n" + text
		}
		if r.catalogs > 1 {
			text += r.layout.nodes(g, r.catalogs)
		}
		if _, err := io.WriteString(out, text+g.body); err != nil {
			return err
		}
	}
	return nil
}

// group is a resource that is equal on several nodes.
type group struct {
	title, body  string
	nodes, files []string
}

func (g *group) add(node, file string) {
	g.nodes = append(g.nodes, node)
	g.files = append(g.files, file)
}

// names returns the names of the nodes, or of their files if a node has no name of its own.
func (g *group) names() []string {
	seen := map[string]bool{"": true}
	for _, node := range g.nodes {
		if seen[node] {
			return g.files
		}
		seen[node] = true
	}
	return g.nodes
}
