package config_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/cmd/pcat/internal/check/config"
	"github.com/pcatdev/pcat/cmd/pcat/internal/faults"
)

func TestApply(t *testing.T) {
	c, err := config.Parse([]byte(`
modulepath: [modules]
allow:
  - rule: missing-order
    at: File[/etc/nginx/*]
    reason: written by the package's own script
  - rule: unknown-type
    reason: private types
  - at: Notify[b]
    reason: to be repaired
    expires: 2026-12-31
`))
	if err != nil {
		t.Fatal(err)
	}
	finding := func(kind faults.Kind, ref string, members ...string) faults.Finding {
		f := faults.Finding{Kind: kind}
		f.Ref, _ = catalog.ParseRef(ref)
		for _, m := range members {
			r, _ := catalog.ParseRef(m)
			f.Members = append(f.Members, r)
		}
		return f
	}
	day := func(s string) time.Time { d, _ := time.Parse(time.DateOnly, s); return d }
	for _, tt := range []struct {
		finding faults.Finding
		on      string
		kept    bool
	}{
		{finding(faults.MissingOrder, "File[/etc/nginx/a]"), "2026-01-01", false},
		{finding(faults.MissingOrder, "File[/etc/apache/a]"), "2026-01-01", true},
		{finding(faults.MissingOrder, "File[/etc/nginx/a]", "File[/etc/nginx/a]", "File[/etc/nginx/b]"), "2026-01-01", false},
		{finding(faults.MissingOrder, "File[/etc/nginx/a]", "File[/etc/nginx/a]", "Service[nginx]"), "2026-01-01", true},
		{finding(faults.NotifyClass, "Class[A]", "Notify[b]"), "2026-01-01", true}, // it is about the class
		{finding(faults.Duplicate, "File[/etc/nginx/a]"), "2026-01-01", true},
		{finding(faults.UnknownType, "Foo[x]"), "2026-01-01", false},
		{finding(faults.Cycle, "", "Notify[a]", "Notify[b]"), "2026-12-31", false},
		{finding(faults.Cycle, "", "Notify[a]", "Notify[b]"), "2027-01-01", true},
	} {
		if kept := len(c.Apply([]faults.Finding{tt.finding}, day(tt.on), nil)) > 0; kept != tt.kept {
			t.Errorf("%v on %s: kept is %v", tt.finding, tt.on, kept)
		}
	}
}

func TestInvalid(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"allow:\n- rule: cycle\n", "line 2: the entry has no reason"},
		{"allow:\n- kind: cycle\n  reason: x\n", "line 2: the key kind is now rule"},
		{"allow:\n- [kind, x]\n", "line 2: an entry is a map; its keys are rule, at, reason, expires"},
		{"allow:\n- reason: x\n", "line 2: the entry has no condition"},
		{"allow:\n- rule: circle\n  reason: x\n", `unknown rule "circle"`},
		{"allow:\n- at: File\n  reason: x\n", "is not a resource"},
		{"allow:\n- kid: cycle\n  reason: x\n", `line 2: unknown key "kid" in an entry`},
		{"allow:\n- rule: cycle\n  reason: x\n  expires: soon\n", "use the form 2026-12-31"},
		{"allow: 3\n", "line 1"},
	} {
		if _, err := config.Parse([]byte(tt.text)); !errors.Is(err, config.ErrConfig) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: %v", tt.text, err)
		}
	}
	if c, err := config.Parse(nil); err != nil || len(c.Allow) > 0 {
		t.Errorf("an empty file: %v", err)
	}
}
