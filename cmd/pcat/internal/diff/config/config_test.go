package config_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pcatdev/pcat/catalog/diff"
	"github.com/pcatdev/pcat/cmd/pcat/internal/diff/config"
	"github.com/pcatdev/pcat/internal/test/catalogtest"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/eval"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/function/stdlib"
	"github.com/pcatdev/pcat/redact"
)

func evaluators(t testing.TB) config.Evaluators {
	functions, err := stdlib.New(pcore.OpenVox8)
	if err != nil {
		t.Fatal(err)
	}
	return func() *eval.Evaluator {
		return eval.New(function.Env{Functions: functions, Budget: function.NewBudget(100_000)}, nil, eval.Mode{})
	}
}

func side(t testing.TB, resources string) diff.Side {
	document := `{"name":"web01","resources":[` + resources + `],"edges":[{"source":"Class[A]","target":"File[/x]"}]}`
	return catalogtest.Side(t, catalogtest.JSON(document))
}

// compare returns the changes of two catalogs with a configuration, and its errors.
func compare(t testing.TB, text, old, new string) (*diff.Report, []error) {
	c, err := config.Parse("x.yaml", []byte(text), evaluators(t))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	var o diff.Options
	expired := c.Apply(&o, time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC))
	r, err := diff.Compare(t.Context(), side(t, old), side(t, new), redact.NewFinder(nil), o)
	if err != nil {
		t.Fatal(err)
	}
	return r, expired
}

const (
	oldResources = `{"type":"Class","title":"A"},{"type":"File","title":"/x","file":"/m/a.pp","line":3,"tags":["t"],"parameters":{"content":"a\nB=1\n","mode":"0644","owner":"root"}},
{"type":"User","title":"u","parameters":{"password":"old-secret-1"},"sensitive_parameters":["password"]},{"type":"Cron","title":"c","parameters":{"minute":1}}`
	newResources = `{"type":"Class","title":"A"},{"type":"File","title":"/x","file":"/m/a.pp","line":3,"tags":["t"],"parameters":{"content":"a\nB=2\n","mode":"0600","group":"root"}},
{"type":"User","title":"u","parameters":{"password":"new-secret-2"},"sensitive_parameters":["password"]},{"type":"Cron","title":"c","parameters":{"minute":2}},{"type":"Notify","title":"n"}`
)

// A change of each variable, and the changes for which an expression is true.
func TestConditions(t *testing.T) {
	for when, want := range map[string]string{
		`$op == add`:        "File[/x]/group Notify[n]",
		`$kind == resource`: "Notify[n]",
		`$type == cron`:     "Cron[c]/minute",
		`$title =~ /^.x$/ and $path == '/parameters/owner'`: "File[/x]/owner",
		`$path == ''`:     "Notify[n]",
		`$old =~ Undef`:   "File[/x]/group Notify[n]",
		`$new =~ Integer`: "Cron[c]/minute",
		`$old =~ Sensitive and $new =~ Sensitive`:                "User[u]/password",
		`$old.unwrap == 'old-secret-1'`:                          "User[u]/password",
		`$old == 'old-secret-1'`:                                 "",
		`$lines == ['-B=1', '+B=2']`:                             "File[/x]/content",
		`'t' in $tags and $file == '/m/a.pp'`:                    "File[/x]/content File[/x]/group File[/x]/mode File[/x]/owner",
		`$container == 'Class[A]'`:                               "File[/x]/content File[/x]/group File[/x]/mode File[/x]/owner",
		`$node == web01 and $rank == danger`:                     "User[u]/password",
		`$x = $old; $x == 1`:                                     "Cron[c]/minute",
		`$tags.any |$tag| { "${tag}${op}" == 'tadd' }`:           "File[/x]/group",
		`getvar('new') == 2`:                                     "Cron[c]/minute",
		`undef`:                                                  "",
		`{ 'a' => [$kind] }['a'][0] == content`:                  "File[/x]/content",
		`$lines.any |$l| { $l =~ /secret/ } or $op == 'nothing'`: "",
	} {
		r, _ := compare(t, fmt.Sprintf("ignore: [{when: %q}]", when), oldResources, newResources)
		all, _ := compare(t, "", oldResources, newResources)
		if got := strings.Join(missing(all, r), " "); got != want {
			t.Errorf("%s\ngot  %s\nwant %s\n%+v", when, got, want, r.Rules)
		}
	}
}

// missing returns the changes that only the first report has.
func missing(a, b *diff.Report) []string {
	left := make(map[string]bool)
	name := func(c *diff.Change) string { return c.Ref + strings.TrimPrefix(c.Path, "/parameters") }
	for i := range b.Changes {
		left[name(&b.Changes[i])] = true
	}
	var list []string
	for i := range a.Changes {
		if n := name(&a.Changes[i]); !left[n] {
			list = append(list, n)
		}
	}
	return list
}

