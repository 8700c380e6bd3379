// Package folder delivers the catalogs of a folder, and follows its changes.
//
// The feed has the same files as `pcat audit FOLDER`: all files except hidden ones and
// files that are no catalogs. A file is read when its size and time have not changed for a
// while, or at once after it was renamed. Notifications of the system make that quick;
// a scan at intervals finds changes for which there is none, as on network file systems.
//
// The node of a file is the name of its catalog. A file that has no name, that cannot be
// read, or that has catalogs of several nodes is known by its file name without extensions.
// Of several files of a node, the one with the newest time counts, and of equal times the
// last by path.
package folder

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
	"golang.org/x/sync/errgroup"

	"github.com/pcatdev/pcat/fleet/internal/feed"
	"github.com/pcatdev/pcat/internal/catalogfile"
)

// Options are the options of a feed.
type Options struct {
	// Name is the name of the feed. Empty means "folder:" and the folder.
	Name string
	// Scan is the time between two scans of the folder. 0 means 30 seconds.
	Scan time.Duration
	// Settle is how long a file must be unchanged before it is read, and missing before
	// its node is removed. 0 means 2 seconds.
	Settle time.Duration
	// MaxSize bounds a file, in bytes. 0 means 256 MiB. Larger ones are left out.
	MaxSize int64
	// Jobs is the number of files that are read and delivered at a time. 0 means 4.
	Jobs int
	// Backoff is the time between two attempts to deliver a catalog.
	Backoff feed.Backoff
	// Log is for faults. Nil discards them.
	Log *slog.Logger
	// Observer is notified after each scan. Nil is not.
	Observer feed.Observer
}

// Feed is a feed of a folder. Make one with [New]. Run must be called once.
type Feed struct {
	dir  string
	sink feed.Sink
	o    Options

	watch   *fsnotify.Watcher // nil without notifications
	stale   []string          // nodes that the sink had at the start; nil when they were looked at
	renamed map[string]bool   // files that were renamed since the last scan
	logged  map[string]string // the last fault of each file
	took    time.Duration     // time of the last listing
	unread  int               // directories that the last listing could not read

	mu    sync.Mutex
	lost  int // catalogs that the sink did not take in the last scan
	files map[string]*file
	nodes map[string]*node
}

// file is a file of the folder.
type file struct {
	info    fs.FileInfo
	since   time.Time // when info was seen first
	read    bool      // info was read, or cannot be
	fault   bool      // reading failed: the file may be of any node
	large   bool      // it is left out
	missing time.Time // since when the file is missing; zero if it is there
	node    string    // empty if it is not a catalog, or was not read
	digest  [sha256.Size]byte
}

// node is a node with files.
type node struct {
	deliver sync.Mutex      // held while its catalog is delivered
	paths   map[string]bool // its files
	sent    bool
	digest  [sha256.Size]byte // of the catalog that was sent
}

// New returns a feed that delivers to a sink.
func New(dir string, sink feed.Sink, o Options) *Feed {
	o.Name = cmp.Or(o.Name, "folder:"+dir)
	o.Scan = cmp.Or(o.Scan, 30*time.Second)
	o.Settle = cmp.Or(o.Settle, 2*time.Second)
	o.MaxSize = cmp.Or(o.MaxSize, 256<<20)
	o.Jobs = cmp.Or(o.Jobs, 4)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Observer == nil {
		o.Observer = feed.Unobserved{}
	}
	return &Feed{
		dir: dir, sink: sink, o: o, renamed: map[string]bool{}, logged: map[string]string{},
		files: map[string]*file{}, nodes: map[string]*node{},
	}
}

