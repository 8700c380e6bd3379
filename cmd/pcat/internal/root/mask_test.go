package root

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
	"github.com/pcatdev/pcat/pcore"
)

// printsValues are the commands that print values of catalogs, with arguments of which the
// output has undeclared secrets: OLD and NEW are catalogs of a node, DIR a directory with
// several, TITLE a resource, MODULES a module path and FILE an output.
func printsValues() map[string][]string {
	return map[string][]string{
		"check":    {"NEW", "--json NEW", "--jsonl NEW", "--format sarif NEW", "--brief DIR"},
		"convert":  {"-t json --ledger - -o FILE NEW", "-t yaml --ledger - -o FILE NEW"},
		"deferred": {"NEW", "--json NEW", "--total DIR", "--policy POLICY NEW"},
		"diff": {
			"OLD NEW", "--format json OLD NEW", "--format jsonl OLD NEW", "--format markdown OLD NEW", "--format html OLD NEW", "--format sarif OLD NEW", "--full --side-by-side OLD NEW", "--name-only OLD NEW", "--stat OLD NEW",
			"--key-file KEY --format json OLD NEW", "OLD MSGPACK", "YAML NEW", "--against OLD DIR", "DIR DIR2", "NEW OLD", "--explain --profile content OLD NEW",
		},
		"get":     {"-r NEW File[/etc/app.ini]/content", "NEW File[/etc/app.ini]", "NEW resources", "NEW @this", "-r NEW Class[Db]/admin_password", "NEW resources.#.title", "NEW edges"},
		"graph":   {"NEW", "--format html NEW", "--json NEW", "--format mermaid NEW", "--format graphml NEW", "--diff OLD NEW", "--diff --format html OLD NEW", "--what containment NEW"},
		"inspect": {"NEW", "--json NEW", "--total DIR", "--json --total DIR", "--biggest 50 NEW"},
		"ls":      {"NEW", "MSGPACK", "YAML", "--long NEW", "--json NEW", "DIR", "--long DIR", "--each DIR", "NEW Exec", "NEW --where $type==exec", "--order NEW", "--order --json NEW", "--long --where $parameters DIR"},
		"query": {
			"NEW", "--json NEW", "-r -e $parameters[content] NEW", "-e $parameters NEW", "--json -e $title NEW", "--csv $title,$parameters NEW", "--by $parameters[password] DIR", "--by title NEW", "DIR", "--total -e $parameters DIR",
			"-e [$container,$requires,$notifies,$tags,$file] NEW", "--group-by $parameters[password] DIR", "--json --group-by [1] DIR", "--missing $type==nothing DIR",
		},
		"show":     {"NEW File[/etc/app.ini]", "MSGPACK File[/etc/app.ini]", "YAML File[/etc/app.ini]", "--json NEW File[/etc/app.ini]", "--all NEW Class[Db]", "DIR File[/etc/app.ini] Class[Db] User[app]", "NEW TITLE", "NEW File[/etc/app.ini]/content"},
		"validate": {"--modulepath MODULES NEW", "--modulepath MODULES --json NEW", "--modulepath MODULES DIR"},
		"why":      {"NEW TITLE", "--json NEW TITLE", "--json DIR TITLE", "NEW Class[Db]", "NEW File[/etc/app.ini]"},
	}
}

// printsNone are the commands that print no values of catalogs, and why.
func printsNone() map[string]string {
	const noCatalog, writes = "reads no catalog", "writes or sends catalogs as they are, which is its purpose"
	return map[string]string{
		"audit":      "masks what it finds itself; --show-secrets asks for it",
		"explain":    "like audit",
		"redact":     "writes catalogs without what the audit finds; --only declared asks for less",
		"verify":     "prints locations, kinds and sizes, never a value",
		"fetch":      writes,
		"resolve":    writes,
		"submit":     writes,
		"unseal":     writes,
		"eval":       "prints values of expressions, not of catalogs",
		"lookup":     "prints data of Hiera, not of catalogs; decrypted values are Sensitive",
		"type":       noCatalog,
		"affected":   noCatalog,
		"compile":    noCatalog,
		"list":       noCatalog,
		"schema":     noCatalog,
		"completion": "completes titles only if nothing in them is masked",
		"man":        noCatalog,
		"version":    noCatalog,
		"help":       noCatalog,
	}
}

