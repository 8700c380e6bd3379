package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"strings"
	"testing"
)

func TestCodeOf(t *testing.T) {
	bad := BadInput("a.json", "", errors.New("cut short"))
	for _, tt := range []struct {
		name string
		err  error
		want ExitCode
	}{
		{"nothing", nil, ExitDone},
		{"findings", Exit(ExitFindings), ExitFindings},
		{"usage", Usage("no such flag"), ExitUsage},
		{"bad input", bad, ExitBadInput},
		{"wrapped", fmt.Errorf("reading: %w", bad), ExitBadInput},
		{"unknown", errors.New("boom"), ExitInternal},
		{"findings do not hide what could not be read", errors.Join(Exit(ExitFindings), bad), ExitBadInput},
		{"nor does what stayed unresolved", errors.Join(bad, errors.Join(Exit(ExitUnresolved))), ExitBadInput},
		{"a bug is the gravest", errors.Join(errors.New("boom"), bad, Usage("x")), ExitInternal},
		{"a broken pipe is no failure of pcat's", errors.Join(bad, errBrokenPipe), exitBrokenPipe},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := CodeOf(tt.err); got != tt.want {
				t.Errorf("got %d, want %d", got, tt.want)
			}
		})
	}
}

func TestReport(t *testing.T) {
	for _, tt := range []struct {
		name string
		err  error
		want string
	}{
		{"nothing", nil, ""},
		{"exit", Exit(ExitFindings), ""},
		{"place", BadInput("a.json", "File[/x]/content", errors.New("not UTF-8")), "pcat: a.json: File[/x]/content: not UTF-8\n"},
		{"no place", BadInput("-", "", errors.New("empty")), "pcat: -: empty\n"},
		{"the name is not told twice", BadInput("a.json", "", &fs.PathError{Op: "open", Path: "a.json", Err: fs.ErrNotExist}), "pcat: a.json: file does not exist\n"},
		{"each of many", errors.Join(Usage("one"), Exit(ExitFindings), errors.Join(Usage("two"))), "pcat: one\npcat: two\n"},
		{"a wrapper's words", fmt.Errorf("writing pages: %w", Usage("one")), "pcat: writing pages: one\n"},
		{"broken pipe", fmt.Errorf("writing: %w", errBrokenPipe), ""},
		{"interrupt", context.Canceled, ""},
		{"given up after another error", errors.Join(Usage("one"), context.Canceled), "pcat: one\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var errs bytes.Buffer
			Streams(nil, nil, &errs).Report(tt.err)
			if got := errs.String(); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestApplyLevels(t *testing.T) {
	for _, tt := range []struct {
		set  Settings
		want string
	}{
		{Settings{LogFormat: "text"}, "pcat: e\npcat: warning: w\n"},
		{Settings{LogFormat: "text", Quiet: true}, "pcat: e\n"},
		{Settings{LogFormat: "text", Verbose: 1}, "pcat: e\npcat: warning: w\npcat: f.json: Notify[x]: i n=1 s=\"a b\"\n"},
		{Settings{LogFormat: "text", Verbose: 2}, "pcat: e\npcat: warning: w\npcat: f.json: Notify[x]: i n=1 s=\"a b\"\npcat: d g.k=v\n"},
	} {
		t.Run(fmt.Sprintf("%+v", tt.set), func(t *testing.T) {
			var errs bytes.Buffer
			s := Streams(nil, nil, &errs)
			if err := s.Apply(tt.set); err != nil {
				t.Fatal(err)
			}
			s.Log.Error("e")
			s.Log.Warn("w")
			s.Log.With(FileKey, "f.json").Info("i", "n", 1, LocationKey, "Notify[x]", "s", "a b")
			s.Log.WithGroup("g").Debug("d", "k", "v")
			if got := errs.String(); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// Names and errors quote untrusted text, which must not control the terminal.
func TestLogSteersNothing(t *testing.T) {
	var errs bytes.Buffer
	s := Streams(nil, nil, &errs)
	s.Report(BadInput("a\x1b[2J\n.json", "File[\x1b]0;x\x07]", errors.New("line one: \u202e\nline\ttwo \u009b1m")))
	s.Log.Error("e", "key", "v\x1b")
	want := "pcat: a·[2J·.json: File[·]0;x·]: line one: ·\n  line\ttwo ·1m\npcat: e key=\"v\\x1b\"\n"
	if got := errs.String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestLogJSON(t *testing.T) {
	var errs bytes.Buffer
	s := Streams(nil, nil, &errs)
	if err := s.Apply(Settings{LogFormat: "json"}); err != nil {
		t.Fatal(err)
	}
	s.Report(BadInput("a.json", "File[/x]/content", errors.New("not UTF-8")))
	if got, want := errs.String(), `"level":"ERROR","msg":"not UTF-8","file":"a.json","location":"File[/x]/content"}`; !strings.Contains(got, want) {
		t.Errorf("got %s, want %s in it", got, want)
	}
}

func TestColor(t *testing.T) {
	for _, tt := range []struct {
		name     string
		mode     ColorMode
		terminal bool
		env      map[string]string
		want     bool
	}{
		{"terminal", ColorAuto, true, nil, true},
		{"file", ColorAuto, false, nil, false},
		{"always", ColorAlways, false, map[string]string{"NO_COLOR": "1", "TERM": "dumb"}, true},
		{"never", ColorNever, true, map[string]string{"CLICOLOR_FORCE": "1"}, false},
		{"NO_COLOR", ColorAuto, true, map[string]string{"NO_COLOR": "1", "CLICOLOR_FORCE": "1"}, false},
		{"NO_COLOR empty", ColorAuto, true, map[string]string{"NO_COLOR": ""}, true},
		{"CLICOLOR_FORCE", ColorAuto, false, map[string]string{"CLICOLOR_FORCE": "1", "TERM": "dumb"}, true},
		{"CLICOLOR_FORCE=0", ColorAuto, false, map[string]string{"CLICOLOR_FORCE": "0"}, false},
		{"dumb terminal", ColorAuto, true, map[string]string{"TERM": "dumb"}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := Streams(nil, nil, nil)
			s.OutTerminal, s.settings.Color = tt.terminal, tt.mode
			s.Getenv = func(name string) string { return tt.env[name] }
			if got := s.Color(); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestSize(t *testing.T) {
	z := Size(1)
	if err := z.Set("64K"); err != nil || z != 64<<10 || z.String() != "64KiB" {
		t.Errorf("got %d %v, %v", int64(z), z, err)
	}
	if err := z.Set("1X"); err == nil || z != 64<<10 {
		t.Errorf("got %d, %v for no size", int64(z), err)
	}
}

func TestBrokenPipe(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	s := Streams(nil, standardWriter{w: w, name: stdoutName}, nil)
	err = new(OutputFlags).Write(t.Context(), s, nil, writeText("data"))
	if CodeOf(err) != exitBrokenPipe {
		t.Errorf("got %v (%d)", err, CodeOf(err))
	}
}

// A notice appears without -v, with -v, and as JSON, but not with -q.
func TestNotice(t *testing.T) {
	for name, tt := range map[string]struct {
		set  Settings
		want string
	}{
		"plain":   {Settings{LogFormat: "text"}, "pcat: a.html: 3 findings written\n"},
		"verbose": {Settings{LogFormat: "text", Verbose: 2}, "pcat: a.html: 3 findings written\n"},
		"JSON":    {Settings{LogFormat: "json"}, `"level":"NOTICE","msg":"3 findings written","file":"a.html"}` + "\n"},
		"quiet":   {Settings{LogFormat: "text", Quiet: true}, ""},
	} {
		var out bytes.Buffer
		s := Streams(strings.NewReader(""), io.Discard, &out)
		if err := s.Apply(tt.set); err != nil {
			t.Fatal(err)
		}
		s.Notice("3 findings written", slog.String(FileKey, "a.html"))
		if got := out.String(); !strings.HasSuffix(got, tt.want) || tt.want == "" && got != "" {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
	}
}
