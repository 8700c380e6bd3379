package overview_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pcatdev/pcat/fleet/internal/overview"
)

// silent is a fleet that does not answer.
type silent struct{ fleet }

func (s *silent) Ask(ctx context.Context, _ string, _ ...string) ([]byte, error) {
	s.asked.Add(1)
	<-ctx.Done()
	return nil, ctx.Err()
}

// status returns the status of a request.
func status(ctx context.Context, h http.Handler, path string) int {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequestWithContext(ctx, http.MethodGet, path, http.NoBody))
	return w.Code
}

// A fleet that does not answer is asked once for all requests, and again after a second; a client that gives up
// waits no longer, and is no reason to ask again.
func TestSilentFleet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &silent{}
		h := overview.NewHandler(overview.Options{Fleet: f}, slog.New(slog.DiscardHandler))
		start := time.Now()
		var all sync.WaitGroup
		for i := range 10 {
			all.Go(func() {
				time.Sleep(time.Duration(i) * time.Second)
				if code := status(t.Context(), h, "/"); code != http.StatusServiceUnavailable || time.Since(start) != 20*time.Second {
					t.Errorf("request %d: status %d after %s", i, code, time.Since(start))
				}
			})
			all.Go(func() {
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i)*time.Second)
				defer cancel()
				if status(ctx, h, "/findings.json"); time.Since(start) != time.Duration(i)*time.Second {
					t.Errorf("a client that gave up after %d seconds waits for %s", i, time.Since(start))
				}
			})
		}
		all.Wait()
		for _, c := range []struct {
			after time.Duration
			asks  int32
		}{{500 * time.Millisecond, 1}, {time.Second, 2}} {
			time.Sleep(c.after)
			if code, n := status(t.Context(), h, "/"), f.asked.Load(); code != http.StatusServiceUnavailable || n != c.asks {
				t.Errorf("after %s: status %d, asked %d times, want %d", time.Since(start), code, n, c.asks)
			}
		}
	})
}

// blank is a response that is not read.
type blank struct {
	header http.Header
	size   int
}

func (b *blank) Header() http.Header { return b.header }

func (b *blank) WriteHeader(int) {}

func (b *blank) Write(p []byte) (int, error) {
	b.size += len(p)
	return len(p), nil
}

// A document is encoded once for all requests.
func TestEncodedOnce(t *testing.T) {
	h := overview.NewHandler(overview.Options{Fleet: large(5000, true), Fresh: time.Hour}, slog.New(slog.DiscardHandler))
	for _, path := range []string{"/", "/findings.json"} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, http.NoBody)
		serve := func() {
			w := &blank{header: http.Header{}}
			if h.ServeHTTP(w, r); w.size < 5000*50 {
				t.Errorf("%s has %d bytes", path, w.size)
			}
		}
		serve()
		if n := testing.AllocsPerRun(5, serve); n > 500 { // the document has 5000 findings
			t.Errorf("%s allocates %.0f times", path, n)
		}
	}
}
