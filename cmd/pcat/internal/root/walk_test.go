package root

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/schema"
)

// The tests in this file walk all commands, so that a new command is tested without an entry in a
// table. Only the arguments with which a command reads a catalog are in one: see reads, in which
// TestBrokenJSON misses a new command.

// tree returns all commands.
func tree(t *testing.T) []*cobra.Command {
	t.Helper()
	return NewCmd(cli.Streams(strings.NewReader(""), new(bytes.Buffer), new(bytes.Buffer))).Commands()
}

// printed returns the exit code and the outputs of a run.
func printed(t *testing.T, args ...string) (code cli.ExitCode, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	s := cli.Streams(strings.NewReader(""), &o, &e)
	code = execute(t.Context(), s, NewCmd(s, args...), args)
	return code, o.String(), e.String()
}

// outputs returns the flags of a command for each format of its output.
func outputs(t *testing.T, c *cobra.Command) [][]string {
	t.Helper()
	all := [][]string{nil}
	for _, name := range []string{"json", "jsonl", "long", "total"} {
		if c.Flags().Lookup(name) != nil {
			all = append(all, []string{"--" + name})
		}
	}
	complete, ok := c.GetFlagCompletionFunc("format")
	if !ok {
		return all
	}
	formats, _ := complete(c, nil, "")
	if len(formats) == 0 {
		t.Errorf("%s: --format has no completion", c.Name())
	}
	for _, format := range formats {
		all = append(all, []string{"--format", format})
	}
	return all
}

// argsOf returns the arguments of a run of a command that reads FILE, without the ones for output.
func argsOf(c *cobra.Command, file string) []string {
	args := []string{c.Name()}
	for _, word := range strings.Fields(reads()[c.Name()]) {
		args = append(args, strings.NewReplacer("FILE", file, "OTHER", "old.json", "MODULES", "modules", "KEY", "key.pem").Replace(word))
	}
	return args
}

// puppetsMessage matches the location in a message of Puppet, which is printed as Puppet prints it.
var puppetsMessage = regexp.MustCompile(`\(file: [^)]*\)`)

// Whatever a command prints of a catalog, the manifest is relative, and the command has the flags for
// its root and its links. Other commands print the data of catalogs unchanged.
func TestEveryManifestIsRelative(t *testing.T) {
	const root, path = "/etc/puppetlabs/code/environments/production", "site/profile/manifests/db.pp"
	unchanged := []string{"get", "query", "inspect", "convert", "redact", "resolve", "unseal"}
	withoutManifest := []string{"verify"}
	runner(t)
	catalogs(t, root+"/"+path)
	writeFiles(t, ".", map[string]string{"modules/profile/manifests/db.pp": class})
	for _, c := range tree(t) {
		if _, ok := reads()[c.Name()]; !ok || slices.Contains(unchanged, c.Name()) {
			continue
		}
		hasPath := false
		for _, format := range outputs(t, c) {
			args := append(argsOf(c, "new.json"), format...)
			if c.Name() == "explain" {
				args[len(args)-len(format)-1] = "Class[Profile::Db]"
			}
			code, out, errs := printed(t, args...)
			if code > cli.ExitFindings {
				t.Errorf("pcat %s: got %d, %s", strings.Join(args, " "), code, errs)
			}
			hasPath = hasPath || strings.Contains(out+errs, path)
			all := puppetsMessage.ReplaceAllString(out+errs, "")
			if strings.Contains(all, root) {
				t.Errorf("pcat %s: a manifest is not relative:\n%s", strings.Join(args, " "), all)
			}
			if strings.Contains(all, path) && c.Flags().Lookup("source-root") == nil && c.Name() != "explain" {
				t.Errorf("pcat %s prints a manifest, but has no --source-root and --source-url; add it to locating", strings.Join(args, " "))
			}
		}
		if hasPath == slices.Contains(withoutManifest, c.Name()) {
			t.Errorf("pcat %s prints a manifest: %t; see withoutManifest", c.Name(), hasPath)
		}
	}
}

