package diff_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/diff"
	"github.com/pcatdev/pcat/internal/secret"
	"github.com/pcatdev/pcat/internal/test/catalogtest"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/redact"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// side returns the catalog with the given resources in JSON.
func side(t *testing.T, document string) diff.Side {
	t.Helper()
	if !strings.HasPrefix(document, `{"`) || !strings.Contains(document, `"resources"`) {
		document = `{"name":"web01.example.com","resources":[` + document + `],"edges":[]}`
	}
	return catalogtest.Side(t, catalogtest.JSON(document))
}

// resource returns a resource in JSON.
func resource(ref, parameters string, more ...string) string {
	typ, title, _ := strings.Cut(strings.TrimSuffix(ref, "]"), "[")
	return fmt.Sprintf(`{"type":%q,"title":%q,"parameters":{%s}%s}`, typ, title, parameters, strings.Join(more, ""))
}

func compare(t *testing.T, old, new string, profiles ...diff.Profile) *diff.Report {
	t.Helper()
	r, err := diff.Compare(t.Context(), side(t, old), side(t, new), redact.NewFinder(nil), diff.Options{Profiles: profiles})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// changes returns the changes of a report, one a line.
func changes(r *diff.Report) string {
	var lines []string
	for _, c := range r.Changes {
		s := fmt.Sprintf("%s %s %s %s", c.Op, c.Kind, c.Ref, c.Path)
		if c.From != "" {
			s += " from " + c.From
		}
		lines = append(lines, strings.TrimSpace(s))
	}
	return strings.Join(lines, "\n")
}

const (
	secretList = `,"sensitive_parameters":["p"]`
	defined    = `,"kind":"defined_type"`
)

func rich(typ, value string) string { return fmt.Sprintf(`{"__ptype":%q,"__pvalue":%s}`, typ, value) }

// TestCompare shows what is a change, and what is none.
func TestCompare(t *testing.T) {
	for _, tt := range []struct {
		name     string
		old, new string
		profile  diff.Profile
		want     string
	}{
		{name: "a value", old: resource("File[/a]", `"mode":"0644"`), new: resource("File[/a]", `"mode":"0600"`), want: "change value File[/a] /parameters/mode"},
		{name: "a parameter comes", old: resource("File[/a]", ``), new: resource("File[/a]", `"mode":"0600"`), want: "add value File[/a] /parameters/mode"},
		{name: "a parameter goes", old: resource("File[/a]", `"mode":"0644"`), new: resource("File[/a]", ``), want: "remove value File[/a] /parameters/mode"},
		{name: "undef is absent", old: resource("File[/a]", `"mode":null`), new: resource("File[/a]", ``)},
		{name: "resources", old: resource("Package[a]", ``), new: resource("User[b]", ``), want: "remove resource Package[a]\nadd resource User[b]"},
		{name: "order of resources", old: resource("A[a]", ``) + "," + resource("B[b]", ``), new: resource("B[b]", ``) + "," + resource("A[a]", ``)},
		{name: "order of keys", old: resource("A[a]", `"p":{"x":1,"y":2}`), new: resource("A[a]", `"p":{"y":2,"x":1}`)},
		{name: "lines", old: resource("A[a]", ``, `,"file":"/x.pp","line":3`), new: resource("A[a]", ``, `,"file":"/y.pp","line":4`)},
		{name: "exported: false", old: resource("A[a]", ``, `,"exported":false`), new: resource("A[a]", ``)},
		{name: "exported", old: resource("A[a]", ``, `,"exported":true`), new: resource("A[a]", ``), want: "change member A[a] /exported"},
		{name: "envelope", old: `{"catalog":{"name":"n","resources":[]}}`, new: `{"name":"n","resources":[]}`},
		{name: "version", old: `{"name":"n","version":1,"resources":[]}`, new: `{"name":"n","version":"2","resources":[]}`},
		{name: "classes", old: `{"name":"n","classes":["a"],"resources":[` + resource("Class[B]", "") + "," + resource("Package[b]", "") + `]}`, new: `{"name":"n","classes":["a","b"],"resources":[]}`, want: "remove resource Class[B]\nremove resource Package[b]"},
		{name: "environment", old: `{"name":"n","environment":"a","resources":[]}`, new: `{"name":"n","environment":"b","resources":[]}`, want: ""},

		{name: "namevar equal to the title", old: resource("File[/a]", `"path":"/a/"`), new: resource("File[/a]", ``)},
		{name: "another title of a file", old: resource("File[motd]", `"path":"/a"`), new: resource("File[/a]", ``), want: "move rename File[/a]  from File[motd]"},
		{name: "another title of a package", old: resource("Package[server]", `"name":"nginx"`) + "," + resource("Service[s]", `"require":"Package[server]"`), new: resource("Package[nginx]", ``) + "," + resource("Service[s]", `"require":"Package[nginx]"`), want: "move rename Package[nginx]  from Package[server]"},
		{name: "a package of another provider", old: resource("Package[server]", `"name":"nginx","provider":"gem"`), new: resource("Package[nginx]", ``), want: "remove resource Package[server]\nadd resource Package[nginx]"},
		{name: "parts of a path", old: resource("File[/a/../b]", ``), new: resource("File[/b]", ``)},
		{name: "a namevar that is not the name", old: resource("Zpool[tank]", `"pool":"tank"`), new: resource("Zpool[tank]", ``)},
		{name: "a slash at the end", old: resource("File[/a/]", ``), new: resource("File[/a]", ``)},
		{name: "case of classes", old: resource("Class[Main]", ``), new: resource("Class[main]", ``)},

		{name: "nested", old: resource("A[a]", `"p":{"x":{"y":1}}`), new: resource("A[a]", `"p":{"x":{"y":2}}`), want: "change nested A[a] /parameters/p/x/y"},
		{name: "keys", old: resource("A[a]", `"p":{"x":1}`), new: resource("A[a]", `"p":{"a/b":1}`), want: "add nested A[a] /parameters/p/a~1b\nremove nested A[a] /parameters/p/x"},
		{name: "a list is one value", old: resource("A[a]", `"p":["x","y"]`), new: resource("A[a]", `"p":["y","x"]`), want: "change array A[a] /parameters/p"},
		{name: "a list of hashes", old: resource("A[a]", `"p":[{"x":1},{"x":2}]`), new: resource("A[a]", `"p":[{"x":1},{"x":3}]`), want: "change nested A[a] /parameters/p/1/x"},
		{name: "a scalar in a list with others", old: resource("A[a]", `"p":[1,{"x":1},[2,3]]`), new: resource("A[a]", `"p":[9,{"x":1},[2,4]]`), want: "change array A[a] /parameters/p/2\nchange nested A[a] /parameters/p/0"},
		{name: "a hash at the end of a list", old: resource("A[a]", `"p":[{"x":1},{"x":2}]`), new: resource("A[a]", `"p":[{"x":1},{"x":2},{"x":3}]`), want: "add nested A[a] /parameters/p/2"},
		{name: "a hash at the beginning of a list", old: resource("A[a]", `"p":[{"x":1},{"x":2}]`), new: resource("A[a]", `"p":[{"x":0},{"x":1},{"x":2}]`), want: "add nested A[a] /parameters/p/0"},
		{name: "a hash in a list goes, and another changes", old: resource("A[a]", `"p":[{"x":1},{"x":2},{"x":3},{"x":4,"y":1}]`), new: resource("A[a]", `"p":[{"x":1},{"x":3},{"x":4,"y":2}]`), want: "remove nested A[a] /parameters/p/1\nchange nested A[a] /parameters/p/2/y"},
		{name: "a list of hashes is emptied", old: resource("A[a]", `"p":[{"x":1}]`), new: resource("A[a]", `"p":[]`), want: "remove nested A[a] /parameters/p/0"},
		{name: "a longer list is one value", old: resource("A[a]", `"p":["x"]`), new: resource("A[a]", `"p":["x","y"]`), want: "change array A[a] /parameters/p"},
		{name: "rich values in a list", old: resource("A[a]", `"p":[`+rich("SemVer", `"1.0.0"`)+`,"x"]`), new: resource("A[a]", `"p":[`+rich("SemVer", `"1.0.1"`)+`,"x"]`), want: "change rich A[a] /parameters/p/0"},
		{name: "a secret in a list with another one", old: resource("A[a]", `"p":[`+rich("Sensitive", `"s1"`)+`,"x"]`), new: resource("A[a]", `"p":[`+rich("Sensitive", `"s1"`)+`,`+rich("Sensitive", `"s2"`)+`,"x"]`), want: "add nested A[a] /parameters/p/1"},
		{name: "case of a text", old: resource("A[a]", `"p":"x"`), new: resource("A[a]", `"p":"X"`), want: "change value A[a] /parameters/p"},
		{name: "large numbers", old: resource("A[a]", `"p":9007199254740993`), new: resource("A[a]", `"p":9007199254740992`), want: "change value A[a] /parameters/p"},

		{name: "number and text", old: resource("A[a]", `"p":1`), new: resource("A[a]", `"p":"1"`), want: "change type A[a] /parameters/p"},
		{name: "upgrade: number and text", old: resource("File[a]", `"p":1`), new: resource("File[a]", `"p":"1"`), profile: "upgrade"},
		{name: "upgrade: a list of one", old: resource("File[a]", `"p":["x"]`), new: resource("File[a]", `"p":"x"`), profile: "upgrade"},
		{name: "upgrade: modes", old: resource("File[a]", `"mode":"644"`), new: resource("File[a]", `"mode":"0644"`), profile: "upgrade"},
		{name: "upgrade: not in defines", old: resource("A[a]", `"p":1`, defined), new: resource("A[a]", `"p":"1"`, defined), profile: "upgrade", want: "change type A[a] /parameters/p"},
		{name: "upgrade-defines: types of Puppet", old: resource("File[a]", `"p":1`), new: resource("File[a]", `"p":"1"`), profile: "upgrade-defines"},
		{name: "upgrade-defines: number and text", old: resource("A[a]", `"p":1`, defined), new: resource("A[a]", `"p":"1"`, defined), profile: "upgrade-defines"},
		{name: "upgrade-defines: another number in a define", old: resource("A[a]", `"p":1`, defined), new: resource("A[a]", `"p":"2"`, defined), profile: "upgrade-defines", want: "change type A[a] /parameters/p"},
		{name: "upgrade-defines: a hash in a list of one", old: resource("A[a]", `"p":{"x":1}`, defined), new: resource("A[a]", `"p":[{"x":1}]`, defined), profile: "upgrade-defines"},
		{name: "upgrade-defines: another hash in a list of one", old: resource("A[a]", `"p":{"x":1}`, defined), new: resource("A[a]", `"p":[{"x":2}]`, defined), profile: "upgrade-defines", want: "change type A[a] /parameters/p"},
		{name: "upgrade: undef as text", old: resource("A[a]", `"p":":undef","q":{"x":":undef"}`), new: resource("A[a]", `"p":null,"q":{"x":null}`), profile: "upgrade"},
		{name: "upgrade: a value for undef as text", old: resource("A[a]", `"p":":undef"`), new: resource("A[a]", `"p":"x"`), profile: "upgrade", want: "change value A[a] /parameters/p"},
		{name: "upgrade-defines: undef as text", old: resource("A[a]", `"p":":undef"`, defined), new: resource("A[a]", ``, defined), profile: "upgrade-defines"},
		{name: "upgrade: undef as text, not in defines", old: resource("A[a]", `"p":":undef"`, defined), new: resource("A[a]", ``, defined), profile: "upgrade", want: "remove value A[a] /parameters/p"},
		{name: "upgrade-defines: a new text of undef", old: resource("A[a]", ``, defined), new: resource("A[a]", `"p":":undef"`, defined), profile: "upgrade-defines", want: "add value A[a] /parameters/p"},
		{name: "upgrade: a new text of undef in a hash", old: resource("File[a]", `"q":{"x":null}`), new: resource("File[a]", `"q":{"x":":undef"}`), profile: "upgrade", want: "change type File[a] /parameters/q/x"},
		{name: "upgrade-defines: not a file mode", old: resource("A[a]", `"mode":"tcp"`, defined), new: resource("A[a]", `"mode":"0tcp"`, defined), profile: "upgrade-defines", want: "change value A[a] /parameters/mode"},
		{name: "a Sensitive in a list of one", old: resource("Package[a]", `"install_options":[`+rich("Sensitive", `"walrus77"`)+`]`), new: resource("Package[a]", `"install_options":"walrus77"`), want: "change sensitive Package[a] /parameters/install_options"},
		{name: "a Sensitive that moves into a list of one", old: resource("Exec[a]", `"environment":"P=walrus77"`), new: resource("Exec[a]", `"environment":[`+rich("Sensitive", `"P=walrus77"`)+`]`), want: "change sensitive Exec[a] /parameters/environment"},
		{name: "a Sensitive in a hash that becomes a text", old: resource("Exec[a]", `"command":{"a":`+rich("Sensitive", `"walrus77"`)+`}`), new: resource("Exec[a]", `"command":"walrus77"`), want: "change sensitive Exec[a] /parameters/command"},
		{name: "undef as text", old: resource("A[a]", `"p":":undef"`), new: resource("A[a]", `"p":null`), want: "remove value A[a] /parameters/p"},

		{name: "rich value", old: resource("A[a]", `"p":`+rich("SemVer", `"1.0.0"`)), new: resource("A[a]", `"p":`+rich("SemVer", `"1.0.1"`)), want: "change rich A[a] /parameters/p"},
		{name: "rich value and text", old: resource("A[a]", `"p":`+rich("SemVer", `"1.0.0"`)), new: resource("A[a]", `"p":"1.0.0"`), profile: "default", want: "change type A[a] /parameters/p"},
		{name: "stringified", old: resource("A[a]", `"p":`+rich("SemVer", `"1.0.0"`)), new: resource("A[a]", `"p":"1.0.0"`), profile: "stringified"},
		{name: "stringified by itself", old: resource("A[a]", `"p":[`+rich("Regexp", `"x"`)+`]`), new: resource("A[a]", `"p":["/x/"]`)},
		{name: "stringified, changed", old: resource("A[a]", `"p":`+rich("SemVer", `"1.0.0"`)), new: resource("A[a]", `"p":"1.0.1"`), profile: "stringified", want: "change type A[a] /parameters/p"},
		{name: "numbers of hidden secrets", old: resource("A[a]", `"p":{"x":"#<Sensitive [value redacted]:12>"}`), new: resource("A[a]", `"p":{"x":"#<Sensitive [value redacted]:340>"}`)},
		{name: "a hidden secret in another text", old: resource("A[a]", `"p":"x #<Sensitive [value redacted]:12>"`), new: resource("A[a]", `"p":"y #<Sensitive [value redacted]:12>"`), want: "change value A[a] /parameters/p"},
		{name: "a regular expression that is not ASCII", old: resource("A[a]", `"p":[`+rich("Regexp", `"(?-imx:é/x)"`)+`]`), new: resource("A[a]", `"p":["/(?-mix:é\\/x)/"]`)},
		{name: "a regular expression with flags", old: resource("A[a]", `"p":[`+rich("Regexp", `"(?-imx:(?i:é))"`)+`]`), new: resource("A[a]", `"p":["/(?i-mx:é)/"]`)},
		{name: "two groups are no flags of all", old: resource("A[a]", `"p":`+rich("Regexp", `"(?-imx:a)|(é)"`)), new: resource("A[a]", `"p":`+rich("Regexp", `"a|(é)"`)), want: "change rich A[a] /parameters/p"},
		{name: "other flags", old: resource("A[a]", `"p":`+rich("Regexp", `"(?-imx:é)"`)), new: resource("A[a]", `"p":`+rich("Regexp", `"(?i-mx:é)"`)), want: "change rich A[a] /parameters/p"},
		{name: "flags that an agent repeats", old: resource("A[a]", `"p":`+rich("Regexp", `"(?-imx:é)"`)), new: resource("A[a]", `"p":`+rich("Regexp", `"(?-imx:(?-imx:é))"`))},
		{name: "flags in a key", old: resource("A[a]", `"p":`+rich("Hash", `[`+rich("Regexp", `"(?-imx:é)"`)+`,1]`)), new: resource("A[a]", `"p":`+rich("Hash", `[`+rich("Regexp", `"(?-imx:(?-imx:é))"`)+`,1]`))},
		{name: "flags in a type", old: resource("A[a]", `"p":{"__ptype":"Pcore::PatternType","patterns":[{"__ptype":"Pcore::RegexpType","pattern":"(?-imx:é)"}]}`), new: resource("A[a]", `"p":"Pattern[/(?-mix:é)/]"`)},
		{name: "parameters that types lose", old: resource("A[a]", `"p":[{"__ptype":"Pcore::SensitiveType"},{"__ptype":"Pcore::OptionalType","type":{"__ptype":"Pcore::BooleanType"}}]`), new: resource("A[a]", `"p":["Sensitive[String[1, 2]]","Optional[Boolean[true]]"]`)},
		{name: "another type", old: resource("A[a]", `"p":[{"__ptype":"Pcore::SensitiveType"}]`), new: resource("A[a]", `"p":["Optional[String]"]`), profile: "stringified", want: "change type A[a] /parameters/p/0"},
		{name: "a secret key", old: resource("A[a]", `"p":`+rich("Hash", `[`+rich("Sensitive", `"s1"`)+`,1,"x",2]`)), new: resource("A[a]", `"p":{"#<Sensitive [value redacted]:12>":1,"x":2}`)},
		{name: "a resolved call of PuppetDB", old: `{"certname":"n","resources":[` + resource("A[a]", `"p":["x","Deferred({'name' => 'f', 'arguments' => [1]})"],"q":"Deferred({'name' => 'f'})"`) + `]}`, new: `{"name":"n","resources":[{"type":"Stage","title":"main","parameters":{}},` + resource("A[a]", `"p":["x","1"],"q":"s1"`, `,"sensitive_parameters":["q"]`) + `]}`, want: "add resource Stage[main]"},
		{name: "a Deferred without a result", old: resource("A[a]", `"p":`+rich("Sensitive", `{"__ptype":"Deferred","name":"f"}`)), new: resource("A[a]", ``), profile: "agent-cache"},
		{name: "stringified keys by themselves", old: resource("A[a]", `"p":`+rich("Hash", `[1,"x"]`)), new: resource("A[a]", `"p":{"1":"x"}`)},
		{name: "stringified keys", old: resource("A[a]", `"p":`+rich("Hash", `[[1,"a",null],"x",{"k":1.5},"y"]`)), new: resource("A[a]", `"p":{"[1, \"a\", nil]":"x","{\"k\"=>1.5}":"y"}`), profile: "stringified"},
		{name: "a hidden secret in a call", old: resource("A[a]", `"p":{"__ptype":"Deferred","name":"f","arguments":["x",{"__ptype":"Sensitive","__pvalue":["s"]},1]}`), new: resource("A[a]", `"p":"Deferred({'name' => 'f', 'arguments' => ['x', Instance of Sensitive[Array[String[1, 1]]], 1]})"`), profile: "stringified"},
		{name: "a change next to a hidden secret", old: resource("A[a]", `"p":{"__ptype":"Deferred","name":"f","arguments":["x",{"__ptype":"Sensitive","__pvalue":["s"]},1]}`), new: resource("A[a]", `"p":"Deferred({'name' => 'f', 'arguments' => ['y', Instance of Sensitive[Array[String[1, 1]]], 1]})"`), profile: "stringified", want: "change deferred A[a] /parameters/p"},
		{name: "Deferred", old: resource("A[a]", `"p":{"__ptype":"Deferred","name":"f","arguments":[1]}`), new: resource("A[a]", `"p":{"__ptype":"Deferred","name":"g","arguments":[1]}`), want: "change deferred A[a] /parameters/p"},
		{name: "argument of a Deferred", old: resource("A[a]", `"p":{"__ptype":"Deferred","name":"f","arguments":[1]}`), new: resource("A[a]", `"p":{"__ptype":"Deferred","name":"f","arguments":[2]}`), want: "change nested A[a] /parameters/p/arguments/0"},
		{name: "resolved Deferred", old: resource("A[a]", `"p":{"__ptype":"Deferred","name":"f"}`), new: resource("A[a]", `"p":"x"`, secretList), profile: "agent-cache"},

		{name: "secret", old: resource("A[a]", `"p":"s1"`, secretList), new: resource("A[a]", `"p":"s2"`, secretList), want: "change secret A[a] /parameters/p"},
		{name: "the same secret", old: resource("A[a]", `"p":"s1"`, secretList), new: resource("A[a]", `"p":`+rich("Sensitive", `"s1"`)), want: ""},
		{name: "Sensitive lost", old: resource("A[a]", `"p":"s1"`, secretList), new: resource("A[a]", `"p":"s1"`), want: "change sensitive A[a] /parameters/p"},
		{name: "Sensitive gained inside", old: resource("A[a]", `"p":{"x":"s1"}`), new: resource("A[a]", `"p":{"x":`+rich("Sensitive", `"s1"`)+`}`), want: "change sensitive A[a] /parameters/p/x"},

		{name: "secret tags", old: resource("A[a]", `"tag":"s1"`, `,"sensitive_parameters":["tag"]`), new: resource("A[a]", `"tag":"s2"`, `,"sensitive_parameters":["tag"]`), want: "change secret A[a] /parameters/tag"},
		{name: "tag parameters are sets", old: resource("A[a]", `"tag":["x","y"]`), new: resource("A[a]", `"tag":["y","x"]`)},
		{name: "a list of one is a set", old: resource("A[a]", `"require":"B[b]"`), new: resource("A[a]", `"require":["B[b]"]`)},
		{name: "an arrow goes", old: resource("A[a]", `"require":"B[b]"`) + "," + resource("B[b]", ``), new: resource("A[a]", ``) + "," + resource("B[b]", ``), want: "remove relation A[a] /parameters/require"},
		{name: "an arrow from the other side", old: resource("A[a]", `"require":"B[b]"`) + "," + resource("B[b]", ``), new: resource("A[a]", ``) + "," + resource("B[b]", `"before":["A[a]"]`)},
		{name: "an arrow by the name", old: resource("A[a]", `"require":"File[f]"`) + "," + resource("File[f]", `"path":"/f"`), new: resource("A[a]", `"require":"File[/f]"`) + "," + resource("File[f]", `"path":"/f"`)},
		{name: "an arrow is weakened", old: resource("A[a]", `"notify":"B[b]"`) + "," + resource("B[b]", ``), new: resource("A[a]", `"before":"B[b]"`) + "," + resource("B[b]", ``), want: "add relation A[a] /parameters/before\nremove relation A[a] /parameters/notify"},

		{name: "eol", old: resource("File[/a]", `"content":"x\r\n"`), new: resource("File[/a]", `"content":"x\n"`), profile: "eol"},
		{name: "final newline", old: resource("File[/a]", `"content":"x"`), new: resource("File[/a]", `"content":"x\n"`), profile: "final-newline"},
		{name: "data in JSON", old: resource("File[/a]", `"content":"{\"a\":1,\"b\":2}"`), new: resource("File[/a]", `"content":"{ \"b\": 2, \"a\": 1 }\n"`), profile: "content"},
		{name: "data in YAML", old: resource("File[/a]", `"content":"a: 1\nb: [x]\n"`), new: resource("File[/a]", `"content":"# c\nb:\n- x\na: 1\n"`), profile: "content"},
		{name: "aliases in YAML", old: resource("File[/a]", `"content":"a: &x\n  p: 1\nb: *x\n"`), new: resource("File[/a]", `"content":"a:\n  p: 1\nb:\n  p: 1\n"`), profile: "content"},
		{name: "an alias of itself in YAML", old: resource("File[/a]", `"content":"a: &x\n  p: *x\n"`), new: resource("File[/a]", `"content":"a: &x\n  p:  *x\n"`), profile: "content", want: "change content File[/a] /parameters/content"},
		{name: "documents in YAML", old: resource("File[/a]", `"content":"---\na: 1\n---\nb: 2\n"`), new: resource("File[/a]", `"content":"---\na: 1\n---\n# c\nb:  2\n"`), profile: "content"},
		{name: "the second document in YAML", old: resource("File[/a]", `"content":"---\na: 1\n---\nb: 2\n"`), new: resource("File[/a]", `"content":"---\na: 1\n---\nb: 3\n"`), profile: "content", want: "change content File[/a] /parameters/content"},
		{name: "data in INI", old: resource("File[/a]", `"content":"[a]\nx=1\n"`), new: resource("File[/a]", `"content":"[a]\nx = 1\n"`), profile: "content"},
		{name: "text is no data", old: resource("File[/a]", `"content":"a\n b\n"`), new: resource("File[/a]", `"content":"a\nb\n"`), profile: "content", want: "change content File[/a] /parameters/content"},
		{name: "folder of compilation", old: resource("File[/a]", `"content":"# /tmp/1/m/a.erb"`, `,"file":"/tmp/1/m/a.pp"`), new: resource("File[/a]", `"content":"# /tmp/2/m/a.erb"`, `,"file":"/tmp/2/m/a.pp"`), profile: "compile-dir"},
		{name: "folder of compilation in a title", old: resource("Class[c]", ``, `,"file":"/tmp/1/m/a.pp"`) + "," + resource("File[/tmp/1/x]", ``), new: resource("Class[c]", ``, `,"file":"/tmp/2/m/a.pp"`) + "," + resource("File[/tmp/2/x]", ``), profile: "compile-dir"},
		{name: "folder of compilation in a text only", old: resource("File[/a]", `"content":"# from /tmp/1/m/a.erb, /etc/x"`), new: resource("File[/a]", `"content":"# from /tmp/2/m/a.erb, /etc/x"`), profile: "compile-dir"},
		{name: "another folder", old: resource("File[/a]", `"content":"/srv/1/m/a"`), new: resource("File[/a]", `"content":"/srv/2/m/a"`), profile: "compile-dir", want: "change content File[/a] /parameters/content"},
		{name: "content of an absent file", old: resource("File[/a]", `"ensure":"absent","content":"x"`), new: resource("File[/a]", `"ensure":"absent","content":"y"`), profile: "effect"},

		{name: "static catalog", old: `{"name":"n","resources":[` + resource("File[/a]", ``) + `],"metadata":{"/a":{"checksum":{"value":"1"},"content_uri":"a"}}}`, new: `{"name":"n","resources":[` + resource("File[/a]", ``) + `],"metadata":{"/a":{"checksum":{"value":"2"},"content_uri":"b"}}}`, want: "change static File[/a] /metadata"},
		{name: "the time of a folder in a static catalog", old: `{"name":"n","resources":[` + resource("File[/a]", ``) + `],"recursive_metadata":{"/a":{"s":[{"type":"directory","mode":493,"checksum":{"type":"ctime","value":"1"}}]}}}`, new: `{"name":"n","resources":[` + resource("File[/a]", ``) + `],"recursive_metadata":{"/a":{"s":[{"type":"directory","mode":493,"checksum":{"type":"ctime","value":"2"}}]}}}`},
		{name: "permissions in a static catalog", old: `{"name":"n","resources":[` + resource("File[/a]", ``) + `],"metadata":{"/a":{"owner":0,"mode":420}}}`, new: `{"name":"n","resources":[` + resource("File[/a]", ``) + `],"metadata":{"/a":{"owner":998,"mode":436}}}`},
		{name: "permissions in a static catalog that a file has", old: `{"name":"n","resources":[` + resource("File[/a]", `"source_permissions":"use"`) + `],"recursive_metadata":{"/a":{"s":[{"type":"directory","mode":493}]}}}`, new: `{"name":"n","resources":[` + resource("File[/a]", `"source_permissions":"use"`) + `],"recursive_metadata":{"/a":{"s":[{"type":"directory","mode":448}]}}}`, want: "change static File[/a] /metadata"},
		{name: "damaged characters", old: resource("File[/a]", `"content":"a\ufffdb"`), new: resource("File[/a]", `"content":"aéb"`), profile: "puppetdb"},
		{name: "a damaged word", old: resource("File[/a]", `"content":"a\ufffd\ufffd\ufffd\ufffd\ufffdb\ufffd\ufffd\ufffd\ufffd\ufffd"`), new: resource("File[/a]", `"content":"aéééééb€€€€€"`), profile: "puppetdb"},
		{name: "more than damaged characters", old: resource("File[/a]", `"content":"a\ufffdb"`), new: resource("File[/a]", `"content":"aéb, and more than b"`), profile: "puppetdb", want: "change content File[/a] /parameters/content"},
		{name: "container", old: `{"name":"n","resources":[` + resource("A[a]", ``) + `],"edges":[{"source":"Class[X]","target":"A[a]"}]}`, new: `{"name":"n","resources":[` + resource("A[a]", ``) + `],"edges":[{"source":"Class[Y]","target":"A[a]"}]}`, want: "change container A[a] /container"},

		{name: "renamed exec", old: resource("Exec[one]", `"command":"/usr/bin/warm --all","unless":"/usr/bin/test -f /x"`), new: resource("Exec[two]", `"command":"/usr/bin/warm --all","unless":"/usr/bin/test -f /x"`), want: "move rename Exec[two]  from Exec[one]"},
		{name: "renamed exec whose title is a word of the command", old: resource("Exec[warm]", `"command":"/usr/local/bin/warm --all"`), new: resource("Exec[warm up]", `"command":"/usr/local/bin/warm --all"`), want: "move rename Exec[warm up]  from Exec[warm]"},
		{name: "renamed file with other names like its title", old: resource("Site[a.example]", `"content":"server a.example www.a.example\nthe second line\nthe third line\nthe fourth line and a longer one\nthe fifth line"`), new: resource("Site[a.example2]", `"content":"server a.example2 www.a.example\nthe second line\nthe third line\nthe fourth line and a longer one\nthe fifth line"`), want: "move rename Site[a.example2]  from Site[a.example]"},
		{name: "renamed, with a shorter title", old: resource("Site[a.example2]", `"content":"server a.example2 www.a.example2\nthe second line\nthe third line\nthe fourth line and a longer one\nthe fifth line"`), new: resource("Site[a.example]", `"content":"server a.example www.a.example2\nthe second line\nthe third line\nthe fourth line and a longer one\nthe fifth line"`), want: "move rename Site[a.example]  from Site[a.example2]"},
		{name: "renamed, with another text", old: resource("Site[a.example]", `"content":"server a.example\nthe second line\nthe third line\nthe fourth line and a longer one\nthe fifth line"`), new: resource("Site[b.example]", `"content":"server b.example\nthe second line\nthe third line\nthe fourth line and a longer one\nthe last line"`), want: "move rename Site[b.example]  from Site[a.example]\nchange content Site[b.example] /parameters/content"},
		{name: "renamed file", old: resource("File[/a/x.conf]", `"content":"one\ntwo\nthree\nfour\n"`), new: resource("File[/b/x.conf]", `"content":"one\ntwo\nthree\n4\n"`), want: "move rename File[/b/x.conf]  from File[/a/x.conf]\nchange content File[/b/x.conf] /parameters/content"},
		{name: "another package", old: resource("Package[one]", `"ensure":"installed"`), new: resource("Package[two]", `"ensure":"installed"`), want: "remove resource Package[one]\nadd resource Package[two]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var profiles []diff.Profile
			if tt.profile != "" {
				profiles = []diff.Profile{tt.profile}
			}
			r := compare(t, tt.old, tt.new, profiles...)
			got, want := strings.Split(changes(r), "\n"), strings.Split(tt.want, "\n")
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), tt.want)
			}
		})
	}
}

