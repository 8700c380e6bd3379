package live

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
)

// NewBreaking starts a server that passes on the answers that get returns for a
// path. After some of them it sends only the beginning, as a server does that is
// killed.
func NewBreaking(answers int, get func(path string) (body io.ReadCloser, status int, err error)) *httptest.Server {
	var sent atomic.Int64
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, status, err := get(r.URL.RequestURI())
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		defer func() { _ = body.Close() }() // it was read
		text, err := io.ReadAll(body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		if sent.Add(1) > int64(answers) {
			text = text[:len(text)/2]
			w.Header().Set("Content-Length", "1000000")
		}
		w.WriteHeader(status)
		_, _ = w.Write(text) // the client may be gone
	}))
}
