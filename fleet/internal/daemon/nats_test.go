package daemon

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/pcatdev/pcat/audit/report"
	"github.com/pcatdev/pcat/fleet/internal/fleettest"
	"github.com/pcatdev/pcat/fleet/internal/seal"
	"github.com/pcatdev/pcat/fleet/internal/store"
)

// natsServer starts a NATS server of its own.
func natsServer(t *testing.T, o server.Options) *server.Server {
	t.Helper()
	o.Host, o.NoSigs, o.JetStream = "127.0.0.1", true, true
	if o.StoreDir == "" {
		o.StoreDir = t.TempDir()
	}
	o.JetStreamMaxStore, o.JetStreamMaxMemory = 4<<30, 64<<20
	if o.Port == 0 {
		o.Port = server.RANDOM_PORT
	}
	s, err := server.NewServer(&o)
	if err != nil {
		t.Fatal(err)
	}
	go s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	return s
}

func ready(t *testing.T, s *server.Server) {
	t.Helper()
	if !s.ReadyForConnections(20 * time.Second) {
		t.Fatal("the NATS server does not start")
	}
}

// outside is a fleet with another NATS server than the embedded one, and a worker beside the
// process that serves.
type outside struct {
	t      *testing.T
	key    *seal.Key
	client *Client
	log    *fleettest.Log
	rand   *rand.Rand
	docs   map[string][]byte
}

func newOutside(t *testing.T, address, credentials string, replicas int) *outside {
	t.Helper()
	o := &outside{t: t, log: new(fleettest.Log), rand: rand.New(rand.NewPCG(5, 5)), docs: map[string][]byte{}}
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(o.log)
		}
	})
	c := Connection{State: filepath.Join(t.TempDir(), "state"), URL: address, Credentials: credentials}
	log := slog.New(slog.NewTextHandler(o.log, nil))
	begin(t, Options{Connection: c, Workers: 1, Replicas: replicas, AckWait: time.Second, Log: log})
	var s *store.Store
	var err error
	for start := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		if s, err = c.Open(t.Context(), log); err == nil {
			break
		}
		if time.Since(start) > 90*time.Second {
			t.Fatal(err)
		}
	}
	t.Cleanup(s.Close)
	if o.key, err = c.key(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var worker sync.WaitGroup
	worker.Go(func() {
		if err := Work(ctx, WorkOptions{Connection: c, Workers: 1, Log: log}); err != nil {
			t.Errorf("the worker ends with %v", err)
		}
	})
	t.Cleanup(func() { cancel(); worker.Wait() })
	o.client = &Client{Store: s, Timeout: 30 * time.Second}
	return o
}

// ingest delivers catalogs until they are stored.
func (o *outside) ingest(n int) {
	o.t.Helper()
	dir := o.t.TempDir()
	var files []string
	for i := range n {
		node := fmt.Sprint("node", o.rand.IntN(15))
		path := filepath.Join(dir, fmt.Sprint(i), node+".json")
		data := fleettest.Whole(o.rand, node)
		if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
			o.t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			o.t.Fatal(err)
		}
		files = append(files, path)
		o.docs["test/"+node] = data
	}
	for start := time.Now(); ; time.Sleep(100 * time.Millisecond) {
		err := o.client.Ingest(o.t.Context(), "test", files)
		if err == nil {
			return
		}
		if time.Since(start) > 40*time.Second {
			o.t.Fatal(err)
		}
	}
}

// check compares the report with that of one audit.
func (o *outside) check() {
	o.t.Helper()
	ctx, cancel := context.WithTimeout(o.t.Context(), time.Minute)
	defer cancel()
	if s, err := o.client.Wait(ctx); err != nil {
		o.t.Fatalf("%+v, %v", s, err)
	}
	r, err := fleettest.Report(o.docs, o.key.Derive("fingerprints"))
	if err != nil {
		o.t.Fatal(err)
	}
	var want bytes.Buffer
	if err := report.Write(&want, "json", r, report.Options{}); err != nil {
		o.t.Fatal(err)
	}
	if got, err := o.client.Report(o.t.Context(), "json"); err != nil || string(got) != want.String() {
		o.t.Errorf("got %v,\n%s\nwant\n%s", err, got, &want)
	}
}

