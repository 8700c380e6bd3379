package daemon

import (
	"cmp"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pcatdev/pcat/fleet/internal/feed"
	"github.com/pcatdev/pcat/fleet/internal/feed/terminus"
	"github.com/pcatdev/pcat/fleet/internal/store"
)

// certificates writes a CA, and a certificate for loopback that it signed.
func certificates(t *testing.T) store.Files {
	t.Helper()
	dir := t.TempDir()
	files := store.Files{Certificate: filepath.Join(dir, "cert.pem"), Key: filepath.Join(dir, "key.pem"), CA: filepath.Join(dir, "ca.pem")}
	write := func(path, kind string, data []byte) {
		if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: data}), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	ca := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "ca"}, NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	own := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "fleet"}, NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	for path, c := range map[string]*x509.Certificate{files.CA: ca, files.Certificate: own} {
		data, err := x509.CreateCertificate(rand.Reader, c, ca, &key.PublicKey, key)
		if err != nil {
			t.Fatal(err)
		}
		write(path, "CERTIFICATE", data)
	}
	data, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	write(files.Key, "EC PRIVATE KEY", data)
	return files
}

// begin serves until the test ends, or end is called.
func begin(t *testing.T, o Options) (end func()) {
	t.Helper()
	o.MaxStore = cmp.Or(o.MaxStore, 1<<30)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- Serve(ctx, o) }()
	end = sync.OnceFunc(func() {
		cancel()
		select {
		case err := <-done:
			if err != nil {
				t.Errorf("serving ends with %v", err)
			}
		case <-time.After(time.Minute):
			t.Error("serving does not end")
		}
	})
	t.Cleanup(end)
	return end
}

// With TLS, other addresses are possible, and both sides need a certificate.
func TestTLS(t *testing.T) {
	c := Connection{State: filepath.Join(t.TempDir(), "state"), TLS: certificates(t)}
	begin(t, Options{Connection: c, Listen: "0.0.0.0:0", Workers: 1})
	var s *store.Store
	var err error
	for start := time.Now(); time.Since(start) < 10*time.Second; time.Sleep(20 * time.Millisecond) {
		var address string
		if address, err = store.Address(c.State); err != nil {
			continue
		}
		_, port, _ := net.SplitHostPort(strings.TrimPrefix(address, "tls://"))
		o := c
		o.URL = "tls://127.0.0.1:" + port
		if s, err = o.Open(t.Context(), nil); err != nil {
			continue
		}
		defer s.Close()
		client := &Client{Store: s, Timeout: time.Minute}
		if _, err := client.Wait(t.Context()); err != nil {
			t.Error(err)
		}
		o.TLS = store.Files{}
		if s, err := o.Open(t.Context(), nil); err == nil {
			s.Close()
			t.Error("a client without a certificate is connected")
		}
		o.TLS = certificates(t) // of another CA
		if s, err := o.Open(t.Context(), nil); err == nil {
			s.Close()
			t.Error("a client with a foreign certificate is connected")
		}
		return
	}
	t.Fatal(err)
}

