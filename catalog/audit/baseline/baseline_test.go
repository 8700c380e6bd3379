package baseline_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/catalog/audit"
	"github.com/pcatdev/pcat/catalog/audit/baseline"
)

func report(fingerprints ...string) *audit.Report {
	r := &audit.Report{}
	for _, f := range fingerprints {
		r.Findings = append(r.Findings, audit.Finding{Fingerprint: f})
	}
	return r
}

var key = []byte("0123456789abcdef0123456789abcdef")

func TestRoundTrip(t *testing.T) {
	var b bytes.Buffer
	if err := baseline.New(report("cc", "aa", "bb", "aa")).Write(&b, key); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if len(lines) != 4 || lines[1] != `{"fingerprint":"aa"}` || lines[3] != `{"fingerprint":"cc"}` {
		t.Errorf("got %q", lines)
	}
	if strings.Contains(b.String(), "0123456789abcdef") {
		t.Error("the baseline holds the key")
	}
	read, err := baseline.Read(&b, key)
	if err != nil || read.Len() != 3 {
		t.Fatalf("%d fingerprints, %v", read.Len(), err)
	}
	r := report("aa", "new", "bb", "aa")
	known, gone := read.Apply(r)
	if len(known) != 3 || gone != 1 || len(r.Findings) != 1 || r.Findings[0].Fingerprint != "new" {
		t.Errorf("%d known, %d gone, left %v", len(known), gone, r.Findings)
	}
}

func TestErrors(t *testing.T) {
	var b bytes.Buffer
	if err := baseline.New(report()).Write(&b, nil); !errors.Is(err, baseline.ErrKey) || b.Len() > 0 {
		t.Errorf("without a key: %v, %d bytes", err, b.Len())
	}
	if err := baseline.New(report("aa")).Write(&b, key); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		text string
		key  []byte
		want error
	}{
		"no key":          {b.String(), nil, baseline.ErrKey},
		"another key":     {b.String(), []byte("other"), baseline.ErrKey},
		"no JSON":         {"aa\n", key, baseline.ErrSyntax},
		"no first line":   {`{"fingerprint":"aa"}`, key, baseline.ErrSyntax},
		"another version": {`{"baseline":2}`, key, baseline.ErrSyntax},
		"an empty line":   {strings.Replace(b.String(), "aa", "", 1), key, baseline.ErrSyntax},
		"unknown members": {b.String() + `{"secret":"x"}`, key, baseline.ErrSyntax},
	} {
		if _, err := baseline.Read(strings.NewReader(tt.text), tt.key); !errors.Is(err, tt.want) {
			t.Errorf("%s: got %v, want %v", name, err, tt.want)
		}
	}
}
