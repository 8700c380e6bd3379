package redact_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/redact"
)

// withoutNames returns texts without their names, redacted in one run.
func withoutNames(t *testing.T, jobs int, texts ...string) (out []string, result *redact.Result) {
	t.Helper()
	var all []*document
	for _, text := range texts {
		all = append(all, &document{text: text})
	}
	result, err := redact.Run(t.Context(), inputs(t, all), redact.Options{Names: true, Jobs: jobs})
	if err != nil {
		t.Fatal(err)
	}
	for i, d := range all {
		if result.Failures[i] != nil {
			t.Fatal(result.Failures[i])
		}
		out = append(out, d.out.String())
	}
	return out, result
}

const shop = `{"name":"web01.acme.com","environment":"production","resources":[
{"type":"Class","title":"Nginx","parameters":{}},
{"type":"Class","title":"Profile::Jdoe","parameters":{"manage_user":true}},
{"type":"User","title":"jdoe","parameters":{"comment":"Jane Doe","home":"/home/jdoe","groups":["sudo","payroll"]}},
{"type":"User","title":"nginx","parameters":{"comment":"Web server"}},
{"type":"Package","title":"nginx","parameters":{}},
{"type":"Host","title":"db01.acme.com","parameters":{"ip":"10.1.2.3","host_aliases":["db01"]}},
{"type":"Mysql_user","title":"shopper@10.1.2.%","parameters":{}},
{"type":"Ssh_authorized_key","title":"rlopez@thinkpad","parameters":{"user":"jdoe","key":"AAAAB3NzaC1yc2E"}},
{"type":"File","title":"/home/jdoe/.env","parameters":{"owner":"jdoe","group":"payroll","require":"User[jdoe]","mode":"0600",
 "content":"# jane.doe@acme.com, Jane Doe\nDB=db01.acme.com:5432\nlisten 127.0.0.1 0.0.0.0 ::1 fe80::1ff:fe23:4567:890a\nmask 255.255.255.0\nmac 52:54:00:AB:cd:ef\nurl=https://wiki.intra.acme.com/jdoe?mail=jdoe%40acme.com\nversion 1.2.3\nescaped \\njdoe\\tdb01\nuser = svcaccount\nhost: localhost\nsee web01-backup and WEB01, not jdoes\n"}},
{"type":"Exec","title":"chown svcaccount /srv","parameters":{"command":"/bin/chown svcaccount:payroll /srv # getty@tty1.service nginx.service"}}],
"edges":[{"source":"Class[Profile::Jdoe]","target":"User[jdoe]"},{"source":"User[jdoe]","target":"File[/home/jdoe/.env]"}]}`

// Each name has one marker, at each location.
func TestNameMarkers(t *testing.T) {
	t.Parallel()
	out, result := withoutNames(t, 1, shop)
	for _, want := range []string{
		`"name":"host-1.domain-1.invalid"`,
		`"title":"Profile::User-1"`, `"source":"Class[Profile::User-1]","target":"User[user-1]"`, `"target":"File[/home/user-1/.env]"`,
		`"comment":"user-1"`, `"groups":["sudo","group-1"]`, `"title":"nginx","parameters":{"comment":"Web server"}`,
		`"title":"host-2.domain-1.invalid","parameters":{"ip":"192.0.2.1","host_aliases":["host-2"]}`,
		`DB=host-2.domain-1.invalid:5432\n`, `listen 127.0.0.1 0.0.0.0 ::1 2001:db8::1\nmask 255.255.255.0\nmac 00:00:5e:00:53:01\n`,
		`\nversion 1.2.3\nescaped \\nuser-1\\thost-2\n`, `host: localhost\nsee host-1-backup and HOST-1, not jdoes\n`,
		`getty@tty1.service nginx.service`,
	} {
		if !strings.Contains(out[0], want) {
			t.Errorf("no %s", want)
		}
	}
	for _, name := range []string{"acme", "jdoe", "jane", "db01", "10.1.2.", "payroll", "svcaccount", "rlopez", "thinkpad", "shopper", "4567"} {
		if strings.Contains(strings.ToLower(strings.ReplaceAll(out[0], "jdoes", "")), name) {
			t.Errorf("%s is left", name)
		}
	}
	if t.Failed() {
		t.Log(out[0])
	}
	if n := result.Names; n.Users != 4 || n.Groups != 1 || n.Addresses != 4 || n.Mails != 1 {
		t.Errorf("%+v", n)
	}
}

