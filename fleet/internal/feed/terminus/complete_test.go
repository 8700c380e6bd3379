package terminus_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pcatdev/pcat/fleet/internal/feed"
	"github.com/pcatdev/pcat/fleet/internal/feed/feedtest"
	"github.com/pcatdev/pcat/fleet/internal/feed/terminus"
	"github.com/pcatdev/pcat/fleet/internal/fleettest"
)

// whole is a complete catalog of web01 in production.
const whole = `{"name":"web01","version":1,"environment":"production","resources":[` +
	`{"type":"Class","title":"Own","parameters":{"secret":"hunter2-declared"},"sensitive_parameters":["secret"]}],"edges":[]}`

// deliver sends a complete catalog, and returns the status and the answer. Headers are
// those of pcatd's terminus, changed by pairs of a name and a value.
func deliver(t *testing.T, s *httptest.Server, path string, body io.Reader, headers ...string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/feed/v1/catalogs/"+path, body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/vnd.puppet.rich+json")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}

func TestComplete(t *testing.T) {
	sink := feedtest.NewSink(terminus.Feed)
	s := httptest.NewServer(terminus.NewHandler(sink, terminus.Options{}))
	defer s.Close()
	const parameters = "&transaction=0f3c6f2c-8a0e-4b7e-9c58-4f6c3c1f7e11&produced=2026-01-31T12:00:00.123Z"
	branch := strings.Replace(whole, `"production"`, `"branch_2"`, 1)
	for _, test := range []struct {
		name, path, body string
		headers          []string
	}{
		{"production", "web01?environment=production" + parameters, string(zipped(t, whole)), []string{"Content-Encoding", "gzip"}},
		{"branch_2", "web01?environment=branch_2" + parameters, branch, []string{"Content-Type", "application/vnd.puppet.rich+json; charset=utf-8"}},
	} {
		status, answer := deliver(t, s, test.path, strings.NewReader(test.body), test.headers...)
		if status != http.StatusOK || answer != `{"outcome":"stored"}`+"\n" {
			t.Errorf("%s: status %d, %s", test.name, status, answer)
		}
	}
	if names := sink.Names(); !slices.Equal(names, []string{"compiler:branch_2/web01", "compiler:production/web01"}) {
		t.Errorf("the sink has %v", names)
	}
	c, _ := sink.Get("compiler:production", "web01")
	if string(c.Data) != whole || !c.Produced.Equal(time.Date(2026, 1, 31, 12, 0, 0, 123e6, time.UTC)) {
		t.Errorf("stored: %v %s", c.Produced, c.Data)
	}
	if c, _ := sink.Get("compiler:branch_2", "web01"); string(c.Data) != branch {
		t.Errorf("stored: %s", c.Data)
	}
	if status, _ := deliver(t, s, "web02?environment=production", strings.NewReader(strings.Replace(whole, "web01", "web02", 1))); status != http.StatusOK {
		t.Errorf("without a transaction and a time: status %d", status)
	}
}

