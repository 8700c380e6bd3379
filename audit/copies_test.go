package audit_test

import (
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/audit"
)

const copied = "Zq7-kX93mvQ2-Lt8w"

// findings returns `rule location severity` for each finding about a rule.
func findings(r *audit.Report, rules ...string) (list []string) {
	for _, f := range r.Findings {
		if len(rules) == 0 || slices.Contains(rules, f.Rule) {
			list = append(list, fmt.Sprintf("%s %s %s", f.Rule, f.Pointer, f.Severity))
		}
	}
	return list
}

func TestCopiesOfFoundSecrets(t *testing.T) {
	document := node("a", class("A", `{"db_password":"`+copied+`","again":["`+copied+`"]}`),
		`{"type":"File","title":"/x","exported":true,"parameters":{"content":"see `+copied+` and `+copied+`","show_diff":true}}`,
		`{"type":"Notify","title":"use `+copied+`","parameters":{}}`)
	for _, keep := range []bool{false, true} {
		got := findings(runWith(t, audit.Options{KeepSecrets: keep}, document))
		want := []string{
			"plain-secret-parameter /resources/0/parameters/db_password high",
			"copied-secret /resources/0/parameters/again/0 high",
			"show-diff-enabled /resources/1/parameters/show_diff low",
			"exported-secret /resources/1/exported high",
			"copied-secret /resources/1/parameters/content critical",
			"copied-secret /resources/2/title critical",
		}
		if !slices.Equal(got, want) {
			t.Errorf("keep %t: %s\nwant %s", keep, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// A copy is as severe as its secret: more for root.
func TestCopiesHaveTheKindOfTheirSecret(t *testing.T) {
	for name, want := range map[string]string{"root_password": "critical", "chroot_password": "high", "snmp_community": "high"} {
		document := node("a", class("A", `{"`+name+`":"`+copied+`","x":"`+copied+`"}`))
		for _, f := range run(t, document).Findings {
			if f.Severity.String() != want {
				t.Errorf("%s: %s at %s is %s, want %s", name, f.Rule, f.Pointer, f.Severity, want)
			}
		}
	}
}

// A weak secret that is a word of the catalogs is masked, but in the names of nodes, files
// and modules.
func TestWeakSecretsAreMasked(t *testing.T) {
	document := node("a", class("Db", `{"password":"Winter2024"}`), class("winter2024", `{"note":"x"}`),
		`{"type":"Exec","title":"mysql -uapp -pWinter2024 shop","parameters":{}}`)
	r := run(t, document)
	if len(r.Findings) < 2 {
		t.Fatalf("%d findings", len(r.Findings))
	}
	for _, f := range r.Findings {
		if strings.Contains(fmt.Sprintf("%s %s %s %s", f.Title, f.Pointer, f.Message, f.Name), "Winter2024") {
			t.Errorf("%s shows the secret in %q", f.Rule, f.Title)
		}
	}
}

// A common password hides no name that contains the word, however it is spelled.
func TestCommonPasswordsHideNoNames(t *testing.T) {
	r := run(t, node("a", class("Radius", `{"secret":"SeCrEt"}`), class("Mail", `{"password":"PassWord"}`), class("Web", `{"client_secret":"Zq7-kX93mvQ2","root_password":"Xw4-nT82bhLp"}`)))
	pointers := map[string]bool{}
	for _, f := range r.Findings {
		pointers[f.Pointer] = true
	}
	for _, name := range []string{"2/parameters/client_secret", "2/parameters/root_password", "0/parameters/secret"} {
		if !pointers["/resources/"+name] {
			t.Errorf("there is no finding at %s, but at %v", name, slices.Sorted(maps.Keys(pointers)))
		}
	}
}

// The work for many secrets in one leaf grows with their number.
func TestManyCopiesInALeaf(t *testing.T) {
	if testing.Short() {
		t.Skip("it is a test of bounds")
	}
	var secrets, text strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&secrets, `,"k%d_password":"Zq7-kX93mvQ2-%05d"`, i, i*7)
		fmt.Fprintf(&text, "Zq7-kX93mvQ2-%05d ", i*7)
	}
	r := run(t, node("a", class("A", "{"+secrets.String()[1:]+"}"), class("B", `{"x":"`+text.String()+`"}`)))
	if n := len(findings(r, "copied-secret")); n != 3000 {
		t.Errorf("%d copies, want 3000", n)
	}
	encoded := base64.StdEncoding.EncodeToString([]byte(text.String()))
	r = run(t, node("a", class("A", "{"+secrets.String()[1:]+"}"), class("B", `{"x":"`+encoded+`"}`)))
	if n := len(findings(r, "copied-secret")); n != 3000 {
		t.Errorf("%d copies in an encoded text, want 3000", n)
	}
}
