package conformance

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/eval"
)

// releases are the releases of which testdata/references.jsonl has the answers.
func releases() map[string]pcore.Reference {
	return map[string]pcore.Reference{
		"Puppet 7.23.0":       pcore.Puppet7,
		"Puppet 8.11.0":       pcore.Puppet8,
		"OpenVox 8.28.1":      pcore.OpenVox8,
		"OpenVox 9.0.0-beta2": pcore.OpenVox9,
	}
}

// TestReferences compares the value and the log of expressions with the answers
// of each release.
func TestReferences(t *testing.T) {
	languages := map[string]*language{}
	for release, reference := range releases() {
		l, err := newLanguage("", reference)
		if err != nil {
			t.Fatal(err)
		}
		languages[release] = l
	}
	data, err := os.ReadFile(filepath.Join("testdata", "references.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		var question struct {
			Code    string
			Answers []struct {
				Of     []string
				Expect Answer
				Logs   []message
			}
		}
		if err := json.Unmarshal([]byte(line), &question); err != nil {
			t.Fatal(err)
		}
		asked := 0
		for _, answer := range question.Answers {
			for _, release := range answer.Of {
				l := languages[release]
				v, logs, err := l.run(new(Case), question.Code, l.strict())
				if err := answer.Expect.Check(err, func() error { return sameValue(answer.Expect, v) }); err != nil {
					t.Errorf("%s, %s: %v", question.Code, release, err)
				}
				if !answer.Expect.Failed() && !slices.Equal(logs, answer.Logs) {
					t.Errorf("%s, %s: logs: want %q, got %q", question.Code, release, answer.Logs, logs)
				}
				asked++
			}
		}
		if asked != len(languages) {
			t.Errorf("%s: %d answers", question.Code, asked)
		}
	}
}

// TestReferenceDefaults compares the default strictness with the answers of the
// releases, which were run with their own settings.
func TestReferenceDefaults(t *testing.T) {
	for _, reference := range pcore.References() {
		l, err := newLanguage("", reference)
		if err != nil {
			t.Fatal(err)
		}
		lax := reference == pcore.Puppet7
		for _, code := range []string{"$unknown", "'1' + 1", "{a => 1, a => 2}"} {
			_, logs, err := l.run(new(Case), code, eval.Like(reference))
			if (err == nil) != lax {
				t.Errorf("%s, %s: got %v and %q", code, reference, err, logs)
			}
		}
	}
}
