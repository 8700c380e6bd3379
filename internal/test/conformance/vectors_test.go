package conformance

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pcatdev/pcat/pcore"
)

// TestVectors runs every family of the folder. A family without a runner is
// skipped, and counts as 0 passed.
func TestVectors(t *testing.T) {
	folder := Folder(filepath.Join("..", "..", "..", "testdata", "vectors"))
	if other := os.Getenv("PCAT_VECTORS"); other != "" {
		folder = Folder(other)
	}
	names, err := folder.Families()
	if err != nil {
		t.Fatal(err)
	}
	known := knownFailures(t)
	like := reference(t)
	later := map[string]map[string]json.RawMessage{}
	if like != pcore.Puppet7 {
		later = laterAnswers(t)
	}
	run, err := Families(folder, like)
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range names {
		t.Run(family, func(t *testing.T) {
			cases, err := folder.Cases(family)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range cases {
				maps.Copy(c.fields, later[c.ID])
			}
			runFamily(t, family, cases, run[family], known)
		})
	}
	for family := range run {
		if _, err := os.Stat(filepath.Join(string(folder), family+".jsonl")); err != nil && os.Getenv("PCAT_VECTORS") == "" {
			t.Errorf("family %s has a runner and no vectors: %v", family, err)
		}
	}
}

// reference returns the reference that PCAT_LIKE names, or Puppet 7, whose answers
// the vectors are.
func reference(t *testing.T) pcore.Reference {
	t.Helper()
	name := os.Getenv("PCAT_LIKE")
	if name == "" {
		return pcore.Puppet7
	}
	r, err := pcore.ParseReference(name)
	if err != nil {
		t.Fatal("PCAT_LIKE: ", err)
	}
	return r
}

// laterAnswers returns the answers to vectors that are not the same from Puppet 8
// on, by the id of the case and the name of the answer. Puppet 8.11, OpenVox 8.28.1
// and OpenVox 9.0.0-beta2 agree on them, and with Puppet 7.23 on all others.
func laterAnswers(t *testing.T) map[string]map[string]json.RawMessage {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "later.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	later := map[string]map[string]json.RawMessage{}
	for line := range bytes.Lines(data) {
		var answers map[string]json.RawMessage
		var id string
		if err := errors.Join(json.Unmarshal(line, &answers), json.Unmarshal(answers["id"], &id)); err != nil {
			t.Fatal(err)
		}
		delete(answers, "id")
		later[id] = answers
	}
	return later
}

func runFamily(t *testing.T, family string, cases []*Case, run Runner, known map[string]string) {
	if run == nil {
		report(t, family, 0, len(cases), nil)
		t.Skip("not built yet")
	}
	passed := 0
	var failures []string
	for _, c := range cases {
		err := runCase(c, run)
		reason, isKnown := known[c.ID]
		switch {
		case err == nil && isKnown:
			passed++
			t.Errorf("%s passes: take it off the list of known failures", c.ID)
		case err == nil:
			passed++
		case isKnown:
			failures = append(failures, fmt.Sprintf("%s (known: %s): %v", c.ID, reason, err))
		default:
			failures = append(failures, fmt.Sprintf("%s: %v", c.ID, err))
			t.Fail()
		}
	}
	report(t, family, passed, len(cases), failures)
}

// report prints the result of a family and its failures, each truncated because
// an answer can be a whole catalog.
func report(t *testing.T, family string, passed, all int, failures []string) {
	t.Helper()
	const longest = 1000
	var text strings.Builder
	fmt.Fprintf(&text, "vectors %s passed %d of %d\n", family, passed, all)
	for _, f := range failures {
		fmt.Fprintf(&text, "    %s\n", clip(strings.ReplaceAll(f, "\n", "\n        "), longest))
	}
	if _, err := os.Stdout.WriteString(text.String()); err != nil {
		t.Error(err)
	}
}

// clip truncates text to n bytes, at a character boundary.
func clip(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return fmt.Sprintf("%s… (%d bytes more)", text[:n], len(text)-n)
}

// runCase runs a case and converts a panic to a failure of that case.
func runCase(c *Case, run Runner) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	if err := run(c); err != nil && !c.AnythingGoes() {
		return err
	}
	return nil
}

// knownFailures parses the list of known failures: an id and a reason per line.
func knownFailures(t *testing.T) map[string]string {
	t.Helper()
	path := filepath.Join("testdata", "known-failures.txt")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	known := make(map[string]string)
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		id, reason, _ := strings.Cut(line, " ")
		if reason = strings.TrimSpace(reason); reason == "" {
			t.Errorf("%s:%d: %s has no reason", path, n, id)
		}
		if _, twice := known[id]; twice {
			t.Errorf("%s:%d: %s is there twice", path, n, id)
		}
		known[id] = reason
	}
	return known
}

func TestRunCase(t *testing.T) {
	differs := func(*Case) error { return fmt.Errorf("want 1, got 2") }
	panics := func(*Case) error { panic("boom") }
	agrees := func(*Case) error { return nil }
	plain := &Case{ID: "a"}
	crash := &Case{ID: "b", Expect: Answer{Error: "NoMethodError", Crash: true}}
	unstable := &Case{ID: "c", Unstable: true}
	for _, tt := range []struct {
		name string
		c    *Case
		run  Runner
		want string // part of the failure; empty if the case passes
	}{
		{"agrees", plain, agrees, ""},
		{"differs", plain, differs, "want 1, got 2"},
		{"panics", plain, panics, "panic: boom"},
		{"a crash may be answered in any way", crash, differs, ""},
		{"a crash may not be answered by a crash", crash, panics, "panic: boom"},
		{"nor what changes from run to run", unstable, panics, "panic: boom"},
		{"which may differ", unstable, differs, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := runCase(tt.c, tt.run)
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

func TestAnswerCheck(t *testing.T) {
	refused := fmt.Errorf("refused")
	differs := func() error { return fmt.Errorf("differs") }
	agrees := func() error { return nil }
	value, failure := Answer{Value: []byte("1")}, Answer{Error: "no"}
	for _, tt := range []struct {
		name string
		a    Answer
		err  error
		same func() error
		ok   bool
	}{
		{"value, same", value, nil, agrees, true},
		{"value, other", value, nil, differs, false},
		{"value, refused", value, refused, agrees, false},
		{"error, refused", failure, refused, differs, true},
		{"error, value", failure, nil, agrees, false},
		{"known fault", Answer{Value: []byte("1"), PuppetBug: []string{"x"}}, nil, differs, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := tt.a.Check(tt.err, tt.same); (err == nil) != tt.ok {
				t.Errorf("got %v", err)
			}
		})
	}
}