// Run delivers the catalogs until ctx ends, and returns its error. Faults are logged; a
// folder that is missing is waited for.
func (f *Feed) Run(ctx context.Context) error {
	stale, err := f.known(ctx)
	if err != nil {
		return err
	}
	f.stale = stale
	if f.watch, err = fsnotify.NewWatcher(); err != nil {
		f.o.Log.Warn("no notifications of changed files: they are found by the scan only", "feed", f.o.Name, "error", err)
	} else {
		defer func() { _ = f.watch.Close() }() // it has no state to lose
	}
	for {
		pause, err := f.cycle(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			f.fault("", err)
		}
		f.observe(err)
		if err := f.await(ctx, pause); err != nil {
			return err
		}
	}
}

// observe notifies the observer of the result of a scan.
func (f *Feed) observe(err error) {
	f.mu.Lock()
	left, lost := f.unread, f.lost
	for known := range maps.Values(f.files) {
		if known.fault || known.large {
			left++
		}
	}
	f.mu.Unlock()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		f.o.Observer.Failed("its folder is missing")
	case err != nil:
		f.o.Observer.Failed("its folder cannot be read, or nodes cannot be removed: see the log")
	case lost > 0:
		f.o.Observer.Failed(fmt.Sprintf("%d catalogs could not be stored: see the log", lost))
	case left > 0:
		f.o.Observer.Failed(fmt.Sprintf("%d files or folders cannot be read, or are too large: see the log", left))
	default:
		f.o.Observer.Succeeded()
	}
}

// known returns the nodes that the sink has. It does not end before the sink answers.
func (f *Feed) known(ctx context.Context) (nodes []string, err error) {
	for attempt := 1; ; attempt++ {
		if nodes, err = f.sink.Nodes(ctx, f.o.Name); err == nil {
			return nodes, nil
		}
		f.fault("", err)
		f.o.Observer.Failed("the storage does not answer")
		if err := f.o.Backoff.Wait(ctx, attempt); err != nil {
			return nil, err
		}
	}
}

// await waits for a notification, or for the next scan. It also takes the notifications
// that follow at once.
func (f *Feed) await(ctx context.Context, pause time.Duration) error {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	var events chan fsnotify.Event
	var errs chan error
	if f.watch != nil {
		events, errs = f.watch.Events, f.watch.Errors
	}
	for first := true; ; {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-timer.C:
			return nil
		case err := <-errs: // such as a queue that is full: the scan finds the rest
			f.fault("", err)
			return nil
		case e := <-events:
			if renamed(e) {
				f.renamed[e.Name] = true
			}
			if e.Has(fsnotify.Chmod) && e.Op == fsnotify.Chmod {
				continue
			}
			if first {
				first = false
				timer.Reset(min(pause, max(gather, 4*f.took)))
			}
		}
	}
}

// gather is the time in which notifications are collected before the folder is scanned. It
// is longer for a large folder, so that scans take at most a fifth of the time.
const gather = 50 * time.Millisecond

// renamed reports whether an event is the new name of a file. The library shows the old
// name only in its text.
func renamed(e fsnotify.Event) bool {
	return e.Has(fsnotify.Create) && strings.Contains(e.String(), `" ← "`)
}

// fault logs an error about a file, unless it is the same as the last one.
func (f *Feed) fault(path string, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if text := err.Error(); f.logged[path] != text {
		f.logged[path] = text
		f.o.Log.Warn("folder of catalogs", "feed", f.o.Name, "file", path, "error", err)
	}
}

// cycle scans the folder once, delivers changed files, and removes nodes. It returns the
// time until the next scan.
func (f *Feed) cycle(ctx context.Context) (time.Duration, error) {
	start := time.Now()
	found, kept, err := f.list()
	f.took, f.unread, f.lost = time.Since(start), len(kept), 0
	if err != nil {
		return f.o.Scan, err
	}
	pause := f.o.Scan
	ready, waiting := f.compare(found, kept, time.Now())
	if waiting {
		pause = min(pause, f.o.Settle)
	}
	failed := f.deliverAll(ctx, ready)
	if ctx.Err() != nil {
		return 0, ctx.Err()
	}
	if failed {
		pause = min(pause, f.o.Settle)
	}
	if err := f.settle(ctx); err != nil {
		return pause, err
	}
	if !waiting && !failed {
		err = f.forget(ctx, kept)
	}
	return pause, err
}

