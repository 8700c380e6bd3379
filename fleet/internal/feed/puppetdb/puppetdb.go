// Package puppetdb polls PuppetDB for new catalogs.
//
// A poll asks for the catalogs that were produced since the last one it saw, and for the
// names of the active nodes; it reads the catalogs that changed. The position is not
// stored: the first poll reads all catalogs, and the sink drops the ones it has.
package puppetdb

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/pcatdev/pcat/fleet/internal/feed"
	"github.com/pcatdev/pcat/internal/source"
)

// Options are the options of a feed. Settings is required.
type Options struct {
	// Name is the name of the feed. Empty means puppetdb.
	Name string
	// Settings have the addresses of PuppetDB, and the certificate for it.
	Settings *source.Settings
	// Host replaces the host of the Settings, and Insecure sends requests to it in plain text.
	Host     string
	Insecure bool
	// Interval is the time between two polls. 0 means 30 seconds. It doubles up to
	// 10 minutes while PuppetDB cannot be reached.
	Interval time.Duration
	// Overlap is the time before the newest catalog in which a poll looks for catalogs that
	// PuppetDB stored late. 0 means 2 minutes.
	Overlap time.Duration
	// Complete is the time after which a poll asks for the times of all catalogs, because
	// the clock of a compiler can be behind. 0 means 10 minutes.
	Complete time.Duration
	// Jobs is the number of catalogs that are read at a time. 0 means 4.
	Jobs int
	// MaxSize bounds a catalog, in bytes. 0 means 64 MiB.
	MaxSize int64
	// Backoff is the time between two attempts to deliver a catalog.
	Backoff feed.Backoff
	// Log is for faults. Nil discards them.
	Log *slog.Logger
	// Observer is notified after each poll. Nil is not.
	Observer feed.Observer
}

const longestInterval = 10 * time.Minute

// Feed is a feed of PuppetDB. Make one with [New]. Run must be called once.
type Feed struct {
	sink    feed.Sink
	o       Options
	address source.Address
	client  *source.Client

	cursor   time.Time // the newest time that was seen
	complete time.Time // of the last complete poll; zero asks for another

	mu    sync.Mutex
	known map[string]state // by node: the sink has it
	stale map[string]bool  // nodes that the sink had at the start
}

// state identifies the catalog of a node in the sink.
type state struct {
	produced time.Time
	hash     string
}

// New returns a feed that delivers to a sink.
func New(sink feed.Sink, o Options) *Feed {
	o.Name = cmp.Or(o.Name, "puppetdb")
	o.Interval = cmp.Or(o.Interval, 30*time.Second)
	o.Overlap = cmp.Or(o.Overlap, 2*time.Minute)
	o.Complete = cmp.Or(o.Complete, 10*time.Minute)
	o.Jobs = cmp.Or(o.Jobs, 4)
	o.MaxSize = cmp.Or(o.MaxSize, 64<<20)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Observer == nil {
		o.Observer = feed.Unobserved{}
	}
	return &Feed{
		sink: sink, o: o, known: map[string]state{},
		address: source.Address{System: source.PuppetDB, Host: o.Host, Insecure: o.Insecure},
	}
}

