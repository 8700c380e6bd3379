package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMain allows the test program to be the launcher started by run.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == launched {
		main()
		return
	}
	os.Exit(m.Run())
}

// TestRun checks that every available candidate has correct output and is
// measured. It does not check speed.
func TestRun(t *testing.T) {
	file := filepath.Join(t.TempDir(), "bench.json")
	var table bytes.Buffer
	if err := run([]string{"-sizes", "small", "-rounds", "1", "-turn", "1ns", "-nodes", "2", "-json", file}, &table, io.Discard); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var r report
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, job := range r.Results {
		for _, c := range job.Candidates {
			seen++
			switch {
			case strings.Contains(c.Failed, errNotHere.Error()) || c.Failed == errUnsupported.Error():
			case c.Failed != "":
				t.Errorf("%s: %s: %s", job.Job, c.Name, c.Failed)
			case c.CPU <= 0 || !strings.Contains(table.String(), c.Name):
				t.Errorf("%s: %s was not measured", job.Job, c.Name)
			}
		}
		if ours := job.Candidates[0]; !strings.HasPrefix(ours.Name, "pcat") || ours.Failed != "" {
			t.Errorf("%s: %+v", job.Job, ours)
		}
	}
	if len(r.Results) < 15 || seen < 40 {
		t.Errorf("%d jobs, %d candidates", len(r.Results), seen)
	}
}

// TestPage checks that the measurements replace the ones on a page, and nothing else.
func TestPage(t *testing.T) {
	page := filepath.Join(t.TempDir(), "page.md")
	if err := os.WriteFile(page, []byte("before\n"+pageBegin+"old\n"+pageEnd+"after\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := newReport(3)
	r.Results = []*result{newResult(&job{name: "audit", input: "4 MB", bytes: 190}, []*outcome{
		{Name: "pcat audit", CPU: 100}, {Name: "gitleaks detect, leaf by leaf", CPU: 950, Spread: 0.05}, {Name: "a|b", Failed: "not here"},
	})}
	for range 2 { // the second time gives the same
		if err := r.writePage(page); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"before\n" + pageBegin, "| … | gitleaks detect, leaf by leaf | 950ns | 200.0 MB/s | 9.50 | 5 % |  |\n", "- a|b: not here\n", pageEnd + "after\n"} {
		if strings.Count(string(text), want) != 1 {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if strings.Contains(string(text), "old\n") {
		t.Error("the old measurements are still there")
	}
	if err := os.WriteFile(page, []byte("nothing"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := r.writePage(page); err == nil {
		t.Error("a page without the lines is written")
	}
}

func TestPeers(t *testing.T) {
	for _, argument := range []string{"", "name", "name="} {
		if _, err := otherPeer(argument, ""); err == nil {
			t.Errorf("-peer %q is taken", argument)
		}
	}
	gone, err := otherPeer("gone=/nobody/has/this program", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := gone.once("decode-json", "x"); err == nil {
		t.Error("a program that does not exist answers")
	}
}

func TestNoSecrets(t *testing.T) {
	before := []byte(`{"resources":[{"parameters":{"a":"hunter2","b":{"__ptype":"Sensitive","__pvalue":"swordfish"}},"sensitive_parameters":["a"]}]}`)
	for _, after := range []string{
		`{"resources":[{"parameters":{"a":"x","b":"swordfish"}}]}`,
		`{"resources":[{"parameters":{"a":"hunter2","b":"x"}}]}`,
		`{"resources":[]}`,
		`{"resources":`,
	} {
		if err := noSecrets(before, []byte(after)); err == nil {
			t.Errorf("%s is taken for clean", after)
		}
	}
	if err := noSecrets(before, []byte(`{"resources":[{}]}`)); err != nil {
		t.Error(err)
	}
}

// TestProgressInFile checks that no progress is written to a file.
func TestProgressInFile(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	say(onTerminal(f), "round %d", 1)
	if info, err := f.Stat(); err != nil || info.Size() > 0 {
		t.Errorf("%d bytes were written, %v", info.Size(), err)
	}
}
