package reference

import (
	"bytes"
	"flag"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var modules = flag.String("modules", "", "a `directory` with more modules whose types are asked by TestTypes")

const types = "../../puppet/testdata"

// everyRelease is the release of the facts that all recorded releases agree on.
const everyRelease = "-"

// TestTypes asks the installed Puppet about its own resource types, and compares
// the facts with the recorded ones. Types of modules that are not installed are
// left out. With -update, the facts are recorded; RUBYLIB selects another release.
func TestTypes(t *testing.T) {
	requirePuppet(t)
	release, asked := askTypes(t)
	path := filepath.Join(types, "types.txt")
	recorded := factsOf(string(read(t, path)))
	said := map[string]bool{}
	for fact, releases := range recorded {
		if slices.Contains(releases, release) {
			said[fact] = true
		}
	}
	if len(said) == 0 && !*update {
		t.Skipf("no facts of release %s are recorded", release)
	}
	// What other modules say stays as recorded.
	known := map[string]bool{}
	for fact := range asked {
		if kind, of := typeOf(fact); kind == "type" {
			known[of] = true
		}
	}
	missing := map[string]bool{}
	for fact := range said {
		if kind, of := typeOf(fact); !known[of] && of != "*" && kind != "general" {
			missing[of] = true
			asked[fact] = true
		}
	}
	for fact := range said {
		if columns := strings.Split(fact, "\t"); columns[0] == "type" && columns[2] == "puppet" && missing[columns[1]] {
			t.Errorf("Puppet has no type %s", columns[1])
		}
	}
	if len(missing) > 0 {
		t.Logf("the modules of these types are not installed: %s", strings.Join(slices.Sorted(maps.Keys(missing)), " "))
	}
	if *update {
		write(t, path, []byte(recordFacts(recorded, release, asked)))
		return
	}
	for _, fact := range slices.Sorted(maps.Keys(said)) {
		if !asked[fact] {
			t.Errorf("recorded, but not said by Puppet: %s", fact)
		}
	}
	for _, fact := range slices.Sorted(maps.Keys(asked)) {
		if !said[fact] {
			t.Errorf("said by Puppet, but not recorded: %s", fact)
		}
	}
}

// askTypes returns the facts of the installed Puppet and its release.
func askTypes(t *testing.T) (release string, facts map[string]bool) {
	t.Helper()
	// OpenVox 8 needs set, which its own commands load.
	args := []string{"-rset", filepath.Join(types, "ask.rb")}
	for _, folder := range []string{
		*modules,
		"/usr/share/puppet/modules.available", "/usr/share/puppet/vendor_modules", "/opt/puppetlabs/puppet/vendor_modules",
	} {
		if _, err := os.Stat(folder); err == nil {
			args = append(args, folder)
		}
	}
	var out, problem bytes.Buffer
	c := exec.CommandContext(t.Context(), "ruby", args...)
	c.Stdout, c.Stderr = &out, &problem
	if err := c.Run(); err != nil {
		t.Fatalf("%v\n%s", err, problem.String())
	}
	facts = map[string]bool{}
	for line := range strings.Lines(out.String()) {
		line = strings.TrimSuffix(line, "\n")
		if name, ok := strings.CutPrefix(line, "# Puppet "); ok {
			release = name
			continue
		}
		facts[line] = true
	}
	return release, facts
}

// typeOf returns the kind of a fact and the type that it is about.
func typeOf(fact string) (kind, of string) {
	columns := strings.Split(fact, "\t")
	return columns[0], columns[1]
}

// factsOf returns the facts of a file, each with its releases.
func factsOf(file string) map[string][]string {
	facts := map[string][]string{}
	all := strings.Fields(strings.TrimPrefix(firstLine(file), "#"))
	for line := range strings.Lines(file) {
		release, fact, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		switch {
		case !ok:
		case release == everyRelease:
			facts[fact] = all
		default:
			facts[fact] = append(facts[fact], release)
		}
	}
	return facts
}

func firstLine(file string) string {
	line, _, _ := strings.Cut(file, "\n")
	return line
}

// recordFacts returns the file of the recorded facts with those of a release anew.
func recordFacts(recorded map[string][]string, release string, asked map[string]bool) string {
	facts := map[string]map[string]bool{}
	releases := map[string]bool{release: true}
	add := func(fact, release string) {
		if facts[fact] == nil {
			facts[fact] = map[string]bool{}
		}
		facts[fact][release] = true
	}
	for fact, of := range recorded {
		for _, r := range of {
			releases[r] = true
			if r != release {
				add(fact, r)
			}
		}
	}
	for fact := range asked {
		add(fact, release)
	}
	lines := []string{"# " + strings.Join(slices.Sorted(maps.Keys(releases)), " ")}
	for _, fact := range slices.Sorted(maps.Keys(facts)) {
		if len(facts[fact]) == len(releases) {
			lines = append(lines, everyRelease+"\t"+fact)
			continue
		}
		for _, r := range slices.Sorted(maps.Keys(facts[fact])) {
			lines = append(lines, r+"\t"+fact)
		}
	}
	return strings.Join(lines, "\n") + "\n"
}