// TestNotComplete has catalogs that are not stored. No secret is in the answer or in the log.
func TestNotComplete(t *testing.T) {
	const limit = 4096
	const path = "web01?environment=production"
	large := strings.Replace(whole, "hunter2", strings.Repeat("x", 2*limit), 1)
	gzipped := []string{"Content-Encoding", "gzip"}
	for name, test := range map[string]struct {
		path, body string
		headers    []string
		status     int
		text       string
		outcome    terminus.Outcome
	}{
		"empty":             {path, `{"name":"web01","environment":"production","resources":[],"edges":[]}`, nil, 200, `{"outcome":"ignored"}`, terminus.Ignored},
		"node":              {"a%2Fb?environment=production", whole, nil, 400, "no certname", terminus.Refused},
		"no environment":    {"web01", whole, nil, 400, "environment is missing", terminus.Refused},
		"environment":       {"web01?environment=hunter2-x", whole, nil, 400, "no environment", terminus.Refused},
		"transaction":       {path + "&transaction=hunter2", whole, nil, 400, "not a UUID", terminus.Refused},
		"time":              {path + "&produced=hunter2", whole, nil, 400, "produced must be a time", terminus.Refused},
		"media type":        {path, whole, []string{"Content-Type", "application/json"}, 415, "content type must be", terminus.Refused},
		"encoding":          {path, whole, []string{"Content-Encoding", "br"}, 400, "content encoding", terminus.Refused},
		"no JSON":           {path, whole[:len(whole)-9], nil, 400, "not a catalog", terminus.Refused},
		"no catalog":        {path, `{"name":"web01","environment":"production","resources":"hunter2"}`, nil, 400, "not a catalog", terminus.Refused},
		"other node":        {"web02?environment=production", whole, nil, 400, "another name", terminus.Refused},
		"other environment": {"web01?environment=branch", whole, nil, 400, "another environment", terminus.Refused},
		"cut off":           {path, string(zipped(t, whole)[:60]), gzipped, 400, "cannot be read", terminus.Refused},
		"too large":         {path, large, nil, 413, "too large", terminus.Refused},
		"too large in gzip": {path, string(zipped(t, large)), gzipped, 413, "too large", terminus.Refused},
	} {
		t.Run(name, func(t *testing.T) {
			sink := feedtest.NewSink(terminus.Feed)
			log, outcomes := new(fleettest.Log), make(chan terminus.Outcome, 10)
			s := httptest.NewServer(terminus.NewHandler(sink, terminus.Options{
				MaxBody: limit, Log: slog.New(slog.NewTextHandler(log, nil)), Observe: func(o terminus.Outcome, _ time.Duration) { outcomes <- o },
			}))
			defer s.Close()
			status, answer := deliver(t, s, test.path, strings.NewReader(test.body), test.headers...)
			if status != test.status || !strings.Contains(answer, test.text) || !json.Valid([]byte(answer)) {
				t.Errorf("status %d, %s; want %d, %s", status, answer, test.status, test.text)
			}
			if outcome := <-outcomes; outcome != test.outcome {
				t.Errorf("outcome %s, want %s", outcome, test.outcome)
			}
			if names := sink.Names(); len(names) > 0 {
				t.Errorf("stored: %v", names)
			}
			if seen := log.String() + answer; strings.Contains(seen, "hunter2") {
				t.Errorf("a secret is seen: %s", seen)
			}
		})
	}
}

// TestCompleteFaults has sinks that fail: the answer lets pcatd's terminus send the catalog again.
func TestCompleteFaults(t *testing.T) {
	for name, test := range map[string]struct {
		fault   func(context.Context) error
		status  int
		outcome terminus.Outcome
	}{
		"full":  {func(context.Context) error { return feed.ErrFull }, 503, terminus.Full},
		"slow":  {func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }, 503, terminus.Slow},
		"fails": {func(context.Context) error { return errors.New("internal detail") }, 500, terminus.Failed},
	} {
		t.Run(name, func(t *testing.T) {
			sink := feedtest.NewSink(terminus.Feed)
			sink.Break(test.fault)
			outcomes := make(chan terminus.Outcome, 10)
			s := httptest.NewServer(terminus.NewHandler(sink, terminus.Options{
				CompleteTimeout: 100 * time.Millisecond, Observe: func(o terminus.Outcome, _ time.Duration) { outcomes <- o },
			}))
			defer s.Close()
			status, answer := deliver(t, s, "web01?environment=production", strings.NewReader(whole))
			if status != test.status || strings.Contains(answer, "detail") {
				t.Errorf("status %d, %s", status, answer)
			}
			if outcome := <-outcomes; outcome != test.outcome {
				t.Errorf("outcome %s, want %s", outcome, test.outcome)
			}
			sink.Break(nil)
			if status, answer := deliver(t, s, "web01?environment=production", strings.NewReader(whole)); status != http.StatusOK {
				t.Errorf("repaired: status %d, %s", status, answer)
			}
		})
	}
}

// TestSlowDelivery has a client that sends half of a catalog and then nothing. It gets an answer in time.
func TestSlowDelivery(t *testing.T) {
	sink := feedtest.NewSink(terminus.Feed)
	s := httptest.NewServer(terminus.NewHandler(sink, terminus.Options{CompleteTimeout: 100 * time.Millisecond}))
	defer s.Close()
	for name, headers := range map[string][]string{"plain": nil, "gzip": {"Content-Encoding", "gzip"}} {
		r, w := io.Pipe()
		go func() {
			body := []byte(whole)
			if headers != nil {
				body = zipped(t, whole)
			}
			_, _ = io.Copy(w, bytes.NewReader(body[:40])) // the client never ends
		}()
		if status, answer := deliver(t, s, "web01?environment=production", r, headers...); status != http.StatusServiceUnavailable {
			t.Errorf("%s: status %d, %s", name, status, answer)
		}
		_ = w.Close()
	}
	if names := sink.Names(); len(names) > 0 {
		t.Errorf("stored: %v", names)
	}
}
