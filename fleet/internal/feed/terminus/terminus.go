// Package terminus receives the catalogs that Puppet Server sends as it compiles them.
//
//	NewHandler  answers commands as PuppetDB does, and receives complete catalogs
//	Access      the clients that may send them, by their certificates
//
// A command comes from the terminus of PuppetDB during the compile, and lacks secrets and
// rich data. A complete catalog comes from pcatd's own terminus, in fleet/puppet, after
// the compile.
//
// # A compile never fails
//
// No compile waits for a complete catalog. For commands, it does: the terminus of PuppetDB (puppet-terminus-puppetdb) sends a command to all of its
// URLs in turn, and uses the last answer that is neither 404 nor 5xx. A compile fails if
// that answer is a 4xx, although PuppetDB itself has accepted the command. So the handler
// refuses commands with 5xx only: the terminus logs it as a warning, and the compile
// goes on. There is no Retry-After, because Puppet's own HTTP client, which `puppet
// apply` uses, would wait for that long, and then send the catalog again.
package terminus

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/rand"
	"crypto/sha1" //nolint:gosec // it is the checksum of the terminus
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/pcatdev/pcat/fleet/internal/feed"
	"github.com/pcatdev/pcat/internal/rundata"
)

// The names of the feeds of commands. They are different ones, because a node has a catalog,
// a report and facts.
const (
	Feed    = "terminus"
	Reports = "terminus:reports"
	Facts   = "terminus:facts"
)

// Outcome is the result of a command.
type Outcome string

// The outcomes.
const (
	Stored  Outcome = "stored"  // the sink has the catalog, the report or the facts
	Removed Outcome = "removed" // the sink has removed the node
	Dropped Outcome = "dropped" // another command, which was read and accepted
	Ignored Outcome = "ignored" // a complete catalog without resources
	Full    Outcome = "full"    // no room in the sink or in memory
	Slow    Outcome = "slow"    // not read or not stored in time, or not tried after others were slow
	Refused Outcome = "refused" // the command is not valid
	Failed  Outcome = "failed"  // the sink failed
)

// Options are the options of a handler. The zero value is useful.
type Options struct {
	// Timeout bounds the time until a command is answered, from its headers on. A compile
	// does not wait longer. 0 means 2 seconds.
	Timeout time.Duration
	// CompleteTimeout bounds the time until a complete catalog is answered, likewise. No
	// compile waits for it. 0 means 10 seconds.
	CompleteTimeout time.Duration
	// MaxBody bounds a command or a catalog, in bytes without compression. 0 means 64 MiB.
	MaxBody int64
	// Memory bounds all bodies that are read or stored at a time, in bytes. 0 means
	// 256 MiB. It is at least twice MaxBody.
	Memory int64
	// Pause is the time during which catalogs are refused at once after three in a row
	// were not stored in time. 0 means 10 seconds.
	Pause time.Duration
	// Log is for refused commands and catalogs, and for faults. Nil discards them.
	Log *slog.Logger
	// Observe is called after each command and each complete catalog, for metrics. Nil calls nothing. It must be
	// safe for concurrent use.
	Observe func(Outcome, time.Duration)
}

// handler is the handler of NewHandler.
type handler struct {
	sink   feed.Sink
	o      Options
	memory *semaphore.Weighted

	mu     sync.Mutex
	slow   int       // catalogs in a row that were not stored in time
	paused time.Time // until when catalogs are refused
}

// Bounds of the numbers in [Options].
const (
	defaultTimeout  = 2 * time.Second
	defaultComplete = 10 * time.Second
	defaultBody     = 64 << 20
	defaultMemory   = 256 << 20
	defaultPause    = 10 * time.Second
	mostSlow        = 3
)

// NewHandler returns a handler that answers commands, and questions about its status, as
// PuppetDB does. Their catalogs, reports and facts go to the sink, under the names [Feed],
// [Reports] and [Facts]; deactivated nodes are removed from them; other commands are accepted
// and dropped. Complete catalogs go to the sink
// under the name [Complete] of their environment.
func NewHandler(sink feed.Sink, o Options) http.Handler {
	o.Timeout = cmp.Or(o.Timeout, defaultTimeout)
	o.CompleteTimeout = cmp.Or(o.CompleteTimeout, defaultComplete)
	o.MaxBody = cmp.Or(o.MaxBody, defaultBody)
	o.Memory = max(cmp.Or(o.Memory, defaultMemory), 2*(o.MaxBody+1)) // a body that grows is there twice
	o.Pause = cmp.Or(o.Pause, defaultPause)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Observe == nil {
		o.Observe = func(Outcome, time.Duration) {}
	}
	h := &handler{sink: sink, o: o, memory: semaphore.NewWeighted(o.Memory)}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /pdb/cmd/v1", h.command)
	mux.HandleFunc("POST /feed/v1/catalogs/{node}", h.complete)
	mux.HandleFunc("GET /status/v1/services/puppetdb-status", status)
	mux.HandleFunc("GET /status/v1/simple", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		_, _ = io.WriteString(w, "running") // the client may be gone
	})
	return mux
}

