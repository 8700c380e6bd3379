package root

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pcatdev/pcat/fleet/internal/fleettest"
	"github.com/pcatdev/pcat/fleet/internal/store"
)

// mover is a fleet whose storage moves.
type mover struct {
	*testing.T
	place   []string // the flags that locate it
	process *process
}

// serve starts the fleet, and waits until it is settled.
func (m *mover) serve() {
	m.Helper()
	m.process = start(m.T, append([]string{"serve", "--http", "", "--workers", "1", "--max-store", "1GB"}, m.place...)...)
	m.run("status", "--wait", "--timeout", "90s")
}

// stop ends the fleet.
func (m *mover) stop() {
	m.Helper()
	_ = m.process.Process.Signal(os.Interrupt)
	if err := m.process.Wait(); err != nil {
		m.Error(err)
	}
}

func (m *mover) run(args ...string) string {
	m.Helper()
	return run(m.T, append(args, m.place...)...)
}

// history returns everything with a time, and the report.
func (m *mover) history() string {
	m.Helper()
	var b strings.Builder
	for _, args := range [][]string{{"findings"}, {"findings", "--gone"}, {"events"}, {"report"}} {
		b.WriteString(m.run(append(args, "--format", "json")...))
	}
	return b.String()
}

// check compares the history with an earlier one.
func (m *mover) check(after, want string) {
	m.Helper()
	if got := m.history(); got != want {
		i := 0
		for i < min(len(got), len(want)) && got[i] == want[i] {
			i++
		}
		m.Errorf("after %s: got …%.600s, want …%.600s", after, got[max(0, i-300):], want[max(0, i-300):])
	}
}

// fleetOf starts a fleet with a history: findings that are gone, past catalogs, and a catalog that cannot be audited.
func fleetOf(t *testing.T, r *rand.Rand, nodes int) *mover {
	t.Helper()
	m := &mover{T: t, place: []string{"--state", filepath.Join(t.TempDir(), "state")}}
	m.serve()
	files := t.TempDir()
	for range 3 {
		args := []string{"ingest"}
		for i := range nodes {
			path := filepath.Join(files, fmt.Sprint("node", i, ".json"))
			if err := os.WriteFile(path, fleettest.Whole(r, fmt.Sprint("node", i)), 0o600); err != nil {
				t.Fatal(err)
			}
			args = append(args, path)
		}
		m.run(args...)
		m.run("status", "--wait")
	}
	deliver(t, m.place[1], "broken", []byte(`{"name":"broken","resources":[{"`))
	m.run("status", "--wait")
	return m
}

