package folder_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pcatdev/pcat/fleet/internal/feed"
	"github.com/pcatdev/pcat/fleet/internal/feed/feedtest"
	"github.com/pcatdev/pcat/fleet/internal/feed/folder"
	"github.com/pcatdev/pcat/internal/compress"
)

// document returns a catalog of a node.
func document(node, text string) string {
	return fmt.Sprintf(`{"name":%q,"version":1,"resources":[{"type":"Notify","title":%q,"parameters":{}}],"edges":[]}`, node, text)
}

// write writes a file in one step, as a program does that writes a hidden file and renames it.
func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	temporary := filepath.Join(filepath.Dir(path), ".new")
	must(t, os.MkdirAll(filepath.Dir(path), 0o700))
	must(t, os.WriteFile(temporary, []byte(text), 0o600))
	must(t, os.Rename(temporary, path))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

const name = "folder:test"

// short are options for quick tests.
func short() folder.Options {
	return folder.Options{
		Name: name, Scan: 200 * time.Millisecond, Settle: 100 * time.Millisecond,
		Backoff: feed.Backoff{Min: 5 * time.Millisecond, Max: 10 * time.Millisecond},
	}
}

// run runs a feed until stop is called, or the test ends.
func run(t *testing.T, dir string, sink feed.Sink, o folder.Options) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := folder.New(dir, sink, o).Run(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("Run: %v", err)
		}
	}()
	stop = func() { cancel(); <-done }
	t.Cleanup(stop)
	return stop
}

// names returns the names of a sink for nodes.
func names(nodes ...string) []string {
	for i := range nodes {
		nodes[i] = name + "/" + nodes[i]
	}
	return nodes
}

// has waits until the sink has a catalog of a node with a text.
func has(t *testing.T, sink *feedtest.Sink, node, text string) {
	t.Helper()
	feedtest.Until(t, func() bool { c, _ := sink.Get(name, node); return strings.Contains(string(c.Data), text) },
		func() string {
			c, _ := sink.Get(name, node)
			return fmt.Sprintf("%s is %s, want %s", node, c.Data, text)
		})
}

// TestFiles has the files that pcat audit reads, and others.
func TestFiles(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.json", document("web01", "plain"))
	for i, m := range []compress.Method{compress.Gzip, compress.Zstd} {
		var b bytes.Buffer
		z, err := compress.NewWriter(m, &b)
		must(t, err)
		_, err = z.Write([]byte(document(fmt.Sprint("z", i), "compressed")))
		must(t, errors.Join(err, z.Close()))
		write(t, dir, fmt.Sprint("z", i, ".json", m.Extension()), b.String())
	}
	write(t, dir, "below/deeper/b.json", document("web02", "deeper"))
	write(t, dir, "row.json", `{"certname":"db01","hash":"x","resources":{"href":"","data":[]},"edges":{"href":"","data":[]}}`)
	write(t, dir, "envelope.json", `{"catalog":`+document("v4", "enveloped")+`}`)
	write(t, dir, "list.json", `[`+document("x1", "first")+`,`+document("x2", "second")+`]`)
	write(t, dir, "one.json", `[`+document("alone", "in a list")+`]`)
	write(t, dir, "nameless.json", `{"resources":[],"edges":[]}`)
	write(t, dir, "broken.json.gz", `{"resources":[tru`)
	write(t, dir, "text.json", "this is no JSON")
	write(t, dir, "late.json", `{"resources":[],"edges":[],"name":"late"}`)
	write(t, dir, "README.md", "# Catalogs\n")
	write(t, dir, "other.json", `{"facts":{}}`)
	write(t, dir, "empty", "")
	write(t, dir, ".hidden.json", document("hidden", ""))
	write(t, dir, ".git/x.json", document("hidden", ""))
	outside := t.TempDir()
	write(t, outside, "linked.json", document("linked", ""))
	must(t, os.Symlink(filepath.Join(outside, "linked.json"), filepath.Join(dir, "link.json")))
	must(t, os.Symlink(outside, filepath.Join(dir, "cycle")))
	sink := feedtest.NewSink(name, "vanished", "web01")
	run(t, dir, sink, short())
	sink.Await(t, names("web01", "z0", "z1", "web02", "db01", "v4", "list", "alone", "nameless", "broken", "late", "linked")...)
	has(t, sink, "list", "second")
	has(t, sink, "web01", "plain")
}

