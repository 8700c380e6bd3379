package detect_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/audit/internal/detect"
)

// TestTimeIsLinear takes hours if each value is compared with all values beside it.
func TestTimeIsLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("it searches crafted values of megabytes")
	}
	const n = 100_000
	list, members := make([]string, n), make(map[string]string, n)
	for i := range n {
		list[i] = fmt.Sprintf("w%d", i)
		members[fmt.Sprintf("m%d_value", i)] = "x"
	}
	for _, tt := range []struct {
		name, resource, parameter string
		value                     any
	}{
		{"members of a manifest", "File", "content", strings.Repeat("data: 1\n", n)},
		{"keys of nsupdate", "File", "content", strings.Repeat("key a b\n", n)},
		{"open elements", "File", "content", strings.Repeat("<command>x -p ", n)},
		{"open maps of nginx", "File", "content", strings.Repeat("map $http_x_api_key $a {\n", n)},
		{"pipes", "Exec", "command", strings.Repeat("echo a | frob user add b; ", n)},
		{"arguments of a check", "Nagios_service", "check_command", "check_x" + strings.Repeat("!x", n)},
		{"words of a command", "Exec", "command", list},
		{"members with a value", "Class", "settings", members},
		{"users", "Class", "users", members},
		{"open keys of .NET", "File", "content", strings.Repeat("<RSAKeyValue>", n)},
		{"networks for telephones", "File", "content", strings.Repeat("WIFI:", n)},
		{"options of Windows on a line", "File", "content", strings.Repeat("/password:a ", n)},
		{"drawn identifiers in a line", "File", "content", strings.Repeat("id=Nj9J2ZlD24ABBaTu3RSude ", n)},
		{"assignments in a line of a program", "File", "content", map[string]any{"path": "/srv/x.js", "text": strings.Repeat("password=ef;", n)}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, h := range find(t, tt.resource, tt.parameter, tt.value) {
				t.Errorf("%s finds %q", h.Rule, h.Secret)
			}
		})
	}
}

// TestManyOnALine takes minutes if the line is read from its start for each of its secrets.
func TestManyOnALine(t *testing.T) {
	if testing.Short() {
		t.Skip("it searches a line of megabytes")
	}
	const n = 100_000
	var line strings.Builder
	for i := range n {
		fmt.Fprintf(&line, "password: v%d ", i)
	}
	if found := len(find(t, "File", "content", line.String())); found < n/2 {
		t.Errorf("%d of %d are found", found, n)
	}
}

// TestPropertiesWithoutValue checks YAML properties without a value.
func TestPropertiesWithoutValue(t *testing.T) {
	for _, text := range []string{"password: &pw ", "  token: !!str ", "password: &pw !!str "} {
		for _, end := range []string{"", "\n", "\n  k7Xq9zzW\n"} {
			if hits := find(t, "File", "content", text+end); len(hits) > 0 {
				t.Errorf("%q: %d hits", text+end, len(hits))
			}
		}
	}
}

// TestPairsInsideEachOther checks that a name inside a multi-line value is not the sibling
// of that value.
func TestPairsInsideEachOther(t *testing.T) {
	for _, text := range []string{"value: |\n  name: db_password\n", "name: |\n  value: db_password\n", "value: |\n  name: db_password\nvalue: x\n"} {
		if hits := find(t, "File", "content", text); len(hits) > 0 {
			t.Errorf("%q: %d hits", text, len(hits))
		}
	}
}

// TestKindsOfFiles checks that the suffix of a file determines its kind: in a program,
// words without quotes are variables.
func TestKindsOfFiles(t *testing.T) {
	for file, want := range map[string]int{"x.conf": 1, "x.rb": 0, "x.lua": 0, "x.pl": 0, "pl": 1, "x.sh": 1, "x.md": 1} {
		part := map[string]any{"path": "/srv/" + file, "text": "api_token = Zq8wK2mP5vT7nR1s\n"}
		hits := find(t, "File", "content", part)
		hits = slices.DeleteFunc(hits, func(h detect.Hit) bool { return h.Rule == detect.UnnamedSecret })
		if len(hits) != want {
			t.Errorf("%s: %d hits, want %d", file, len(hits), want)
		}
	}
}

// TestMostDrawn checks that a text with very many words that look drawn is data, and hides no secret with a name.
func TestMostDrawn(t *testing.T) {
	var b strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&b, "row %d Nj9J2ZlD24ABBaTu3R%04d x\n", i, i)
	}
	b.WriteString("password = Zq8wK2mP5vT7nR1s\n")
	unnamed, named := 0, 0
	for _, h := range find(t, "File", "content", b.String()) {
		if h.Rule == detect.UnnamedSecret {
			unnamed++
		} else if h.Secret == "Zq8wK2mP5vT7nR1s" {
			named++
		}
	}
	if unnamed != 0 || named != 1 {
		t.Errorf("%d words and %d passwords, want 0 and 1", unnamed, named)
	}
}
