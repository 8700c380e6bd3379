//go:build linux

package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// writers are command lines that write to standard output, each in its own manner.
func writers(t *testing.T) [][]string {
	t.Helper()
	catalog := func(name string) string {
		path, err := filepath.Abs(filepath.Join("..", "..", "testdata", "catalogs", name))
		if err != nil {
			t.Fatal(err)
		}
		return path
	}
	tiny, web, rich := catalog("tiny/rich.json"), catalog("webstack/rich.json"), catalog("rich/rich.json")
	dir := t.TempDir()
	module := filepath.Join(dir, "modules", "my", "manifests", "thing.pp")
	wrong := filepath.Join(dir, "wrong.json")
	for name, text := range map[string]string{
		module: "define my::thing(Integer $count) {}",
		wrong:  `{"resources":[{"type":"My::Thing","title":"a","parameters":{"count":"x"}}],"edges":[]}`,
	} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return [][]string{
		{"audit", tiny},
		{"audit", "--format", "html", web},
		{"completion", "bash"},
		{"convert", "-t", "yaml", tiny},
		{"convert", "-t", "rich-msgpack", tiny},
		{"convert", "-t", "json", "--ledger", "-", "-o", os.DevNull, rich},
		{"convert", "-t", "puppetdb", tiny},
		{"deferred", tiny},
		{"deferred", "--json", rich},
		{"eval", "-e", "1"},
		{"list", "formats"},
		{"list", "formats", "--json"},
		{"list", "functions"},
		{"list", "functions", "split"},
		{"get", tiny, "name"},
		{"help", "audit"},
		{"--help"},
		{"--version"},
		{"inspect", tiny},
		{"inspect", "-j", "1", tiny, web, rich},
		{"inspect", "-j", "2", tiny, web, rich},
		{"ls", tiny},
		{"ls", "--long", tiny, web, rich},
		{"ls", "--json", "-j", "2", tiny, web, rich},
		{"man"},
		{"query", "-e", "true", tiny},
		{"query", "--show-secrets", "--json", "-e", "true", tiny},
		{"redact", tiny},
		{"redact", "-t", "rich-msgpack", web},
		{"resolve", tiny},
		{"list", "rules"},
		{"list", "rules", "weak-secret"},
		{"show", tiny, "Class[main]"},
		{"show", "--json", tiny, web, rich, "Class[main]"},
		{"type", "Integer"},
		{"validate", "--modulepath", filepath.Join(dir, "modules"), wrong},
		{"verify", tiny},
		{"version"},
	}
}

// TestUnwritableOutput runs commands with a standard output that cannot be written. It is
// never a fault of the input or of the command line, and a reader that stopped is no fault
// at all.
func TestUnwritableOutput(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer func() { _ = full.Close() }()
	unwritable, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unwritable.Close() }()
	reader, pipe, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = pipe.Close() }()
	if err := reader.Close(); err != nil {
		t.Fatal(err)
	}
	const cannot = "pcat: standard output: cannot write: "
	for _, args := range writers(t) {
		for _, tt := range []struct {
			stdout *os.File
			code   int
			stderr string
		}{
			{full, 5, cannot + "no space left on device\n"},
			{unwritable, 5, cannot + "bad file descriptor\n"},
			{pipe, 141, ""},
		} {
			cmd := exec.Command("pcat", args...)
			var errs bytes.Buffer
			cmd.Stdout, cmd.Stderr = tt.stdout, &errs
			var exit *exec.ExitError
			if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
				t.Fatal(err)
			}
			got := errs.String()
			if args[0] == "convert" { // which also warns of losses
				got = got[max(0, strings.Index(got, cannot)):]
			}
			code := cmd.ProcessState.ExitCode()
			if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
				code = 128 + int(status.Signal()) // as a shell reports it
			}
			if code != tt.code || got != tt.stderr && (args[0] != "convert" || tt.stderr != "") {
				t.Errorf("pcat %s > %s: got %d, %q, want %d, %q", strings.Join(args, " "), tt.stdout.Name(), code, got, tt.code, tt.stderr)
			}
		}
	}
}
