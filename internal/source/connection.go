package source

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

// attempts is how often a request is sent: again after an overload, to a server that
// starts, and after an answer that was cut off.
const attempts = 4

// waits bound the time between two attempts, which grows with their number.
type waits struct{ min, max time.Duration }

var usualWaits = waits{500 * time.Millisecond, 1500 * time.Millisecond}

// connection sends requests to one host. It is safe for concurrent use.
type connection struct {
	system         System
	base           string // scheme, host and path prefix
	host           string
	files          Files
	configuredBy   string // where the host was named, for messages
	token          string
	connectTimeout time.Duration
	readTimeout    time.Duration
	wait           time.Duration // after an answer that was cut off
	http           *retryablehttp.Client
	log            *slog.Logger

	broken   atomic.Int64 // requests in a row that failed without an answer about their subject
	brokenBy atomic.Int64 // the Reason of the last of them
}

// request is an HTTP request for a connection.
type request struct {
	method      string // empty means GET
	path        string // with the parameters
	accept      string
	body        []byte
	contentType string
	limit       int64 // of the answer in bytes
}

// connect returns a connection to the host in a URL. Nothing is sent yet.
func (s *Settings) connect(system System, base, configuredBy string, w waits, log *slog.Logger) (*connection, error) {
	u, err := url.Parse(base)
	if err != nil {
		return nil, err
	}
	c := &connection{
		system: system, base: base, host: u.Host, configuredBy: configuredBy, log: log,
		files:          Files{s.CA, s.Certificate, s.Key},
		connectTimeout: s.ConnectTimeout, readTimeout: s.ReadTimeout, wait: w.min,
	}
	if system == PuppetDB {
		c.files = s.PuppetDBFiles.or(c.files)
	}
	transport := &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: s.ConnectTimeout, KeepAlive: 30 * time.Second}).DialContext,
		TLSHandshakeTimeout:   s.ConnectTimeout,
		ResponseHeaderTimeout: s.ReadTimeout,
		MaxIdleConnsPerHost:   64,
		IdleConnTimeout:       90 * time.Second,
		ForceAttemptHTTP2:     true,
	}
	if s.Proxy != nil && !isLoopback(u.Hostname()) {
		transport.Proxy = http.ProxyURL(s.Proxy)
	}
	if u.Scheme == "https" {
		if transport.TLSClientConfig, err = s.tls(c.files, log); err != nil {
			return nil, &Error{System: system, Host: u.Host, Err: err}
		}
		if err := c.readToken(s.TokenFile); err != nil {
			return nil, err
		}
	}
	c.http = retryablehttp.NewClient()
	c.http.HTTPClient = &http.Client{Transport: transport, CheckRedirect: sameHost}
	c.http.Logger = nil
	c.http.RetryMax, c.http.RetryWaitMin, c.http.RetryWaitMax = attempts-1, w.min, w.max
	c.http.Backoff = func(least, most time.Duration, attempt int, answer *http.Response) time.Duration {
		return min(retryablehttp.RateLimitLinearJitterBackoff(least, most, attempt, answer), s.ReadTimeout) // a server may ask for days
	}
	c.http.CheckRetry = retryable
	c.http.ErrorHandler = retryablehttp.PassthroughErrorHandler
	c.http.ResponseLogHook = func(_ retryablehttp.Logger, r *http.Response) {
		log.Debug("answer", "status", r.StatusCode, "url", r.Request.URL.Redacted())
	}
	return c, nil
}

// or returns the files with those of other where one is empty.
func (f Files) or(other Files) Files {
	return Files{orElse(f.CA, other.CA), orElse(f.Certificate, other.Certificate), orElse(f.Key, other.Key)}
}

// readToken reads the token of PuppetDB.
func (c *connection) readToken(file string) error {
	if file == "" || c.system != PuppetDB {
		return nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("the token for PuppetDB: %w", err)
	}
	c.token = strings.TrimSpace(string(text))
	return nil
}

// sameHost refuses redirects to another host: it must not see the client's certificate, and
// its answer cannot be trusted.
func sameHost(to *http.Request, via []*http.Request) error {
	if to.URL.Host != via[0].URL.Host || to.URL.Scheme != via[0].URL.Scheme {
		return fmt.Errorf("%w: it redirects to %s", errOtherHost, to.URL.Host)
	}
	if len(via) >= 5 {
		return errors.New("too many redirects")
	}
	return nil
}

// retryable reports whether a request is sent again after an answer. After a connection
// that was cut, attempts does that; a host that cannot be reached or that fails to prove
// its identity is not asked again.
func retryable(ctx context.Context, answer *http.Response, err error) (bool, error) {
	if ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	if err != nil { // the caller gets it in any case
		return false, nil //nolint:nilerr // it is not for this function to report
	}
	switch answer.StatusCode {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true, nil
	}
	return false, nil
}

// ErrNotTried is returned for requests to a host of which the last ones failed in a way that
// others would, too.
var ErrNotTried = errors.New("not tried, because the requests before it failed")

// mostBroken is how many requests in a row may fail before the host is given up.
const mostBroken = 3

// do sends a request and returns the answer.
func (c *connection) do(ctx context.Context, r request) ([]byte, error) {
	if c.broken.Load() >= mostBroken {
		return nil, &Error{System: c.system, Host: c.host, Reason: Reason(c.brokenBy.Load()), Err: ErrNotTried}
	}
	data, err := c.attempts(ctx, r)
	if err != nil && ctx.Err() != nil { // whatever it looks like: the host is not to blame
		return nil, context.Cause(ctx)
	}
	var failed *Error
	if errors.As(err, &failed) && failed.Reason.ofHost() {
		c.brokenBy.Store(int64(failed.Reason))
		c.broken.Add(1)
	} else {
		c.broken.Store(0)
	}
	return data, err
}

