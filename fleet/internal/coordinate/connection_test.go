package coordinate

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
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
	lose  atomic.Int32 // the number of requests to lose
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
			go p.send(out, in)
		}
	}()
	return p
}

// send passes the commands of a client on. It loses requests for values: a server that fails
// does not answer either.
func (p *proxy) send(out io.Writer, in io.Reader) {
	r := bufio.NewReader(in)
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return
		}
		fields := strings.Fields(line)
		command := []byte(line)
		lost := false
		if fields[0] == "PUB" || fields[0] == "HPUB" {
			size, err := strconv.Atoi(fields[len(fields)-1])
			if err != nil {
				return
			}
			payload := make([]byte, size+2)
			if _, err := io.ReadFull(r, payload); err != nil {
				return
			}
			command = append(command, payload...)
			lost = strings.HasPrefix(fields[1], "$JS.API.DIRECT.GET.") && p.lose.Add(-1) >= 0
		}
		if lost {
			continue
		}
		if _, err := out.Write(command); err != nil {
			return
		}
	}
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

// behind starts a fleet whose two workers reach it through a proxy.
func behind(t *testing.T) (*fleet, *proxy) {
	t.Helper()
	f := newFleet(t, work.Options{})
	f.start(0)
	p := newProxy(t, f.store.Server())
	log := slog.New(slog.NewTextHandler(f.log, nil))
	client, err := store.Open(t.Context(), store.Options{Key: f.key, URL: "nats://" + p.Addr().String(), Log: log})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var workers sync.WaitGroup
	t.Cleanup(func() { cancel(); workers.Wait(); client.Close() })
	w := work.New(work.Options{Store: client, Engine: f.engine, Log: log, Delay: 10 * time.Millisecond, Batches: 100, Units: 100})
	for range 2 {
		workers.Go(func() { _ = w.Run(ctx) })
	}
	return f, p
}

// Requests that are never answered are sent again.
func TestLostRequests(t *testing.T) {
	f, p := behind(t)
	p.lose.Store(2) // one of each worker
	f.fill(rand.New(rand.NewPCG(10, 10)), 10)
	f.check()
	if p.lose.Load() > 0 {
		t.Error("no request was lost")
	}
}

// Workers whose connections are dropped lose nothing.
func TestDroppedConnections(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	f, p := behind(t)
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