func TestChanges(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "web01.json", document("web01", "first"))
	sink := feedtest.NewSink(name)
	run(t, dir, sink, short())
	sink.Await(t, names("web01")...)
	sink.Calls()

	write(t, dir, "new/web02.json", document("web02", "new")) // in a new directory
	sink.Await(t, names("web01", "web02")...)
	write(t, dir, "web01.json", document("web01", "second"))
	has(t, sink, "web01", "second")
	if calls := sink.Calls(); !slices.Equal(calls, []string{"put web02", "put web01"}) {
		t.Errorf("calls: %v", calls)
	}
	now := time.Now().Add(time.Minute)
	must(t, os.Chtimes(filepath.Join(dir, "web01.json"), now, now))                              // the same content
	must(t, os.Rename(filepath.Join(dir, "new/web02.json"), filepath.Join(dir, "renamed.json"))) // the same node
	time.Sleep(500 * time.Millisecond)
	if calls := sink.Calls(); len(calls) > 0 {
		t.Errorf("calls without a change: %v", calls)
	}
	write(t, dir, "web01.json", document("web03", "third")) // another node in the same file
	sink.Await(t, names("web02", "web03")...)
	write(t, dir, "renamed.json", "no catalog any more")
	must(t, os.WriteFile(filepath.Join(dir, "web01.json"), []byte(document("web03", "third")[:70]), 0o600)) // it is broken, and keeps its node
	feedtest.Until(t, func() bool { c, _ := sink.Get(name, "web03"); return len(c.Data) == 70 }, func() string { return fmt.Sprint(sink.Names()) })
	must(t, os.Remove(filepath.Join(dir, "web01.json")))
	must(t, os.Remove(filepath.Join(dir, "renamed.json")))
	write(t, dir, "last.json", document("last", ""))
	sink.Await(t, names("last")...)
}

// TestTwoFiles has two files of a node: the newer one counts, and the other one when that is gone.
func TestTwoFiles(t *testing.T) {
	dir := t.TempDir()
	noon := time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)
	for i, file := range []string{"b.json", "a.json", "c.json"} {
		write(t, dir, file, document("web01", file))
		must(t, os.Chtimes(filepath.Join(dir, file), noon, noon.Add(time.Duration(i)*time.Hour)))
	}
	must(t, os.Chtimes(filepath.Join(dir, "c.json"), noon, noon.Add(time.Hour))) // as a.json, and behind it
	sink := feedtest.NewSink(name)
	run(t, dir, sink, short())
	for _, file := range []string{"c.json", "a.json", "b.json"} {
		has(t, sink, "web01", file)
		must(t, os.Remove(filepath.Join(dir, file)))
	}
	sink.Await(t)
}

// TestHalfWritten has a file that is written in pieces, without a rename.
func TestHalfWritten(t *testing.T) {
	dir := t.TempDir()
	sink := feedtest.NewSink(name)
	o := short()
	o.Settle = 400 * time.Millisecond
	run(t, dir, sink, o)
	f, err := os.Create(filepath.Join(dir, "web01.json"))
	must(t, err)
	for _, c := range []byte(document("web01", "whole")) {
		_, err = f.Write([]byte{c})
		must(t, err)
		time.Sleep(10 * time.Millisecond)
	}
	must(t, f.Close())
	has(t, sink, "web01", "whole")
	if calls := sink.Calls(); !slices.Equal(calls, []string{"put web01"}) {
		t.Errorf("calls: %v", calls)
	}
}

