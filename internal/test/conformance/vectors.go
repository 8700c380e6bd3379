package conformance

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Case is one question to Puppet with its answers: one line of a vectors file.
type Case struct {
	ID       string
	Op       string
	Env      string // "std": evaluate the definitions of env/std.pp first
	Seed     bool   // an example of Puppet's specification
	Unstable bool   // the answer contains a memory address
	Expect   Answer

	fields map[string]json.RawMessage
}

// Answer is Puppet's answer. Exactly one of these members is set: Value, Error,
// SerializeError, or those of the family, which Member returns.
type Answer struct {
	Value          json.RawMessage // rich data; nil if absent, null for undef
	String         *string         // the value in the notation of the language
	Error          string          // the evaluation failed; the wording does not matter
	SerializeError string          // the value exists, but cannot be serialized
	Crash          bool            // Ruby itself crashed: any answer is accepted
	PuppetBug      []string        // known bugs of Puppet that affect the answer

	fields map[string]json.RawMessage
}

// Failed reports whether Puppet answered with an error.
func (a Answer) Failed() bool { return a.Error != "" }

// AnythingGoes reports whether Puppet's own answer is a crash or affected by a
// bug.
func (a Answer) AnythingGoes() bool { return a.Crash || len(a.PuppetBug) > 0 }

// Check compares pcat's result with the answer. err is pcat's error, if any;
// same compares the values, and is called only if both sides have one. Check
// returns nil if they agree.
func (a Answer) Check(err error, same func() error) error {
	switch {
	case a.AnythingGoes():
		return nil
	case a.Failed() && err == nil:
		return fmt.Errorf("want an error (%s), got a value", a.Error)
	case a.Failed():
		return nil
	case err != nil:
		return fmt.Errorf("want a value (%s), got the error: %w", a.Value, err)
	}
	return same()
}

// Member returns the raw JSON of a member of the answer, or nil if it is
// absent.
func (a Answer) Member(name string) json.RawMessage { return a.fields[name] }

// Text returns a member of the case that is a string; ok is false if it is
// absent or null.
func (c *Case) Text(name string) (text string, ok bool) {
	var s *string
	if raw := c.fields[name]; raw == nil || json.Unmarshal(raw, &s) != nil || s == nil {
		return "", false
	}
	return *s, true
}

// Raw returns the raw JSON of a member of the case, or nil if it is absent.
func (c *Case) Raw(name string) json.RawMessage { return c.fields[name] }

// Answer returns an answer other than Expect, such as "roundtrip"; ok is false
// if it is absent.
func (c *Case) Answer(name string) (a Answer, ok bool) {
	raw := c.fields[name]
	if raw == nil {
		return Answer{}, false
	}
	return a, json.Unmarshal(raw, &a) == nil
}

// AnythingGoes reports whether the case only requires that nothing crashes:
// Puppet's own answer is a crash, affected by a bug, or differs between runs.
func (c *Case) AnythingGoes() bool { return c.Unstable || c.Expect.AnythingGoes() }

// UnmarshalJSON implements json.Unmarshaler.
func (c *Case) UnmarshalJSON(data []byte) error {
	if err := json.Unmarshal(data, &c.fields); err != nil {
		return err
	}
	var known struct {
		ID       string `json:"id"`
		Op       string `json:"op"`
		Env      string `json:"env"`
		Seed     bool   `json:"seed"`
		Unstable bool   `json:"unstable"`
		Expect   Answer `json:"expect"`
	}
	if err := json.Unmarshal(data, &known); err != nil {
		return err
	}
	c.ID, c.Op, c.Env, c.Seed, c.Unstable, c.Expect = known.ID, known.Op, known.Env, known.Seed, known.Unstable, known.Expect
	if c.ID == "" || c.fields["expect"] == nil {
		return errors.New("a case needs an id and what is expected")
	}
	return nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (a *Answer) UnmarshalJSON(data []byte) error {
	if err := json.Unmarshal(data, &a.fields); err != nil {
		return err
	}
	var known struct {
		String         *string  `json:"string"`
		Error          string   `json:"error"`
		SerializeError string   `json:"serialize_error"`
		Crash          bool     `json:"crash"`
		PuppetBug      []string `json:"puppet_bug"`
	}
	if err := json.Unmarshal(data, &known); err != nil {
		return err
	}
	a.Value = a.fields["value"]
	a.String, a.Error, a.SerializeError, a.Crash, a.PuppetBug = known.String, known.Error, known.SerializeError, known.Crash, known.PuppetBug
	return nil
}

// Folder is a folder of vectors: FAMILY.jsonl files, and env/std.pp.
type Folder string

// Families returns the names of the families in the folder, sorted.
func (f Folder) Families() ([]string, error) {
	files, err := filepath.Glob(filepath.Join(string(f), "*.jsonl"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: no vectors (*.jsonl) there", f)
	}
	for i, file := range files {
		files[i] = strings.TrimSuffix(filepath.Base(file), ".jsonl")
	}
	slices.Sort(files)
	return files, nil
}

// Cases decodes the cases of a family.
func (f Folder) Cases(family string) ([]*Case, error) {
	path := filepath.Join(string(f), family+".jsonl")
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	const longestLine = 64 << 20
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, longestLine)
	var cases []*Case
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		c := new(Case)
		if err := json.Unmarshal(lines.Bytes(), c); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, n, err)
		}
		cases = append(cases, c)
	}
	return cases, lines.Err()
}

// Definitions returns the text of env/std.pp: the types that a case with Env "std" uses.
func (f Folder) Definitions() (string, error) {
	text, err := os.ReadFile(filepath.Join(string(f), "env", "std.pp"))
	return string(text), err
}
