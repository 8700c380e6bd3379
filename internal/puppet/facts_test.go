package puppet_test

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/puppet"
	"github.com/pcatdev/pcat/internal/test/catalogtest"
)

// facts returns the rows of a kind of the answers of Puppet about its types; see
// testdata/README.md.
func facts(t *testing.T, kind string) [][]string {
	t.Helper()
	data, err := os.ReadFile("testdata/types.txt")
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]string
	for line := range strings.Lines(string(data)) {
		if row := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); len(row) > 2 && row[1] == kind {
			rows = append(rows, row[2:])
		}
	}
	if len(rows) == 0 {
		t.Fatalf("no rows %q", kind)
	}
	return rows
}

var symbol = regexp.MustCompile(`:("[^"]*"|\w+)`)

// toJSON returns a value of Ruby as JSON.
func toJSON(ruby string) string {
	s := strings.ReplaceAll(ruby, "=>", "\x00")
	if strings.HasPrefix(ruby, "[") || strings.HasPrefix(ruby, ":") {
		s = symbol.ReplaceAllStringFunc(s, func(m string) string { return strconv.Quote(strings.Trim(m[1:], `"`)) })
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "\x00", ":"), "nil", "null")
}

// resource returns a resource of a type with parameters in JSON.
func resource(t *testing.T, typ string, parameters ...string) *catalog.Resource {
	t.Helper()
	name := puppet.TypeName(typ)
	document := fmt.Sprintf(`{"resources":[{"type":%q,"title":"/x","parameters":{%s}}]}`, name, strings.Join(parameters, ","))
	return catalogtest.Only(t, catalogtest.JSON(document)()).Resources()[0]
}

// TestChanges compares with the properties that Puppet says are in sync.
func TestChanges(t *testing.T) {
	right := 0
	for _, row := range facts(t, "insync") {
		typ, property, others, is, should, want := row[0], row[1], row[2], toJSON(row[3]), toJSON(row[4]), row[5]
		if puppet.TypeOf(typ) == nil || isReadOnly(typ, property) || want != "true" && want != "false" || !json.Valid([]byte(is)) || !json.Valid([]byte(should)) {
			continue
		}
		var with []string
		if others != "-" {
			for pair := range strings.SplitSeq(others, ",") {
				key, value, _ := strings.Cut(pair, "=")
				with = append(with, fmt.Sprintf("%q:%q", key, value))
			}
		}
		old := resource(t, typ, append(slices.Clone(with), fmt.Sprintf("%q:%s", property, is))...)
		new := resource(t, typ, append(slices.Clone(with), fmt.Sprintf("%q:%s", property, should))...)
		same := true
		for _, c := range puppet.Changes(old, new) {
			same = same && (c.Probably || c.Fails || c.Property != property && c.Property != "target")
		}
		if same != (want == "true") && !dependsOnNode(typ, property, is, should) {
			t.Errorf("%s/%s %s %s, then %s: the same is %t, Puppet: %s", typ, property, others, row[3], row[4], same, want)
			continue
		}
		right++
	}
	if right < 400 {
		t.Errorf("only %d rows", right)
	}
}

// dependsOnNode reports whether the answer is about the node that the rows assume: its users and
// its packages, without SELinux.
func dependsOnNode(typ, property, is, should string) bool {
	isNumber := func(s string) bool { return strings.Trim(s, `"0123456789`) == "" }
	switch property {
	case "owner", "group", "gid":
		return isNumber(is) != isNumber(should)
	case "seluser", "selrole", "seltype", "selrange":
		return typ == "file"
	case "ensure":
		if typ == "file" {
			return is == `"directory"` && (should == `"file"` || should == `"link"`) // Puppet sees it, and does nothing without force
		}
		return typ == "package" && (is == `"latest"` || should == `"latest"`)
	case "target":
		return should == `"notlink"` // a word that is no path
	case "path":
		return strings.Contains(is, "%s") // the name of the zone
	default:
		return false
	}
}

// TestProperties compares the properties of the table with those of Puppet.
func TestProperties(t *testing.T) {
	late := make(map[string]bool)
	for _, row := range facts(t, "attr") {
		typ, name, kind, matching := row[0], row[1], row[2], row[3]
		if typ == "*" || !puppet.IsCore(typ) {
			continue
		}
		if is := puppet.IsProperty(typ, name); puppet.HasProperties(typ) && is != (kind == "property") && !isReadOnly(typ, name) {
			t.Errorf("%s/%s: a property is %t, Puppet: %s", typ, name, is, kind)
		}
		if matching == "all" && puppet.ResolvesLate(typ, name) {
			late[typ+"/"+name] = true
		}
	}
	if len(late) > 0 {
		t.Errorf("these take all of a list: %v", late)
	}
}

// isReadOnly reports whether a property says something about the node and is never set, or is what
// an action returns; or whether a parameter counts as a property because its change is seen on
// the node.
func isReadOnly(typ, name string) bool {
	return slices.Contains(map[string][]string{
		"file": {"ctime", "mtime", "type", "source", "sourceselect", "source_permissions", "links"}, "notify": {"message"}, "augeas": {"returns", "changes"}, "tidy": {"path", "matches", "age", "size", "recurse", "rmdirs"},
	}[typ], name)
}

// TestNamevars compares the names of resources with those of Puppet.
func TestNamevars(t *testing.T) {
	named := make(map[string][]string)
	for _, row := range facts(t, "attr") {
		if puppet.TypeOf(row[0]) != nil && slices.Contains(row, "namevar=yes") {
			named[row[0]] = append(named[row[0]], row[1])
		}
	}
	for typ, names := range named {
		if got := puppet.TitleParameter(typ); !slices.Contains(names, got) {
			t.Errorf("%s: named by %q, Puppet: %q", typ, got, names)
		}
		if got := puppet.HasSeveralNamevars(typ); got != (len(names) > 1) {
			t.Errorf("%s: several is %t, Puppet: %q", typ, got, names)
		}
	}
}

// TestRefreshes compares the types that do something when they are refreshed, and those that leave
// nothing on the node.
func TestRefreshes(t *testing.T) {
	refreshed := make(map[string]bool)
	for _, row := range facts(t, "refresh") {
		refreshed[row[0]] = true
	}
	for _, row := range facts(t, "trace") {
		typ := row[0]
		if !puppet.IsCore(typ) {
			continue
		}
		if got := puppet.CanRefresh(typ); got != refreshed[typ] && typ != "whit" {
			t.Errorf("%s: refreshed is %t, Puppet: %t", typ, got, refreshed[typ])
		}
		if got := puppet.IsTraceless(typ); got != (row[1] == "no") {
			t.Errorf("%s: traceless is %t, Puppet: %s", typ, got, row[1:])
		}
	}
}

// TestSamples checks the samples of the table.
func TestSamples(t *testing.T) {
	for _, s := range puppet.Samples() {
		for text, want := range map[string]bool{s.Same: true, s.Other: false} {
			old, new, ok := strings.Cut(text, "|")
			if !ok {
				continue
			}
			changes := puppet.Changes(resource(t, s.Type, fmt.Sprintf("%q:%s", s.Property, sample(old))), resource(t, s.Type, fmt.Sprintf("%q:%s", s.Property, sample(new))))
			if (len(changes) == 0) != want {
				t.Errorf("%s/%s: %s: %v", s.Type, s.Property, text, changes)
			}
		}
	}
}

// sample returns a value of the table as JSON: 'text', a number, a list, or a word.
func sample(s string) string {
	s = strings.ReplaceAll(s, "'", `"`)
	if json.Valid([]byte(s)) {
		return s
	}
	return strconv.Quote(s)
}
