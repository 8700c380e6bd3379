package overview

import (
	"cmp"
	"context"
	_ "embed" // the schema
	"encoding/json"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/klauspost/compress/gzhttp"

	"github.com/pcatdev/pcat/internal/terminal"
)

// Schema is the JSON Schema of a Document.
//
//go:embed findings.schema.json
var Schema []byte

const (
	// share is the time for which a document is served again, as a multiple of the time that gathering
	// it took: it is at most a fifth of the work.
	share = 4
	// patience is how long a fleet may take for an answer.
	patience = 20 * time.Second
)

// NewHandler returns a handler of the page `/`, of the same as JSON, `/findings.json`, and of its schema,
// `/findings.schema.json`. All answers forbid that they are stored, and shown in other pages.
func NewHandler(o Options, log *slog.Logger) http.Handler {
	h := &handler{Options: o, log: log}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", h.serve("text/html; charset=utf-8", writePage))
	mux.HandleFunc("GET /findings.json", h.serve("application/json", writeJSON))
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

// handler serves documents.
type handler struct {
	Options
	log *slog.Logger

	mu    sync.Mutex // one request gathers, and the others wait
	last  *Document
	until time.Time
}

// document returns a document that is at most a few seconds old.
func (h *handler) document(ctx context.Context) (*Document, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.last != nil && time.Now().Before(h.until) {
		return h.last, nil
	}
	start := time.Now()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience) // others wait for it, too
	defer cancel()
	d, err := Gather(ctx, &h.Options)
	if err != nil {
		return nil, err
	}
	took := time.Since(start)
	kept := max(cmp.Or(h.Fresh, time.Second), share*took)
	h.last, h.until = d, time.Now().Add(kept)
	time.AfterFunc(kept, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.last == d {
			h.last = nil // it is large
		}
	})
	return d, nil
}

// serve answers with a document that write writes.
func (h *handler) serve(kind string, write func(w http.ResponseWriter, d *Document) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		d, err := h.document(r.Context())
		if err != nil {
			h.log.Warn("findings for a reader were not gathered", "error", err)
			w.Header().Set("Retry-After", "5")
			http.Error(w, "the fleet does not answer: try again", http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("Content-Type", kind)
		if r.Method == http.MethodHead {
			return
		}
		if err := write(w, d); err != nil && r.Context().Err() == nil {
			h.log.Debug("findings for a reader were not sent", "error", err)
		}
	}
}

func writeJSON(w http.ResponseWriter, d *Document) error {
	e := json.NewEncoder(terminal.JSONWriter(w))
	e.SetEscapeHTML(false)
	return e.Encode(d)
}
