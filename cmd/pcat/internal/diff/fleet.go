package diff

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/diff"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/internal/compress"
)

// nodePair are the catalogs of one node; a side without one has no name.
type nodePair struct {
	node     string
	old, new cli.Source
}

// fleet compares the catalogs of nodes that old and new have in common. Errors of single
// catalogs do not keep the others from being compared.
func (opts *Options) fleet(ctx context.Context, fleet *diff.Fleet, old, new []cli.Source) error {
	olds, oldFailed, oldErr := opts.byNode(ctx, old)
	news, newFailed, newErr := opts.byNode(ctx, new)
	failures := []error{oldErr, newErr}
	var pairs []nodePair
	for _, n := range sortedNodes(olds, news) {
		a, inOld := olds[n]
		b, inNew := news[n]
		switch {
		case !inNew && newFailed[filepath.Base(a.Name)], !inOld && oldFailed[filepath.Base(b.Name)]:
			// The other catalog is there, but cannot be read.
		case !inNew:
			fleet.OnlyOld(n)
		case !inOld:
			fleet.OnlyNew(n)
		default:
			pairs = append(pairs, nodePair{n, a, b})
		}
	}
	failures = append(failures, opts.pairs(ctx, fleet, pairs))
	return errors.Join(failures...)
}

// pairs compares pairs, several at a time, and adds the results in order.
func (opts *Options) pairs(ctx context.Context, fleet *diff.Fleet, pairs []nodePair) error {
	opts.Streams.KeepMuch()
	sources := make([]cli.Source, len(pairs))
	left := make(map[string][]int, len(pairs)) // positions of the pairs with an old catalog that are not begun
	for i, p := range pairs {
		sources[i] = p.old
		left[p.old.Name] = append(left[p.old.Name], i)
	}
	var mu sync.Mutex
	begin := func(name string) int {
		mu.Lock()
		defer mu.Unlock()
		i := left[name][0]
		left[name] = left[name][1:]
		return i
	}
	turns := newTurns()
	return opts.Jobs.Run(ctx, io.Discard, sources, func(ctx context.Context, src cli.Source, _ io.Writer) error {
		i := begin(src.Name)
		add, err := opts.pair(ctx, fleet, pairs[i].old, pairs[i].new)
		turns.take(i, func() {
			if add != nil && err == nil {
				add()
			}
		})
		return err
	})
}

// against compares all arguments with the catalog of --against.
func (opts *Options) against(ctx context.Context, fleet *diff.Fleet) error {
	old, err := opts.side(ctx, oldSide, opts.Against)
	if err != nil {
		return err
	}
	if len(old) != 1 {
		return cli.Usage("--against %s: expected one file, not %d", opts.Against, len(old))
	}
	opts.setSide(newSide)
	news, err := opts.sources(ctx, opts.Args...)
	if err != nil {
		return err
	}
	var pairs []nodePair
	for _, src := range news {
		pairs = append(pairs, nodePair{old: old[0], new: src})
	}
	return opts.pairs(ctx, fleet, pairs)
}

// listed returns the pairs of --pairs: a line for each, with a tab between the names of the
// files. missing joins the errors about files that cannot be found, which do not keep the
// other pairs from being compared.
func (opts *Options) listed(ctx context.Context) (pairs []nodePair, missing, err error) {
	list, err := opts.sources(ctx, opts.Pairs)
	if err != nil {
		return nil, nil, err
	}
	data, err := list[0].ReadAll(ctx)
	if err != nil {
		return nil, nil, err
	}
	local := *opts
	local.Read = opts.Read.Local()
	number := 0
	for line := range strings.Lines(string(data)) {
		number++
		line = strings.TrimRight(line, "\r\n")
		if line == "" {
			continue
		}
		old, new, ok := strings.Cut(line, "\t")
		if !ok || old == "" || new == "" {
			return nil, nil, cli.BadInput(opts.Pairs, fmt.Sprintf("line %d", number), errors.New("expected two files with a tab between them"))
		}
		a, oldErr := local.sources(ctx, old)
		b, newErr := local.sources(ctx, new)
		if oldErr != nil || newErr != nil {
			missing = errors.Join(missing, oldErr, newErr)
			continue
		}
		if len(a) != 1 || len(b) != 1 {
			return nil, nil, cli.BadInput(opts.Pairs, fmt.Sprintf("line %d", number), errors.New("expected files, not directories"))
		}
		pairs = append(pairs, nodePair{old: a[0], new: b[0]})
	}
	if len(pairs) == 0 && missing == nil {
		return nil, nil, opts.Read.Files.Nothing(opts.Pairs, "the list contains no pairs")
	}
	return pairs, missing, nil
}

// turns run functions in the order of their numbers, as soon as the ones before were run.
type turns struct {
	mu      sync.Mutex
	next    int
	waiting map[int]func()
}

func newTurns() *turns { return &turns{waiting: make(map[int]func())} }

func (t *turns) take(number int, do func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.waiting[number] = do
	for t.waiting[t.next] != nil {
		t.waiting[t.next]()
		delete(t.waiting, t.next)
		t.next++
	}
}

func sortedNodes(olds, news map[string]cli.Source) []string {
	var names []string
	for n := range olds {
		names = append(names, n)
	}
	for n := range news {
		if _, both := olds[n]; !both {
			names = append(names, n)
		}
	}
	slices.Sort(names)
	return names
}

// byNode returns the sources by the names of the nodes in them, and the base names of the
// files that cannot be read.
func (opts *Options) byNode(ctx context.Context, sources []cli.Source) (nodes map[string]cli.Source, failed map[string]bool, err error) {
	failed = make(map[string]bool)
	names := make(map[string]string, len(sources)) // by the name of the source
	var mu sync.Mutex
	err = opts.Jobs.Run(ctx, io.Discard, sources, func(ctx context.Context, src cli.Source, _ io.Writer) error {
		name, err := opts.nodeOf(ctx, src)
		mu.Lock()
		defer mu.Unlock()
		if err == nil {
			names[src.Name] = name
		} else {
			failed[filepath.Base(src.Name)] = true
		}
		return err
	})
	failures := []error{err}
	nodes = make(map[string]cli.Source, len(sources))
	for _, src := range sources {
		name, ok := names[src.Name]
		if !ok {
			continue
		}
		if other, twice := nodes[name]; twice {
			failures = append(failures, cli.BadInput(src.Name, "", fmt.Errorf("node %s has another catalog in %s; compare directories with one catalog for each node", name, other.Name)))
			continue
		}
		nodes[name] = src
	}
	return nodes, failed, errors.Join(failures...)
}

// nodeOf returns the name of the node in a catalog, or the name of the file if the catalog
// has none. It reads no further than necessary.
func (opts *Options) nodeOf(ctx context.Context, src cli.Source) (name string, err error) {
	if name := src.Node(); name != "" {
		return name, nil
	}
	doc, err := opts.Read.Open(ctx, src)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, doc.Close()) }()
	r := doc.Reader()
	for p, err := range r.Parts() {
		if err != nil {
			return "", doc.Failure(err)
		}
		if name := r.Header().Name(); name != "" && (p.Kind == catalog.PartMember || p.Kind == catalog.PartResource || p.Catalog) {
			return name, nil
		}
	}
	return compress.TrimExtension(src.Name), nil
}
