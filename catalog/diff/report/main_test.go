package report_test

import (
	"os"
	"runtime/debug"
	"testing"
)

// The tests read many small documents. With their small heap, the collector runs so often that it takes a quarter of the time.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}
