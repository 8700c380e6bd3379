package resolve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
	"github.com/pcatdev/pcat/cmd/pcat/internal/language"
	"github.com/pcatdev/pcat/cmd/pcat/internal/resolve/fallback"
	"github.com/pcatdev/pcat/deferred"
)

// FallbackFlags decide what happens if calls fail. Declare them with AddFlags.
type FallbackFlags struct {
	Policy   string
	Cache    string
	CacheKey string
	Report   string
}

// AddFlags declares the flags.
func (f *FallbackFlags) AddFlags(flags *pflag.FlagSet) {
	flags.StringVar(&f.Policy, "policy", "", "handle failed calls by the rules in `FILE` (YAML or JSON)")
	flags.StringVar(&f.Cache, "cache", "", "encrypted `FILE` for the answers of rules with on_failure: keep")
	flags.StringVar(&f.CacheKey, "cache-key", "", "the private key of the node in `FILE` (PEM), which encrypts --cache")
	flags.StringVar(&f.Report, "report", "", "write the outcome of each call to `FILE` (JSON, without values)")
}

// Check returns a usage error for invalid flags.
func (f *FallbackFlags) Check() error {
	switch {
	case (f.Cache == "") != (f.CacheKey == ""):
		return cli.Usage("--cache and --cache-key need each other")
	case f.Cache != "" && f.Policy == "":
		return cli.Usage("--cache needs --policy, whose rules decide what is kept")
	case f.Report == cli.Stdin:
		return cli.Usage("--report needs the name of a file: the catalog can be on standard output")
	default:
		return nil
	}
}

// given reports whether the catalogs are resolved as a whole, and not as a stream.
func (f *FallbackFlags) given() bool { return f.Policy != "" || f.Report != "" }

// handler returns the handler of the calls, or nil without a policy.
func (f *FallbackFlags) handler(ctx context.Context, s *cli.IOStreams, files *cli.InputFlags, world *language.World) (*fallback.Handler, error) {
	if f.Policy == "" {
		return nil, nil
	}
	data, err := language.ReadData(ctx, s, files, f.Policy)
	if err != nil {
		return nil, err
	}
	policy, err := fallback.ParsePolicy(data)
	if err != nil {
		return nil, cli.BadInput(f.Policy, "", err)
	}
	if policy.Keeps() && f.Cache == "" {
		return nil, cli.Usage("--policy %s: a rule with keep needs --cache FILE and --cache-key FILE", f.Policy)
	}
	cache, err := f.open(s)
	if err != nil {
		return nil, err
	}
	return fallback.New(fallback.Options{Policy: policy, Codec: codec{world}, Cache: cache})
}

// open returns the cache, or nil if there is none.
func (f *FallbackFlags) open(s *cli.IOStreams) (*fallback.Cache, error) {
	if f.Cache == "" {
		return nil, nil
	}
	text, err := os.ReadFile(f.CacheKey)
	if err != nil {
		return nil, cli.BadInput(f.CacheKey, "", err)
	}
	key, err := fallback.ParseKey(text)
	if err != nil {
		return nil, cli.BadInput(f.CacheKey, "", err)
	}
	cache, err := fallback.OpenCache(f.Cache, key)
	switch {
	case errors.Is(err, fallback.ErrOtherKey) || errors.Is(err, fallback.ErrDamaged):
		s.Log.Warn("the cache is ignored, and will be replaced: "+err.Error(), cli.FileKey, f.Cache)
	case err != nil:
		return nil, cli.BadInput(f.Cache, "", err)
	}
	return cache, nil
}

// save writes the cache of a handler, which may be nil. The calls have been made: that their answers
// are not kept is no failure of this run.
func (f *FallbackFlags) save(s *cli.IOStreams, h *fallback.Handler) {
	if h == nil {
		return
	}
	if err := h.Save(); err != nil {
		s.Log.Warn("the answers of this run are not kept: "+cli.WithoutPath(err).Error(), cli.FileKey, f.Cache)
	}
}

