package audit_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/audit"
)

// included has classes that are declared by include, in two environments. Resources of the
// catalogs name the manifest of the first class, but not those of the others.
const included = `[{"name":"n1","resources":[
	{"type":"Class","title":"Profile::Db","parameters":{"password":"q8Zr-TnVk2L-wXs4","secret":"Kx7-vhuz-Tqm2"},"sensitive_parameters":["secret"]},
	{"type":"Class","title":"Site","parameters":{"password":"zK4top-k9Xw-Tq4"}},
	{"type":"Class","title":"Profile","file":"/e/environments/one/manifests/site.pp","line":7,"parameters":{"password":"Gx7vhuz-Tqm2-Lw"}},
	{"type":"Package","title":"a","file":"/e/environments/one/modules/profile/manifests/db.pp","line":3},
	{"type":"Package","title":"b","file":"/e/environments/one/manifests/site.pp","line":3},
	{"type":"Package","title":"c","file":"/e/environments/one/modules/profile/manifests/init.pp","line":3}
 ],"edges":[]},
 {"name":"n2","resources":[
	{"type":"Package","title":"a","file":"/e/environments/two/modules/profile/manifests/db.pp","line":3},
	{"type":"Class","title":"Profile::Db","parameters":{"note":"q8Zr-TnVk2L-wXs4","secret":"Kx7-vhuz-Tqm2"},"sensitive_parameters":["secret"]}
 ],"edges":[]}]`

// A class that is declared by include has the file of a resource of its catalog from which
// Puppet loads it.
func TestManifestsOfClasses(t *testing.T) {
	f := newFleet(t, audit.Options{Key: key})
	f.put(t, "a", included)
	f.put(t, "b", strings.ReplaceAll(included, `"n1"`, `"n3"`))
	f.settle(t)
	r := f.run(t)
	if d := reportDiff(f.ledger.Report(), r); d != "" {
		t.Error(d)
	}
	want := map[string]string{
		"n1 Class[Profile::Db]/password": "/e/environments/one/modules/profile/manifests/db.pp",
		"n1 Class[Profile::Db]/secret":   "/e/environments/one/modules/profile/manifests/db.pp", // secret-reuse
		"n1 Class[Site]/password":        "",
		"n1 Class[Profile]/password":     "/e/environments/one/manifests/site.pp:7",
		"n2 Class[Profile::Db]/note":     "/e/environments/two/modules/profile/manifests/db.pp",
	}
	for _, f := range r.Findings {
		location := f.Node + " " + f.Location()
		at := f.File
		if f.Line > 0 {
			at += fmt.Sprint(":", f.Line)
		}
		if file, ok := want[location]; ok && at != file {
			t.Errorf("%s: got %q, want %q", location, at, file)
		}
		delete(want, location)
	}
	if len(want) > 0 {
		t.Errorf("no findings at %v", want)
	}
}
