//go:build linux

package root

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pcatdev/pcat/fleet/internal/fleettest"
)

// smallDisk mounts a file system in memory.
func smallDisk(t *testing.T, megabytes int) string {
	t.Helper()
	if runtime.GOOS != "linux" || os.Geteuid() != 0 {
		t.Skip("mounts a small file system: run it as root on Linux")
	}
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", fmt.Sprintf("size=%dm,mode=700", megabytes), "pcatd-test", dir).CombinedOutput(); err != nil {
		t.Skipf("no file system can be mounted here: %v, %s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", dir).CombinedOutput(); err != nil {
			t.Errorf("%v, %s", err, out)
		}
	})
	return dir
}

// fill writes a file until the disk is full.
func fill(t *testing.T, path string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	for size := 1 << 20; size > 0; {
		if _, err := f.Write(make([]byte, size)); errors.Is(err, syscall.ENOSPC) {
			size /= 2
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// padded returns a catalog with megabytes that cannot be compressed.
func padded(r *rand.Rand, node string) []byte {
	text := string(fleettest.Whole(r, node))
	var b strings.Builder
	for b.Len() < 3<<20 {
		_, _ = fmt.Fprintf(&b, "%c%c%c ", 'a'+r.IntN(26), 0x4e00+r.IntN(20000), 0x4e00+r.IntN(20000))
	}
	return []byte(strings.Replace(text, `"resources":[`, `"note":"`+b.String()+`","resources":[`, 1))
}

// A disk that fills to the last byte, by catalogs and then by other programs, costs no
// catalog that was accepted.
func TestDiskFull(t *testing.T) {
	disk := smallDisk(t, 220)
	state, files := filepath.Join(disk, "state"), t.TempDir()
	r := rand.New(rand.NewPCG(12, 12))
	docs := map[string][]byte{}
	write := func(node string, data []byte) string {
		path := filepath.Join(files, node+".json")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	serve := []string{"serve", "--state", state, "--http", "", "--workers", "1", "--ack-wait", "1s", "--max-store", "1GB"}
	s := start(t, serve...)
	run(t, "status", "--state", state, "--wait")

	// Catalogs fill the disk: they are refused, and the rest of the disk remains.
	var refused string
	for i := 0; refused == ""; i++ {
		if i == 100 {
			t.Fatal("nothing is refused")
		}
		node := fmt.Sprint("node", i)
		data := padded(r, node)
		_, messages, status := try(t, "ingest", "--state", state, "--timeout", "1ms", write(node, data))
		if status == 0 {
			docs["ingest/"+node] = data
			continue
		}
		if refused = node; !strings.Contains(messages, "the fleet's storage is full: the disk of pcatd serve has ") {
			t.Errorf("got %s", messages)
		}
	}
	t.Logf("%d catalogs of 3 MB were accepted", len(docs))

	// Other programs take the rest. It either ends with the reason, because a write of the
	// server failed, or refuses catalogs until there is room.
	other := filepath.Join(disk, "other")
	fill(t, other)
	ended := make(chan error, 1)
	go func() { ended <- s.Wait() }()
	end := time.After(15 * time.Second)
	for i, full := 0, true; full; i++ {
		node := fmt.Sprint("small", i)
		data := fleettest.Whole(r, node)
		_, messages, status := try(t, "ingest", "--state", state, "--timeout", "1ms", write(node, data))
		if status == 0 {
			docs["ingest/"+node] = data
		} else if messages == "" {
			t.Errorf("%s is refused without a reason", node)
		}
		fill(t, other)
		select {
		case err := <-ended:
			if err == nil || !strings.Contains(s.messages.String(), "free space, and start again") {
				t.Errorf("it ends with %v, without a reason", err)
			}
			full = false
		case <-end:
			_ = s.Process.Kill()
			if err := <-ended; err == nil {
				t.Error("it was not killed")
			}
			full = false
		case <-time.After(200 * time.Millisecond):
		}
	}
	again := start(t, serve...) // with a full disk
	done := make(chan error, 1)
	go func() { done <- again.Wait() }()
	select {
	case err := <-done:
		if err == nil {
			t.Error("it ends without an error")
		}
		t.Logf("with a full disk: %s", &again.messages)
	case <-time.After(5 * time.Second):
		_ = again.Process.Kill()
		if err := <-done; err == nil {
			t.Error("it ends without an error")
		}
	}

	// There is room again.
	if err := os.Remove(other); err != nil {
		t.Fatal(err)
	}
	for i := range 12 { // of earlier ones, small ones replace large ones
		node := fmt.Sprint("node", i)
		docs["ingest/"+node] = fleettest.Whole(r, node)
	}
	start(t, append(serve, "--keep", "0s")...)
	run(t, "status", "--state", state, "--wait", "--timeout", "90s")
	for i := range 12 {
		node := fmt.Sprint("node", i)
		run(t, "ingest", "--state", state, write(node, docs["ingest/"+node]))
	}
	run(t, "status", "--state", state, "--wait", "--timeout", "90s")
	if got, want := run(t, "report", "--state", state, "--format", "json"), want(t, state, docs); got != want {
		t.Errorf("the reports differ:\n%.3000s\nwant\n%.3000s", got, want)
	}
	if out := run(t, "dead", "list", "--state", state); out != "no dead letters\n" {
		t.Errorf("dead letters: %s", out)
	}
}
