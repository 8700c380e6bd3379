package root

import (
	"bytes"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/internal/manual"
)

// Each environment variable that a command reads is on its manual page.
func TestManualVariables(t *testing.T) {
	t.Chdir(t.TempDir())
	const catalog = `{"name":"n","resources":[{"type":"File","title":"/a","parameters":{"name":"x"}}],"edges":[]}`
	for name, text := range map[string]string{"FILE": catalog, "OTHER": catalog, "allow.yaml": "", "presets.yaml": "presets: {}\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll("MODULES/my/manifests", 0o700); err != nil {
		t.Fatal(err)
	}
	runs := [][]string{
		{"eval", "1"}, {"type", "1"}, {"lookup", "k", "--hiera", "."}, {"functions"}, {"rules"}, {"formats"}, {"version"}, {"completion", "bash"}, {"man"},
		{"redact", "--config", "allow.yaml", "FILE"}, {"audit", "--baseline", "none.jsonl", "--update-baseline", "FILE"}, {"query", "--list-presets"},
		{"resolve", "--allow", "net", "--plugin-env", "VAULT_ADDR,VAULT_TOKEN", "FILE"},
	}
	for name, words := range reads() {
		runs = append(runs, append([]string{name}, strings.Fields(words)...))
	}
	asked := map[string]bool{}
	for _, args := range runs {
		var out, errs bytes.Buffer
		s := cli.Streams(strings.NewReader(""), &out, &errs)
		s.OutTerminal, s.ErrTerminal = true, true // colour depends on variables
		var mu sync.Mutex                         // jobs ask, too
		names := map[string]bool{}
		s.Getenv = func(name string) string {
			mu.Lock()
			defer mu.Unlock()
			names[name] = true
			return ""
		}
		execute(t.Context(), s, NewCmd(s, args...), args)
		cmd, _, err := NewCmd(s).Find(args)
		if err != nil {
			t.Fatal(err)
		}
		page := manual.Markdown(cmd, cli.Statuses())
		for name := range names {
			asked[name] = true
			if strings.HasPrefix(name, "VAULT_") {
				name = "VAULT_*"
			}
			if !strings.Contains(page, "\n- `"+name+"`: ") {
				t.Errorf("the page of pcat %s does not have the variable %s", args[0], name)
			}
		}
	}
	for _, name := range []string{"NO_COLOR", "CLICOLOR_FORCE", "TERM", "GOGC", "GOMEMLIMIT", "PCAT_AUDIT_KEY", "PCAT_LIKE", "PCAT_PRESET_FILE"} {
		if !asked[name] {
			t.Errorf("no run asked for %s", name)
		}
	}
}
