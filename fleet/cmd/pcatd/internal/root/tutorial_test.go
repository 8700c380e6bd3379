package root

import (
	"net"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/internal/test/walkthrough"
)

// The tutorial of pcatd is followed from an empty directory.
func TestTutorial(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles catalogs with Puppet")
	}
	if runtime.GOOS == "windows" {
		t.Skip("the page is for a shell")
	}
	bin := t.TempDir()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(program, filepath.Join(bin, "pcatd")); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	_ = l.Close()
	waits := []string{"pcatd status --wait 2>/dev/null | grep -q '^nodes of folder:shop  3$'", "pcatd events | grep -q ' gone '"}
	walkthrough.Reader{
		Needs: []string{"puppet", "openssl", "curl"},
		Env:   []string{asCommand + "=1", "PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH")},
		Replace: func(command string) string {
			if after, ok := strings.CutPrefix(command, "sleep 5; "); ok && len(waits) > 0 { // a busy machine needs longer
				command = "for i in $(seq 600); do if " + waits[0] + "; then break; fi; sleep 0.2; done; " + after
				waits = waits[1:]
			}
			if strings.HasPrefix(command, "pcatd findings") { // an acceptance applies a moment later
				command = "pcatd status --wait >/dev/null 2>&1; " + command
			}
			command = strings.Replace(command, "pcatd serve ", "pcatd serve --http "+address+" ", 1)
			return strings.ReplaceAll(command, "127.0.0.1:9171", address)
		},
		Normalize: normalized,
		Update:    os.Getenv("PCATD_UPDATE_TUTORIAL") != "" && os.Getenv("CI") == "",
	}.Try(t, "../../../../../docs/tutorials/fleet.md")
}

var (
	timeOfDay = regexp.MustCompile(`\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?`)
	digits    = regexp.MustCompile(`\b[0-9a-f]{32}\b|#[0-9a-f]{6}\b|(?m)^[a-z2-7]{8}: `)
)

// normalized returns an output without times, identifiers that depend on the fleet key, and the order of simultaneous events.
func normalized(output string) string {
	output = digits.ReplaceAllString(timeOfDay.ReplaceAllString(output, "(time)"), "(digits)")
	lines := strings.Split(strings.TrimRight(output, "\n"), "\n")
	if strings.HasPrefix(output, "(time)") {
		slices.Sort(lines)
	}
	return strings.Join(lines, "\n") + "\n"
}
