//go:build unix

package root

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pcatdev/pcat/fleet/internal/fleettest"
)

var (
	schedules = flag.Int("schedules", 10, "number of schedules of TestProcessSchedules")
	first     = flag.Uint64("first", 0, "first schedule of TestProcessSchedules")
)

// Processes are killed and stopped at random. When no work is left, the report equals the
// report of one audit.
func TestProcessSchedules(t *testing.T) {
	n := *schedules
	if testing.Short() {
		n = 2
	}
	const together = 4 // most of the time is spent waiting
	for lane := range together {
		t.Run(fmt.Sprint("lane", lane), func(t *testing.T) {
			t.Parallel()
			for i := lane; i < n; i += together {
				t.Run(fmt.Sprint("schedule", *first+uint64(i)), func(t *testing.T) { newProcesses(t, *first+uint64(i)).run() })
			}
		})
	}
}

// processes are a fleet of processes: one serves, and the others work.
type processes struct {
	t            *testing.T
	rand         *rand.Rand
	state, files string
	args         [3][]string
	running      [3]*process // nil if it was killed
	docs         map[string][]byte
}

func newProcesses(t *testing.T, seed uint64) *processes {
	state := filepath.Join(t.TempDir(), "state")
	work := []string{"worker", "--state", state, "--workers", "1"}
	p := &processes{
		t: t, rand: rand.New(rand.NewPCG(seed, 22)), state: state, files: t.TempDir(), docs: map[string][]byte{},
		args: [3][]string{{"serve", "--state", state, "--http", "", "--workers", "0", "--ack-wait", "500ms", "--max-store", "1GB"}, work, work},
	}
	p.revive()
	return p
}

func (p *processes) start(i int) {
	if p.running[i] == nil {
		p.running[i] = start(p.t, p.args[i]...)
	}
}

func (p *processes) kill(i int) {
	if p.running[i] != nil {
		_ = p.running[i].Process.Kill()
		_ = p.running[i].Wait()
		p.running[i] = nil
	}
}

// revive starts all that was killed.
func (p *processes) revive() {
	p.t.Helper()
	p.start(0)
	for begin := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		_, messages, status := try(p.t, "status", "--state", p.state, "--timeout", "2s")
		if status == 0 {
			break
		}
		if time.Since(begin) > time.Minute {
			p.t.Fatalf("it does not serve: %s", messages)
		}
	}
	for i := 1; i < len(p.running); i++ {
		p.start(i)
	}
}

// ingest delivers catalogs, in a process that may be killed in the middle, until they are
// stored.
func (p *processes) ingest() {
	p.t.Helper()
	args := []string{"ingest", "--state", p.state}
	for range 1 + p.rand.IntN(8) {
		node := fmt.Sprint("node", p.rand.IntN(12))
		path := filepath.Join(p.files, node+".json")
		data := fleettest.Whole(p.rand, node)
		if p.rand.IntN(30) == 0 { // its part is too large for one message
			data = bytes.Replace(data, []byte(`"edges":[`), fmt.Appendf(nil, `"note":%q,"edges":[`, bytes.Repeat([]byte("meadow "), 100_000)), 1)
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			p.t.Fatal(err)
		}
		args = append(args, path)
		p.docs["ingest/"+node] = data
	}
	if p.rand.IntN(2) == 0 {
		ingest := start(p.t, args...)
		p.pause()
		if p.rand.IntN(2) == 0 {
			p.kill(p.rand.IntN(3))
		}
		if p.rand.IntN(2) == 0 {
			_ = ingest.Process.Kill()
		}
		_ = ingest.Wait()
		if ingest.ProcessState.Success() {
			return
		}
	}
	if _, _, status := try(p.t, args...); status != 0 {
		p.revive()
		run(p.t, args...)
	}
}

func (p *processes) pause() { time.Sleep(time.Duration(p.rand.IntN(250)) * time.Millisecond) }

func (p *processes) run() {
	p.t.Helper()
	for range 4 + p.rand.IntN(6) {
		i := p.rand.IntN(3)
		switch p.rand.IntN(6) {
		case 0, 1:
			p.ingest()
		case 2, 3:
			p.kill(i)
		case 4:
			p.revive()
		case 5: // longer than the server waits for a worker
			if r := p.running[i]; r != nil {
				_ = r.Process.Signal(syscall.SIGSTOP)
				time.Sleep(time.Duration(p.rand.IntN(1200)) * time.Millisecond)
				_ = r.Process.Signal(syscall.SIGCONT)
			}
		}
		p.pause()
	}
	p.revive()
	p.ingest()
	p.revive()
	if _, messages, status := try(p.t, "status", "--state", p.state, "--wait", "--timeout", "90s"); status != 0 {
		out, _, _ := try(p.t, "status", "--state", p.state, "--json")
		p.t.Errorf("it does not settle: %s %s", messages, out)
		for _, r := range p.running {
			_ = r.Process.Signal(syscall.SIGQUIT) // prints its goroutines, if it has not ended by itself
			_ = r.Wait()
			log, _, _ := strings.Cut(r.messages.String(), "SIGQUIT: quit")
			p.t.Errorf("pcatd %s, %v:\n%s", r.Args[1], r.ProcessState, log)
		}
		return
	}
	if got, want := run(p.t, "report", "--state", p.state, "--format", "json"), want(p.t, p.state, p.docs); got != want {
		p.t.Errorf("the reports differ:\n%s\nwant\n%s", got, want)
	}
	for i := len(p.running) - 1; i >= 0; i-- { // each ends by itself
		if err := p.running[i].Process.Signal(os.Interrupt); err != nil {
			p.t.Error(err)
		}
		if err := p.running[i].Wait(); err != nil {
			p.t.Errorf("pcatd %s ends with %v", p.args[i][0], err)
		}
	}
}
