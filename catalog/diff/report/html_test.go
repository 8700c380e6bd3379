package report_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pcatdev/pcat/catalog/diff"
	"github.com/pcatdev/pcat/catalog/diff/report"
	"github.com/pcatdev/pcat/internal/test/pagetest"
	"github.com/pcatdev/pcat/redact"
)

// fleetOf returns the report about pairs of catalogs.
func fleetOf(t testing.TB, o diff.Options, pairs [][2]string) *diff.Report {
	t.Helper()
	f := diff.NewFleet(redact.NewFinder(nil), o)
	for _, pair := range pairs {
		p, err := f.Compare(t.Context(), side(t, pair[0]), side(t, pair[1]))
		if err != nil {
			t.Fatal(err)
		}
		f.Add(p)
	}
	return f.Report()
}

// smallFleet are the catalogs of four nodes: three sets of changes.
func smallFleet() [][2]string {
	node := func(name, content, version, password string) string {
		return fmt.Sprintf(`{"name":"%s","resources":[
{"type":"File","title":"/etc/nginx.conf","file":"/c/environments/production/site.pp","line":3,"parameters":{"content":"user www;\nworkers %s;\npid /run;\n","notify":"Service[nginx]"}},
{"type":"Service","title":"nginx","parameters":{"ensure":"running"}},
{"type":"Package","title":"ssl [3]","parameters":{"ensure":"%s"}},
{"type":"User","title":"*<b>","parameters":{"password":"%s","groups":["a","b"]},"sensitive_parameters":["password"]}]}`, name, content, version, password)
	}
	return [][2]string{
		{node("web01", "4", "3.1", "secret-one-1"), node("web01", "8", "3.1", "secret-one-1")},
		{node("web02", "4", "3.1", "secret-one-1"), node("web02", "8", "3.0", "secret-one-1")},
		{node("db01", "4", "3.1", "secret-one-1"), node("db01", "4", "3.1", "secret-two-2")},
		{node("db02", "4", "3.1", "secret-one-1"), node("db02", "4", "3.1", "secret-one-1")},
	}
}

// largeFleet returns a report about n nodes, each with a change of its own and some that
// all have.
func largeFleet(t testing.TB, n int) *diff.Report {
	t.Helper()
	f := diff.NewFleet(redact.NewFinder(nil), diff.Options{})
	document := func(i int, value string) diff.Side {
		var b strings.Builder
		for k := range 20 {
			fmt.Fprintf(&b, `{"type":"File","title":"/etc/app/%d.conf","parameters":{"content":"one\n%s\nthree\n"}},`, k, value)
		}
		return side(t, fmt.Sprintf(`{"name":"node%04d.example.com","resources":[%s{"type":"Package","title":"own","parameters":{"ensure":"%s%d"}}]}`, i, &b, value, 10*i))
	}
	for i := range n {
		p, err := f.Compare(t.Context(), document(i, "1"), document(i, "2"))
		if err != nil {
			t.Fatal(err)
		}
		f.Add(p)
	}
	return f.Report()
}

