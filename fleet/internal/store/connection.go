package store

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/pcatdev/pcat/internal/secretfile"
)

func (s *Store) connect(o Options) error {
	options := []nats.Option{
		nats.Name("pcatd"),
		nats.MaxReconnects(-1),
		nats.ReconnectWait(500 * time.Millisecond),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { s.log.Warn("NATS", "error", err) }),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				s.log.Warn("the connection to NATS is lost", "error", err)
			}
		}),
		nats.ReconnectHandler(func(c *nats.Conn) {
			s.log.Info("connected to NATS again", "server", c.ConnectedUrlRedacted())
			s.again.happened()
		}),
	}
	urls, named, err := parseURLs(o.URL)
	if err != nil {
		return err
	}
	if o.Credentials != "" {
		option, err := credentials(o.Credentials)
		if err != nil {
			return err
		}
		options = append(options, option)
		named = true
	}
	if o.Reader != nil {
		options = append(options, nats.CustomInboxPrefix(readerInbox))
	}
	if o.Current != nil {
		options = append(options, nats.SetCustomDialer(dialer(o.Current)))
	}
	if s.server != nil {
		options = append(options, nats.InProcessServer(s.server))
	} else if o.TLS != nil {
		options = append(options, nats.Secure(o.TLS))
	}
	user, err := userOf(o.login())
	if err != nil {
		return err
	}
	public, err := user.PublicKey()
	if err != nil {
		return err
	}
	signed := options
	if !named {
		signed = append(options[:len(options):len(options)], nats.Nkey(public, user.Sign))
	}
	s.conn, err = nats.Connect(strings.Join(urls, ","), signed...)
	if errors.Is(err, nats.ErrNkeysNotSupported) { // a server without users
		s.conn, err = nats.Connect(strings.Join(urls, ","), options...)
	}
	switch {
	case errors.Is(err, nats.ErrAuthorization):
		return fmt.Errorf("NATS server %s refuses the connection: is this the fleet key, or the file of --credentials, of this fleet? %w", redacted(urls), err)
	case errors.Is(err, nats.ErrNoServers):
		return fmt.Errorf("NATS server %s: nothing answers there", redacted(urls))
	case err != nil:
		return fmt.Errorf("NATS server %s: %w", redacted(urls), err)
	}
	s.js, err = jetstream.New(s.conn)
	return err
}

// reconnects calls functions when there is a new connection, on which the server does not
// know of earlier requests. The zero value is ready.
type reconnects struct {
	mu    sync.Mutex
	calls map[*func()]struct{}
}

// call arranges for f to be called, until stop is.
func (r *reconnects) call(f func()) (stop func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.calls == nil {
		r.calls = map[*func()]struct{}{}
	}
	r.calls[&f] = struct{}{}
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.calls, &f)
	}
}

func (r *reconnects) happened() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for f := range r.calls {
		(*f)()
	}
}

// Connected returns a context that ends when there is another connection to the server.
// The server may never answer a request of the one before.
func (s *Store) Connected(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	forget := s.again.call(cancel)
	return ctx, func() { forget(); cancel() }
}

// flush waits until the server has received everything sent so far. If the connection is lost
// in between, it waits for the next one.
func (s *Store) flush(ctx context.Context) error {
	for {
		limited, cancel := context.WithTimeout(ctx, 10*time.Second) // FlushWithContext requires a deadline
		err := s.conn.FlushWithContext(limited)
		cancel()
		switch {
		case err == nil:
			return nil
		case s.conn.IsClosed():
			return cmp.Or(s.Failed(), err)
		case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
			s.log.Warn("NATS does not answer, waiting")
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Failed returns an error if nothing can be stored until the process is started again: the
// embedded server stopped storing anything, or a part of it, which it does after an error of
// the disk, or the other server ended the connection for good.
func (s *Store) Failed() error {
	if s.conn.IsClosed() && !s.closed.Load() {
		return fmt.Errorf("NATS ended the connection: %w", cmp.Or(s.conn.LastError(), nats.ErrConnectionClosed))
	}
	if s.server == nil {
		return nil
	}
	reason := s.server.broken()
	if reason == "" {
		return nil
	}
	if free, err := s.free(); err == nil && free < reserve {
		return fmt.Errorf("the storage in %s stopped, because the disk is full: free space, and start again", s.dir)
	}
	return fmt.Errorf("the storage in %s stopped, because a part of it cannot be written or read (%s): check the disk, and start again", s.dir, reason)
}

// dialer connects to the current address of a server, which may have another one since it
// was started again.
type dialer func() (string, error)

// Dial implements [nats.CustomDialer].
func (d dialer) Dial(network, _ string) (net.Conn, error) {
	address, err := d()
	if err != nil {
		return nil, err
	}
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	return net.DialTimeout(network, u.Host, 2*time.Second)
}

// parseURLs returns the addresses of a list with commas, and whether one has a user. An
// error does not quote them: they may contain passwords.
func parseURLs(list string) (urls []string, named bool, err error) {
	if list == "" {
		return nil, false, nil
	}
	for i, text := range strings.Split(list, ",") {
		if text = strings.TrimSpace(text); !strings.Contains(text, "://") {
			text = "nats://" + text
		}
		u, err := url.Parse(text)
		if err != nil || u.Hostname() == "" {
			return nil, false, fmt.Errorf("NATS server: address %d is not an URL such as nats://host:4222", i+1)
		}
		urls, named = append(urls, text), named || u.User != nil
	}
	return urls, named, nil
}

// redacted returns addresses without their users and passwords.
func redacted(urls []string) string {
	var list []string
	for _, text := range urls {
		if u, err := url.Parse(text); err == nil {
			u.User = nil
			list = append(list, u.String())
		}
	}
	return strings.Join(list, ",")
}

// credentials returns the option for a file with credentials: those of NATS, or a line
// USER:PASSWORD.
func credentials(path string) (nats.Option, error) {
	data, err := secretfile.Read(path, 1<<20)
	if err != nil {
		return nil, fmt.Errorf("credentials for NATS: %w", err)
	}
	if bytes.Contains(data, []byte("-----BEGIN")) {
		return nats.UserCredentials(path), nil
	}
	user, password, found := strings.Cut(strings.TrimSpace(string(data)), ":")
	if !found || strings.ContainsAny(password, "\r\n") {
		return nil, fmt.Errorf("credentials for NATS: %s has neither credentials of NATS nor a line USER:PASSWORD", path)
	}
	return nats.UserInfo(user, password), nil
}