// status answers as PuppetDB does when it is running.
func status(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusOK, map[string]any{
		"service_name": "puppetdb-status", "service_version": "7.0.0", "service_status_version": 1, "detail_level": "info", "state": "running",
		"status":        map[string]any{"maintenance_mode?": false, "queue_depth": 0, "read_db_up?": true, "write_db_up?": true, "write_dbs_up?": true},
		"active_alerts": []any{},
	})
}

// answer sends JSON.
func answer(w http.ResponseWriter, status int, body map[string]any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // the client may be gone
}

// failure is the reason why a command is not accepted.
type failure struct {
	outcome Outcome
	status  int
	err     error
}

// Error implements error.
func (f *failure) Error() string { return f.err.Error() }

// Unwrap returns the cause.
func (f *failure) Unwrap() error { return f.err }

// refuse returns the failure of a command that is not valid.
func refuse(text string, args ...any) error {
	return &failure{Refused, http.StatusInternalServerError, fmt.Errorf(text, args...)}
}

var (
	errSlow     = &failure{Slow, http.StatusServiceUnavailable, errors.New("not stored in time")}
	errPaused   = &failure{Slow, http.StatusServiceUnavailable, errors.New("not tried: the catalogs before it were not stored in time")}
	errFull     = &failure{Full, http.StatusServiceUnavailable, feed.ErrFull}
	errMemory   = &failure{Full, http.StatusServiceUnavailable, errors.New("too many catalogs at a time")}
	errTooLarge = &failure{Refused, http.StatusInsufficientStorage, errors.New("it is too large")}
)

// command answers a command.
func (h *handler) command(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	ctx, cancel := h.limit(w, r, h.o.Timeout)
	defer cancel()
	c, err := parse(r.URL.Query())
	var outcome Outcome
	if err == nil {
		outcome, err = h.process(ctx, c, r)
	}
	if err == nil {
		body := map[string]any{"uuid": uuid()}
		if c.wait {
			body["processed"], body["timed_out"] = true, false
		}
		answer(w, http.StatusOK, body)
		h.o.Observe(outcome, time.Since(start))
		return
	}
	failed := h.unaccepted(w, r, err, func(f *failure) int { return f.status })
	h.o.Log.Warn("command of the terminus not accepted", "command", c.name, "node", c.node, "outcome", string(failed.outcome), "error", failed.Error())
	h.o.Observe(failed.outcome, time.Since(start))
}

// limit bounds the time until a request is read and answered.
func (h *handler) limit(w http.ResponseWriter, r *http.Request, timeout time.Duration) (context.Context, context.CancelFunc) {
	// A server that does not support it reads without this limit.
	limit := http.NewResponseController(w)
	_ = limit.SetReadDeadline(time.Now().Add(timeout))
	// After the body, the server reads on to notice that the client is gone. That must not
	// end in time.
	r.Body = whole{r.Body, func() { _ = limit.SetReadDeadline(time.Time{}) }}
	return context.WithTimeout(r.Context(), timeout)
}

// unaccepted answers a request that failed, and returns the reason.
func (h *handler) unaccepted(w http.ResponseWriter, r *http.Request, err error, status func(*failure) int) *failure {
	_, _ = io.Copy(io.Discard, io.LimitReader(r.Body, h.o.MaxBody)) // clients send all before they read the answer
	failed := &failure{Failed, http.StatusInternalServerError, err}
	_ = errors.As(err, &failed) // else it is another error of the sink
	text := failed.Error()
	if failed.outcome == Failed { // it may describe the storage
		text = "the catalog could not be stored"
	}
	answer(w, status(failed), map[string]any{"error": text})
	return failed
}

// whole is a body that calls end when it was read to its end.
type whole struct {
	io.ReadCloser
	end func()
}

// Read implements [io.Reader].
func (w whole) Read(p []byte) (int, error) {
	n, err := w.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		w.end()
	}
	return n, err
}

// parameters are the parameters of a command.
type parameters struct {
	name     string // with spaces
	version  int
	node     string
	produced time.Time // zero if it is not given
	checksum string    // empty if it is not given
	wait     bool
}

// Names of commands, and the versions of `replace catalog` whose payload is a catalog that
// pcat reads.
const (
	replaceCatalog = "replace catalog"
	replaceFacts   = "replace facts"
	storeReport    = "store report"
	deactivateNode = "deactivate node"
	firstVersion   = 6
	lastVersion    = 9
)

