package auditconfig_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/auditconfig"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// found returns the parameters in which the rules find secrets, with the length of each.
func found(t testing.TB, set *auditconfig.RuleSet, resources ...map[string]any) string {
	t.Helper()
	text, err := json.Marshal(map[string]any{"name": "n", "resources": resources})
	if err != nil {
		t.Fatal(err)
	}
	format := formats.RichJSON()
	a, err := audit.New(audit.Options{Custom: set})
	if err != nil {
		t.Fatal(err)
	}
	r, err := a.Run(context.Background(), []audit.Input{{Name: "c", Open: func() (*catalog.Reader, io.Closer, error) {
		return catalog.NewReaderBytes(text, format, serialization.DecodeOptions{}), nil, nil
	}}})
	if err != nil || len(r.Failures) > 0 {
		t.Fatal(err, r.Failures)
	}
	var list []string
	for _, f := range r.Findings {
		if strings.HasPrefix(f.Rule, "own/") {
			list = append(list, fmt.Sprintf("%s %s %d", strings.TrimPrefix(f.Rule, "own/"), f.Parameter, f.End-f.Start))
		}
	}
	for _, n := range r.Notes {
		list = append(list, n.Message)
	}
	return strings.Join(list, ", ")
}

func texts(t testing.TB, toml string) *auditconfig.RuleSet {
	t.Helper()
	f, err := auditconfig.ParseTOML([]byte(toml))
	if err != nil {
		t.Fatal(err)
	}
	set, err := auditconfig.NewRuleSet(nil, nil, f)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func TestTexts(t *testing.T) {
	const head = "[[rules]]\nid = 'x'\n"
	for _, tt := range []struct{ name, toml, text, want string }{
		{"all of the match", `regex = 'zq[0-9]{4}'`, "a zq1234 b", "x content 6"},
		{"the first group that takes part", `regex = 'zq(?:(a+)|([0-9]+))'`, "zq1234", "x content 4"},
		{"a group", "regex = '(zq)([0-9]+)'\nsecretGroup = 2", "zq12345", "x content 5"},
		{"several", `regex = 'zq[0-9]+'`, "zq11111 zq2222", "x content 7, x content 6"},
		{"a keyword in any case", "regex = 'zq[0-9]+'\nkeywords = ['Name']", "NAME zq1234", "x content 6"},
		{"no keyword", "regex = 'zq[0-9]+'\nkeywords = ['name']", "zq1234", ""},
		{"enough entropy", "regex = 'zq([0-9]+)'\nentropy = 1.9", "zq1234", "x content 4"},
		{"too little entropy", "regex = 'zq([0-9]+)'\nentropy = 2.0", "zq1234", ""},
		{"a path", "regex = 'zq[0-9]+'\npath = '^/etc/'", "zq1234", "x content 6"},
		{"another path", "regex = 'zq[0-9]+'\npath = '^/opt/'", "zq1234", ""},
		{"a path alone", "path = 'app'", "anything at all", "x content 15"},
		{"allowed by the secret", "regex = 'zq[0-9]+'\n[[rules.allowlists]]\nregexes = ['^zq1']", "zq1234 zq2345", "x content 6"},
		{"allowed by the match", "regex = 'a zq([0-9]+)'\n[[rules.allowlists]]\nregexTarget = 'match'\nregexes = ['^a']", "a zq1234", ""},
		{"allowed by the line", "regex = 'zq[0-9]+'\n[[rules.allowlists]]\nregexTarget = 'line'\nregexes = ['example']", "zq1234 # example\nzq2345", "x content 6"},
		{"allowed by a word", "regex = 'zq[a-z]+'\n[[rules.allowlists]]\nstopwords = ['DUMMY']", "zqdummy zqother", "x content 7"},
		{"allowed by any", "regex = 'zq[0-9]+'\n[[rules.allowlists]]\npaths = ['^/etc']\nregexes = ['never']", "zq1234", ""},
		{"not allowed by all", "regex = 'zq[0-9]+'\n[[rules.allowlists]]\ncondition = 'AND'\npaths = ['^/etc']\nregexes = ['never']", "zq1234", "x content 6"},
		{"allowed by all", "regex = 'zq[0-9]+'\n[[rules.allowlists]]\ncondition = 'AND'\npaths = ['^/etc']\nregexes = ['12']", "zq1234", ""},
		{"allowed in the old form", "regex = 'zq[0-9]+'\n[rules.allowlist]\nregexes = ['12']", "zq1234", ""},
		{"allowed for all rules", "regex = 'zq[0-9]+'\n[[allowlists]]\nregexes = ['12']", "zq1234", ""},
		{"allowed for other rules", "regex = 'zq[0-9]+'\n[[allowlists]]\ntargetRules = ['y']\nregexes = ['12']", "zq1234", "x content 6"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := found(t, texts(t, head+tt.toml), map[string]any{"type": "File", "title": "/etc/app.conf", "parameters": map[string]any{"content": tt.text}})
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestParseTOMLErrors(t *testing.T) {
	for text, want := range map[string]string{
		"[[rules]]\nid = 'x'\nregex = 'a":                                     "line 3",
		"[[rules]]\nid = 'x'":                                                 "neither regex nor path",
		"[[rules]]\nid = 'a b'\nregex = 'a'":                                  "line 1: \"a b\": invalid ID",
		"[[rules]]\nid = 'x'\nregex = '('":                                    "line 1: \"x\": error parsing regexp: missing closing",
		"[[rules]]\nid = 'x'\nregex = 'a'\nsecretGroup = 1":                   "no such group",
		"[[rules]]\nid = 'x'\npath = 'a'\nsecretGroup = 1":                    "no such group",
		"[[rules]]\nid = 'x'\nregex = 'a'\nseverity = 'bad'":                  "line 4: rules[0].severity: \"bad\": unknown severity",
		"[[rules]]\nid = 'x'\nregex = 'a'\n[[rules.required]]\nid = 'y'":      "line 4: rules[0].required is unknown",
		"[extend]\npath = 'x'":                                                "line 2: extend.path is unknown",
		"\n\"a%d\" = 1":                                                       "line 2: a%d is unknown",
		"rules = [\n{id = 'x',\nregex = 'a', foo = 1}]":                       "line 1: rules[0].foo is unknown",
		"[[Rules]]\nid = 'x'\npath = 'p'\n[[Rules]]\nid = 'y'\nregex = '('":   "\"y\": error parsing regexp",
		"[[rules]]\nid = 'x'\npath = 'p'\n\n[[rules]]\nid = 'y'\nregex = '('": "line 5: \"y\": error parsing regexp",
		"[[rules]]\nid = 'x'\nregex = 'a'\nfoo = {a = 1}":                     "rules[0].foo is unknown",
		"rules = [{id = 'x', foo = 1}]":                                       "rules[0].foo is unknown",
		"[[rules]]\nid = 'x'\nregex = 'a'\nkeywords.x = 1":                    "rules[0].keywords must be an array",
		"[[rules]]\nid = 'x'\nregex = 'a'\nRegex = 'b'":                       "rules[0].Regex is duplicated",
		"[[rules]]\nid = 'x'\nid = 'y'":                                       "line 3: this key is there already (column 1)",
		"[[rules]]\nid = 'x'\nregex = 1":                                      "line 3: rules[0].regex must be a string",
		"[[rules]]\nid = 'x'\nregex = 'a'\nsecretGroup = 1.5":                 "rules[0].secretGroup must be an integer",
		"[[rules]]\nid = 'x'\nregex = 'a'\nentropy = 'a'":                     "rules[0].entropy must be a number",
		"[[rules]]\nid = 'x'\nregex = 'a'\nkeywords = 'a'":                    "rules[0].keywords must be an array",
		"[[rules]]\nid = 'x'\nregex = 'a'\nkeywords = ['a', 1]":               "rules[0].keywords[1] must be a string",
		"[[rules]]\nid = 'x'\nregex = 'a'\nseverity = 1":                      "unknown severity",
		"[rules]\nid = 'x'\nregex = 'a'":                                      "rules must be an array",
		"[[allowlist]]\nregexes = ['a']":                                      "allowlist must be a table",
		"[extend]\nuseDefault = 'yes'":                                        "extend.useDefault must be true or false",
		"[[allowlists]]\ncondition = 'XOR'":                                   "use OR or AND",
		"[[allowlists]]\nregexTarget = 'file'":                                "use secret, match or line",
		"[[rules]]\nid = 'x'\nregex = 'a'\n[[rules.allowlists]]\npaths=['(']": "paths",
	} {
		if _, err := auditconfig.ParseTOML([]byte(text)); !errors.Is(err, auditconfig.ErrRule) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
}

// A file may use any TOML syntax.
func TestParseTOMLForms(t *testing.T) {
	for _, text := range []string{
		"title = 't'\n[extend]\nuseDefault = true\n[[rules]]\nid = 'x'\nregex = 'zq([0-9]+)'\nentropy = 1\nseverity = 'low'\n[rules.allowlist]\nregexes = ['^9']",
		"\uFEFFextend.useDefault = true\r\nrules = [{ID = 'x', REGEX = 'zq([0-9]+)', Entropy = 1.0, severity = 'low', allowlist.regexes = ['^9']}]\r\n",
	} {
		set := texts(t, text)
		if rules := set.Rules(); len(rules) != 1 || rules[0].ID != "own/x" || rules[0].Severity.String() != "low" {
			t.Errorf("%q: got %+v", text, rules)
		}
		got := found(t, set, map[string]any{"type": "File", "title": "/etc/app.conf", "parameters": map[string]any{"content": "zq123 zq923 zq111"}})
		if want := "x content 3"; got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

type answer struct {
	holds bool
	err   error
}

func (a answer) Holds(*audit.Resource) (bool, error) { return a.holds, a.err }

func TestConditions(t *testing.T) {
	compile := func(_, text string) (auditconfig.Expression, error) {
		switch text {
		case "true":
			return answer{true, nil}, nil
		case "fails":
			return answer{false, errors.New("why")}, nil
		default:
			return nil, errors.New("no expression")
		}
	}
	set, err := auditconfig.NewRuleSet([]auditconfig.Condition{
		{ID: "all", When: "true", Title: "t"}, {ID: "one", When: "true", Title: "t", Parameter: "p"}, {ID: "broken", When: "fails", Title: "t"},
	}, compile)
	if err != nil {
		t.Fatal(err)
	}
	got := found(t, set, map[string]any{"type": "A", "title": "a", "parameters": map[string]any{"p": 1}}, map[string]any{"type": "A", "title": "b"})
	want := "all  0, one p 0, all  0, one p 0, the rule own/broken failed for this resource: why"
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, c := range []auditconfig.Condition{{When: "true", Title: "t"}, {ID: "x", Title: "t"}, {ID: "x", When: "true"}} {
		if _, err := auditconfig.NewRuleSet([]auditconfig.Condition{c}, compile); !errors.Is(err, auditconfig.ErrRule) {
			t.Errorf("%+v: got %v", c, err)
		}
	}
	if _, err := auditconfig.NewRuleSet([]auditconfig.Condition{{ID: "x", When: "what", Title: "t"}}, compile); err == nil || errors.Is(err, auditconfig.ErrRule) {
		t.Errorf("got %v, want the error of the compiler", err)
	}
}

func ExampleParseTOML() {
	f, err := auditconfig.ParseTOML([]byte(`
[[rules]]
id = "acme-token"
description = "A token of the Acme service"
regex = '''acme_live_[0-9a-f]{16}'''
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	set, err := auditconfig.NewRuleSet(nil, nil, f)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range set.Rules() {
		fmt.Println(r.ID, r.Severity, r.Title)
	}
	// Output: own/acme-token high A token of the Acme service
}

// Parsing and searching terminate for any file of rules.
func FuzzParseTOML(f *testing.F) {
	f.Add("[[rules]]\nid = 'x'\nregex = 'a(b)?'\nsecretGroup = 1\n[[rules.allowlists]]\nstopwords = ['a']", "ab a")
	f.Fuzz(func(t *testing.T, toml, text string) {
		file, err := auditconfig.ParseTOML([]byte(toml))
		if err != nil {
			return
		}
		set, err := auditconfig.NewRuleSet(nil, nil, file)
		if err != nil {
			return
		}
		found(t, set, map[string]any{"type": "File", "title": "/etc/app.conf", "parameters": map[string]any{"content": text}})
	})
}

// The error for a duplicate ID has both locations.
func TestTwoOfOneID(t *testing.T) {
	file := func(name, text string) *auditconfig.RuleFile {
		f, err := auditconfig.ParseTOML([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		f.Name = name
		return f
	}
	compile := func(string, string) (auditconfig.Expression, error) { return answer{}, nil }
	condition := func(location string) auditconfig.Condition {
		return auditconfig.Condition{ID: "x", When: "true", Title: "t", Location: location}
	}
	const rule = "[[rules]]\nid = 'x'\npath = 'p'\n"
	for _, tt := range []struct {
		conditions []auditconfig.Condition
		files      []*auditconfig.RuleFile
		want       string
	}{
		{nil, []*auditconfig.RuleFile{file("", rule+rule)}, `"own/x": on line 1 and on line 4`},
		{nil, []*auditconfig.RuleFile{file("a.toml", rule), file("b.toml", "\n"+rule)}, `"own/x": on line 1 of a.toml and on line 2 of b.toml`},
		{[]auditconfig.Condition{condition("line 7")}, []*auditconfig.RuleFile{file("a.toml", rule)}, `"own/x": on line 7 and on line 1 of a.toml`},
		{[]auditconfig.Condition{condition(""), condition("")}, nil, `"own/x"`},
	} {
		_, err := auditconfig.NewRuleSet(tt.conditions, compile, tt.files...)
		if want := "invalid rule: duplicate rule " + tt.want; !errors.Is(err, auditconfig.ErrRule) || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
