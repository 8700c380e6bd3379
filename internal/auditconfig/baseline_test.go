package auditconfig_test

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/internal/auditconfig"
)

func findings(fingerprints ...string) *audit.Report {
	r := &audit.Report{}
	for _, f := range fingerprints {
		r.Findings = append(r.Findings, audit.Finding{Fingerprint: f})
	}
	return r
}

var baselineKey = []byte("0123456789abcdef0123456789abcdef")

// fingerprint returns a fingerprint in the format for runs with or without a key.
func fingerprint(c string, keyed bool) string {
	if keyed {
		return strings.Repeat(c, 32)
	}
	return strings.Repeat(c, 64)
}

func TestBaselineRoundTrip(t *testing.T) {
	for name, baselineKey := range map[string][]byte{"with a key": baselineKey, "without a key": nil} {
		t.Run(name, func(t *testing.T) {
			of := func(c string) string { return fingerprint(c, baselineKey != nil) }
			var b bytes.Buffer
			if err := auditconfig.NewBaseline(findings(of("c"), of("a"), of("b"), of("a"))).Write(&b, baselineKey); err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(strings.TrimSpace(b.String()), "\n")
			if len(lines) != 4 || !strings.HasSuffix(lines[1], `,"fingerprint":"`+of("a")+`"}`) || !strings.HasSuffix(lines[3], `,"fingerprint":"`+of("c")+`"}`) {
				t.Errorf("got %q", lines)
			}
			if strings.Contains(b.String(), "0123456789abcdef") {
				t.Error("the baseline holds the key")
			}
			read, err := auditconfig.ReadBaseline(&b, baselineKey)
			if err != nil || read.Len() != 3 {
				t.Fatalf("%d fingerprints, %v", read.Len(), err)
			}
			r := findings(of("a"), of("f"), of("b"), of("a"))
			known, gone := read.Apply(r)
			if len(known) != 3 || gone != 1 || len(r.Findings) != 1 || r.Findings[0].Fingerprint != of("f") {
				t.Errorf("%d known, %d gone, left %v", len(known), gone, r.Findings)
			}
		})
	}
}

// reviewed returns a report of findings with locations: two of them on two nodes.
func reviewed(keyed bool) *audit.Report {
	finding := func(node, id, title string, line int64, digit string) audit.Finding {
		return audit.Finding{
			Rule: id, Severity: rule.High, Type: "Class", Title: title, Parameter: "password", Node: node, Catalog: node + ".json",
			File: "/etc/puppetlabs/code/environments/pr_123/site/profile/manifests/db.pp", Line: line, Fingerprint: fingerprint(digit, keyed),
		}
	}
	r := &audit.Report{Keyed: keyed, Findings: []audit.Finding{
		finding("web02", "weak-secret", "Db", 9, "a"), finding("web01", "weak-secret", "Db", 7, "a"),
		finding("web01", "plain-secret-parameter", "Db", 7, "f"), finding("web01", "plain-secret-parameter", "App", 20, "b"),
		{Rule: "sensitive-in-edge", Node: "web01", Pointer: "/edges/1", Fingerprint: fingerprint("0", keyed)},
	}}
	r.Findings[1].Severity = rule.Critical
	return r
}

