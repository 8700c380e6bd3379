package cli

import (
	"context"
	"io"
	"log/slog"
	"strconv"
	"strings"
	"sync"

	"github.com/pcatdev/pcat/internal/terminal"
)

// The attribute keys for locations. Text messages start with them: "pcat: FILE: LOCATION: message".
const (
	FileKey     = "file"
	LocationKey = "location"
)

// levelNotice is the level of [IOStreams.Notice], and the lowest that is logged without -v.
const levelNotice = slog.LevelInfo + 2

// nameNotice names the level in JSON.
func nameNotice(groups []string, a slog.Attr) slog.Attr {
	if level, ok := a.Value.Any().(slog.Level); ok && level == levelNotice && len(groups) == 0 && a.Key == slog.LevelKey {
		a.Value = slog.StringValue("NOTICE")
	}
	return a
}

// textHandler prints records in the style of command line tools: no time, one line, the
// location first. It replaces control characters, because names and errors quote untrusted
// text.
type textHandler struct {
	mu      *sync.Mutex // shared by the handlers that WithAttrs makes
	w       io.Writer
	level   slog.Level
	attrs   []slog.Attr
	prefix  string // of keys, from WithGroup
	columns int    // of the terminal; 0 for none
}

func newTextHandler(w io.Writer, level slog.Level) *textHandler {
	return &textHandler{mu: new(sync.Mutex), w: w, level: level}
}

// Enabled implements slog.Handler.
func (h *textHandler) Enabled(_ context.Context, level slog.Level) bool { return level >= h.level }

// Handle implements slog.Handler.
func (h *textHandler) Handle(_ context.Context, r slog.Record) error {
	var file, location string
	var rest strings.Builder
	add := func(key string, v slog.Value) {
		switch text := v.Resolve().String(); key {
		case FileKey:
			file = terminal.Line(text)
		case LocationKey:
			location = terminal.Line(text)
		default:
			rest.WriteString(" " + key + "=" + quoteIfNeeded(text))
		}
	}
	for _, a := range h.attrs {
		add(a.Key, a.Value)
	}
	r.Attrs(func(a slog.Attr) bool {
		add(h.prefix+a.Key, a.Value)
		return true
	})
	message := indented(terminal.Text(r.Message))
	if r.Level == slog.LevelWarn {
		message = "warning: " + message
	}
	first, more, several := strings.Cut(joinNonEmpty("pcat", file, location, message)+rest.String(), "\n")
	line := terminal.Wrap(first, "  ", h.columns) + "\n"
	if several {
		line += more + "\n"
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	_, err := io.WriteString(h.w, line)
	return err
}

// WithAttrs implements slog.Handler.
func (h *textHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	next := *h
	next.attrs = append([]slog.Attr(nil), h.attrs...)
	for _, a := range attrs {
		a.Key = h.prefix + a.Key
		next.attrs = append(next.attrs, a)
	}
	return &next
}

// WithGroup implements slog.Handler.
func (h *textHandler) WithGroup(name string) slog.Handler {
	next := *h
	if name != "" {
		next.prefix += name + "."
	}
	return &next
}

// indented indents the lines of a message that continue the first one, so that none looks
// like a message.
func indented(message string) string {
	first, rest, more := strings.Cut(message, "\n")
	if !more {
		return message
	}
	lines := strings.Split(rest, "\n")
	for i, line := range lines {
		if line != "" && !strings.HasPrefix(line, "  ") {
			lines[i] = "  " + line
		}
	}
	return first + "\n" + strings.Join(lines, "\n")
}

func quoteIfNeeded(s string) string {
	if s == "" || strings.ContainsAny(s, " \"=") || s != terminal.Line(s) {
		return terminal.Line(strconv.Quote(s))
	}
	return s
}