// TestRename has a renamed file, which is read at once although files settle slowly.
func TestRename(t *testing.T) {
	dir := t.TempDir()
	sink := feedtest.NewSink(name)
	o := short()
	o.Settle, o.Scan = time.Hour, time.Hour
	run(t, dir, sink, o)
	feedtest.Until(t, func() bool { // until the folder is watched
		write(t, dir, "web01.json", document("web01", "renamed"))
		time.Sleep(100 * time.Millisecond)
		return len(sink.Names()) > 0
	}, func() string { return "a renamed file is not read at once" })
}

// TestFull stops while the sink is full, and delivers the newest state after it.
func TestFull(t *testing.T) {
	dir := t.TempDir()
	for i := range 20 {
		write(t, dir, fmt.Sprint(i, ".json"), document(fmt.Sprint("n", i), "first"))
	}
	sink := feedtest.NewSink(name, "stale")
	sink.Break(func(context.Context) error { return fmt.Errorf("disk: %w", feed.ErrFull) })
	var log bytes.Buffer
	o := short()
	o.Log = slog.New(slog.NewTextHandler(&log, nil))
	stop := run(t, dir, sink, o)
	time.Sleep(300 * time.Millisecond)
	if calls := sink.Calls(); len(calls) > 0 {
		t.Errorf("calls: %v", calls)
	}
	write(t, dir, "0.json", document("n0", "second"))
	must(t, os.Remove(filepath.Join(dir, "1.json")))
	sink.Break(nil)
	has(t, sink, "n0", "second")
	var want []string
	for i := range 20 {
		if i != 1 {
			want = append(want, fmt.Sprint("n", i))
		}
	}
	sink.Await(t, names(want...)...)
	stop()
	if n := strings.Count(log.String(), "\n"); n > 30 {
		t.Errorf("%d lines of log", n)
	}
}

// TestErrors has a sink that fails for a time, and a folder that is away for a time: no
// node is removed.
func TestErrors(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "catalogs")
	sink := feedtest.NewSink(name, "web01", "web02")
	sink.Break(func(context.Context) error { return errors.New("storage") })
	run(t, dir, sink, short())
	time.Sleep(100 * time.Millisecond)
	sink.Break(nil)
	time.Sleep(500 * time.Millisecond)
	if got := sink.Names(); len(got) != 2 {
		t.Errorf("without the folder: %v", got)
	}
	write(t, dir, "web01.json", document("web01", "here"))
	has(t, sink, "web01", "here")
	sink.Await(t, names("web01")...)
	must(t, os.Rename(dir, dir+".away"))
	time.Sleep(500 * time.Millisecond)
	must(t, os.Rename(dir+".away", dir))
	write(t, dir, "web03.json", document("web03", "here"))
	sink.Await(t, names("web01", "web03")...)
	if calls := sink.Calls(); slices.Contains(calls, "remove web01") {
		t.Errorf("calls: %v", calls)
	}
}

// TestRestart offers everything again, and removes the nodes whose files vanished in between.
func TestRestart(t *testing.T) {
	dir := t.TempDir()
	for _, node := range []string{"web01", "web02"} {
		write(t, dir, node+".json", document(node, ""))
	}
	sink := feedtest.NewSink(name)
	run(t, dir, sink, short())()
	sink.Calls()
	stop := run(t, dir, sink, short())
	sink.Await(t, names("web01", "web02")...)
	stop()
	must(t, os.Remove(filepath.Join(dir, "web02.json")))
	run(t, dir, sink, short())
	sink.Await(t, names("web01")...)
}

// TestLarge leaves out a file above the limit.
func TestLarge(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "large.json", document("large", strings.Repeat("x", 5000)))
	write(t, dir, "web01.json", document("web01", ""))
	sink := feedtest.NewSink(name, "gone")
	o := short()
	o.MaxSize = 1000
	run(t, dir, sink, o)
	sink.Await(t, names("web01")...)
}
