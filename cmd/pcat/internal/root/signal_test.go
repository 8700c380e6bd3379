//go:build unix

package root

import (
	"context"
	"io"
	"os"
	"syscall"
	"testing"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
)

// TestSignal interrupts a command that writes and listens to nothing.
func TestSignal(t *testing.T) {
	t.Chdir(t.TempDir())
	s := cli.Streams(nil, io.Discard, io.Discard)
	release := make(chan struct{})
	finished := make(chan error, 1)
	code := supervise(s, func(ctx context.Context) cli.ExitCode {
		out := cli.OutputFlags{File: "f"}
		finished <- out.Write(ctx, s, nil, func(w io.Writer) error {
			if _, err := w.Write(make([]byte, 1<<20)); err != nil {
				return err
			}
			if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
				return err
			}
			<-release
			return nil
		})
		return cli.ExitDone
	})
	if want := 128 + int(syscall.SIGTERM); code != want {
		t.Errorf("got %d, want %d", code, want)
	}
	close(release)
	if err := <-finished; err == nil {
		t.Error("the output was finished after the interrupt")
	}
	if left, err := os.ReadDir("."); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
