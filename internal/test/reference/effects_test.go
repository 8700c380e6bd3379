package reference

import (
	"bytes"
	"cmp"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// effects is the file with what Puppet did, one case a line. Package diff compares
// its effects with it.
const effects = "../../../catalog/diff/testdata/effects.jsonl"

// everyCase is the distance of the cases in the sample of TestEffects.
const everyCase = 23

// modulesOfEffects is the folder of the modules that the cases use, as the packages
// puppet-module-puppetlabs-* of Debian install them.
const modulesOfEffects = "/usr/share/puppet/modules"

// missingType matches what Puppet says about a type whose module is missing.
var missingType = regexp.MustCompile(`Unknown resource type|Resource type not found|Could not find declared class`)

// TestEffects applies the old and the new catalog of a sample of cases with Puppet and
// compares what it did with the recorded answers. With -update, it applies all cases
// and records the answers.
//
// PCAT_MODULES can be another folder of modules. Cases whose modules are missing are
// skipped.
func TestEffects(t *testing.T) {
	requirePuppet(t)
	if os.Getuid() != 0 {
		t.Skip("it changes owners and groups; run it as root")
	}
	cases := caseNames(t)
	if *update {
		recordEffects(t, cases)
		return
	}
	recorded := map[string][]byte{}
	for line := range bytes.Lines(read(t, effects)) {
		recorded[caseName(t, line)] = line
	}
	var sample []string
	for i, name := range cases {
		if recorded[name] == nil {
			t.Errorf("%s is not recorded; run the test with -update", name)
		}
		if i%everyCase == 0 {
			sample = append(sample, name)
		}
	}
	if len(recorded) != len(cases) {
		t.Errorf("%d cases are recorded, want %d; run the test with -update", len(recorded), len(cases))
	}
	for name, line := range applyCases(t, sample) {
		t.Run(name, func(t *testing.T) {
			if problem := caseProblem(t, line); missingType.MatchString(problem) {
				t.Skipf("a module is missing; apt-get install puppet-module-puppetlabs-{concat,stdlib,cron-core,host-core,mailalias-core,mount-core,ntp,sshkeys-core}: %s", problem)
			}
			if !bytes.Equal(line, recorded[name]) {
				t.Errorf("Puppet did\n%s\nrecorded is\n%s", line, recorded[name])
			}
		})
	}
}

// recordEffects applies all cases and records the answers.
func recordEffects(t *testing.T, cases []string) {
	t.Helper()
	answers := applyCases(t, cases)
	var all bytes.Buffer
	for _, name := range cases {
		if problem := caseProblem(t, answers[name]); problem != "" {
			t.Errorf("%s: %s", name, problem)
		}
		all.Write(answers[name])
	}
	if t.Failed() {
		return
	}
	if err := os.WriteFile(effects, all.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

// caseNames returns the names of all cases, in the order of their file.
func caseNames(t *testing.T) []string {
	t.Helper()
	var all []string
	for line := range strings.Lines(string(read(t, "testdata/effects/cases.txt"))) {
		if head, ok := strings.CutPrefix(line, "== "); ok {
			name, _, _ := strings.Cut(head, " ")
			all = append(all, name)
		}
	}
	return all
}

// applyCases applies cases and returns the line that answers each.
func applyCases(t *testing.T, cases []string) map[string][]byte {
	t.Helper()
	modules := cmp.Or(os.Getenv("PCAT_MODULES"), modulesOfEffects)
	cmd := exec.CommandContext(t.Context(), "ruby", append([]string{
		filepath.Join("testdata", "effects", "effects.rb"), t.TempDir(), filepath.Join("testdata", "effects", "cases.txt"), modules,
	}, cases...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	answers := map[string][]byte{}
	for line := range bytes.Lines(out) {
		answers[caseName(t, line)] = line
	}
	if len(answers) != len(cases) {
		t.Fatalf("%d answers to %d cases", len(answers), len(cases))
	}
	return answers
}

// caseName returns the name in the line of a case.
func caseName(t *testing.T, line []byte) string {
	t.Helper()
	var answer struct{ Name string }
	if err := json.Unmarshal(line, &answer); err != nil {
		t.Fatalf("%v in %s", err, line)
	}
	return answer.Name
}

// caseProblem returns why a case was not applied, or an empty string if it was.
func caseProblem(t *testing.T, line []byte) string {
	t.Helper()
	var answer struct{ Error string }
	if err := json.Unmarshal(line, &answer); err != nil {
		t.Fatalf("%v in %s", err, line)
	}
	return answer.Error
}