// TestEveryCommandMasks checks that no command forgets to mask what an audit finds.
func TestEveryCommandMasks(t *testing.T) {
	s := cli.Streams(strings.NewReader(""), new(bytes.Buffer), new(bytes.Buffer))
	prints, none := printsValues(), printsNone()
	var visit func(c *cobra.Command)
	visit = func(c *cobra.Command) {
		top := c
		for top.HasParent() && top.Parent().HasParent() {
			top = top.Parent()
		}
		_, printing := prints[top.Name()]
		hasFlag := c.Flags().Lookup(document.MaskFlag) != nil
		switch {
		case !c.HasParent():
		case printing == (none[top.Name()] != ""):
			t.Errorf("%s: it must be either in printsValues or, with the reason, in printsNone", c.CommandPath())
		case printing != hasFlag:
			t.Errorf("%s: prints values: %t, has --%s: %t; call AddMaskFlag", c.CommandPath(), printing, document.MaskFlag, hasFlag)
		}
		for _, sub := range c.Commands() {
			visit(sub)
		}
	}
	visit(NewCmd(s))
	if len(prints)+len(none) < 20 {
		t.Error("there are no commands")
	}
}

// fails are commands that end with an error that has a title, a key or a value, or with a
// suggestion.
func fails() []string {
	return []string{
		"query -e $parameters[content].unique DIR", "query -e $parameters[password]+1 NEW", "query -e fail($title) NEW", "query -e fail($parameters[content]) OLD", "query --fail-on any -e $title==x NEW",
		"convert -t puppetdb NEW", "convert -t json --strict NEW", "convert -t json -o FILE NEW", "resolve NEW", "resolve --trace NEW", "resolve --keep-unresolved -o FILE NEW",
		"resolve --report REPORT NEW", "resolve --policy SKIPPING --report REPORT -o FILE NEW", "resolve --policy DEFAULT --report REPORT --trace -o FILE NEW",
		"get NEW Exec[mysql]", "get NEW Class[Db]/admin", "show NEW Exec[mysql]", "show NEW File[/etc/app.in]", "show NEW Class[Db]/options/x", "why NEW Exec[mysql]", "graph NEW Exec[mysql]", "ls NEW Exec[mysql]", "verify NEW", "verify --json NEW",
		"diff OLD DIR", "diff OLD BROKEN", "ls BROKEN", "ls --json NEW BROKEN", "show BROKEN File[/etc/app.ini]", "get BROKEN name", "check BROKEN", "deferred BROKEN", "inspect BROKEN", "query -e $title BROKEN", "validate --modulepath MODULES BROKEN", "graph BROKEN",
		"verify BROKEN", "convert -t rich-msgpack -o FILE BROKEN", "resolve -o FILE BROKEN",
	}
}

// undeclared returns a catalog with secrets that it does not declare, of all kinds, with copies
// in all locations that a report shows.
func undeclared(node, strong, weak string) string {
	return fmt.Sprintf(`{"name":%[1]q,"environment":"production","version":1,"classes":["db"],"tags":["x-%[2]s"],"resources":[
 {"type":"Stage","title":"main","parameters":{}},
 {"type":"Class","title":"Db","file":"/m/db-%[2]s.pp","line":3,"tags":["db","%[2]s"],"parameters":{"admin_password":%[2]q,"password":%[3]q,"options":{"%[2]s":{"user":"app","secret_key":"%[2]s"}},"urls":["https://app:%[2]s@db.example.com/"]}},
 {"type":"File","title":"/etc/app.ini","file":"/m/db.pp","line":7,"parameters":{"ensure":"file","mode":"0644","content":"[db]\nhost = db\nuser = app\npassword = %[2]s\n[old]\npassword = %[3]s\n[api]\ntoken = ghp_%[4]s\n"}},
 {"type":"File","title":"/etc/app.json","file":"/m/db.pp","line":7,"parameters":{"content":"{\"db\": {\"password\": \"%[2]s\", \"port\": 1}}"}},
 {"type":"Exec","title":"mysql -p%[2]s -e 'x'","file":"/m/db.pp","line":9,"parameters":{"path":"/bin","environment":["MYSQL_PWD=%[2]s"],"require":"File[/etc/app.ini]","notify":"User[app]","creates":"/var/%[2]s"}},
 {"type":"Exec","title":"notice","parameters":{"command":"/bin/echo %[2]s | passwd --stdin","subscribe":"Exec[mysql -p%[2]s -e 'x']"}},
 {"type":"User","title":"app","file":"/m/db.pp","line":12,"parameters":{"password":%[3]q,"comment":"not %[2]s","require":"Exec[missing %[2]s]"}},
 {"type":"My::Thing","title":"t","parameters":{"password":%[3]q,"other":%[2]q,"time":{"__ptype":"Timestamp","__pvalue":"2020-01-01T00:00:00.000000000 UTC"},"list":[{"__ptype":"Regexp","__pvalue":%[2]q}]}},
 {"type":"My::Thing","title":"%[2]s","parameters":{"when":{"__ptype":"Deferred","name":"f_%[2]s","arguments":["%[2]s"]}}}
],"edges":[{"source":"Stage[main]","target":"Class[Db]"},{"source":"Class[Db]","target":"File[/etc/app.ini]"},{"source":"Class[Db]","target":"Exec[mysql -p%[2]s -e 'x']"},{"source":"Class[Db]","target":"My::Thing[%[2]s]"}]}`,
		node, strong, weak, strings.Repeat(strong[:4]+"xY7q", 5)[:36])
}

