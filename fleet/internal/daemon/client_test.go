package daemon

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/pcatdev/pcat/fleet/internal/coordinate"
	"github.com/pcatdev/pcat/fleet/internal/store"
)

// A client asks again until there is a coordinator.
func TestAskAgain(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	key, err := store.Folder(dir)
	if err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(t.Context(), store.Options{Key: key, Dir: dir, MaxBytes: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	client := &Client{Store: s, Timeout: time.Minute}
	ended, cancel := context.WithCancel(t.Context())
	time.AfterFunc(300*time.Millisecond, cancel)
	if text, err := client.Report(ended, "text"); !errors.Is(err, context.Canceled) {
		t.Errorf("got %q and %v without a coordinator", text, err)
	}
	time.AfterFunc(300*time.Millisecond, func() {
		err := s.Answer(t.Context(), coordinate.AskReport, func(context.Context, []string) ([]byte, error) { return []byte("a report"), nil })
		if err != nil {
			t.Error(err)
		}
	})
	if text, err := client.Report(t.Context(), "text"); string(text) != "a report" {
		t.Errorf("got %q, %v", text, err)
	}
}
