package eval

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
)

// TestPrompt types lines where a terminal would be.
func TestPrompt(t *testing.T) {
	typed := strings.Join([]string{
		"$x = [1, 2]", // a variable stays
		"$x.map |$e| {",
		"  $e * 2",
		"}",
		"1 +", // given up by an empty line
		"",
		"$y",
		"fail('no')", // errors end nothing
		"Sensitive('hunter2')",
		"Integer[1, 10000].reduce |$a, $b| { $a + $b }",
		"'done'", // without a line break
	}, "\n")
	var out, errs bytes.Buffer
	streams := cli.Streams(strings.NewReader(typed), &out, &errs)
	streams.InTerminal = true
	if err := Run(t.Context(), &Options{Streams: streams}); err != nil {
		t.Fatal(err)
	}
	if want := "[1, 2]\n[2, 4]\nSensitive [value redacted]\n50005000\n'done'\n"; out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
	for _, want := range []string{"> . . > ", "pcat: 1:4: Syntax error at end of input\n  1 +\n     ^\n", "1:1: unknown variable: $y", "fail(): no"} {
		if !strings.Contains(errs.String(), want) {
			t.Errorf("no %q in %s", want, errs.String())
		}
	}
}

// Ctrl-C discards one or several typed lines, and the next line is read normally.
func TestDroppedLines(t *testing.T) {
	for name, c := range map[string]struct {
		typed []string // as the terminal hands it on
		want  []string
	}{
		"nothing":     {[]string{"1\r", "2\r"}, []string{"1", "2"}},
		"a line":      {[]string{"nope", "\x03", "2\r"}, []string{"2"}},
		"in one read": {[]string{"nope\x032\r"}, []string{"2"}},
		"inside":      {[]string{"nope\x1b[D\x1b[D", "\x03", "2\r"}, []string{"2"}},
		"a block":     {[]string{"1 +\r", "\x03", "2\r"}, []string{"2"}},
		"twice":       {[]string{"\x03", "\x03", "2\r"}, []string{"2"}},
		"the end":     {[]string{"\x03", "\x04"}, nil},
	} {
		in, out := io.Pipe()
		go func() {
			for _, text := range c.typed {
				_, _ = io.WriteString(out, text)
			}
			_ = out.Close()
		}()
		var got []string
		lines := newLineEditor(in, io.Discard)
		for {
			text, err := read(lines)
			if errors.Is(err, io.EOF) {
				break
			}
			if err == nil {
				got = append(got, text)
			} else if !errors.Is(err, errDropped) {
				t.Fatal(err)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// The word exit quits.
func TestGoodbye(t *testing.T) {
	var out, errs bytes.Buffer
	streams := cli.Streams(strings.NewReader("1\n exit \n2\n"), &out, &errs)
	streams.InTerminal = true
	if err := Run(t.Context(), &Options{Streams: streams}); err != nil || out.String() != "1\n" {
		t.Errorf("got %q, %v", out.String(), err)
	}
}