// A fleet that moves to a cluster and back, and whose key is rotated, keeps the times of
// all findings, their fingerprints, and its events.
func TestMove(t *testing.T) {
	m := fleetOf(t, rand.New(rand.NewPCG(42, 1)), 12)
	first, want := m.place[1], m.history()
	var findings struct{ Findings []map[string]any }
	if err := json.Unmarshal([]byte(m.run("findings", "--format", "json")), &findings); err != nil || len(findings.Findings) < 10 || findings.Findings[0]["first_seen"] == nil {
		t.Fatalf("%d findings, %v", len(findings.Findings), err)
	}
	if !strings.Contains(want, `"gone"`) || strings.Count(want, `"failed"`) != 1 {
		t.Fatal("nothing is gone, or there is not one failure")
	}
	file := filepath.Join(t.TempDir(), "fleet.pcatd")
	online := m.run("export", file)
	m.check("an export", want)
	m.stop()
	if offline := m.run("export", file); offline != online || !strings.HasPrefix(offline, "exported: 13 documents, ") {
		t.Errorf("got %s, and %s", online, offline)
	}

	m.place = []string{"--nats", fleettest.NewCluster(t, 3).Address(), "--key-file", store.KeyFile(first), "--state", t.TempDir()}
	if err := os.Chmod(m.place[5], 0o700); err != nil {
		t.Fatal(err)
	}
	if got := m.run("import", "--replicas", "3", "--max-store", "1GB", file); got != strings.Replace(online, "exported", "imported", 1) {
		t.Errorf("got %s", got)
	}
	m.serve()
	m.check("the move to a cluster", want)
	for _, args := range [][]string{{"key", "rotate"}, {"import", file}} {
		if _, messages, status := try(t, append(args, m.place...)...); status != 2 || !strings.Contains(messages, "processes of the fleet run: stop ") {
			t.Errorf("%s with a fleet that runs: %d, %s", args, status, messages)
		}
	}
	m.stop()
	m.run("key", "rotate")
	m.serve()
	m.check("a rotation in a cluster", want)
	key := filepath.Join(t.TempDir(), "reader.key")
	m.run("key", "reader", key)
	(&mover{T: t, place: append(m.place[:2:2], "--key-file", key)}).check("the key of a reader of a cluster", want)
	m.run("export", file)
	m.stop()

	third := filepath.Join(t.TempDir(), "new", "state")
	m.place = []string{"--state", third}
	run(t, "import", "--key-file", store.KeyFile(first), "--state", third, file)
	m.serve()
	m.check("the move back", want)
	m.stop()
	before, err := os.ReadFile(store.KeyFile(third))
	if err != nil {
		t.Fatal(err)
	}
	former := filepath.Join(t.TempDir(), "former.key")
	if err := os.WriteFile(former, before, 0o600); err != nil {
		t.Fatal(err)
	}
	m.run("key", "rotate")
	if after, err := os.ReadFile(store.KeyFile(third)); err != nil || bytes.Equal(before, after) || len(before) != len(after) {
		t.Errorf("the key file is not another one of the same kind: %v", err)
	}
	m.serve()
	m.check("a rotation in a folder", want)
	if _, messages, status := try(t, "status", "--state", third, "--key-file", former); status != 2 || !strings.Contains(messages, "is this the fleet key") {
		t.Errorf("the former key is accepted: %d, %s", status, messages)
	}
	m.stop()

	// An export that is older than the key.
	fourth := filepath.Join(t.TempDir(), "state")
	args := []string{"import", "--state", fourth, "--key-file", store.KeyFile(third), file}
	if _, messages, status := try(t, args...); status != 2 || !strings.Contains(messages, "is not a whole export") {
		t.Errorf("%d, %s", status, messages)
	}
	if _, err := os.Stat(fourth); err == nil {
		t.Error("a file that cannot be read changes something")
	}
	run(t, append(args, "--former-key", former)...)
	m.place = []string{"--state", fourth}
	m.serve()
	m.check("the import of an older export", want)
	m.stop()
}

// A rotation that is killed at any moment leaves a fleet that works, and is continued.
func TestKilledRotation(t *testing.T) {
	r := rand.New(rand.NewPCG(42, 2))
	m := fleetOf(t, r, 40)
	want := m.history()
	m.stop()
	began := time.Now()
	if err := start(t, append([]string{"key", "rotate"}, m.place...)...).Wait(); err != nil {
		t.Fatal(err)
	}
	took := time.Since(began)
	killed := 0
	for n := range 12 {
		p := start(t, append([]string{"key", "rotate"}, m.place...)...)
		time.Sleep(took/4 + time.Duration(r.Int64N(int64(took))))
		if p.Process.Kill() == nil {
			if p.Wait() != nil {
				killed++
			}
		}
		if n%4 == 3 {
			m.serve()
			m.check("a rotation that was killed", want)
			_ = m.process.Process.Kill()
			_ = m.process.Wait()
		}
	}
	t.Logf("killed %d of 12; a rotation takes %s", killed, took)
	m.run("key", "rotate")
	m.serve()
	m.check("the last rotation", want)
	if strings.Contains(m.process.messages.String(), "damaged") || strings.Contains(m.process.messages.String(), "interrupted") {
		t.Error("the rotation is not complete")
	}
	m.stop()
}

