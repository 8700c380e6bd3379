package audit_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/internal/secret"
	"github.com/pcatdev/pcat/pcore"
)

// document is a catalog whose changes must not change the findings.
type document map[string]any

func (d document) resources() []any { return d["resources"].([]any) }

// with returns a copy with other resources.
func (d document) with(resources []any) document {
	c := document{}
	for name, v := range d {
		c[name] = v
	}
	c["resources"] = resources
	return c
}

func (d document) text(t rapid.TB) string {
	t.Helper()
	text, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func documentOf(t rapid.TB, text string) (d document) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// ways are resources that have a secret each: <X> is a strong one, <W> a weak one.
var ways = []string{
	`{"type":"Class","title":"Db","parameters":{"root_password":"<X>","port":5432}}`,
	`{"type":"Class","title":"Weak","parameters":{"admin_password":"<W>"}}`,
	`{"type":"File","title":"/etc/app.ini","parameters":{"content":"[db]\npassword = <X>\nport = 1\n"}}`,
	`{"type":"File","title":"/etc/weak.ini","parameters":{"content":"[db]\nhost = lantern\npassword = \"<W>\"\n"}}`,
	`{"type":"Exec","title":"load","parameters":{"command":"mysql -u root -p<X> inventory","unless":"test -f /srv/inventory"}}`,
	`{"type":"Archive","title":"/srv/meadow","parameters":{"source":"https://deploy:<X>@files.example.com/meadow"}}`,
	`{"type":"Class","title":"App","parameters":{"db":{"token":"<X>","url":"x"},"list":[1,{"api_key":"<X>"}]}}`,
	`{"type":"Class","title":"Own","parameters":{"secret":"<X>","note":"of nobody"},"sensitive_parameters":["secret"]}`,
	`{"type":"Class","title":"Soft","parameters":{"secret":"<W>"},"sensitive_parameters":["secret"]}`,
	`{"type":"File","title":"/etc/copy","parameters":{"content":"colour <X> shape"}}`,
	`{"type":"Class","title":"Named","parameters":{"colour":"<W>","shape":["<X>"]}}`,
	`{"type":"Class","title":"Git","parameters":{"seen":"glpat-a8Kd03jfLq92mXc7Zr4T","old":"$6$k6y3o.eP$JlKBx9za9667qe4xHSwRv6J.C0/D7cV91"}}`,
	`{"type":"Class","title":"Default","parameters":{"db_password":"changeme"}}`,
}

// generated returns a catalog of some of the ways, with up to two secrets of each kind.
func generated(r *rapid.T) document {
	others := rapid.SampledFrom([]string{
		"walrus-trombone-cinnamon", "correct horse battery staple", "1e9c0b4a-55f0-4f4e-9f4b-0b1d7a1c9f11", "k9F/zQ2mT/x8Lw0vR4aBcD==", "Пароль-Для-Базы-Данных", "83920174650",
	})
	strong := rapid.SliceOfN(rapid.OneOf(shaped(), others), 1, 2).Draw(r, "strong")
	weak := rapid.SliceOfN(rapid.SampledFrom([]string{"hunter7", "walrus12", "Summer2024", "elastic7", "icingaweb2"}), 1, 2).Draw(r, "weak")
	var list []string
	for _, way := range rapid.Permutation(ways).Draw(r, "ways")[:rapid.IntRange(1, len(ways)).Draw(r, "many")] {
		way = strings.ReplaceAll(way, "<W>", rapid.SampledFrom(weak).Draw(r, "weak one"))
		list = append(list, strings.ReplaceAll(way, "<X>", rapid.SampledFrom(strong).Draw(r, "strong one")))
	}
	return documentOf(r, node("n", list...))
}

// shaped returns strong secrets of one shape, which have the same strength.
func shaped() *rapid.Generator[string] {
	return rapid.StringMatching(`[bdgkmqz][3-9][BDGKMQZ]{2}[bdgkmqz]{2}-[2-9][2-9][BDGKMQZ][bdgkmqz]{3}[3-9]`)
}

// answer returns the catalog as PuppetDB answers with it.
func (d document) answer() document {
	return document{"certname": d["name"], "environment": d["environment"], "resources": d["resources"], "edges": d["edges"]}
}

// realDocuments returns the catalogs that real Puppet wrote, by file.
func realDocuments(t *testing.T) map[string]document {
	t.Helper()
	files, err := filepath.Glob("../testdata/catalogs/*/rich.json")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	list := map[string]document{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		list[file] = documentOf(t, string(text))
	}
	return list
}

// law checks a law for generated catalogs, and, without -short, for each real one.
func law(t *testing.T, check func(*rapid.T, document)) {
	t.Helper()
	t.Run("generated", rapid.MakeCheck(func(r *rapid.T) { check(r, generated(r)) }))
	if testing.Short() {
		return
	}
	for file, d := range realDocuments(t) {
		t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) {
			rapid.Check(t, func(r *rapid.T) { check(r, d) })
		})
	}
}

