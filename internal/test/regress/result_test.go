package main

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func reasonsOf(t *testing.T, text string) *Reasons {
	t.Helper()
	r, err := parseReasons(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestCompare(t *testing.T) {
	const list = `
# comments
reason: the message names the byte
command: convert
stream: stderr
match: invalid at ([0-9]+)$
becomes: invalid JSON at byte $1

reason: markers are random
mode: *--mode digest*
match: digest-[0-9a-f]+
becomes: digest
sides: both

reason: another exit code
command: get
stream: exit
match: ^0$
becomes: 3

reason: rewritten
command: inspect
stream: stdout
`
	result := func(stdout, stderr, exit string) *Result {
		return &Result{Stdout: []byte(stdout), Stderr: []byte(stderr), Exit: exit}
	}
	for _, tt := range []struct {
		name, command, mode string
		base, now           *Result
		want                string // the streams of unknown differences
		expected            int
	}{
		{"the same", "convert", "-t json", result("a", "b", "0"), result("a", "b", "0"), "", 0},
		{"another output", "convert", "-t json", result("a", "b", "0"), result("x", "b", "0"), "stdout", 0},
		{"all at once", "convert", "-t json", result("a", "b", "0"), result("x", "y", "1"), "stdout stderr exit", 0},
		{"a new message", "convert", "-t json", result("", "x\ninvalid at 17\n", "3"), result("", "x\ninvalid JSON at byte 17\n", "3"), "", 1},
		{"a new message with another number", "convert", "-t json", result("", "invalid at 17\n", "3"), result("", "invalid JSON at byte 18\n", "3"), "stderr", 0},
		{"a message of another command", "redact", "", result("", "invalid at 17\n", "3"), result("", "invalid JSON at byte 17\n", "3"), "stderr", 0},
		{"random", "redact", "-v --mode digest -i", result("digest-a1 x", "", "0"), result("digest-b2 x", "", "0"), "", 1},
		{"random, and something else", "redact", "-v --mode digest -i", result("digest-a1 x", "", "0"), result("digest-b2 y", "", "0"), "stdout", 0},
		{"an exit code", "get", "@ x", result("", "", "0"), result("", "", "3"), "", 1},
		{"the other way", "get", "@ x", result("", "", "3"), result("", "", "0"), "exit", 0},
		{"anything", "inspect", "", result("a", "", "0"), result("b", "", "0"), "", 1},
		{"a file that is missing", "convert", "-i", &Result{Files: map[string][]byte{"a": []byte("x"), "b": nil}}, &Result{Files: map[string][]byte{"a": []byte("y")}}, "files", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			unknown, expected := Compare(&Case{Command: tt.command, Mode: tt.mode}, tt.base, tt.now, reasonsOf(t, list))
			var streams []string
			for _, d := range unknown {
				streams = append(streams, d.Stream)
			}
			if got := strings.Join(streams, " "); got != tt.want || expected != tt.expected {
				t.Errorf("unknown: %q and %d expected, want %q and %d", got, expected, tt.want, tt.expected)
			}
		})
	}
}

// A reason is unused until it has changed something, or has taken a difference for granted.
func TestUnused(t *testing.T) {
	r := reasonsOf(t, "reason: one\nmatch: a\nbecomes: b\n\nreason: two\nstream: exit\n")
	if got := strings.Join(r.Unused(), "; "); got != "line 1: one; line 5: two" {
		t.Errorf("at first: %q", got)
	}
	Compare(&Case{}, &Result{Stdout: []byte("a")}, &Result{Stdout: []byte("b")}, r)
	if got := strings.Join(r.Unused(), "; "); got != "line 5: two" {
		t.Errorf("then: %q", got)
	}
}

func TestReasonsThatAreWrong(t *testing.T) {
	for text, want := range map[string]string{
		"match: a":                         "line 1: missing reason",
		"reason: r\nbecomes: x":            "line 1: becomes and sides need a match",
		"reason: r\nmatch: (":              "line 2: error parsing regexp",
		"reason: r\nreason: s":             "line 2: duplicate key reason",
		"\n\nreason: r\ncomand: x":         `line 4: unknown key "comand"`,
		"reason: r\nmatch: a\nsides: base": "line 3: sides",
	} {
		if _, err := parseReasons(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// The list that is checked in can be read.
func TestReasonsOfRepository(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "expected.txt"))
	if err != nil {
		t.Fatal(err)
	}
	reasonsOf(t, string(data))
}

// Differences in messages are grouped by message, ignoring names and numbers.
func TestGroups(t *testing.T) {
	key := func(base, now string) string {
		d := Difference{Case: &Case{Command: "convert", Mode: "-i"}, Stream: "stderr", Base: []byte(base), Now: []byte(now)}
		return d.Key()
	}
	one := key("same\npcat: a.json: invalid at 17\n", "same\npcat: a.json: invalid JSON at 17\n")
	if other := key("pcat: b.json: invalid at 4\nmore", "pcat: b.json: invalid JSON at 4\nmore"); one != other {
		t.Errorf("%q and %q", one, other)
	}
	if a, b := key("pcat: a.json: File[/a b]/x/0: no\n", ""), key("pcat: a.json: My::Type[c]/y: no\n", ""); a != b {
		t.Errorf("%q and %q", a, b)
	}
	if other := key("pcat: a.json: invalid at 17\n", ""); one == other {
		t.Errorf("%q for a message that is missing", one)
	}
}

func TestExcerpt(t *testing.T) {
	for _, tt := range []struct{ a, b, x, y string }{
		{"one\ntwo\nthree\n", "one\ntwa\nthree\n", `"two"`, `"twa"`},
		{"one\n", "one\ntwo\n", "(nothing)", `"two"`},
		{strings.Repeat("x", 500) + "a", strings.Repeat("x", 500) + "b", `"` + strings.Repeat("x", 60) + `a"`, `"` + strings.Repeat("x", 60) + `b"`},
	} {
		if x, y := excerpt([]byte(tt.a), []byte(tt.b)); x != tt.x || y != tt.y {
			t.Errorf("%s and %s, want %s and %s", x, y, tt.x, tt.y)
		}
	}
}

func TestWords(t *testing.T) {
	got := strings.Join(words(`get -r @ 'resources.#(type=="File")' "a 'b'"  c`), "|")
	if want := `get|-r|@|resources.#(type=="File")|a 'b'|c`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// A difference is found, is put down to one of several inputs, and can be seen again by its
// script; and there is none where there is none.
func TestPlantedDifference(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the binaries are shell scripts")
	}
	dir := t.TempDir()
	script := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const same = "[ \"$1\" = audit ] && cat \"$0\" >/dev/null\necho \"$@\" | cut -c1-20\n"
	base := script("base", same)
	now := script("now", same+"case \"$*\" in *inspect*--json*c000007*) echo planted; exit 7;; esac\n")
	o := options{base: "", baseBin: base, nowBin: now, n: 20, seed: 1, jobs: 2, short: true, only: "inspect --json"}

	o.out = filepath.Join(dir, "different")
	var report, log bytes.Buffer
	if err := compare(o, &report, &log); err != errDifferent { //nolint:errorlint // it is not wrapped
		t.Fatalf("%v\n%s", err, report.String())
	}
	for _, want := range []string{"inspect | --json | stdout", "inspect | --json | exit | 0 -> 7", `+ "planted"`} {
		if !strings.Contains(report.String(), want) {
			t.Errorf("no %q in\n%s", want, report.String())
		}
	}
	sample := filepath.Join(o.out, "samples", "001")
	if files, _ := filepath.Glob(filepath.Join(sample, "c*")); len(files) != 1 || !strings.Contains(files[0], "c000007") {
		t.Errorf("the sample has %v", files)
	}
	for binary, want := range map[string]bool{base: false, now: true} {
		out, _ := output(sample, "sh", "rerun.sh", binary)
		_, err := output(sample, "sh", "rerun.sh", binary)
		if planted := bytes.Contains(out, []byte("planted")) || err != nil; planted != want {
			t.Errorf("%s again: %s %v", binary, out, err)
		}
	}

	o.out, o.nowBin = filepath.Join(dir, "same"), base
	report.Reset()
	if err := compare(o, &report, &log); err != nil {
		t.Errorf("%v\n%s", err, report.String())
	}
}
