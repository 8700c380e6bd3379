package live

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
)

// Breaking is a server that passes on the answers of another one. After some of
// them it sends only the beginning, as a server does that is killed.
type Breaking struct {
	*httptest.Server
	left atomic.Int64 // answers that are complete
}

// NewBreaking starts a server with answers that get returns for a path.
func NewBreaking(answers int64, get func(path string) (body io.ReadCloser, status int, err error)) *Breaking {
	b := &Breaking{}
	b.Repair(answers)
	b.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, status, err := read(get(r.URL.RequestURI()))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		if b.left.Add(-1) < 0 {
			text = text[:len(text)/2]
			w.Header().Set("Content-Length", "1000000")
		}
		w.WriteHeader(status)
		_, _ = w.Write(text) // the client may be gone
	}))
	return b
}

// Repair makes the next answers complete.
func (b *Breaking) Repair(answers int64) { b.left.Store(answers) }

func read(body io.ReadCloser, status int, err error) ([]byte, int, error) {
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = body.Close() }() // it was read
	text, err := io.ReadAll(body)
	return text, status, err
}
