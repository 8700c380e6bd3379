package store

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net"
	"net/url"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/pcatdev/pcat/fleet/internal/feed"
	"github.com/pcatdev/pcat/fleet/internal/seal"
)

const (
	maxPayload = 1 << 20
	chunkSize  = 512 << 10 // of objects; larger values of keys become objects, too
	// reserve is the space that is left free on the disk of the embedded server, which
	// stops when a disk is full.
	reserve = 128 << 20
)

// Options are the options of a [Store].
type Options struct {
	// Key is the fleet key.
	Key *seal.Key
	// Dir is the state folder of an embedded server, and Listen its address for clients:
	// HOST:PORT, or empty for none. Port 0 selects a free one.
	Dir, Listen string
	// URL is the address of another server, in place of an embedded one, or several with
	// commas between them. Credentials is a file for it, see [credentials], or empty.
	URL, Credentials string
	// Current returns the address of the server now. It is called for each connection; nil
	// means that it is always that of URL.
	Current func() (string, error)
	// Create creates what is missing at URL. An embedded server always does.
	Create bool
	// TLS are the files for Listen and URL.
	Files Files
	TLS   *tls.Config
	// MaxBytes limits the size of all data; 0 means [DefaultMaxBytes].
	MaxBytes int64
	// Replicas is the number of copies in a cluster; 0 means 1.
	Replicas int
	// AckWait is the time after which a silent worker is given up; 0 means 30 seconds. It
	// counts for the process that creates the streams.
	AckWait time.Duration
	// Free returns the number of bytes that are free on the disk of the embedded server.
	// Nil means that the system is asked.
	Free func() (int64, error)
	Log  *slog.Logger
}

// DefaultMaxBytes is the default of [Options.MaxBytes].
const DefaultMaxBytes = 16 << 30

// Store is the storage of a fleet. It is safe for concurrent use.
type Store struct {
	key     *seal.Key
	log     *slog.Logger
	server  *embedded // nil for another server
	dir     string
	conn    *nats.Conn
	js      jetstream.JetStream
	ackWait time.Duration
	free    func() (int64, error)
	space   space
	again   reconnects
	led     led
	damage  damage

	heads, past, parts, dead, findings, state, leader jetstream.KeyValue

	catalogs, large, knowledge, answers *bucket
	tasks                               jetstream.Consumer

	encoder *zstd.Encoder
	decoder *zstd.Decoder
}

var _ feed.Sink = (*Store)(nil)