// list returns the files of the folder, and the directories that cannot be read, in which
// files are not missing.
func (f *Feed) list() (found map[string]fs.FileInfo, unread []string, err error) {
	found = map[string]fs.FileInfo{}
	root := f.dir
	if info, err := os.Lstat(root); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		root += string(filepath.Separator) // WalkDir follows no link
	}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && path == root:
			return err
		case err != nil:
			if !errors.Is(err, fs.ErrNotExist) {
				f.fault(path, err)
				unread = append(unread, path+string(filepath.Separator))
			}
		case path != root && strings.HasPrefix(d.Name(), "."):
			if d.IsDir() {
				return filepath.SkipDir
			}
		case d.IsDir():
			f.addWatch(path)
		case d.Type().IsRegular(), d.Type()&fs.ModeSymlink != 0: // links to directories could form a cycle
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				found[path] = info
			}
		}
		return nil
	})
	return found, unread, err
}

// addWatch asks for notifications of a directory.
func (f *Feed) addWatch(dir string) {
	if f.watch == nil {
		return
	}
	if err := f.watch.Add(dir); err != nil { // a limit of the system: the scan finds the changes
		f.fault(dir, err)
	}
}

// compare brings the files up to date. It returns the ones to read, and whether others are
// not settled.
func (f *Feed) compare(found map[string]fs.FileInfo, unread []string, now time.Time) (ready []string, waiting bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for path, info := range found {
		known := f.files[path]
		if known == nil {
			known = &file{}
			f.files[path] = known
		}
		known.missing = time.Time{}
		if !same(known.info, info) {
			known.info, known.since, known.read = info, now, false
		}
		switch {
		case known.read:
		case f.renamed[path], now.Sub(known.since) >= f.o.Settle:
			ready = append(ready, path)
		default:
			waiting = true
		}
	}
	clear(f.renamed)
	for path, known := range f.files {
		if found[path] != nil || slices.ContainsFunc(unread, func(dir string) bool { return strings.HasPrefix(path, dir) }) {
			continue
		}
		switch {
		case known.missing.IsZero():
			known.missing = now
			waiting = true
		case now.Sub(known.missing) < f.o.Settle:
			waiting = true
		default:
			f.assign(path, "")
			delete(f.files, path)
			delete(f.logged, path)
		}
	}
	slices.Sort(ready)
	return ready, waiting
}

// deliverAll reads files and delivers their catalogs. It reports whether some are to be tried again.
func (f *Feed) deliverAll(ctx context.Context, paths []string) (failed bool) {
	var jobs errgroup.Group
	jobs.SetLimit(f.o.Jobs)
	for _, path := range paths {
		if ctx.Err() != nil {
			break
		}
		jobs.Go(func() error { return f.update(ctx, path) })
	}
	return jobs.Wait() != nil
}

// update reads a file and delivers its catalog if it is the one that counts for its node.
func (f *Feed) update(ctx context.Context, path string) error {
	f.mu.Lock()
	known := f.files[path]
	info := known.info
	f.mu.Unlock()
	data, err := load(path, info, f.o.MaxSize)
	switch {
	case errors.Is(err, errChanged), errors.Is(err, fs.ErrNotExist):
		return err // another scan follows
	case err != nil:
		f.fault(path, err)
	}
	var name string
	var digest [sha256.Size]byte
	if err == nil {
		digest = sha256.Sum256(data)
		var is bool
		if name, is = catalogfile.Node(path, data); is && name == "" {
			name = cmp.Or(known.node, catalogfile.Stem(path))
		}
	}
	f.mu.Lock()
	if err == nil {
		f.assign(path, name)
		known.digest = digest
	} // else it still counts for the node that it had
	known.fault = err != nil && !errors.Is(err, errLarge)
	known.read = !known.fault
	newly := errors.Is(err, errLarge) && !known.large
	known.large = errors.Is(err, errLarge)
	f.mu.Unlock()
	if newly {
		f.o.Observer.Refused()
	}
	if err != nil {
		return nil //nolint:nilerr // it is logged; the next scan tries again
	}
	if name == "" {
		return nil
	}
	if err := f.deliver(ctx, name, path, data); err != nil {
		f.fault(path, err)
		f.mu.Lock()
		known.read = false
		f.lost++
		f.mu.Unlock()
		return err
	}
	return nil
}

