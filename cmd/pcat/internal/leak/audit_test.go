package leak

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/report"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/auditconfig"
	"github.com/pcatdev/pcat/serialization"
)

// open is a catalog with the canary in locations where only an audit finds it:
// texts, titles, tags, keys, a command, a URL, and locations found by custom rules.
const open = `{"name":"n.example.com","tags":["` + canary + `"],"resources":[
 {"type":"Class","title":"Db","file":"/m/` + canary + `.pp","line":3,"parameters":{"password":"` + canary + `"},"sensitive_parameters":["password"]},
 {"type":"Class","title":"` + canary + `","parameters":{"` + canary + `":{"` + canary + `":"x ` + canary + `"},"db_password":"` + canary + `"}},
 {"type":"Exec","title":"x","exported":true,"parameters":{"command":"mysql -p` + canary + ` -e x","environment":["A=` + canary + `"]}},
 {"type":"File","title":"/a/` + canary + `","parameters":{"show_diff":true,"content":"url = http://u:` + canary + `@h/\ntoken ` + canary + `"}}
],"edges":[{"source":"Class[Db]","target":"Class[` + canary + `]"}]}`

// rules returns custom rules that find the canary by content and by path.
func rules(t *testing.T) *auditconfig.RuleSet {
	t.Helper()
	f, err := auditconfig.ParseTOML([]byte("[[rules]]\nid = 'text'\nregex = 'C4nary[a-z0-9-]+'\n[[rules]]\nid = 'path'\npath = '^/a/'\n"))
	if err != nil {
		t.Fatal(err)
	}
	set, err := auditconfig.NewRuleSet(nil, nil, f)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func audited(t *testing.T, o audit.Options, documents ...string) *audit.Report {
	t.Helper()
	format := rich(t)
	var inputs []audit.Input
	for i, d := range documents {
		inputs = append(inputs, audit.Input{Name: fmt.Sprintf("%s-%d.json", canary, i), Open: func() (*catalog.Reader, io.Closer, error) {
			return catalog.NewReaderBytes([]byte(d), format, serialization.DecodeOptions{}), nil, nil
		}})
	}
	a, err := audit.New(o)
	if err != nil {
		t.Fatal(err)
	}
	r, err := a.Run(context.Background(), inputs)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestAuditsOfWhatIsOpen checks that no report format reveals a secret, and
// neither does a printed finding that holds one.
func TestAuditsOfWhatIsOpen(t *testing.T) {
	for name, o := range map[string]audit.Options{
		"plain": {}, "with rules of a user": {Custom: rules(t)}, "with secrets": {KeepSecrets: true, AtRest: true}, "with explanations": {Explain: func(string, string) bool { return true }},
	} {
		r := audited(t, o, open, sampleCatalog, open[:len(open)-200])
		if len(r.Findings) < 8 || len(r.Failures) != 1 {
			t.Fatalf("%s: %d findings, %d failures, which tests nothing", name, len(r.Findings), len(r.Failures))
		}
		for _, f := range r.Failures {
			printed(t, name+": a failure", f)
		}
		for _, f := range r.Findings {
			f.At = catalog.Location{} // a Location is not masked, as documented
			printed(t, name+": a finding", f)
		}
		if (o.Explain != nil) != (len(r.Judgements) > 0) {
			t.Errorf("%s: %d judgements", name, len(r.Judgements))
		}
		for _, j := range r.Judgements {
			j.At = catalog.Location{}
			printed(t, name+": a judgement", j)
		}
		for _, format := range report.Formats() {
			for _, r := range []*audit.Report{r, r.Frame()} {
				var b bytes.Buffer
				if err := report.Write(&b, format.Name, r, report.Options{Color: true}); err != nil {
					t.Errorf("%s: %s: %v", name, format.Name, err)
				}
				noLeak(t, name+": "+format.Name, b.String())
			}
			err := report.Write(io.Discard, format.Name, r, report.Options{ShowSecrets: true})
			if format.Name != "text" && (err == nil || !strings.Contains(err.Error(), "shown only in text")) {
				t.Errorf("%s shows secrets: %v", format.Name, err)
			}
		}
	}
}

// TestDecisionsOfUsers checks that baselines, dropped findings and warnings reveal
// no secret.
func TestDecisionsOfUsers(t *testing.T) {
	r := audited(t, audit.Options{Key: []byte("a key of the test")}, open)
	var b bytes.Buffer
	if err := auditconfig.NewBaseline(r).Write(&b, []byte("a key of the test")); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), `"location":"Exec[x]/environment"`) {
		t.Errorf("the baseline has no places, which tests nothing:\n%s", b.String())
	}
	noLeak(t, "a baseline", b.String())
	c, err := auditconfig.Parse([]byte("allow: [{title: '*', reason: r}]\nseverities: {sensitive-in-tag: off}"))
	if err != nil {
		t.Fatal(err)
	}
	result := c.Apply(r, time.Now())
	if len(result.Dropped) < 4 {
		t.Fatalf("%d findings are left out, which tests nothing", len(result.Dropped))
	}
	for _, d := range result.Dropped {
		d.Finding.At = catalog.Location{}
		printed(t, "what is left out", d)
	}
	noLeak(t, "warnings", strings.Join(result.Warnings, "\n"))
}