// Run polls until ctx ends, and returns its error. Faults are logged.
func (f *Feed) Run(ctx context.Context) error {
	for failures := 0; ; {
		err := f.poll(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		pause := f.o.Interval
		if err == nil {
			failures = 0
			f.o.Observer.Succeeded()
		} else {
			f.o.Observer.Failed(reason(err))
			f.client = nil // a client gives a host up after some failures
			failures++
			pause = min(pause<<min(failures, 10), max(longestInterval, pause))
			f.o.Log.Warn("catalogs of PuppetDB not read", "feed", f.o.Name, "error", err, "next", pause)
		}
		if err := (feed.Backoff{Min: pause, Max: pause}).Wait(ctx, 1); err != nil {
			return err
		}
	}
}

// reason returns why a poll failed, without the texts of an error, which can name a node.
func reason(err error) string {
	if _, ok := errors.AsType[*source.Error](err); ok {
		return "PuppetDB does not answer, or refuses the connection: see the log"
	}
	return "catalogs of PuppetDB could not be stored or removed: see the log"
}

// poll reads the catalogs that changed.
func (f *Feed) poll(ctx context.Context) error {
	if f.client == nil {
		f.client = source.NewClient(f.o.Settings, f.o.Log)
	}
	if f.stale == nil {
		if err := f.begin(ctx); err != nil {
			return err
		}
	}
	start := time.Now()
	since := f.cursor.Add(-f.o.Overlap)
	all := f.complete.IsZero() || time.Since(f.complete) >= f.o.Complete
	if all {
		since = time.Time{}
	}
	rows, err := f.client.CatalogVersions(ctx, f.address, since)
	if err != nil {
		return err
	}
	active, err := f.client.List(ctx, f.address) // after the rows: it has all of their nodes that are still active
	if err != nil {
		return err
	}
	if err := f.read(ctx, f.changed(rows, active)); err != nil {
		return err
	}
	for _, row := range rows {
		if row.Produced.After(f.cursor) {
			f.cursor = row.Produced
		}
	}
	if all {
		f.complete = start
	}
	return f.remove(ctx, active)
}

// begin asks the sink for the nodes that it has.
func (f *Feed) begin(ctx context.Context) error {
	var nodes []string
	err := feed.Deliver(ctx, f.o.Backoff, f.o.Log, func(ctx context.Context) (err error) {
		nodes, err = f.sink.Nodes(ctx, f.o.Name)
		return err
	})
	if err != nil {
		return err
	}
	f.stale = map[string]bool{}
	for _, node := range nodes {
		f.stale[node] = true
	}
	return nil
}

// changed returns the active nodes whose catalog the sink does not have.
func (f *Feed) changed(rows []source.CatalogVersion, active []source.Address) []target {
	newest := map[string]source.CatalogVersion{}
	for _, row := range rows { // in the order of their times
		newest[row.Certname] = row
	}
	var nodes []target
	for _, a := range active {
		have, known := f.known[a.Node]
		row, found := newest[a.Node]
		switch {
		case !known, found && row.Produced.After(have.produced) && (row.Hash == "" || row.Hash != have.hash):
			nodes = append(nodes, target{a, row})
		case found && row.Produced.After(have.produced): // the same catalog, compiled again
			f.known[a.Node] = state{row.Produced, row.Hash}
		}
	}
	return nodes
}

// read reads catalogs and delivers them. It ends with the first error about PuppetDB or the
// sink. An error about one catalog is logged, and the catalog is left out until there is a
// newer one.
func (f *Feed) read(ctx context.Context, nodes []target) error {
	jobs, ctx := errgroup.WithContext(ctx)
	jobs.SetLimit(f.o.Jobs)
	for _, to := range nodes {
		if ctx.Err() != nil {
			break
		}
		jobs.Go(func() error {
			err := f.readOne(ctx, to.address)
			var failed *source.Error
			invalid := errors.Is(err, errInvalid)
			if errors.As(err, &failed) {
				if failed.Reason == source.NotFound { // it was removed in between
					return nil
				}
				invalid = failed.Reason == source.Unknown || failed.Reason == source.Invalid
			}
			if err == nil || ctx.Err() != nil || !invalid {
				return err
			}
			f.o.Log.Warn("catalog not read", "feed", f.o.Name, "node", to.address.Node, "error", err)
			f.o.Observer.Refused()
			f.mu.Lock()
			defer f.mu.Unlock()
			f.known[to.address.Node] = state{to.row.Produced, to.row.Hash}
			return nil
		})
	}
	return jobs.Wait()
}

// target is a catalog to read, and its row if it was listed.
type target struct {
	address source.Address
	row     source.CatalogVersion
}

var errInvalid = errors.New("the answer is not a catalog of the node")

func (f *Feed) readOne(ctx context.Context, a source.Address) error {
	data, err := f.client.Read(ctx, a, f.o.MaxSize)
	if err != nil {
		return err
	}
	var row source.CatalogVersion // of this document, which can be newer than the row that was listed
	if err := json.Unmarshal(data, &row); err != nil {
		return errInvalid // the cause could quote it
	}
	if row.Certname != a.Node {
		return errInvalid
	}
	err = feed.Deliver(ctx, f.o.Backoff, f.o.Log, func(ctx context.Context) error {
		return f.sink.Put(ctx, feed.Catalog{Feed: f.o.Name, Node: a.Node, Produced: row.Produced, Data: data})
	})
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.known[a.Node] = state{row.Produced, row.Hash}
	return nil
}

// remove removes the nodes that are not active from the sink.
func (f *Feed) remove(ctx context.Context, active []source.Address) error {
	is := map[string]bool{}
	for _, a := range active {
		is[a.Node] = true
	}
	if len(is) == 0 && len(f.known)+len(f.stale) > 0 { // rather a new database than the end of a fleet
		f.o.Log.Warn("PuppetDB has no catalog of an active node: nothing is removed", "feed", f.o.Name)
		return nil
	}
	gone := map[string]bool{}
	for node := range f.known {
		gone[node] = !is[node]
	}
	for node := range f.stale {
		gone[node] = !is[node]
	}
	for node, gone := range gone {
		if !gone {
			continue
		}
		err := feed.Deliver(ctx, f.o.Backoff, f.o.Log, func(ctx context.Context) error { return f.sink.Remove(ctx, f.o.Name, node) })
		if err != nil {
			return err
		}
		delete(f.known, node)
		delete(f.stale, node)
	}
	return nil
}
