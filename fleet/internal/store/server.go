package store

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"

	"github.com/pcatdev/pcat/fleet/internal/seal"
)

// Files of the state folder.
const (
	keyFile     = "fleet.key"
	addressFile = "address"
	lockFile    = "lock"
)

// KeyFile returns the path of the fleet key in a state folder.
func KeyFile(dir string) string { return filepath.Join(dir, keyFile) }

// ErrNotServed reports that no process serves a state folder.
var ErrNotServed = errors.New("no pcatd serve runs")

// Address returns the address of the server that runs in a state folder. The error is
// [ErrNotServed] if there is none.
func Address(dir string) (string, error) {
	data, err := os.ReadFile(filepath.Join(dir, addressFile))
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("%w in %s: start it, or give the --state or --nats that it was started with", ErrNotServed, dir)
		}
		return "", fmt.Errorf("address of pcatd serve: %w", err)
	}
	return strings.TrimSpace(string(data)), nil
}

// Folder creates a state folder, or checks that only its owner can read it, and returns
// its fleet key.
func Folder(dir string) (*seal.Key, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("state folder: %w", err)
	}
	info, err := os.Stat(dir)
	if err != nil {
		return nil, fmt.Errorf("state folder: %w", err)
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("state folder: %s is not a folder", dir)
	}
	if err := private(dir, info); err != nil {
		return nil, err
	}
	return seal.Create(KeyFile(dir))
}

// embedded is a server in this process.
type embedded struct {
	*server.Server
	dir  string
	lock *os.File
}

// startServer starts a server with its files in dir.
func startServer(dir string, o Options) (*embedded, error) {
	lock, err := lockFolder(filepath.Join(dir, lockFile))
	if err != nil {
		return nil, fmt.Errorf("state folder: %s is used by another pcatd serve, or cannot be written: %w", dir, err)
	}
	users, err := users(o.Key)
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	so := &server.Options{
		ServerName:         "pcatd",
		DontListen:         o.Listen == "",
		NoSigs:             true,
		JetStream:          true,
		StoreDir:           filepath.Join(dir, "nats"),
		JetStreamMaxStore:  1 << 50, // the streams have limits, which can become smaller one by one
		JetStreamMaxMemory: 64 << 20,
		SyncInterval:       5 * time.Second,
		MaxPayload:         maxPayload,
		Nkeys:              users,
	}
	if o.Listen != "" {
		if err := listen(so, o.Listen, o.TLS); err != nil {
			return nil, errors.Join(err, lock.Close())
		}
		if err := unused(o.Listen); err != nil {
			return nil, errors.Join(err, lock.Close())
		}
	}
	s, err := server.NewServer(so)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("NATS server: %w", err), lock.Close())
	}
	e := &embedded{Server: s, dir: dir, lock: lock}
	s.SetLoggerV2(&serverLog{o.Log}, false, false, false)
	go s.Start()
	if !s.ReadyForConnections(time.Minute) {
		e.stop()
		return nil, fmt.Errorf("NATS server: it does not start, see its messages; is %s free?", o.Listen)
	}
	if !s.JetStreamEnabled() {
		e.stop()
		return nil, fmt.Errorf("NATS server: its storage in %s does not start, see its messages", so.StoreDir)
	}
	if o.Listen == "" {
		return e, nil
	}
	scheme := "nats"
	if o.TLS != nil {
		scheme = "tls"
	}
	if err := seal.Replace(filepath.Join(dir, addressFile), func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%s://%s\n", scheme, s.Addr())
		return err
	}); err != nil {
		e.stop()
		return nil, err
	}
	return e, nil
}

// unused returns an error if another program listens on an address. The server itself would
// take a minute to say so.
func unused(address string) error {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return fmt.Errorf("address for NATS clients: %w", err)
	}
	return l.Close()
}

// listen sets the address of a server. Other addresses than loopback need TLS.
func listen(so *server.Options, address string, config *tls.Config) error {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return fmt.Errorf("address for NATS clients: %w", err)
	}
	n, err := strconv.Atoi(port)
	if err != nil || n < 0 || n > 65535 {
		return fmt.Errorf("address for NATS clients: %q is not a port", port)
	}
	if n == 0 {
		n = server.RANDOM_PORT
	}
	ip := net.ParseIP(host)
	if config == nil && host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return fmt.Errorf("address for NATS clients: %s is not a loopback address: give a certificate, a key and a CA for TLS, too", address)
	}
	so.Host, so.Port = host, n
	if config != nil {
		so.TLS, so.TLSVerify, so.TLSConfig, so.TLSTimeout = true, true, config, 5
	}
	return nil
}

// broken returns why the server stopped to store anything, or a part of it, or nothing. It
// does not look at connections, which can be slow on a busy machine.
func (e *embedded) broken() string {
	for _, one := range e.Healthz(&server.HealthzOptions{Details: true}).Errors {
		switch one.Type {
		case server.HealthzErrorJetStream, server.HealthzErrorStream:
			return one.Error
		}
	}
	return ""
}

func (e *embedded) stop() {
	_ = os.Remove(filepath.Join(e.dir, addressFile))
	e.Shutdown()
	e.WaitForShutdown()
	_ = e.lock.Close()
}

// users returns the users of an embedded server: those with the fleet key, who may do
// everything, and those with the reader's key, who may ask. A reader must not use the API of
// JetStream: its answers, and the messages of consumers, can be sent to any subject.
func users(key *seal.Key) ([]*server.NkeyUser, error) {
	owner, err := publicOf(key.Login())
	if err != nil {
		return nil, err
	}
	reader, err := publicOf(key.Reader().Login())
	return []*server.NkeyUser{{Nkey: owner}, {Nkey: reader, Permissions: &server.Permissions{
		Publish: &server.SubjectPermission{Allow: []string{
			askSubject + AskReport, askSubject + AskStatus, askSubject + AskProcess, askSubject + AskFindings, askSubject + AskEvents, askSubject + AskChunk,
		}},
		Subscribe: &server.SubjectPermission{Allow: []string{readerInbox + ".>", eventSubject + ">"}},
	}}}, err
}

// readerInbox begins the subjects of answers to readers, who cannot read those to others.
const readerInbox = "_INBOX_READER"

func publicOf(login []byte) (string, error) {
	user, err := userOf(login)
	if err != nil {
		return "", err
	}
	return user.PublicKey()
}

// login returns the key that a client signs with.
func (o *Options) login() []byte {
	if o.Reader != nil {
		return o.Reader.Login()
	}
	return o.Key.Login()
}

// userOf returns the key with which clients of the embedded server sign its challenge.
func userOf(login []byte) (nkeys.KeyPair, error) {
	seed, err := nkeys.EncodeSeed(nkeys.PrefixByteUser, login)
	if err != nil {
		return nil, err
	}
	return nkeys.FromSeed(seed)
}

// serverLog passes the messages of the server on. They contain subjects and counts, not
// payloads, as long as tracing is off.
type serverLog struct{ log *slog.Logger }

func (l *serverLog) Noticef(format string, v ...any) {
	l.log.Debug("nats: " + fmt.Sprintf(format, v...))
}
func (l *serverLog) Warnf(format string, v ...any) { l.log.Warn("nats: " + fmt.Sprintf(format, v...)) }
func (l *serverLog) Errorf(format string, v ...any) {
	l.log.Error("nats: " + fmt.Sprintf(format, v...))
}
func (l *serverLog) Fatalf(format string, v ...any) {
	l.log.Error("nats: " + fmt.Sprintf(format, v...))
}
func (l *serverLog) Debugf(string, ...any) {}
func (l *serverLog) Tracef(string, ...any) {}
