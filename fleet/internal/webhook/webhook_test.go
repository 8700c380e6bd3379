package webhook_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pcatdev/pcat/fleet/internal/store"
	"github.com/pcatdev/pcat/fleet/internal/webhook"
)

// receiver is a program that refuses each event twice and remembers the ones that it accepted.
type receiver struct {
	mu       sync.Mutex
	tries    map[string]int
	accepted []string
	ids      []string
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	var e struct {
		SpecVersion, ID, Source, Type, Subject, DataContentType string
		Time                                                    time.Time
		Data                                                    struct {
			Node, Kind string
			Finding    struct{ Owner string }
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	err := json.NewDecoder(q.Body).Decode(&e)
	if user, password, _ := q.BasicAuth(); err != nil || user != "pcat" || password != "hunter2" || q.Header.Get("Content-Type") != "application/cloudevents+json" ||
		e.SpecVersion != "1.0" || e.ID == "" || e.Source != "/pcatd/0123abcd" || e.Type != "pcat.finding."+e.Data.Kind || e.Time.IsZero() || e.Data.Finding.Owner != "@dba" {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	if r.tries[e.ID]++; r.tries[e.ID] < 3 {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	r.accepted, r.ids = append(r.accepted, e.Data.Node), append(r.ids, e.ID)
}

// Events arrive in order and once, though each is refused twice. After a restart, those that
// happened in between come first.
func TestSender(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	key, err := store.Folder(dir)
	if err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(t.Context(), store.Options{Key: key, Dir: dir, Create: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	happen := func(nodes ...string) {
		t.Helper()
		for _, node := range nodes {
			body := fmt.Appendf(nil, `{"kind":"new","time":"2026-11-03T12:00:00Z","feed":"f","node":%q,"fingerprint":"f1","finding":{"owner":"@dba"}}`, node)
			if err := s.Event(t.Context(), "new", "id of "+node, body); err != nil {
				t.Fatal(err)
			}
		}
	}
	happen("before")
	r := &receiver{tries: map[string]int{}}
	server := httptest.NewServer(r)
	defer server.Close()
	var log strings.Builder
	hook, err := webhook.New(webhook.Options{
		URL: strings.Replace(server.URL, "http://", "http://pcat:hunter2@", 1) + "/hook", Fleet: "0123abcd", Events: s, Log: slog.New(slog.NewTextHandler(&log, nil)),
		Pause: func(uint64) time.Duration { return 10 * time.Millisecond },
	})
	if err != nil {
		t.Fatal(err)
	}
	start := func() (stop func()) {
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { defer close(done); hook.Run(ctx) }()
		return func() { cancel(); <-done }
	}
	stop := start()
	for begin := time.Now(); ; time.Sleep(10 * time.Millisecond) { // until the position is remembered
		happen(fmt.Sprint("first", time.Since(begin)))
		r.mu.Lock()
		n := len(r.accepted)
		r.mu.Unlock()
		if n > 0 || time.Since(begin) > 20*time.Second {
			break
		}
	}
	stop()
	r.mu.Lock()
	if len(r.accepted) == 0 || r.accepted[0] == "before" {
		t.Errorf("accepted %q", r.accepted)
	}
	r.mu.Unlock()
	happen("a", "b", "c")
	stop = start()
	for begin := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		r.mu.Lock()
		got := slices.Clone(r.accepted)
		r.mu.Unlock()
		if n := len(got); n > 3 && slices.Equal(got[n-3:], []string{"a", "b", "c"}) {
			break
		}
		if time.Since(begin) > 30*time.Second {
			t.Fatalf("accepted %q", got)
		}
	}
	r.mu.Lock()
	if sorted := slices.Compact(slices.Sorted(slices.Values(r.accepted))); len(sorted) != len(r.accepted) {
		t.Errorf("an event arrived twice: %q", r.accepted)
	}
	if ids := slices.Compact(slices.Sorted(slices.Values(r.ids))); len(ids) != len(r.accepted) || ids[0] == "" {
		t.Errorf("the IDs of %q are %q", r.accepted, r.ids)
	}
	r.mu.Unlock()
	if err := hook.Healthy(); err != nil {
		t.Error(err)
	}
	stop()
	if text := log.String(); strings.Contains(text, "hunter2") || !strings.Contains(text, "503") {
		t.Errorf("the log is %s", text)
	}
}

// events delivers one event without an ID.
type events struct{}

func (events) DeliverEvents(ctx context.Context, _ string, handle func(ctx context.Context, e store.Event) error, _ func(uint64) time.Duration) error {
	within, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	_ = handle(within, store.Event{Sequence: 7, Body: []byte(`{"kind":"new"}`)})
	<-ctx.Done()
	return nil
}

// The end of the process while an event is sent is no fault. An event without an ID has its
// position.
func TestSenderEnds(t *testing.T) {
	began, free := make(chan string, 1), make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, q *http.Request) {
		var e struct{ ID, Source string }
		if err := json.NewDecoder(q.Body).Decode(&e); err != nil {
			t.Error(err)
		}
		began <- e.ID + " of " + e.Source
		<-free
	}))
	defer server.Close()
	defer close(free)
	var log strings.Builder
	hook, err := webhook.New(webhook.Options{URL: server.URL, Events: events{}, Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); hook.Run(ctx) }()
	if got := <-began; got != "7 of /pcatd" {
		t.Errorf("got %s", got)
	}
	cancel()
	<-done
	if log.String() != "" || hook.Healthy() != nil {
		t.Errorf("%s, %v", log.String(), hook.Healthy())
	}
}

func TestNew(t *testing.T) {
	for _, address := range []string{"tickets", "ftp://x:hunter2@h", "http://x:hunter2@h:y"} {
		if _, err := webhook.New(webhook.Options{URL: address}); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v", address, err)
		}
	}
}
