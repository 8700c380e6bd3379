package root

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
)

// TestNothingToRead runs commands without any input, which must not look like inputs without faults.
func TestNothingToRead(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"empty/.hidden":       "x",
		"others/readme.txt":   "x",
		"json/package.json":   `{"name":"x"}`,
		"both/a.json":         `{"name":"x"}`,
		"both/b.json":         `[]`,
		"names":               "\n\n",
		"list.json":           "[]",
		"zero.json":           `{"resources":[],"edges":[]}`,
		"zeros.json":          `[{"resources":[],"edges":[]}]`,
		"file.json":           `{"resources":[{"type":"File","title":"/x"}],"edges":[]}`,
		"modules/my/metadata": "",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	skipping := []string{"audit", "validate --modulepath modules", "inspect", "ls", "deferred", "query -e true", "check", "graph", "redact", "redact --check", "convert -t json", "resolve"}
	every := []string{"audit", "validate --modulepath modules", "verify", "redact", "inspect", "ls", "deferred", "query -e true", "convert -t json", "resolve"}
	reading := []string{"audit", "validate --modulepath modules", "inspect", "ls", "deferred", "query -e true"}
	for _, tt := range []struct {
		commands []string
		args     string
		stdin    string
		code     cli.ExitCode // without --allow-empty, which always leads to 0
		message  string
	}{
		{every, "empty", "", cli.ExitBadInput, "pcat: empty: the directory contains no files; to accept this, use --allow-empty\n"},
		{every, "--files-from names", "", cli.ExitBadInput, "pcat: names: the list contains no file names; to accept this, use --allow-empty\n"},
		{every, "--files-from -", "", cli.ExitBadInput, "pcat: -: the list contains no file names; to accept this, use --allow-empty\n"},
		{every, "no*.json", "", cli.ExitBadInput, "pcat: no*.json: no file matches; to accept this, use --allow-empty\n"},
		{every, "-", "", cli.ExitBadInput, "pcat: -: standard input is empty: name a file, or accept this with --allow-empty\n"},
		{every, "zero.json", "", cli.ExitDone, ""},
		{every, "zeros.json", "", cli.ExitDone, ""},
		{every, "-", `{"resources":[],"edges":[]}`, cli.ExitDone, ""},
		{every, "empty zero.json", "", cli.ExitDone, "pcat: empty: warning: the directory contains no files\n"},
		{reading, "list.json", "", cli.ExitBadInput, "pcat: list.json: the list contains no catalog; to accept this, use --allow-empty\n"},
		{reading, "list.json zero.json", "", cli.ExitDone, ""},
		{[]string{"verify", "redact", "convert -t json", "resolve"}, "list.json", "", cli.ExitDone, ""},
		{append(skipping, "verify"), "others", "", cli.ExitBadInput, "pcat: others: the file in this directory is not a catalog; to accept this, use --allow-empty\n"},
		{skipping, "json", "", cli.ExitBadInput, "pcat: json: the file in this directory is not a catalog; to accept this, use --allow-empty\n"},
		{skipping, "others json", "", cli.ExitBadInput, "pcat: others json: none of the 2 files is a catalog; to accept this, use --allow-empty\n"},
		{skipping, "both", "", cli.ExitBadInput, "pcat: both: none of the 2 files is a catalog; to accept this, use --allow-empty\n"},
		{[]string{"audit --baseline b --update-baseline"}, "empty", "", cli.ExitBadInput, "pcat: empty: the directory contains no files; to accept this, use --allow-empty\n"},
		{[]string{"validate --modulepath modules"}, "file.json", "", cli.ExitBadInput, "pcat: nothing was checked: none of the resources has a type from these modules; to accept this, use --allow-empty\n"},
	} {
		for _, command := range tt.commands {
			for _, allow := range []bool{false, true} {
				args := append(strings.Fields(command), strings.Fields(tt.args)...)
				want, message := tt.code, tt.message
				if allow {
					args = append(args, "--allow-empty")
					want = cli.ExitDone
				}
				var out, errs bytes.Buffer
				s := cli.Streams(strings.NewReader(tt.stdin), &out, &errs)
				code := execute(t.Context(), s, NewCmd(s, args...), args)
				said := nothingReplaced.ReplaceAllString(errs.String(), "")
				if code != want || !allow && said != message {
					t.Errorf("%q: got %d, %q, want %d, %q", args, code, said, want, message)
				}
			}
		}
	}
}

// nothingReplaced is the line of pcat redact about catalogs without secrets.
var nothingReplaced = regexp.MustCompile(`(?m)^pcat: .*: no secret to replace\n`)