// assign makes a file one of a node, or of none if the name is empty.
func (f *Feed) assign(path, name string) {
	known := f.files[path]
	if known.node == name {
		return
	}
	if old := f.nodes[known.node]; old != nil {
		delete(old.paths, path)
	}
	if known.node = name; name == "" {
		return
	}
	if f.nodes[name] == nil {
		f.nodes[name] = &node{paths: map[string]bool{}}
	}
	f.nodes[name].paths[path] = true
}

// deliver delivers the catalog of a node that is in a file, if this file counts and the
// sink does not have the catalog.
func (f *Feed) deliver(ctx context.Context, name, path string, data []byte) error {
	f.mu.Lock()
	n := f.nodes[name]
	f.mu.Unlock()
	n.deliver.Lock()
	defer n.deliver.Unlock()
	f.mu.Lock()
	best := f.best(n)
	digest := f.files[path].digest
	has := n.sent && n.digest == digest
	f.mu.Unlock()
	if best != path || has {
		return nil
	}
	err := feed.Deliver(ctx, f.o.Backoff, f.o.Log, func(ctx context.Context) error {
		return f.sink.Put(ctx, feed.Catalog{Feed: f.o.Name, Node: name, Data: data})
	})
	if err == nil {
		f.mu.Lock()
		n.sent, n.digest = true, digest
		f.mu.Unlock()
	}
	return err
}

// best returns the file that counts for a node, or nothing.
func (f *Feed) best(n *node) (best string) {
	for path := range n.paths {
		if best == "" {
			best = path
			continue
		}
		order := f.files[path].info.ModTime().Compare(f.files[best].info.ModTime())
		if order > 0 || order == 0 && path > best {
			best = path
		}
	}
	return best
}

// settle delivers another file of the nodes whose file is gone or belongs to another node
// now, and removes nodes without a file.
func (f *Feed) settle(ctx context.Context) error {
	f.mu.Lock()
	var gone, again []string
	for name, n := range f.nodes {
		path := f.best(n)
		switch {
		case path == "":
			gone = append(gone, name)
		case f.files[path].read && !f.files[path].fault && (!n.sent || n.digest != f.files[path].digest):
			again = append(again, path)
		}
	}
	f.mu.Unlock()
	if f.deliverAll(ctx, again) {
		return nil // another scan follows
	}
	for _, name := range gone {
		if err := f.remove(ctx, name); err != nil {
			return err
		}
		delete(f.nodes, name)
	}
	return nil
}

func (f *Feed) remove(ctx context.Context, name string) error {
	return feed.Deliver(ctx, f.o.Backoff, f.o.Log, func(ctx context.Context) error { return f.sink.Remove(ctx, f.o.Name, name) })
}

// forget removes, once, the nodes that the sink had at the start and that have no file. It
// waits while a file or a directory cannot be read, because it could contain such a node.
func (f *Feed) forget(ctx context.Context, unread []string) error {
	if f.stale == nil || len(unread) > 0 {
		return nil
	}
	f.mu.Lock()
	names := map[string]bool{}
	for known := range maps.Values(f.files) {
		if known.fault {
			f.mu.Unlock()
			return nil
		}
		names[known.node] = true
	}
	f.mu.Unlock()
	for _, name := range f.stale {
		if !names[name] {
			if err := f.remove(ctx, name); err != nil {
				return err
			}
		}
	}
	f.stale = nil
	return nil
}
