package manual_test

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/internal/manual"
)

// program is a root command with a command that has one below it.
func program() (root, serve, stop *cobra.Command) {
	run := func(*cobra.Command, []string) {}
	root, serve, stop = &cobra.Command{Use: "program"}, &cobra.Command{Use: "serve", Run: run}, &cobra.Command{Use: "stop", Run: run}
	root.AddCommand(serve)
	serve.AddCommand(stop)
	return root, serve, stop
}

func TestFacts(t *testing.T) {
	root, serve, stop := program()
	manual.Environment(root, manual.Fact{Name: "NO_COLOR", Meaning: "no colour"})
	manual.Environment(serve, manual.Fact{Name: "PORT", Meaning: "the port"})
	manual.Files(stop, manual.Fact{Name: ".pid", Meaning: "the process"})
	manual.Exits(root, 0, 2)
	manual.Exits(serve, 1)
	statuses := manual.Statuses{"done", "busy", "invalid"}

	const (
		noColor = ".TP\n\\fBNO_COLOR\\fR\nno colour\n"
		port    = ".TP\n\\fBPORT\\fR\nthe port\n"
		pid     = ".SH \"FILES\"\n.TP\n\\fB\\&.pid\\fR\nthe process\n"
		done    = ".SH \"EXIT STATUS\"\n.TP\n\\fB0\\fR\ndone\n"
		busy    = ".TP\n\\fB1\\fR\nbusy\n"
		invalid = ".TP\n\\fB2\\fR\ninvalid\n"
	)
	for _, tt := range []struct {
		cmd  *cobra.Command
		want string
	}{
		{root, noColor + port + pid + done + busy + invalid},
		{serve, noColor + port + pid + done + busy + invalid},
		{stop, noColor + pid + done + invalid},
	} {
		_, got, _ := strings.Cut(manual.Page(tt.cmd, statuses), ".SH \"ENVIRONMENT\"\n")
		got, _, _ = strings.Cut(got, ".SH \"SEE ALSO\"")
		if got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.cmd.Name(), got, tt.want)
		}
	}
	want := "## Environment\n\n- `NO_COLOR`: no colour\n\n## Files\n\n- `.pid`: the process\n\n## Exit status\n\n- `0`: done\n- `2`: invalid\n"
	if got := manual.Markdown(stop, statuses); !strings.Contains(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Without statuses of the root command, a page has all.
func TestFactsWithoutStatuses(t *testing.T) {
	_, serve, _ := program()
	if page := manual.Page(serve, manual.Statuses{"done", "busy"}); !strings.Contains(page, "\\fB0\\fR\ndone\n.TP\n\\fB1\\fR\nbusy\n") || strings.Contains(page, "ENVIRONMENT") {
		t.Error(page)
	}
}