// maskFiles writes the files of printsValues, and returns a function that replaces their names
// in arguments, and the secrets that an audit finds.
func maskFiles(t *testing.T) (args func(string) []string, secrets []string) {
	t.Helper()
	dir := t.TempDir()
	const oldStrong, newStrong = "Kestrel-4417-moor", "Heron-8813-fjord"
	files := map[string]string{
		"old.json":                      undeclared("web01", oldStrong, "dummypassword"),
		"new.json":                      strings.Replace(undeclared("web01", newStrong, "changeme"), `"0644"`, `"0600"`, 1),
		"dir/web01.json":                undeclared("web01", newStrong, "changeme"),
		"dir/web02.json":                undeclared("web02", "Otter-9944-reed", "dummypassword"),
		"dir2/web01.json":               undeclared("web01", oldStrong, "dummypassword"),
		"dir2/web02.json":               undeclared("web02", "Otter-9944-reed", "dummypassword"),
		"modules/my/manifests/thing.pp": "define my::thing(Enum['a', 'b'] $password = 'a', Integer $other = 1, Any $time = 1, Any $list = 1, Any $when = 1) {}",
		"modules/db/manifests/init.pp":  "class db(Enum['a', 'b'] $password = 'a', Integer $admin_password = 1, Any $options = 1, Any $urls = 1) {}",
		"key":                           "a key of the test",
		"broken.json":                   strings.Replace(undeclared("web01", newStrong, "changeme"), `"list":[{"__ptype":"Regexp"`, `"list":[{"__ptype":"Timestamp"`, 1),
		"skipping.yaml":                 "rules: [{on_failure: skip}]\n",
		"default.yaml":                  "rules: [{on_failure: default, default: " + newStrong + "}]\n",
		"policy.yaml":                   "allow: [nothing]\nmust_be_sensitive: ['*']\nno_clear_credentials: true\n",
	}
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	a, err := audit.New(audit.Options{KeepSecrets: true})
	if err != nil {
		t.Fatal(err)
	}
	var inputs []audit.Input
	for name, text := range files {
		if strings.HasSuffix(name, ".json") && name != "broken.json" {
			inputs = append(inputs, audit.Document(name, []byte(text)))
		}
	}
	found, err := a.Run(context.Background(), inputs)
	if err != nil || len(found.Failures) > 0 {
		t.Fatal(err, found.Failures)
	}
	for _, f := range found.Findings {
		if f.Secret != nil {
			text, _ := f.Secret.Reveal().(pcore.String)
			secrets = append(secrets, string(text))
		}
	}
	slices.Sort(secrets)
	secrets = slices.Compact(secrets)
	convert := func(format, name string) {
		var errs bytes.Buffer
		words := []string{"convert", "-t", format, filepath.Join(dir, "new.json"), "-o", filepath.Join(dir, name)}
		if code := execute(t.Context(), cli.Streams(strings.NewReader(""), &errs, &errs), NewCmd(cli.Streams(strings.NewReader(""), &errs, &errs), words...), words); code != cli.ExitDone {
			t.Fatal(errs.String())
		}
	}
	convert("rich-msgpack", "new.msgpack")
	convert("yaml", "new.yaml")
	names := strings.NewReplacer("BROKEN", filepath.Join(dir, "broken.json"), "OLD", filepath.Join(dir, "old.json"), "NEW", filepath.Join(dir, "new.json"), "DIR2", filepath.Join(dir, "dir2"), "DIR", filepath.Join(dir, "dir"),
		"MODULES", filepath.Join(dir, "modules"), "POLICY", filepath.Join(dir, "policy.yaml"), "SKIPPING", filepath.Join(dir, "skipping.yaml"), "DEFAULT", filepath.Join(dir, "default.yaml"),
		"REPORT", filepath.Join(dir, "report"), "FILE", filepath.Join(dir, "out"),
		"KEY", filepath.Join(dir, "key"), "MSGPACK", filepath.Join(dir, "new.msgpack"), "YAML", filepath.Join(dir, "new.yaml"))
	return func(line string) []string {
		all := strings.Fields(names.Replace(line))
		for i, arg := range all {
			if arg == "TITLE" {
				all[i] = "Exec[mysql -p" + newStrong + " -e 'x']"
			}
		}
		return all
	}, secrets
}