func TestPlainServer(t *testing.T) {
	s := natsServer(t, server.Options{})
	ready(t, s)
	o := newOutside(t, s.ClientURL(), "", 0)
	o.ingest(20)
	o.check()
}

func TestPassword(t *testing.T) {
	const password = "tr0mbone-walrus"
	s := natsServer(t, server.Options{Username: "pcat", Password: password})
	ready(t, s)
	address := "nats://pcat:" + password + "@" + s.Addr().String()
	o := newOutside(t, address, "", 0)
	o.ingest(10)
	o.check()
	if strings.Contains(o.log.String(), password) || strings.Contains(o.client.Store.Server(), password) {
		t.Error("the log contains the password")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "password")
	if err := os.WriteFile(file, []byte("pcat:"+password+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	plain := store.Options{Key: o.key, URL: s.ClientURL(), Credentials: file}
	if s, err := store.Open(t.Context(), plain); err != nil {
		t.Errorf("with the password in a file: %v", err)
	} else {
		s.Close()
	}
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	for name, o := range map[string]store.Options{
		"none":      {Key: o.key, URL: s.ClientURL()},
		"wrong":     {Key: o.key, URL: "nats://pcat:" + password + "2@" + s.Addr().String()},
		"port":      {Key: o.key, URL: address + "1x"},
		"several":   {Key: o.key, URL: "nats://pcat:" + password + "@127.0.0.1:1,nats://pcat:" + password + "@127.0.0.1:2"},
		"escape":    {Key: o.key, URL: "nats://pcat:" + password + "%zz@127.0.0.1:1"},
		"space":     {Key: o.key, URL: "nats://pcat:" + password + " @127.0.0.1:1"},
		"all read":  plain,
		"not there": {Key: o.key, URL: s.ClientURL(), Credentials: file + "2"},
	} {
		s, err := store.Open(t.Context(), o)
		if err == nil {
			s.Close()
			t.Errorf("%s: it connects", name)
		} else if strings.Contains(err.Error(), password) || strings.Contains(err.Error(), url.QueryEscape(password)) {
			t.Errorf("%s: the error contains the password: %v", name, err)
		}
	}
}

// Stored values that are damaged, or put there by somebody else, cost nothing but the work of
// replacing them.
func TestDamagedStorage(t *testing.T) {
	t.Parallel()
	server := natsServer(t, server.Options{})
	ready(t, server)
	o := newOutside(t, server.ClientURL(), "", 0)
	o.ingest(20)
	o.check()
	c, err := nats.Connect(server.ClientURL())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	js, err := jetstream.New(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, bucket := range []string{"parts", "findings", "past", "catalogs"} {
		kv, err := js.KeyValue(t.Context(), bucket)
		if err != nil {
			t.Fatal(err)
		}
		keys, err := kv.Keys(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, key := range keys[:min(3, len(keys))] {
			if _, err := kv.Put(t.Context(), key, []byte("damaged")); err != nil {
				t.Fatal(err)
			}
		}
		if bucket == "parts" {
			o.check() // they are written again
		}
	}
	for name, data := range o.docs {
		path := filepath.Join(t.TempDir(), filepath.Base(name)+".json")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := o.client.Ingest(t.Context(), "test", []string{path}); err != nil {
			t.Fatal(err)
		}
	}
	o.check()
	if text := o.log.String(); !strings.Contains(text, "a stored value is damaged") || strings.Contains(text, "starting again") {
		t.Errorf("the log: %s", text)
	}
}

// In a cluster, one of three servers may fail at any time.
func TestCluster(t *testing.T) {
	if testing.Short() {
		t.Skip("takes most of a minute")
	}
	t.Parallel()
	cluster := fleettest.NewCluster(t, 3)
	c, err := nats.Connect(cluster.Address())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	js, err := jetstream.New(c)
	if err != nil {
		t.Fatal(err)
	}
	interrupted(t, js)
	o := newOutside(t, cluster.Address(), "", 3)
	o.ingest(15)
	o.check()
	n := 0
	for info := range js.ListStreams(t.Context()).Info() {
		if n++; info.Config.Replicas != 3 || info.Config.AllowDirect {
			t.Errorf("%s: %d replicas, direct access: %t", info.Config.Name, info.Config.Replicas, info.Config.AllowDirect)
		}
	}
	if n < 10 {
		t.Errorf("there are %d streams", n)
	}
	for i := range 3 {
		o.ingest(10)
		cluster.Stop(i)
		stopped := time.Now()
		o.ingest(5)
		o.check()
		t.Logf("settled %v after a server was stopped", time.Since(stopped).Round(100*time.Millisecond))
		if i == 1 { // two rounds: each server leads some of the streams
			break
		}
		cluster.Restart(i)
		awaitCopies(t, js)
	}
	o.ingest(5)
	o.check()
}

// interrupted creates two buckets like a first start that is interrupted before it configures them.
func interrupted(t *testing.T, js jetstream.JetStream) {
	t.Helper()
	for start := time.Now(); ; time.Sleep(100 * time.Millisecond) {
		_, err := js.CreateOrUpdateKeyValue(t.Context(), jetstream.KeyValueConfig{Bucket: "past", MaxBytes: 1 << 20, History: 1, Replicas: 3})
		if err == nil {
			_, err = js.CreateOrUpdateObjectStore(t.Context(), jetstream.ObjectStoreConfig{Bucket: "knowledge", MaxBytes: 1 << 20, Replicas: 3})
		}
		if err == nil {
			return
		}
		if time.Since(start) > time.Minute {
			t.Fatal(err)
		}
	}
}

// awaitCopies waits until all copies of all streams are complete.
func awaitCopies(t *testing.T, js jetstream.JetStream) {
	t.Helper()
	for start := time.Now(); ; time.Sleep(100 * time.Millisecond) {
		behind := ""
		list := js.ListStreams(t.Context())
		for info := range list.Info() {
			for _, r := range info.Cluster.Replicas {
				if !r.Current || r.Offline {
					behind = info.Config.Name
				}
			}
		}
		if behind == "" && list.Err() == nil {
			return
		}
		if time.Since(start) > 40*time.Second {
			t.Fatalf("the copies of %s are not complete, %v", behind, list.Err())
		}
	}
}

// A worker whose server begins to refuse it ends, so that a supervisor starts it again with the
// current credentials.
func TestRefusedWorker(t *testing.T) {
	dir := t.TempDir()
	first := natsServer(t, server.Options{Username: "pcat", Password: "fr0m-then", StoreDir: dir})
	ready(t, first)
	file := filepath.Join(t.TempDir(), "credentials")
	if err := os.WriteFile(file, []byte("pcat:fr0m-then\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := Connection{State: filepath.Join(t.TempDir(), "state"), URL: first.ClientURL(), Credentials: file}
	key, err := store.Folder(c.State)
	if err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(t.Context(), store.Options{Key: key, URL: c.URL, Credentials: file, Create: true, MaxBytes: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	log := new(fleettest.Log)
	ended := make(chan error, 1)
	go func() {
		ended <- Work(t.Context(), WorkOptions{Connection: c, Workers: 1, Log: slog.New(slog.NewTextHandler(log, nil))})
	}()
	for start := time.Now(); !strings.Contains(log.String(), "msg=working"); time.Sleep(10 * time.Millisecond) {
		if time.Since(start) > time.Minute {
			t.Fatalf("it does not work: %s", log)
		}
	}
	port := first.Addr().(*net.TCPAddr).Port
	first.Shutdown()
	first.WaitForShutdown()
	natsServer(t, server.Options{Username: "pcat", Password: "fr0m-now", StoreDir: dir, Port: port})
	select {
	case err := <-ended:
		if !errors.Is(err, nats.ErrAuthorization) {
			t.Errorf("got %v", err)
		}
	case <-time.After(time.Minute):
		t.Error("the worker waits")
	}
}
