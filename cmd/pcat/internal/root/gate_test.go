package root

import (
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
)

// ladders are the steps of --fail-on of each command that has it.
func ladders() map[string]string {
	return map[string]string{
		"audit":    "info < low < medium < high < critical",
		"check":    "hint < warning < error",
		"deferred": "late < violation",
		"diff":     "any < write < restart < danger",
		"query":    "any",
		"redact":   "any < undeclared",
		"validate": "any",
		"verify":   "lossy < changed",
	}
}

// reads are the arguments with which a command reads the catalog FILE, of each command that does.
func reads() map[string]string {
	return map[string]string{
		"audit": "FILE", "check": "FILE", "convert": "-t yaml FILE", "deferred": "FILE", "diff": "OTHER FILE", "explain": "FILE File[/a]", "get": "FILE name",
		"graph": "FILE", "inspect": "FILE", "ls": "FILE", "query": "FILE", "redact": "--check FILE", "resolve": "FILE", "show": "FILE File[/a]",
		"unseal": "--key KEY FILE", "validate": "--modulepath MODULES FILE", "verify": "FILE", "why": "FILE File[/a]",
	}
}

// readsNothing are the other commands, and submit, which needs a server.
func readsNothing() []string {
	return []string{"submit", "fetch", "affected", "compile", "eval", "lookup", "type", "list", "schema", "completion", "man", "version"}
}

// runner runs commands on a catalog in a temporary directory.
func runner(t *testing.T) func(file string, words ...string) (cli.ExitCode, string) {
	t.Helper()
	t.Chdir(t.TempDir())
	private, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	key := pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(private)})
	const catalog = `{"name":"web01","resources":[{"type":"File","title":"/a","parameters":{"mode":"0644"}}],"edges":[]}`
	for name, text := range map[string]string{
		"ok.json":    catalog,
		"other.json": catalog,
		"comma.json": "{\"name\":\"web01\",\n \"resources\":[\n  {\"type\":\"File\",\"title\":\"/a\",\"parameters\":{\"mode\":\"0644\",}}],\"edges\":[]}",
		"cut.json":   "{\"name\":\"web01\",\n \"resources\":[\n  {\"type\":\"File\",\"title\":\"/a\"",
		"after.json": catalog + "\n x",
		"key.pem":    string(key),
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll("modules/my/manifests", 0o700); err != nil {
		t.Fatal(err)
	}
	return func(file string, words ...string) (cli.ExitCode, string) {
		names := strings.NewReplacer("FILE", file, "OTHER", "other.json", "MODULES", "modules", "KEY", "key.pem")
		args := make([]string, len(words))
		for i, word := range words {
			args[i] = names.Replace(word)
		}
		var out, errs bytes.Buffer
		s := cli.Streams(strings.NewReader(""), &out, &errs)
		code := execute(t.Context(), s, NewCmd(s, args...), args)
		return code, errs.String()
	}
}

// TestGates checks that each command with --fail-on has a ladder in its help and in the
// documentation, accepts none, and lists the steps for an unknown one.
func TestGates(t *testing.T) {
	page, err := os.ReadFile("../../../../docs/command.md")
	if err != nil {
		t.Fatal(err)
	}
	run := runner(t)
	s := cli.Streams(strings.NewReader(""), new(bytes.Buffer), new(bytes.Buffer))
	all := ladders()
	for _, c := range NewCmd(s).Commands() {
		name, flag := c.Name(), c.Flags().Lookup(cli.GateFlag)
		ladder, known := all[name]
		if (flag != nil) != known {
			t.Errorf("%s: has --fail-on: %t; add its ladder to this test and to docs/command.md", name, flag != nil)
		}
		if flag == nil || !known {
			continue
		}
		if want := ladder + "; none for never"; !strings.Contains(flag.Usage, want) {
			t.Errorf("%s: the help does not contain %q: %s", name, want, flag.Usage)
		}
		if row := "| `" + name; !slices.ContainsFunc(strings.Split(string(page), "\n"), func(line string) bool {
			return strings.HasPrefix(line, row) && strings.Contains(line, "`"+ladder+"`")
		}) {
			t.Errorf("docs/command.md has no row %s` … with `%s`", row, ladder)
		}
		args := append([]string{name}, strings.Fields(reads()[name])...)
		for _, step := range append(strings.Split(ladder, " < "), "none") {
			code, message := run("ok.json", append(args, "--fail-on", step)...)
			if code == cli.ExitUsage || code == cli.ExitFindings && step == "none" || code > cli.ExitFindings && name != "validate" {
				t.Errorf("%s --fail-on %s: got %d, %s", name, step, code, message)
			}
		}
		code, message := run("ok.json", append(args, "--fail-on", "nonsense")...)
		if code != cli.ExitUsage || !strings.Contains(message, "--fail-on nonsense: unknown ") || !strings.Contains(message, strings.ReplaceAll(ladder, " < ", ", ")) {
			t.Errorf("%s --fail-on nonsense: got %d, %s", name, code, message)
		}
	}
}

