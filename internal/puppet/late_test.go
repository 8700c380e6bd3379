package puppet_test

import (
	"os"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/internal/puppet"
)

// TestResolvesLate compares with the answers of Puppet 8.11 and OpenVox 8.28.1.
func TestResolvesLate(t *testing.T) {
	data, err := os.ReadFile("testdata/late.txt")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(string(data)) {
		row := strings.Fields(line)
		if strings.HasPrefix(line, "#") {
			continue
		}
		rows++
		typ, parameter, whole := row[0], row[1], row[3]
		if !puppet.IsCore(typ) {
			t.Errorf("%s is not a type of the agent", typ)
		}
		if got := puppet.ResolvesLate(typ, parameter); got != (whole == "late") {
			t.Errorf("%s/%s: got %t, the agent: %s", typ, parameter, got, whole)
		}
	}
	if rows < 300 {
		t.Errorf("only %d rows", rows)
	}
}
