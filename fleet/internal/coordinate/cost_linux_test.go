package coordinate

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/pprof"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pcatdev/pcat/fleet/internal/fleettest"
	"github.com/pcatdev/pcat/fleet/internal/store"
	"github.com/pcatdev/pcat/fleet/internal/work"
)

// catalogsVariable names a folder of catalogs whose costs TestCost measures:
//
//	(cd bench && go run . -fleet /tmp/fleet -nodes 5000)
//	(cd fleet && PCAT_CATALOGS=/tmp/fleet go test -run TestCost -v -timeout 1h ./internal/coordinate)
const catalogsVariable = "PCAT_CATALOGS"

// profilesVariable names a folder for a profile of each step.
const profilesVariable = "PCAT_PROFILES"

// cpu returns the processor time of this process.
func cpu(t *testing.T) time.Duration {
	t.Helper()
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		t.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// TestCost measures the processor time of an audit of all catalogs, of one that changes, and of
// one that declares a new secret, as pcatd has it, with its server and workers.
func TestCost(t *testing.T) {
	folder := os.Getenv(catalogsVariable)
	if folder == "" {
		t.Skip(catalogsVariable + " is not set")
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatal("no catalogs", err)
	}
	f := newFleetWith(t, work.Options{}, store.Options{MaxBytes: 8 << 30, AckWait: 30 * time.Second})
	f.patience, f.poll = time.Hour, 200*time.Millisecond
	read := func(file string) []byte {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	node := func(file string) string { return strings.TrimSuffix(filepath.Base(file), ".json") }
	measure := func(name string, n int, change func(i int)) {
		if dir := os.Getenv(profilesVariable); dir != "" {
			p, err := os.Create(filepath.Join(dir, strings.ReplaceAll(name, " ", "-")+".pprof"))
			if err != nil {
				t.Fatal(err)
			}
			if err := pprof.StartCPUProfile(p); err != nil {
				t.Fatal(err)
			}
			defer func() { pprof.StopCPUProfile(); _ = p.Close() }()
		}
		var list []time.Duration
		for i := range n {
			before := cpu(t)
			change(i)
			list = append(list, cpu(t)-before)
		}
		slices.Sort(list)
		t.Logf("%-30s %8.3f s CPU (%.3f to %.3f)", name, list[n/2].Seconds(), list[0].Seconds(), list[n-1].Seconds())
	}
	for _, file := range files {
		f.docs["test/"+node(file)] = read(file)
	}
	measure("an audit", 1, func(int) {
		if _, err := fleettest.Report(f.docs, f.key.Derive("fingerprints")); err != nil {
			t.Fatal(err)
		}
	})
	f.startWith(2, Options{})
	time.Sleep(time.Second)
	measure("all catalogs", 1, func(int) {
		for _, file := range files {
			f.put(node(file), read(file))
		}
		f.settle()
	})
	put := func(file string, replace func(data []byte) []byte) {
		name := node(file)
		f.put(name, replace(f.docs["test/"+name]))
		f.settle()
	}
	time.Sleep(10 * time.Second)
	measure("idle 10 s", 1, func(int) { time.Sleep(10 * time.Second) })
	declare := func(secret func(i int) string) func(int) {
		return func(i int) {
			put(files[i*37%len(files)], func(data []byte) []byte {
				return bytes.Replace(data, []byte(`"resources":[`), fmt.Appendf(nil, `"resources":[{"type":"Class","title":"Added%d","parameters":{"secret":%q},"sensitive_parameters":["secret"]},`, i, secret(i)), 1)
			})
		}
	}
	measure("a changed catalog", 7, func(i int) {
		put(files[i*31%len(files)], func(data []byte) []byte {
			return bytes.Replace(data, []byte(`"resources":[`), []byte(`"resources":[{"type":"Notify","title":"added","parameters":{}},`), 1)
		})
	})
	measure("a new secret", 5, declare(func(i int) string { return fmt.Sprintf("kV7q%dxTz93LmWp2R", i) }))
	measure("a new secret with signs", 5, declare(func(i int) string { return fmt.Sprintf("k#V7q%d-x(Tz9!3L_m&p", i) }))
	sizes(t, filepath.Join(f.dir, "nats", "jetstream", "$G", "streams"), len(files))
}

// sizes logs the bytes that each stream in a folder has on the disk, by node.
func sizes(t *testing.T, folder string, nodes int) {
	t.Helper()
	streams, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, stream := range streams {
		size := int64(0)
		err := filepath.WalkDir(filepath.Join(folder, stream.Name()), func(_ string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			info, err := e.Info()
			if err == nil {
				size += info.Size()
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%-30s %8.2f KB a node", stream.Name(), float64(size)/float64(nodes)/1e3)
	}
}
