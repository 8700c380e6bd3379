package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/pcatdev/pcat/serialization"
)

// launcher starts commands on behalf of this program. The peak memory of a
// process includes the time before exec: without the launcher, each command
// would inherit the peak of this program, which holds the inputs. The peak of
// the launcher, about 13 MB, remains the minimum for every command.
type launcher struct{ *peer }

// launched is the argument that makes this program a launcher.
const launched = "launched"

func newLauncher() (*launcher, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return &launcher{&peer{name: "launcher", command: []string{self, launched}}}, nil
}

// launch runs the commands in its questions, and answers like a peer.
func launch(in io.Reader, out io.Writer) error {
	questions, answers := json.NewDecoder(in), json.NewEncoder(out)
	for {
		var q question
		if err := questions.Decode(&q); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if err := answers.Encode(runCommand(q)); err != nil {
			return err
		}
	}
}

func runCommand(q question) answer {
	var a answer
	for range q.Times {
		cmd := exec.Command(q.Command[0], q.Command[1:]...)
		var complaint bytes.Buffer
		cmd.Stderr = &complaint
		start := time.Now()
		err := cmd.Run() // the output is discarded
		passed := time.Since(start)
		if errors.Is(err, exec.ErrNotFound) {
			return answer{Error: errNotHere.Error()}
		}
		if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != q.Code {
			return answer{Error: fmt.Sprintf("%v: %s", err, lastLine(complaint.String()))}
		}
		a.Clock += int64(passed)
		if q.Clock {
			a.CPU += int64(passed)
		} else {
			a.CPU += int64(cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime())
		}
		if r, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
			a.Peak = max(a.Peak, r.Maxrss<<10)
		}
	}
	return a
}

// command returns a candidate that runs a whole command, with start, input and
// output. Its peak memory is known.
func (l *launcher) command(name, note string, args ...string) *candidate {
	return l.candidate(name, note, question{Command: args})
}

func (l *launcher) candidate(name, note string, q question) *candidate {
	run := func(n int) (usage, error) {
		q.Times = n
		return l.ask(q)
	}
	return &candidate{name: name, note: note, run: run, check: func() (exact, error) {
		_, err := run(1)
		return "", err
	}}
}

// buildPcat builds the release command, which is in the parent module.
func buildPcat(folder string) (string, error) {
	path := filepath.Join(folder, "pcat")
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", path, "./cmd/pcat")
	cmd.Dir = ".."
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	return path, cmd.Run()
}

const (
	rubyPack   = `STDOUT.write MessagePack.pack(JSON.parse(File.read(ARGV[0], encoding: "UTF-8"), max_nesting: false))`
	rubyUnpack = `STDOUT.write JSON.generate(MessagePack.unpack(File.binread(ARGV[0])), max_nesting: false)`
)

// jobs returns jobs that run whole commands on one input. They also measure p in
// memory, without input and output, as a reference.
func (l *launcher) jobs(in *input, p *pcat, pcat string) []*job {
	inMemory := func(from, to serialization.Format) converter {
		return converter{"in memory, transcode", "one pass in this program, nothing read or written", p.onePass(from, to)}
	}
	command := l.command
	ruby := func(program string, file string) *candidate {
		return command("ruby -rjson -rmsgpack", "", "ruby", "-rjson", "-rmsgpack", "-e", program, file)
	}
	return []*job{
		{name: "command: JSON to MessagePack", input: in.name, bytes: len(in.json), candidates: []*candidate{
			command("pcat convert", "", pcat, "convert", "-t", "rich-msgpack", in.files.json),
			inMemory(p.json, p.msgpack).candidate(in.json, in.msgpack, readMsgPack),
			ruby(rubyPack, in.files.json),
		}},
		{name: "command: MessagePack to JSON", input: in.name, bytes: len(in.msgpack), candidates: []*candidate{
			command("pcat convert", "", pcat, "convert", "-t", "rich-json", in.files.msgpack),
			inMemory(p.msgpack, p.json).candidate(in.msgpack, in.json, readJSON),
			ruby(rubyUnpack, in.files.msgpack),
		}},
		{name: "command: JSON to JSON", input: in.name, bytes: len(in.json), candidates: []*candidate{
			command("pcat convert", "", pcat, "convert", "-t", "rich-json", in.files.json),
			command("jq -c .", "", "jq", "-c", ".", in.files.json),
		}},
		{name: "command: redact", input: in.name, bytes: len(in.json), candidates: []*candidate{
			command("pcat redact", "", pcat, "redact", in.files.json),
			command("jq", "in their own places only", "jq", "-c", jqRedact, in.files.json),
		}},
	}
}

const jqRedact = `.resources[] |= (
  if .sensitive_parameters then .sensitive_parameters as $names
  | .parameters |= with_entries(if .key as $k | $names | index($k) then .value = "redacted" else . end)
  else . end)
 | walk(if type == "object" and .__ptype == "Sensitive" then .__pvalue = "redacted" else . end)`

// manyCatalogs is the number of inputs of the job on two cores.
const manyCatalogs = 16

// coresJob processes many catalogs on one core and on two. It is the only job
// that measures wall-clock time, which is meaningless on a busy machine.
func (l *launcher) coresJob(in *input, pcat string) (*job, error) {
	files := make([]string, manyCatalogs) // a file named twice would be read only once
	for i := range files {
		files[i] = fmt.Sprintf("%s.%d.json", in.files.json, i)
		if err := os.Link(in.files.json, files[i]); err != nil {
			return nil, err
		}
	}
	convert := func(name, cores string) *candidate { // otherwise Go's garbage collector would use the other core
		command := append([]string{"env", "GOMAXPROCS=" + cores, pcat, "convert", "-j", cores, "-i", "-t", "rich-json", "--indent", "0"}, files...)
		return l.candidate(name, "in place, written anew; time on the clock", question{Command: command, Clock: true})
	}
	return &job{name: "command: two cores against one on many catalogs", input: in.name, bytes: manyCatalogs * len(in.json), candidates: []*candidate{
		convert("pcat convert -j 2", "2"),
		convert("pcat convert -j 1", "1"),
	}}, nil
}

// startJob measures commands that do nothing.
func (l *launcher) startJob(pcat string) *job {
	command := l.command
	return &job{name: "command: start", input: "nothing", candidates: []*candidate{
		command("pcat version", "", pcat, "version"),
		command("jq -n", "", "jq", "-n", "1"),
		command("ruby -e 1", "", "ruby", "-e", "1"),
	}}
}
