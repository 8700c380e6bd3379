package reference

import (
	"bytes"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/internal/puppet"
)

// TestLateCalls asks the installed Puppet in which parameters of its types an agent that
// resolves late makes a call. It has more types if the modules of the agent package are
// on RUBYLIB.
func TestLateCalls(t *testing.T) {
	requirePuppet(t)
	cmd := exec.CommandContext(t.Context(), "ruby", slices.Concat([]string{"-rset", "../../../testdata/generate/late.rb"}, homeFlags(t.TempDir()))...)
	answer, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	types := make(map[string]bool)
	for line := range bytes.Lines(answer) {
		row := strings.Fields(string(line))
		typ, parameter, whole := row[0], row[1], row[3]
		types[typ] = true
		if got := puppet.ResolvesLate(typ, parameter); puppet.IsCore(typ) && got != (whole == "late") {
			t.Errorf("%s/%s: got %t, Puppet: %s", typ, parameter, got, whole)
		}
	}
	for _, typ := range []string{"exec", "file", "group", "package", "service", "user"} {
		if !types[typ] {
			t.Errorf("Puppet was not asked for %s", typ)
		}
	}
}
