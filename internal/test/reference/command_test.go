package reference

import (
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"sync"
	"testing"
)

// puppets are processes that run commands of the installed Puppet, one for each processor. They
// end with the tests.
var puppets = sync.OnceValue(func() chan *server {
	pool := make(chan *server, runtime.GOMAXPROCS(0))
	for range cap(pool) {
		pool <- nil
	}
	return pool
})

// run runs a command of the installed Puppet in a folder, and returns its output.
func run(t *testing.T, folder string, arguments ...string) ([]byte, error) {
	t.Helper()
	pool := puppets()
	s := <-pool
	defer func() { pool <- s }()
	if s == nil {
		var err error
		if s, _, err = start("testdata/command.rb"); err != nil {
			t.Fatal(err)
		}
	}
	var answer struct {
		Code   int
		Output string
	}
	if err := s.ask(map[string]any{"folder": folder, "arguments": arguments}, &answer); err != nil {
		s = nil
		t.Fatal(err)
	}
	if answer.Code != 0 {
		return []byte(answer.Output), fmt.Errorf("exit status %d", answer.Code)
	}
	return []byte(answer.Output), nil
}

// runOther runs a command of another release of Puppet, and returns its output.
func runOther(t *testing.T, command []string, folder string, arguments ...string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), command[0], append(command[1:], arguments...)...)
	cmd.Dir = folder
	out, err := cmd.CombinedOutput()
	if err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	return out
}
