// Package rubytest asks Ruby for the expected results of tests.
//
// Questions to Ruby belong here; questions to Puppet are in package reference.
package rubytest

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"testing"
)

// NeedPsych skips a test on a machine without Ruby and its YAML library.
func NeedPsych(t testing.TB) {
	t.Helper()
	if err := exec.Command("ruby", "-rpsych", "-e", "").Run(); err != nil {
		t.Skip("no ruby with psych here")
	}
}

// Ask runs a Ruby script that reads a JSON list of texts and writes a line of JSON for
// each, and returns these answers. It fails the test if there are fewer or more.
func Ask[T any](t testing.TB, script string, texts []string) []T {
	t.Helper()
	in, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	var errs bytes.Buffer
	cmd := exec.Command("ruby", script) //nolint:gosec // a script of the test
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, &errs)
	}
	answers := make([]T, 0, len(texts))
	for line := range bytes.Lines(out) {
		var a T
		if err := json.Unmarshal(line, &a); err != nil {
			t.Fatal(err)
		}
		answers = append(answers, a)
	}
	if len(answers) != len(texts) {
		t.Fatalf("%d answers for %d texts", len(answers), len(texts))
	}
	return answers
}