// TestBrokenJSON checks that each command that reads catalogs reports broken JSON in the same
// words, with the location, the line and the column.
func TestBrokenJSON(t *testing.T) {
	run := runner(t)
	s := cli.Streams(strings.NewReader(""), new(bytes.Buffer), new(bytes.Buffer))
	for _, c := range NewCmd(s).Commands() {
		args, reads := reads()[c.Name()]
		if !reads {
			if !slices.Contains(readsNothing(), c.Name()) && c.Name() != "help" {
				t.Errorf("%s: does it read catalogs? add it to this test", c.Name())
			}
			continue
		}
		for file, want := range map[string]string{
			"comma.json": "pcat: comma.json: File[/a]/parameters: invalid JSON at line 3, column 59: unexpected '}', expected a value after the comma\n",
			"cut.json":   "pcat: cut.json: File[/a]: invalid JSON at line 3, column 30: unexpected end of input\n",
			"after.json": "pcat: after.json: invalid JSON at line 2, column 2: unexpected data after the end of the document\n",
		} {
			code, message := run(file, append([]string{c.Name()}, strings.Fields(args)...)...)
			if code != cli.ExitBadInput || message != want {
				t.Errorf("%s %s: got %d, %q, want %q", c.Name(), file, code, message, want)
			}
		}
	}
}

// TestBrokenExpressions checks that a syntax error in an expression is a usage error in each
// flag that takes one.
func TestBrokenExpressions(t *testing.T) {
	run := runner(t)
	s := cli.Streams(strings.NewReader(""), new(bytes.Buffer), new(bytes.Buffer))
	tested := 0
	for _, c := range NewCmd(s).Commands() {
		for _, flag := range expressionFlags(c) {
			tested++
			name, e := flag.Name, "1 +"
			if value, _ := pflag.UnquoteUsage(flag); strings.HasPrefix(value, "NAME=") {
				e = "x=1 +"
			}
			args := append([]string{c.Name()}, strings.Fields(reads()[c.Name()])...)
			if c.Name() == "type" && name != "infer" {
				args = append(args, "Integer")
			}
			if c.Name() == "lookup" {
				args = append(args, "key", "--hiera", ".")
			}
			code, message := run("ok.json", append(args, "--"+name, e)...)
			if code != cli.ExitUsage || !strings.Contains(message, ":1:") || !strings.Contains(message, "Syntax error") {
				t.Errorf("%s --%s '1 +': got %d, %s", c.Name(), name, code, message)
			}
		}
	}
	if tested < 12 {
		t.Errorf("%d flags were tested", tested)
	}
}

// TestNeeds checks that the flags of the conditions exist.
func TestNeeds(t *testing.T) {
	s := cli.Streams(strings.NewReader(""), new(bytes.Buffer), new(bytes.Buffer))
	all := NewCmd(s).Commands()
	for _, n := range needs() {
		for _, name := range n.flags {
			found := 0
			for _, c := range all {
				if (n.commands == nil || slices.Contains(n.commands, c.Name())) && c.Flags().Lookup(name) != nil {
					found++
				}
			}
			if found == 0 || found < len(n.commands) {
				t.Errorf("--%s of %v: %d commands have it", name, n.commands, found)
			}
		}
	}
	for other, command := range otherNames() {
		if !slices.ContainsFunc(all, func(c *cobra.Command) bool { return c.Name() == command }) {
			t.Errorf("%s: no command %s", other, command)
		}
		if slices.ContainsFunc(all, func(c *cobra.Command) bool { return c.Name() == other }) {
			t.Errorf("%s is a command", other)
		}
	}
}
