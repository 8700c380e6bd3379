//go:build unix

package root

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/internal/terminal"
)

// hiddenText has every character that must not reach a reader, and two line breaks that
// would begin a message of pcat and a workflow command of GitHub.
func hiddenText() string {
	var b strings.Builder
	for r := rune(1); r <= 0x10ffff; r++ { // without NUL, which YAML and file names cannot have
		if terminal.Hidden(r) && (r < 0xe0100 || r > 0xe0fff) && r != '\n' {
			b.WriteRune(r)
		}
	}
	b.WriteString("\npcat: forged\n::error::forged\t::error::,:%0A%")
	return b.String()
}

// invalidText is hiddenText as far as a file name can be long, with bytes that are not UTF-8.
const invalidText = "\x1b]0;x\x07\x7f\u009b1m\x9b1m\xff\u202e\u2066\u061c\u200b\u2060\ufeff\u2028\U000e0041\r\npcat: forged\n::error::forged,:%0A%"

// quoted returns text as JSON, which is YAML, too.
func quoted(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(terminal.JSON(b))
}

// hiddenFiles writes files with hidden characters in names and content, and returns their folder.
func hiddenFiles(t *testing.T) (dir, catalog string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "a"+strings.ReplaceAll(invalidText, "/", ""))
	h := quoted("x" + hiddenText())
	h = h[1 : len(h)-1]
	fill := func(text string) string {
		if strings.HasPrefix(text, `{"name"`) { // YAML cannot have NUL
			return strings.ReplaceAll(text, "HIDDEN", `\u0000`+h)
		}
		return strings.ReplaceAll(text, "HIDDEN", h)
	}
	catalog = filepath.Join(dir, "c"+invalidText+".json")
	for name, text := range map[string]string{
		catalog: fill(`{"name":"nHIDDEN","version":"HIDDEN","environment":"HIDDEN","catalog_uuid":"HIDDEN","code_id":"HIDDEN","classes":["HIDDEN"],"tags":["HIDDEN"],"resources":[
 {"type":"TypeHIDDEN","title":"tHIDDEN","file":"fHIDDEN","line":3,"tags":["HIDDEN"],"parameters":{"password":"Kestrel-4417-moor","pHIDDEN":{"kHIDDEN":"vHIDDEN","password":"Heron-8813-fjord"},"n":{"HIDDEN":{"__ptype":"Sensitive","__pvalue":{"HIDDEN":"Plover-5561-ling"}}}}},
 {"type":"Exec","title":"HIDDEN Plover-5561-ling","file":"fHIDDEN","parameters":{"command":"HIDDEN --password=Otter-9944-reed"}},
 {"type":"Exec","title":"allowed","file":"fHIDDEN","parameters":{"password":"Bittern-3344-reed"}},
 {"type":"My::Thing","title":"HIDDEN","file":"fHIDDEN","line":1,"parameters":{"pHIDDEN":1,"count":"HIDDEN","list":{"HIDDEN":1}},"sensitive_parameters":["sHIDDEN"]},
 {"type":"Notify","title":"call HIDDEN","parameters":{"message":{"__ptype":"Deferred","name":"noHIDDEN","arguments":["HIDDEN",{"HIDDEN":1}]}}},
 {"type":"Notify","title":"fail","parameters":{"aHIDDEN":{"__ptype":"Deferred","name":"fail","arguments":["HIDDEN"]},"b":{"__ptype":"Deferred","name":"warning","arguments":["HIDDEN"]},"c":{"__ptype":"Deferred","name":"inline_epp","arguments":["HIDDEN <% $x %>"]}}},
 {"type":"Notify","title":"types","parameters":{"o":{"__ptype":"My::HIDDEN","a":1},"r":{"__ptype":"Regexp","__pvalue":"HIDDEN"},"time":{"__ptype":"Timestamp","__pvalue":"2020-01-01T00:00:00.000000000 UTC"},"flat":"My::Thing({'HIDDEN' => 1})"}}
 ],"edges":[{"source":"TypeHIDDEN[tHIDDEN]","target":"Exec[HIDDEN]"}]}`),
		filepath.Join(dir, "config.yaml"): fill(`severities: {"HIDDEN": low}
names: {secret: ["HIDDEN"]}
allow:
- {title: allowed, reason: "HIDDEN"}
- {title: "noneHIDDEN", reason: "HIDDEN"}
- {title: "old", reason: "HIDDEN", expires: 2020-01-01}
rules:
- {id: mine, when: "$type == notify", title: "HIDDEN", doc: "HIDDEN", remedy: "HIDDEN", severity: high}
`),
		filepath.Join(dir, "wrong"+invalidText+".yaml"):                   fill(`{"HIDDEN": 1}`),
		filepath.Join(dir, "rules.toml"):                                  fill("[[rules]]\nid = \"r1\"\ndescription = \"HIDDEN\"\nregex = '''Heron-\\d+'''\n"),
		filepath.Join(dir, "policy.yaml"):                                 fill(`{allow: ["HIDDEN"], must_be_sensitive: ["*"]}`),
		filepath.Join(dir, "broken"+invalidText+".json"):                  fill(`{"name":"HIDDEN","resources":[{"type":"File","title":"HIDDEN","parameters":{"HIDDEN":{"HIDDEN":[1,,`),
		filepath.Join(dir, "twice.json"):                                  fill(`{"resources":[{"type":"File","title":"HIDDEN","parameters":{"HIDDEN":1,"HIDDEN":2}}]}`),
		filepath.Join(dir, "shape.json"):                                  fill(`{"resources":[{"type":"File","title":"HIDDEN","parameters":"HIDDEN"}]}`),
		filepath.Join(dir, "type.json"):                                   fill(`{"resources":[{"type":"File","title":"x","parameters":{"HIDDEN":{"__ptype":"HIDDEN"}}}]}`),
		filepath.Join(dir, "invalid.json"):                                `{"name":"n","resources":[{"type":"File","title":"t` + invalidText[:7] + `","parameters":{"a` + "\x9b\xff" + `":"b` + "\x9b\xff" + `"}}]}`,
		filepath.Join(dir, "invalid.msgpack"):                             "\x82\xa4name\xa3n\x9b\xff\xa9resources\x91\x83\xa4type\xa4File\xa5title\xa4t\x9b\x1b\xff\xaaparameters\x81\xa3p\x9b\xff\xa3v\x9b\xff",
		filepath.Join(dir, "text"+invalidText):                            "no catalog",
		filepath.Join(dir, "modules", "my", "manifests", "thing.pp"):      "define my::thing(Integer $count, Hash[Integer, String] $list) {}",
		filepath.Join(dir, "modules", "my", "functions", "f.pp"):          "# Does\x1b \u009b\u202e things.\nfunction my::f() { 'x' }",
		filepath.Join(dir, "modules", "my", "types", "wrong.pp"):          "type My::Wrong = Enum['\x1b\u009b\u202e']",
		filepath.Join(dir, "modules", "my", "functions", "bad.pp"):        "function my::bad() { \x1b\u009b\u202e ++ }",
		filepath.Join(dir, "program"+invalidText+".pp"):                   "$x = \"\x1b\u009b\u202e\"\nnotice($x)\nfail(\"\x1b\u009b\u202e\\npcat: forged\")",
		filepath.Join(dir, "facts"+strings.ToUpper(invalidText)+".json"):  fill(`["HIDDEN"]`),
		filepath.Join(dir, "plugins", "my", "plugged"):                    "#!/bin/sh\nprintf '\\033]0;x\\007\\302\\233\\342\\200\\256\\npcat: forged\\n' >&2\nexit 1\n",
		filepath.Join(dir, "plugin.json"):                                 `{"resources":[{"type":"Notify","title":"p","parameters":{"m":{"__ptype":"Deferred","name":"my::plugged","arguments":[]}}}]}`,
		filepath.Join(dir, "list"):                                        "nothing" + strings.ReplaceAll(invalidText, "\n", "") + "\n",
		filepath.Join(dir, "sub", "empty.json"):                           "",
		filepath.Join(dir, "e"+strings.ReplaceAll(invalidText, "\n", "")): "",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o700); err != nil { // one is a program
			t.Fatal(err)
		}
	}
	return dir, catalog
}

