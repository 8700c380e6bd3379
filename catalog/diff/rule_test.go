package diff_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/catalog/diff"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/redact"
	"github.com/pcatdev/pcat/sensitive"
)

const (
	ruleOld = `{"type":"File","title":"/etc/motd","tags":["blue"],"parameters":{"content":"a","mode":"0644"}},
{"type":"A::B","title":"x/y","tags":["green__a__b"],"parameters":{"p":{"q":{"r":1}}}},{"type":"Exec","title":"x","parameters":{}}`
	ruleNew = `{"type":"File","title":"/etc/motd","tags":["blue"],"parameters":{"content":"b","mode":"0600"},"exported":true},
{"type":"A::B","title":"x/y","tags":["green__a__b"],"parameters":{"p":{"q":{"r":2}}}}`
)

// withOptions returns the comparison of two lists of resources.
func withOptions(t *testing.T, old, new string, o diff.Options) *diff.Report {
	t.Helper()
	r, err := diff.Compare(t.Context(), side(t, old), side(t, new), redact.NewFinder(nil), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func location(t *testing.T, at string) diff.Selector {
	t.Helper()
	p, err := diff.ParseSelector(at)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestLocations(t *testing.T) {
	const all = 5
	for at, ignored := range map[string]int{
		"File[/etc/motd]/content":            1,
		"File[/etc/motd]/parameters/content": 1,
		"file[*]":                            3,
		"File[/etc/*]/m*":                    1,
		"A::B[x/y]/p":                        1,
		"A::B[*]/p/*/r":                      1,
		"A::B[*]/**/r":                       1,
		"A::B[*]/**/parameters/p":            1,
		"A::B[*]/r":                          0,
		"*[*]/ensure":                        0,
		"File[/etc/mot?]":                    3,
		"Exec[x]":                            1,
		"Exec[x]/command":                    0,
		"*[*]/parameters":                    3, // not the member exported, and no whole resource
		"*[*]/*":                             4,
		"File[*]/exported":                   1,
		"*[*]":                               all,
	} {
		r := withOptions(t, ruleOld, ruleNew, diff.Options{Ignore: []diff.Rule{{At: location(t, at)}}})
		if len(r.Changes) != all-ignored || r.Rules[0].Count != ignored {
			t.Errorf("%s ignores %d changes, want %d:\n%s", at, r.Rules[0].Count, ignored, changes(r))
		}
		if r := withOptions(t, ruleOld, ruleNew, diff.Options{Only: []diff.Rule{{At: location(t, at)}}}); len(r.Changes) != ignored || r.Filtered != all-ignored {
			t.Errorf("%s selects %d changes, want %d:\n%s", at, len(r.Changes), ignored, changes(r))
		}
	}
	const label = `{"type":"File","title":"label","parameters":{"path":"/x"}}`
	for _, at := range []string{"File[/x]", "File[label]"} { // a rename
		r := withOptions(t, `{"type":"File","title":"/x","parameters":{}}`, label, diff.Options{Ignore: []diff.Rule{{At: location(t, at)}}})
		if !r.Equal() || r.Rules[0].Count != 1 {
			t.Errorf("%s: %s", at, changes(r))
		}
	}
	for _, at := range []string{"", "motd", "File", "File[]x", "[x]", "File[x]content", "File[x]/", "File[x"} {
		if p, err := diff.ParseSelector(at); err == nil {
			t.Errorf("%q: %v", at, p)
		}
	}
}

// condition is a condition in Go.
type condition func(*diff.Subject) (bool, error)

func (c condition) Holds(_ context.Context, s *diff.Subject) (bool, error) { return c(s) }

func TestConditions(t *testing.T) {
	for name, tt := range map[string]struct {
		rule    diff.Rule
		ignored string
	}{
		"a tag":           {diff.Rule{Tag: "Blue"}, "/exported /parameters/content /parameters/mode"},
		"a tag with type": {diff.Rule{Tag: "green"}, "/parameters/p/q/r"},
		"an operation":    {diff.Rule{Ops: []diff.Op{diff.OpRemove}}, "Exec[x]"},
		"kinds":           {diff.Rule{Kinds: []diff.Kind{"content", "resource"}}, "Exec[x] /parameters/content"},
		"all of them":     {diff.Rule{Tag: "blue", Kinds: []diff.Kind{"content", "resource"}}, "/parameters/content"},
		"no other":        {diff.Rule{Tag: "blue", Ops: []diff.Op{diff.OpMove}}, ""},
		"nothing":         {diff.Rule{}, "/exported Exec[x] /parameters/content /parameters/mode /parameters/p/q/r"},
		"a condition":     {diff.Rule{When: condition(func(s *diff.Subject) (bool, error) { return s.New == pcore.String("0600"), nil })}, "/parameters/mode"},
		"node and rank": {diff.Rule{When: condition(func(s *diff.Subject) (bool, error) {
			return s.Node == "web01.example.com" && s.Rank == diff.RankWrite, nil
		})}, "/parameters/content /parameters/mode"},
		"the same on nil":  {diff.Rule{When: condition(func(s *diff.Subject) (bool, error) { return s.New == nil, nil })}, "Exec[x]"},
		"a failed one":     {diff.Rule{When: condition(func(*diff.Subject) (bool, error) { return true, errors.New("bad") })}, ""},
		"lines of scalars": {diff.Rule{Lines: pcore.NewRegexp(`\A0[0-7]+\z`)}, "/parameters/mode"},
	} {
		all := withOptions(t, ruleOld, ruleNew, diff.Options{})
		left := withOptions(t, ruleOld, ruleNew, diff.Options{Ignore: []diff.Rule{tt.rule}})
		var got []string
		for _, c := range all.Changes {
			if s := fmt.Sprintf("%s %s %s %s", c.Op, c.Kind, c.Ref, c.Path); !strings.Contains(changes(left)+"\n", strings.TrimSpace(s)+"\n") {
				if c.Path == "" {
					c.Path = c.Ref
				}
				got = append(got, c.Path)
			}
		}
		slices.Sort(got)
		want := strings.Fields(tt.ignored)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s ignores %q, want %q", name, got, want)
		}
	}
}

func TestFailedConditions(t *testing.T) {
	fails := diff.Rule{Name: "r", When: condition(func(*diff.Subject) (bool, error) { return false, errors.New("bad") })}
	want := []diff.RuleUse{{Rule: "r", Failures: 5, Failure: "bad"}}
	for _, o := range []diff.Options{{Ignore: []diff.Rule{fails}}, {Only: []diff.Rule{fails}}} { // nothing gets lost
		if r := withOptions(t, ruleOld, ruleNew, o); len(r.Changes) != 5 || !slices.Equal(r.Rules, want) {
			t.Errorf("%+v\n%s", r.Rules, changes(r))
		}
	}
}

func TestLines(t *testing.T) {
	text := func(s string) string { return fmt.Sprintf(`{"type":"File","title":"/x","parameters":{"p":%s}}`, s) }
	for name, tt := range map[string]struct {
		old, new  string
		all, some bool // of lines that begin with B
	}{
		"a changed line":     {`"a\nB1\nc\n"`, `"a\nB2\nc\n"`, true, true},
		"another one too":    {`"a\nB1\nc\n"`, `"b\nB2\nc\n"`, false, true},
		"another one":        {`"a\nB1\n"`, `"b\nB1\n"`, false, false},
		"a moved line":       {`"a\nB1\nc\n"`, `"c\na\nB2\n"`, false, true},
		"added lines":        {`"a\n"`, `"a\nB1\nB2"`, true, true},
		"line breaks":        {`"B1\r\n"`, `"B1\n"`, false, false},
		"elements":           {`["a","B=1"]`, `["a","B=2"]`, true, true},
		"an element and one": {`["a","B=1"]`, `["b","B=2"]`, false, true},
		"a text and a list":  {`"B=1"`, `["B=1","B=2"]`, true, true},
		"a new parameter":    {`null`, `"B"`, true, true},
		"numbers":            {`1`, `2`, false, false},
		"hashes":             {`{"B":1}`, `{"B":2}`, false, false},
		"a list of hashes":   {`[{"B":1}]`, `["B"]`, false, false},
		"secrets":            {`{"__ptype":"Sensitive","__pvalue":"B1"}`, `{"__ptype":"Sensitive","__pvalue":"B2"}`, false, false},
	} {
		for rule, want := range map[*diff.Rule]bool{
			{Lines: pcore.NewRegexp("^B")}:                                     tt.all,
			{AnyLine: pcore.NewRegexp("^B")}:                                   tt.some,
			{Lines: pcore.NewRegexp("^B"), AnyLine: pcore.NewRegexp("^never")}: false,
		} {
			r := withOptions(t, text(tt.old), text(tt.new), diff.Options{Ignore: []diff.Rule{*rule}})
			if got := r.Equal(); got != want && (got || len(r.Changes) > 0) {
				t.Errorf("%s, %v, %v: ignored %v\n%s", name, rule.Lines, rule.AnyLine, got, changes(r))
			}
		}
	}
}

func TestRanks(t *testing.T) {
	old := `{"type":"File","title":"/x","parameters":{"content":"a","notify":["Service[db]","Service[web]"]}},
{"type":"Service","title":"db","parameters":{}},{"type":"Service","title":"web","parameters":{}},{"type":"My::Type","title":"t","parameters":{"p":1}}`
	new := strings.NewReplacer(`"a"`, `"b"`, `1`, `2`).Replace(old)
	ranks := func(r *diff.Report) string {
		var all []string
		for _, c := range r.Changes {
			s := c.Ref + " " + c.Rank.String()
			for _, e := range c.Effects {
				s += " " + e.Effect + " " + e.Ref + " " + e.Rank.String()
			}
			all = append(all, s)
		}
		return strings.Join(all, "; ")
	}
	at := func(s string) diff.Rule { return diff.Rule{At: location(t, s)} }
	for _, tt := range []struct {
		rules  []diff.RankRule
		ignore []diff.Rule
		want   string
	}{
		{nil, nil, "File[/x] restart write-file File[/x] write refresh Service[db] restart refresh Service[web] restart; My::Type[t] info"},
		{
			[]diff.RankRule{{Rule: at("Service[db]"), Effect: "refresh", Rank: diff.RankDanger}, {Rule: at("Service[*]"), Effect: "refresh", Rank: diff.RankInfo}}, nil,
			"File[/x] danger write-file File[/x] write refresh Service[db] danger refresh Service[web] info; My::Type[t] info",
		},
		{
			[]diff.RankRule{{Rule: at("*[*]/content")}, {Rule: at("My::Type[*]"), Rank: diff.RankDanger}, {Rule: at("My::Type[*]")}}, nil,
			"My::Type[t] danger; File[/x] info write-file File[/x] write refresh Service[db] restart refresh Service[web] restart",
		},
		{
			[]diff.RankRule{{Rule: at("File[/x]")}},
			[]diff.Rule{{When: condition(func(s *diff.Subject) (bool, error) { return s.Rank == diff.RankInfo, nil })}},
			"",
		},
	} {
		r := withOptions(t, old, new, diff.Options{Ranks: tt.rules, Ignore: tt.ignore})
		if got := ranks(r); got != tt.want {
			t.Errorf("got  %s\nwant %s", got, tt.want)
		}
		if tt.want != "" && r.Nodes[0].Rank != r.Rank() {
			t.Errorf("the node has %s", r.Nodes[0].Rank)
		}
	}
}

// A rule can give equal changes of two nodes different ranks; the highest counts.
func TestRanksOfNodes(t *testing.T) {
	for _, grave := range []string{"a1", "b1"} {
		f := diff.NewFleet(redact.NewFinder(nil), diff.Options{Ranks: []diff.RankRule{{Rank: diff.RankDanger, Rule: diff.Rule{
			When: condition(func(s *diff.Subject) (bool, error) { return s.Node == grave, nil }),
		}}}})
		for _, node := range []string{"a1", "b1"} {
			document := func(mode string) string {
				return fmt.Sprintf(`{"name":%q,"resources":[{"type":"File","title":"/x","parameters":{"mode":%q}}]}`, node, mode)
			}
			p, err := f.Compare(t.Context(), side(t, document("0644")), side(t, document("0600")))
			if err != nil {
				t.Fatal(err)
			}
			f.Add(p)
		}
		if r := f.Report(); len(r.Changes) != 1 || r.Changes[0].Rank != diff.RankDanger || r.Rules[0].Count != 1 {
			t.Errorf("%s: %+v", grave, r.Changes)
		}
	}
}

// A baseline can be the catalog of another node.
func TestBaseline(t *testing.T) {
	document := func(node string) string { return fmt.Sprintf(`{"name":%q,"resources":[]}`, node) }
	for baseline, want := range map[bool]int{false: 1, true: 0} {
		if r := withOptions(t, document("golden"), document("web01"), diff.Options{Baseline: baseline}); len(r.Changes) != want {
			t.Errorf("%v: %s", baseline, changes(r))
		}
	}
}

func TestNodes(t *testing.T) {
	old := `{"type":"Notify","title":"same","parameters":{}},{"type":"Notify","title":"gone","parameters":{}},{"type":"Notify","title":"a","parameters":{"message":"x"}}`
	new := `{"type":"Notify","title":"same","parameters":{}},{"type":"Notify","title":"new","parameters":{"message":"n"}},{"type":"Notify","title":"a","parameters":{"message":"y","withpath":true}}`
	n := withOptions(t, old, new, diff.Options{}).Nodes[0]
	if want := (diff.Node{Name: "web01.example.com", Resources: 4, Changed: 1, Added: 1, Removed: 1, Rank: n.Rank}); n != want || n.Percent() != 75 {
		t.Errorf("%+v, %v%%", n, n.Percent())
	}
}

// With a digester, secrets and their copies have the same digests everywhere.
func TestDigests(t *testing.T) {
	digester, err := sensitive.NewDigest([]byte("0123456789abcdef"))
	if err != nil {
		t.Fatal(err)
	}
	resources := func(secret, other string) string {
		return fmt.Sprintf(`{"type":"User","title":"a","parameters":{"password":%q,"nested":[%q]},"sensitive_parameters":["password","nested"]},
{"type":"Notify","title":"n","parameters":{"message":"%s %s"}}`, secret, secret, other, secret)
	}
	r := withOptions(t, resources("correct-horse-1", "a"), resources("correct-horse-2", "b"), diff.Options{Digest: digester})
	digests := make(map[string]diff.Change)
	for _, c := range r.Changes {
		digests[c.Path] = c
	}
	message, password, nested := digests["/parameters/message"], digests["/parameters/password"], digests["/parameters/nested"]
	if message.New != pcore.Value(pcore.String("b "+password.NewDigest)) || password.OldDigest == password.NewDigest {
		t.Errorf("%s, and %s", password.NewDigest, message.New)
	}
	if nested.NewDigest == "" || nested.NewDigest == password.NewDigest || message.NewDigest != "" {
		t.Errorf("%q %q", nested.NewDigest, message.NewDigest)
	}
}