// A run of the output changes nothing, and the number of jobs changes nothing.
func TestNamesOfSeveralInputs(t *testing.T) {
	t.Parallel()
	other := strings.ReplaceAll(shop, "web01", "web02")
	one, _ := withoutNames(t, 1, shop, other)
	many, _ := withoutNames(t, 4, shop, other)
	again, _ := withoutNames(t, 1, one...)
	for i := range one {
		if one[i] != many[i] || one[i] != again[i] {
			t.Errorf("%s\n%s\n%s", one[i], many[i], again[i])
		}
	}
	if !strings.Contains(one[1], `"comment":"user-1"`) || strings.Contains(one[1], `"name":"host-1.`) {
		t.Error(one[1])
	}
}

var (
	anyIPv4 = regexp.MustCompile(`[^\w.](\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3})[^\w.-]`)
	anyMail = regexp.MustCompile(`[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|de)\b`)
	anyHost = regexp.MustCompile(`\b[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|local)\b`)
)

// Nothing that a search by other means takes for a name is left of the sample catalogs, and the
// output is a catalog with as many resources and with edges to them.
func TestNamesOfSamples(t *testing.T) {
	t.Parallel()
	var files []string
	for _, pattern := range []string{"*", "modules/*"} {
		for _, name := range []string{"rich.json", "plain.json", "puppetdb.json", "rich.msgpack", "roundtrip.json"} {
			found, err := filepath.Glob(filepath.Join("..", "testdata", "catalogs", pattern, name))
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, found...)
		}
	}
	if len(files) < 30 {
		t.Fatal(files)
	}
	for _, file := range files {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			to := filepath.Join(t.TempDir(), filepath.Base(file))
			if _, err := redact.File(t.Context(), to, file, redact.Options{}); err != nil {
				t.Skip(err) // a plain catalog with data that looks rich
			}
			if _, err := redact.File(t.Context(), to, file, redact.Options{Names: true}); err != nil {
				t.Fatal(err)
			}
			data, err := os.ReadFile(to)
			if err != nil {
				t.Fatal(err)
			}
			for _, found := range anyIPv4.FindAllSubmatch(data, -1) {
				if a, err := netip.ParseAddr(string(found[1])); err == nil && !isNeutral(a) {
					t.Errorf("the address %s is left", a)
				}
			}
			for _, pattern := range []*regexp.Regexp{anyMail, anyHost} {
				for _, found := range pattern.FindAll(data, -1) {
					t.Errorf("%s is left", found)
				}
			}
			compareStructure(t, file, to)
		})
	}
}

func isNeutral(a netip.Addr) bool {
	for _, net := range []string{"127.0.0.0/8", "0.0.0.0/8", "255.0.0.0/8", "192.0.2.0/24", "198.51.100.0/24", "224.0.0.0/4"} {
		if netip.MustParsePrefix(net).Contains(a) {
			return true
		}
	}
	return false
}

// compareStructure compares the resources of two documents, and looks for users that both have.
func compareStructure(t *testing.T, from, to string) {
	t.Helper()
	before, after := resources(t, from), resources(t, to)
	if len(before) != len(after) {
		t.Errorf("%d resources, before %d", len(after), len(before))
	}
	there := map[catalog.Ref]bool{}
	for i := range after {
		if there[after[i].Ref()] {
			t.Errorf("%s is there twice", after[i].Ref())
		}
		there[after[i].Ref()] = true
		if after[i].Type() != before[i].Type() || fmt.Sprint(after[i].ParameterNames()) != fmt.Sprint(before[i].ParameterNames()) {
			t.Errorf("%s has other parameters than %s", after[i].Ref(), before[i].Ref())
		}
		if before[i].Type() == "User" && before[i].Title() == after[i].Title() && !strings.Contains(after[i].Title(), " ") && after[i].Title() != "root" && !isKept(before, after[i].Title()) {
			t.Errorf("%s keeps its name", before[i].Ref())
		}
	}
}

// isKept reports whether a name is that of a package, a service or a module, too.
func isKept(all []*catalog.Resource, name string) bool {
	return slices.ContainsFunc(all, func(r *catalog.Resource) bool {
		first, _, _ := strings.Cut(strings.ToLower(r.Title()), "::")
		module, _, _ := strings.Cut(strings.ToLower(r.Type()), "::")
		return (r.Type() == "Class" || r.Type() == "Package" || r.Type() == "Service") && first == name || module == name
	})
}

func resources(t *testing.T, file string) (all []*catalog.Resource) {
	t.Helper()
	open, err := catalog.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer open.Close()
	for p, err := range open.Parts() {
		if err != nil {
			t.Fatal(err)
		}
		if p.Kind == catalog.PartResource {
			all = append(all, p.Resource)
		}
	}
	return all
}

