// Package daemon runs the parts of a fleet in one process.
//
//	Serve   storage, coordinator, workers, feeds and HTTP
//	Work    workers of another process
//	Client  questions to a process that serves
package daemon

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"golang.org/x/sync/errgroup"

	"github.com/pcatdev/pcat/fleet/internal/alert"
	"github.com/pcatdev/pcat/fleet/internal/coordinate"
	"github.com/pcatdev/pcat/fleet/internal/decisions"
	"github.com/pcatdev/pcat/fleet/internal/feed/folder"
	"github.com/pcatdev/pcat/fleet/internal/feed/puppetdb"
	"github.com/pcatdev/pcat/fleet/internal/feed/terminus"
	"github.com/pcatdev/pcat/fleet/internal/health"
	"github.com/pcatdev/pcat/fleet/internal/overview"
	"github.com/pcatdev/pcat/fleet/internal/seal"
	"github.com/pcatdev/pcat/fleet/internal/store"
	"github.com/pcatdev/pcat/fleet/internal/web"
	"github.com/pcatdev/pcat/fleet/internal/webhook"
	"github.com/pcatdev/pcat/fleet/internal/work"
	"github.com/pcatdev/pcat/internal/source"
)

// Connection says how to reach the NATS server.
type Connection struct {
	// State is the state folder.
	State string
	// URL is the address of a server. Empty means the one that is embedded in the process
	// that serves.
	URL string
	// KeyFile is the file with the fleet key. Empty means the one in State.
	KeyFile string
	// Credentials is a file with credentials for NATS, or empty.
	Credentials string
	// TLS are the files for TLS with client certificates.
	TLS store.Files
	// Reader is set if the key of a reader is enough.
	Reader bool

	stays bool // [store.Options.Stays]
}

// keyFile returns the path of the fleet key.
func (c Connection) keyFile() string {
	if c.KeyFile != "" {
		return c.KeyFile
	}
	return store.KeyFile(c.State)
}

// key returns the fleet key.
func (c Connection) key() (*seal.Key, error) { return seal.Read(c.keyFile()) }

// Await is Open, and waits some time for a server that starts.
func (c Connection) Await(ctx context.Context, timeout time.Duration, log *slog.Logger) (*store.Store, error) {
	for start := time.Now(); ; {
		s, err := c.Open(ctx, log)
		if err == nil || time.Since(start) > timeout || errors.Is(err, nats.ErrAuthorization) || errors.Is(err, seal.ErrReader) {
			return s, err
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
			return nil, err
		}
	}
}

// Open connects to a server that runs.
func (c Connection) Open(ctx context.Context, log *slog.Logger) (*store.Store, error) {
	if c.URL == "" && c.State == "" || c.KeyFile == "" && c.State == "" {
		return nil, errors.New("give --state DIR of a pcatd serve on this machine, or --nats URL and --key-file FILE")
	}
	o := store.Options{URL: c.URL, Credentials: c.Credentials, Files: c.TLS, Stays: c.stays, Log: log}
	var err error
	if o.Key, err = c.key(); c.Reader && errors.Is(err, seal.ErrReader) {
		o.Reader, err = seal.ReadReader(c.keyFile())
	}
	if c.KeyFile == "" && errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no fleet in %s: give the --state of pcatd serve, which creates one", c.State)
	}
	if err != nil {
		return nil, err
	}
	if c.URL != "" {
		return store.Open(ctx, o)
	}
	if o.URL, err = store.Address(c.State); err != nil {
		return nil, err
	}
	o.Current = func() (string, error) { return store.Address(c.State) }
	s, err := store.Open(ctx, o)
	if err != nil {
		return nil, fmt.Errorf("no pcatd serve answers for %s, is it running? %w", c.State, err)
	}
	return s, nil
}