// TestForms compares a catalog in one form with the same in another.
func TestForms(t *testing.T) {
	old := side(t, resource("A[a]", `"p":[1,2.5,true,"x",`+rich("Sensitive", `"s"`)+`,`+rich("Timestamp", `"2026-01-02T03:04:05.000000000 UTC"`)+`]`)+","+resource("File[/x]", `"content":"y","require":"A[a]"`))
	v, err := old.Catalog.RevealValue()
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range formats.Default().Formats() {
		if !format.Rich {
			continue
		}
		b, err := format.Append(nil, v, serialization.EncodeOptions{Secrets: serialization.PlainSecrets})
		if err != nil {
			t.Fatal(err)
		}
		c := catalogtest.Only(t, catalog.NewReaderBytes(bytes.Clone(b), format, serialization.DecodeOptions{}))
		r, err := diff.Compare(t.Context(), old, diff.Side{Catalog: c}, redact.NewFinder(nil), diff.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !r.Equal() {
			t.Errorf("%s: %s", format.Name, changes(r))
		}
	}
}

// TestDetailsHaveNoSecrets compares Sensitive values that are too short to be searched
// for, and from which effects are derived.
func TestDetailsHaveNoSecrets(t *testing.T) {
	nested := func(s string) string { return rich("Sensitive", `"`+s+`"`) }
	service := resource("Service[s]", `"restart":"pw 7"`, `,"sensitive_parameters":["restart"]`)
	file := func(content string) string {
		return resource("File[/x]", `"notify":"Service[s]","content":"`+content+`"`)
	}
	for name, sides := range map[string][2]string{
		"listed":  {resource("Package[a]", `"ensure":"9.0"`, `,"sensitive_parameters":["ensure"]`), resource("Package[a]", `"ensure":"8.9"`, `,"sensitive_parameters":["ensure"]`)},
		"nested":  {resource("Package[a]", `"ensure":`+nested("9.0")), resource("Package[a]", `"ensure":`+nested("8.9"))},
		"file":    {resource("File[/a]", `"ensure":`+nested("s.1")), resource("File[/a]", `"ensure":`+nested("s.2"))},
		"gained":  {resource("Package[a]", `"ensure":"9.0"`), resource("Package[a]", `"ensure":`+nested("8.9"))},
		"restart": {file("a") + "," + service, file("b") + "," + service},
	} {
		r := compare(t, sides[0], sides[1])
		if len(r.Changes) != 1 || len(r.Changes[0].Effects) == 0 {
			t.Errorf("%s: %d changes, or no effects", name, len(r.Changes))
			continue
		}
		for _, e := range r.Changes[0].Effects {
			if e.Detail != "" {
				t.Errorf("%s: %s says %q", name, e.Effect, e.Detail)
			}
		}
	}
}

// TestDigestsOfSecrets compares catalogs with digests of a secret in their texts.
func TestDigestsOfSecrets(t *testing.T) {
	for _, text := range []string{"pw1", "correct-horse-1"} { // also of one that is too short to be searched for
		for _, hash := range secret.Hashes(text) {
			digest := string(hash)
			file := resource("File[/x]", `"checksum_value":"`+digest+`","content":"a {md5}`+digest+`\n"`)
			r := compare(t, resource("User[u]", `"p":"`+text+`"`, secretList), file)
			for _, c := range r.Changes {
				if c.New != nil && strings.Contains(c.New.String(), digest) {
					t.Errorf("%s: %s", text, c.New)
				}
			}
		}
	}
	const other = "d41d8cd98f00b204e9800998ecf8427e"
	r := compare(t, resource("File[/x]", `"p":"s1"`, secretList), resource("File[/x]", `"p":"s1","content":"`+other+`"`, secretList))
	if len(r.Changes) != 1 || r.Changes[0].New != pcore.Value(pcore.String(other)) {
		t.Errorf("the digest of another text is masked: %s", changes(r))
	}
}

// TestEffectsOfAllNodes compares two nodes with the same change, which only the second
// one follows with a refresh.
func TestEffectsOfAllNodes(t *testing.T) {
	f := diff.NewFleet(redact.NewFinder(nil), diff.Options{})
	for node, parameters := range []string{"", `,"notify":"Service[node%d]"`, `,"notify":"Service[node%d]"`} {
		if parameters != "" {
			parameters = fmt.Sprintf(parameters, node)
		}
		document := func(mode string) diff.Side {
			return side(t, fmt.Sprintf(`{"name":"node%d","resources":[%s,%s]}`, node,
				resource("File[/x]", `"mode":"`+mode+`"`+parameters), resource(fmt.Sprintf("Service[node%d]", node), "")))
		}
		p, err := f.Compare(t.Context(), document("0644"), document("0600"))
		if err != nil {
			t.Fatal(err)
		}
		f.Add(p)
	}
	r := f.Report()
	if len(r.Changes) != 1 || r.Rank() != diff.RankRestart {
		t.Fatalf("rank %s:\n%s", r.Rank(), changes(r))
	}
	var effects []string
	for _, e := range r.Changes[0].Effects {
		effects = append(effects, e.Effect+" "+e.Ref)
	}
	if want := []string{"chmod File[/x]", "refresh Service[node1]"}; !slices.Equal(effects, want) {
		t.Errorf("got %q, want %q", effects, want)
	}
}

// TestEnvironments compares one node in two environments.
func TestEnvironments(t *testing.T) {
	in := func(environment string) string {
		return `{"name":"n","environment":"` + environment + `","resources":[]}`
	}
	for _, strict := range []bool{false, true} {
		r, err := diff.Compare(t.Context(), side(t, in("production")), side(t, in("feature")), redact.NewFinder(nil), diff.Options{StrictEnvironment: strict})
		if err != nil {
			t.Fatal(err)
		}
		if n := r.Nodes[0]; r.Equal() == strict || (n.OldEnvironment+n.NewEnvironment == "productionfeature") == strict {
			t.Errorf("strict %t: equal %t, %+v", strict, r.Equal(), n)
		}
	}
}
