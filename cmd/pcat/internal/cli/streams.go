package cli

import (
	"context"
	"io"
	"log/slog"
	"os"
	"sync"

	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/pcatdev/pcat/internal/terminal"
)

// IOStreams are the standard streams of one run of pcat, with their settings. A command
// writes data to Out, and messages to Log or Err.
type IOStreams struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer
	Log *slog.Logger // writes to Err; never nil

	InTerminal, OutTerminal, ErrTerminal bool // is a person at the other end?

	Getenv func(string) string // never nil

	plain    bool // Out is a terminal that shows escape sequences as they are
	settings Settings
	temps    temps
	endings  endings
	memory   memory
	files    [2]*os.File // the files behind In and Out, nil when there is none
}

// System returns the streams of this process.
func System() *IOStreams {
	s := Streams(os.Stdin, standardWriter{os.Stdout, stdoutName, nil}, standardWriter{os.Stderr, stderrName, nil})
	s.InTerminal, s.OutTerminal, s.ErrTerminal = isTerminal(os.Stdin), isTerminal(os.Stdout), isTerminal(os.Stderr)
	s.Getenv = os.Getenv
	s.files = [2]*os.File{os.Stdin, os.Stdout}
	s.plain = s.OutTerminal && !showsEscapes(os.Stdout)
	s.share()
	s.Log = slog.New(newTextHandler(s.Err, levelNotice))
	return s
}

// share makes output to a terminal clear the line of a [Progress] there.
func (s *IOStreams) share() {
	if !s.ErrTerminal || !showsEscapes(os.Stderr) {
		return
	}
	shared := &screen{w: os.Stderr}
	s.Err = standardWriter{os.Stderr, stderrName, shared}
	if s.OutTerminal {
		s.Out = standardWriter{os.Stdout, stdoutName, shared}
	}
}

// Streams returns streams that are no terminals and see an empty environment.
func Streams(in io.Reader, out, err io.Writer) *IOStreams {
	return &IOStreams{
		In: in, Out: out, Err: err,
		Log:    slog.New(newTextHandler(err, levelNotice)),
		Getenv: func(string) string { return "" },
	}
}

// Settings are the flags that every command has.
type Settings struct {
	Color     ColorMode
	Quiet     bool
	Verbose   int
	LogFormat string
}

// AddFlags declares the settings in flags.
func (set *Settings) AddFlags(flags *pflag.FlagSet) {
	flags.Var(&set.Color, "color", "colour output: `WHEN` is auto, always or never")
	flags.BoolVarP(&set.Quiet, "quiet", "q", false, "print errors only")
	flags.CountVarP(&set.Verbose, "verbose", "v", "print more messages; -vv for debugging")
	flags.StringVar(&set.LogFormat, "log-format", "text", "`FORMAT` of messages on standard error: text or json")
}

// Apply makes the streams follow the settings.
func (s *IOStreams) Apply(set Settings) error {
	if set.LogFormat != "text" && set.LogFormat != "json" {
		return Usage("--log-format: unknown format %q; use text or json", set.LogFormat)
	}
	s.settings = set
	s.Log = s.LogTo(s.Err)
	return nil
}

// LogTo returns a log like that of the streams, which writes to w.
func (s *IOStreams) LogTo(w io.Writer) *slog.Logger {
	level := levelNotice
	switch set := s.settings; {
	case set.Quiet:
		level = slog.LevelError
	case set.Verbose > 1:
		level = slog.LevelDebug
	case set.Verbose == 1:
		level = slog.LevelInfo
	}
	if s.settings.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(terminal.JSONWriter(w), &slog.HandlerOptions{Level: level, ReplaceAttr: nameNotice}))
	}
	h := newTextHandler(w, level)
	if s.ErrTerminal {
		h.columns = s.Columns(s.Err)
	}
	return slog.New(h)
}

// Notice logs a message that is neither a warning nor only for -v, such as that a file was
// written. -q omits it.
func (s *IOStreams) Notice(message string, attrs ...slog.Attr) {
	s.Log.LogAttrs(context.Background(), levelNotice, message, attrs...)
}

// Abort removes the temporary files of unfinished outputs, and prevents outputs from being
// completed. An interrupt calls it. It is safe for concurrent use.
func (s *IOStreams) Abort() {
	s.temps.abort()
	s.End()
}

// AtEnd registers a function that End calls. It is safe for concurrent use.
func (s *IOStreams) AtEnd(do func()) {
	s.endings.mu.Lock()
	defer s.endings.mu.Unlock()
	s.endings.all = append(s.endings.all, do)
}

// End ends the processes that a command has left running for its inputs. It is safe for concurrent use.
func (s *IOStreams) End() {
	s.endings.mu.Lock()
	all := s.endings.all
	s.endings.all = nil
	s.endings.mu.Unlock()
	for _, do := range all {
		do()
	}
}

// endings are functions to call at the end of a run.
type endings struct {
	mu  sync.Mutex
	all []func()
}

// Columns returns the width of the terminal w, which is one of the streams; 0 if it is not
// a terminal.
func (s *IOStreams) Columns(w io.Writer) int {
	out, ok := w.(standardWriter)
	if !ok {
		return 0
	}
	f, ok := out.w.(*os.File)
	if !ok {
		return 0
	}
	columns, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return columns
}

// Fit returns lines of text for people that fit the terminal of Out: a long line is broken at
// blanks. Without a terminal, they are unchanged.
func (s *IOStreams) Fit(text string) string { return terminal.WrapLines(text, s.Columns(s.Out)) }

// isTerminal reports whether f is a terminal. Other devices, such as /dev/null and
// /dev/full, are not.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && term.IsTerminal(int(f.Fd()))
}

// standardWriter marks broken pipes and other errors of a standard stream, to distinguish
// them from errors of inputs.
type standardWriter struct {
	w      io.Writer
	name   string
	screen *screen // the terminal that w writes to; nil for none
}

func (s standardWriter) Write(p []byte) (int, error) {
	if len(p) == 0 { // some devices refuse even that
		return 0, nil
	}
	n, err := s.screen.write(s.w, p)
	if isClosedPipe(err) {
		return n, errBrokenPipe
	}
	return n, outputError(s.name, err)
}