// Options are the options of [Serve].
type Options struct {
	Connection
	// Workers is the number of workers; negative means the number of processors.
	Workers int
	// Listen is the address for clients of the embedded server, HTTP that for monitoring and
	// readers. Empty means none.
	Listen, HTTP string
	// HTTPTLS are the files for HTTP, which other addresses than loopback need.
	HTTPTLS store.Files
	// Readers may read findings over HTTP. Version is that of pcatd, as they see it.
	Readers web.Readers
	Version string
	// MaxStore limits the size of the data; 0 means a default.
	MaxStore int64
	// AckWait is the time after which a silent worker is given up; 0 means a default.
	AckWait time.Duration
	// Replicas is the number of copies in a cluster of NATS servers; 0 means 1.
	Replicas int
	// Keep is how long superseded catalogs are kept.
	Keep time.Duration
	// Decisions are the files with decisions about findings.
	Decisions decisions.Files
	// SearchInterval is the least time between two searches for new secrets in all catalogs.
	SearchInterval time.Duration
	// Folders are folders with catalogs, NAME=DIR or DIR.
	Folders []string
	// Scan is the time between two scans of a folder, and Settle how long a file must be
	// unchanged. 0 means the default of each.
	Scan, Settle time.Duration
	// PuppetDB polls PuppetDB, with the settings of the agent on this machine. The interval
	// is the time between two polls; 0 means a default.
	PuppetDB         bool
	PuppetDBInterval time.Duration
	// PuppetDBSettings replaces the settings of the agent. Nil does not.
	PuppetDBSettings *source.Settings
	// Terminus is an address for catalogs of compilers, with Access. Empty means none. The
	// timeout bounds the time for which a compile waits; 0 means a default.
	Terminus        string
	TerminusTimeout time.Duration
	Access          terminus.Access
	// Expire is the time after which a complete catalog of a compiler is removed if it was
	// not compiled again. 0 means never.
	Expire time.Duration
	// Alerts are the settings of alerts. Without servers, there are none. Serve sets the
	// members that are not settings.
	Alerts alert.Options
	// Webhook are the settings of the webhook. Without a URL, there is none.
	Webhook webhook.Options
	// Now is the clock, and Free returns the number of bytes that are free on the disk of the
	// embedded server. Nil means those of the system.
	Now  func() time.Time
	Free func() (int64, error)
	Log  *slog.Logger

	fault func(step, unit string) error // [work.Options.Fault]
}

// folderOf returns the name and the path of an element of [Options.Folders].
func folderOf(f string) (name, dir string) {
	name, dir, named := strings.Cut(f, "=")
	if !named {
		return filepath.Base(f), f
	}
	return name, dir
}

// check looks for mistakes that would otherwise show only while the fleet runs.
func (o *Options) check() error {
	if err := alert.CheckSource(o.Alerts.SourceURL); err != nil {
		return err
	}
	names := map[string]bool{}
	for _, f := range o.Folders {
		name, dir := folderOf(f)
		switch {
		case name == "" || dir == "":
			return fmt.Errorf("--folder %s: write NAME=DIR", f)
		case names[name]:
			return fmt.Errorf("--folder %s: another folder has the name %s: write NAME=DIR", f, name)
		}
		names[name] = true
		if info, err := os.Stat(dir); err == nil && !info.IsDir() {
			return fmt.Errorf("--folder %s: %s is not a folder", f, dir)
		} else if err != nil {
			o.Log.Warn("the folder cannot be read, and is read when it can be", "folder", dir, "error", err)
		}
	}
	return nil
}

