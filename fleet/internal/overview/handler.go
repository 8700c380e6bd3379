package overview

import (
	"bytes"
	"cmp"
	"context"
	_ "embed" // the schema
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/klauspost/compress/gzhttp"
	"golang.org/x/sync/singleflight"

	"github.com/pcatdev/pcat/internal/terminal"
)

// Schema is the JSON Schema of a Document.
//
//go:embed findings.schema.json
var Schema []byte

const (
	// share is the time for which an answer is served again, as a multiple of the time that gathering
	// it took: gathering is at most a fifth of the time.
	share = 4
	// patience is how long a fleet may take for an answer, and pause the time for which its failure is
	// the answer to all requests.
	patience = 20 * time.Second
	pause    = time.Second
)

// NewHandler returns a handler of the page `/`, of the same as JSON, `/findings.json`, and of its schema,
// `/findings.schema.json`. All answers forbid that they are stored, and shown in other pages.
func NewHandler(o Options, log *slog.Logger) http.Handler {
	h := &handler{Options: o, log: log}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", h.serve("text/html; charset=utf-8", func(a *answer) ([]byte, error) { return a.page() }))
	mux.HandleFunc("GET /findings.json", h.serve("application/json", func(a *answer) ([]byte, error) { return a.json() }))
	mux.HandleFunc("GET /findings.schema.json", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/schema+json")
		_, _ = w.Write(Schema) // the client is gone
	})
	return guarded(gzhttp.GzipHandler(mux))
}

// guarded sets the headers of all answers.
func guarded(next http.Handler) http.Handler {
	// What the page allows is in its own policy, too: frames can be forbidden only here.
	policy := overviewPage.Policy() + "; frame-ancestors 'none'"
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, value := range map[string]string{
			"Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer",
			"Cross-Origin-Resource-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin", "Cache-Control": "no-store",
		} {
			w.Header().Set(name, value)
		}
		next.ServeHTTP(w, r)
	})
}

// answer is the outcome of gathering a document, for all requests until it is too old.
type answer struct {
	err   error // that of gathering
	until time.Time
	// json and page return the encoded document. Only their first calls encode it.
	json, page func() ([]byte, error)
}

// handler serves documents.
type handler struct {
	Options
	log *slog.Logger

	gathering singleflight.Group
	mu        sync.Mutex
	last      *answer // or nil
}

// recent returns the last answer, or nil if it is too old.
func (h *handler) recent() *answer {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.last == nil || !time.Now().Before(h.last.until) {
		return nil
	}
	return h.last
}

// answer returns the recent answer, or the next one. All requests wait for the same one; it is also made if
// they give up, for those that come later. The error is that of the context.
func (h *handler) answer(ctx context.Context) (*answer, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if a := h.recent(); a != nil {
		return a, nil
	}
	next := h.gathering.DoChan("", func() (any, error) {
		if a := h.recent(); a != nil { // another request was faster
			return a, nil
		}
		return h.gather(context.WithoutCancel(ctx)), nil
	})
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case r := <-next:
		return r.Val.(*answer), nil
	}
}

// gather makes an answer, and keeps it while it is recent.
func (h *handler) gather(ctx context.Context) *answer {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	start := time.Now()
	d, err := Gather(ctx, &h.Options)
	a, kept := &answer{err: err}, pause
	if err != nil {
		h.log.Warn("findings for readers were not gathered", "error", err)
	} else {
		kept = max(cmp.Or(h.Fresh, time.Second), share*time.Since(start))
		a.json = sync.OnceValues(func() ([]byte, error) { return encoded(d, writeJSON) })
		a.page = sync.OnceValues(func() ([]byte, error) { return encoded(d, writePage) })
	}
	a.until = time.Now().Add(kept)
	h.mu.Lock()
	h.last = a
	h.mu.Unlock()
	time.AfterFunc(kept, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.last == a {
			h.last = nil // it is large
		}
	})
	return a
}

// serve answers with a body of an answer.
func (h *handler) serve(kind string, body func(*answer) ([]byte, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		a, err := h.answer(r.Context())
		switch {
		case err != nil:
			return // the client is gone
		case a.err != nil:
			w.Header().Set("Retry-After", "5")
			http.Error(w, "the fleet does not answer: try again", http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("Content-Type", kind)
		if r.Method == http.MethodHead {
			return
		}
		text, err := body(a)
		if err != nil {
			h.log.Warn("findings for readers were not encoded", "error", err)
			http.Error(w, "the findings cannot be encoded: see the log of pcatd", http.StatusInternalServerError)
			return
		}
		if _, err := w.Write(text); err != nil && r.Context().Err() == nil {
			h.log.Debug("findings for a reader were not sent", "error", err)
		}
	}
}

// encoded returns the bytes that write writes.
func encoded(d *Document, write func(io.Writer, *Document) error) ([]byte, error) {
	var b bytes.Buffer
	err := write(&b, d)
	return b.Bytes(), err
}

func writeJSON(w io.Writer, d *Document) error {
	e := json.NewEncoder(terminal.JSONWriter(w))
	e.SetEscapeHTML(false)
	return e.Encode(d)
}