// TestBaselinesOfAdjacentTexts checks that a baseline does not spell a secret with the texts of
// several members, and is written all the same.
func TestBaselinesOfAdjacentTexts(t *testing.T) {
	for _, secret := range []string{`Class[A3]/x`, `A3]/x","manifest`, `init.pp","line":3`, `"location":"Class[A3]`, `x","node":"n9"`, "plain-secret-parameter", `"rule":"sensitive`} {
		r := audited(t, audit.Options{}, fmt.Sprintf(`{"name":"n9","resources":[{"type":"Class","title":"Db","parameters":{"password":%q},"sensitive_parameters":["password"]},
			{"type":"Class","title":"A3","file":"/m/init.pp","line":3,"parameters":{"x":%[1]q}}]}`, secret))
		if len(r.Findings) == 0 {
			t.Errorf("%s: no finding, which tests nothing", secret)
		}
		var b bytes.Buffer
		if err := auditconfig.NewBaseline(r).Write(&b, nil); err != nil {
			t.Errorf("%s: %v", secret, err)
		}
		frame := strings.Contains("plain-secret-parameter", secret) || strings.HasPrefix(secret, `"rule"`)
		if strings.Contains(b.String(), secret) && !frame {
			t.Errorf("%s: the baseline spells it:\n%s", secret, b.String())
		}
		if known, err := auditconfig.ReadBaseline(&b, nil); err != nil || known.Len() == 0 {
			t.Errorf("%s: %v", secret, err)
		}
	}
}

// TestComparisons checks that filters, earlier runs and compared reports reveal no secret.
func TestComparisons(t *testing.T) {
	r := audited(t, audit.Options{KeepSecrets: true}, open, sampleCatalog)
	noLeak(t, "the nodes", strings.Join(r.Nodes, " "))
	var b bytes.Buffer
	if err := report.Write(&b, "jsonl", r, report.Options{}); err != nil {
		t.Fatal(err)
	}
	earlier, err := auditconfig.ReadEarlier(&b, nil)
	if err != nil {
		t.Fatal(err)
	}
	machinery(t, "an earlier run", earlier)
	filter := &auditconfig.Filter{Rules: []string{"!sensitive-in-*"}}
	if gone, _ := earlier.Compare(audited(t, audit.Options{}, strings.ReplaceAll(strings.ReplaceAll(open, `"command"`, `"umask"`), `"environment"`, `"user"`)), nil); len(gone) == 0 {
		t.Error("nothing is gone, which tests nothing")
	} else {
		printed(t, "findings that are gone", gone)
	}
	earlier.Compare(r, filter)
	r.Findings[0].State = audit.Fresh
	removed := filter.Apply(r)
	if len(removed) == 0 || len(r.Findings) == 0 || r.Findings[len(r.Findings)-1].State != audit.Known {
		t.Fatal("nothing is filtered or known, which tests nothing")
	}
	for _, f := range removed {
		f.At = catalog.Location{}
		printed(t, "a filtered finding", f)
	}
	for _, format := range report.Formats() {
		b.Reset()
		if err := report.Write(&b, format.Name, r, report.Options{}); err != nil {
			t.Errorf("%s: %v", format.Name, err)
		}
		noLeak(t, "a compared report as "+format.Name, b.String())
	}
	noLeak(t, "the counts", strings.Join(report.Counts(r), "\n"))
}

// TestReasonsOfBaselines checks that a secret in the reason of an entry is not written again.
func TestReasonsOfBaselines(t *testing.T) {
	r := audited(t, audit.Options{}, open)
	old, err := auditconfig.ReadBaseline(strings.NewReader(`{"baseline":1,"key":"none"}`+"\n"+`{"fingerprint":"`+r.Findings[0].Fingerprint+`","reason":"it was `+canary+`"}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	b := auditconfig.NewBaseline(r)
	b.Replace(old)
	var out bytes.Buffer
	err = b.Write(&out, nil)
	if !errors.Is(err, auditconfig.ErrReason) || out.Len() > 0 {
		t.Errorf("%v, %d bytes", err, out.Len())
	}
	printed(t, "an error about a reason", err)
}
