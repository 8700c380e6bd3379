package work

import (
	"context"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/fleet/internal/seal"
)

// A fault in the audit of a catalog is an error without its text, and the next catalog is
// audited as before.
func TestPanic(t *testing.T) {
	const secret = "hunter2-walrus-trombone"
	key, err := seal.Create(filepath.Join(t.TempDir(), "fleet.key"))
	if err != nil {
		t.Fatal(err)
	}
	e, err := NewEngine(key)
	if err != nil {
		t.Fatal(err)
	}
	b := newBench(e)
	in := audit.Input{Name: "f/web", Open: func() (*catalog.Reader, io.Closer, error) { panic("at " + secret) }}
	p, err := b.examine(context.Background(), in, nil, nil)
	if p != nil || err == nil || !strings.Contains(err.Error(), "f/web") || strings.Contains(err.Error(), secret) {
		t.Errorf("got %v, %v", p, err)
	}
	document := audit.Document("f/db", []byte(`{"name":"db","resources":[],"edges":[]}`))
	if p, err = b.examine(context.Background(), document, nil, nil); p == nil || err != nil {
		t.Errorf("got %v, %v", p, err)
	}
}