// Open connects to a server, or starts an embedded one, and creates what is missing there.
func Open(ctx context.Context, o Options) (*Store, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.MaxBytes == 0 {
		o.MaxBytes = DefaultMaxBytes
	}
	if o.TLS == nil {
		config, err := o.Files.Config()
		if err != nil {
			return nil, fmt.Errorf("NATS: %w", err)
		}
		o.TLS = config
	}
	if o.Free == nil {
		o.Free = func() (int64, error) { return freeBytes(o.Dir) }
	}
	s := &Store{key: o.Key, log: o.Log, dir: o.Dir, free: o.Free}
	var err error
	if s.encoder, err = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithLowerEncoderMem(true)); err != nil {
		return nil, err
	}
	if s.decoder, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(4<<30)); err != nil {
		return nil, err
	}
	if o.URL == "" {
		if s.server, err = startServer(o.Dir, o); err != nil {
			return nil, err
		}
	}
	if err := s.connect(o); err != nil {
		s.Close()
		return nil, err
	}
	if err := s.begin(ctx, o); err != nil {
		s.Close()
		if errors.Is(err, jetstream.ErrBucketNotFound) {
			return nil, fmt.Errorf("the server has no storage of a fleet: start pcatd serve: %w", err)
		}
		return nil, fmt.Errorf("storage: %w", err)
	}
	if s.server != nil {
		if err := s.Answer(ctx, askRoom, s.answerRoom); err != nil {
			s.Close()
			return nil, err
		}
	}
	return s, nil
}

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
	if o.Current != nil {
		options = append(options, nats.SetCustomDialer(dialer(o.Current)))
	}
	if s.server != nil {
		options = append(options, nats.InProcessServer(s.server))
	} else if o.TLS != nil {
		options = append(options, nats.Secure(o.TLS))
	}
	user, err := userOf(o.Key)
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
// What was asked on the one before may never be answered.
func (s *Store) Connected(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	forget := s.again.call(cancel)
	return ctx, func() { forget(); cancel() }
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
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("credentials for NATS: %w", err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("credentials for NATS: others can read %s (mode %04o): chmod 600 it", path, info.Mode().Perm())
	}
	data, err := os.ReadFile(path)
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

// Server returns the address of the server for clients.
func (s *Store) Server() string {
	switch {
	case s.server == nil:
		return s.conn.ConnectedUrlRedacted()
	case s.server.Addr() == nil:
		return "in this process"
	}
	return s.server.Addr().String()
}

// Failed returns an error if the embedded server stopped to store anything, or a part of
// it, which it does when the disk is full.
func (s *Store) Failed() error {
	if s.server != nil && (s.server.log.failed.Load() || !s.server.JetStreamEnabled()) {
		return fmt.Errorf("the storage in %s stopped, probably because the disk is full: free space, and start again", s.dir)
	}
	return nil
}

// Healthy returns an error if nothing can be stored, or stored values are damaged.
func (s *Store) Healthy() error {
	if err := s.Failed(); err != nil {
		return err
	}
	if !s.conn.IsConnected() {
		return fmt.Errorf("there is no connection to NATS: %s", s.conn.Status())
	}
	return s.damaged()
}

// Close ends the connection and the embedded server.
func (s *Store) Close() {
	if s.conn != nil {
		_ = s.conn.FlushTimeout(time.Second)
		s.conn.Close()
	}
	if s.server != nil {
		s.server.stop()
	}
	_ = s.encoder.Close()
	s.decoder.Close()
}

// Shares of the data, in thousandths of [Options.MaxBytes].
const (
	shareHeads    = 20
	sharePast     = 20
	shareCatalogs = 500
	shareTasks    = 10
	shareParts    = 200
	shareLarge    = 80
	shareState    = 5
	shareLearnt   = 70
	shareFindings = 50
	shareEvents   = 20
	shareDead     = 5
	shareAnswers  = 15
)

// begin is create, and waits for a cluster that starts or has lost a server: it does not
// answer some requests, and has no place for a stream.
func (s *Store) begin(ctx context.Context, o Options) error {
	for start := time.Now(); ; {
		err := s.create(ctx, o)
		if err == nil || s.server != nil || time.Since(start) > time.Minute || !Unavailable(err) && !crowded(err) {
			return err
		}
		s.log.Info("the storage in NATS is not ready, trying again", "error", err)
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			return err
		}
	}
}