// TestFoundSecretsAreMasked runs each command that prints values on catalogs with undeclared
// secrets, and checks that neither the output nor a message has one.
func TestFoundSecretsAreMasked(t *testing.T) {
	args, secrets := maskFiles(t)
	if len(secrets) < 7 {
		t.Fatalf("the audit finds %d secrets, which tests nothing: %q", len(secrets), secrets)
	}
	const note = "secrets that no catalog declares are masked"
	leaks := func(text string) string {
		for _, secret := range secrets {
			if i := strings.Index(text, secret); i >= 0 {
				return fmt.Sprintf("%q in: %.400s", secret, text[max(0, i-150):])
			}
		}
		return ""
	}
	for name, lines := range printsValues() {
		shown := 0
		for _, line := range lines {
			all := append([]string{name}, args(line)...)
			run := func(more ...string) (stdout, stderr string) {
				var out, errs bytes.Buffer
				words := append(slices.Clone(all), more...)
				if code := execute(t.Context(), cli.Streams(strings.NewReader(""), &out, &errs), NewCmd(cli.Streams(strings.NewReader(""), &out, &errs), words...), words); code > cli.ExitFindings {
					t.Errorf("%s %s %v: exit code %d: %s", name, line, more, code, errs.String())
				}
				return out.String(), errs.String()
			}
			out, errs := run("-vv")
			if leak := leaks(out); leak != "" {
				t.Errorf("%s %s: %s", name, line, leak)
			}
			if leak := leaks(errs); leak != "" {
				t.Errorf("%s %s: message: %s", name, line, leak)
			}
			plain, declared := run("--mask", "declared")
			if leaks(plain) != "" {
				shown++
			}
			if strings.Contains(out, "-by-pcat") != (strings.Count(errs, note) == 1) || strings.Contains(declared, note) {
				t.Errorf("%s %s: the output has a marker: %t; messages: %s", name, line, strings.Contains(out, "-by-pcat"), errs)
			}
		}
		if shown == 0 {
			t.Errorf("%s prints no secret with --mask declared, which tests nothing", name)
		}
	}
}

// TestFoundSecretsInErrors checks that errors and suggestions have no undeclared secret, also
// those of documents that end anywhere.
func TestFoundSecretsInErrors(t *testing.T) {
	args, secrets := maskFiles(t)
	run := func(all ...string) (code cli.ExitCode, stderr string) {
		var out, errs bytes.Buffer
		s := cli.Streams(strings.NewReader(""), &out, &errs)
		code = execute(t.Context(), s, NewCmd(s, all...), all)
		return code, errs.String()
	}
	check := func(where, text string) {
		t.Helper()
		for _, secret := range secrets {
			if i := strings.Index(text, secret); i >= 0 {
				t.Errorf("%s: %q in: %.400s", where, secret, text[max(0, i-150):])
				return
			}
		}
	}
	for _, line := range fails() {
		code, errs := run(append(args(line), "-vv")...)
		if code == cli.ExitUsage || code == cli.ExitInternal {
			t.Errorf("%s: exit code %d: %s", line, code, errs)
		}
		check(line, errs)
		if strings.Contains(line, "REPORT") {
			report, err := os.ReadFile(args("REPORT")[0])
			if err != nil || !strings.Contains(string(report), `"outcome":`) {
				t.Errorf("%s: there is no report: %v, %s", line, err, report)
			}
			check(line+": the report", string(report))
		}
	}
	text := undeclared("web01", "Heron-8813-fjord", "changeme")
	cut := filepath.Join(t.TempDir(), "cut.json")
	for n := 0; n < len(text); n += 23 {
		if err := os.WriteFile(cut, []byte(text[:n]+`",,]}`), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, command := range []string{"ls --json", "convert -t rich-msgpack -o " + os.DevNull, "query -e $title"} {
			_, errs := run(append(strings.Fields(command), cut, "-vv")...)
			check(fmt.Sprintf("%s, cut at %d", command, n), errs)
		}
	}
}