// noHidden fails the test if text has a hidden character, bytes that are not UTF-8, or a
// forged line. Line breaks and tabs are allowed.
func noHidden(t *testing.T, where, text string) {
	t.Helper()
	for i, r := range text {
		invalid := r == utf8.RuneError && !strings.HasPrefix(text[i:], string(utf8.RuneError))
		if (terminal.Hidden(r) && r != '\n' && r != '\t') || invalid {
			t.Errorf("%s has %U raw: %.100q", where, r, text[max(0, i-60):])
			return
		}
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "pcat: forged") || strings.HasPrefix(line, "::error::") {
			t.Errorf("%s has a line that a catalog or a file name began: %q", where, line)
			return
		}
	}
}

// TestHiddenCharacters runs the commands on catalogs, configurations and files with every
// hidden character in names and texts. None of them reaches a reader, except in the content
// that a user asks for.
func TestHiddenCharacters(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs hundreds of commands")
	}
	dir, catalog := hiddenFiles(t)
	in := func(name string) string { return filepath.Join(dir, name) }
	everything := func(args ...string) [][]string {
		var runs [][]string
		for _, file := range []string{
			catalog, in("broken" + invalidText + ".json"), in("twice.json"), in("shape.json"), in("type.json"), in("invalid.json"), in("invalid.msgpack"),
			in("text" + invalidText), in("none" + invalidText), in("none" + invalidText + "*"), in("sub"), dir,
		} {
			runs = append(runs, append(append([]string{}, args...), file))
		}
		return append(runs, append(append([]string{}, args...), "--files-from", in("list")))
	}
	var runs [][]string
	for _, format := range strings.Split("text,html,json,jsonl,sarif,junit,csv,github", ",") {
		runs = append(runs, []string{"audit", "--format", format, "--config", in("config.yaml"), "--rules", in("rules.toml"), "--at-rest", catalog, in("invalid.json"), in("broken" + invalidText + ".json")})
		runs = append(runs, []string{"audit", "--format", format, "--no-config", dir})
	}
	runs = append(runs, everything("audit", "--no-config")...)
	runs = append(runs, everything("inspect")...)
	runs = append(runs, everything("inspect", "--json")...)
	runs = append(runs, everything("verify")...)
	runs = append(runs, everything("verify", "--json")...)
	runs = append(runs, everything("deferred", "--policy", in("policy.yaml"))...)
	runs = append(runs, everything("deferred", "--policy", in("policy.yaml"), "--json")...)
	runs = append(runs, everything("validate", "--modulepath", in("modules"))...)
	runs = append(runs, everything("validate", "--json", "--modulepath", in("modules"))...)
	runs = append(runs, everything("query", "-e", "true")...)
	runs = append(runs, everything("query", "-e", "$parameters")...)
	runs = append(runs, everything("query", "--json", "-e", "true")...)
	runs = append(runs, everything("query", "-e", "$title + 1")...)
	runs = append(runs, everything("show", "Exec[allowed]", "Notify[types]/o")...)
	runs = append(runs, everything("show", "--json", "Notify[fail]")...)
	runs = append(runs, everything("ls")...)
	runs = append(runs, everything("ls", "--long", "--each")...)
	runs = append(runs, everything("ls", "--json")...)
	runs = append(runs, everything("redact", "-o", os.DevNull)...)
	runs = append(runs, everything("redact", "--only", "declared", "-o", os.DevNull)...)
	runs = append(runs, everything("redact", "--check")...)
	for _, args := range everything("explain") {
		runs = append(runs, append(args, "/"))
	}
	runs = append(runs, everything("resolve", "--trace", "--keep-unresolved", "-o", os.DevNull)...)
	runs = append(runs, everything("convert", "-t", "json", "--ledger", "-", "-o", os.DevNull)...)
	runs = append(runs, everything("convert", "-t", "puppetdb", "-o", os.DevNull)...)
	runs = append(runs, everything("convert", "-t", "rich-json", "-f", "puppetdb", "-o", os.DevNull)...)
	runs = append(runs, everything("convert", "-t", "rich-json", "--repair", "-o", os.DevNull)...)
	bad := "x" + strings.ReplaceAll(invalidText, "\x00", "")
	runs = append(runs, [][]string{
		{"show", catalog, "My::Thing[\x00x" + hiddenText() + "]"}, {"show", catalog, "Notify[call \x00x" + hiddenText() + "]"}, {"show", "--json", catalog, "Notify[call \x00x" + hiddenText() + "]"},
		{"show", catalog, "Exec[" + bad + "]"}, {"show", catalog, "Notify[fail]/" + bad}, {"ls", catalog, "Exec[" + bad + "]"}, {"ls", "--long", catalog, "*[*" + bad + "]"}, {"ls", catalog, "Exec", bad},
		{"get", catalog, "Exec[" + bad + "]"}, {"get", catalog, "Notify[fail]/" + bad}, {"query", "-e", "1", "--resource", bad, catalog},
		{"get", catalog, "resources"}, {"get", catalog, bad}, {"get", in("broken" + invalidText + ".json"), "name"}, {"get", dir, "name"},
		{"audit", "--config", in("wrong" + invalidText + ".yaml"), catalog}, {"audit", "--baseline", bad, catalog}, {"audit", "--rules", bad, catalog},
		{"audit", "--key-file", bad, catalog}, {"audit", "--format", bad}, {"audit", "--fail-on", bad}, {"audit", "--jobs", bad}, {bad}, {"audit", "--" + bad},
		{"rules", "--config", in("config.yaml"), "--rules", in("rules.toml")}, {"rules", "mine", "own/mine", "--config", in("config.yaml")},
		{"rules", "explain", "own/mine", "--config", in("config.yaml")}, {"rules", "--json", "--config", in("config.yaml"), "--rules", in("rules.toml")}, {"rules", bad}, {"explain", bad, catalog},
		{"functions", "--modulepath", in("modules")}, {"functions", "--modulepath", in("modules"), "my::f"}, {"functions", "--json", "--modulepath", in("modules")}, {"functions", bad},
		{"type", "--modulepath", in("modules"), "My::Wrong"}, {"type", "--json", "--modulepath", in("modules"), "My::Wrong"}, {"type", bad}, {"type", "--modulepath", bad, "Integer"},
		{"type", "--modulepath", in("modules"), "My::Wrong", "--instance", "'\x1b\u009b'"},
		{"eval", in("program" + invalidText + ".pp")}, {"eval", "--modulepath", in("modules"), "-e", "my::bad()"}, {"eval", "-e", "['\u009b\u202e', \"\\u{1b}\u009b\"]"},
		{"eval", "-t", "rich-json", "-e", "['\u009b\u202e', \"\\u{1b}\u009b\"]"}, {"eval", "-e", bad}, {"eval", "--var", bad, "-e", "1"}, {"eval", "-e", "notice('a" + bad + "')"},
		{"eval", "--facts", in("facts" + strings.ToUpper(invalidText) + ".json"), "-e", "1"}, {"eval", in("none" + invalidText)},
		{"resolve", "--trace", "--plugin", in("plugins"), "--allow", "run", in("plugin.json")}, {"resolve", "--table", bad, catalog}, {"resolve", "--like", bad, catalog},
		{"validate", "--modulepath", bad, catalog}, {"unseal", "--key", bad, catalog}, {"redact", "--mode", bad, catalog}, {"redact", "--mode", "encrypt", "--node-cert", bad, catalog},
		{"convert", "-t", bad, catalog}, {"convert", "-t", "json", "-o", bad + "/" + bad, catalog}, {"convert", "-t", "json", "-f", bad, catalog}, {"inspect", bad},
		{"completion", bad}, {"man", bad}, {"help", bad},
	}...)
	replaced := 0
	for _, args := range runs {
		for _, log := range []string{"text", "json"} {
			var out, errs bytes.Buffer
			s := cli.Streams(strings.NewReader(""), &out, &errs)
			all := append(append([]string{}, args...), "-vv", "--log-format", log)
			code := execute(t.Context(), s, NewCmd(s), all)
			where := strings.ReplaceAll(terminal.Line(strings.Join(args, " ")), terminal.Line(dir), "DIR")
			if code == cli.ExitInternal && !strings.Contains(errs.String(), "cannot write") {
				t.Errorf("%.200s ended with an internal error: %s", where, terminal.Text(errs.String()))
			}
			noHidden(t, where+": standard output", out.String())
			noHidden(t, where+": standard error", errs.String())
			if text := out.String() + errs.String(); strings.ContainsRune(text, terminal.Replacement) || strings.Contains(text, `\u001b`) {
				replaced++
			}
			for line := range strings.Lines(out.String()) {
				if strings.Contains(where, "--format github") && !strings.HasPrefix(line, "::") {
					t.Errorf("%s: %q is not an annotation", where, line)
				}
			}
		}
	}
	if replaced < len(runs) {
		t.Errorf("%d of %d runs had something to replace, which tests little", replaced, 2*len(runs))
	}
}