// parse reads the parameters of a command. They are checked as PuppetDB checks them.
func parse(query url.Values) (parameters, error) {
	c := parameters{
		name: strings.ReplaceAll(query.Get("command"), "_", " "), node: query.Get("certname"),
		checksum: query.Get("checksum"), wait: query.Get("secondsToWaitForCompletion") != "",
	}
	known := []string{replaceCatalog, deactivateNode, replaceFacts, storeReport, "replace catalog inputs", "configure expiration"}
	if !slices.Contains(known, c.name) {
		c.name = "" // it must not be logged
		return c, refuse("the command must be one of: %s", strings.Join(known, ", "))
	}
	if !isCertname(c.node) {
		c.node = ""
		return c, refuse("%s: certname is missing, or no certname", c.name)
	}
	var err error
	if c.version, err = strconv.Atoi(query.Get("version")); err != nil {
		return c, refuse("%s of %s: version must be a number", c.name, c.node)
	}
	if c.name == replaceCatalog && (c.version < firstVersion || c.version > lastVersion) {
		return c, refuse("%s of %s: version %d is not supported; versions: %d to %d", c.name, c.node, c.version, firstVersion, lastVersion)
	}
	if c.produced, err = produced(query, "producer-timestamp"); err != nil {
		return c, refuse("%s of %s: %w", c.name, c.node, err)
	}
	return c, nil
}

// produced returns the time of a catalog from a parameter, or zero if it is not given.
func produced(query url.Values, name string) (time.Time, error) {
	text := query.Get(name)
	if text == "" {
		return time.Time{}, nil
	}
	t, err := time.Parse(time.RFC3339, strings.ReplaceAll(text, " ", "+")) // an unescaped +00:00
	if err != nil {
		return time.Time{}, fmt.Errorf("%s must be a time such as 2026-01-31T12:00:00.000Z", name)
	}
	return t, nil
}

// isCertname reports whether a name can be that of a node. PuppetDB accepts any text;
// Puppet, printable ASCII without a slash.
func isCertname(name string) bool {
	invalid := func(r rune) bool { return r <= ' ' || r > '~' || r == '/' }
	return name != "" && len(name) <= 255 && strings.IndexFunc(name, invalid) < 0
}

// process reads a command and executes it.
func (h *handler) process(ctx context.Context, c parameters, r *http.Request) (Outcome, error) {
	switch c.name {
	case replaceCatalog:
		return Stored, h.put(ctx, r, c.document(Feed), func(data []byte) error { return check(c, data) })
	case replaceFacts:
		return h.storeRun(ctx, c, r, Facts, rundata.Facts)
	case storeReport:
		return h.storeRun(ctx, c, r, Reports, rundata.Report)
	case deactivateNode:
		if err := drop(r.Body, h.o.MaxBody); err != nil {
			return "", err
		}
		return Removed, h.within(ctx, func(ctx context.Context) error {
			var err error
			for _, name := range []string{Feed, Reports, Facts} {
				err = errors.Join(err, h.sink.Remove(ctx, name, c.node))
			}
			return err
		}, func() {})
	default:
		return Dropped, drop(r.Body, h.o.MaxBody)
	}
}

// drop reads a body to its end.
func drop(body io.Reader, limit int64) error {
	n, err := io.Copy(io.Discard, io.LimitReader(body, limit+1))
	switch {
	case err != nil:
		return errSlow
	case n > limit:
		return errTooLarge
	}
	return nil
}

// document returns the document of a command, without its data, for a feed.
func (c *parameters) document(name string) feed.Catalog {
	return feed.Catalog{Feed: name, Node: c.node, Produced: c.produced, NoPast: name != Feed}
}

// storeRun sends the report or the facts of a command to the sink. Those of a version of the
// command that pcat does not read are dropped, as PuppetDB has them.
func (h *handler) storeRun(ctx context.Context, c parameters, r *http.Request, name string, kind rundata.Kind) (Outcome, error) {
	err := h.put(ctx, r, c.document(name), func(data []byte) error {
		if err := check(c, data); err != nil {
			return err
		}
		if d := rundata.Detect(data); d == nil || d.Kind() != kind {
			return errUnread
		}
		return nil
	})
	if errors.Is(err, errUnread) {
		return Dropped, nil
	}
	return Stored, err
}

// errUnread reports a payload that is no report, or no facts, that pcat reads.
var errUnread = errors.New("another payload")

// put reads the data of a catalog, checks it, and sends the catalog to the sink.
func (h *handler) put(ctx context.Context, r *http.Request, c feed.Catalog, check func(data []byte) error) error {
	if h.isPaused() {
		return errPaused
	}
	body, err := h.read(ctx, r)
	if err == nil {
		err = check(body.data)
	}
	if err != nil {
		body.free()
		return err
	}
	c.Data = body.data
	return h.within(ctx, func(ctx context.Context) error { return h.sink.Put(ctx, c) }, body.free)
}

