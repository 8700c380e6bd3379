package config_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/config"
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
			if err := config.NewBaseline(findings(of("c"), of("a"), of("b"), of("a"))).Write(&b, baselineKey); err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(strings.TrimSpace(b.String()), "\n")
			if len(lines) != 4 || lines[1] != `{"fingerprint":"`+of("a")+`"}` || lines[3] != `{"fingerprint":"`+of("c")+`"}` {
				t.Errorf("got %q", lines)
			}
			if strings.Contains(b.String(), "0123456789abcdef") {
				t.Error("the baseline holds the key")
			}
			read, err := config.ReadBaseline(&b, baselineKey)
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

// Users commit baselines, so the bytes must not change.
func TestBaselineBytes(t *testing.T) {
	for name, tt := range map[string]struct {
		baselineKey []byte
		want        string
	}{
		"with a key":    {baselineKey, `{"baseline":1,"key":"7d3a0d54c6561b29"}`},
		"without a key": {nil, `{"baseline":1,"key":"none"}`},
	} {
		var b bytes.Buffer
		one := fingerprint("a", tt.baselineKey != nil)
		if err := config.NewBaseline(findings(one)).Write(&b, tt.baselineKey); err != nil {
			t.Fatal(err)
		}
		if want := tt.want + "\n" + `{"fingerprint":"` + one + `"}` + "\n"; b.String() != want {
			t.Errorf("%s: got %q, want %q", name, b.String(), want)
		}
	}
}

func TestBaselineErrors(t *testing.T) {
	written := func(baselineKey []byte) string {
		var b bytes.Buffer
		if err := config.NewBaseline(findings(fingerprint("a", baselineKey != nil))).Write(&b, baselineKey); err != nil {
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
		"no key":            {keyed, nil, config.ErrNoKey},
		"another key":       {keyed, []byte("other"), config.ErrKey},
		"a key for none":    {unkeyed, baselineKey, config.ErrUnkeyed},
		"no JSON":           {"aa\n", baselineKey, config.ErrBaseline},
		"no first line":     {one, baselineKey, config.ErrBaseline},
		"another version":   {`{"baseline":2}`, baselineKey, config.ErrBaseline},
		"no word of a key":  {`{"baseline":1}`, nil, config.ErrBaseline},
		"an empty line":     {strings.Replace(keyed, fingerprint("a", true), "", 1), baselineKey, config.ErrBaseline},
		"a short line":      {strings.Replace(keyed, fingerprint("a", true), "aa", 1), baselineKey, config.ErrBaseline},
		"no digits":         {strings.Replace(keyed, fingerprint("a", true), fingerprint("x", true), 1), baselineKey, config.ErrBaseline},
		"unknown members":   {keyed + `{"secret":"x"}`, baselineKey, config.ErrBaseline},
		"merged, with one":  {keyed + `{"fingerprint":"` + fingerprint("b", false) + `"}`, baselineKey, config.ErrBaseline},
		"merged, with none": {unkeyed + one, nil, config.ErrBaseline},
	} {
		if _, err := config.ReadBaseline(strings.NewReader(tt.text), tt.baselineKey); !errors.Is(err, tt.want) {
			t.Errorf("%s: got %v, want %v", name, err, tt.want)
		}
	}
}
