package bill_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/deferred"
	"github.com/pcatdev/pcat/internal/bill"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/function/stdlib"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

func reader(t testing.TB, data string) *catalog.Reader {
	t.Helper()
	format := formats.RichJSON()
	return catalog.NewReaderBytes([]byte(data), format, serialization.DecodeOptions{})
}

func functions(t testing.TB) function.Finder {
	t.Helper()
	r, err := stdlib.New(pcore.OpenVox8)
	if err != nil {
		t.Fatal(err)
	}
	return deferred.NewTable([]deferred.Answer{{Function: "vault_lookup::lookup", Value: pcore.String("x")}}, r)
}

func read(t testing.TB, data string, o bill.Options) []*bill.Entry {
	t.Helper()
	var all []*bill.Entry
	for e, err := range bill.Read(reader(t, data), o) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, e)
	}
	return all
}

// inParameter returns a catalog with one parameter of one resource.
func inParameter(typ, kind, parameter, value string) string {
	return fmt.Sprintf(`{"name":"n","resources":[{"type":%q,"title":"t","kind":%q,"parameters":{%q:%s}}],"edges":[]}`, typ, kind, parameter, value)
}

const (
	upcase   = `{"__ptype":"Deferred","name":"upcase","arguments":["x"]}`
	sprintf  = `{"__ptype":"Deferred","name":"sprintf","arguments":["%s",{"__ptype":"Deferred","name":"vault_lookup::lookup","arguments":["a"]}]}`
	wrapped  = `{"__ptype":"Deferred","name":"new","arguments":[{"__ptype":"Pcore::SensitiveType"},{"__ptype":"Deferred","name":"upcase","arguments":["x"]}]}`
	facts    = `{"__ptype":"Deferred","name":"$facts","arguments":["os"]}`
	variable = `{"__ptype":"Deferred","name":"$x"}`
)

