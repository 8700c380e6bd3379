//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"
	"time"
)

// large returns a catalog of some megabytes, with secrets.
func large(t *testing.T, size int) []byte {
	t.Helper()
	var b bytes.Buffer
	writeLarge(t, &b, size)
	return b.Bytes()
}

func writeLarge(t *testing.T, w io.Writer, size int) {
	t.Helper()
	var b bytes.Buffer
	b.WriteString(`{"name":"n.example.com","resources":[`)
	for i := range size / 400 {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"type":"File","title":"/etc/%d","tags":["file","a"],"line":%d,"exported":false,"parameters":{"content":"%s\n","mode":"0644"`, i, i, strings.Repeat(`é\t\"x `, 20))
		if i%50 == 0 {
			fmt.Fprintf(&b, `,"password":{"__ptype":"Sensitive","__pvalue":"s3cr3t-%d-of-it"},"at":{"__ptype":"Timestamp","__pvalue":"2016-09-06T01:02:03.000000000 UTC"}`, i)
		}
		b.WriteString(`}}`)
		if _, err := b.WriteTo(w); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := io.WriteString(w, `],"edges":[],"classes":["settings"]}`); err != nil {
		t.Fatal(err)
	}
}

// pcat runs the command in the folder dir, with its temporary files in dir/tmp, and returns
// its output and its peak memory in KiB.
func pcat(t *testing.T, dir string, stdin io.Reader, args ...string) (out []byte, peak int64) {
	t.Helper()
	cmd := exec.Command("pcat", args...)
	cmd.Dir, cmd.Stdin = dir, stdin
	cmd.Env = append(os.Environ(), "TMPDIR="+filepath.Join(dir, "tmp"))
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("pcat %s: %v\n%s", strings.Join(args, " "), err, complaint.String())
	}
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		peak = int64(usage.Maxrss) //nolint:unconvert // it has 32 bits on some systems
	}
	return out, peak
}

func folder(t *testing.T, files map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "tmp"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func isEmpty(t *testing.T, dir, when string) {
	t.Helper()
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%s: temporary files %v, %v", when, left, err)
	}
}

