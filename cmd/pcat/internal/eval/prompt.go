package eval

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/pcore/syntax"
)

// The prompts: for something new, and for the rest of what is not complete yet.
const (
	first = "> "
	more  = ". "
)

// prompt evaluates what a person types, until the end of input. It goes to standard error, so that
// values alone go to standard output.
func (s *session) prompt(streams *cli.IOStreams) error {
	if _, err := fmt.Fprintln(streams.Err, "Type an expression; an empty line ends one that is not complete, ctrl-D ends pcat."); err != nil {
		return err
	}
	in := newLines(streams)
	for {
		text, err := read(in)
		if errors.Is(err, io.EOF) {
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

// read returns what can be evaluated: one line, or several until they are complete.
func read(in lines) (string, error) {
	text, err := in.line(first)
	for err == nil && syntax.Incomplete(parse(text)) {
		var next string
		if next, err = in.line(more); err != nil || strings.TrimSpace(next) == "" {
			break
		}
		text += "\n" + next
	}
	return text, err
}

func parse(text string) error {
	_, err := syntax.Config{Unchecked: true}.ParseProgram("", text)
	return err
}

// lines are what a person types. The error at their end is io.EOF.
type lines interface {
	line(prompt string) (string, error)
}

// newLines returns the lines of standard input: edited, and with a history, when it is a terminal
// that can be.
func newLines(streams *cli.IOStreams) lines {
	if file, ok := streams.In.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		return &edited{
			file: file,
			term: term.NewTerminal(struct {
				io.Reader
				io.Writer
			}{file, streams.Err}, ""),
		}
	}
	return &plain{in: bufio.NewReader(streams.In), out: streams.Err}
}

// edited are lines that can be edited while they are typed. The terminal is in raw mode as long as
// one is.
type edited struct {
	file *os.File
	term *term.Terminal
}

func (e *edited) line(prompt string) (line string, err error) {
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
	e.term.SetPrompt(prompt)
	line, err = e.term.ReadLine()
	if errors.Is(err, term.ErrPasteIndicator) {
		err = nil
	}
	return line, err
}

// plain are lines as they come.
type plain struct {
	in  *bufio.Reader
	out io.Writer
}

func (p *plain) line(prompt string) (string, error) {
	if _, err := io.WriteString(p.out, prompt); err != nil {
		return "", err
	}
	line, err := p.in.ReadString('\n')
	if err != nil && line == "" {
		return "", err
	}
	return strings.TrimRight(line, "\r\n"), nil
}