func TestLocations(t *testing.T) {
	for _, tt := range []struct {
		name, value string
		want        []string // location, position, sensitive, late
	}{
		{"a whole parameter", upcase, []string{"Notify[t]/p scalar false false"}},
		{"in an array", `[1,` + upcase + `]`, []string{"Notify[t]/p/1 nested false true"}},
		{"in a hash", `{"a":{"b":` + upcase + `}}`, []string{"Notify[t]/p/a/b nested false true"}},
		{"a Sensitive around all", `{"__ptype":"Sensitive","__pvalue":` + upcase + `}`, []string{"Notify[t]/p scalar true false"}},
		{"a Sensitive deeper", `[{"__ptype":"Sensitive","__pvalue":` + upcase + `}]`, []string{"Notify[t]/p/0 nested true true"}},
		{"a call in a call", sprintf, []string{"Notify[t]/p scalar false false", "Notify[t]/p/arguments/1 argument false false"}},
		{"a call in a call in an array", "[" + sprintf + "]", []string{"Notify[t]/p/0 nested false true", "Notify[t]/p/0/arguments/1 argument false true"}},
		{"a call that makes a secret", wrapped, []string{"Notify[t]/p scalar true false", "Notify[t]/p/arguments/1 argument true false"}},
		{"a key", `{"__ptype":"Hash","__pvalue":[` + upcase + `,1]}`, []string{"Notify[t]/p/Deferred key false true"}},
		{"an object", `{"__ptype":"My::Object","a":` + upcase + `}`, []string{"Notify[t]/p/a attribute false true"}},
		{"a fact", facts, []string{"Notify[t]/p scalar false false"}},
		{"a variable", variable, []string{"Notify[t]/p scalar false true"}},
		{"no call", `"upcase"`, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, e := range read(t, inParameter("Notify", "compilable_type", "p", tt.value), bill.Options{}) {
				got = append(got, fmt.Sprint(e.At, " ", e.Position, " ", e.Sensitive, " ", e.Late.Breaks))
				if (e.Late.Breaks || e.Late.Loses) != (e.Late.Reason != "") {
					t.Errorf("the reason of %+v", e.Late)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestLate compares with the agent of OpenVox 8.28.1.
func TestLate(t *testing.T) {
	for _, tt := range []struct {
		typ, kind, parameter, value string
		want                        bool
	}{
		{"Exec", "compilable_type", "command", upcase, false},
		{"Exec", "compilable_type", "unless", upcase, false},
		{"Exec", "compilable_type", "path", upcase, true},
		{"Exec", "compilable_type", "environment", "[" + upcase + "]", true},
		{"Exec", "compilable_type", "environment", upcase, false},
		{"File", "compilable_type", "content", "[" + upcase + "]", false},
		{"File", "compilable_type", "content", "[" + upcase + ", 1]", true},
		{"Exec", "compilable_type", "cwd", upcase, false},
		{"Exec", "compilable_type", "returns", upcase, true},
		{"User", "compilable_type", "groups", upcase, true},
		{"User", "compilable_type", "groups", "[" + upcase + "]", true},
		{"User", "compilable_type", "comment", upcase, false},
		{"Cron", "compilable_type", "minute", upcase, true},
		{"Cron", "compilable_type", "user", upcase, false},
		{"Ssh_authorized_key", "compilable_type", "options", upcase, true},
		{"My::User", "defined_type", "groups", upcase, false},
		{"File", "compilable_type", "path", upcase, true},
		{"File", "compilable_type", "content", upcase, false},
		{"User", "compilable_type", "name", upcase, true},
		{"Package", "compilable_type", "name", upcase, false},
		{"Notify", "compilable_type", "schedule", upcase, true},
		{"Notify", "compilable_type", "require", upcase, true},
		{"Notify", "compilable_type", "loglevel", upcase, false},
		{"My::Thing", "defined_type", "p", "[" + upcase + "]", false},
		{"Class", "class", "p", "[" + upcase + "]", false},
	} {
		e := read(t, inParameter(tt.typ, tt.kind, tt.parameter, tt.value), bill.Options{})[0]
		if e.Late.Breaks != tt.want || e.Late.Always {
			t.Errorf("%s/%s: got %+v", tt.typ, tt.parameter, e.Late)
		}
	}
}

// TestLateByReference compares with the agents of Puppet 7.23 and 8.11, and of
// OpenVox 8.28.1 and 9.0.0-beta2.
func TestLateByReference(t *testing.T) {
	const makes = `{"__ptype":"Deferred","name":"new","arguments":[{"__ptype":"Pcore::SensitiveType"},"x"]}`
	template := func(declared, value string) string {
		return `{"__ptype":"Deferred","name":"inline_epp","arguments":["<%- |` + declared + ` $a| -%>",{"a":` + value + `}]}`
	}
	for _, tt := range []struct {
		name, value string
		breaks      []pcore.Reference
	}{
		{"in an array of which one is used", "[" + upcase + ", 1]", nil},
		{"deeper in an array", "[[" + upcase + "]]", []pcore.Reference{pcore.Puppet8, pcore.OpenVox8}},
		{"a whole parameter", upcase, nil},
		{"a Sensitive for a template", template("Sensitive[String]", makes), []pcore.Reference{pcore.Puppet8, pcore.OpenVox8}},
		{"an optional one", template("Optional[Sensitive]", makes), []pcore.Reference{pcore.Puppet8, pcore.OpenVox8}},
		{"a Sensitive around the inner call", template("Sensitive[String]", `{"__ptype":"Sensitive","__pvalue":`+upcase+`}`), nil},
		{"a template that accepts both", template("Variant[String, Sensitive[String]]", makes), nil},
		{"a function in the Puppet language", `{"__ptype":"Deferred","name":"m::f"}`, pcore.References()},
		{"a template of a module", `{"__ptype":"Deferred","name":"epp","arguments":["m/a.epp"]}`, pcore.References()},
		{"a template of the node", `{"__ptype":"Deferred","name":"epp","arguments":["/a.epp"]}`, nil},
		{"files, the first that exists", `{"__ptype":"Deferred","name":"file","arguments":["m/a","/a"]}`, nil},
		{"a file of a module", `{"__ptype":"Deferred","name":"file","arguments":["m/a"]}`, pcore.References()},
		{"fqdn_rand in a function", `{"__ptype":"Deferred","name":"stdlib::fqdn_rand_string","arguments":[8]}`, []pcore.Reference{pcore.Puppet7, pcore.Puppet8, pcore.OpenVox8}},
	} {
		for _, reference := range pcore.References() {
			e := read(t, inParameter("Notify", "compilable_type", "message", tt.value), bill.Options{Reference: reference, Functions: inLanguage{}})[0]
			if want := slices.Contains(tt.breaks, reference); e.Late.Breaks != want || (e.Late.Reason != "") != want {
				t.Errorf("%s, %s: got %+v", tt.name, reference, e.Late)
			}
		}
	}
}

// inLanguage has one function, written in the Puppet language.
type inLanguage struct{}

func (inLanguage) Function(name string) (*function.Function, bool) {
	return &function.Function{Name: name, Source: "modules/m/functions/f.pp"}, name == "m::f"
}

func TestProviders(t *testing.T) {
	want := map[string]string{
		upcase: "puppet", sprintf: "puppet", facts: bill.Variable,
		`{"__ptype":"Deferred","name":"VAULT_lookup::lookup"}`: "table",
		`{"__ptype":"Deferred","name":"my::own"}`:              bill.Unknown,
	}
	for value, want := range want {
		if got := read(t, inParameter("Notify", "", "p", value), bill.Options{Functions: functions(t)})[0].Provider; got != want {
			t.Errorf("%s: got %s, want %s", value, got, want)
		}
	}
	e := read(t, inParameter("Notify", "", "p", `{"__ptype":"Deferred","name":"file","arguments":["/x"]}`), bill.Options{Functions: functions(t)})[0]
	if e.Effects != function.ReadsFiles {
		t.Errorf("got %v", e.Effects)
	}
}

func TestListedParameter(t *testing.T) {
	data := `{"name":"n","resources":[{"type":"File","title":"t","parameters":{"content":` + upcase + `},"sensitive_parameters":["content"]}],"edges":[]}`
	if e := read(t, data, bill.Options{})[0]; !e.Sensitive {
		t.Error("a listed parameter is sensitive")
	}
}

// TestNoSecrets checks that an entry contains types and no secrets.
func TestNoSecrets(t *testing.T) {
	value := `{"__ptype":"Deferred","name":"join","arguments":[["hunter2",{"__ptype":"Sensitive","__pvalue":"hunter3"}],{"__ptype":"Deferred","name":"f","arguments":["hunter4"]},{"__ptype":"My::Object","a":1}]}`
	all := read(t, inParameter("Notify", "", "p", value), bill.Options{})
	if got, want := all[0].String(), "join(Array, f(…), My::Object)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if !all[0].SecretArguments || all[1].SecretArguments {
		t.Errorf("got %v and %v", all[0].SecretArguments, all[1].SecretArguments)
	}
	for _, e := range all {
		if text := fmt.Sprintf("%v %+v", e, e.Call().Name()); strings.Contains(text, "hunter") {
			t.Error(text)
		}
	}
}

func TestRealCatalog(t *testing.T) {
	data, err := os.ReadFile("../../testdata/catalogs/rich/rich.json")
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for _, e := range read(t, string(data), bill.Options{Functions: functions(t)}) {
		counts[e.Function]++
		if e.Provider == bill.Unknown {
			t.Errorf("%v: nobody knows %v", e.At, e)
		}
	}
	if diff := cmp.Diff(map[string]int{"upcase": 3, "join": 2, "$facts": 1, "inline_epp": 1, "length": 1}, counts); diff != "" {
		t.Error(diff)
	}
}

func TestPolicy(t *testing.T) {
	credential := func(at catalog.Location) bool { return strings.HasSuffix(at.String(), "arguments/0") }
	for _, tt := range []struct {
		name   string
		policy bill.Policy
		value  string
		want   []string
	}{
		{"nothing", bill.Policy{}, sprintf, nil},
		{"allowed", bill.Policy{Allow: []string{"sprintf", "vault_*"}}, sprintf, nil},
		{"not allowed", bill.Policy{Allow: []string{"sprintf"}}, sprintf, []string{"vault_lookup::lookup must not be deferred"}},
		{"none allowed", bill.Policy{Allow: []string{}}, upcase, []string{"upcase must not be deferred"}},
		{"a variable", bill.Policy{Allow: []string{}}, facts, nil},
		{"not sensitive", bill.Policy{MustBeSensitive: []string{"vault_lookup::*"}}, sprintf, []string{"the result of vault_lookup::lookup is not Sensitive"}},
		{"sensitive", bill.Policy{MustBeSensitive: []string{"*"}}, wrapped, nil},
		{"credentials", bill.Policy{NoClearCredentials: true}, upcase, []string{"argument 1 of upcase contains a plain-text credential"}},
		{"late", bill.Policy{NoLateBreakage: true}, "[" + upcase + "]", []string{"upcase is not called as intended: agents that resolve late resolve only whole parameters, not calls in arrays and hashes"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, e := range read(t, inParameter("Notify", "", "p", tt.value), bill.Options{Credential: credential}) {
				got = append(got, tt.policy.Violations(e)...)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestParsePolicy(t *testing.T) {
	format := formats.YAML()
	for _, tt := range []struct{ text, want string }{
		{"{}", ""},
		{"allow: [sprintf, 'Vault_Lookup::*']\nmust_be_sensitive: ['vault_lookup::*']\nno_clear_credentials: true\nno_late_breakage: false", ""},
		{"[]", "a policy must be a map of rules"},
		{"alow: []", "'alow': unknown rule; use allow, must_be_sensitive, no_clear_credentials or no_late_breakage"},
		{"allow: sprintf", "'allow': expected a list of functions"},
		{"allow: [1]", "'allow': a function name must be a string, not a value of type Integer"},
		{"allow: ['[']", "'allow': '[': invalid pattern"},
		{"no_late_breakage: 1", "'no_late_breakage': expected true or false"},
	} {
		v, err := format.Decode([]byte(tt.text), serialization.DecodeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		p, err := bill.ParsePolicy(v)
		if err == nil && tt.want != "" || err != nil && err.Error() != tt.want {
			t.Errorf("%s: got %v", tt.text, err)
		}
		if p != nil && p.Allow != nil && !slices.Equal(p.Allow, []string{"sprintf", "vault_lookup::*"}) {
			t.Errorf("got %v", p.Allow)
		}
	}
}

func ExampleRead() {
	data := []byte(`{"name":"web01","resources":[{"type":"File","title":"/etc/app","parameters":{
		"content":{"__ptype":"Deferred","name":"vault_lookup::lookup","arguments":["secret/app"]}}}],"edges":[]}`)
	format := formats.RichJSON()
	policy := bill.Policy{MustBeSensitive: []string{"vault_lookup::*"}}
	for e, err := range bill.Read(catalog.NewReaderBytes(data, format, serialization.DecodeOptions{}), bill.Options{}) {
		if err != nil {
			panic(err)
		}
		fmt.Println(e.At, e, e.Provider)
		fmt.Println(policy.Violations(e))
	}
	// Output:
	// File[/etc/app]/content vault_lookup::lookup(String) unknown
	// [the result of vault_lookup::lookup is not Sensitive]
}