// Users commit and review baselines, so the bytes must not change.
func TestBaselineBytes(t *testing.T) {
	for name, tt := range map[string]struct {
		baselineKey []byte
		want        string
	}{
		"with a key":    {baselineKey, `{"baseline":1,"key":"7d3a0d54c6561b29"}`},
		"without a key": {nil, `{"baseline":1,"key":"none"}`},
	} {
		var b bytes.Buffer
		keyed := tt.baselineKey != nil
		if err := auditconfig.NewBaseline(reviewed(keyed)).Write(&b, tt.baselineKey); err != nil {
			t.Fatal(err)
		}
		want := tt.want + `
{"rule":"plain-secret-parameter","severity":"high","location":"Class[App]/password","manifest":"site/profile/manifests/db.pp","line":20,"node":"web01","fingerprint":"B"}
{"rule":"plain-secret-parameter","severity":"high","location":"Class[Db]/password","manifest":"site/profile/manifests/db.pp","line":7,"node":"web01","fingerprint":"F"}
{"rule":"sensitive-in-edge","severity":"info","location":"/edges/1","node":"web01","fingerprint":"0"}
{"rule":"weak-secret","severity":"critical","location":"Class[Db]/password","manifest":"site/profile/manifests/db.pp","line":7,"nodes":"2+","fingerprint":"A"}
`
		want = strings.NewReplacer(`"A"`, `"`+fingerprint("a", keyed)+`"`, `"B"`, `"`+fingerprint("b", keyed)+`"`, `"F"`, `"`+fingerprint("f", keyed)+`"`, `"0"`, `"`+fingerprint("0", keyed)+`"`).Replace(want)
		if b.String() != want {
			t.Errorf("%s: got\n%swant\n%s", name, b.String(), want)
		}
	}
}

