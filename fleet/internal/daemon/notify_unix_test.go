//go:build unix

package daemon

import (
	"context"
	"log/slog"
	"net"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
)

// manager is a service manager with a watchdog.
func manager(t *testing.T, watchdog string) (messages <-chan string) {
	t.Helper()
	address := &net.UnixAddr{Name: filepath.Join(t.TempDir(), "notify"), Net: "unixgram"}
	l, err := net.ListenUnixgram("unixgram", address)
	if err != nil {
		t.Fatal(err)
	}
	all := make(chan string, 1000)
	go func() {
		defer close(all)
		for buf := make([]byte, 1000); ; {
			n, err := l.Read(buf)
			if err != nil {
				return
			}
			all <- string(buf[:n])
		}
	}()
	t.Cleanup(func() { _ = l.Close() })
	t.Setenv("NOTIFY_SOCKET", address.Name)
	t.Setenv("WATCHDOG_USEC", watchdog)
	t.Setenv("WATCHDOG_PID", "")
	return all
}

// awaitMessage waits for a message.
func awaitMessage(t *testing.T, messages <-chan string, want string) (before []string) {
	t.Helper()
	for timeout := time.After(time.Minute); ; {
		select {
		case m := <-messages:
			if m == want {
				return before
			}
			before = append(before, m)
		case <-timeout:
			t.Fatalf("no message %q, only %q", want, before)
		}
	}
}

// The service manager is notified when clients can connect, while the process works, and at its
// end. Other faults than a process that hangs do not matter.
func TestNotify(t *testing.T) {
	messages := manager(t, "30000")
	c := Connection{State: filepath.Join(t.TempDir(), "state")}
	end := begin(t, Options{Connection: c, Listen: "127.0.0.1:0", Free: func() (int64, error) { return 0, nil }}) // a full disk
	if before := awaitMessage(t, messages, "READY=1"); len(before) > 0 {
		t.Errorf("before it is ready: %q", before)
	}
	s, err := c.Open(t.Context(), nil)
	if err != nil {
		t.Fatalf("it is not ready: %v", err)
	}
	s.Close()
	for range 3 {
		awaitMessage(t, messages, "WATCHDOG=1")
	}
	end()
	if before := slices.Compact(awaitMessage(t, messages, "STOPPING=1")); len(before) > 1 || len(before) == 1 && before[0] != "WATCHDOG=1" {
		t.Errorf("before the end: %q", before)
	}
}

// The watchdog of a process that hangs is not fed.
func TestNotifyHangs(t *testing.T) {
	messages := manager(t, "30000")
	var hangs, asked atomic.Bool
	ctx, cancel := context.WithCancel(t.Context())
	var g errgroup.Group
	notify(ctx, &g, func() bool {
		if hangs.Load() {
			asked.Store(true)
		}
		return hangs.Load()
	}, slog.New(slog.DiscardHandler))
	awaitMessage(t, messages, "READY=1")
	awaitMessage(t, messages, "WATCHDOG=1")
	hangs.Store(true)
	for start := time.Now(); !asked.Load(); time.Sleep(time.Millisecond) {
		if time.Since(start) > time.Minute {
			t.Fatal("the watchdog does not look")
		}
	}
	for len(messages) > 0 { // sent before
		<-messages
	}
	time.Sleep(200 * time.Millisecond)
	cancel()
	_ = g.Wait() // it has no errors
	if before := awaitMessage(t, messages, "STOPPING=1"); len(before) > 0 {
		t.Errorf("a process that hangs says %q", before)
	}
}