// whole resolves the catalogs of a document in memory: what is skipped is known only at the end.
func (opts *Options) whole(ctx context.Context, r *deferred.Resolver, h *fallback.Handler, doc *document.Document, src cli.Source, n int) error {
	catalogs, err := doc.Catalogs()
	if err != nil {
		return err
	}
	result := report{File: doc.Name, Calls: []call{}, Skipped: []skipped{}, Unpurged: []string{}}
	trace := r.Trace
	r.Trace = func(e deferred.Event) {
		if trace != nil {
			trace(e)
		}
		result.Calls = append(result.Calls, callOf(doc, e))
		warn(src, doc, e)
	}
	plans := new(planned)
	var failed deferred.Failures
	for _, c := range catalogs {
		if len(catalogs) == 1 {
			result.Node = doc.MaskedText(c.Name())
		}
		if h != nil {
			r.Handler = h.For(c.Name(), c.Environment())
		}
		resources, failures, err := resolved(ctx, r, c, n)
		if err != nil {
			return doc.Failure(err)
		}
		plan, err := fallback.NewPlan(c, resources, failures)
		if err != nil {
			return doc.Failure(err)
		}
		plans.add(plan)
		result.add(doc, plan)
		for _, f := range failures {
			if !errors.Is(f.Err, deferred.ErrSkip) {
				failed = append(failed, f)
			}
		}
	}
	opts.results.set(src.Name, &result)
	opts.summarize(src, doc, &result)
	transforms := []catalog.Transform{plans}
	if opts.AsStored {
		transforms = append(transforms, deferred.AgentSpelling{})
	}
	return opts.write(ctx, doc, func() deferred.Failures { return failed }, transforms)
}

// resolved returns the resources of a catalog after their calls, and the failures.
func resolved(ctx context.Context, r *deferred.Resolver, c *catalog.Catalog, n int) ([]*catalog.Resource, deferred.Failures, error) {
	run := r.Parallel(ctx, n, func(yield func(*catalog.Resource, error) bool) {
		for _, res := range c.Resources() {
			if !yield(res, nil) {
				return
			}
		}
	})
	defer run.Close()
	all := make([]*catalog.Resource, 0, len(c.Resources()))
	for _, res := range c.Resources() {
		to, err := run.Resource(ctx, res)
		if err != nil {
			return nil, nil, err
		}
		all = append(all, to)
	}
	return all, run.Failures(), nil
}

// planned is a Transform that replaces the resources and edges of catalogs, in their order.
type planned struct {
	resources []*catalog.Resource
	edges     []*catalog.Edge
}

func (p *planned) add(plan *fallback.Plan) {
	p.resources = append(p.resources, plan.Resources...)
	p.edges = append(p.edges, plan.Edges...)
}

// Resource implements [catalog.Transform].
func (p *planned) Resource(context.Context, *catalog.Resource) (*catalog.Resource, error) {
	return next(&p.resources)
}

// Edge implements [catalog.EdgeTransform].
func (p *planned) Edge(context.Context, *catalog.Edge) (*catalog.Edge, error) { return next(&p.edges) }

// next removes the first element of a list.
func next[T any](list *[]*T) (*T, error) {
	if len(*list) == 0 {
		return nil, errors.New("the input has changed since it was read")
	}
	first := (*list)[0]
	*list = (*list)[1:]
	return first, nil
}

// warn logs a call that has another value than its own, or none.
func warn(src cli.Source, doc *document.Document, e deferred.Event) {
	var text string
	switch e.Outcome.Source {
	case deferred.LastRun:
		text = "the answer of an earlier run is used, " + ageOf(e) + " old: "
	case deferred.Default:
		text = "the default is used: "
	case deferred.Skipping:
		text = "skipped: "
	default:
		return
	}
	src.Log().Warn(text+doc.MaskedAt(e.Outcome.Reason, e.At).Error(), cli.FileKey, doc.Name, cli.LocationKey, doc.Named(e.At).String())
}

// summarize logs the outcomes of the calls, and the resources that are skipped.
func (opts *Options) summarize(src cli.Source, doc *document.Document, r *report) {
	var parts []string
	handled := false
	for _, outcome := range outcomes {
		n := r.count(outcome)
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, outcome))
		}
		handled = handled || n > 0 && outcome != deferred.Made.String()
	}
	if !handled {
		return
	}
	text := strings.Join(parts, ", ")
	if n := len(r.Skipped); n > 0 {
		left := fmt.Sprintf("%d resources are", n)
		if n == 1 {
			left = "1 resource is"
		}
		text += "; " + left + " left out: " + strings.Join(r.names(8), ", ")
	}
	for _, ref := range r.Unpurged {
		src.Log().Warn("does not purge in this run: it would delete a resource that is left out", cli.FileKey, doc.Name, cli.LocationKey, ref)
	}
	src.Log().Warn("calls: "+text, cli.FileKey, doc.Name)
}

// writeReport writes the report, if there is a flag for it.
func (opts *Options) writeReport(ctx context.Context, sources []cli.Source) error {
	if opts.Fallback.Report == "" {
		return nil
	}
	out := cli.OutputFlags{File: opts.Fallback.Report}
	return out.Write(ctx, opts.Streams, nil, func(w io.Writer) error { return opts.results.write(w, sources) })
}