// A node more changes no line of a large fleet.
func TestBaselineOfFleet(t *testing.T) {
	written := func(nodes int) string {
		r := &audit.Report{}
		for n := range nodes {
			r.Findings = append(r.Findings, audit.Finding{Node: fmt.Sprintf("web%d", n), Fingerprint: fingerprint("a", false)})
		}
		var b bytes.Buffer
		if err := auditconfig.NewBaseline(r).Write(&b, nil); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	for nodes, want := range map[int]string{1: `"node":"web0"`, 2: `"nodes":"2+"`, 9: `"nodes":"2+"`, 10: `"nodes":"10+"`, 99: `"nodes":"10+"`, 100: `"nodes":"100+"`, 1200: `"nodes":"1000+"`} {
		if got := written(nodes); !strings.Contains(got, want) {
			t.Errorf("%d nodes: got %s", nodes, got)
		}
	}
}

// rewritten returns the baseline of a report as a file, after it replaced old, and the numbers of new
// and of gone fingerprints.
func rewritten(t *testing.T, r *audit.Report, old string, key []byte) (text string, added, gone int) {
	t.Helper()
	former, err := auditconfig.ReadBaseline(strings.NewReader(old), key)
	if err != nil && !errors.Is(err, auditconfig.ErrKey) && !errors.Is(err, auditconfig.ErrUnkeyed) {
		t.Fatal(err)
	}
	b := auditconfig.NewBaseline(r)
	added, gone = b.Replace(former)
	var out strings.Builder
	if err := b.Write(&out, key); err != nil {
		t.Fatal(err)
	}
	return out.String(), added, gone
}

// A file of fingerprints, as older versions wrote it, is known, and gets the locations when it
// is replaced.
func TestBaselineOfFingerprints(t *testing.T) {
	old := `{"baseline":1,"key":"none"}` + "\n" + `{"fingerprint":"` + fingerprint("a", false) + `"}` + "\n" + `{"fingerprint":"` + fingerprint("c", false) + `"}` + "\n"
	read, err := auditconfig.ReadBaseline(strings.NewReader(old), nil)
	if err != nil {
		t.Fatal(err)
	}
	r := reviewed(false)
	if known, gone := read.Apply(r); len(known) != 2 || gone != 1 {
		t.Errorf("%d known, %d gone", len(known), gone)
	}
	text, added, gone := rewritten(t, reviewed(false), old, nil)
	if added != 3 || gone != 1 || strings.Count(text, `"rule":"`) != 4 {
		t.Errorf("%d new, %d gone\n%s", added, gone, text)
	}
	var same strings.Builder
	if err := read.Write(&same, nil); err != nil || same.String() != old {
		t.Errorf("%v, got %s", err, same.String())
	}
}

// A reason that was added by hand stays, also when the key changes, but not if the secret does.
func TestBaselineReasons(t *testing.T) {
	reason := func(text, rule string) string {
		return regexp.MustCompile(`("rule":"`+rule+`".*)}`).ReplaceAllString(text, `${1},"reason":"see OPS-17"}`)
	}
	unkeyed, _, _ := rewritten(t, reviewed(false), "", nil)
	unkeyed = reason(unkeyed, "weak-secret")
	text, added, gone := rewritten(t, reviewed(false), unkeyed, nil)
	if text != unkeyed || added != 0 || gone != 0 {
		t.Errorf("%d new, %d gone\n%s", added, gone, text)
	}
	keyed, added, gone := rewritten(t, reviewed(true), unkeyed, baselineKey)
	if strings.Count(keyed, "see OPS-17") != 1 || !strings.Contains(keyed, fingerprint("a", true)+`","reason":"see OPS-17"}`) || added != 4 || gone != 4 {
		t.Errorf("%d new, %d gone\n%s", added, gone, keyed)
	}
	former := strings.NewReplacer(`"location":`, `"place":`, `"manifest":`, `"file":`).Replace(unkeyed) // of 0.1
	if again, _, _ := rewritten(t, reviewed(false), former, nil); again != unkeyed {
		t.Errorf("got %s, want %s", again, unkeyed)
	}
	if again, _, _ := rewritten(t, reviewed(true), former, baselineKey); again != keyed {
		t.Errorf("got %s, want %s", again, keyed)
	}
	other, _, _ := rewritten(t, reviewed(true), keyed, []byte("another key of the test"))
	if strings.Count(other, "see OPS-17") != 1 {
		t.Errorf("got %s", other)
	}
	r := reviewed(true)
	r.Findings = r.Findings[:1]
	r.Findings[0].Fingerprint = fingerprint("d", true)
	changed, added, gone := rewritten(t, r, keyed, baselineKey)
	if strings.Contains(changed, "reason") || added != 1 || gone != 4 {
		t.Errorf("%d new, %d gone\n%s", added, gone, changed)
	}
	b, err := auditconfig.ReadBaseline(strings.NewReader(keyed), baselineKey)
	if err != nil || b.Reason(fingerprint("a", true)) != "see OPS-17" || b.Reason(fingerprint("b", true)) != "" {
		t.Error("the reason cannot be read")
	}
}

func TestBaselineErrors(t *testing.T) {
	written := func(baselineKey []byte) string {
		var b bytes.Buffer
		if err := auditconfig.NewBaseline(findings(fingerprint("a", baselineKey != nil))).Write(&b, baselineKey); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	keyed, unkeyed := written(baselineKey), written(nil)
	one := `{"fingerprint":"` + fingerprint("a", true) + `"}`
	for name, tt := range map[string]struct {
		text        string
		baselineKey []byte
		want        error
	}{
		"no key":            {keyed, nil, auditconfig.ErrNoKey},
		"another key":       {keyed, []byte("other"), auditconfig.ErrKey},
		"a key for none":    {unkeyed, baselineKey, auditconfig.ErrUnkeyed},
		"no JSON":           {"aa\n", baselineKey, auditconfig.ErrBaseline},
		"no first line":     {one, baselineKey, auditconfig.ErrBaseline},
		"another version":   {`{"baseline":2}`, baselineKey, auditconfig.ErrBaseline},
		"no word of a key":  {`{"baseline":1}`, nil, auditconfig.ErrBaseline},
		"an empty line":     {strings.Replace(keyed, fingerprint("a", true), "", 1), baselineKey, auditconfig.ErrBaseline},
		"a short line":      {strings.Replace(keyed, fingerprint("a", true), "aa", 1), baselineKey, auditconfig.ErrBaseline},
		"no digits":         {strings.Replace(keyed, fingerprint("a", true), fingerprint("x", true), 1), baselineKey, auditconfig.ErrBaseline},
		"unknown members":   {keyed + `{"secret":"x"}`, baselineKey, auditconfig.ErrBaseline},
		"merged, with one":  {keyed + `{"fingerprint":"` + fingerprint("b", false) + `"}`, baselineKey, auditconfig.ErrBaseline},
		"merged, with none": {unkeyed + one, nil, auditconfig.ErrBaseline},
	} {
		if _, err := auditconfig.ReadBaseline(strings.NewReader(tt.text), tt.baselineKey); !errors.Is(err, tt.want) {
			t.Errorf("%s: got %v, want %v", name, err, tt.want)
		}
	}
}
