package overview_test

import (
	"bytes"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pcatdev/pcat/fleet/internal/coordinate"
	"github.com/pcatdev/pcat/fleet/internal/health"
	"github.com/pcatdev/pcat/fleet/internal/history"
	"github.com/pcatdev/pcat/fleet/internal/overview"
	"github.com/pcatdev/pcat/fleet/internal/web"
	"github.com/pcatdev/pcat/internal/test/pagetest"
)

const token = "reader-token-0123456789abcdef0123456789"

// page returns the page of a fleet on a server, for a reader with the token.
func page(t *testing.T, f *fleet, fragment string) pagetest.Page {
	t.Helper()
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte(token+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	door, err := web.NewDoor(web.Readers{TokenFile: file})
	if err != nil {
		t.Fatal(err)
	}
	h := overview.NewHandler(overview.Options{Fleet: f, Now: func() time.Time { return now }}, slog.New(slog.DiscardHandler))
	s := httptest.NewServer(web.Handler(web.Process{Health: health.New(nil), Findings: h, Door: door}))
	t.Cleanup(s.Close)
	return pagetest.Page{URL: s.URL + "/", Token: token, Fragment: fragment}
}

func TestPageInBrowser(t *testing.T) {
	pagetest.Run(t, map[string]func(*testing.T, *pagetest.Browser){
		"views": testViews, "filters": testFilters, "flow": testFlow, "texts": testTexts, "acceptance": testAcceptance, "speed": testSpeed, "narrow": testNarrow,
	})
}

const shown = "$('#count').textContent"

func testViews(t *testing.T, b *pagetest.Browser) {
	b.Try(t, page(t, sample(), ""), []pagetest.Step{
		{"", "texts('#views button')", "Repairs 4,Owners 3,Secrets 2,Nodes 3,Rules 2,Findings 5"},
		{"", "texts('.head .title')", "site/app.pp:7,site/app.pp:3,site/app.pp:5,(hidden)"},
		{"", "texts('.head .more')[1]", "Text assigns a secret to a name such as password · @ops @dba · for 40 days"},
		{"", "texts('.head .numbers')[1]", "1 secret2 nodes2 findings"},
		{"$$('.head')[1].click()", "texts('.spot .facts')[0].includes('on terminus/web01 (40 days), terminus/web02 (2 days)')", "true"},
		{"$('[data-key=owner]').click()", "texts('.head .title') + texts('.head .more')[1]", "No owner,@ops,@dbaoldest: 40 days"},
		{"$$('.head')[1].click()", "texts('.spot .facts')", "high site/app.pp:3Text assigns a secret to a name such as password · on 2 nodes · for 40 days"},
		{"$('[data-key=node]').click()", "texts('.head .title')", "folder:f/db01,terminus/web01,terminus/web02"},
		{"$('[data-key=table]').click(); await frame()", "texts('td.age') + texts('td.owner')[1]", "today,40 days,2 days,1 day,today@ops @dba"},
		{"$('th.age button').click(); await frame()", "texts('td.age')", "today,today,1 day,2 days,40 days"},
		{"", "$$('.day').length + ' ' + $$('.day span').length + ' ' + $('.day:last-child').title", "90 82 2026-11-29: 1 critical, 2 high, 1 medium, 1 low; 1 accepted"},
		{"", "texts('#trend figcaption')", "Findings a day43 on 2026-10-21, 5 on 2026-11-29 (-38), at most 43"},
		{"$('#decisions').open = true", "texts('#decisions strong')", "a test,replaced soon"},
	})
}

func testFilters(t *testing.T, b *pagetest.Browser) {
	b.Try(t, page(t, sample(), "#node=web"), []pagetest.Step{
		{"", shown, "3 of 6 findings shown"},
		{"$('#clear').click()", shown + " + location.hash", "5 of 6 findings shown"},
		{"$('[data-key=\"state accepted\"]').click()", shown + " + location.hash", "1 of 6 findings shown#state=accepted"},
		{"$('.head').click()", "texts('.reason')[0]", "Accepted: replaced soon"},
		{"$('[data-key=\"state \"]').click()", shown + " + location.hash", "6 findings shown#state="},
		{"press('Escape')", shown, "5 of 6 findings shown"},
		{"$('[data-key=\"owner @dba\"]').click()", shown, "2 of 6 findings shown"},
		{"$('#clear').click(); $('[data-key=\"age up to 90 days\"]').click()", shown, "1 of 6 findings shown"},
		{"$('#clear').click(); $('#search').value = 'web0'; $('#search').dispatchEvent(new Event('input')); await frame()", shown + " + texts('#clean')", "3 of 6 findings shown"},
		{"$('#search').value = 'CLEAN'; $('#search').dispatchEvent(new Event('input')); await frame()", "texts('#clean')", "Without open findings: terminus/clean01 (last catalog 2026-11-28)"},
		{"$('#search').value = 'removed'; $('#search').dispatchEvent(new Event('input')); await frame()", shown + " + texts('#clean')", "0 of 6 findings shown"},
	})
	b.Open(t, page(t, sample(), ""))
	pagetest.Eval[any](t, b, "$('#export-csv').click()")
	if got := b.Downloaded(t, "findings.csv"); strings.Count(got, "\n") != 6 ||
		!strings.HasPrefix(got, "severity,feed,node,rule,location,count,first_seen,last_seen,gone,fingerprint,accepted,repair,owner\ncritical,folder:f,db01,secret-in-content,File[/etc/c]/content,1,2026-11-29T12:00:00Z,2026-11-29T12:00:00Z,,dddddd/etc/c,,r/etc/c,\n") {
		t.Errorf("got %s", got)
	}
}

// The flow of a secret has its declaration and all locations, the oldest first.
func testFlow(t *testing.T, b *pagetest.Browser) {
	b.Try(t, page(t, sample(), "#view=table&text=web02+weak"), []pagetest.Step{
		{"$('td button').click()", "texts('dialog h2') + texts('dialog .flow > li').map((s) => s.slice(0, 58))", "A Sensitive value is easily guessedDeclared: Class[App]/password in site/params.pp:4," +
			"File[/etc/a]/content in site/app.pp:3 · Text assigns a sec,File[/etc/b]/content in site/app.pp:5 · A Sensitive value "},
		{"", "$$('dialog .flow > li').map((e) => e.className)", "origin,,here"},
		{"", "texts('dialog dd').includes('first seen 2026-11-28 (1 day), last seen 2026-11-29')", "true"},
		{"$$('dialog button').find((b) => b.textContent === 'Copy acceptance').click(); await frame()", "copied", "pcatd accept aaaaaa/etc/b --reason 'TODO: why this is accepted'"},
		{"$('dialog .flow button').click()", "$('dialog').open + location.hash", "false#view=table&text=web02+weak&node=terminus%2Fweb01"},
	})
}

// The command that accepts a repair matches its resource on all nodes, although the title has the name of the node.
func testAcceptance(t *testing.T, b *pagetest.Browser) {
	f := &fleet{status: coordinate.Summary{Settled: true}}
	for _, node := range []string{"web01.example.com", "web02.example.com"} {
		title := "/srv/" + node + "/" + node[:5] + "/xweb01/it's ‹secret›"
		one := finding("high", "secret-in-content", title, "", "aaaaaa", 3, 1)
		one.Finding = bytes.Replace(one.Finding, []byte(`"repair":"r`+title), []byte(`"repair":"r`), 1)
		f.records = append(f.records, history.Record{Feed: "terminus", Node: node, Seen: now, Findings: []history.Finding{one}})
	}
	b.Try(t, page(t, f, ""), []pagetest.Step{
		{"$('.head').click()", "texts('.head .numbers')", "1 secret2 nodes2 findings"},
		{"$$('button').find((b) => b.textContent === 'Copy acceptance').click(); await frame()", "copied", `pcatd accept --rule secret-in-content --type File --title '/srv/*/*/xweb01/it'\''s *' --manifest site/app.pp --reason 'TODO: why this is accepted'`},
	})
}

// Texts of catalogs never become markup.
func testTexts(t *testing.T, b *pagetest.Browser) {
	f := sample()
	const hostile = `</script><img src=x onerror="document.title='taken'">` + "\u202e"
	for i := range f.records {
		f.records[i].Node = hostile + f.records[i].Node
		for k := range f.records[i].Findings {
			one := finding("high", "secret-in-content", hostile, hostile, hostile, 3, 1)
			one.Reason, one.Fingerprint, one.Accepted = hostile, f.records[i].Findings[k].Fingerprint, f.records[i].Findings[k].Accepted
			f.records[i].Findings[k] = one
		}
	}
	f.accepted.States[0].Reason, f.accepted.States[0].By, f.accepted.States[0].Title = hostile, hostile, hostile
	f.status.Problems[0].Reason = hostile
	for _, view := range []string{"repair", "owner", "secret", "node", "rule", "table"} {
		b.Try(t, page(t, f, "#state=&view="+view), []pagetest.Step{
			{"$$('.head').forEach((e) => e.click()); ($('.spot button') ?? $('td button'))?.click(); await frame()", "document.title + ' ' + $$('img').length + ' ' + document.scripts.length", "Findings of a fleet 0 2"},
			{"", "document.body.innerText.includes('\\u202e')", "false"},
		})
	}
}

// 20,000 findings are usable in less than a second: the page, and each filter, search and view.
func testSpeed(t *testing.T, b *pagetest.Browser) {
	limit := b.Speed(t)
	for _, distinct := range []bool{false, true} {
		p := page(t, large(20000, distinct).store(), "")
		start := time.Now()
		limit("page", func() { b.Open(t, p) })
		t.Logf("with the server: %d ms", time.Since(start).Milliseconds())
		for _, act := range []string{
			"$('.tile.high').click()", "change({ text: 'app/3' })", "change({ text: 'node0123' })", "change({ text: '', owner: '@team3' })", "change({ age: 'more than 90 days' })", "clear()",
			"change({ state: '' })", "change({ view: 'owner' })", "$('.head').click()", "change({ view: 'secret' })", "$('.head').click()", "change({ view: 'node' })", "change({ view: 'rule' })", "$('.head').click()",
			"change({ view: 'table' })", "$('th.node button').click()", "$('.table').scrollTop = 1e5", "$('td button').click()",
		} {
			limit(act, func() { pagetest.Eval[any](t, b, act) })
		}
		b.Quiet(t)
	}
}

// Nothing is wider than a telephone, whatever the texts are.
func testNarrow(t *testing.T, b *pagetest.Browser) {
	f := large(200, false)
	long := finding("critical", "secret-in-content", strings.Repeat("long", 100), strings.Repeat("@o", 100), "eeeeee", 3, 1)
	f.records[0].Node, f.records[0].Findings = strings.Repeat("node.", 30), append(f.records[0].Findings, long)
	f.accepted, f.status = sample().accepted, sample().status
	f.accepted.States[0].Reason, f.status.Problems[0].Reason = strings.Repeat("r", 200), strings.Repeat("p", 200)
	for _, view := range []string{"repair", "owner", "secret", "node", "rule", "table"} {
		p := page(t, f, "#view="+view+"&severity=high,medium,critical&text=o")
		p.Width = 400
		b.Try(t, p, []pagetest.Step{
			{"$$('.head').forEach((e) => e.click()); $$('details').forEach((d) => { d.open = true; }); await frame()", "document.documentElement.scrollWidth <= 400", "true"},
			{"($('.spot button') ?? $('td button'))?.click(); await frame()", "document.documentElement.scrollWidth <= 400 && $('dialog').scrollWidth <= $('dialog').clientWidth", "true"},
		})
	}
}
