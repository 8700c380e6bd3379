package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/pcatdev/pcat/internal/test/conformance"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function/stdlib"
)

// member is a member of an object; an object keeps their order, as a Puppet hash does.
type (
	member struct {
		name  string
		value any
	}
	object []member
)

// MarshalJSON implements json.Marshaler.
func (o object) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, m := range o {
		if i > 0 {
			b = append(b, ',')
		}
		name, err := json.Marshal(m.name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		b = append(append(append(b, name...), ':'), value...)
	}
	return append(b, '}'), nil
}

// kind is a kind of generated question.
type kind struct {
	name   string
	runner string // the family of package conformance that compares the answers
	op     string // of oracle.rb
	weight int
	ask    func(words) object // the members that are the question
}

// kinds returns the kinds of questions about a reference; modules reports whether functions of
// puppetlabs-stdlib can be called.
func kinds(like pcore.Reference, modules bool) ([]kind, error) {
	functions, err := stdlib.New(like)
	if err != nil {
		return nil, err
	}
	calls := func(source string) func(words) object {
		all := callable(functions, source)
		return func(w words) object { return object{{"expr", w.call(pick(w, all...))}} }
	}
	types := func(w words) object { return object{{"t1", w.typeText(3)}, {"t2", w.typeText(3)}} }
	all := []kind{
		{"the text of types", "types_parse", "parse_type", 10, func(w words) object { return object{{"type", w.typeText(3)}} }},
		{"assignability", "assignable", "assignable", 18, types},
		{"common types", "common", "common", 10, types},
		{"instances", "instance", "instance", 18, func(w words) object {
			expr, t := w.pair(3)
			return object{{"expr", expr}, {"type", t}}
		}},
		{"inference", "infer", "infer", 6, func(w words) object { return object{{"expr", w.value(3)}} }},
		{"constructors", "new", "expr", 10, func(w words) object { return object{{"expr", w.newCall()}} }},
		{"formats of String", "string_format", "format", 10, func(w words) object { return object{{"expr", w.value(2)}, {"format", w.formats()}} }},
		{"strftime", "strftime", "expr", 4, func(w words) object {
			at := pick(w, "Timestamp('2016-09-06T08:04:05.123456789 UTC')", "Timestamp('1999-12-31T23:59:59.5 UTC')", "Timestamp(0)", "Timespan(93784.005)", "Timespan('1-02:03:04.123456789')", "Timespan(-3661.25)", "Timespan(0)")
			return object{{"expr", "strftime(" + at + ", '" + w.strftime() + "')"}}
		}},
		{"functions", "new", "expr", 14, calls("puppet")},
		{"rich data, written", "rich_data", "rich", 5, func(w words) object { return object{{"expr", w.value(3)}} }},
		{"rich data, read", "from_rich", "from_rich", 5, func(w words) object { return object{{"doc", w.data(3)}} }},
		{"programs", "eval", "eval", 4, func(w words) object { return object{{"code", w.program()}} }},
		{"templates", "epp", "epp", 1, func(w words) object {
			text, params := w.template()
			if params == "" {
				return object{{"template", text}}
			}
			return object{{"template", text}, {"params", params}}
		}},
		{"Deferred calls", "deferred", "deferred", 1, func(w words) object {
			return object{{"doc", object{{"v", pick[any](w, w.deferred(2), []any{w.deferred(1), w.data(1)}, object{{"k", w.deferred(1)}})}}}, {"facts", object{{"a", 1}, {"os", object{{"family", "x"}}}}}}
		}},
	}
	if modules {
		all = append(all, kind{"stdlib", "stdlib", "expr", 14, calls("puppetlabs-stdlib")})
	}
	return all, nil
}

// question is one question of a kind, as a line of JSON.
type question struct {
	kind *kind
	line []byte
}

// questions returns n generated questions in batches of one kind.
func questions(all []kind, n int, seed uint64, batch int, yield func([]question) error) error {
	sum := 0
	for _, k := range all {
		sum += k.weight
	}
	for i := range all {
		k := &all[i]
		w := words{rand.New(rand.NewPCG(seed, uint64(i)))} //nolint:gosec // questions need no secrecy
		for left := n * k.weight / sum; left > 0; left -= batch {
			qs := make([]question, min(left, batch))
			for j := range qs {
				line, err := json.Marshal(append(object{{"id", fmt.Sprintf("%s-%d", k.runner, left-j)}, {"op", k.op}, {"env", "std"}}, k.ask(w)...))
				if err != nil {
					return err
				}
				qs[j] = question{k, line}
			}
			if err := yield(qs); err != nil {
				return err
			}
		}
	}
	return nil
}

