package cli

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
)

func TestMakeRoom(t *testing.T) {
	const more = 16 << 20
	asked, free := askedFor(t), idle()
	size := free + more // which is not all free already
	makeRoom(size)
	if got := askedFor(t); got < asked+more {
		t.Errorf("%d bytes are to be in huge pages, want %d more than %d", got, more, asked)
	}
	for idle() < size { // it is about to be, and nothing else may collect it
		time.Sleep(time.Millisecond)
	}
}

// Room counts for a limit on memory, used or not.
func TestNoRoomBelowALimit(t *testing.T) {
	s := Streams(nil, nil, nil)
	defer s.collectAt(percent())
	s.Getenv = func(name string) string { return map[string]string{"GOMEMLIMIT": "1GiB"}[name] }
	asked := askedFor(t)
	s.expect(1 << 30)
	if got := askedFor(t); got > asked {
		t.Errorf("%d bytes are to be in huge pages, want %d as before", got, asked)
	}
	if got := percent(); got != 40 {
		t.Errorf("GOGC is %d, want 40", got)
	}
}

// idle returns how much of the heap is free.
func idle() int64 {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapIdle)
}

// askedFor returns how much of the memory of this process is to be in huge pages.
func askedFor(t *testing.T) (bytes int64) {
	t.Helper()
	f, err := os.Open("/proc/self/smaps")
	if err != nil {
		t.Skip(err)
	}
	defer func() { _ = f.Close() }()
	var size int64
	for lines := bufio.NewScanner(f); lines.Scan(); {
		line := lines.Text()
		if kB, ok := strings.CutPrefix(line, "Size:"); ok {
			if _, err := fmt.Sscanf(kB, "%d kB", &size); err != nil {
				t.Fatal(line, err)
			}
		}
		if strings.HasPrefix(line, "VmFlags:") && strings.Contains(line+" ", " hg ") {
			bytes += size << 10
		}
	}
	return bytes
}
