package cli

import (
	"runtime"
	"runtime/debug"
	"syscall"
	"time"
)

// makeRoom makes the heap larger by size bytes, which cost nothing until they are used, and has the
// system give them in huge pages. A page is given when it is first touched: one of 2 MiB in a tenth of the
// time of the 512 small ones in its place, which a third of a run on a catalog of 4 MB went to. Most
// systems give huge pages only to who asks, and Go does not ask.
//
// To ask is advice about addresses, which changes nothing of what memory holds, whoever has it later. What
// is allocated here stands for the addresses: it is collected at once, while there is little else to be
// looked at, and its place is free for what is allocated next.
//
// [runtime.GC] would do that, too, but calls for the other threads until all is swept, for milliseconds
// where the processors have other work; nothing depends on the room, which is not waited for that long.
func makeRoom(size int64) {
	const patience = 50 * time.Millisecond
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	free := newRoom(size)
	debug.SetGCPercent(0)
	runtime.KeepAlive(make([]byte, 128<<10)) // a heap that is full at once begins to be collected
	select {
	case <-free:
	case <-time.After(patience):
	}
}

// newRoom allocates room, and returns what is closed when that is collected. It is a call of its own, so
// that no stack frame that is left holds the room.
//
//go:noinline
func newRoom(size int64) <-chan struct{} {
	free := make(chan struct{})
	room := make([]byte, size)
	_ = syscall.Madvise(room, syscall.MADV_HUGEPAGE)
	runtime.AddCleanup(&room[0], func(free chan struct{}) { close(free) }, free)
	return free
}
