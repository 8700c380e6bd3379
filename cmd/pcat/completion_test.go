package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// shells maps each shell to the command that starts it as for a person, and to the lines that load the completion.
func shells() map[string]struct{ start, load string } {
	return map[string]struct{ start, load string }{
		"bash": {"bash --noprofile --norc -i", ". /usr/share/bash-completion/bash_completion; . ./pcat.bash"},
		"zsh":  {"zsh -f -i", "fpath=($PWD/functions $fpath); autoload -Uz compinit; compinit -u -D; zstyle ':completion:*' insert-tab false"},
		"fish": {"fish --no-config -i", "source pcat.fish"},
	}
}

// TestCompletion types the beginning of a line and a tab into a real shell, and runs the completed line.
func TestCompletion(t *testing.T) {
	if _, err := exec.LookPath("script"); err != nil || runtime.GOOS != "linux" {
		t.Skip("script of util-linux, which runs a shell in a terminal, is not here")
	}
	tests := []struct{ typed, want string }{
		{"pcat reda", "redact"},
		{"pcat audit keyg", "audit keygen"},
		{"pcat audit --max-f", "audit --max-findings"},
		{"pcat audit --fail-on cri", "audit --fail-on critical"},
		{"pcat verify --fail-on=los", "verify --fail-on=lossy"},
		{"pcat redact --mode pseu", "redact --mode pseudonym"},
		{"pcat show we", "show web.json"},
		{"pcat audit we", "audit web.json"},
		{"pcat show web.json Use", "show web.json User["},
		{"pcat show web.json Si\tma", "show web.json Site::App[main]"},
		{"pcat show web.json Fi\t/etc/m", "show web.json File[/etc/motd]"},
		{"pcat why web.json Fi\ta", "why web.json File[a b]"},
		{"pcat show web.json 'Site::App[ma", "show web.json Site::App[main]"},
		{"pcat show web.json 'File[/etc/m", "show web.json File[/etc/motd]"},
		{"pcat why web.json \"File[a", "why web.json File[a b]"},
		{"pcat why web.json Ex\tit", "why web.json Exec[it's $HOME]"},
		{"pcat why web.json 'File[a", "why web.json File[a b]"},
	}
	for name, shell := range shells() {
		t.Run(name, func(t *testing.T) {
			if _, err := exec.LookPath(name); err != nil {
				t.Skipf("%s is not installed: apt-get install %s, or run .ci/run", name, name)
			}
			if _, err := os.Stat("/usr/share/bash-completion/bash_completion"); err != nil && name == "bash" {
				t.Skip("bash-completion is not installed: apt-get install bash-completion, or run .ci/run")
			}
			s := startShell(t, name, shell.start)
			s.send(t, shell.load+"\n")
			s.run(t, "pcat ready", "ready")
			for _, tt := range tests {
				s.run(t, tt.typed+"\t", tt.want)
			}
		})
	}
}

// shell is a shell in a terminal.
type shell struct {
	in    io.Writer
	lines chan string
}

// ran begins the line that the pcat of the shell prints.
const ran = "ran:"

// startShell starts a shell in a new directory. Its pcat answers completions, and otherwise prints its arguments.
func startShell(t *testing.T, name, start string) *shell {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin, dir := t.TempDir(), t.TempDir()
	real := filepath.Join(bin, "real", "pcat")
	for _, d := range []string{filepath.Dir(real), filepath.Join(dir, "functions")} {
		if err := os.Mkdir(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(program, real); err != nil {
		t.Fatal(err)
	}
	completion, err := exec.Command(real, "completion", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	const catalog = `{"name":"web","resources":[{"type":"File","title":"/etc/motd"},{"type":"File","title":"a b"},{"type":"Site::App","title":"main"},{"type":"User","title":"app"},{"type":"Exec","title":"it's $HOME"}],"edges":[]}`
	for file, text := range map[string]string{
		filepath.Join(bin, "pcat"):               "#!/bin/sh\ncase $1 in __complete*) exec '" + real + "' \"$@\" ;; esac\necho \"" + ran + " $*\"\n",
		filepath.Join(dir, "web.json"):           catalog,
		filepath.Join(dir, "pcat."+name):         string(completion),
		filepath.Join(dir, "functions", "_pcat"): string(completion),
	} {
		if err := os.WriteFile(file, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("script", "-q", "-e", "-c", start, os.DevNull)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "HOME="+dir, "TERM=dumb", "PS1=", raceEnv+"="+raceOptions)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s := &shell{in: in, lines: make(chan string, 1000)}
	go func() {
		defer close(s.lines)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			s.lines <- lines.Text()
		}
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = in.Close()
		for range s.lines { // until the shell has ended
		}
		_ = cmd.Wait()
	})
	return s
}

func (s *shell) send(t *testing.T, text string) {
	t.Helper()
	if _, err := io.WriteString(s.in, text); err != nil {
		t.Fatal(err)
	}
}

// run types a line, and checks the arguments that pcat gets.
func (s *shell) run(t *testing.T, typed, want string) {
	t.Helper()
	s.send(t, typed+"\n")
	var screen strings.Builder
	limit := time.After(time.Minute)
	for {
		select {
		case line, ok := <-s.lines:
			if !ok {
				t.Fatalf("%q: the shell ended:\n%s", typed, &screen)
			}
			screen.WriteString(line + "\n")
			if _, got, found := strings.Cut(line, ran+" "); found {
				if got = strings.TrimRight(got, " \r"); got != want {
					t.Errorf("%q: got %q, want %q", typed, got, want)
				}
				return
			}
		case <-limit:
			t.Fatalf("%q: nothing is run:\n%s", typed, &screen)
		}
	}
}
