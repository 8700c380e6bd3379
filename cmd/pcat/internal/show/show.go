// Package show is the command pcat show.
package show

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"unique"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
	"github.com/pcatdev/pcat/cmd/pcat/internal/locate"
	"github.com/pcatdev/pcat/internal/manual"
	"github.com/pcatdev/pcat/pcore"
)

// Options are the inputs of one run.
type Options struct {
	Streams  *cli.IOStreams
	Args     []string
	Read     document.ReadFlags
	Jobs     cli.JobFlags
	JSON     cli.JSONFlags
	All      bool
	Location document.LocationFlags
}

// NewCmd returns the command.
func NewCmd(streams *cli.IOStreams) *cobra.Command {
	opts := &Options{Streams: streams}
	cmd := &cobra.Command{
		Use:   "show [FILE...] REFERENCE...",
		Short: "Show a resource: parameters, relations, container, manifest line",
		Long: `Show a resource of a catalog: the manifest line that declares it, the classes
and defined types that contain it, its parameters, and its relationships in both
directions: require, before, notify and subscribe of this resource and of all
others.

REFERENCE is Type[title], in any spelling that Puppet accepts. An alias or a
name, such as the path of a File, also works. A title or a path is enough if it
is unique: /etc/motd. To show only one parameter, or a part of it, add its name
and keys: 'File[/etc/motd]/content'. An argument that names an existing file is
a FILE. The exit code is 1 if no catalog has the resource.

For several catalogs, equal resources are shown once, with their nodes. Long
values and lists are cut, except with --all or for one parameter. Declared
secrets, secrets that pcat audit finds, and copies of both are masked, except
with --show-secrets. Masked secrets of different catalogs are not compared.`,
		Example: `  pcat show catalog.json 'File[/etc/motd]'
  pcat show catalog.json 'File[/etc/motd]/content' 'Class[Motd]'
  pcat show catalog.json /etc/motd
  pcat show catalogs/ 'Service[sshd]'
  pcat show --jsonl catalog.msgpack 'Exec[login]' | jq .parameters`,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Args = args
			return Run(cmd.Context(), opts)
		},
	}
	flags := cmd.Flags()
	opts.JSON.AddFlags(cmd, opts.Streams, "resources of catalogs")
	flags.BoolVarP(&opts.All, "all", "a", false, "do not cut long values and lists")
	opts.Read.RunData = true
	opts.Read.AddFlags(cmd)
	opts.Read.AddShowFlags(cmd)
	opts.Jobs.AddFlags(flags)
	opts.Location.AddFlags(cmd)
	cmd.ValidArgsFunction = opts.Read.CompleteReferences(streams)
	manual.Exits(cmd, cli.ExitFindings)
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
	r := &run{opts: opts, targets: targets, layout: newLayout(opts), order: document.Order(sources), search: make([]search, len(targets))}
	err = opts.Read.Each(ctx, &opts.Jobs, sources, opts.Streams.Out, r.document)
	err = errors.Join(err, r.write(opts.Streams.Out))
	if cli.CodeOf(err) > cli.ExitFindings && r.catalogs == 0 {
		return err // nothing was searched
	}
	return errors.Join(err, r.missing(sources))
}

// split divides the arguments into files and targets.
func (opts *Options) split() (files []string, targets []locate.Target, err error) {
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
	targets []locate.Target
	layout  layout
	order   map[string]int // of the inputs

	mu       sync.Mutex
	catalogs int
	results  []shown
	search   []search // by target
}

// search is the state of the search for a target.
type search struct {
	found       bool   // a catalog has the resource
	name        string // as it is shown, if a catalog lacks the resource
	near        locate.Suggestions
	hasLocation bool  // a catalog has the location
	noLocation  error // a catalog has the resource without the location
}

// shown is a resource as text.
type shown struct {
	target, input int // their numbers
	node, file    string
	text          description
}

// description is the first line about a resource, and the others, which many nodes have in common.
type description struct {
	title string
	body  unique.Handle[string]
}

// document prints the resources of a document, or keeps their texts to print them with the nodes
// that have the same.
func (r *run) document(ctx context.Context, doc *document.Document, out io.Writer) error {
	if !r.opts.JSON.Given() {
		out = io.Discard // written at the end, but searched for secrets here
	}
	var results []shown
	err := doc.Printed(ctx, out, r.opts.JSON.Given(), func(mask document.Mask, out io.Writer) error {
		parts := doc.Parts(ctx, mask)
		all, targets, err := doc.Find(parts, mask.Text, r.targets...)
		if err != nil {
			return err
		}
		if err := r.suggest(all, targets, parts); err != nil {
			return err
		}
		for _, c := range all {
			for _, f := range c.Found {
				v, ok, err := r.value(doc.Name, f)
				switch {
				case err != nil:
					return err
				case !ok:
					continue
				case r.opts.JSON.Given():
					err = r.json(out, doc.Name, c, f, v)
				default:
					text := r.layout.resource(f, v)
					title, body, _ := strings.Cut(text, "\n")
					results = append(results, shown{f.Target, r.order[doc.Name], c.Node, doc.Name, description{title, unique.Make(body)}})
					_, err = io.WriteString(out, text)
				}
				if err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return err // nothing is shown of a document that failed, or has a secret in its output
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.results = append(r.results, results...)
	return nil
}

// suggest records the targets that were found, and searches for names similar to the others.
func (r *run) suggest(all []*locate.Catalog, targets []locate.Target, parts locate.Parts) error {
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
		near, err := locate.Near(parts, targets[i])
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
		if s.found && !s.hasLocation && s.noLocation != nil {
			errs = append(errs, s.noLocation)
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

// value returns the value at the location that the target names; nil for a whole resource. ok
// is false if the resource has no such location, which is an error only if no catalog has it.
func (r *run) value(file string, f *locate.Found) (v pcore.Value, ok bool, err error) {
	if len(f.Path) > 0 {
		v, err = f.Value()
	}
	var location *locate.LocationError
	r.mu.Lock()
	defer r.mu.Unlock()
	if errors.As(err, &location) {
		r.search[f.Target].noLocation = document.NoLocation(file, location)
		return nil, false, nil
	}
	if err == nil {
		r.search[f.Target].hasLocation = true
	}
	return v, err == nil, err
}

// write prints the resources by target, each with the nodes on which it is equal.
func (r *run) write(out io.Writer) error {
	slices.SortStableFunc(r.results, func(a, b shown) int {
		return cmp.Or(cmp.Compare(a.target, b.target), cmp.Compare(a.input, b.input))
	})
	var order []description
	groups := map[description]*group{}
	for _, s := range r.results {
		if groups[s.text] == nil {
			groups[s.text] = &group{description: s.text}
			order = append(order, s.text)
		}
		groups[s.text].add(s.node, s.file)
	}
	for i, text := range order {
		before, nodes := "", ""
		if i > 0 {
			before = "\n"
		}
		if r.catalogs > 1 {
			nodes = r.layout.nodes(groups[text], r.catalogs)
		}
		if _, err := io.WriteString(out, before+text.title+"\n"+nodes+text.body.Value()); err != nil {
			return err
		}
	}
	return nil
}

// group is a resource that is equal on several nodes.
type group struct {
	description

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