// check checks the payload of a catalog.
func check(c parameters, data []byte) error {
	switch {
	case c.checksum != "" && !c.matches(data):
		return refuse("%s of %s: the payload does not match its checksum", c.name, c.node)
	case !json.Valid(data):
		return refuse("%s of %s: the payload is not JSON", c.name, c.node)
	}
	return nil
}

// matches reports whether a payload has the checksum. The terminus computes it over the
// form that commands had before PuppetDB 4, which contains the payload. Other clients
// compute it over the payload.
func (c parameters) matches(payload []byte) bool {
	old := sha1.New()                                                                                         //nolint:gosec // see the import
	_, _ = fmt.Fprintf(old, `{"command":%q,"version":%d,"certname":%q,"payload":`, c.name, c.version, c.node) // a hash never fails
	old.Write(payload)
	old.Write([]byte("}"))
	plain := sha1.Sum(payload) //nolint:gosec // see the import
	return strings.EqualFold(c.checksum, hex.EncodeToString(old.Sum(nil))) || strings.EqualFold(c.checksum, hex.EncodeToString(plain[:]))
}

// within calls store, and waits until it returns or ctx ends. It calls free when store
// returns, even after ctx has ended.
func (h *handler) within(ctx context.Context, store func(context.Context) error, free func()) error {
	done := make(chan error, 1)
	go func() {
		defer free()
		done <- store(ctx)
	}()
	var err error
	select {
	case err = <-done:
	case <-ctx.Done():
		err = ctx.Err()
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		h.count(true)
		return errSlow
	case errors.Is(err, context.Canceled): // the client is gone: that says nothing about the sink
		return errSlow
	}
	h.count(false)
	if errors.Is(err, feed.ErrFull) {
		return errFull
	}
	return err
}

// count counts catalogs in a row that were not stored in time.
func (h *handler) count(late bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !late {
		h.slow = 0
		return
	}
	if h.slow++; h.slow >= mostSlow {
		h.paused = time.Now().Add(h.o.Pause)
	}
}

// isPaused reports whether catalogs are refused. After a pause, a single late catalog
// begins the next one.
func (h *handler) isPaused() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return time.Now().Before(h.paused)
}

// body is a payload in memory.
type body struct {
	data   []byte
	memory *semaphore.Weighted
	held   int64 // bytes of memory
}

// free returns the memory.
func (b *body) free() { b.memory.Release(b.held) }

// read reads a payload into memory that it takes from the semaphore. The caller must free
// it, also after an error.
func (h *handler) read(ctx context.Context, r *http.Request) (*body, error) {
	b := &body{memory: h.memory}
	var from io.Reader = r.Body
	switch encoding := r.Header.Get("Content-Encoding"); encoding {
	case "", "identity":
	case "gzip":
		z, err := gzip.NewReader(r.Body)
		if err != nil {
			return b, unread(ctx, err)
		}
		from = z
	default:
		return b, refuse("the content encoding must be gzip or identity")
	}
	// The terminus announces the size. Memory is taken for bytes that arrived, so that the
	// number may be wrong.
	announced, _ := strconv.ParseInt(r.Header.Get("X-Uncompressed-Length"), 10, 64)
	size := min(max(announced, r.ContentLength, 0)+bytes.MinRead, h.o.MaxBody+1, mostAnnounced)
	from = io.LimitReader(from, h.o.MaxBody+1)
	for {
		if len(b.data) == cap(b.data) {
			if err := b.grow(ctx, size); err != nil {
				return b, err
			}
			size = min(2*size, h.o.MaxBody+1)
		}
		n, err := from.Read(b.data[len(b.data):cap(b.data)])
		b.data = b.data[:len(b.data)+n]
		switch {
		case int64(len(b.data)) > h.o.MaxBody:
			return b, errTooLarge
		case errors.Is(err, io.EOF):
			return b, nil
		case err != nil:
			return b, unread(ctx, err)
		}
	}
}

// mostAnnounced bounds the memory that is taken at once because a client announces a size, in bytes.
const mostAnnounced = 8 << 20

// grow makes room for size bytes.
func (b *body) grow(ctx context.Context, size int64) error {
	if b.memory.Acquire(ctx, size) != nil {
		return errMemory
	}
	data := make([]byte, len(b.data), size)
	copy(data, b.data)
	b.memory.Release(b.held)
	b.data, b.held = data, size
	return nil
}

// unread returns the failure of a payload that cannot be read.
func unread(ctx context.Context, err error) error {
	if ctx.Err() != nil || errors.Is(err, os.ErrDeadlineExceeded) {
		return errSlow
	}
	return refuse("the payload cannot be read: it is cut off, or not gzip as announced")
}

// uuid returns a random UUID.
func uuid() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // it never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