// Without its script, the page has the result and the first sets.
func TestPageWithoutScript(t *testing.T) {
	r := fleetOf(t, diff.Options{}, smallFleet())
	text := written(t, "html", r, report.Options{Version: "1.2.3", Time: time.Date(2026, 11, 22, 23, 30, 0, 0, time.UTC)})
	static, _, _ := strings.Cut(text, `<script type="application/json"`)
	for _, want := range []string{
		"<title>Catalog diff: 3 changes in 3 nodes: 2 danger, 1 restart</title>", "<p>3 nodes changed · 1 unchanged</p>",
		`<li><span class="badge danger">danger</span> web02: 1 changed</li>`, "<dd>pcat 1.2.3</dd>", "<dd>2026-11-22</dd>",
	} {
		if !strings.Contains(static, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if equal := written(t, "html", fleetOf(t, diff.Options{}, smallFleet()[3:]), report.Options{}); !strings.Contains(equal, `<header class="top clean">`) || !strings.Contains(equal, "<h1>No differences</h1>") {
		t.Error("a page without changes does not say so")
	}
}

// A secret that is a word of the style or the script does not prevent the page.
func TestPageWithCommonSecret(t *testing.T) {
	for _, word := range []string{"position", "segments", "another browser"} {
		document := func(shell string) string {
			return fmt.Sprintf(`{"name":"web01","resources":[{"type":"User","title":"a","parameters":{"password":"%s","shell":"%s"},"sensitive_parameters":["password"]}]}`, word, shell)
		}
		if text := written(t, "html", compared(t, document("/bin/a"), document("/bin/b")), report.Options{}); !strings.Contains(text, word) {
			t.Errorf("the page has no %s, so that this tests nothing", word)
		}
	}
}

func TestPageInBrowser(t *testing.T) {
	pagetest.Run(t, map[string]func(*testing.T, *pagetest.Browser){
		"filters": testFilters, "changes": testChanges, "marks": testMarks, "texts": testTexts, "speed": testSpeed, "narrow": testNarrow,
	})
}

const shown = "$('#count').textContent"

func testFilters(t *testing.T, b *pagetest.Browser) {
	b.Try(t, pagetest.Page{Text: written(t, "html", fleetOf(t, diff.Options{}, smallFleet()), report.Options{}), Fragment: "#node=web02"}, []pagetest.Step{
		{"", shown, "2 of 3 changes shown"},
		{"$('#clear').click()", shown, "3 changes shown"},
		{"", "texts('.tile')", "2danger,1restart,0write,0info"},
		{"", "texts('#views button')", "Change sets 3,Nodes 4,Changes 3"},
		{"$('.tile.restart').click()", shown + " + location.hash", "1 of 3 changes shown#rank=restart"},
		{"clear(); $('[data-key=\"type User\"]').click()", "texts('.head .title')", "db01"},
		{"clear(); change({ text: 'nginx web0' })", "texts('.head .title')", "2 nodes web[01-02]"},
		{"clear(); $('[data-key=\"effect refresh\"]').click()", shown, "1 of 3 changes shown"},
		{"clear(); press('2')", "texts('td.name')", "web02,db01,web01,db02"},
		{"", "texts('td.state').at(-1) + texts('td.open')", "unchanged2,1,1,"},
		{"$$('td.name button')[0].click()", "location.hash + ' ' + texts('.head .title')", "#node=web02 web02,2 nodes web[01-02]"},
		{"press('3'); $$('tr[data-row]').at(-1).click()", "texts('dialog h2') + $$('dialog .row').length", "File[/etc/nginx.conf]3"},
	})
}

// Old and new lines are beside each other, with the words that differ.
func testChanges(t *testing.T, b *pagetest.Browser) {
	b.Try(t, pagetest.Page{Text: written(t, "html", fleetOf(t, diff.Options{}, smallFleet()), report.Options{})}, []pagetest.Step{
		{"$$('.head').forEach((e) => e.click())", "texts('.row')", "1user www;1user www;,2workers 4;2workers 8;,3pid /run;3pid /run;"},
		{"", "texts('.lines mark')", "4,8"},
		{"", "$$('.row .side').every((e) => e.offsetTop === e.parentElement.offsetTop)", "true"},
		{"", "texts('.where code')", "site.pp:3"},
		{"", "texts('.effects li').includes('would refresh Service[nginx]')", "true"},
		{"", "texts('.note')", "Sensitive, changed"},
		{"", "texts('del') + ' ' + texts('ins')", "3.1 3.0"},
		{"", "document.body.textContent.includes('secret-one') || document.body.textContent.includes('secret-two')", "false"},
	})
}

// Sets are acknowledged and starred by keys, and remain so on a newer page with the same
// changes. A star keeps a set from being acknowledged with all others.
func testMarks(t *testing.T, b *pagetest.Browser) {
	text := written(t, "html", fleetOf(t, diff.Options{}, smallFleet()), report.Options{})
	b.Open(t, pagetest.Page{Text: text})
	b.Steps(t, []pagetest.Step{
		{"localStorage.clear(); marks.clear(); draw(); press('j'); press('a'); press('j'); press('s')", "$$('.group').map((e) => e.className.split(' ').at(-1))", "acknowledged,starred,open"},
		{"", "texts('#segments button')", "All 3,To review 1,Acknowledged 1,Starred 1"},
		{"press('s')", "$$('.group').map((e) => e.className.split(' ').at(-1))", "acknowledged,open,open"},
		{"press('s'); $('#acknowledge-all').click()", "$$('.group').map((e) => e.className.split(' ').at(-1))", "acknowledged,starred,acknowledged"},
		{"$('[data-key=\"mark starred\"]').click()", shown, "1 of 3 changes shown"},
		{"$('.head').focus(); press('a')", shown, "0 of 3 changes shown"},
	})
	b.Open(t, pagetest.Page{Text: text})
	b.Steps(t, []pagetest.Step{{"", "$$('.group.acknowledged').length", "3"}, {"localStorage.clear()", "localStorage.length", "0"}})
	b.Quiet(t)
}

// Texts of catalogs never become markup.
func testTexts(t *testing.T, b *pagetest.Browser) {
	const odd = `</script><script>document.title='taken'</script><img src=x onerror=\"document.title='taken'\">\u202e`
	document := func(value string) string {
		return strings.ReplaceAll(`{"name":"ODD","resources":[{"type":"File","title":"ODD","file":"ODD","line":1,"parameters":{"ODD":`+value+`,"content":"a\nODD`+value+`","list":["ODD",`+value+`],"hash":{"ODD":"ODD`+value+`"}}},{"type":"Exec","title":"ODD`+value+`"}]}`, "ODD", odd)
	}
	text := written(t, "html", compared(t, document("1"), document("2")), report.Options{})
	for _, view := range []string{"sets", "nodes", "changes"} {
		b.Try(t, pagetest.Page{Text: text, Fragment: "#view=" + view}, []pagetest.Step{
			{"if (state.view === 'changes') $('td button').click(); await frame()", "document.title.startsWith('Catalog diff: ') + ' ' + $$('#app img').length + ' ' + document.scripts.length", "true 0 2"},
			{"", "document.body.innerText.includes('\\u202e')", "false"},
		})
	}
}

// 2,000 nodes are usable: only what is in view is drawn.
func testSpeed(t *testing.T, b *pagetest.Browser) {
	text := written(t, "html", largeFleet(t, 2000), report.Options{})
	t.Logf("%d bytes", len(text))
	limit := b.Speed(t)
	limit("page", func() { b.Open(t, pagetest.Page{Text: text}) })
	b.Steps(t, []pagetest.Step{
		{"", "texts('#views button')", "Change sets 2,001,Nodes 2,000,Changes 2,020"},
		{"", "$$('.group').length <= 100", "true"},
	})
	for _, act := range []string{
		"change({ text: 'node01' })", "clear()", "$('.tile.write').click()", "clear()", "$('.head').click()", "$('.acknowledge').click()", "change({ view: 'nodes' })", "$('th.name button').click()",
		"change({ view: 'changes' })", "change({ view: 'sets', node: 'node0007.example.com' })", "clear(); $('#acknowledge-all').click()",
	} {
		limit(act, func() { pagetest.Eval[any](t, b, act) })
	}
	b.Steps(t, []pagetest.Step{
		{"change({ view: 'nodes' }); await frame()", "$$('tr[data-row]').length < 80 && $('table').getAttribute('aria-rowcount')", "2001"},
		{"localStorage.clear()", "localStorage.length", "0"},
	})
	b.Quiet(t)
}

// Nothing is wider than a telephone, whatever the texts are.
func testNarrow(t *testing.T, b *pagetest.Browser) {
	long := strings.Repeat("long", 100)
	document := func(value string) string {
		return strings.ReplaceAll(`{"name":"LONG","resources":[{"type":"File","title":"LONG","file":"LONG","line":1,"parameters":{"LONG":`+value+`,"content":"a\nLONG`+value+` LONG\nb","list":["LONG",`+value+`],"json":"{\"LONG\":`+value+`}","notify":"File[x]"}},{"type":"File","title":"x"},{"type":"Exec","title":"LONG`+value+`","parameters":{"command":"LONG`+value+`"}}]}`, "LONG", long)
	}
	text := written(t, "html", compared(t, document("1"), document("2")), report.Options{})
	for _, view := range []string{"sets", "nodes", "changes"} {
		b.Try(t, pagetest.Page{Text: text, Fragment: "#view=" + view, Width: 400}, []pagetest.Step{
			{"$$('details').forEach((d) => { d.open = true; }); if (state.view === 'changes') $('td button').click(); await frame()", "document.documentElement.scrollWidth <= 400 && $('dialog').scrollWidth <= $('dialog').clientWidth", "true"},
		})
	}
}
