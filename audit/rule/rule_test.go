package rule_test

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/pcore/eval"
)

// maxWidth is that of a page of pcat list rules, without the indentation.
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

// TestFix checks that the fix of each rule is Puppet code.
func TestFix(t *testing.T) {
	rules, err := rule.Default()
	if err != nil {
		t.Fatal(err)
	}
	for r := range rules.All() {
		t.Run(r.ID, func(t *testing.T) {
			code := strings.NewReplacer("PARAMETER", "password", "TYPE", "Mysql::Db", "TEMPLATE", "profile/app.conf.epp").Replace(r.Fix)
			if strings.HasPrefix(code, "Mysql::Db {") {
				code = strings.ToLower(code)
			} else if !strings.Contains(code, "<<|") {
				code = "notify { 'x': " + code + " }"
			}
			checkCode(t, code+"\n")
		})
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
	// Resources and classes are parsed, but only a compiler evaluates them.
	_, err := eval.Parse("", code)
	var faults interface{ Unwrap() []error }
	if err == nil {
		return
	}
	if !errors.Is(err, eval.ErrSyntax) || !errors.As(err, &faults) {
		t.Fatal(err)
	}
	list := faults.Unwrap()
	if len(list) == 10 {
		t.Error("more errors than the parser lists: further ones may be missing")
	}
	for _, e := range list {
		if !strings.HasSuffix(e.Error(), "is only available when compiling a catalog") {
			t.Error(e)
		}
	}
}