// attempts sends a request until its answer is not cut off.
func (c *connection) attempts(ctx context.Context, r request) ([]byte, error) {
	for attempt := 1; ; attempt++ {
		data, err := c.try(ctx, r)
		if err == nil {
			return data, nil
		}
		var failed *Error
		if !errors.As(err, &failed) || failed.Reason != CutOff || attempt >= attempts || ctx.Err() != nil {
			return nil, err
		}
		c.log.Info("the answer was cut off; asking again", "host", c.host)
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(c.wait):
		}
	}
}

// try is do without another attempt after an answer that is cut off.
func (c *connection) try(ctx context.Context, r request) ([]byte, error) {
	ctx, watch := watchReads(ctx, c.readTimeout)
	defer watch.stop()
	var content any // nil means none
	if r.body != nil {
		content = func() (io.Reader, error) { return watch.body(r.body), nil }
	}
	req, err := retryablehttp.NewRequestWithContext(ctx, orElse(r.method, http.MethodGet), c.base+r.path, content)
	if err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", "pcat")
	req.Header.Set("Accept", orElse(r.accept, "application/json"))
	if r.contentType != "" {
		req.Header.Set("Content-Type", r.contentType)
	}
	if c.token != "" {
		req.Header.Set("X-Authentication", c.token)
	}
	answer, err := c.http.Do(req)
	if err != nil {
		return nil, c.failure(cause(ctx, err))
	}
	defer func() { _ = answer.Body.Close() }() // it was read to its end, or is abandoned
	limit := r.limit
	if answer.StatusCode >= 300 {
		limit = 64 << 10
	}
	var body bytes.Buffer
	if answer.ContentLength > 0 {
		body.Grow(int(min(answer.ContentLength, limit, mostReserved)) + bytes.MinRead)
	}
	_, err = body.ReadFrom(io.LimitReader(watch.reader(answer.Body), limit+1))
	switch {
	case answer.StatusCode >= 300:
		return nil, c.refusal(answer.StatusCode, r.path, body.String())
	case err != nil || ctx.Err() != nil: // a server can end an answer properly when it sees that the request is cancelled
		return nil, c.failure(cause(ctx, err))
	case int64(body.Len()) > limit:
		return nil, &Error{System: c.system, Host: c.host, Err: fmt.Errorf("%w of %d bytes", errTooLarge, limit)}
	}
	return body.Bytes(), nil
}

// mostReserved bounds the memory, in bytes, that is reserved because a server says that its
// answer is that long.
const mostReserved = 16 << 20

// cause returns the error that ended a context, or else err.
func cause(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// readWatch cancels a request when no data arrives.
type readWatch struct {
	timer  *time.Timer
	cancel context.CancelCauseFunc
	limit  time.Duration
}

// watchReads returns a context that ends with errReadTimeout when a reader of the watch
// waits for longer than the limit. Time before the answer begins does not count: that is
// limited by the transport, for each attempt.
func watchReads(ctx context.Context, limit time.Duration) (context.Context, *readWatch) {
	ctx, cancel := context.WithCancelCause(ctx)
	w := &readWatch{cancel: cancel, limit: limit}
	w.timer = time.AfterFunc(limit, func() { cancel(errReadTimeout) })
	w.timer.Stop()
	return ctx, w
}

func (w *readWatch) stop() {
	w.timer.Stop()
	w.cancel(nil)
}

// reader returns a reader of r that the watch observes.
func (w *readWatch) reader(r io.Reader) io.Reader { return watchedReader{w, r} }

type watchedReader struct {
	watch *readWatch
	r     io.Reader
}

// Read implements io.Reader.
func (r watchedReader) Read(p []byte) (int, error) {
	r.watch.timer.Reset(r.watch.limit)
	defer r.watch.timer.Stop()
	return r.r.Read(p)
}

// watchedBody is the body of a request. The watch limits the time until the server takes
// the next part of it.
type watchedBody struct {
	*bytes.Reader // whose Len becomes the length of the content
	timer         *time.Timer
	limit         time.Duration
}

// body returns the body of an attempt that the watch observes.
func (w *readWatch) body(data []byte) io.ReadCloser {
	b := &watchedBody{bytes.NewReader(data), time.AfterFunc(w.limit, func() { w.cancel(errReadTimeout) }), w.limit}
	b.timer.Stop()
	return b
}

// Read implements io.Reader.
func (b *watchedBody) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if err == nil {
		b.timer.Reset(b.limit)
	} else { // from here, the transport waits for the answer
		b.timer.Stop()
	}
	return n, err
}

// WriteTo hides that of the Reader, which would write everything with one call.
func (b *watchedBody) WriteTo(w io.Writer) (int64, error) {
	return io.Copy(w, struct{ io.Reader }{b})
}

// Close implements io.Closer: the attempt has ended.
func (b *watchedBody) Close() error {
	b.timer.Stop()
	return nil
}

// message returns the message in an answer that reports a failure: a member of JSON, or a
// line of text.
func message(text string) string {
	var answer struct {
		Error   string `json:"error"`
		Message string `json:"message"`
		Msg     string `json:"msg"`
	}
	if json.Unmarshal([]byte(text), &answer) == nil {
		text = orElse(orElse(answer.Message, answer.Msg), answer.Error)
	}
	text = strings.TrimSpace(strings.Join(strings.Fields(text), " "))
	if text != "" && strings.ContainsRune("<{[", rune(text[0])) { // a page, or a document that could have secrets
		text = ""
	}
	const most = 400
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return orElse(text, "the server gives no reason")
}