// A report that a code host shows has one result for a rule and a line of a manifest, however many
// nodes have it.
func TestOneResultForALine(t *testing.T) {
	runner(t)
	catalogs(t, "/etc/puppetlabs/code/environments/production/site/profile/manifests/db.pp")
	for _, name := range []string{"old", "new"} {
		data, err := os.ReadFile(name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		for _, node := range []string{"web01", "web02", "web03"} {
			writeFiles(t, name, map[string]string{node + ".json": strings.ReplaceAll(string(data), `"web01"`, `"`+node+`"`)})
		}
	}
	hosts := map[string]func(*testing.T, string) []string{"sarif": sarifLines, "github": githubLines, "junit": junitLines}
	tested := 0
	for _, c := range tree(t) {
		for _, format := range outputs(t, c) {
			lines, ok := hosts[strings.Join(slices.Clip(format[min(1, len(format)):]), "")]
			if !ok {
				continue
			}
			tested++
			args := append([]string{c.Name()}, format...)
			if c.Name() == "diff" {
				args = append(args, "old")
			}
			_, out, errs := printed(t, append(args, "new")...)
			all := lines(t, out)
			if len(all) == 0 {
				t.Errorf("pcat %s: no results: %s%s", strings.Join(args, " "), out, errs)
			}
			slices.Sort(all)
			if n := len(slices.Compact(slices.Clone(all))); n != len(all) {
				t.Errorf("pcat %s: %d results for %d lines: %q", strings.Join(args, " "), len(all), n, all)
			}
			if format[1] == "sarif" && !strings.Contains(strings.Join(strings.Fields(out), ""), `"nodes":["web01","web02","web03"]`) {
				t.Errorf("pcat %s: the nodes are not in the properties: %s", strings.Join(args, " "), out)
			}
		}
	}
	if tested < 5 {
		t.Errorf("%d reports for code hosts were tested", tested)
	}
}

// sarifLines returns the rule and the line of each result.
func sarifLines(t *testing.T, out string) (all []string) {
	t.Helper()
	var log struct {
		Runs []struct {
			Results []struct {
				RuleID    string
				Locations []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           struct{ StartLine json.Number }
					}
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(out), &log); err != nil {
		t.Error(err)
		return nil
	}
	for _, r := range log.Runs[0].Results {
		at := r.Locations[0].PhysicalLocation
		all = append(all, r.RuleID+" "+at.ArtifactLocation.URI+":"+at.Region.StartLine.String())
	}
	return all
}

// githubLines returns the properties of each annotation, which have the line and the rule.
func githubLines(_ *testing.T, out string) (all []string) {
	for _, m := range regexp.MustCompile(`(?m)^::\w+ (.*?)::`).FindAllStringSubmatch(out, -1) {
		all = append(all, m[1])
	}
	return all
}

// junitLines returns the names of the test cases.
func junitLines(t *testing.T, out string) (all []string) {
	t.Helper()
	var suites struct {
		Suites []struct {
			Cases []struct {
				Name  string `xml:"name,attr"`
				Class string `xml:"classname,attr"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal([]byte(out), &suites); err != nil {
		t.Error(err)
	}
	for _, suite := range suites.Suites {
		for _, c := range suite.Cases {
			all = append(all, c.Class+" "+c.Name)
		}
	}
	return all
}

// expressionFlags returns the flags of a command that take an expression of the Puppet language.
func expressionFlags(c *cobra.Command) (all []*pflag.Flag) {
	others := []string{"by", "infer", "instance", "accepts", "common"} // their values have other names in help
	c.Flags().VisitAll(func(f *pflag.Flag) {
		name, _ := pflag.UnquoteUsage(f)
		if f.Value.Type() != "bool" && (strings.Contains(name, "EXPR") || slices.Contains(others, f.Name)) {
			all = append(all, f)
		}
	})
	return all
}

// A match or a comparison with a value that is missing is false, in each expression about resources;
// with --strict, it is an error. The other resources are searched, and nothing is printed about it.
func TestExpressionsAboutMissingValues(t *testing.T) {
	runner(t)
	catalogs(t, "site.pp")
	tested := 0
	for _, c := range tree(t) {
		if _, ok := reads()[c.Name()]; !ok {
			continue
		}
		for _, f := range expressionFlags(c) {
			e := "$parameters[nothing] =~ /x/"
			if c.Name() == "diff" {
				e = "$lines =~ /x/" // of a value without lines
			}
			tested++
			args := append(argsOf(c, "new.json"), "--"+f.Name, e)
			if code, _, errs := printed(t, args...); code > cli.ExitFindings || strings.Contains(errs, "operator") {
				t.Errorf("pcat %q: got %d, %s", args, code, errs)
			}
			if code, _, errs := printed(t, append(args, "--strict")...); code != cli.ExitBadInput || strings.Count(errs, "pcat: ") != 1 {
				t.Errorf("pcat %q --strict: got %d, %s", args, code, errs)
			}
		}
	}
	if tested < 6 {
		t.Errorf("%d flags were tested", tested)
	}
}

// A command that takes FILE and then a reference takes any spelling of Puppet, a title and a name; it
// lists the resources that a title means, suggests a similar one, and a shell completes references.
func TestEverySpelling(t *testing.T) {
	runner(t)
	writeFiles(t, ".", map[string]string{"new.json": `{"name":"web01","resources":[
		{"type":"Class","title":"Site::Web","parameters":{"db_password":"n7Hq-vL2pX"}},
		{"type":"File","title":"motd","parameters":{"path":"/etc/motd","content":"password = k9Xw-Tq4Zr\n"}},
		{"type":"Package","title":"web"},{"type":"Service","title":"web"}],"edges":[]}`})
	bothOrders := []string{"graph", "show"} // the file can also be the last argument
	usage := regexp.MustCompile(`\bFILE\b.* \[?(REFERENCE|PATH)\b`)
	tested := 0
	for _, c := range tree(t) {
		if !usage.MatchString(c.Use) {
			continue
		}
		tested++
		for ref, spellings := range map[string][]string{
			"File[motd]":       {"File[/etc/motd]", `file["/etc/motd/"]`, "::File['/etc/motd']", "FILE[ 'motd' ]", "motd", "/etc/motd"},
			"Class[Site::Web]": {"class[::site::web]", `Class["site::web"]`, "site::web", "Site::Web"},
		} {
			code, want, errs := printed(t, c.Name(), "new.json", ref)
			if code > cli.ExitFindings || want == "" {
				t.Errorf("%s %s: got %d, %s", c.Name(), ref, code, errs)
			}
			for _, spelling := range spellings {
				if code, out, errs := printed(t, c.Name(), "new.json", spelling); out != want {
					t.Errorf("pcat %s new.json %s: got %d, %s%s\nwant %s", c.Name(), spelling, code, out, errs, want)
				}
			}
		}
		if code, _, errs := printed(t, c.Name(), "new.json", "web"); code != cli.ExitUsage || !strings.Contains(errs, "Package[web], Service[web]") {
			t.Errorf("pcat %s new.json web: got %d, %s", c.Name(), code, errs)
		}
		if code, _, errs := printed(t, c.Name(), "new.json", "File[/etc/mtod]"); code != cli.ExitFindings || !strings.Contains(errs, "did you mean File[motd]?") {
			t.Errorf("pcat %s new.json File[/etc/mtod]: got %d, %s", c.Name(), code, errs)
		}
		code, _, errs := printed(t, c.Name(), "File[motd]", "new.json")
		switch {
		case slices.Contains(bothOrders, c.Name()) && code == cli.ExitDone:
		case code != cli.ExitUsage || !strings.Contains(errs, "pcat "+c.Name()+" new.json 'File[motd]'"):
			t.Errorf("pcat %s File[motd] new.json: got %d, %s", c.Name(), code, errs)
		}
		if _, out, _ := printed(t, "__complete", c.Name(), "new.json", "Se"); !strings.Contains(out, "Service[\n") {
			t.Errorf("pcat %s new.json Se: completed %q", c.Name(), out)
		}
	}
	if tested < 5 {
		t.Errorf("%d commands were tested", tested)
	}
}

// A command has a schema if it prints JSON, and each command says whether it does.
func TestEveryJSONHasASchema(t *testing.T) {
	page, err := os.ReadFile("../../../../docs/command.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range allCommands(NewCmd(cli.Streams(strings.NewReader(""), new(bytes.Buffer), new(bytes.Buffer)))) {
		name := strings.TrimPrefix(c.CommandPath(), "pcat ")
		document, stream := c.Flags().Lookup("json") != nil, c.Flags().Lookup("jsonl") != nil
		for lines, flag := range map[bool]bool{false: document, true: stream} {
			if !flag {
				continue
			}
			if name == "schema" { // --jsonl selects the schema
				continue
			}
			_, err := schema.Of(name, lines)
			if err != nil { // a schema of all commands below the first
				_, err = schema.Of(strings.Fields(name)[0], lines)
			}
			if err != nil {
				t.Errorf("pcat %s prints JSON (lines: %t), but has no schema: %v", name, lines, err)
			}
		}
		command, _, _ := strings.Cut(name, " ")
		row := regexp.MustCompile("(?m)^\\| `" + command + "` \\| (.*?) \\| (.*?) \\|").FindStringSubmatch(string(page))
		switch {
		case !c.HasParent() || c.Name() == "help" || c.HasParent() && c.Parent().Name() == "help", name == "schema":
		case row == nil:
			t.Errorf("pcat %s: the table of docs/command.md has no row for it", name)
		case document && !strings.Contains(row[1], "`--json`") || stream && !strings.Contains(row[2], "`--jsonl`"):
			t.Errorf("pcat %s: has --json %t and --jsonl %t, but the table of docs/command.md says %q and %q", name, document, stream, row[1], row[2])
		}
	}
}

// Flags use the words of the glossary.
func TestFlagWords(t *testing.T) {
	for _, c := range allCommands(NewCmd(cli.Streams(strings.NewReader(""), new(bytes.Buffer), new(bytes.Buffer)))) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			text := strings.ReplaceAll(strings.ToLower(f.Name+" "+f.Usage), "in-place", "") // as other programs call it
			if regexp.MustCompile(`\b(forms?|places?)\b`).MatchString(text) {
				t.Errorf("%s --%s: %s", c.CommandPath(), f.Name, f.Usage)
			}
		})
	}
}
