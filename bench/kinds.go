package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"github.com/pcatdev/pcat/bench/gen"
	"github.com/pcatdev/pcat/bench/varied"
)

// kindJobs compare the redaction of catalogs of several kinds with their audit, at the given size:
// the time for a byte should depend on neither the kind nor the size.
func (b *bench) kindJobs(title string, size int) (jobs []*job, err error) {
	real, err := os.ReadFile(filepath.Join(b.catalogs, "webstack", "rich.json"))
	if err != nil {
		return nil, err
	}
	copied, err := varied.Copied(real, size)
	if err != nil {
		return nil, err
	}
	var like, random bytes.Buffer
	if err := gen.Catalog(&like, gen.Options{Seed: b.seed, Size: size}); err != nil {
		return nil, err
	}
	if err := varied.Catalog(&random, b.seed, size); err != nil {
		return nil, err
	}
	for i, kind := range []struct {
		name string
		data []byte
	}{{"like real ones", like.Bytes()}, {"of random words", random.Bytes()}, {"a real one, copied", copied}} {
		path := filepath.Join(b.folder, fmt.Sprintf("kind-%d-%d.json", size, i))
		if err := os.WriteFile(path, kind.data, 0o600); err != nil {
			return nil, err
		}
		jobs = append(jobs, &job{name: "command: redact and audit, " + kind.name, input: title, bytes: len(kind.data), candidates: []*candidate{
			b.launcher.command("pcat redact", "", b.command, "redact", path),
			b.launcher.command("pcat audit", "finds, and replaces nothing", b.command, "audit", "--fail-on", "none", path),
		}})
	}
	return jobs, nil
}
