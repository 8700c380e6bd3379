package audit_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/audit"
)

// fromModule has files of a module, as package compile includes them.
const fromModule = `{"name":"n1","resources":[
	{"type":"File","title":"/a","file":"/m.pp","line":7,"parameters":{"source":"puppet:///modules/m/a","content":"[db]\nhost = db01\npassword = q8Zr-TnVk2L-wXs4\n"},"content_file":"/files/a"},
	{"type":"File","title":"/b","file":"/m.pp","line":8,"parameters":{"source":"puppet:///modules/m/b","content":{"__ptype":"Binary","__pvalue":"AHBhc3N3b3JkID0gR3g3dmh1ei1UcW0yLUx3Cg=="}},"content_file":"/files/b"},
	{"type":"File","title":"/c","file":"/m.pp","line":9,"parameters":{"content":"password = zK4top-k9Xw-Tq4\n"}},
	{"type":"File","title":"/d","file":"/m.pp","line":10,"parameters":{"source":"puppet:///modules/m/d","content":"x\nkey: Kx7-vhuz-Tqm2\n"},"content_file":"/files/d"},
	{"type":"User","title":"u","file":"/m.pp","line":11,"parameters":{"password":"Kx7-vhuz-Tqm2"},"sensitive_parameters":["password"]}
 ],"edges":[]}`

// A secret in a file that a resource copies is located in that file.
func TestCopiedFiles(t *testing.T) {
	f := newFleet(t, audit.Options{Key: key})
	f.put(t, "a", fromModule)
	f.settle(t)
	r := f.run(t)
	if d := reportDiff(f.ledger.Report(), r); d != "" {
		t.Error(d)
	}
	want := map[string]string{
		"File[/a]/content": "/files/a:3",
		"File[/b]/content": "/files/b:0",
		"File[/c]/content": "/m.pp:9",
		"File[/d]/content": "/files/d:2", // a copy of the declared secret
	}
	for _, f := range r.Findings {
		at := fmt.Sprintf("%s:%d", f.File, f.Line)
		if file, ok := want[f.Location()]; ok && at != file {
			t.Errorf("%s: %s is at %q, want %q", f.Rule, f.Location(), at, file)
		}
		delete(want, f.Location())
	}
	if len(want) > 0 {
		t.Errorf("no findings at %v", want)
	}
}

// Bytes in octal, as in lists of certificates, may be read in several ways each, and blanks and line breaks are among them: a search for
// copies that tried all combinations would not end.
func TestCopiesInOctalEnd(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	var octal strings.Builder
	for range 1000 {
		for range 16 {
			octets := []int{'0', '1', '2', ' ', '\n', '\r', random.IntN(256)}
			fmt.Fprintf(&octal, `\\%03o`, octets[random.IntN(len(octets))])
		}
		octal.WriteString(`\n`)
	}
	const hash = "$2a$04$P/.bd.7unw9Ew7yWJqXsl.f4oNRLQGvadEL2YnqQXbbb.IVQajRdK"
	r := run(t, node("n", `{"type":"File","title":"/a","parameters":{"content":"authorization {\n  PASS: `+hash+`\n}\n"}}`,
		`{"type":"File","title":"/b","parameters":{"content":"`+octal.String()+`"}}`))
	if got := locations(r); got != "catalog0 password-hash /resources/0/parameters/content\n" {
		t.Errorf("found %s", got)
	}
}