// An import that is killed is repeated; the fleet does not serve half of one.
func TestKilledImport(t *testing.T) {
	m := fleetOf(t, rand.New(rand.NewPCG(42, 3)), 40)
	want, file := m.history(), filepath.Join(t.TempDir(), "fleet.pcatd")
	m.stop()
	m.run("export", file)
	key := store.KeyFile(m.place[1])
	r, began := rand.New(rand.NewPCG(42, 5)), time.Now()
	if err := start(t, "import", "--key-file", key, "--state", filepath.Join(t.TempDir(), "state"), file).Wait(); err != nil {
		t.Fatal(err)
	}
	took, killed := time.Since(began), 0
	for range 6 {
		m.place = []string{"--state", filepath.Join(t.TempDir(), "state")}
		args := append([]string{"import", "--key-file", key, file}, m.place...)
		p := start(t, args...)
		time.Sleep(took/4 + time.Duration(r.Int64N(int64(took*3/4))))
		_ = p.Process.Kill()
		if p.Wait() != nil {
			killed++
		}
		if _, messages, status := try(t, append([]string{"export", file + ".half"}, m.place...)...); status != 0 && !strings.Contains(messages, "run pcatd import again") && !strings.Contains(messages, "there is no fleet in") && !strings.Contains(messages, "no pcatd serve") {
			t.Errorf("half of an import: %d, %s", status, messages)
		}
		if _, messages, status := try(t, args...); status != 0 && !strings.Contains(messages, "already has a fleet") {
			t.Errorf("the import is not repeated: %d, %s", status, messages)
		}
	}
	t.Logf("killed %d of 6; an import takes %s", killed, took)
	m.serve()
	m.check("imports that were killed", want)
	m.stop()
}

// With a reader's key, a dashboard works, and nothing else does.
func TestReaderKey(t *testing.T) {
	m := fleetOf(t, rand.New(rand.NewPCG(42, 4)), 6)
	want, state := m.history(), m.place[1]
	path := filepath.Join(t.TempDir(), "reader.key")
	m.run("key", "reader", path)
	text, err := os.ReadFile(path)
	if err != nil || !strings.HasPrefix(string(text), "pcat-fleet-reader-1:") {
		t.Errorf("%.20s, %v", text, err)
	}
	reader := &mover{T: t, place: []string{"--state", state, "--key-file", path}}
	reader.check("the key of a reader", want)
	if out := reader.run("status"); !strings.HasPrefix(out, "state ") || !strings.Contains(strings.Join(strings.Fields(out), " "), "nodes of ingest 7") {
		t.Errorf("status: %s", out)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	r, w := io.Pipe()
	done := make(chan int, 1)
	go func() {
		done <- Run(ctx, append([]string{"events", "--follow", "--format", "json"}, reader.place...), w, io.Discard)
		_ = w.Close()
	}()
	lines := bufio.NewReader(r)
	for i := range 2 {
		if i > 0 {
			m.stop()
			m.serve()
		}
		node := fmt.Sprint("web", i)
		deliver(t, state, node, []byte(`{"name":"web","resources":[{"`))
		line, err := lines.ReadString('\n')
		if err != nil || !strings.Contains(line, `"failed"`) || !strings.Contains(line, node) {
			t.Fatalf("%q, %v", line, err)
		}
	}
	cancel()
	if status := <-done; status != 0 {
		t.Errorf("status %d", status)
	}
	file := filepath.Join(t.TempDir(), "x.json")
	if err := os.WriteFile(file, []byte(`{"name":"x","resources":[]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"changes"}, {"ingest", file}, {"dead", "list"}, {"dead", "retry"}, {"worker"}, {"export", file + ".export"}, {"key", "rotate"}, {"key", "reader", file + ".key"},
		{"serve", "--http", ""},
	} {
		_, messages, status := try(t, append(args, reader.place...)...)
		if status != 2 || !strings.Contains(messages, "is the key of a reader") && !strings.Contains(messages, "used by another pcatd serve") {
			t.Errorf("%s: %d, %s", args, status, messages)
		}
	}
	m.stop()
}
