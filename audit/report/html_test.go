package report_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/report"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/auditconfig"
	"github.com/pcatdev/pcat/internal/test/pagetest"
)

// fleet returns a report of a few findings on three nodes, some with texts that
// a browser would interpret.
func fleet(t testing.TB) *audit.Report {
	t.Helper()
	rules, err := rule.Default()
	if err != nil {
		t.Fatal(err)
	}
	finding := func(node, id string, line int64, s rule.Severity, kind, title, tag string) audit.Finding {
		return audit.Finding{
			Catalog: node + ".json", Node: node, Pointer: "/resources/1", Rule: id, Severity: s, Type: kind, Title: title, Parameter: "content",
			At: catalog.Location{}, File: "/m/site.pp", Line: line, Fingerprint: tag + tag, Tag: tag, Name: "password", Shown: "‹8-15 chars, mixed, #" + tag + "›", Message: "it is there",
		}
	}
	return &audit.Report{Catalogs: 3, Rules: rules, Findings: []audit.Finding{
		finding("web01", "secret-in-content", 3, rule.High, "File", "/etc/a", "aaaaaa"),
		finding("web02", "secret-in-content", 3, rule.High, "File", "/etc/b", "aaaaaa"),
		finding("web02", "secret-in-command", 4, rule.High, "Exec", "</script><script>document.title='taken'</script>", "bbbbbb"),
		finding("db01", "weak-secret", 5, rule.Medium, "Class", `"><img src=x onerror="document.title='taken'">`, "cccccc"),
	}}
}

// A report can list catalogs in place of nodes: a node can have several.
func TestCatalogs(t *testing.T) {
	for catalogs, want := range map[bool]string{false: "  nodes   2: web01, web02\n", true: "  nodes   2: web01.json, web02.json\n"} {
		var b strings.Builder
		if err := report.Write(&b, "text", fleet(t), report.Options{Catalogs: catalogs}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), want) || strings.Contains(b.String(), "db01.json (db01)") == catalogs {
			t.Errorf("catalogs %v:\n%s", catalogs, b.String())
		}
	}
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
	for _, asks := range []string{"http:", "https:", "url(", "@import", "<link", "<img", "<iframe", "fetch(", "XMLHttpRequest", "innerHTML", "eval("} {
		if strings.Contains(text, asks) {
			t.Errorf("the page holds %s", asks)
		}
	}
	if n := strings.Count(text, "<script"); n != 2 {
		t.Errorf("%d scripts; want the data and the script", n)
	}
}

