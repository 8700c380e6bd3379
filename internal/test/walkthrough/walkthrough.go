// Package walkthrough follows a page as a reader does: it writes the files that the page shows,
// runs its commands, and compares their output with the page.
//
// The syntax of steps on pages belongs here, not the pages or the programs that they need.
package walkthrough

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// Step is a command on a page, or a file that the reader writes.
type Step struct {
	File    string // the path of the file; empty for a command
	Text    string // the command, or the content of the file
	Printed string // the output on the page
	first   int    // the lines of the page with the output
	end     int
}

var (
	fileName  = regexp.MustCompile("`([^`]+)`:$")
	codeFence = regexp.MustCompile("^```[a-z]+$")
)

// Steps returns the steps of a page. A command is a line of an indented block that begins with
// `$`. The lines below it are its output, including empty lines in the block. A backslash at the end
// continues a command on the next line. A file is a fenced block after a line that ends
// with its name in backticks and a colon.
func Steps(page string) []Step {
	var all []Step
	var file *Step
	open, continued, empty, name := false, false, "", ""
	for i, line := range strings.SplitAfter(page, "\n") {
		if file != nil {
			if line == "```\n" {
				all, file = append(all, *file), nil
			} else {
				file.Text += line
			}
			continue
		}
		text, indented := strings.CutPrefix(line, "    ")
		switch {
		case continued:
			last := &all[len(all)-1]
			last.Text, continued = strings.CutSuffix(last.Text+"\n"+strings.TrimSpace(text), `\`)
			if continued {
				last.Text += `\`
			}
			last.first, last.end = i+1, i+1
		case strings.HasPrefix(text, "$ ") && indented:
			all = append(all, Step{Text: strings.TrimSpace(text[2:]), first: i + 1, end: i + 1})
			open, continued, empty = true, strings.HasSuffix(strings.TrimSpace(text), `\`), ""
		case open && indented:
			all[len(all)-1].Printed += empty + text
			all[len(all)-1].end = i + 1
			empty = ""
		case open && line == "\n":
			empty += line
		default:
			open, empty = false, ""
		}
		if name != "" && codeFence.MatchString(strings.TrimSuffix(line, "\n")) {
			file = &Step{File: name}
		}
		if line != "\n" {
			name = ""
			if m := fileName.FindStringSubmatch(strings.TrimSpace(line)); m != nil && !indented {
				name = m[1]
			}
		}
	}
	return all
}

// WithOutput returns the page with the output of its steps.
func WithOutput(page string, steps []Step) string {
	var b strings.Builder
	all, next := strings.SplitAfter(page, "\n"), 0
	for _, s := range steps {
		if s.File != "" {
			continue
		}
		b.WriteString(strings.Join(all[next:s.first], ""))
		for line := range strings.Lines(strings.TrimRight(s.Printed, "\n")) {
			if line != "\n" {
				b.WriteString("    ")
			}
			b.WriteString(strings.TrimSuffix(line, "\n") + "\n")
		}
		next = s.end
	}
	return b.String() + strings.Join(all[next:], "")
}

// Equal reports whether a command printed the output that the page shows, except for durations and
// blank lines at the end: some formats do not end with a line break. A line of the page with
// only … matches any number of lines.
func Equal(page, printed string) bool { return equalLines(lines(page), lines(printed)) }

func lines(text string) []string {
	return strings.Split(strings.TrimSpace(duration.ReplaceAllString(text, " in (duration)")), "\n")
}

var duration = regexp.MustCompile(`(?m) in [0-9.]+(ns|µs|ms|s)$`)

func equalLines(page, printed []string) bool {
	if len(page) == 0 {
		return len(printed) == 0
	}
	if strings.TrimSpace(page[0]) == "…" {
		for n := range len(printed) + 1 {
			if equalLines(page[1:], printed[n:]) {
				return true
			}
		}
		return false
	}
	return len(printed) > 0 && page[0] == printed[0] && equalLines(page[1:], printed[1:])
}

// facter matches the errors that Facter prints in a container where it cannot see all processes.
var facter = regexp.MustCompile(`(?m)^(\x1b\[[0-9;]*m)*Error: Facter: .*\n`)

// Home is the directory of the reader on a page. A test has another one.
const Home = "/home/ann"

// Reader is the environment in which a page is tried.
type Reader struct {
	// Needs are the programs of the page. The test is skipped where one of them is missing.
	Needs []string
	// Env are variables in the format NAME=VALUE, besides the environment of the test.
	Env []string
	// Replace returns the command to run instead of a command of the page, such as one with another
	// port. It may be nil.
	Replace func(command string) string
	// Normalize returns an output without parts that differ between runs. It may be nil.
	Normalize func(output string) string
	// Update writes the output of the commands into the page.
	Update bool
}

// Try follows a page from an empty directory, in one shell. Each command whose output differs from the page fails the
// test.
func (r Reader) Try(t *testing.T, page string) {
	t.Helper()
	for _, program := range append([]string{"bash"}, r.Needs...) {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not installed; its package is in .ci/run", program)
		}
	}
	content, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	text := string(content)
	steps := Steps(text)
	if len(steps) < 5 {
		t.Errorf("only %d steps are found on the page", len(steps))
	}
	home := directory(t)
	s := r.shell(t, home)
	for i, step := range steps {
		if step.File != "" {
			s.write(t, step.File, step.Text)
			continue
		}
		line := step.Text
		if r.Replace != nil {
			line = r.Replace(line)
		}
		got := facter.ReplaceAllString(strings.ReplaceAll(s.run(t, line), home, Home), "")
		same := Equal(step.Printed, got)
		if r.Normalize != nil {
			same = Equal(r.Normalize(step.Printed), r.Normalize(got))
		}
		switch {
		case same:
		case r.Update:
			steps[i].Printed = got
		default:
			t.Errorf("%s prints\n%s\nthe page says\n%s", step.Text, got, step.Printed)
		}
	}
	if r.Update {
		if err := os.WriteFile(page, []byte(WithOutput(text, steps)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// shell is a shell that stays open between commands: it keeps its directory, variables and jobs.
type shell struct {
	in   io.Writer
	from io.Closer
	out  *bufio.Reader
}

// commandTime is the most that a command may take, on a busy machine.
const commandTime = 5 * time.Minute

// shell starts a shell in the home directory of the reader. It ends with the test, with its jobs.
func (r Reader) shell(t *testing.T, home string) *shell {
	t.Helper()
	cmd := exec.Command("bash", "--norc", "--noprofile")
	cmd.Dir = home
	cmd.Env = append(os.Environ(),
		"HOME="+home, "XDG_CACHE_HOME="+filepath.Join(home, ".cache"), "XDG_CONFIG_HOME="+filepath.Join(home, ".config"),
		"GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=Ann", "GIT_AUTHOR_EMAIL=ann@example.com", "GIT_COMMITTER_NAME=Ann", "GIT_COMMITTER_EMAIL=ann@example.com")
	cmd.Env = append(cmd.Env, r.Env...)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	from, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = to, to
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = to.Close() // the shell has its own copy
	t.Cleanup(func() {
		_ = in.Close() // ends the shell
		if err := cmd.Wait(); err != nil {
			t.Log(err)
		}
		_ = from.Close()
	})
	s := &shell{in, from, bufio.NewReader(from)}
	s.run(t, `trap 'kill $(jobs -p) 2>/dev/null; wait' EXIT`)
	return s
}

// mark separates the outputs of commands.
const mark = "(end of the output)"

// run runs a command, and returns everything that it prints. The next command sees its status.
func (s *shell) run(t *testing.T, line string) string {
	t.Helper()
	if _, err := fmt.Fprintf(s.in, "{ %s\n} </dev/null\nstatus=$?; printf '\\n%%s\\n' '%s'; (exit $status)\n", line, mark); err != nil {
		t.Fatal(err)
	}
	late := time.AfterFunc(commandTime, func() { _ = s.from.Close() })
	defer late.Stop()
	var printed bytes.Buffer
	for {
		next, err := s.out.ReadString('\n')
		if next == mark+"\n" {
			return strings.TrimSuffix(printed.String(), "\n")
		}
		printed.WriteString(next)
		if err != nil {
			t.Fatalf("%s: the shell has ended, or the command takes more than %s: %v\n%s", line, commandTime, err, &printed)
		}
	}
}

// write writes a file into the directory of the shell.
func (s *shell) write(t *testing.T, name, content string) {
	t.Helper()
	name = filepath.Join(strings.TrimSpace(s.run(t, "pwd")), filepath.FromSlash(name))
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// directory creates an empty directory whose path has the length of Home: some layouts depend on the length of a path.
func directory(t *testing.T) string {
	t.Helper()
	for {
		const digits = len(Home) - len("/tmp/")
		name := fmt.Sprintf("/tmp/%0*x", digits, rand.IntN(1<<(4*digits))) //nolint:gosec // a free name, no secret
		switch err := os.Mkdir(name, 0o700); {
		case err == nil:
			t.Cleanup(func() {
				if err := os.RemoveAll(name); err != nil {
					t.Error(err)
				}
			})
			return name
		case !errors.Is(err, fs.ErrExist):
			t.Fatal(err)
		}
	}
}
