package eval

import (
	"bytes"
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