// Serve runs a fleet until the context ends.
func Serve(ctx context.Context, o Options) error {
	if err := o.check(); err != nil {
		return err
	}
	key, err := store.Folder(o.State)
	if err != nil {
		return err
	}
	if o.KeyFile != "" {
		if key, err = o.key(); err != nil {
			return err
		}
	}
	if key.Rotating() {
		o.Log.Warn("the rotation of the fleet key was interrupted: stop the fleet, and run pcatd key rotate again")
	}
	engine, err := work.NewEngine(key)
	if err != nil {
		return err
	}
	watched, err := decisions.New(o.Decisions, engine.Key(), o.Log)
	if err != nil {
		return err
	}
	alerts, err := o.alerts()
	if err != nil {
		return err
	}
	hook, err := o.webhook()
	if err != nil {
		return err
	}
	door, err := web.NewDoor(o.Readers)
	if err != nil {
		return err
	}
	so := store.Options{Key: key, Dir: o.State, URL: o.URL, Create: true, Stays: true, Credentials: o.Credentials, Files: o.TLS, MaxBytes: o.MaxStore, AckWait: o.AckWait, Replicas: o.Replicas, Free: o.Free, Log: o.Log}
	if o.URL == "" {
		so.Listen = o.Listen
	}
	s, err := store.Open(ctx, so)
	if err != nil {
		return err
	}
	defer s.Close()
	co := coordinate.Options{Store: s, Engine: engine, Decisions: watched, Log: o.Log, Keep: o.Keep, SearchInterval: o.SearchInterval, Now: o.Now}
	if alerts != nil {
		co.Recorded = alerts.Changed
	}
	c := coordinate.New(co)
	w := work.New(work.Options{Store: s, Engine: engine, Log: o.Log, Now: o.Now, Fault: o.fault})
	p := newProcess("serve", s, w, o.Now)
	p.Health.Add(c.Problems)
	p.Health.Add(health.Check("configuration", watched.Healthy))
	p.Status, p.Refuses = c.Status, s.Refuses
	p.Door = door
	p.Findings = overview.NewHandler(overview.Options{Fleet: s, Problems: p.Health.Problems, SourceURL: o.Alerts.SourceURL, Version: o.Version, Now: o.Now}, o.Log)
	g, ctx := errgroup.WithContext(ctx)
	if err := o.listeners(ctx, g, s, p); err != nil {
		return err
	}
	g.Go(func() error { return watch(ctx, s) })
	if err := p.watch(ctx, g); err != nil {
		return err
	}
	if alerts != nil {
		alerts.Records, alerts.Leads = s, func() bool { return c.Status().Leading }
		p.Health.Add(health.Check("alerts", alerts.Healthy))
		g.Go(func() error { alerts.Run(ctx); return nil })
	}
	if hook != nil {
		hook.Events, hook.Fleet = s, key.Name("fleet")[:8]
		p.Health.Add(health.Check("webhook", hook.Healthy))
		g.Go(func() error { hook.Run(ctx); return nil })
	}
	p.Health.Add(health.Check("readers", door.Healthy))
	g.Go(func() error { door.Run(ctx, o.Log); return nil })
	g.Go(func() error { watched.Run(ctx); return nil })
	g.Go(func() error { return c.Run(ctx) })
	o.feeds(ctx, g, s, p.Health)
	workers(ctx, g, o.Workers, w)
	o.Log.Info("serving", "state", o.State, "nats", s.Server())
	notify(ctx, g, c.Hangs, o.Log)
	err = g.Wait()
	if ctx.Err() != nil && (err == nil || errors.Is(err, context.Canceled)) {
		return nil
	}
	return err
}

// alerts returns the sender of alerts, or nil if there are none.
func (o *Options) alerts() (*alert.Sender, error) {
	if len(o.Alerts.Servers) == 0 {
		return nil, nil //nolint:nilnil // there are none
	}
	settings := o.Alerts
	settings.Log = o.Log
	return alert.New(settings)
}

// webhook returns the sender of events, or nil if there is none.
func (o *Options) webhook() (*webhook.Sender, error) {
	if o.Webhook.URL == "" {
		return nil, nil //nolint:nilnil // there is none
	}
	settings := o.Webhook
	settings.Log = o.Log
	return webhook.New(settings)
}

// starting is how long a worker waits for a server on this machine that starts.
const starting = 30 * time.Second

// WorkOptions are the options of [Work].
type WorkOptions struct {
	Connection
	// Workers is the number of workers; negative means the number of processors.
	Workers int
	// HTTP is the address for monitoring, with HTTPTLS for other addresses than loopback. Empty
	// means none.
	HTTP    string
	HTTPTLS store.Files
	// HTTPCRL is a file with the revocation lists of the CA of its clients, or empty.
	HTTPCRL string
	Log     *slog.Logger
}

