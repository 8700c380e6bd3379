package diff_test

import (
	"errors"
	"testing"
	"time"

	"github.com/pcatdev/pcat/catalog/diff"
)

func TestRules(t *testing.T) {
	old := resource("File[/etc/motd]", `"content":"a","mode":"0644"`, `,"tags":["blue"]`) + "," + resource("A::B[x/y]", `"p":{"q":{"r":1}}`) + "," + resource("Exec[x]", ``)
	new := resource("File[/etc/motd]", `"content":"b","mode":"0600"`, `,"tags":["blue"]`) + "," + resource("A::B[x/y]", `"p":{"q":{"r":2}}`)
	for at, left := range map[string]int{
		"File[/etc/motd]/content":            3,
		"File[/etc/motd]/parameters/content": 3,
		"file[*]":                            2,
		"File[/etc/*]/m*":                    3,
		"A::B[x/y]/p":                        3,
		"A::B[*]/p/*/r":                      3,
		"A::B[*]/**/r":                       3,
		"A::B[*]/r":                          4,
		"*[*]/ensure":                        4,
		"File[/etc/mot?]":                    2,
		"Exec[x]":                            3,
		"Exec[x]/command":                    4,
		"*[*]":                               0,
	} {
		rule, err := diff.ParseRule(at)
		if err != nil {
			t.Fatal(err)
		}
		r, err := diff.Compare(t.Context(), side(t, old), side(t, new), diff.Options{Ignore: []diff.Rule{rule}})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Changes) != left {
			t.Errorf("%s leaves %d changes, want %d:\n%s", at, len(r.Changes), left, changes(r))
		}
	}
	r, err := diff.Compare(t.Context(), side(t, old), side(t, new), diff.Options{Ignore: []diff.Rule{{Tag: "Blue"}}})
	if err != nil || len(r.Changes) != 2 {
		t.Errorf("a rule with a tag: %v\n%s", err, changes(r))
	}
}

func TestParseConfig(t *testing.T) {
	c, err := diff.ParseConfig([]byte("version: 1\nprofile: [content]\nignore: [{at: 'A[b]', until: 2026-01-31}]\n"))
	if err != nil || len(c.Ignore) != 1 || len(c.Profiles) != 1 {
		t.Fatal(c, err)
	}
	day := time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)
	if r := c.Ignore[0]; r.Expired(day) || !r.Expired(day.AddDate(0, 0, 1)) {
		t.Error("the last day is wrong")
	}
	for _, text := range []string{"ignore: [{at: x}]", "ignore: [{reason: x}]", "ignore: [{at: 'A[b]', until: soon}]", "profile: [x]", "version: 2", "other: 1", "["} {
		if _, err := diff.ParseConfig([]byte(text)); !errors.Is(err, diff.ErrConfig) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := diff.ParseConfig(nil); err != nil {
		t.Error(err)
	}
}
