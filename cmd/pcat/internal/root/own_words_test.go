package root

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
)

// ordinary is a catalog with most that a command prints something about. PASSWORDS are
// secrets.
const ordinary = `{"name":"n1","version":1,"environment":"e1","catalog_format":2,"tags":["settings"],"resources":[
 {"type":"Stage","title":"main","tags":["stage"],"parameters":{"name":"main"}},
 {"type":"Class","title":"Aa","tags":["class","aa"],"file":"/x/aa.pp","line":3,"parameters":{"zz":1}},
 {"type":"Qq::Ww","title":"d1","tags":["d1"],"file":"/x/ww.pp","line":4,"parameters":{}},
 {"type":"File","title":"/x/f1","tags":["file"],"file":"/x/aa.pp","line":5,"parameters":{"ensure":"file","content":"l1\nl2\nl3\n","mode":"0644","owner":"root","notify":"Service[s1]"}},
 {"type":"File","title":"/x","tags":["file"],"file":"/x/aa.pp","line":5,"parameters":{"ensure":"directory"}},
 {"type":"Service","title":"s1","tags":["service"],"file":"/x/aa.pp","line":7,"parameters":{"ensure":"running","subscribe":["File[/x]"],"before":"Exec[e1]"}},
 {"type":"Exec","title":"e1","tags":["exec"],"file":"/x/aa.pp","line":8,"virtual":true,"exported":true,"parameters":{"command":"/bin/true","refreshonly":true,"b":{"__ptype":"Binary","__pvalue":"AAECAw=="},"t":{"__ptype":"Timestamp","__pvalue":"2020-01-01T00:00:00.000000000 UTC"}}},
 {"type":"Exec","title":"c1","tags":["exec"],"parameters":{"command":"/bin/a","require":"Exec[c2]","x":{"__ptype":"Deferred","name":"sprintf","arguments":["a%s",{"__ptype":"Deferred","name":"vault_lookup::lookup","arguments":["k"]}]},"y":[1,2,{"u":"v"}],"z":null,"w":true}},
 {"type":"Exec","title":"c2","tags":["exec"],"parameters":{"command":"/bin/b","require":"Exec[c1]"}},
 {"type":"User","title":"app","tags":["user"],"parameters":{"password":PASSWORDS},"sensitive_parameters":["password"]}],
 "edges":[{"source":"Stage[main]","target":"Class[Aa]"},{"source":"Class[Aa]","target":"File[/x/f1]"},{"source":"Class[Aa]","target":"Qq::Ww[d1]"},
 {"source":"Qq::Ww[d1]","target":"Service[s1]"},{"source":"Class[Aa]","target":"File[/x]"},{"source":"Class[Aa]","target":"Exec[e1]"}],"classes":["aa"]}`

// Secrets that are words of pcat's own texts, of its pages, their styles and their scripts, end
// no command: where they come from a catalog, they are masked. The words are taken from the
// output of each command, and then all are secrets.
func TestOwnWordsAreNoSecrets(t *testing.T) {
	runs := [][]string{
		{"graph", "A", "--cycles"}, {"graph", "A", "Service[s1]"}, {"why", "A", "Exec[c1]"}, {"why", "A", "Service[s1]"},
		{"show", "A", "File[/x/f1]"}, {"show", "A", "Exec[c1]"}, {"show", "A", "Exec[e1]"}, {"show", "A", "User[app]"}, {"show", "A", "Class[Aa]"},
		{"show", "--json", "A", "File[/x/f1]"}, {"show", "--json", "A", "Exec[c1]"}, {"show", "A", "B", "Service[s1]"}, {"show", "A", "B", "User[app]"}, {"show", "A", "File[/x/f1]/content"},
		{"ls", "A"}, {"ls", "--long", "A"}, {"ls", "--long", "A", "B"}, {"ls", "--json", "A"}, {"ls", "--count", "A", "B"}, {"ls", "A", "B"},
		{"query", "A", "-e", "true"}, {"query", "--json", "A", "-e", "true"}, {"query", "--total", "A", "B", "-e", "true"}, {"query", "--count", "A", "-e", "true"}, {"query", "--by", "title", "A", "B", "-e", "true"},
		{"deferred", "A"}, {"deferred", "--json", "A"}, {"deferred", "--total", "A", "B"}, {"deferred", "--json", "--total", "A", "B"},
		{"inspect", "A"}, {"inspect", "--json", "A"}, {"inspect", "--total", "A", "B"}, {"inspect", "--json", "--total", "A", "B"},
		{"get", "A", "resources.#.title"},
	}
	for _, format := range []string{"dot", "mermaid", "graphml", "json", "html"} {
		runs = append(runs, []string{"graph", "A", "--format", format}, []string{"graph", "A", "--format", format, "--collapse", "class"}, []string{"graph", "--diff", "B", "A", "--format", format})
	}
	for _, format := range []string{"text", "json", "sarif"} {
		runs = append(runs, []string{"check", "--format", format, "A"})
	}
	for _, format := range []string{"text", "html", "json", "jsonl", "markdown", "sarif", "stat", "names"} {
		runs = append(runs, []string{"diff", "--format", format, "B", "A"})
	}
	for _, format := range []string{"text", "html", "json", "jsonl", "sarif", "junit", "csv", "github"} {
		runs = append(runs, []string{"audit", "--format", format, "A"})
	}
	t.Chdir(t.TempDir())
	word := regexp.MustCompile(`[A-Za-z](?:[A-Za-z_-]{4,}[A-Za-z])`)
	for _, args := range runs {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			out, errs, code := runOn(t, args, []string{"Zq8-xyzzyq-77"})
			if code > cli.ExitFindings {
				t.Fatal(code, errs)
			}
			words := map[string]bool{}
			for _, w := range word.FindAllString(out, -1) {
				if !strings.Contains(strings.ToLower(ordinary), strings.ToLower(w)) {
					words[w] = true
				}
			}
			if _, errs, code := runOn(t, args, slices.Sorted(maps.Keys(words))); code > cli.ExitFindings || strings.Contains(errs, "contain a secret") {
				t.Errorf("code %v, with %d secrets: %s", code, len(words), errs)
			}
		})
	}
}

// runOn runs a command on two catalogs, A and B, with secrets.
func runOn(t *testing.T, args, secrets []string) (out, errs string, code cli.ExitCode) {
	t.Helper()
	passwords, err := json.Marshal(secrets)
	if err != nil {
		t.Fatal(err)
	}
	a := strings.Replace(ordinary, "PASSWORDS", string(passwords), 1)
	b := strings.NewReplacer(`"n1"`, `"n2"`, "0644", "0600", `"title":"d1"`, `"title":"d2"`, "Qq::Ww[d1]", "Qq::Ww[d2]").Replace(a)
	files := map[string]string{"A": a, "B": b}
	all := slices.Clone(args)
	for i, arg := range all {
		if text, ok := files[arg]; ok {
			all[i] = arg + ".json"
			if err := os.WriteFile(all[i], []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	var stdout, stderr bytes.Buffer
	s := cli.Streams(strings.NewReader(""), &stdout, &stderr)
	code = execute(t.Context(), s, NewCmd(s, all...), all)
	return stdout.String(), stderr.String(), code
}