// Work runs workers until the context ends.
func Work(ctx context.Context, o WorkOptions) error {
	door, err := web.NewDoor(web.Readers{CRL: o.HTTPCRL})
	if err != nil {
		return err
	}
	patience := starting
	if o.URL != "" {
		patience = 0
	}
	o.stays = true
	s, err := o.Await(ctx, patience, o.Log)
	if err != nil {
		return ended(ctx, err)
	}
	defer s.Close()
	key, err := o.key()
	if err != nil {
		return err
	}
	engine, err := work.NewEngine(key)
	if err != nil {
		return err
	}
	w := work.New(work.Options{Store: s, Engine: engine, Log: o.Log})
	p := newProcess("worker", s, w, nil)
	p.Door = door
	p.Health.Add(health.Check("monitoring", door.Healthy))
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { door.Run(ctx, o.Log); return nil })
	if err := monitoring(ctx, g, o.HTTP, o.HTTPTLS, p, o.Log); err != nil {
		return err
	}
	g.Go(func() error { return watch(ctx, s) })
	if err := p.watch(ctx, g); err != nil {
		return ended(ctx, err)
	}
	workers(ctx, g, o.Workers, w)
	o.Log.Info("working", "nats", s.Server())
	notify(ctx, g, func() bool { return false }, o.Log)
	return g.Wait()
}

func workers(ctx context.Context, g *errgroup.Group, n int, w *work.Worker) {
	if n < 0 {
		n = runtime.GOMAXPROCS(0)
	}
	for range n {
		g.Go(func() error { return w.Run(ctx) })
	}
}

// watch ends the process if nothing can be stored until it is started again.
func watch(ctx context.Context, s *store.Store) error {
	t := time.NewTicker(time.Second)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-t.C:
			if err := s.Failed(); err != nil {
				return err
			}
		}
	}
}

// The time within which a feed must succeed again: twice the time between two looks at its
// source, which is half a minute by default.
const (
	defaultLook = 30 * time.Second
	leastWithin = 10 * time.Second
)

func within(look time.Duration) time.Duration {
	return max(2*cmp.Or(look, defaultLook), leastWithin)
}

// feeds starts the feeds that poll.
func (o *Options) feeds(ctx context.Context, g *errgroup.Group, s *store.Store, m *health.Monitor) {
	for _, f := range o.Folders {
		name, dir := folderOf(f)
		name = "folder:" + name
		h := m.Feed(name, within(o.Scan))
		g.Go(func() error {
			return ended(ctx, folder.New(dir, h.Sink(s), folder.Options{Name: name, Scan: o.Scan, Settle: o.Settle, Log: o.Log, Observer: h}).Run(ctx))
		})
	}
	if o.PuppetDB {
		h := m.Feed("puppetdb", within(o.PuppetDBInterval))
		g.Go(func() error {
			settings := o.PuppetDBSettings
			if settings == nil {
				var err error
				if settings, err = source.ReadSettings(nil); err != nil {
					return err
				}
			}
			return ended(ctx, puppetdb.New(h.Sink(s), puppetdb.Options{Settings: settings, Interval: o.PuppetDBInterval, Log: o.Log, Observer: h}).Run(ctx))
		})
	}
	if o.Terminus != "" && o.Expire > 0 {
		g.Go(func() error { o.expire(ctx, s); return nil })
	}
}

// expire removes complete catalogs that are no longer compiled, until ctx ends.
func (o *Options) expire(ctx context.Context, s *store.Store) {
	for t := time.NewTicker(min(o.Expire/10+time.Second, time.Hour)); ; {
		n, err := s.Expire(ctx, terminus.CompletePrefix, time.Now().Add(-o.Expire))
		switch {
		case ctx.Err() != nil:
		case err != nil:
			o.Log.Warn("old catalogs of compilers not removed", "error", err)
		case n > 0:
			o.Log.Info("nodes that are no longer compiled are removed", "nodes", n, "after", o.Expire)
		}
		select {
		case <-ctx.Done():
			t.Stop()
			return
		case <-t.C:
		}
	}
}