// local starts pcatd with a storage of its test, and returns the storage, a client, and the connection for others.
func local(t *testing.T) (*store.Store, *Client, Connection) {
	t.Helper()
	c := Connection{State: filepath.Join(t.TempDir(), "state")}
	begin(t, Options{Connection: c, Listen: "127.0.0.1:0", Workers: 1})
	s, err := c.Await(t.Context(), time.Minute, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s, &Client{Store: s, Timeout: time.Minute}, c
}

func TestDeliver(t *testing.T) {
	s, client, _ := local(t)
	dir := t.TempDir()
	var again []string
	for name, text := range map[string]string{
		"a.json": `{"name":"web","resources":[]}`, "other.json": "hunter2", "empty.json": "", "broken.json": `{"name":"db","resources":[{"title":"hunter2`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	files := []string{filepath.Join(dir, "broken.json"), filepath.Join(dir, "a.json"), filepath.Join(dir, "other.json")}
	if err := client.Ingest(t.Context(), "f", files); !errors.Is(err, ErrUnreadable) || strings.Contains(err.Error(), "a.json") || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("got %v for broken files", err)
	}
	for i := range 10 { // the last file of a node remains
		path := filepath.Join(dir, fmt.Sprint("again", i))
		if err := os.WriteFile(path, []byte(fmt.Sprintf(`{"name":"web","version":%d,"resources":[]}`, i)), 0o600); err != nil {
			t.Fatal(err)
		}
		again = append(again, path)
	}
	if err := client.Ingest(t.Context(), "f", again); err != nil {
		t.Error(err)
	}
	if h, _, err := s.Head(t.Context(), s.Unit("f", "web")); err != nil || h == nil {
		t.Errorf("got %v, %v", h, err)
	} else if data, err := s.Document(t.Context(), h); err != nil || !strings.Contains(string(data), `"version":9`) {
		t.Errorf("got %s, %v", data, err)
	}
	if err := client.Ingest(t.Context(), "f", []string{filepath.Join(dir, "empty.json")}); err == nil || !strings.Contains(err.Error(), "the file is empty") {
		t.Errorf("got %v for an empty file", err)
	}
	status, err := client.Wait(t.Context())
	if err != nil || status.Units["f"] != 1 {
		t.Errorf("got %+v, %v", status, err)
	}
	if _, err := client.Retry(t.Context(), []string{"web"}); err == nil {
		t.Error("a unit that is not dead is tried again")
	}
	if n, err := client.Retry(t.Context(), nil); n != 0 || err != nil {
		t.Errorf("got %d, %v", n, err)
	}
}

// A complete catalog of a compiler is removed when it was not compiled again.
func TestExpire(t *testing.T) {
	files := certificates(t)
	access := terminus.Access{Certificate: files.Certificate, Key: files.Key, CA: files.CA, Certnames: []string{"compiler"}}
	c := Connection{State: filepath.Join(t.TempDir(), "state")}
	begin(t, Options{Connection: c, Listen: "127.0.0.1:0", Terminus: "127.0.0.1:0", Access: access, Expire: time.Second})
	s, err := c.Await(t.Context(), time.Minute, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, name := range []string{terminus.Complete("production"), "other"} {
		if err := s.Put(t.Context(), feed.Catalog{Feed: name, Node: "web", Data: []byte("{}")}); err != nil {
			t.Fatal(err)
		}
	}
	for start := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		nodes, err := s.Nodes(t.Context(), terminus.Complete("production"))
		if err == nil && len(nodes) == 0 {
			break
		}
		if time.Since(start) > time.Minute {
			t.Fatalf("got %v, %v", nodes, err)
		}
	}
	if nodes, err := s.Nodes(t.Context(), "other"); err != nil || len(nodes) != 1 {
		t.Errorf("got %v, %v", nodes, err)
	}
}

// A server that is started again has another address. Its clients and workers find it.
func TestAnotherAddress(t *testing.T) {
	c := Connection{State: filepath.Join(t.TempDir(), "state")}
	end := begin(t, Options{Connection: c, Listen: "127.0.0.1:0"})
	s, err := c.Await(t.Context(), time.Minute, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	before, err := store.Address(c.State)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	worker := make(chan error, 1)
	go func() {
		worker <- Work(ctx, WorkOptions{Connection: c, Workers: 1, Log: slog.New(slog.DiscardHandler)})
	}()
	defer func() {
		cancel()
		if err := <-worker; err != nil {
			t.Errorf("the worker ends with %v", err)
		}
	}()
	client := &Client{Store: s, Timeout: time.Minute}
	if err := client.Ingest(t.Context(), "f", []string{catalogFile(t, "db")}); err != nil {
		t.Fatal(err)
	}
	if _, err := client.Wait(t.Context()); err != nil { // for the worker, too
		t.Fatal(err)
	}
	end()
	l, err := net.Listen("tcp", strings.TrimPrefix(before, "nats://")) // nobody gets it again
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	begin(t, Options{Connection: c, Listen: "127.0.0.1:0"})
	path := catalogFile(t, "web")
	for start := time.Now(); ; time.Sleep(100 * time.Millisecond) {
		if err = client.Ingest(t.Context(), "f", []string{path}); err == nil {
			break
		}
		if time.Since(start) > time.Minute {
			t.Fatal(err)
		}
	}
	if status, err := client.Wait(t.Context()); err != nil || status.Units["f"] != 2 {
		t.Errorf("got %+v, %v", status, err)
	}
}

// catalogFile returns a file with the catalog of a node.
func catalogFile(t *testing.T, node string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), node+".json")
	if err := os.WriteFile(path, []byte(`{"name":"`+node+`","resources":[]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
