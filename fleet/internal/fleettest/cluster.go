package fleettest

import (
	"fmt"
	"net"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// Cluster are NATS servers that work together. Its methods are for one goroutine.
type Cluster struct {
	t         *testing.T
	options   []server.Options
	servers   []*server.Server
	addresses []string
}

// NewCluster starts n NATS servers for a test, and waits until they work together.
func NewCluster(t *testing.T, n int) *Cluster {
	t.Helper()
	c := &Cluster{t: t}
	ports := freePorts(t, n)
	var routes []*url.URL
	for _, port := range ports {
		routes = append(routes, &url.URL{Scheme: "nats", Host: fmt.Sprint("127.0.0.1:", port)})
	}
	for i, port := range ports {
		c.options = append(c.options, server.Options{
			ServerName: fmt.Sprint("n", i), Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true, Routes: routes,
			Cluster:   server.ClusterOpts{Name: "fleet", Host: "127.0.0.1", Port: port},
			JetStream: true, StoreDir: t.TempDir(), JetStreamMaxStore: 4 << 30, JetStreamMaxMemory: 64 << 20,
		})
		c.servers = append(c.servers, c.start(i))
	}
	for i, s := range c.servers {
		c.ready(s)
		c.addresses = append(c.addresses, s.ClientURL())
		c.options[i].Port = s.Addr().(*net.TCPAddr).Port //nolint:forcetypeassert // of this network
	}
	for start := time.Now(); !c.works(); time.Sleep(50 * time.Millisecond) {
		if time.Since(start) > 30*time.Second {
			t.Fatal("the cluster has no leader")
		}
	}
	return c
}

// Address returns the addresses of all servers, with commas between them.
func (c *Cluster) Address() string { return strings.Join(c.addresses, ",") }

// Stop stops a server.
func (c *Cluster) Stop(i int) {
	c.servers[i].Shutdown()
	c.servers[i].WaitForShutdown()
}

// Restart starts a server that was stopped, at its address.
func (c *Cluster) Restart(i int) {
	c.t.Helper()
	c.servers[i] = c.start(i)
	c.ready(c.servers[i])
}

func (c *Cluster) start(i int) *server.Server {
	c.t.Helper()
	o := c.options[i]
	s, err := server.NewServer(&o)
	if err != nil {
		c.t.Fatal(err)
	}
	go s.Start()
	c.t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	return s
}

func (c *Cluster) ready(s *server.Server) {
	c.t.Helper()
	if !s.ReadyForConnections(20 * time.Second) {
		c.t.Fatal("the NATS server does not start")
	}
}

func (c *Cluster) works() bool {
	leads := false
	for _, s := range c.servers {
		if !s.JetStreamIsCurrent() {
			return false
		}
		leads = leads || s.JetStreamIsLeader()
	}
	return leads
}

func freePorts(t *testing.T, n int) []int {
	t.Helper()
	var ports []int
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = l.Close() }()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port) //nolint:forcetypeassert // of this network
	}
	return ports
}
