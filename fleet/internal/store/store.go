package store

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
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
	// Key is the fleet key. Reader is the key of a reader and replaces Key: such a storage can only
	// ask the questions of readers.
	Key    *seal.Key
	Reader *seal.Reader
	// Dir is the state folder of an embedded server, and Listen its address for clients:
	// HOST:PORT, or empty for none. Port 0 selects a free one.
	Dir, Listen string
	// URL is the address of another server, in place of an embedded one, or several with
	// commas between them. Credentials is a file for it, see [credentials], or empty.
	URL, Credentials string
	// Current returns the address of the server now. It is called for each connection; nil
	// means that it is always that of URL.
	Current func() (string, error)
	// Stays is set for a process that runs for as long as the fleet does. It waits for a server
	// that is lost, where a command ends with an error.
	Stays bool
	// Create creates the streams that are missing at URL. An embedded server always does.
	Create bool
	// TLS are the files for Listen and URL.
	Files Files
	TLS   *tls.Config
	// MaxBytes limits the size of all data. 0 means that streams that exist remain as they are,
	// and others have [DefaultMaxBytes].
	MaxBytes int64
	// Replicas is the number of copies in a cluster; 0 means 1.
	Replicas int
	// AckWait is the time after which a silent worker is given up; 0 means 30 seconds. It
	// counts for the process that creates the streams.
	AckWait time.Duration
	// Import opens a storage whose import was interrupted, too.
	Import bool
	// Free returns the number of bytes that are free on the disk of the embedded server.
	// Nil means that the system is asked.
	Free func() (int64, error)
	Log  *slog.Logger

	unready, vanished time.Duration // 0 means the constants
}

// DefaultMaxBytes is the default of [Options.MaxBytes].
const DefaultMaxBytes = 16 << 30

// Store is the storage of a fleet. It is safe for concurrent use.
type Store struct {
	key     *seal.Key // nil for a reader
	shared  *seal.Box // for questions and answers
	log     *slog.Logger
	server  *embedded // nil for another server
	dir     string
	conn    *nats.Conn
	js      jetstream.JetStream
	ackWait time.Duration
	free    func() (int64, error)
	space   space
	again   reconnects
	closed  atomic.Bool // by Close
	led     led
	damage  damage
	limited atomic.Bool // the last catalog exceeded a limit of the storage
	created time.Time   // of the findings, whose revisions count from then on

	heads, past, parts, extracts, dead, accepted, findings, state, leader jetstream.KeyValue

	catalogs, large, knowledge, answers *bucket
	tasks                               jetstream.Consumer

	encoder *zstd.Encoder
	decoder *zstd.Decoder
	packed  sync.Pool // of *[]byte, for data that is compressed and not yet encrypted
}

var _ feed.Sink = (*Store)(nil)

// Open connects to a server, or starts an embedded one, and creates the missing streams there.
func Open(ctx context.Context, o Options) (*Store, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
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
	if o.Reader != nil {
		s.shared = &o.Reader.Box
	} else {
		s.shared = o.Key.Answers()
	}
	var err error
	// All compressed data is also sealed, which detects damage, so that zstd needs no checksum.
	if s.encoder, err = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithLowerEncoderMem(true), zstd.WithEncoderCRC(false)); err != nil {
		return nil, err
	}
	if s.decoder, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(4<<30), zstd.IgnoreChecksum(true)); err != nil {
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

// Reads reports whether the key is that of a reader.
func (s *Store) Reads() bool { return s.key == nil }

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

// Healthy returns an error if nothing can be stored, or stored values are damaged.
func (s *Store) Healthy() error {
	if err := s.Failed(); err != nil {
		return err
	}
	if !s.conn.IsConnected() {
		return fmt.Errorf("there is no connection to NATS: %s", s.conn.Status())
	}
	return errors.Join(s.refuses(), s.damaged())
}

// Close ends the connection and the embedded server.
func (s *Store) Close() {
	s.closed.Store(true)
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
			return fmt.Errorf("%w: %w", errLimit, err)
		}
	}
	return err
}

// errLimit is [feed.ErrFull] for a limit of the server or of a stream.
var errLimit = fmt.Errorf("%w: a limit of NATS is reached", feed.ErrFull)
