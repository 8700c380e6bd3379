package audit_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/puppetdb"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// submitted returns what a server sends to PuppetDB for a catalog, or "" if it is not valid.
func submitted(t rapid.TB, text string) string {
	t.Helper()
	format := formats.RichJSON()
	for c, err := range catalog.NewReaderBytes([]byte(text), format, serialization.DecodeOptions{AllowUnknownTypes: true}).Catalogs() {
		if err != nil {
			t.Fatal(err)
		}
		sent, err := puppetdb.Replace(c, puppetdb.Submission{Producer: "puppet.example.com", Time: time.Unix(1_700_000_000, 0)})
		if err != nil {
			return ""
		}
		b, err := formats.StringifiedJSON().Append(nil, sent, serialization.EncodeOptions{Secrets: serialization.RedactSecrets})
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	t.Fatal("no catalog")
	return ""
}

// parametersOf lists the rules of the findings by their parameters.
func parametersOf(found []audit.Finding) map[string][]string {
	list := map[string][]string{}
	for i := range found {
		f := &found[i]
		at := fmt.Sprint(f.At.Ref, " ", f.Parameter)
		family, _, _ := strings.Cut(f.Rule, "/")
		list[at] = append(list[at], family)
	}
	return list
}

// added lists the findings that a catalog has only in PuppetDB's format. PuppetDB does not keep
// declared secrets, so that their copies are found in other ways.
func added(t rapid.TB, find func(rapid.TB, string) *audit.Report, text string) (list []string) {
	t.Helper()
	if sent := submitted(t, text); sent != "" {
		return onlyIn(t, find, sent, text)
	}
	return nil
}

// onlyIn lists the findings of what PuppetDB got that the complete catalog has not.
func onlyIn(t rapid.TB, find func(rapid.TB, string) *audit.Report, sent, text string) (list []string) {
	t.Helper()
	complete := parametersOf(find(t, text).Findings)
	for at, rules := range parametersOf(find(t, sent).Findings) {
		isCopied := slices.ContainsFunc(complete[at], func(r string) bool { return strings.HasPrefix(r, "sensitive-") })
		for _, r := range rules {
			if !slices.Contains(complete[at], r) && !isCopied {
				list = append(list, at+": "+r+" instead of "+strings.Join(complete[at], ", "))
			}
		}
	}
	slices.Sort(list)
	return list
}

// A catalog in PuppetDB's format has no findings that it does not have otherwise: rich values as
// text are none.
func TestPuppetDB(t *testing.T) {
	find := auditing(t, audit.Options{})
	for file, d := range realDocuments(t) {
		list := added(t, find, d.text(t))
		if sent, err := os.ReadFile(filepath.Join(filepath.Dir(file), "puppetdb.json")); err == nil { // of the real terminus
			list = append(list, onlyIn(t, find, string(sent), d.text(t))...)
		}
		if len(list) > 0 {
			t.Errorf("%s:\n%s", filepath.Base(filepath.Dir(file)), strings.Join(list, "\n"))
		}
	}
	rules, err := rule.Default()
	if err != nil {
		t.Fatal(err)
	}
	for r := range rules.All() {
		for _, sample := range append(slices.Clone(r.Catch), r.Ignore...) {
			documents, _ := sampleCatalogs(t, sample)
			for _, text := range documents {
				if strings.Contains(text, `{"document":`) {
					continue // a report or facts, which are no catalog in PuppetDB
				}
				if list := added(t, find, text); len(list) > 0 {
					t.Errorf("%s %s:\n%s", r.ID, sample, strings.Join(list, "\n"))
				}
			}
		}
	}
	t.Run("generated", rapid.MakeCheck(func(r *rapid.T) {
		if list := added(r, find, generated(r).text(r)); len(list) > 0 {
			r.Fatal(strings.Join(list, "\n"))
		}
	}))
}

// A secret in the arguments of a Deferred is found in the text of the Deferred, too.
func TestSecretsInTexts(t *testing.T) {
	find := auditing(t, audit.Options{})
	texts := func(text string) (list []string) {
		found := find(t, text).Findings
		for i := range found {
			f := &found[i]
			list = append(list, fmt.Sprintln(f.Rule, f.Name, f.At.Ref, f.Parameter, revealed(f)))
		}
		return list
	}
	for _, value := range []string{
		`{"__ptype":"Deferred","name":"vault_lookup::lookup","arguments":["secret/db",{"token":"hvs.CAESIJ2mVw5nR7bLdYcXs0uPhGiEaKoQvNtWzBf4lMrq8ZkPw2L","addr":"x'y"}]}`,
		`{"__ptype":"Deferred","name":"pw_hash","arguments":["otter'cinder-7x","SHA-512","salted"]}`,
		`{"__ptype":"Deferred","name":"sprintf","arguments":["user=x\npassword=%s 'q'\n","otter-\"cinder\"-9x"]}`,
		`{"__ptype":"Deferred","name":"sprintf","arguments":["[db]\npassword=Kx7mP2qR9v\n%s",{"__ptype":"Deferred","name":"get","arguments":["x"]}]}`,
		`{"__ptype":"My::Db","password":"otter-cinder-8x","hosts":["db1"]}`,
	} {
		text := node("n", `{"type":"File","title":"/etc/app.conf","parameters":{"content":`+value+`}}`)
		want, got := texts(text), texts(submitted(t, text))
		if len(want) == 0 || !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", value, got, want)
		}
	}
}

// Text that Puppet writes for rich values is a finding only if the agent gets it.
func TestTextsOfRichValues(t *testing.T) {
	const call = `Deferred({'name' => 'vault_lookup::lookup', 'arguments' => ['secret/db', 'https://vault.example.com:8200']})`
	find := auditing(t, audit.Options{})
	for _, tt := range []struct{ value, complete, fromPuppetDB string }{
		{call, "deferred-literal", ""},
		{`Deferred({'name' => 'f', 'arguments' => [Instance of Sensitive[String]]})`, "deferred-literal", ""},
		{`Deferred({'name' => 'f', 'arguments' => [Instance of Something new, or cut`, "deferred-literal", ""},
		{"#<Sensitive [value redacted]:7620>", "redacted-literal", ""},
		{"My::Db({'password' => Instance of Sensitive[String], 'call' => " + call + "})", "deferred-literal", ""},
		{"password = " + call, "deferred-literal", "deferred-literal"},
		{"password = Sensitive [value redacted]", "redacted-literal", "redacted-literal"},
		{"My::Db({'password' => Instance of Sensitive[String]})", "", ""},
	} {
		resource := fmt.Sprintf(`{"type":"Class","title":"App","exported":true,"parameters":{"password":%q,"options":{"db_password":%q}}}`, tt.value, tt.value)
		complete := node("n", resource)
		for text, want := range map[string]string{complete: tt.complete, strings.Replace(complete, `"name":`, `"certname":`, 1): tt.fromPuppetDB} {
			var rules []string
			for _, f := range find(t, text).Findings {
				rules = append(rules, f.Rule)
			}
			if strings.Join(slices.Compact(rules), ",") != want {
				t.Errorf("%s: got %v, want %q", text, rules, want)
			}
		}
	}
}
