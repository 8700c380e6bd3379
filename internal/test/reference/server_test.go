package reference

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"testing"
)

// server is a program that answers each line of JSON with a line of JSON, so
// that Ruby is started once for thousands of questions.
type server struct {
	questions io.Writer
	answers   *bufio.Reader
	complaint *bytes.Buffer
}

// serve starts a Ruby program, which is stopped at the end of the test.
func serve(t *testing.T, script string, args ...string) *server {
	t.Helper()
	s, stop, err := start(script, args...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Errorf("%s: %v\n%s", script, err, s.complaint)
		}
	})
	return s
}

// start starts a Ruby program. It ends with this process, or when it is stopped.
func start(script string, args ...string) (s *server, stop func() error, err error) {
	cmd := exec.Command("ruby", append([]string{script}, args...)...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, nil, err
	}
	s = &server{questions: in, answers: bufio.NewReader(out), complaint: &bytes.Buffer{}}
	cmd.Stderr = s.complaint
	return s, func() error { return errors.Join(in.Close(), cmd.Wait()) }, cmd.Start()
}

// ask sends a question and reads its answer.
func (s *server) ask(question, answer any) error {
	line, err := json.Marshal(question)
	if err != nil {
		return err
	}
	if _, err := s.questions.Write(append(line, '\n')); err != nil {
		return err
	}
	line, err = s.answers.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("no answer: %w", err)
	}
	return json.Unmarshal(line, answer)
}