// vectors returns the questions of a folder of vectors, without their answers.
func vectors(folder conformance.Folder, yield func([]question) error) error {
	families, err := folder.Families()
	if err != nil {
		return err
	}
	for _, family := range families {
		data, err := os.ReadFile(filepath.Join(string(folder), family+".jsonl"))
		if err != nil {
			return err
		}
		k := &kind{name: "vectors", runner: family}
		var qs []question
		for line := range bytes.Lines(data) {
			qs = append(qs, question{k, bytes.TrimSpace(line)})
		}
		if err := yield(qs); err != nil {
			return err
		}
	}
	return nil
}

// puppet is a process of Ruby that answers questions.
type puppet struct {
	in     io.WriteCloser
	out    *bufio.Scanner
	cmd    *exec.Cmd
	errors bytes.Buffer
}

// start starts Ruby with the Puppet of a folder.
func start(root, dir, modulepath string) (*puppet, error) {
	p := &puppet{cmd: exec.Command("ruby", "-I", libOf(dir), "-rset", filepath.Join(root, "testdata", "generate", "oracle.rb"))} //nolint:gosec // the folder is an argument of this program
	p.cmd.Env = append(os.Environ(), "PCORE_ORACLE_MODULEPATH="+modulepath, "PCORE_ORACLE_TIMEOUT=1",
		"PCORE_ORACLE_DEFINITIONS="+filepath.Join(root, "internal", "test", "reference", "questions", "testdata", "subtypes.pp"))
	p.cmd.Stderr = &p.errors
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewScanner(out)
	const longestLine = 64 << 20
	p.out.Buffer(nil, longestLine)
	return p, p.cmd.Start()
}

// ask returns the questions with the answers of Puppet.
func (p *puppet) ask(qs []question, answer func(question, []byte) error) error {
	sent := make(chan error, 1)
	go func() {
		w := bufio.NewWriter(p.in)
		for _, q := range qs {
			_, _ = w.Write(append(q.line, '\n')) // Flush returns the error
		}
		// The process answers whole slices.
		for range (slice - len(qs)%slice) % slice {
			_, _ = w.WriteString(`{"op":"expr","expr":"1","env":"std"}` + "\n")
		}
		sent <- w.Flush()
	}()
	padded := len(qs) + (slice-len(qs)%slice)%slice
	for i := range padded {
		if !p.out.Scan() {
			return fmt.Errorf("puppet ended: %s", p.errors.String())
		}
		if i < len(qs) {
			if err := answer(qs[i], p.out.Bytes()); err != nil {
				return err
			}
		}
	}
	return <-sent
}

// slice is the number of questions that oracle.rb answers at once.
const slice = 400

func (p *puppet) end() error {
	return p.closing(p.in.Close())
}

func (p *puppet) closing(err error) error {
	if err != nil {
		return err
	}
	return p.cmd.Wait()
}

// libOf returns the folder of the libraries of a checkout, which can be the folder itself.
func libOf(dir string) string {
	if lib := filepath.Join(dir, "lib"); exists(filepath.Join(lib, "puppet", "version.rb")) {
		return lib
	}
	return dir
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

var versionLine = regexp.MustCompile(`PUPPETVERSION = '([^']*)'`)

// release returns the name of the release in a folder, and the nearest reference.
func release(dir string) (string, pcore.Reference, error) {
	text, err := os.ReadFile(filepath.Join(libOf(dir), "puppet", "version.rb"))
	if err != nil {
		return "", 0, fmt.Errorf("%s has no Puppet: %w", dir, err)
	}
	m := versionLine.FindSubmatch(text)
	if m == nil {
		return "", 0, fmt.Errorf("%s: no version in puppet/version.rb", dir)
	}
	version := string(m[1])
	name, like := "Puppet "+version, pcore.Puppet8
	switch openvox := bytes.Contains(text, []byte("openvox")); {
	case strings.HasPrefix(version, "7."):
		like = pcore.Puppet7
	case openvox && strings.HasPrefix(version, "8."):
		name, like = "OpenVox "+version, pcore.OpenVox8
	case openvox:
		name, like = "OpenVox "+version, pcore.OpenVox9
	}
	return name, like, nil
}
