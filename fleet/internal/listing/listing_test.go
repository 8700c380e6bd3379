package listing_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/fleet/internal/history"
	"github.com/pcatdev/pcat/fleet/internal/listing"
)

var now = time.Date(2026, 11, 3, 12, 0, 0, 0, time.UTC)

func record(feed, node string, findings ...history.Finding) *history.Record {
	return &history.Record{Feed: feed, Node: node, Findings: findings}
}

func finding(fingerprint, severity, title string, first, gone time.Duration) history.Finding {
	f := history.Finding{
		Fingerprint: fingerprint, Severity: severity, First: now.Add(-first), Last: now.Add(-first - time.Second), Count: 1,
		Finding: []byte(`{"rule":"secret-in-content","type":"File","title":"` + title + `","parameter":"content"}`),
	}
	if gone > 0 {
		f.Gone = now.Add(-gone)
	}
	return f
}

func fingerprints(l *listing.Findings) string {
	var list []string
	for _, r := range l.Rows {
		list = append(list, r.Fingerprint)
	}
	return strings.Join(list, " ")
}

func TestFilter(t *testing.T) {
	accepted := finding("fine", "high", "/x", 48*time.Hour, 0)
	accepted.Accepted = now.Add(-time.Hour)
	owned := finding("new", "low", "/x", time.Hour, 0)
	owned.Finding = []byte(`{"rule":"secret-in-content","repair":"0123456789abcdef","owner":"@dba @ops"}`)
	records := []*history.Record{
		record("folder:a/b", "web01", finding("old", "high", "/x", 48*time.Hour, 0), finding("gone", "high", "/x", 48*time.Hour, time.Hour)),
		record("terminus", "db01", owned, finding("long", "low", "/x", 48*time.Hour, 24*time.Hour), accepted),
	}
	for _, c := range []struct {
		name   string
		filter listing.Filter
		want   string
	}{
		{"all", listing.Filter{}, "old new"},
		{"since", listing.Filter{Since: now.Add(-2 * time.Hour)}, "new"},
		{"gone", listing.Filter{Gone: true}, "gone long"},
		{"gone since", listing.Filter{Gone: true, Since: now.Add(-2 * time.Hour)}, "gone"},
		{"accepted", listing.Filter{Accepted: true}, "fine"},
		{"accepted since", listing.Filter{Accepted: true, Since: now.Add(-time.Minute)}, ""},
		{"severity", listing.Filter{Severity: rule.Medium}, "old"},
		{"node", listing.Filter{Nodes: []string{"web*"}}, "old"},
		{"feed", listing.Filter{Nodes: []string{"term*"}}, "new"},
		{"a feed with a slash", listing.Filter{Nodes: []string{"folder:a/b/web01"}}, "old"},
		{"none", listing.Filter{Nodes: []string{"web"}}, ""},
		{"older", listing.Filter{Before: now.Add(-24 * time.Hour)}, "old"},
		{"gone, older", listing.Filter{Gone: true, Before: now.Add(-72 * time.Hour)}, ""},
		{"rule", listing.Filter{Rules: []string{"secret-*"}}, "old new"},
		{"another rule", listing.Filter{Rules: []string{"!secret-in-content"}}, ""},
		{"owner", listing.Filter{Owners: []string{"@dba"}}, "new"},
		{"no owner", listing.Filter{Owners: []string{"none"}}, "old"},
	} {
		var l listing.Findings
		for _, r := range records {
			l.Add(r, &c.filter)
		}
		if got := fingerprints(&l); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestFindings(t *testing.T) {
	var l listing.Findings
	hidden := record("terminus", "k9FzQ2mTx8Lw0vR4", finding("f3", "low", "=cmd()", time.Hour, 0))
	hidden.Hidden = true
	l.Add(hidden, &listing.Filter{})
	l.Add(record("terminus", "web01", finding("f1", "info", "/etc/motd", time.Hour, 0), finding("f2", "critical", "\\u202e/etc", time.Hour, 0)), &listing.Filter{})
	for format, want := range map[string]string{
		"text": "SEVERITY  NODE               RULE               LOCATION                 FIRST SEEN        LAST SEEN         FINGERPRINT\n" +
			"critical  terminus/web01     secret-in-content  File[·/etc]/content      2026-11-03 11:00  2026-11-03 11:00  f2\n" +
			"low       terminus/(hidden)  secret-in-content  File[=cmd()]/content     2026-11-03 11:00  2026-11-03 11:00  f3\n" +
			"info      terminus/web01     secret-in-content  File[/etc/motd]/content  2026-11-03 11:00  2026-11-03 11:00  f1\n" +
			"\n3 findings on 2 nodes\n",
		"csv": "severity,feed,node,rule,location,count,first_seen,last_seen,gone,fingerprint,accepted,repair,owner\n" +
			"critical,terminus,web01,secret-in-content,File[·/etc]/content,1,2026-11-03T11:00:00Z,2026-11-03T11:00:00Z,,f2,,,\n" +
			"low,terminus,(hidden),secret-in-content,File[=cmd()]/content,1,2026-11-03T11:00:00Z,2026-11-03T11:00:00Z,,f3,,,\n" +
			"info,terminus,web01,secret-in-content,File[/etc/motd]/content,1,2026-11-03T11:00:00Z,2026-11-03T11:00:00Z,,f1,,,\n",
	} {
		var b strings.Builder
		if err := l.Write(&b, format, time.UTC); err != nil || b.String() != want {
			t.Errorf("%s: %v\n%s\nwant\n%s", format, err, b.String(), want)
		}
	}
	var b strings.Builder
	if err := l.Write(&b, "json", time.UTC); err != nil || strings.Contains(b.String(), "\u202e") ||
		!strings.HasPrefix(b.String(), `{"tool":"pcatd","version":"devel","format_version":"1.3","findings":[{"fingerprint":"f2","severity":"critical","rule":"secret-in-content","feed":"terminus","node":"web01",`) {
		t.Errorf("%v\n%s", err, b.String())
	}
	if err := l.Write(&b, "xml", time.UTC); !errors.Is(err, listing.ErrFormat) {
		t.Error(err)
	}
	b.Reset()
	if err := new(listing.Findings).Write(&b, "json", time.UTC); err != nil || b.String() != `{"tool":"pcatd","version":"devel","format_version":"1.3","findings":[]}`+"\n" {
		t.Errorf("%v, %s", err, b.String())
	}
}

// Lists show owners if there are any.
func TestOwners(t *testing.T) {
	f := finding("f1", "info", "/etc/motd", time.Hour, 0)
	f.Finding = []byte(`{"rule":"secret-in-content","type":"File","title":"/etc/motd","repair":"0123456789abcdef","owner":"@dba"}`)
	var l listing.Findings
	l.Add(record("terminus", "web01", f, finding("f2", "info", "/x", time.Hour, 0)), &listing.Filter{})
	for format, want := range map[string]string{
		"text": "LAST SEEN         OWNER  FINGERPRINT\n",
		"csv":  ",f1,,0123456789abcdef,'@dba\n",
		"json": `"rule":"secret-in-content","repair":"0123456789abcdef","owner":"@dba","feed"`,
	} {
		var b strings.Builder
		if err := l.Write(&b, format, time.UTC); err != nil || !strings.Contains(b.String(), want) {
			t.Errorf("%s: %v\n%s\nwant\n%s", format, err, b.String(), want)
		}
	}
}

func TestEvent(t *testing.T) {
	const head = `{"time":"2026-11-03T12:00:00Z","feed":"terminus","node":"web01"`
	for _, c := range []struct{ body, want string }{
		{head + `,"kind":"new","severity":"high","finding":{"rule":"r","type":"File","title":"/a\u001b[2J"}}`, "2026-11-03 12:00:00  new       high      terminus/web01  r  File[/a·[2J]\n"},
		{head + `,"kind":"failed","error":"cut off"}`, "2026-11-03 12:00:00  failed              terminus/web01  cut off\n"},
		{head + `,"kind":"new","severity":"high","finding":{"rule":"r","type":"File","title":"/a","owner":"@dba"}}`, "2026-11-03 12:00:00  new       high      terminus/web01  r  File[/a]  @dba\n"},
		{`{"time":"2026-11-03T12:00:00Z","kind":"gone","severity":"low"}`, "2026-11-03 12:00:00  gone      low       (hidden)    \n"},
	} {
		var b strings.Builder
		if err := listing.Event(&b, "text", []byte(c.body), time.UTC); err != nil || b.String() != c.want {
			t.Errorf("%v, %q, want %q", err, b.String(), c.want)
		}
	}
	if err := listing.Event(new(strings.Builder), "json", []byte("hunter2"), time.UTC); !errors.Is(err, listing.ErrEvent) || strings.Contains(err.Error(), "hunter2") {
		t.Error(err)
	}
}