// The memory that a command takes hardly grows with the catalog.
func TestMemoryOfLargeInputs(t *testing.T) {
	if testing.Short() {
		t.Skip("it reads large catalogs")
	}
	// In KiB; includes the memory of this process until the command runs. A command that masks
	// what an audit finds audits its input first, and keeps what it found.
	const most, masking = 64 << 10, 96 << 10
	const alone = "PCAT_TEST_MEMORY"
	if os.Getenv(alone) == "" { // a process that has run other tests has too much
		test, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(test, "-test.run=^TestMemoryOfLargeInputs$")
		cmd.Env = append(os.Environ(), alone+"=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	dir := folder(t, nil)
	f, err := os.Create(filepath.Join(dir, "large.json"))
	if err != nil {
		t.Fatal(err)
	}
	writeLarge(t, f, 40<<20)
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	// The race detector keeps notes of all that is touched, so the command is built as users have it.
	if out, err := exec.Command("go", "build", "-o", filepath.Join(dir, "pcat"), ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	debug.FreeOSMemory()
	for _, tt := range []struct {
		args []string
		most int64
	}{
		{[]string{"convert", "-t", "rich-msgpack", "-o", "out", "large.json"}, most},
		{[]string{"convert", "-t", "rich-json", "-o", "again", "out"}, most},
		{[]string{"inspect", "large.json"}, masking},
		{[]string{"ls", "large.json"}, masking},
		{[]string{"ls", "--long", "large.json"}, masking},
		{[]string{"show", "large.json", "File[/etc/77]"}, masking},
	} {
		cmd := exec.Command("pcat", tt.args...) // its output would add to the memory of this process
		cmd.Dir = dir
		if err := cmd.Run(); err != nil {
			t.Fatal(err)
		}
		if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok && int64(usage.Maxrss) > tt.most { //nolint:unconvert // it has 32 bits on some systems
			t.Errorf("pcat %s: %d KiB", strings.Join(tt.args, " "), usage.Maxrss)
		}
	}
}

// Inputs above the memory limit have the same output as inputs below it, from a file, a
// pipe or compressed, and leave no files behind.
func TestLargeInputs(t *testing.T) {
	text := large(t, 8<<20)
	dir := folder(t, map[string][]byte{"large.json": text})
	packed, _ := pcat(t, dir, nil, "convert", "-t", "rich-msgpack", "large.json")
	if again, _ := pcat(t, dir, bytes.NewReader(text), "convert", "-t", "rich-msgpack"); !bytes.Equal(again, packed) {
		t.Error("a pipe gives other bytes than a file")
	}
	if err := os.WriteFile(filepath.Join(dir, "large.msgpack"), packed, 0o600); err != nil {
		t.Fatal(err)
	}
	if back, _ := pcat(t, dir, nil, "convert", "-t", "rich-json", "large.msgpack"); !bytes.Equal(back, text) {
		t.Error("there and back gives other bytes")
	}
	if out, err := exec.Command("gzip", "-k", filepath.Join(dir, "large.json")).CombinedOutput(); err == nil {
		if again, _ := pcat(t, dir, nil, "convert", "-t", "rich-msgpack", "large.json.gz"); !bytes.Equal(again, packed) {
			t.Error("a compressed file gives other bytes")
		}
	} else {
		t.Logf("no gzip: %v %s", err, out)
	}
	for _, stdin := range []io.Reader{nil, bytes.NewReader(text)} {
		name := "large.json"
		if stdin != nil {
			name = "-"
		}
		clean, _ := pcat(t, dir, stdin, "redact", name)
		if bytes.Contains(clean, []byte("s3cr3t-")) || !bytes.Contains(clean, []byte("redacted-1-by-pcat")) || bytes.Count(clean, []byte(`"title"`)) != bytes.Count(text, []byte(`"title"`)) {
			t.Errorf("redact %s: %d bytes of %d", name, len(clean), len(text))
		}
	}
	isEmpty(t, filepath.Join(dir, "tmp"), "afterwards")
}

// Elements of resources that are not resources are refused at any position.
func TestLargeMisplaced(t *testing.T) {
	text := large(t, 8<<20)
	end := []byte(`],"edges"`)
	dir := folder(t, map[string][]byte{"bad.json": bytes.Replace(text, end, append([]byte(",5"), end...), 1)})
	for _, args := range [][]string{{"convert", "-t", "rich-msgpack", "bad.json"}, {"convert", "-t", "rich-msgpack", "-o", "out", "bad.json"}} {
		cmd := exec.Command("pcat", args...)
		cmd.Dir = dir
		var complaint bytes.Buffer
		cmd.Stderr = &complaint
		if err := cmd.Run(); err == nil || !strings.Contains(complaint.String(), "expected a resource") {
			t.Errorf("pcat %s: %v\n%s", strings.Join(args, " "), err, complaint.String())
		}
	}
}

// A signal leaves no temporary file behind: there is none that anybody could see from the start.
func TestSignalWhileSpooling(t *testing.T) {
	text := large(t, 8<<20)
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGKILL} {
		dir := folder(t, nil)
		tmp := filepath.Join(dir, "tmp")
		cmd := exec.Command("pcat", "convert", "-t", "rich-msgpack", "-o", "out")
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "TMPDIR="+tmp)
		stdin, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		// A pipe holds little: when all is written, nearly all was read.
		if _, err := stdin.Write(text[:len(text)-100]); err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Millisecond)
		isEmpty(t, tmp, "while it reads")
		if err := cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		var exit *exec.ExitError
		if err := cmd.Wait(); !errors.As(err, &exit) {
			t.Errorf("%v: %v", sig, err)
		}
		isEmpty(t, tmp, sig.String())
		if _, err := os.Stat(filepath.Join(dir, "out")); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%v: an output was made: %v", sig, err)
		}
	}
}