// create opens the streams. Those that are missing are created, and those of an embedded
// server are adapted to the options.
func (s *Store) create(ctx context.Context, o Options) error {
	share := func(n int64) int64 { return o.MaxBytes / 1000 * n }
	create := func(err, missing error) bool {
		return s.server != nil && (err == nil || errors.Is(err, missing)) || o.Create && errors.Is(err, missing)
	}
	var err error
	// In a cluster, a value that is read directly may be that of a server that is behind.
	current := func(name string) {
		stream, failed := s.js.Stream(ctx, name)
		if err = failed; err == nil && stream.CachedInfo().Config.AllowDirect {
			c := stream.CachedInfo().Config
			c.AllowDirect = false
			_, err = s.js.UpdateStream(ctx, c)
		}
	}
	kv := func(name string, n int64, history uint8, ttl time.Duration) jetstream.KeyValue {
		if err != nil {
			return nil
		}
		var kv jetstream.KeyValue
		kv, err = s.js.KeyValue(ctx, name)
		if create(err, jetstream.ErrBucketNotFound) {
			kv, err = s.js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: name, MaxBytes: share(n), History: history, TTL: ttl, Replicas: o.Replicas})
			if err == nil && o.Replicas > 1 {
				if current("KV_" + name); err == nil {
					kv, err = s.js.KeyValue(ctx, name)
				}
			}
		}
		return kv
	}
	object := func(name string, n int64, ttl time.Duration) *bucket {
		if err != nil {
			return nil
		}
		b := &bucket{name: name, store: s}
		b.objects, err = s.js.ObjectStore(ctx, name)
		if create(err, jetstream.ErrBucketNotFound) {
			b.objects, err = s.js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: name, MaxBytes: share(n), TTL: ttl, Replicas: o.Replicas})
			if err == nil && o.Replicas > 1 {
				if current("OBJ_" + name); err == nil {
					b.objects, err = s.js.ObjectStore(ctx, name)
				}
			}
		}
		if err == nil {
			b.stream, err = s.js.Stream(ctx, "OBJ_"+name)
		}
		return b
	}
	stream := func(c jetstream.StreamConfig) jetstream.Stream {
		if err != nil {
			return nil
		}
		c.Replicas, c.Discard = max(o.Replicas, 1), jetstream.DiscardNew
		var stream jetstream.Stream
		stream, err = s.js.Stream(ctx, c.Name)
		if create(err, jetstream.ErrStreamNotFound) {
			stream, err = s.js.CreateOrUpdateStream(ctx, c)
		}
		return stream
	}
	s.heads = kv("catalogs", shareHeads, 1, 0)
	s.past = kv("past", sharePast, 1, 0)
	s.parts = kv("parts", shareParts, 1, 0)
	s.dead = kv("dead", shareDead, 1, 0)
	s.findings = kv("findings", shareFindings, 5, 0)
	s.state = kv("state", shareState, 1, 0)
	s.leader = kv("leader", shareState, 1, leaseTime)
	s.catalogs = object("catalogs", shareCatalogs, 0)
	s.large = object("parts", shareLarge, 0)
	s.knowledge = object("knowledge", shareLearnt, 0)
	s.answers = object("answers", shareAnswers, 10*time.Minute)
	tasks := stream(jetstream.StreamConfig{Name: "TASKS", Subjects: []string{taskSubject}, Retention: jetstream.WorkQueuePolicy, MaxBytes: share(shareTasks)})
	stream(jetstream.StreamConfig{Name: eventStream, Subjects: []string{eventSubject + "*"}, MaxBytes: share(shareEvents), MaxAge: 30 * 24 * time.Hour, Duplicates: time.Hour})
	if err != nil {
		return err
	}
	s.tasks, err = tasks.Consumer(ctx, consumer)
	if create(err, jetstream.ErrConsumerNotFound) {
		s.tasks, err = tasks.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
			Durable: consumer, AckPolicy: jetstream.AckExplicitPolicy, AckWait: cmp.Or(o.AckWait, 30*time.Second), MaxDeliver: -1, MaxAckPending: 10000,
		})
	}
	if err == nil {
		err = s.claim(ctx, s.server != nil || o.Create)
	}
	if err == nil {
		s.ackWait = s.tasks.CachedInfo().Config.AckWait
	}
	return err
}

// Usage returns the size of the stored catalogs, also of past ones, and its limit.
func (s *Store) Usage(ctx context.Context) (size, limit int64, err error) {
	info, err := s.catalogs.stream.Info(ctx)
	if err != nil {
		return 0, 0, err
	}
	return int64(info.State.Bytes), info.Config.MaxBytes, nil
}

// Unit returns the key of a node in a feed.
func (s *Store) Unit(feed, node string) string { return s.key.Name("unit", feed, node) }

// sealJSON encrypts a value as JSON.
func (s *Store) sealJSON(location string, v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) //nolint:forbidigo // the types of this package can be encoded
	}
	return s.key.Seal(location, data)
}

// openJSON is the reverse of sealJSON.
func (s *Store) openJSON(location string, sealed []byte, v any) error {
	data, err := s.key.Open(location, sealed)
	if err != nil {
		return err
	}
	if json.Unmarshal(data, v) != nil { // the cause may quote the data
		return seal.ErrSealed
	}
	return nil
}

// pack compresses and encrypts data.
func (s *Store) pack(location string, data []byte) []byte {
	return s.key.Seal(location, s.encoder.EncodeAll(data, nil))
}

