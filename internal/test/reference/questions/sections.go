package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/pcatdev/pcat/internal/test/conformance"
)

// compareSections asks a release the programs of docs/specification.md. It records the commit and the day if Puppet gives the
// recorded answers, and pcat the same ones.
func compareSections(o options, stdout io.Writer) (err error) {
	name, like, err := release(o.puppet)
	if err != nil {
		return err
	}
	commit, err := cleanCommit(o.root)
	if err != nil {
		return err
	}
	runners, err := conformance.Families(conformance.Folder(filepath.Join(o.root, "testdata", "vectors")), like)
	if err != nil {
		return err
	}
	programs, err := conformance.SectionPrograms(o.root)
	if err != nil {
		return err
	}
	qs := make([]question, len(programs))
	for i, line := range programs {
		qs[i] = question{nil, line}
	}
	p, err := start(o.root, o.puppet, o.modulepath)
	if err != nil {
		return err
	}
	var differences []error
	if err := p.ask(qs, func(q question, answered []byte) error {
		var c conformance.Case
		err := json.Unmarshal(answered, &c)
		if err == nil && crashed(answered) && !crashed(q.line) {
			err = fmt.Errorf("a failure of Ruby: %s", answered)
		}
		if err == nil {
			err = sameAnswers(q.line, answered)
			if !c.AnythingGoes() { // an answer with a memory address
				err = errors.Join(err, attempt(&c, runners["eval"]))
			}
		}
		if err != nil {
			differences = append(differences, fmt.Errorf("%s: %w", asked(answered), err))
		}
		return nil
	}); err != nil {
		return err
	}
	if err := errors.Join(append(differences, p.end())...); err != nil {
		return err
	}
	all, err := conformance.ComparedSections(o.root)
	if err != nil {
		return err
	}
	for _, s := range all {
		s.Compared[name] = conformance.Comparison{Commit: commit, Day: time.Now().UTC().Format(time.DateOnly)}
	}
	if _, err := fmt.Fprintf(stdout, "%s: %d programs of %d sections, the same answers at %s\n", name, len(programs), len(all), commit); err != nil {
		return err
	}
	return conformance.RecordSections(o.root, all)
}

// cleanCommit returns the commit of a repository whose code and programs are the committed ones.
func cleanCommit(root string) (string, error) {
	git := func(args ...string) (string, error) {
		out, err := exec.Command("git", append([]string{"-C", root}, args...)...).Output() //nolint:gosec // the arguments are constant
		return strings.TrimSpace(string(out)), err
	}
	changed, err := git("status", "--porcelain", "--", ".", ":!docs/specification.md")
	if err != nil {
		return "", err
	}
	if changed != "" {
		return "", fmt.Errorf("commit these changes before the comparison:\n%s", changed)
	}
	return git("rev-parse", "--short=8", "HEAD")
}

// sameAnswers compares an answer of Puppet with the recorded one. The words of errors do not matter.
func sameAnswers(recorded, answered []byte) error {
	type answer struct {
		Expect struct {
			Value          json.RawMessage
			String         string
			Error          string
			SerializeError string `json:"serialize_error"`
		}
		Logs json.RawMessage
	}
	var want, got answer
	if err := errors.Join(json.Unmarshal(recorded, &want), json.Unmarshal(answered, &got)); err != nil {
		return err
	}
	if (want.Expect.Error == "") != (got.Expect.Error == "") || (want.Expect.SerializeError == "") != (got.Expect.SerializeError == "") {
		return fmt.Errorf("recorded is %s, Puppet answers %s", recorded, answered)
	}
	for _, pair := range [][2]json.RawMessage{{want.Expect.Value, got.Expect.Value}, {want.Logs, got.Logs}} {
		if (pair[0] == nil) != (pair[1] == nil) {
			return fmt.Errorf("recorded is %s, Puppet answers %s", recorded, answered)
		}
		if pair[0] == nil {
			continue
		}
		if err := conformance.SameJSON(pair[0], pair[1]); err != nil {
			return fmt.Errorf("recorded answer: %w", err)
		}
	}
	return conformance.SameText(want.Expect.String, got.Expect.String)
}