// realTexts are the texts of the real documents, and of their resources in an answer of PuppetDB.
func realTexts(t *testing.T) map[string]bool {
	t.Helper()
	texts := map[string]bool{}
	for _, d := range realDocuments(t) {
		texts[d.text(t)], texts[d.answer().text(t)] = true, true
	}
	return texts
}

// auditing returns a function that audits a catalog. It keeps the secrets. A law audits the same real document in each
// of its cases, so the reports of these are kept.
func auditing(t *testing.T, o audit.Options) func(rapid.TB, string) *audit.Report {
	t.Helper()
	o.KeepSecrets = true
	a, err := audit.New(o)
	if err != nil {
		t.Fatal(err)
	}
	isReal, kept := realTexts(t), map[string]*audit.Report{}
	return func(t rapid.TB, text string) *audit.Report {
		t.Helper()
		if r := kept[text]; r != nil {
			return r
		}
		r, err := a.Run(context.Background(), []audit.Input{input("x", []byte(text))})
		if err != nil || len(r.Failures) > 0 {
			t.Fatal(err, r.Failures)
		}
		if isReal[text] {
			kept[text] = r
		}
		return r
	}
}

func revealed(f *audit.Finding) string {
	if f.Secret == nil {
		return ""
	}
	text, _ := f.Secret.Reveal().(pcore.String)
	return string(text)
}

// rests is what a finding consists of, apart from texts that depend on other locations.
func rests(f *audit.Finding) string {
	return fmt.Sprintln(f.Rule, location(f), f.Severity, f.Confidence, f.Encodings, revealed(f))
}

func location(f *audit.Finding) string { return fmt.Sprint(f.At, " ", f.Start, " ", f.End) }

func difference(got, want []string) string {
	var b strings.Builder
	for _, w := range want {
		if !slices.Contains(got, w) {
			b.WriteString("- " + w)
		}
	}
	for _, g := range got {
		if !slices.Contains(want, g) {
			b.WriteString("+ " + g)
		}
	}
	return b.String()
}

// isCopy reports whether a finding is a copy of a secret that was found or declared elsewhere.
func isCopy(rule string) bool {
	return strings.HasPrefix(rule, "sensitive-") || slices.Contains([]string{"copied-secret", "derived-hash", "secret-reuse"}, rule)
}

// like returns a text with other characters of the same kinds, hexadecimal digits apart.
// Words and numbers stay if they would then take another number of guesses.
func like(r *rapid.T, s string) string {
	return runs.ReplaceAllStringFunc(s, func(run string) string {
		other := strings.Map(func(c rune) rune {
			for _, kind := range []string{"ae", "iou", "bcdf", "ghklmnprstvw", "AE", "IOU", "BCDF", "GHKLMNPRSTVW", "3456789"} {
				if strings.ContainsRune(kind, c) {
					return rapid.SampledFrom([]rune(kind)).Draw(r, "character")
				}
			}
			return c
		}, run)
		if secret.Strength(other) != secret.Strength(run) {
			return run
		}
		return other
	})
}

var runs = regexp.MustCompile(`[A-Za-z]+|[0-9]+`)

// whole returns everything that a report says about its findings, without tags and
// fingerprints that have a key.
func whole(r *audit.Report) (list []string) {
	for _, f := range r.Findings {
		tag := f.Tag
		if r.Keyed {
			f.Fingerprint, f.Tag = "", ""
			f.Shown = strings.ReplaceAll(f.Shown, "#"+tag, "")
		}
		f.Secret, f.Spelled = nil, nil
		at := f.At.String()
		f.At.Path = nil
		source := audit.Source{}
		if f.Source != nil {
			source = *f.Source
		}
		f.Source = nil
		list = append(list, fmt.Sprintf("%s %+v %+v\n", at, f, source))
	}
	return list
}

