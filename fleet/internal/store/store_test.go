package store

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/pcatdev/pcat/fleet/internal/feed"
	"github.com/pcatdev/pcat/fleet/internal/seal"
)

// open starts a server in a folder, with an address for clients.
func open(t *testing.T, dir string, o Options) *Store {
	t.Helper()
	key, err := Folder(dir)
	if err != nil {
		t.Fatal(err)
	}
	o.Key, o.Dir, o.Listen = key, dir, "127.0.0.1:0"
	if o.MaxBytes == 0 {
		o.MaxBytes = 1 << 30
	}
	s, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func stateDir(t *testing.T) string { return filepath.Join(t.TempDir(), "state") }

const secret = "correct-horse-battery-staple"

func catalogOf(node, text string) feed.Catalog {
	return feed.Catalog{Feed: "test", Node: node, Data: []byte(text)}
}

func document(t *testing.T, s *Store, node string) string {
	t.Helper()
	h, _, err := s.Head(t.Context(), s.Unit("test", node))
	if err != nil || h == nil {
		t.Fatalf("%s: %v %v", node, h, err)
	}
	data, err := s.Document(t.Context(), h)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func put(t *testing.T, s *Store, c feed.Catalog) {
	t.Helper()
	if err := s.Put(t.Context(), c); err != nil {
		t.Fatal(err)
	}
}

func TestNewestCatalog(t *testing.T) {
	s := open(t, stateDir(t), Options{})
	at := func(text string, minute int) feed.Catalog {
		c := catalogOf("a", text)
		c.Produced = time.Date(2026, 1, 1, 0, minute, 0, 0, time.UTC)
		return c
	}
	for _, step := range []struct {
		put  feed.Catalog
		want string
	}{
		{catalogOf("a", "1"), "1"},
		{catalogOf("a", "2"), "2"},
		{at("3", 10), "3"},
		{at("4", 9), "3"},  // older
		{at("3", 20), "3"}, // the same, but seen later
		{at("5", 15), "3"}, // older than that
		{at("6", 20), "6"},
		{catalogOf("a", "7"), "7"}, // without a time, the arrival counts
		{at("8", 1), "8"},
	} {
		put(t, s, step.put)
		if got := document(t, s, "a"); got != step.want {
			t.Errorf("after %s: got %s, want %s", step.put.Data, got, step.want)
		}
	}
	list, err := s.catalogs.objects.List(t.Context())
	if err != nil || len(list) != 6 {
		t.Errorf("got %d objects and %v, want those of the accepted catalogs", len(list), err)
	}
}

func TestRemove(t *testing.T) {
	s := open(t, stateDir(t), Options{})
	put(t, s, catalogOf("a", "1"))
	put(t, s, catalogOf("b", "1"))
	put(t, s, feed.Catalog{Feed: "other", Node: "c", Data: []byte("1")})
	for _, node := range []string{"a", "a", "unknown"} {
		if err := s.Remove(t.Context(), "test", node); err != nil {
			t.Error(err)
		}
	}
	nodes, err := s.Nodes(t.Context(), "test")
	if err != nil || !slices.Equal(nodes, []string{"b"}) {
		t.Errorf("got %v, %v", nodes, err)
	}
	put(t, s, catalogOf("a", "1"))
	if got := document(t, s, "a"); got != "1" {
		t.Errorf("got %s", got)
	}
}

// A catalog that was compiled again is kept, also if it is equal.
func TestExpire(t *testing.T) {
	s := open(t, stateDir(t), Options{})
	compiled := time.Now().Add(-time.Hour)
	for _, node := range []string{"a", "b", "c"} {
		put(t, s, feed.Catalog{Feed: "compiler:x", Node: node, Produced: compiled, Data: []byte("1")})
	}
	put(t, s, feed.Catalog{Feed: "other", Node: "a", Data: []byte("1")})
	if n, err := s.Expire(t.Context(), "compiler:", time.Now().Add(-time.Minute)); n != 0 || err != nil {
		t.Errorf("%d removed too early, %v", n, err)
	}
	time.Sleep(10 * time.Millisecond)
	limit := time.Now()
	time.Sleep(10 * time.Millisecond)
	put(t, s, feed.Catalog{Feed: "compiler:x", Node: "b", Produced: compiled.Add(time.Minute), Data: []byte("1")})
	for _, want := range []int{2, 0} {
		if n, err := s.Expire(t.Context(), "compiler:", limit); n != want || err != nil {
			t.Errorf("%d removed, want %d, %v", n, want, err)
		}
	}
	for name, want := range map[string][]string{"compiler:x": {"b"}, "other": {"a"}} {
		if nodes, err := s.Nodes(t.Context(), name); err != nil || !slices.Equal(nodes, want) {
			t.Errorf("%s: got %v, %v", name, nodes, err)
		}
	}
}

// Everybody who puts a catalog succeeds, and the newest one is whole.
func TestConcurrentPut(t *testing.T) {
	s := open(t, stateDir(t), Options{})
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			if err := s.Put(t.Context(), catalogOf("a", fmt.Sprint(i))); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if document(t, s, "a") == "" {
		t.Error("there is no catalog")
	}
}

func TestLargeValues(t *testing.T) {
	s := open(t, stateDir(t), Options{})
	large := make([]byte, 3*chunkSize) // does not compress
	_, _ = rand.Read(large)
	put(t, s, catalogOf("a", string(large)))
	if document(t, s, "a") != string(large) {
		t.Error("the catalog is another one")
	}
	unit := s.Unit("test", "a")
	revision := uint64(0)
	for _, data := range [][]byte{large, []byte("small"), nil, large[1:]} {
		var err error
		if revision, err = s.PutPart(t.Context(), unit, &Part{Digest: "d", Epoch: "e", Data: data}, revision); err != nil {
			t.Fatal(err)
		}
		p, got, err := s.Part(t.Context(), unit)
		if err != nil || got != revision || !bytes.Equal(p.Data, data) || p.Digest != "d" || p.Epoch != "e" {
			t.Errorf("got %d bytes, revision %d and %v", len(p.Data), got, err)
		}
	}
	if _, err := s.PutPart(t.Context(), unit, &Part{}, revision-1); !errors.Is(err, ErrConflict) {
		t.Errorf("got %v for an old revision", err)
	}
	if _, err := s.PutPart(t.Context(), unit, &Part{}, 0); !errors.Is(err, ErrConflict) {
		t.Errorf("got %v for a part that exists", err)
	}
	if err := s.RemovePart(t.Context(), unit, revision-1); !errors.Is(err, ErrConflict) {
		t.Errorf("got %v for the removal of an old revision", err)
	}
	if err := s.RemovePart(t.Context(), unit, revision); err != nil {
		t.Fatal(err)
	}
	if p, got, err := s.Part(t.Context(), unit); p != nil || got != 0 || err != nil {
		t.Errorf("got %v, %d, %v after the removal", p, got, err)
	}
	if _, err := s.PutPart(t.Context(), unit, &Part{}, 0); err != nil {
		t.Errorf("got %v for a part that was removed", err)
	}
}

// A refused catalog changes nothing, and there is room again after a removal.
func TestFull(t *testing.T) {
	s := open(t, stateDir(t), Options{MaxBytes: 20 << 20}) // 10 MB for catalogs
	data := make([]byte, 1<<20)
	var err error
	n := 0
	for ; n < 30 && err == nil; n++ {
		_, _ = rand.Read(data)
		err = s.Put(t.Context(), catalogOf(fmt.Sprint("n", n), string(data)))
	}
	if !errors.Is(err, feed.ErrFull) || n < 5 {
		t.Fatalf("got %v after %d", err, n)
	}
	if h, _, err := s.Head(t.Context(), s.Unit("test", fmt.Sprint("n", n-1))); h != nil || err != nil {
		t.Errorf("got %v, %v for the refused catalog", h, err)
	}
	w := s.Sweeper(0)
	for i := range n - 1 {
		if err := s.Remove(t.Context(), "test", fmt.Sprint("n", i)); err != nil {
			t.Fatal(err)
		}
	}
	if removed, err := w.Sweep(t.Context()); removed != 0 || err != nil {
		t.Errorf("%d removed in the first pass, %v", removed, err)
	}
	for id := range w.seen {
		w.seen[id] = time.Now().Add(-writing)
	}
	if removed, err := w.Sweep(t.Context()); removed != n-1 || err != nil {
		t.Errorf("%d of %d removed in the second pass, %v", removed, n-1, err)
	}
	put(t, s, catalogOf("again", string(data)))
}

// A client of an embedded server leaves room on the disk of the server, too.
func TestFullDisk(t *testing.T) {
	dir := stateDir(t)
	var free atomic.Int64
	free.Store(reserve + 1000)
	s := open(t, dir, Options{Free: func() (int64, error) { return free.Load(), nil }})
	address, err := Address(dir)
	if err != nil {
		t.Fatal(err)
	}
	client, err := Open(t.Context(), Options{Key: s.key, URL: address})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	put(t, client, catalogOf("a", "small"))
	large := make([]byte, 2000)
	_, _ = rand.Read(large)
	for _, s := range []*Store{s, client} {
		err := s.Put(t.Context(), catalogOf("b", string(large)))
		if !errors.Is(err, feed.ErrFull) || !Unavailable(err) || !strings.Contains(err.Error(), "has 128 MB left") {
			t.Errorf("got %v", err)
		}
		if _, err := s.PutPart(t.Context(), "u", &Part{Data: large}, 0); !errors.Is(err, feed.ErrFull) {
			t.Errorf("got %v", err)
		}
	}
	free.Store(reserve + 5000)
	time.Sleep(1100 * time.Millisecond) // until it asks again
	put(t, client, catalogOf("b", string(large)))
}

func TestTasks(t *testing.T) {
	s := open(t, stateDir(t), Options{AckWait: time.Second})
	ctx := t.Context()
	for _, id := range []string{"1", "1", "2"} { // one twice
		if err := s.AddTask(ctx, &Task{ID: id, Units: []Want{{Unit: "u"}}}); err != nil {
			t.Fatal(err)
		}
	}
	if list, err := s.Tasks(ctx); err != nil || len(list) != 2 {
		t.Errorf("got %d tasks, %v", len(list), err)
	}
	first, err := s.NextTask(ctx, 20*time.Second)
	if err != nil || first == nil || first.ID != "1" || first.Count != 1 {
		t.Fatalf("got %+v, %v", first, err)
	}
	second, err := s.NextTask(ctx, 20*time.Second)
	if err != nil || second == nil || second.ID != "2" {
		t.Fatalf("got %+v, %v", second, err)
	}
	if err := second.Done(ctx); err != nil {
		t.Fatal(err)
	}
	again, err := s.NextTask(ctx, 20*time.Second) // the worker of the first is silent
	if err != nil || again == nil || again.ID != "1" || again.Count != 2 {
		t.Fatalf("got %+v, %v", again, err)
	}
	if err := again.Retry(0); err != nil {
		t.Fatal(err)
	}
	if again, err = s.NextTask(ctx, 20*time.Second); err != nil || again == nil || again.Count != 3 {
		t.Fatalf("got %+v, %v", again, err)
	}
	if err := again.Done(ctx); err != nil {
		t.Fatal(err)
	}
	if none, err := s.NextTask(ctx, 1500*time.Millisecond); none != nil || err != nil {
		t.Errorf("got %+v, %v for no task", none, err)
	}
}

// A client that waits for a task gets it on a new connection, too, although a server that was
// killed and started again does not know of the request. Here it is another server.
func TestTaskOnAnotherConnection(t *testing.T) {
	dirs := []string{stateDir(t), stateDir(t)}
	before := open(t, dirs[0], Options{})
	if _, err := Folder(dirs[1]); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(KeyFile(dirs[0]), KeyFile(dirs[1])); err != nil {
		t.Fatal(err)
	}
	s := open(t, dirs[1], Options{})
	var current atomic.Pointer[string]
	current.Store(&dirs[0])
	client, err := Open(t.Context(), Options{Key: s.key, URL: before.server.ClientURL(), Current: func() (string, error) { return Address(*current.Load()) }})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	tasks := make(chan *Delivery, 1)
	go func() {
		var d *Delivery
		var err error
		for d == nil && t.Context().Err() == nil {
			if d, err = client.NextTask(t.Context(), 30*time.Second); err != nil {
				t.Error(err)
				break
			}
		}
		tasks <- d
	}()
	time.Sleep(200 * time.Millisecond)
	current.Store(&dirs[1])
	if err := client.conn.ForceReconnect(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(time.Second)
	if err := s.AddTask(t.Context(), &Task{ID: "1"}); err != nil {
		t.Fatal(err)
	}
	select {
	case d := <-tasks:
		if d == nil || d.ID != "1" {
			t.Errorf("got %+v", d)
		}
	case <-time.After(time.Minute):
		t.Error("the task is not delivered")
	}
}

// front passes connections on to a server.
type front struct {
	net.Listener
	mute    atomic.Bool // it drops what clients send
	deaf    atomic.Bool // it drops what they ask JetStream
	away    atomic.Bool // it closes new connections
	conns   chan net.Conn
	dropped chan struct{}
}

func newFront(t *testing.T, server string) *front {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	f := &front{Listener: l, conns: make(chan net.Conn, 100), dropped: make(chan struct{}, 1)}
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			if f.away.Load() {
				_ = in.Close()
				continue
			}
			out, err := net.Dial("tcp", server)
			if err != nil {
				t.Error(err)
				return
			}
			f.conns <- in
			go func() { _, _ = io.Copy(in, out) }()
			go func() {
				defer func() { _ = out.Close() }()
				for buf := make([]byte, 4096); ; {
					n, err := in.Read(buf)
					if err != nil {
						return
					}
					if f.mute.Load() || f.deaf.Load() && bytes.Contains(buf[:n], []byte("$JS.API")) {
						select {
						case f.dropped <- struct{}{}:
						default:
						}
						continue
					}
					_, _ = out.Write(buf[:n])
				}
			}()
		}
	}()
	return f
}

func (f *front) url() string { return "nats://" + f.Addr().String() }

// leave loses the connection when something was dropped. There is no other one until the front is back.
func (f *front) leave() {
	<-f.dropped
	f.away.Store(true)
	f.mute.Store(false)
	f.deaf.Store(false)
	_ = (<-f.conns).Close()
}

// A client that loses its connection while it announces what it answers announces it on the
// next one, however long that takes.
func TestAnswerOnAnotherConnection(t *testing.T) {
	t.Parallel()
	s := open(t, stateDir(t), Options{})
	for _, away := range []time.Duration{0, 11 * time.Second} {
		t.Run(away.String(), func(t *testing.T) {
			t.Parallel()
			f := newFront(t, s.Server())
			client, err := Open(t.Context(), Options{Key: s.key, URL: f.url()})
			if err != nil {
				t.Fatal(err)
			}
			defer client.Close()
			f.mute.Store(true)
			subject := "test" + away.String()
			announced := make(chan error, 1)
			go func() {
				announced <- client.Answer(t.Context(), subject, func(context.Context, []string) ([]byte, error) { return []byte("meadow"), nil })
			}()
			select {
			case err := <-announced:
				t.Fatalf("the server cannot know, got %v", err)
			case <-time.After(200 * time.Millisecond):
			}
			f.leave()
			time.Sleep(away)
			f.away.Store(false)
			if err := <-announced; err != nil {
				t.Fatal(err)
			}
			if got, err := s.Ask(t.Context(), subject); err != nil || string(got) != "meadow" {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
}

// A server may be lost while a storage is opened. A process that stays waits for it, and a
// command does not.
func TestOpenWithoutServer(t *testing.T) {
	t.Parallel()
	s := open(t, stateDir(t), Options{})
	var opened sync.WaitGroup
	for _, stays := range []bool{true, false} {
		opened.Go(func() {
			f := newFront(t, s.Server())
			f.deaf.Store(true)
			var client *Store
			var err error
			var done sync.WaitGroup
			done.Go(func() {
				client, err = Open(t.Context(), Options{Key: s.key, URL: f.url(), Stays: stays, unready: 10 * time.Second, vanished: time.Second})
			})
			f.leave()
			if stays {
				time.Sleep(20 * time.Second) // requests are given up after five, twice before the limit
				f.away.Store(false)
			}
			done.Wait()
			if err == nil {
				client.Close()
			}
			if (err == nil) != stays {
				t.Errorf("stays %t: got %v", stays, err)
			}
		})
	}
	opened.Go(func() {
		f := newFront(t, s.Server())
		f.deaf.Store(true)
		var err error
		var done sync.WaitGroup
		done.Go(func() { _, err = Open(t.Context(), Options{Key: s.key, URL: f.url(), Stays: true}) })
		<-f.dropped
		_, _ = io.WriteString(<-f.conns, "-ERR 'The fleet has moved'\r\n")
		done.Wait()
		if err == nil || !strings.Contains(err.Error(), "has moved") {
			t.Errorf("the server ends the connection: got %v", err)
		}
	})
	opened.Wait()
}

// A server that was killed may have forgotten a delivery. Then it does not answer.
func TestForgottenDelivery(t *testing.T) {
	s := open(t, stateDir(t), Options{AckWait: 2 * time.Second})
	if err := s.AddTask(t.Context(), &Task{ID: "1"}); err != nil {
		t.Fatal(err)
	}
	d, err := s.NextTask(t.Context(), 20*time.Second)
	if err != nil || d == nil {
		t.Fatal(d, err)
	}
	config := s.tasks.CachedInfo().Config
	if err := s.js.DeleteConsumer(t.Context(), "TASKS", consumer); err != nil {
		t.Fatal(err)
	}
	if s.tasks, err = s.js.CreateOrUpdateConsumer(t.Context(), "TASKS", config); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if err := d.Done(ctx); err == nil || ctx.Err() != nil {
		t.Errorf("got %v, %v", err, ctx.Err())
	}
	if d, err = s.NextTask(t.Context(), 20*time.Second); err != nil || d == nil {
		t.Fatal(d, err)
	}
	if err := d.Done(ctx); err != nil {
		t.Error(err)
	}
}

func TestState(t *testing.T) {
	s := open(t, stateDir(t), Options{})
	ctx := t.Context()
	if v, revision, err := s.State(ctx); v != nil || revision != 0 || err != nil {
		t.Errorf("got %v %d %v", v, revision, err)
	}
	g, err := s.PutSegment(ctx, "id", []byte(secret))
	if err != nil {
		t.Fatal(err)
	}
	revision, err := s.PutState(ctx, &State{Epoch: "e", Version: 2, Segments: []Segment{g}}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.PutState(ctx, &State{}, 0); !errors.Is(err, ErrConflict) {
		t.Errorf("got %v", err)
	}
	v, got, err := s.State(ctx)
	if err != nil || got != revision || v.Version != 2 {
		t.Fatalf("got %v %d %v", v, got, err)
	}
	if data, err := s.Segment(ctx, v.Segments[0]); err != nil || string(data) != secret {
		t.Errorf("got %d bytes, %v", len(data), err)
	}
}

// A client of another process has the same data, and only with the fleet key.
func TestClients(t *testing.T) {
	dir := stateDir(t)
	s := open(t, dir, Options{AckWait: 3 * time.Second})
	put(t, s, catalogOf("a", secret))
	address, err := Address(dir)
	if err != nil {
		t.Fatal(err)
	}
	client, err := Open(t.Context(), Options{Key: s.key, URL: address})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	if client.AckWait() != 3*time.Second {
		t.Errorf("the client waits %s for workers", client.AckWait())
	}
	if got := document(t, client, "a"); got != secret {
		t.Error("the client reads another catalog")
	}
	if _, err := client.Ask(t.Context(), "report"); !errors.Is(err, ErrNobody) {
		t.Errorf("got %v without a coordinator", err)
	}
	large := make([]byte, 2*chunkSize)
	_, _ = rand.Read(large)
	err = s.Answer(t.Context(), "report", func(_ context.Context, args []string) ([]byte, error) {
		switch args[0] {
		case "large":
			return large, nil
		case "error":
			return nil, errors.New("no such format")
		}
		return []byte(args[0]), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := client.Ask(t.Context(), "report", "text"); string(got) != "text" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	if got, err := client.Ask(t.Context(), "report", "large"); !bytes.Equal(got, large) || err != nil {
		t.Errorf("got %d bytes, %v", len(got), err)
	}
	if _, err := client.Ask(t.Context(), "report", "error"); err == nil || err.Error() != "no such format" {
		t.Errorf("got %v", err)
	}
	other, err := Folder(stateDir(t))
	if err != nil {
		t.Fatal(err)
	}
	if c, err := Open(t.Context(), Options{Key: other, URL: address}); err == nil || !strings.Contains(err.Error(), "Authorization") {
		t.Errorf("got %v, %v with another key", c, err)
	}
	if c, err := Open(t.Context(), Options{Key: s.key, Dir: dir, MaxBytes: 1 << 30}); err == nil || !strings.Contains(err.Error(), "another pcatd serve") {
		t.Errorf("got %v, %v for a folder in use", c, err)
	}
}

// A client creates nothing, so that only the process that serves decides about limits. One
// that serves with another server creates what is missing, and does not need the lease.
func TestAnotherServer(t *testing.T) {
	key, err := Folder(stateDir(t))
	if err != nil {
		t.Fatal(err)
	}
	dir := stateDir(t)
	if _, err := Folder(dir); err != nil {
		t.Fatal(err)
	}
	server, err := startServer(dir, Options{Key: key, Listen: "127.0.0.1:0", MaxBytes: 1 << 30, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer server.stop()
	o := Options{Key: key, URL: "nats://" + server.Addr().String(), MaxBytes: 1 << 29}
	if _, err := Open(t.Context(), o); err == nil || !strings.Contains(err.Error(), "start pcatd serve") {
		t.Errorf("got %v without storage", err)
	}
	o.Create = true
	first, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	put(t, first, catalogOf("a", "1"))
	o.Create, o.MaxBytes = false, 0
	second, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	if document(t, second, "a") != "1" {
		t.Error("got another catalog")
	}
}

func TestListenNeedsTLS(t *testing.T) {
	for address, want := range map[string]string{
		"0.0.0.0:0": "not a loopback", ":4222": "not a loopback", "10.0.0.1:1": "not a loopback", "host": "missing port", "127.0.0.1:x": "not a port",
	} {
		dir := stateDir(t)
		key, err := Folder(dir)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Open(t.Context(), Options{Key: key, Dir: dir, Listen: address, MaxBytes: 1 << 30}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", address, err)
		}
	}
}

// What was acknowledged is there after a restart, the lease is free, and nothing on the
// disk shows a secret or the name of a node.
func TestRestart(t *testing.T) {
	dir := stateDir(t)
	s := open(t, dir, Options{})
	lease, err := s.Lead(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := lease.Renew(t.Context()); err != nil {
		t.Fatal(err)
	}
	put(t, s, catalogOf("node-of-the-test", secret))
	unit := s.Unit("test", "node-of-the-test")
	if _, err := s.PutPart(t.Context(), unit, &Part{Data: []byte(secret)}, 0); err != nil {
		t.Fatal(err)
	}
	if err := s.PutDead(t.Context(), &Dead{Unit: unit, Node: "node-of-the-test", Reason: secret, Retry: time.Now()}); err != nil {
		t.Fatal(err)
	}
	if err := s.PutFindings(t.Context(), unit, []string{secret}, 0); err != nil {
		t.Fatal(err)
	}
	if err := s.AddTask(t.Context(), &Task{ID: "1", Epoch: secret}); err != nil {
		t.Fatal(err)
	}
	s.Close()
	files := 0
	err = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		files++
		data, err := os.ReadFile(path)
		for _, text := range []string{secret, "node-of-the-test"} {
			if bytes.Contains(data, []byte(text)) || strings.Contains(path, text) {
				t.Errorf("%s contains %s", path, text)
			}
		}
		return err
	})
	if err != nil || files < 10 {
		t.Errorf("%d files, %v", files, err)
	}
	s = open(t, dir, Options{})
	if got := document(t, s, "node-of-the-test"); got != secret {
		t.Error("the catalog is lost")
	}
	if p, _, err := s.Part(t.Context(), unit); err != nil || string(p.Data) != secret {
		t.Errorf("the part is lost: %v", err)
	}
	if list, err := s.DeadLetters(t.Context()); err != nil || len(list) != 1 || list[0].Reason != secret {
		t.Errorf("got %v, %v", list, err)
	}
	var findings []string
	if revision, err := s.Findings(t.Context(), unit, &findings); err != nil || revision == 0 || len(findings) != 1 {
		t.Errorf("got %v, %v", findings, err)
	}
	if _, err := s.Lead(t.Context()); err != nil {
		t.Errorf("got %v", err)
	}
	if err := lease.store.Healthy(); err == nil {
		t.Error("a closed store is healthy")
	}
}

// A coordinator without an embedded server waits for the lease of another one.
func TestLease(t *testing.T) {
	dir := stateDir(t)
	s := open(t, dir, Options{})
	address, err := Address(dir)
	if err != nil {
		t.Fatal(err)
	}
	client, err := Open(t.Context(), Options{Key: s.key, URL: address})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	lease, err := client.Lead(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Lead(t.Context()); !errors.Is(err, ErrLed) {
		t.Errorf("got %v", err)
	}
	if err := lease.End(t.Context()); err != nil {
		t.Fatal(err)
	}
	if lease, err = client.Lead(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Lead(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := lease.Renew(t.Context()); !errors.Is(err, ErrLed) {
		t.Errorf("got %v for a lease that was taken", err)
	}
}

// The limit of the storage can become smaller, and an address that is taken is an error at once.
func TestLimits(t *testing.T) {
	dir := t.TempDir() + "/state"
	s := open(t, dir, Options{MaxBytes: 4 << 30})
	if err := s.Put(t.Context(), feed.Catalog{Feed: "f", Node: "web", Data: []byte(`{"name":"web"}`)}); err != nil {
		t.Fatal(err)
	}
	size, limit, err := s.Usage(t.Context())
	if err != nil || size == 0 || limit < 2<<30-4096 || limit > 2<<30 {
		t.Errorf("%d of %d bytes, %v", size, limit, err)
	}
	address := s.server.Addr().String()
	other := t.TempDir() + "/state"
	key, err := Folder(other)
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	if _, err := Open(t.Context(), Options{Key: key, Dir: other, Listen: address, MaxBytes: 1 << 30}); err == nil || time.Since(start) > 10*time.Second {
		t.Errorf("an address that is taken: %v after %s", err, time.Since(start))
	}
	s.Close()
	s = open(t, dir, Options{MaxBytes: 1 << 30})
	if _, limit, err = s.Usage(t.Context()); err != nil || limit > 1<<29 {
		t.Errorf("limit %d, %v", limit, err)
	}
	if h, _, err := s.Head(t.Context(), s.Unit("f", "web")); err != nil || h == nil {
		t.Errorf("%v, %v", h, err)
	}
}

// A lease that is not renewed ends, also if the clock of the server is set back.
func TestLeaseOutlivesClock(t *testing.T) {
	dir := stateDir(t)
	s := open(t, dir, Options{})
	address, err := Address(dir)
	if err != nil {
		t.Fatal(err)
	}
	var clients [2]*Store
	for i := range clients {
		if clients[i], err = Open(t.Context(), Options{Key: s.key, URL: address}); err != nil {
			t.Fatal(err)
		}
		defer clients[i].Close()
	}
	lease, err := clients[0].Lead(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	other := clients[1]
	if _, err := other.Lead(t.Context()); !errors.Is(err, ErrLed) {
		t.Errorf("got %v", err)
	}
	other.led.since = time.Now().Add(-time.Hour)
	if err := lease.Renew(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := other.Lead(t.Context()); !errors.Is(err, ErrLed) {
		t.Errorf("got %v for a lease that is renewed", err)
	}
	other.led.since = time.Now().Add(-time.Hour)
	if _, err := other.Lead(t.Context()); err != nil {
		t.Errorf("got %v for a lease that is not renewed", err)
	}
	if err := lease.Renew(t.Context()); !errors.Is(err, ErrLed) {
		t.Errorf("got %v for a lease that was taken", err)
	}
}

// A time comes from a compiler. The offset of the first one, and the year of the others in
// UTC, have no form in JSON.
func TestOddTimes(t *testing.T) {
	s := open(t, stateDir(t), Options{})
	for text, stored := range map[string]bool{
		"2026-01-01T00:00:00+24:00": true, "9999-12-31T23:59:59-23:00": false, "0000-01-01T00:00:00+23:00": false,
	} {
		produced, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		c := catalogOf("a", "text")
		c.Produced = produced
		if err := s.Put(t.Context(), c); (err == nil) != stored {
			t.Errorf("%s: got %v", text, err)
		}
	}
}

// A value that is damaged counts as missing, until it is replaced. Another key opens nothing.
func TestDamagedValues(t *testing.T) {
	dir := stateDir(t)
	s := open(t, dir, Options{})
	ctx := t.Context()
	put(t, s, catalogOf("a", "one"))
	put(t, s, catalogOf("a", "two")) // the past has one
	unit := s.Unit("test", "a")
	part := &Part{Digest: "d", Epoch: "e", Data: []byte("part")}
	_, err := s.PutPart(ctx, unit, part, 0)
	if err := errors.Join(err, s.PutDead(ctx, &Dead{Unit: unit}), s.PutFindings(ctx, unit, "findings", 0)); err != nil {
		t.Fatal(err)
	}
	if _, err := s.PutState(ctx, &State{Epoch: "e"}, 0); err != nil {
		t.Fatal(err)
	}
	if err := s.Healthy(); err != nil {
		t.Fatal(err)
	}
	for key, kv := range map[string]jetstream.KeyValue{unit: s.heads, unit + " part": s.parts, unit + " past": s.past, unit + " dead": s.dead, unit + " findings": s.findings, stateKey: s.state} {
		key, _, _ = strings.Cut(key, " ")
		if _, err := kv.Put(ctx, key, []byte("damaged")); err != nil {
			t.Fatal(err)
		}
	}
	h, _, err := s.Head(ctx, unit)
	if h != nil || err != nil {
		t.Errorf("the catalog: %v, %v", h, err)
	}
	p, revision, err := s.Part(ctx, unit)
	if p != nil || revision == 0 || !errors.Is(err, ErrMissing) || !errors.Is(err, seal.ErrSealed) {
		t.Errorf("the part: %v, revision %d, %v", p, revision, err)
	}
	state, stateRevision, err := s.State(ctx)
	if state != nil || stateRevision == 0 || err != nil {
		t.Errorf("the state: %v, revision %d, %v", state, stateRevision, err)
	}
	var text string
	findings, err := s.Findings(ctx, unit, &text)
	if text != "" || findings == 0 || err != nil {
		t.Errorf("the findings: %q, revision %d, %v", text, findings, err)
	}
	if list, err := s.DeadLetters(ctx); len(list) > 0 || err != nil {
		t.Errorf("dead letters: %v, %v", list, err)
	}
	if list, err := s.Since(ctx, time.Time{}); len(list) > 0 || err != nil {
		t.Errorf("changes: %v, %v", list, err)
	}
	if nodes, err := s.Nodes(ctx, "test"); len(nodes) > 0 || err != nil {
		t.Errorf("nodes: %v, %v", nodes, err)
	}
	if _, err := s.Sweeper(0).Sweep(ctx); err != nil {
		t.Error(err)
	}
	if err := s.Healthy(); err == nil || !strings.Contains(err.Error(), "6 stored values are damaged") {
		t.Errorf("it is healthy: %v", err)
	}

	// All are replaced.
	put(t, s, catalogOf("a", "three"))
	if got := document(t, s, "a"); got != "three" {
		t.Errorf("got %q", got)
	}
	if _, err = s.PutPart(ctx, unit, part, revision); err == nil {
		_, _, err = s.Part(ctx, unit)
	}
	if err != nil {
		t.Error(err)
	}
	if _, err = s.PutState(ctx, &State{}, stateRevision); err == nil {
		_, _, err = s.State(ctx)
	}
	if err := errors.Join(err, s.PutFindings(ctx, unit, "new", findings), s.PutDead(ctx, &Dead{Unit: unit})); err != nil {
		t.Error(err)
	}
	put(t, s, catalogOf("a", "four"))
	_, _ = s.Findings(ctx, unit, &text)
	_, _ = s.DeadLetters(ctx)
	_, _ = s.Since(ctx, time.Time{})
	if err := s.Healthy(); err != nil || text != "new" {
		t.Errorf("%v, %q", err, text)
	}

	s.Close()
	if err := os.Remove(KeyFile(dir)); err != nil {
		t.Fatal(err)
	}
	key, err := Folder(dir)
	if err != nil {
		t.Fatal(err)
	}
	if other, err := Open(ctx, Options{Key: key, Dir: dir}); !errors.Is(err, ErrKey) {
		t.Errorf("another key opens the storage: %v", err)
		other.Close()
	}
}

// An extract of an earlier version, which is compressed like other values, is read.
func TestExtracts(t *testing.T) {
	s := open(t, stateDir(t), Options{})
	x := &Extract{Digest: "a digest", Epoch: "an epoch", Data: bytes.Repeat([]byte("meadow and hill "), 500)}
	if err := s.PutExtract(t.Context(), "unit", x); err != nil {
		t.Fatal(err)
	}
	data, err := withHead(x, x.Data)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.extracts.Put(t.Context(), "earlier", s.pack(extractLocation("earlier"), data)); err != nil {
		t.Fatal(err)
	}
	for _, unit := range []string{"unit", "earlier"} {
		if got, err := s.Extract(t.Context(), unit); err != nil || got == nil || got.Digest != x.Digest || got.Epoch != x.Epoch || !bytes.Equal(got.Data, x.Data) {
			t.Errorf("%s: got %+v, %v", unit, got, err)
		}
	}
	for name, text := range map[string][]byte{"s2": {inS2, 0xff, 0xff}, "zstd": []byte("neither"), "empty": nil} {
		if _, err := s.extracts.Put(t.Context(), name, s.box(extractLocation(name)).Seal(extractLocation(name), text)); err != nil {
			t.Fatal(err)
		}
		if got, err := s.Extract(t.Context(), name); got != nil || err != nil {
			t.Errorf("%s: a damaged extract is %+v, %v", name, got, err)
		}
	}
}
