package leak

import (
	"os"
	"runtime/debug"
	"testing"
)

// The tests read many small documents. With their small heap, the collector runs so often that it takes a third of the time.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}
