package reference

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/internal/test/conformance"
)

var update = flag.Bool("update", false, "record the outcomes of the agent instead of comparing them")

// TestAgents applies the catalogs of testdata/agents with an agent, as compiled and
// as resolved by pcat, and compares the outcomes with the recorded ones.
//
// The agent is the installed Puppet, as the reference puppet7. PCAT_PUPPET can be
// the command of another release, whose reference is PCAT_LIKE. With -update, the
// outcomes are recorded.
func TestAgents(t *testing.T) {
	requirePuppet(t)
	command := strings.Fields(cmp.Or(os.Getenv("PCAT_PUPPET"), installed))
	like := cmp.Or(os.Getenv("PCAT_LIKE"), "puppet7")
	out, err := exec.CommandContext(t.Context(), command[0], append(command[1:], "--version")...).Output()
	if err != nil {
		t.Fatal(err)
	}
	release := strings.TrimSpace(string(out))
	all, err := conformance.AgentCatalogs()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range all {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			recorded, err := conformance.ReadOutcomes(name)
			if err != nil {
				t.Fatal(err)
			}
			if o := recorded[like]; !*update && (o == nil || o.Release != release) {
				t.Skipf("no outcomes of release %s are recorded for %s", release, like)
			}
			got := &conformance.Outcomes{Release: release}
			for file, outcome := range map[string]*conformance.Outcome{"catalog.json": &got.Compiled, "resolved.json": &got.Resolved} {
				*outcome = applyAgent(t, command, read(t, filepath.Join(conformance.AgentsFolder, name, file)))
			}
			if !*update {
				if got, want := encode(t, got), encode(t, recorded[like]); got != want {
					t.Errorf("got  %s\nwant %s", got, want)
				}
				return
			}
			recorded[like] = got
			if err := conformance.WriteOutcomes(name, recorded); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func encode(t *testing.T, o *conformance.Outcomes) string {
	t.Helper()
	data, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// applyAgent applies a catalog below a temporary folder, with the files that an
// agent has: of modules only their lib folders.
func applyAgent(t *testing.T, command []string, catalog []byte) conformance.Outcome {
	t.Helper()
	home, scratch := t.TempDir(), t.TempDir()
	file := filepath.Join(home, "catalog.json")
	write(t, file, bytes.ReplaceAll(catalog, []byte(conformance.Scratch), []byte(scratch)))
	writeFacts(t, home, read(t, filepath.Join(conformance.AgentsFolder, "facts.json")))
	modules := filepath.Join(home, "modules")
	lib := filepath.Join("site", "lib")
	if err := os.CopyFS(filepath.Join(modules, lib), os.DirFS(filepath.Join(conformance.AgentsFolder, "modules", lib))); err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(home, "log.json")
	args := slices.Concat([]string{"apply", "--catalog", file, "--modulepath", modules, "--logdest", log}, homeFlags(home))
	var out []byte
	if slices.Equal(command, []string{installed}) {
		out, _ = run(t, home, args...) // a catalog may fail
	} else {
		out = runOther(t, command, home, args...)
	}
	var err error
	o := conformance.Outcome{Events: map[string]string{}}
	if o.Files, err = conformance.ReadFiles(scratch); err != nil {
		t.Fatal(err)
	}
	stable := func(text string) string {
		text = address.ReplaceAllString(strings.ReplaceAll(text, scratch, conformance.Scratch), "0x0")
		return current.ReplaceAllString(text, "${1}…${2}")
	}
	for _, e := range events(t, read(t, log)) {
		switch {
		case e.Level == "err" && !strings.Contains(e.Message, "/proc/1/environ"):
			o.Errors = append(o.Errors, stable(strings.Split(e.Message, "\n")[0]))
		case e.Level == "notice" && strings.HasPrefix(e.Source, "/"):
			o.Events[stable(e.Source)] = stable(e.Message)
		}
	}
	if len(o.Errors) == 0 && len(o.Events) == 0 {
		t.Errorf("nothing was applied: %s", out)
	}
	return o
}

var (
	// address is an address of an object of Ruby in a message.
	address = regexp.MustCompile(`0x[0-9a-f]{16}`)
	// current is the present value in a message of noop mode, which depends on the
	// machine.
	current = regexp.MustCompile(`(current_value |[a-z]+ changed )[^,\s]*(,? (?:should be|to) .*\(noop\))`)
)