// The error of a condition contains none of the values, and the change is reported.
func TestFailedConditions(t *testing.T) {
	for when, want := range map[string]string{
		`$old.unwrap + 1 == 2`:      "line 1, column 5: the value has the wrong type for this operation",
		`fail($old.unwrap)`:         "line 1, column 1: the value has the wrong type for this operation",
		`warning($old.unwrap) == 1`: "",
		`$old.unwrap`:               "the result is neither true nor false",
		`getvar($title)`:            "",
		`Integer[1,5000].any |$i| { Integer[1,5000].any |$k| { $k == 0 } }`: "work",
	} {
		r, _ := compare(t, fmt.Sprintf("ignore: [{at: 'User[u]', when: %q}]", when), oldResources, newResources)
		if u := r.Rules[0]; len(r.Changes) != 7 || !strings.Contains(u.Failure, want) || strings.Contains(u.Failure, "secret-1") {
			t.Errorf("%s: %d changes, %+v", when, len(r.Changes), u)
		}
	}
}

func TestParse(t *testing.T) {
	const text = `
version: 1
profile: [auto, content]
ignore:
  - at: 'File[/x]/mode'
    reason: set by hand
    until: 2026-06-01
  - {tag: t, op: [add], kind: value}
  - {at: 'File[*]/content', lines: '^B='}
  - {at: 'File[*]/owner', any: 'ROOT'}
  - {at: 'Notify[*]', until: 2026-05-31}
rank:
  - {at: 'Cron[*]', rank: danger}
  - {effect: change-user, rank: info, until: 2020-01-01}
`
	r, expired := compare(t, text, oldResources, newResources)
	all, _ := compare(t, "", oldResources, newResources)
	if got := strings.Join(missing(all, r), " "); got != "File[/x]/content File[/x]/group File[/x]/mode" {
		t.Error(got)
	}
	if got := fmt.Sprint(expired); got != "[line 11: the rule expired on 2026-05-31 and no longer applies; remove it, or change `until` "+
		"line 14: the rule expired on 2020-01-01 and no longer applies; remove it, or change `until`]" {
		t.Error(got)
	}
	var uses []string
	for _, u := range r.Rules {
		uses = append(uses, fmt.Sprint(u.Count, " ", u.Rule))
	}
	if got, want := strings.Join(uses, "\n"), `1 Cron[*] (x.yaml:13)
1 File[/x]/mode: set by hand (x.yaml:5)
1 tag t op add kind value (x.yaml:8)
1 File[*]/content lines ^B= (x.yaml:9)
0 File[*]/owner any ROOT (x.yaml:10)`; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"ignroe: []":             `line 1: unknown key "ignroe" in the file; did you mean ignore?`,
		"version: 2":             "version 2 is newer than this pcat",
		"profile: [puppetDB]":    `profile: unknown value "puppetDB"; did you mean puppetdb?`,
		"profile: 3":             "line 1: unexpected number, expected a list",
		"[":                      "line 1",
		"- a":                    "line 1: the file is a map; its keys are version, profile, ignore, rank",
		"ignore:\n- {at: x}":     `line 2: at: "x" is not a location`,
		"ignore:\n- {reason: x}": "line 2: the rule has no condition",
		"ignore:\n- {}":          "line 2: the rule has no condition",
		"ignore: [x]":            "line 1: unexpected text",
		"ignore:\n- at: 'A[b]'\n  utnil: 2026-01-01":         `line 3: unknown key "utnil" in a rule; did you mean until?`,
		"ignore:\n- {at: 'A[b]', rank: danger}":              `line 2: unknown key "rank" in a rule`,
		"ignore:\n- {at: 'A[b]', until: soon}":               `line 2: "soon" is not a date`,
		"ignore:\n- {at: 'A[b]', op: ad}":                    `line 2: op: unknown value "ad"; did you mean add?`,
		"ignore:\n- {at: 'A[b]', kind: [contant]}":           `line 2: kind: unknown value "contant"; did you mean content?`,
		"ignore:\n- {at: 'A[b]', lines: '('}":                "line 2: lines: ",
		"ignore:\n- {at: 'A[b]', any: '('}":                  "line 2: any: ",
		"ignore:\n- {when: '$op =='}":                        "line 2: when:1:",
		"ignore:\n- {when: '$tilte == x'}":                   "line 2: when: unknown variable $tilte; did you mean title?",
		"rank:\n- {at: 'A[b]'}":                              "line 2: rank: use info, write, restart or danger",
		"rank:\n- {at: 'A[b]', rank: grave}":                 "line 2: rank: use info, write, restart or danger",
		"rank:\n- {rank: danger}":                            "line 2: the rule has no condition",
		"rank:\n- {at: 'A[b]/c', effect: x, rank: info}":     "line 2: at: A[b]/c: with effect, it names the affected resource, without a path",
		"rank:\n- {at: 'A[b]', efect: refresh, rank: info}":  `line 2: unknown key "efect" in a rule of rank; did you mean effect?`,
		"ignore:\n- {at: 'A[b]', at: 'C[d]'}":                "line 2: mapping key \"at\" already defined at line 2",
		"ignore:\n- &x {at: 'A[b]'}\n- {<<: *x, tag: other}": `line 3: unknown key "<<" in a rule`,
	} {
		_, err := config.Parse("x.yaml", []byte(text), nil)
		if !errors.Is(err, config.ErrConfig) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
}
