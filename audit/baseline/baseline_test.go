package baseline_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/baseline"
)

func report(fingerprints ...string) *audit.Report {
	r := &audit.Report{}
	for _, f := range fingerprints {
		r.Findings = append(r.Findings, audit.Finding{Fingerprint: f})
	}
	return r
}

var key = []byte("0123456789abcdef0123456789abcdef")

// fingerprint returns a fingerprint in the form of one with or without a key.
func fingerprint(c string, keyed bool) string {
	if keyed {
		return strings.Repeat(c, 32)
	}
	return strings.Repeat(c, 64)
}

func TestRoundTrip(t *testing.T) {
	for name, key := range map[string][]byte{"with a key": key, "without a key": nil} {
		t.Run(name, func(t *testing.T) {
			of := func(c string) string { return fingerprint(c, key != nil) }
			var b bytes.Buffer
			if err := baseline.New(report(of("c"), of("a"), of("b"), of("a"))).Write(&b, key); err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(strings.TrimSpace(b.String()), "\n")
			if len(lines) != 4 || lines[1] != `{"fingerprint":"`+of("a")+`"}` || lines[3] != `{"fingerprint":"`+of("c")+`"}` {
				t.Errorf("got %q", lines)
			}
			if strings.Contains(b.String(), "0123456789abcdef") {
				t.Error("the baseline holds the key")
			}
			read, err := baseline.Read(&b, key)
			if err != nil || read.Len() != 3 {
				t.Fatalf("%d fingerprints, %v", read.Len(), err)
			}
			r := report(of("a"), of("f"), of("b"), of("a"))
			known, gone := read.Apply(r)
			if len(known) != 3 || gone != 1 || len(r.Findings) != 1 || r.Findings[0].Fingerprint != of("f") {
				t.Errorf("%d known, %d gone, left %v", len(known), gone, r.Findings)
			}
		})
	}
}

// Users keep baselines in their repositories, so their bytes must not change.
func TestBytes(t *testing.T) {
	for name, tt := range map[string]struct {
		key  []byte
		want string
	}{
		"with a key":    {key, `{"baseline":1,"key":"7d3a0d54c6561b29"}`},
		"without a key": {nil, `{"baseline":1,"key":"none"}`},
	} {
		var b bytes.Buffer
		one := fingerprint("a", tt.key != nil)
		if err := baseline.New(report(one)).Write(&b, tt.key); err != nil {
			t.Fatal(err)
		}
		if want := tt.want + "\n" + `{"fingerprint":"` + one + `"}` + "\n"; b.String() != want {
			t.Errorf("%s: got %q, want %q", name, b.String(), want)
		}
	}
}

func TestErrors(t *testing.T) {
	written := func(key []byte) string {
		var b bytes.Buffer
		if err := baseline.New(report(fingerprint("a", key != nil))).Write(&b, key); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	keyed, unkeyed := written(key), written(nil)
	one := `{"fingerprint":"` + fingerprint("a", true) + `"}`
	for name, tt := range map[string]struct {
		text string
		key  []byte
		want error
	}{
		"no key":            {keyed, nil, baseline.ErrNoKey},
		"another key":       {keyed, []byte("other"), baseline.ErrKey},
		"a key for none":    {unkeyed, key, baseline.ErrUnkeyed},
		"no JSON":           {"aa\n", key, baseline.ErrSyntax},
		"no first line":     {one, key, baseline.ErrSyntax},
		"another version":   {`{"baseline":2}`, key, baseline.ErrSyntax},
		"no word of a key":  {`{"baseline":1}`, nil, baseline.ErrSyntax},
		"an empty line":     {strings.Replace(keyed, fingerprint("a", true), "", 1), key, baseline.ErrSyntax},
		"a short line":      {strings.Replace(keyed, fingerprint("a", true), "aa", 1), key, baseline.ErrSyntax},
		"no digits":         {strings.Replace(keyed, fingerprint("a", true), fingerprint("x", true), 1), key, baseline.ErrSyntax},
		"unknown members":   {keyed + `{"secret":"x"}`, key, baseline.ErrSyntax},
		"merged, with one":  {keyed + `{"fingerprint":"` + fingerprint("b", false) + `"}`, key, baseline.ErrSyntax},
		"merged, with none": {unkeyed + one, nil, baseline.ErrSyntax},
	} {
		if _, err := baseline.Read(strings.NewReader(tt.text), tt.key); !errors.Is(err, tt.want) {
			t.Errorf("%s: got %v, want %v", name, err, tt.want)
		}
	}
}