func restsOnForm(rule string) bool {
	for _, family := range []string{"provider-token/", "private-key", "password-hash", "url-credentials", "sensitive-", "at-rest-sensitive", "derived-hash", "redacted-literal", "deferred-literal"} {
		if strings.HasPrefix(rule, family) {
			return true
		}
	}
	return false
}

// position returns the position of a finding among the resources.
func position(f *audit.Finding) string {
	parts := strings.SplitN(f.Pointer, "/", 4)
	return strings.Join(parts[:min(3, len(parts))], "/")
}

func listed(v any) (list []string) {
	if all, ok := v.([]any); ok {
		for _, one := range all {
			list = append(list, one.(string))
		}
	}
	return list
}

// rewording replaces words of a catalog by others, each by the same everywhere.
type rewording struct {
	r              *rapid.T
	words          map[string]string
	secrets, names []string // lower case; kept
}

// formatWords are the words of formats.
var formatWords = strings.Fields("http https ftp ldap mysql postgresql begin end private public key rsa openssh certificate redacted value sensitive deferred secret")

func (w *rewording) resource(r map[string]any) any {
	c := map[string]any{}
	for name, v := range r {
		c[name] = v
	}
	c["title"] = w.text(r["title"].(string))
	if p, ok := r["parameters"].(map[string]any); ok {
		changed := map[string]any{}
		for name, v := range p {
			changed[name] = w.value(v)
		}
		c["parameters"] = changed
	}
	return c
}

func (w *rewording) value(v any) any {
	switch v := v.(type) {
	case string:
		return w.text(v)
	case []any:
		var list []any
		for _, one := range v {
			list = append(list, w.value(one))
		}
		return list
	case map[string]any:
		if v["__ptype"] != nil {
			return v
		}
		changed := map[string]any{}
		for name, one := range v {
			changed[w.text(name)] = w.value(one)
		}
		return changed
	}
	return v
}

// text replaces the words of a text outside of secrets.
func (w *rewording) text(s string) string {
	low := strings.ToLower(s)
	var b strings.Builder
	for i := 0; i < len(s); {
		j := i
		for j < len(s) && s[j] < 0x80 && unicode.IsLetter(rune(s[j])) {
			j++
		}
		switch {
		case j-i >= 4 && !w.isKept(low, i, j):
			b.WriteString(w.word(s[i:j]))
		case j == i:
			j++
			b.WriteString(s[i:j])
		default:
			b.WriteString(s[i:j])
		}
		i = j
	}
	return b.String()
}

// isKept reports whether the word at low[i:j] is of a format, of a name, of a type, or a
// part of a secret.
func (w *rewording) isKept(low string, i, j int) bool {
	word := low[i:j]
	if slices.Contains(formatWords, word) || slices.ContainsFunc(w.names, func(n string) bool { return strings.Contains(strings.ToLower(n), word) }) {
		return true
	}
	if i > 0 && strings.IndexByte("$_-", low[i-1]) >= 0 || j < len(low) && low[j] >= '0' && low[j] <= '9' || i > 0 && low[i-1] >= '0' && low[i-1] <= '9' {
		return true
	}
	return slices.ContainsFunc(w.secrets, func(s string) bool { return strings.Contains(s, word) })
}

func (w *rewording) word(s string) string {
	low := strings.ToLower(s)
	other, ok := w.words[low]
	if !ok {
		other = rapid.StringMatching(`([bdfgklmnprstv][aeiou]){2,5}`).Filter(func(o string) bool {
			return !slices.ContainsFunc(w.secrets, func(s string) bool { return strings.Contains(s, o) })
		}).Draw(w.r, "word")
		other += fmt.Sprintf("%c%c", 'a'+rune(len(w.words)/26%26), 'a'+rune(len(w.words)%26)) // distinct
		w.words[low] = other
	}
	if s[0] != low[0] {
		return strings.ToUpper(other[:1]) + other[1:]
	}
	return other
}
