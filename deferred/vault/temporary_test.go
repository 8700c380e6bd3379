package vault_test

import (
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pcatdev/pcat/deferred/vault"
	"github.com/pcatdev/pcat/pcore/function"
)

// A caller that makes calls again recognizes the failures that are temporary, each attempt is one request, and
// only lasting answers are kept.
func TestSingleAttempt(t *testing.T) {
	var asked atomic.Int64
	var answer atomic.Pointer[http.HandlerFunc]
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		(*answer.Load())(w, r)
	}))
	defer server.Close()
	status := func(code int, after string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			if after != "" {
				w.Header().Set("Retry-After", after)
			}
			w.WriteHeader(code)
			_, _ = w.Write([]byte(`{"errors":["no luck"]}`))
		}
	}
	broken := func(w http.ResponseWriter, _ *http.Request) {
		c, _, err := w.(http.Hijacker).Hijack() //nolint:forcetypeassert // the server of the test has it
		check(t, err)
		check(t, c.Close())
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	check(t, listener.Close())
	for _, tt := range []struct {
		name      string
		address   string
		handler   http.HandlerFunc
		temporary bool
		after     time.Duration
	}{
		{"overloaded", server.URL, status(http.StatusTooManyRequests, "7"), true, 7 * time.Second},
		{"overloaded for long", server.URL, status(http.StatusTooManyRequests, "86400"), true, 5 * time.Minute},
		{"overloaded, until a date that is over", server.URL, status(http.StatusTooManyRequests, "Wed, 21 Oct 2015 07:28:00 GMT"), true, 0},
		{"sealed", server.URL, status(http.StatusServiceUnavailable, ""), true, 0},
		{"stale", server.URL, status(http.StatusPreconditionFailed, ""), true, 0},
		{"broken", server.URL, broken, true, 0},
		{"dead", "http://" + listener.Addr().String(), nil, true, 0},
		{"no such name", "http://vault.invalid", nil, false, 0},
		{"forbidden", server.URL, status(http.StatusForbidden, "7"), false, 0},
		{"missing", server.URL, status(http.StatusNotFound, ""), false, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			asked.Store(0)
			answer.Store(&tt.handler)
			v, err := vault.New(vault.Options{})
			check(t, err)
			arguments := `["kv/x",{"vault_addr":"` + tt.address + `","auth_method":"agent"}]`
			ctx := function.SingleAttempt(t.Context())
			_, err = call(ctx, v, arguments)
			temporary, ok := errors.AsType[*function.TemporaryError](err)
			if ok != tt.temporary || ok && temporary.After != tt.after {
				t.Fatalf("got %v, temporary: %t, %+v", err, ok, temporary)
			}
			if !strings.HasPrefix(err.Error(), vault.Name+"(): ") {
				t.Errorf("got %v", err)
			}
			if tt.handler == nil {
				return
			}
			if n := asked.Load(); n != 1 {
				t.Errorf("%d requests", n)
			}
			again := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`{"data":{"a":"1"}}`)) })
			answer.Store(&again)
			if got, err := call(ctx, v, arguments); (err == nil) != tt.temporary || err == nil && got != `{"a":"1"}` {
				t.Errorf("then got %s, %v", got, err)
			}
		})
	}
}
