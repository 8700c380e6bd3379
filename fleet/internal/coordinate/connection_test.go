package coordinate

import (
	"context"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/pcatdev/pcat/fleet/internal/fleettest"
	"github.com/pcatdev/pcat/fleet/internal/store"
	"github.com/pcatdev/pcat/fleet/internal/work"
)

// proxy passes connections on to a server, until they are dropped.
type proxy struct {
	net.Listener
	mu    sync.Mutex
	conns []net.Conn
}

func newProxy(t *testing.T, server string) *proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{Listener: l}
	t.Cleanup(func() { _ = l.Close(); p.drop() })
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", server)
			if err != nil {
				_ = in.Close()
				continue
			}
			p.mu.Lock()
			p.conns = append(p.conns, in, out)
			p.mu.Unlock()
			go func() { _, _ = io.Copy(in, out) }()
			go func() { _, _ = io.Copy(out, in) }()
		}
	}()
	return p
}

// drop ends all connections, and returns their number.
func (p *proxy) drop() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.conns {
		_ = c.Close()
	}
	n := len(p.conns) / 2
	p.conns = nil
	return n
}

// Workers whose connections are dropped lose nothing.
func TestDroppedConnections(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	f := newFleet(t, work.Options{})
	f.start(0)
	p := newProxy(t, f.store.Server())
	log := slog.New(slog.NewTextHandler(f.log, nil))
	client, err := store.Open(t.Context(), store.Options{Key: f.key, URL: "nats://" + p.Addr().String(), Log: log})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	ctx, cancel := context.WithCancel(t.Context())
	var workers sync.WaitGroup
	defer workers.Wait()
	defer cancel()
	w := work.New(work.Options{Store: client, Engine: f.engine, Log: log, Delay: 10 * time.Millisecond, Batches: 100, Units: 100})
	for range 2 {
		workers.Go(func() { _ = w.Run(ctx) })
	}
	dropped := 0
	f.fill(r, 10)
	for range 4 {
		time.Sleep(time.Duration(r.IntN(300)) * time.Millisecond)
		dropped += p.drop()
		f.put("node2", fleettest.Catalog(r, "node2"))
	}
	if dropped == 0 {
		t.Error("no connection was dropped")
	}
	f.check()
}