// Facts and reports are documents of other kinds.
func TestNamesOfFacts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	from, to := filepath.Join(dir, "in.json"), filepath.Join(dir, "out.json")
	facts := `{"name":"web01.acme.com","values":{"fqdn":"web01.acme.com","hostname":"web01","domain":"acme.com","identity":{"user":"jdoe","group":"payroll"},"networking":{"ip":"10.0.0.1","mac":"52:54:00:ab:cd:ef","interfaces":{"eth0":{"ip6":"fe80::1234:56ff:fe78:9abc","netmask":"255.255.255.0"}}},"kernelversion":"6.1.0"},"timestamp":"2026-11-29T00:00:00Z"}`
	if err := os.WriteFile(from, []byte(facts), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := redact.File(t.Context(), to, from, redact.Options{Names: true}); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(to)
	if err != nil || !json.Valid(data) {
		t.Fatal(err)
	}
	const want = `{"name":"host-1.domain-1.invalid","values":{"fqdn":"host-1.domain-1.invalid","hostname":"host-1","domain":"domain-1.invalid","identity":{"user":"user-1","group":"group-1"},"networking":{"ip":"192.0.2.1","mac":"00:00:5e:00:53:01","interfaces":{"eth0":{"ip6":"2001:db8::1","netmask":"255.255.255.0"}}},"kernelversion":"6.1.0"},"timestamp":"2026-11-29T00:00:00Z"}`
	if got := string(bytes.TrimSpace(data)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// The names in the names of outputs are masked, too.
func TestNamesInFileNames(t *testing.T) {
	t.Parallel()
	d := &document{text: shop}
	var got string
	_, err := redact.Run(context.Background(), inputs(t, []*document{d}), redact.Options{Names: true, Begin: func(mask func(string) string) error {
		got = mask("production/web01.acme.com.json")
		return nil
	}})
	if err != nil || got != "production/host-1.domain-1.invalid.json" {
		t.Error(got, err)
	}
}

// resourceOf returns a catalog with one resource with a parameter.
func resourceOf(name, value string) string {
	return in(`{"type":"Test","title":"t","parameters":{"` + name + `":` + value + `}}`)
}

// Names are replaced in each kind of value, and types stay.
func TestNamesInValues(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{resourceOf("x", `{"__ptype":"URI","__pvalue":"http://web01.acme.com/x"}`), `"x":{"__ptype":"URI","__pvalue":"http://host-2.domain-1.invalid/x"}`},
		{resourceOf("x", `{"__ptype":"Regexp","__pvalue":"^10.0.0.1$"}`), `"x":{"__ptype":"Regexp","__pvalue":"^192.0.2.1$"}`},
		{resourceOf("x", `{"__ptype":"Pcore::EnumType","values":["web01.acme.com","web02"]}`), `"x":"Enum['host-2.domain-1.invalid', 'web02']"`},
		{resourceOf("x", `{"__ptype":"Pcore::TypeReference","type_string":"Enum['web01.acme.com']"}`), `"type_string":"Enum['host-2.domain-1.invalid']"`},
		{
			in(`{"type":"User","title":"deploy","parameters":{"x":{"__ptype":"Pcore::ResourceType","type_name":"Profile::Deploy","title":"deploy"}}}`),
			`"x":"Profile::Deploy['user-1']"`,
		},
		{resourceOf("x", `{"__ptype":"Symbol","__pvalue":"web01.acme.com"}`), `"x":{"__ptype":"Symbol","__pvalue":"host-2.domain-1.invalid"}`},
		{resourceOf("type", `"10.0.0.1"`), `"type":"192.0.2.1"`},
		{resourceOf("title", `"10.0.0.1"`), `"title":"192.0.2.1"`},
		{resourceOf("kind", `["10.0.0.1"]`), `"kind":["192.0.2.1"]`},
		{resourceOf("parameters", `{"a":"10.0.0.1"}`), `"parameters":{"a":"192.0.2.1"}`},
		{resourceOf("sensitive_parameters", `"10.0.0.1"`), `"sensitive_parameters":"192.0.2.1"`},
		{
			in(`{"type":"User","title":"deploy","parameters":{}},{"type":"Profile::Deploy","title":"app","parameters":{}},{"type":"File","title":"/x","parameters":{"require":"Profile::Deploy[app]","owner":"deploy"}}`),
			`"require":"Profile::Deploy[app]","owner":"user-1"`,
		},
		{
			in(`{"type":"Host","title":"192.0.2.1","parameters":{}},{"type":"Host","title":"10.1.2.3","parameters":{}}`),
			`"title":"192.0.2.1","parameters":{}},{"type":"Host","title":"192.0.2.2"`,
		},
		{
			in(`{"type":"Host","title":"a","parameters":{"x":{"10.1.2.3":1,"192.0.2.1":2}}}`),
			`"x":{"192.0.2.2":1,"192.0.2.1":2}`,
		},
		{
			`{"name":"web01.dev","resources":[{"type":"Exec","title":"x > /dev/null","parameters":{}}],"edges":[]}`,
			`{"name":"host-1.domain-1.invalid","resources":[{"type":"Exec","title":"x > /dev/null"`,
		},
	} {
		out, _ := withoutNames(t, 1, c.text)
		if !strings.Contains(out[0], c.want) {
			t.Errorf("%s, want %s", out[0], c.want)
		}
		again, _ := withoutNames(t, 1, out[0])
		if again[0] != out[0] {
			t.Errorf("%s, then %s", out[0], again[0])
		}
	}
}

// The numbers of names do not depend on the schedule: all names are known before the first text is
// written, in values of all kinds, and hosts whose domain is that of a later node.
func TestNamesOfRichValues(t *testing.T) {
	t.Parallel()
	var texts []string
	for i := range 8 {
		texts = append(texts, fmt.Sprintf(`{"name":"web%[1]d.acme%[1]d.prod","resources":[{"type":"Test","title":"t","parameters":{
			"a":{"__ptype":"URI","__pvalue":"http://x%[1]d.acme.com/"},"b":{"__ptype":"Regexp","__pvalue":"^y%[1]d.acme.com$"},
			"c":"db.acme%[2]d.prod","d":{"__ptype":"Pcore::EnumType","values":["z%[1]d.acme.com"]},"e":{"__ptype":"Symbol","__pvalue":"10.0.0.%[1]d"}}}],"edges":[]}`, i, 7-i))
	}
	one, first := withoutNames(t, 1, texts...)
	many, second := withoutNames(t, 4, texts...)
	for i := range one {
		if one[i] != many[i] || strings.Contains(one[i], "acme") || strings.Contains(one[i], "10.0.0") {
			t.Errorf("%s\n%s", one[i], many[i])
		}
	}
	if first.Names != second.Names || first.Names.Addresses != 8 || first.Names.Domains != 9 {
		t.Errorf("%+v, %+v", first.Names, second.Names)
	}
}

// Names that are only in secrets, or in inputs that are not written, have the last numbers and do
// not count.
func TestNamesOutsideOfTheOutput(t *testing.T) {
	t.Parallel()
	other := &document{text: in(`{"type":"User","title":"other","parameters":{}},{"type":"User","title":"both","parameters":{}}`)}
	d := &document{text: in(`{"type":"Db","title":"d","parameters":{"dsn":"mysql://10.0.0.1/home/inside","x":{"__ptype":"Sensitive","__pvalue":"ldap://10.0.0.2/home/inside"},"y":"10.0.0.3"},"sensitive_parameters":["dsn"]},{"type":"User","title":"jdoe","parameters":{"groups":["both"]}}`)}
	all := inputs(t, []*document{other, d})
	all[0].Write = nil
	result, err := redact.Run(t.Context(), all, redact.Options{Names: true, Jobs: 1})
	if err != nil || result.Failures[0] != nil || result.Failures[1] != nil {
		t.Fatal(err, result.Failures)
	}
	for _, want := range []string{`"y":"192.0.2.1"`, `"title":"user-1"`, `"groups":["group-1"]`} {
		if !strings.Contains(d.out.String(), want) {
			t.Errorf("no %s: %s", want, d.out.String())
		}
	}
	if want := (redact.NameCounts{Hosts: 1, Users: 1, Groups: 1, Addresses: 1}); result.Names != want {
		t.Errorf("%+v, want %+v", result.Names, want)
	}
}

// A document that cannot be read when its names are collected has an error without secrets.
func TestNamesOfBrokenInput(t *testing.T) {
	t.Parallel()
	d := &document{text: in(declared)}
	all := inputs(t, []*document{d})
	open := all[0].Open
	calls := 0
	all[0].Open = func(ctx context.Context) (*catalog.Reader, io.Closer, error) {
		if calls++; calls == 2 {
			d.text = in(declared + "," + broken)
		}
		return open(ctx)
	}
	result, err := redact.Run(t.Context(), all, redact.Options{Names: true})
	if err != nil || result.Failures[0] == nil || calls != 2 {
		t.Fatal(err, result.Failures, calls)
	}
	if text := result.Failures[0].Error(); strings.Contains(text, "hunter2") || !strings.Contains(text, "redacted-1-by-pcat") {
		t.Error(text)
	}
}