// unpack is the reverse of pack.
func (s *Store) unpack(location string, sealed []byte) ([]byte, error) {
	data, err := s.key.Open(location, sealed)
	if err != nil {
		return nil, err
	}
	if data, err = s.decoder.DecodeAll(data, nil); err != nil {
		return nil, seal.ErrSealed
	}
	return data, nil
}

// unpackJSON is unpack for a value as JSON.
func (s *Store) unpackJSON(location string, sealed []byte, v any) error {
	data, err := s.unpack(location, sealed)
	if err == nil && json.Unmarshal(data, v) != nil { // the cause may quote the data
		err = seal.ErrSealed
	}
	return err
}

// swap replaces the value of a key that has a revision, or creates it if that is 0. A value
// that was removed does not exist.
func swap(ctx context.Context, kv jetstream.KeyValue, key string, value []byte, revision uint64) (uint64, error) {
	if revision == 0 {
		return kv.Create(ctx, key, value)
	}
	return kv.Update(ctx, key, value, revision)
}

// isConflict reports whether somebody else was first.
func isConflict(err error) bool {
	if errors.Is(err, jetstream.ErrKeyExists) {
		return true
	}
	var api *jetstream.APIError
	return errors.As(err, &api) && (api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence || api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequenceConstant)
}

// crowded reports whether a cluster has too few servers now for the copies of a stream.
func crowded(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && api.ErrorCode == 10005
}

// full returns an error that wraps [feed.ErrFull] if err has this reason.
func full(err error) error {
	var api *jetstream.APIError
	if errors.As(err, &api) {
		switch api.ErrorCode {
		case 10002, 10023, 10047, 10077: // limits of the account, the server, the disk and a stream
			return fmt.Errorf("%w: %w", feed.ErrFull, err)
		}
	}
	return err
}

// room returns [feed.ErrFull] if the disk of the embedded server has no room for a value.
func (s *Store) room(ctx context.Context, size int) error {
	if s.server == nil {
		return s.space.take(ctx, s, int64(size))
	}
	free, err := s.free()
	if err == nil && free < reserve+int64(size) {
		return fmt.Errorf("%w: the disk of %s has %d MB left", feed.ErrFull, s.dir, free>>20)
	}
	return nil
}

// askRoom asks the process of an embedded server how much is free on its disk.
const askRoom = "room"

// answerRoom answers [askRoom].
func (s *Store) answerRoom(context.Context, []string) ([]byte, error) {
	free, err := s.free()
	return strconv.AppendInt(nil, free, 10), err
}

// space is what a client knows of the disk of an embedded server.
type space struct {
	mu   sync.Mutex
	free int64
	next time.Time // when to ask again
}

// take returns [feed.ErrFull] if there is no room for a value. It asks once a second.
func (p *space) take(ctx context.Context, s *Store, size int64) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !time.Now().Before(p.next) {
		ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
		defer cancel()
		text, err := s.Ask(ctx, askRoom)
		p.free, p.next = math.MaxInt64, time.Now().Add(time.Second)
		if errors.Is(err, ErrNobody) { // the server is not embedded: it has its own limits
			p.next = time.Now().Add(30 * time.Second)
		} else if free, wrong := strconv.ParseInt(string(text), 10, 64); err == nil && wrong == nil {
			p.free = free
		}
	}
	if p.free < reserve+size {
		return fmt.Errorf("%w: the disk of pcatd serve has %d MB left", feed.ErrFull, p.free>>20)
	}
	p.free -= size
	return nil
}

// Unavailable reports whether an error is a fault of the storage that is expected to end:
// it has no room, or does not answer.
func Unavailable(err error) bool {
	for _, e := range []error{
		feed.ErrFull, nats.ErrTimeout, nats.ErrNoResponders, nats.ErrDisconnected, nats.ErrConnectionClosed,
		nats.ErrConnectionReconnecting, nats.ErrReconnectBufExceeded, jetstream.ErrNoStreamResponse, context.DeadlineExceeded,
	} {
		if errors.Is(err, e) {
			return true
		}
	}
	var api *jetstream.APIError
	return errors.As(err, &api) && api.Code >= 500
}
