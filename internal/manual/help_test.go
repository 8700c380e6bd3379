package manual_test

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/internal/manual"
)

func TestGroups(t *testing.T) {
	cmd := &cobra.Command{Use: "serve", Short: "Serve", Run: func(*cobra.Command, []string) {}}
	f := cmd.Flags()
	f.SortFlags = false
	f.String("wide", "", "the `SIZE`")
	f.Bool("plain", false, "be plain")
	f.String("high", "", "the `SIZE`")
	manual.Group(f, "Limits", "wide", "high")
	want := "Serve\n\nUsage:\n  serve [flags]\n\nLimits:\n      --wide SIZE   the SIZE\n      --high SIZE   the SIZE\n\nFlags:\n      --plain   be plain\n\nExit codes:\n  0  done\n  1  failed\n"
	if got := manual.Help(cmd, 0, manual.Statuses{"done", "failed"}); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	page := manual.Page(cmd, manual.Statuses{"done"})
	if !strings.HasPrefix(page, `.TH "SERVE" "1" "" "serve" "serve manual"`) || !strings.Contains(page, "\\fB0\\fR\ndone\n") {
		t.Error(page)
	}
}
