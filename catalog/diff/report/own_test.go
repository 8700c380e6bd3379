package report_test

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/catalog/diff/report"
)

// TestSecretsThatAreWordsOfReports compares catalogs with a secret that is a word or two
// words of a report. Nothing of this is a copy of the secret, except in a text of the
// catalog.
func TestSecretsThatAreWordsOfReports(t *testing.T) {
	if testing.Short() {
		t.Skip("it writes hundreds of reports")
	}
	catalogs := func(secret, other string) (old, new string) {
		document := `{"name":"n.example.com","resources":[` +
			`{"type":"File","title":"/a","file":"/m.pp","line":1,"parameters":{"content":"one\n%s\n","mode":"0%d","notify":"Service[s]"}},` +
			`{"type":"Service","title":"s","parameters":{"ensure":"%s"}},` +
			`{"type":"My::Type","title":"t","parameters":{"hash":{"k":%[2]d},"list":["a","b%[2]d"],"text":"x%[2]d","rich":{"__ptype":"SemVer","__pvalue":"1.%[2]d.0"}}},` +
			`{"type":"Package","title":"p%[2]d","parameters":{"ensure":"1.%[2]d"}},` +
			`{"type":"User","title":"u","parameters":{"password":%[4]q},"sensitive_parameters":[%[5]s]}]}`
		return fmt.Sprintf(document, "line "+other, 5, "running", secret, `"password"`), fmt.Sprintf(document, "line 2", 4, "stopped", secret, ``)
	}
	fingerprint := regexp.MustCompile(`[0-9a-f]{32}`)
	word := regexp.MustCompile(`[\pL][\pL_-]{5,}`)
	phrase := regexp.MustCompile(`[\pL\d]+ [\pL]+`)
	words := make(map[string]bool)
	formats := report.Formats()
	old, new := catalogs("another secret", "x")
	r := compared(t, old, new)
	for _, f := range formats {
		text := written(t, f.Name, r, report.Options{Explain: true})
		if f.Name == "html" { // the parts before and behind are fixed
			text = text[strings.Index(text, "<body"):strings.LastIndex(text, "<script>")]
		}
		text = fingerprint.ReplaceAllString(text, "")
		for _, s := range slices.Concat(word.FindAllString(text, -1), phrase.FindAllString(text, -1)) {
			words[s] = true
		}
	}
	if len(words) < 100 {
		t.Fatalf("%d words", len(words))
	}
	followed := []string{"unchanged", "would refresh", "not_comparable", "write-file"} // others are too common
	for _, s := range followed {
		if !words[s] {
			t.Errorf("%q is no word", s)
		}
	}
	for _, s := range slices.Sorted(maps.Keys(words)) {
		old, new := catalogs(s, s)
		r := compared(t, old, new)
		for _, f := range formats {
			var b bytes.Buffer
			if err := report.Write(&b, f.Name, r, report.Options{Explain: true}); err != nil {
				t.Errorf("%q in %s: %v", s, f.Name, err)
			}
			if text := b.String(); slices.Contains(followed, s) && strings.Contains(text, "line "+s) {
				t.Errorf("%s: a copy of %q is written", f.Name, s)
			}
		}
	}
}
