package eval

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/pcore/eval"
)

// The prompts for a new expression, and for the continuation of an incomplete one.
const (
	first = "> "
	more  = ". "
)

// prompt evaluates typed expressions until the end of input. Prompts go to standard error,
// so that standard output has only values.
func (s *session) prompt(streams *cli.IOStreams) error {
	if _, err := fmt.Fprintln(streams.Err, "Type an expression. An empty line ends an incomplete one, Ctrl-C discards it, Ctrl-D or exit quits."); err != nil {
		return err
	}
	in := newLines(streams)
	for {
		text, err := read(in)
		if errors.Is(err, errDropped) {
			continue
		}
		if errors.Is(err, io.EOF) || isExit(text) {
			_, err = fmt.Fprintln(streams.Err)
			return err
		}
		if err != nil {
			return err
		}
		if strings.TrimSpace(text) != "" {
			s.world.Refill()
			streams.Report(s.program("", text))
		}
	}
}

// isExit reports whether text is a request to quit. For Puppet, these words are strings,
// which are not useful as expressions.
func isExit(text string) bool {
	text = strings.TrimSpace(text)
	return text == "exit" || text == "quit"
}

// read returns a line, or several lines until they form a complete program.
func read(in lines) (string, error) {
	text, err := in.line(first)
	for err == nil && eval.Incomplete(text) {
		var next string
		if next, err = in.line(more); err != nil || strings.TrimSpace(next) == "" {
			break
		}
		text += "\n" + next
	}
	return text, err
}

// errDropped is the error for a line discarded with Ctrl-C.
var errDropped = errors.New("the line was discarded")

// lines reads typed lines. The error at the end of input is io.EOF.
type lines interface {
	line(prompt string) (string, error)
}

// newLines returns the lines of standard input, with editing and a history on a terminal.
func newLines(streams *cli.IOStreams) lines {
	if file, ok := streams.In.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		return &terminalLines{file: file, lineEditor: newLineEditor(file, streams.Err)}
	}
	return &plainLines{in: bufio.NewReader(streams.In), out: streams.Err}
}

// terminalLines reads lines with editing. The terminal is in raw mode only while a line is read.
type terminalLines struct {
	file *os.File
	*lineEditor
}

func (e *terminalLines) line(prompt string) (line string, err error) {
	fd := int(e.file.Fd())
	before, err := term.MakeRaw(fd)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, term.Restore(fd, before)) }()
	if width, height, err := term.GetSize(fd); err == nil && width > 0 {
		if err := e.term.SetSize(width, height); err != nil {
			return "", err
		}
	}
	return e.lineEditor.line(prompt)
}

// lineEditor edits lines on a terminal in raw mode.
type lineEditor struct {
	term *term.Terminal
	keys *keyReader
}

func newLineEditor(in io.Reader, out io.Writer) *lineEditor {
	k := &keyReader{in: in}
	return &lineEditor{keys: k, term: term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{k, out}, "")}
}

func (t *lineEditor) line(prompt string) (string, error) {
	t.keys.dropped = false
	t.term.SetPrompt(prompt)
	line, err := t.term.ReadLine()
	if errors.Is(err, term.ErrPasteIndicator) {
		err = nil
	}
	if err == nil && t.keys.dropped {
		return "", errDropped
	}
	return line, err
}

// keyReader reads typed keys. Package term treats Ctrl-C as the end of input, so keyReader
// replaces it by keys that clear the line and start a new one.
type keyReader struct {
	in      io.Reader
	left    []byte // to be read before in
	dropped bool   // the line was given up
}

const (
	ctrlC    = "\x03"
	dropLine = "\x05\x15\r" // ctrl-E, ctrl-U, return
)

func (k *keyReader) Read(p []byte) (int, error) {
	if len(k.left) == 0 {
		buf := make([]byte, len(p))
		n, err := k.in.Read(buf)
		if err != nil {
			return copy(p, buf[:n]), err
		}
		k.left = buf[:n]
		if at := bytes.LastIndexByte(k.left, ctrlC[0]); at >= 0 { // earlier keys are discarded, too
			k.left = append([]byte(dropLine), k.left[at+1:]...)
			k.dropped = true
		}
	}
	n := copy(p, k.left)
	k.left = k.left[n:]
	return n, nil
}

// plainLines reads lines without editing.
type plainLines struct {
	in  *bufio.Reader
	out io.Writer
}

func (p *plainLines) line(prompt string) (string, error) {
	if _, err := io.WriteString(p.out, prompt); err != nil {
		return "", err
	}
	line, err := p.in.ReadString('\n')
	if err != nil && line == "" {
		return "", err
	}
	return strings.TrimRight(line, "\r\n"), nil
}