// Without its script, the page has the result and the first locations. The footer has the
// facts about the run.
func TestPageWithoutScript(t *testing.T) {
	r := fleet(t)
	r.Failures = []audit.Failure{{Name: "broken.json", Err: errors.New("invalid JSON at byte 17")}}
	r.Accepted = 2
	var b strings.Builder
	if err := report.Write(&b, "html", r, report.Options{Version: "1.2.3", Time: time.Date(2026, 11, 22, 23, 30, 0, 0, time.UTC)}); err != nil {
		t.Fatal(err)
	}
	static, _, _ := strings.Cut(b.String(), `<script type="application/json"`)
	for _, want := range []string{
		"<h1>3 lines to repair on 3 nodes, and 1 input not audited</h1>", "2 catalogs audited, 4 findings: 3 high, 1 medium; 2 accepted.",
		"needs its script", `<code>/m/site.pp:3</code>: Text assigns a secret to a name such as password <span class="quiet">on 2 nodes</span>`,
		"<li>broken.json: invalid JSON at byte 17</li>",
		"<dt>Made by</dt><dd>pcat 1.2.3</dd>", "<dt>Date</dt><dd>2026-11-22</dd>", "<dt>Accepted findings</dt><dd>2</dd>", "<dt>Not audited</dt><dd>1</dd>",
		"<dt>Inputs</dt><dd>3 catalogs, findings on 3 nodes: web01.json, web02.json, db01.json, broken.json</dd>",
	} {
		if !strings.Contains(static, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if clean := page(t, &audit.Report{Catalogs: 1, Rules: r.Rules}); !strings.Contains(clean, "was found in 1 catalog.") || strings.Contains(clean, "<dt>Date</dt>") {
		t.Error("a page without findings does not say so, or has a date")
	}
}

// large returns a report with n findings: the same ten on each node or, if they
// are distinct, each at a location of its own.
func large(t testing.TB, n int, distinct bool) *audit.Report {
	t.Helper()
	rules, err := rule.Default()
	if err != nil {
		t.Fatal(err)
	}
	ids := []string{"secret-in-content", "plain-secret-parameter", "secret-in-command", "private-key", "url-credentials", "weak-secret", "copied-secret", "password-hash", "default-password", "show-diff-enabled"}
	r := &audit.Report{Rules: rules, Catalogs: n / 10}
	for i := range n {
		which := i % 10
		if distinct {
			which = i
		}
		known, _ := rules.ByID(ids[i%10])
		tag := fmt.Sprintf("%06x", which)
		r.Findings = append(r.Findings, audit.Finding{
			Catalog: fmt.Sprintf("catalogs/node%04d.json", i/10), Node: fmt.Sprintf("node%04d.example.com", i/10), Pointer: fmt.Sprintf("/resources/%d/parameters/content", which),
			Rule: known.ID, Class: known.Class, Severity: known.Severity, Confidence: rule.Likely, Type: "File", Title: fmt.Sprintf("/etc/app/%d.conf", which), Parameter: "content",
			File: "/etc/puppetlabs/code/environments/production/modules/app/manifests/init.pp", Line: int64(1 + which), Fingerprint: strings.Repeat(tag, 5) + "ab", Tag: tag,
			Name: "password", Shown: "‹8-15 chars, mixed, #" + tag + "›", Message: known.Title,
		})
	}
	return r
}

// A finding takes little space on the page, because texts are written once.
func TestPageSize(t *testing.T) {
	empty := len(page(t, large(t, 10, false)))
	for _, tt := range []struct {
		distinct bool
		most     int // bytes for each finding
	}{{false, 40}, {true, 650}} {
		if n := (len(page(t, large(t, 5000, tt.distinct))) - empty) / 5000; n > tt.most {
			t.Errorf("distinct %v: %d bytes for each finding, want at most %d", tt.distinct, n, tt.most)
		}
	}
}

func TestPageInBrowser(t *testing.T) {
	pagetest.Run(t, map[string]func(*testing.T, *pagetest.Browser){
		"filters": testFilters, "views": testViews, "places": testLocations, "owners": testOwners, "keys": testKeys, "texts": testTexts, "export": testExport, "allow": testAllow,
		"table": testTable, "speed": testSpeed, "narrow": testNarrow,
	})
}

const shown = "$('#count').textContent"

// Tiles, bars, classes, words and the address filter. A filter is in the address,
// and a click on its chip removes it.
func testFilters(t *testing.T, b *pagetest.Browser) {
	b.Open(t, pagetest.Page{Text: page(t, fleet(t)), Fragment: "#node=web02"})
	at := func(hash string) string {
		return "const changed = new Promise((done) => addEventListener('hashchange', done, { once: true })); location.hash = '" + hash + "'; await changed"
	}
	b.Steps(t, []pagetest.Step{
		{"", shown, "2 of 4 findings shown"},
		{at("node=web"), shown, "3 of 4 findings shown"},
		{at("rule=weak-secret"), shown, "1 of 4 findings shown"},
		{at("severity=medium"), shown, "1 of 4 findings shown"},
		{at("type=Exec"), shown, "1 of 4 findings shown"},
		{at("text=site.pp+aaaaaa"), shown, "2 of 4 findings shown"},
		{at("node=db01&rule=secret-in-content"), shown, "0 of 4 findings shown"},
		{"", "texts('.empty')", "No finding matches the filters.Clear all"},
		{"$('.empty button').click()", shown, "4 findings shown"},
		{"$('.tile.high').click()", shown, "3 of 4 findings shown"},
		{"", "location.hash", "#severity=high"},
		{"", "texts('.tile')", "0critical,3high,1medium,0low,0info"},
		{"$('.tile.medium').click()", shown, "4 of 4 findings shown"},
		{"$('.tile.high').click()", "location.hash", "#severity=medium"},
		{"", "texts('.chip')", "severity medium×"},
		{"$('.chip').click()", shown, "4 findings shown"},
		{"$('[data-key=\"node web02\"]').click()", shown, "2 of 4 findings shown"},
		{"", "$('[data-key=\"node web02\"]').getAttribute('aria-pressed')", "true"},
		{"$('[data-key=\"type Exec\"]').click()", "location.hash", "#node=web02&type=Exec"},
		{"$('#clear').click()", shown, "4 findings shown"},
		{"$('#search').focus(); $('#search').value = 'exec['; $('#search').dispatchEvent(new Event('input')); await frame()", shown, "1 of 4 findings shown"},
		{"", "location.hash", "#text=exec%5B"},
		{"press('Escape')", shown + " + location.hash", "4 findings shown"},
	})
	b.Quiet(t)
}

// The same findings by location, secret, node and rule. A card has the fix and the
// locations.
func testViews(t *testing.T, b *pagetest.Browser) {
	b.Try(t, pagetest.Page{Text: page(t, fleet(t))}, []pagetest.Step{
		{"", "texts('#views button')", "Locations 3,Secrets 3,Nodes 3,Rules 3,Findings 4"},
		{"", "texts('.head .title')", "/m/site.pp:3,/m/site.pp:4,/m/site.pp:5"},
		{"", "texts('.head .more')", "Text assigns a secret to a name such as password,A command contains a secret,A Sensitive value is easily guessed"},
		{"", "texts('.head .numbers')[0]", "1 secret2 nodes2 findings"},
		{"$('.head').click()", "texts('.spot code').filter((s) => s.startsWith('File'))", "File[/etc/a]/content,File[/etc/b]/content"},
		{"", "texts('.fix strong') + ' ' + texts('figcaption')", "To repair: Wrong,Right"},
		{"", "$('.card pre').textContent.includes('file { ')", "true"},
		{"$('[data-key=secret]').click()", "texts('.head .title').map((s) => s.slice(-8, -1))", "#aaaaaa,#bbbbbb,#cccccc"},
		{"$('[data-key=node]').click()", "texts('.head .title') + location.hash", "web02,web01,db01#view=node"},
		{"$('.head').click()", "texts('.card .fixes summary')", "high Text assigns a secret to a name such as password,high A command contains a secret"},
		{"$('.fixes').open = true; await until(() => $('.fixes .codes'))", "$$('.fixes .codes').length", "1"},
		{"$$('.card button').find((b) => b.textContent === 'Show in the table').click()", shown + " + location.hash", "2 of 4 findings shown#view=table&node=web02"},
		{"$('#clear').click(); $('[data-key=rule]').click()", "texts('.head .more')", "secret-in-content,secret-in-command,weak-secret"},
		{"", "$$('#legend dt').length", "5"},
	})
}

// A line with findings of several rules is one location, which a title shares with its edges and
// tags.
func testLocations(t *testing.T, b *pagetest.Browser) {
	b.Try(t, pagetest.Page{Text: page(t, audited(t, titled))}, []pagetest.Step{
		{"", "texts('h1')", "2 lines and 1 other location to repair on 1 node"},
		{"", "texts('#views button')[0]", "Locations 3"},
		{"", "texts('.head .title')", "/m/app.pp:9,/m/app.pp:12,/c/modules/profile/manifests/db.pp, Class[Profile::Db]/token"},
		{"", "texts('.head .more')[1]", "Text assigns a secret to a name such as password; Differences of a file with a secret are shown"},
		{"$$('.head')[0].click()", "texts('.card p').filter((s) => s.startsWith('The title')) + texts('.spot code')[0]", "The title is also in 2 edges and 2 tags.App[set ‹secret›]/title"},
		{"$$('.head')[1].click()", "texts('.change code').slice(1)", "content => Sensitive(epp('profile/a.epp', $parameters)),show_diff => false"},
	})
}

// Owners are in rows and in the table, if a finding has one.
func testOwners(t *testing.T, b *pagetest.Browser) {
	r := fleet(t)
	r.Findings[2].Owner, r.Findings[3].Owner = "@ops @dba", "@dba"
	b.Try(t, pagetest.Page{Text: page(t, r)}, []pagetest.Step{
		{"", "texts('.head .more')", "Text assigns a secret to a name such as password,A command contains a secret · @ops @dba,A Sensitive value is easily guessed · @dba"},
		{"$('[data-key=node]').click(); $('.head').click()", "texts('.pair').filter((s) => s.includes('@'))", "password=‹8-15 chars, mixed, #bbbbbb›/m/site.pp:4@ops @dbaconfidence low"},
		{"$('[data-key=table]').click(); $('th.owner button').click(); await frame()", "texts('td.owner')", ",,@dba,@ops @dba"},
	})
	b.Try(t, pagetest.Page{Text: page(t, fleet(t)), Fragment: "#view=table"}, []pagetest.Step{{"", "$$('th.owner').length", "0"}})
}

// The page can be used without a mouse.
func testKeys(t *testing.T, b *pagetest.Browser) {
	b.Try(t, pagetest.Page{Text: page(t, fleet(t))}, []pagetest.Step{
		{"press('/')", "document.activeElement.id", "search"},
		{"press('Escape'); press('j'); press('j'); press('k')", "$$('.head').indexOf(document.activeElement)", "0"},
		{"press('o')", "$$('.head[aria-expanded=true]').length", "1"},
		{"press('4')", "$('#views [aria-pressed=true]').dataset.key", "rule"},
		{"press('5'); $('.table td button').focus(); press('ArrowDown')", "document.activeElement.closest('tr').dataset.row", "1"},
		{"press('End')", "document.activeElement.closest('tr').dataset.row", "3"},
		{"$('#breakdown').open = true; $('[data-key=\"node web02\"]').focus(); document.activeElement.click()", "document.activeElement.dataset.key", "node web02"},
	})
}

// Texts of catalogs never become markup.
func testTexts(t *testing.T, b *pagetest.Browser) {
	r := fleet(t)
	for i := range r.Findings {
		f := &r.Findings[i]
		f.Node, f.File, f.Message, f.Name = f.Title, f.Title, f.Title+"\u202e", f.Title
	}
	text := page(t, r)
	for _, view := range []string{"location", "secret", "node", "rule", "table"} {
		b.Try(t, pagetest.Page{Text: text, Fragment: "#view=" + view}, []pagetest.Step{
			{"$$('.head').forEach((e) => e.click()); ($('.spot button') ?? $('td button')).click(); await frame()", "document.title + ' ' + $$('#app img').length + ' ' + document.scripts.length", "Audit of 3 catalogs 0 2"},
			{"", "document.body.innerText.includes('\\u202e')", "false"},
		})
	}
}

// The exported files are those of the forms csv and json; a filter leaves findings out.
func testExport(t *testing.T, b *pagetest.Browser) {
	r := run(t, 1)
	b.Open(t, pagetest.Page{Text: write(t, "html", r)})
	pagetest.Eval[any](t, b, "$('#export-csv').click()")
	if diff := cmp.Diff(write(t, "csv", r), b.Downloaded(t, "audit.csv")); diff != "" {
		t.Error(diff)
	}
	pagetest.Eval[any](t, b, "$('#export-json').click()")
	var want, got any
	text := b.Downloaded(t, "audit.json")
	if err := errors.Join(json.Unmarshal([]byte(write(t, "json", r)), &want), json.Unmarshal([]byte(text), &got)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	some := pagetest.Eval[string](t, b, "$('[data-key=\"node node1\"]').click(); csvText(selected.shown)")
	all := write(t, "csv", r)
	if n := strings.Count(some, "\n"); n < 3 || n >= strings.Count(all, "\n") || strings.Contains(some, "node0") {
		t.Errorf("the filtered table is\n%s", some)
	}
	b.Quiet(t)
}

// A copied entry is a configuration that allows the findings of its location.
func testAllow(t *testing.T, b *pagetest.Browser) {
	r := run(t, 1)
	b.Open(t, pagetest.Page{Text: write(t, "html", r)})
	groups := pagetest.Eval[[]struct {
		Text     string
		Findings []int
	}](t, b, `group(report.findings, 'location').map((g) => ({ text: allowText(spots(g.findings).map((s) => s.kind)), findings: g.findings.map((f) => f.index) }))`)
	groups = append(groups, pagetest.Eval[[]struct {
		Text     string
		Findings []int
	}](t, b, `report.findings.map((f) => ({ text: allowText([f.kind]), findings: [f.index] }))`)...)
	for _, g := range groups {
		c, err := auditconfig.Parse([]byte(g.Text))
		if err != nil {
			t.Fatalf("%v\n%s", err, g.Text)
		}
		some := *r
		some.Findings = nil
		for _, i := range g.Findings {
			some.Findings = append(some.Findings, r.Findings[i])
		}
		if c.Apply(&some, time.Now()); len(some.Findings) > 0 {
			t.Errorf("the entry does not allow %s\n%s", some.Findings[0].Pointer, g.Text)
		}
	}
	b.Steps(t, []pagetest.Step{
		{"$('.head').click(); $$('.card button').find((b) => b.textContent === 'Copy allow entry').click(); await frame()", "copied.length + ' ' + copied[0].startsWith('allow:\\n  - rule: ')", "1 true"},
		{"", "$('#toast').textContent", "The entry was copied: put it into .pcat-audit.yaml"},
		{"$('.spot button').click(); $$('dialog button').find((b) => b.textContent === 'Copy pcat explain').click(); await frame()", "/^pcat explain catalog[01].json [0-9a-f]{32}$/.test(copied[1])", "true"},
		{"$$('dialog button').find((b) => b.textContent === 'Copy fingerprint').click(); await frame()", "copied[1].includes(copied[2])", "true"},
		{"", "[yaml('Profile::App'), yaml('no'), yaml('80'), yaml('a: b'), yaml('*'), yaml('\\u202e')]", `Profile::App,"no","80","a: b","*","\U0000202e"`},
		{"", "shell(\"it's\") + shell('a.json') + shell('-')", `'it'\''s'a.json'-'`},
	})
	b.Quiet(t)
}

// The table has all findings, but draws only the rows in view.
func testTable(t *testing.T, b *pagetest.Browser) {
	b.Try(t, pagetest.Page{Text: page(t, large(t, 5000, true)), Fragment: "#view=table"}, []pagetest.Step{
		{"", "$('table').getAttribute('aria-rowcount')", "5001"},
		{"await frame()", "$$('tr[data-row]').length < 80", "true"},
		{"const last = () => texts('tr[data-row] td.node').at(-1); $('.table').scrollTop = 1e9; await until(() => last() === 'node0499.example.com')", "texts('tr[data-row] td.node').at(-1)", "node0499.example.com"},
		{"", "$$('tr[data-row]').length < 80 && document.documentElement.scrollHeight < 3000", "true"},
		{"$('th.node button').click(); await frame()", "$('th.node').getAttribute('aria-sort') + location.hash + texts('td.node')[0]", "ascending#view=table&sort=nodenode0000.example.com"},
		{"$('th.node button').click(); await frame()", "$('th.node').getAttribute('aria-sort') + texts('td.node')[0]", "descendingnode0499.example.com"},
		{"$('th.severity button').click(); await frame()", "texts('td.severity')[0]", "critical"},
		{"$('tr[data-row]').click()", "$('dialog').open + ' ' + texts('dialog h2')", "true A private key is plain text"},
		{"", "texts('dialog .facts dd').at(-1).length", "32"},
		{"$('dialog').close(); $('[data-key=location]').click(); await frame()", "$$('.group').length <= 100 && document.documentElement.scrollHeight < 9000", "true"},
		{"$('#list > .further').scrollIntoView(); await until(() => $$('.group').length > 50)", "$$('.group').length > 50", "true"},
	})
}

// 5,000 findings are usable in less than a second: the page, and each filter and
// view.
func testSpeed(t *testing.T, b *pagetest.Browser) {
	limit := b.Speed(t)
	for _, distinct := range []bool{false, true} {
		text := page(t, large(t, 5000, distinct))
		limit("page", func() { b.Open(t, pagetest.Page{Text: text}) })
		for _, act := range []string{
			"$('.tile.high').click()", "change({ text: 'app/3' })", "clear()", "change({ view: 'secret' })", "change({ view: 'node' })", "change({ view: 'rule' })",
			"change({ view: 'table' })", "$('th.node button').click()", "$('.table').scrollTop = 1e5",
		} {
			limit(act, func() { pagetest.Eval[any](t, b, act) })
		}
	}
}

// Nothing is wider than a telephone, whatever the texts are.
func testNarrow(t *testing.T, b *pagetest.Browser) {
	r := large(t, 200, false)
	r.Findings[0].Title = strings.Repeat("long", 100)
	r.Findings[0].Node = strings.Repeat("node.", 30)
	r.Failures = []audit.Failure{{Name: strings.Repeat("f", 200), Err: errors.New(strings.Repeat("e", 200))}}
	r.Notes = []audit.Note{{Catalog: strings.Repeat("c", 200), Pointer: strings.Repeat("/p", 100), Message: "encoded data is too large"}}
	text := page(t, r)
	for _, view := range []string{"location", "secret", "node", "rule", "table"} {
		b.Try(t, pagetest.Page{Text: text, Fragment: "#view=" + view + "&severity=high,medium,critical&text=o", Width: 400}, []pagetest.Step{
			{"$$('.head').forEach((e) => e.click()); $$('details').forEach((d) => { d.open = true; }); await frame()", "document.documentElement.scrollWidth <= 400", "true"},
			{"($('.spot button') ?? $('td button')).click(); await frame()", "document.documentElement.scrollWidth <= 400 && $('dialog').scrollWidth <= $('dialog').clientWidth", "true"},
		})
	}
}
