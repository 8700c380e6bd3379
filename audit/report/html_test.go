package report_test

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/report"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/catalog"
)

// fleet returns a report of a few findings on three nodes, some with texts that
// a browser would interpret.
func fleet(t testing.TB) *audit.Report {
	t.Helper()
	rules, err := rule.Default()
	if err != nil {
		t.Fatal(err)
	}
	finding := func(node, id string, s rule.Severity, kind, title, tag string) audit.Finding {
		return audit.Finding{
			Catalog: node + ".json", Node: node, Pointer: "/resources/1", Rule: id, Severity: s, Type: kind, Title: title, Parameter: "content",
			At: catalog.Location{}, File: "/m/site.pp", Line: 3, Fingerprint: tag + tag, Tag: tag, Name: "password", Shown: "‹8-15 chars, mixed, #" + tag + "›", Message: "it is there",
		}
	}
	return &audit.Report{Catalogs: 3, Rules: rules, Findings: []audit.Finding{
		finding("web01", "secret-in-content", rule.High, "File", "/etc/a", "aaaaaa"),
		finding("web02", "secret-in-content", rule.High, "File", "/etc/b", "aaaaaa"),
		finding("web02", "secret-in-command", rule.High, "Exec", "</script><script>document.title='taken'</script>", "bbbbbb"),
		finding("db01", "weak-secret", rule.Medium, "Class", `"><img src=x onerror="document.title='taken'">`, "cccccc"),
	}}
}

func page(t testing.TB, r *audit.Report) string {
	t.Helper()
	var b strings.Builder
	if err := report.Write(&b, "html", r, report.Options{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The page allows its own style and script and nothing else, and loads nothing
// else.
func TestPageStandsAlone(t *testing.T) {
	text := page(t, fleet(t))
	for _, tag := range []string{"style", "script"} {
		_, rest, _ := strings.Cut(text, "<"+tag+">")
		inside, _, ok := strings.Cut(rest, "</"+tag+">")
		sum := sha256.Sum256([]byte(inside))
		if !ok || !strings.Contains(text, tag+"-src &#39;sha256-"+base64.StdEncoding.EncodeToString(sum[:])) {
			t.Errorf("the policy does not allow the %s of the page", tag)
		}
	}
	for _, asks := range []string{"http:", "https:", "url(", "@import", "<link", "<img", "<iframe", "fetch(", "XMLHttpRequest"} {
		if strings.Contains(text, asks) {
			t.Errorf("the page holds %s", asks)
		}
	}
	if n := strings.Count(text, "<script"); n != 1 {
		t.Errorf("%d scripts", n)
	}
}

// browser returns a headless Chromium, or skips the test.
func browser(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("there is no Chromium on this machine: the page is not tried in a browser")
	return ""
}

// dom opens a page in the browser and returns the resulting document.
func dom(t *testing.T, path, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
		"--user-data-dir="+t.TempDir(), "--virtual-time-budget=1000", "--dump-dom", "file://"+file)
	out, err := cmd.Output()
	if err != nil {
		t.Skipf("the browser does not run here: %v", err)
	}
	return string(out)
}

// person simulates a user of filters in the address, the keyboard and the
// mouse. The resulting texts of the page become its title.
const person = `
(async () => {
  const said = [];
  const say = () => {
    const shown = (what) => [...document.querySelectorAll(what)].filter((e) => !e.hidden).length;
    said.push(shown('.secret') + '/' + shown('.place') + ' ' + document.getElementById('count').textContent);
  };
  say();
  for (const hash of ['node=web02', 'node=web', 'rule=weak-secret', 'severity=medium', 'type=Exec', 'text=site.pp+aaaaaa', 'node=db01&rule=secret-in-content']) {
    const changed = new Promise((done) => addEventListener('hashchange', done, {once: true}));
    location.hash = hash;
    await changed;
    say();
  }
  const key = (k) => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: k, bubbles: true}));
  const form = document.getElementById('filters');
  key('Escape'); say();
  key('/'); said.push(document.activeElement.name);
  form.elements.text.value = 'exec['; form.elements.text.dispatchEvent(new Event('input', {bubbles: true})); say(); said.push(location.hash);
  key('Escape'); say();
  for (const k of 'jjk') { key(k); said.push(document.activeElement.getAttribute('aria-labelledby')); }
  key('o'); said.push(document.querySelectorAll('details[open]').length);
  form.querySelector('[value=high]').click(); say();
  form.querySelector('[type=reset]').click(); say();
  document.title = document.title + '|' + said.join('|');
})();`

func TestPageInBrowser(t *testing.T) {
	path := browser(t)
	sum := sha256.Sum256([]byte(person))
	text := page(t, fleet(t))
	// Allowed for the test only.
	text = strings.Replace(text, "script-src ", "script-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"' ", 1)
	text = strings.Replace(text, "</body>", "<script>"+person+"</script></body>", 1)
	got := regexp.MustCompile(`<title>(.*)</title>`).FindStringSubmatch(dom(t, path, text))
	if got == nil {
		t.Fatal("the browser shows no title")
	}
	want := []string{
		"Audit of 3 catalogs",
		"3/3 3 of 3 shown, in 3 places",
		"2/2 2 of 3 shown, in 2 places",
		"2/2 2 of 3 shown, in 2 places",
		"1/1 1 of 3 shown, in 1 place",
		"1/1 1 of 3 shown, in 1 place",
		"1/1 1 of 3 shown, in 1 place",
		"1/1 1 of 3 shown, in 1 place",
		"0/0 0 of 3 shown, in 0 places",
		"3/3 3 of 3 shown, in 3 places",
		"text",
		"1/1 1 of 3 shown, in 1 place",
		"#text=exec%5B",
		"3/3 3 of 3 shown, in 3 places",
		"s0", "s1", "s0",
		"1",
		"1/1 1 of 3 shown, in 1 place",
		"3/3 3 of 3 shown, in 3 places",
	}
	if diff := cmp.Diff(want, strings.Split(html.UnescapeString(got[1]), "|")); diff != "" {
		t.Error(diff)
	}
}