// ended returns err, or nil if it is due to the end of ctx.
func ended(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil //nolint:nilerr // it is a consequence
	}
	return err
}

// listeners starts the HTTP servers.
func (o *Options) listeners(ctx context.Context, g *errgroup.Group, s *store.Store, p *process) error {
	if o.Terminus != "" {
		p.Commands = web.NewCommands()
	}
	if err := monitoring(ctx, g, o.HTTP, o.HTTPTLS, p, o.Log); err != nil {
		return err
	}
	if o.Terminus != "" {
		config, err := o.Access.TLS()
		if err != nil {
			return fmt.Errorf("HTTP for compilers: %w", err)
		}
		l, err := listen(ctx, o.Terminus, config)
		if err != nil {
			return fmt.Errorf("HTTP for compilers (--terminus): %w", err)
		}
		o.Log.Info("receiving catalogs of compilers", "address", l.Addr().String())
		h := p.Health.Feed(terminus.Feed, 0)
		serve(ctx, g, l, bodyTime, terminus.NewHandler(h.Sink(s), terminus.Options{
			Timeout: o.TerminusTimeout, Log: o.Log,
			Observe: func(outcome terminus.Outcome, took time.Duration) {
				p.Commands.Observe(string(outcome), took)
				switch outcome {
				case terminus.Refused:
					h.Refused()
				case terminus.Slow:
					h.Failed("catalogs of compilers are not stored in time: see the log")
				case terminus.Stored, terminus.Ignored, terminus.Removed, terminus.Dropped, terminus.Full, terminus.Failed: // the sink records them
				}
			},
		}))
	}
	return nil
}

// monitoring starts the HTTP server for monitoring, if it has an address.
func monitoring(ctx context.Context, g *errgroup.Group, address string, files store.Files, p *process, log *slog.Logger) error {
	if address == "" {
		return nil
	}
	read := files.Config
	if p.Door != nil {
		read = func() (*tls.Config, error) { return p.Door.TLS(files.Config) }
	}
	config, err := read()
	if err != nil {
		return fmt.Errorf("HTTP for monitoring: %w", err)
	}
	l, err := listen(ctx, address, config)
	if err != nil {
		return fmt.Errorf("HTTP for monitoring (--http): %w", err)
	}
	log.Info("monitoring", "address", l.Addr().String())
	serve(ctx, g, l, bodyTime, web.Handler(p.Process))
	return nil
}

// listen listens on an address. Other addresses than loopback need TLS.
func listen(ctx context.Context, address string, config *tls.Config) (net.Listener, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	if a, ok := l.Addr().(*net.TCPAddr); config == nil && (!ok || !a.IP.IsLoopback()) {
		return nil, errors.Join(fmt.Errorf("%s is not a loopback address: give a certificate, a key and a CA for TLS, too", address), l.Close())
	}
	if config != nil {
		l = tls.NewListener(l, config)
	}
	return l, nil
}

// bodyTime bounds the time in which a request arrives, with its body, and in which it is
// answered. The handler of commands has a shorter one.
const bodyTime = 10 * time.Second

// serve answers HTTP until the context ends. A request that does not arrive within some time
// ends with its connection.
func serve(ctx context.Context, g *errgroup.Group, l net.Listener, limit time.Duration, h http.Handler) {
	server := &http.Server{
		Handler: h, ReadHeaderTimeout: limit, ReadTimeout: limit, WriteTimeout: 3 * limit, IdleTimeout: time.Minute,
		ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug),
	}
	g.Go(func() error {
		if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			return err
		}
		return nil
	})
	g.Go(func() error {
		<-ctx.Done()
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 3*time.Second)
		defer cancel()
		if server.Shutdown(end) != nil {
			return server.Close()
		}
		return nil
	})
}
