package rule_test

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/internal/syntax"
)

// maxWidth is that of a page of pcat rules, without the indentation.
const maxWidth = 94

// TestCode checks that each rule has wrong and right code in the Puppet
// language. Package reference compiles the code.
func TestCode(t *testing.T) {
	rules, err := rule.Default()
	if err != nil {
		t.Fatal(err)
	}
	for r := range rules.All() {
		if r.Wrong == r.Right {
			t.Errorf("%s: the right code is the wrong code", r.ID)
		}
		for name, code := range map[string]string{"wrong": r.Wrong, "right": r.Right} {
			t.Run(r.ID+"/"+name, func(t *testing.T) { checkCode(t, code) })
		}
	}
}

// TestFix checks that the fix of each rule is Puppet code, for a parameter of a resource
// and of a class.
func TestFix(t *testing.T) {
	rules, err := rule.Default()
	if err != nil {
		t.Fatal(err)
	}
	for r := range rules.All() {
		for _, typ := range []string{"Mysql::Db", "Class"} {
			t.Run(r.ID+"/"+typ, func(t *testing.T) {
				code := r.Fix(typ, "Profile::App", "password", true)
				switch {
				case strings.HasPrefix(code, "class profile"):
					code += " {}"
				case strings.Contains(code, " => ") && !strings.Contains(code, "<<|"):
					code = "notify { 'x': " + code + " }"
				}
				checkCode(t, code+"\n")
			})
		}
	}
}

func TestFixOf(t *testing.T) {
	rules, err := rule.Default()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		id, typ, title, parameter string
		whole                     bool
		want                      string
	}{
		{"plain-secret-parameter", "Mysql::Db", "app", "password", true, "password => Sensitive(lookup('profile::app::password'))"},
		{"plain-secret-parameter", "Class", "Profile::Db", "db_password", true, "class profile::db (Sensitive[String] $db_password)"},
		{"plain-secret-parameter", "Class", "Profile::Db", "settings", false, "class profile::db (Sensitive $settings)"},
		{"provider-token/github-pat", "File", "/etc/token", "content", true, "content => Sensitive(lookup('profile::app::token'))"},
		{"exported-secret", "Mysql::Db", "app", "exported", true, "Mysql::Db <<| |>> { password => Sensitive(lookup('profile::app::password')) }"},
		{"sensitive-in-title", "Mysql::Db", "app", "title", true, "mysql::db { 'a title without the secret': }"},
		{"sensitive-in-title", "", "", "", true, ""},
		{"private-key", "File", "x", "", true, ""},
		{"private-key", "File", "x", "a b", true, ""},
		{"private-key", "Class", "Not a class", "key", true, "key => Sensitive(lookup('profile::app::private_key'))"},
	} {
		r, ok := rules.ByID(tt.id)
		if !ok {
			t.Fatalf("no rule %s", tt.id)
		}
		if got := r.Fix(tt.typ, tt.title, tt.parameter, tt.whole); got != tt.want {
			t.Errorf("%s of %s[%s]/%s: got %q, want %q", tt.id, tt.typ, tt.title, tt.parameter, got, tt.want)
		}
	}
}

func checkCode(t *testing.T, code string) {
	t.Helper()
	if strings.TrimSpace(code) == "" {
		t.Fatal("there is none")
	}
	if !strings.HasSuffix(code, "\n") || strings.HasPrefix(code, "\n") || strings.HasSuffix(code, "\n\n") {
		t.Errorf("not whole lines, or empty ones at an end: %q", code)
	}
	if strings.Contains(code, "```") {
		t.Error("it cannot be written in Markdown")
	}
	for line := range strings.Lines(code) {
		if n := utf8.RuneCountInString(line) - 1; n > maxWidth {
			t.Errorf("%d characters, more than %d: %s", n, maxWidth, line)
		}
		if strings.TrimRight(line, " \t\n") != strings.TrimSuffix(line, "\n") || strings.Contains(line, "\t") {
			t.Errorf("unwanted blanks: %q", line)
		}
	}
	// Resources and classes are parsed, but not evaluated by package syntax.
	_, err := syntax.Config{MaxErrors: 1000}.ParseProgram("", code)
	var list syntax.ErrorList
	if err != nil && !errors.As(err, &list) {
		t.Fatal(err)
	}
	for _, e := range list {
		if e.Issue != "NOT_SUPPORTED_WHEN_SCRIPTING" {
			t.Error(e)
		}
	}
}
