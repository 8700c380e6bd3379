package coordinate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pcatdev/pcat/fleet/internal/decisions"
	"github.com/pcatdev/pcat/fleet/internal/history"
	"github.com/pcatdev/pcat/fleet/internal/web"
	"github.com/pcatdev/pcat/fleet/internal/work"
	"github.com/pcatdev/pcat/internal/auditconfig"
)

// leakOf returns a catalog with a password in a file.
func leakOf(node, title string) []byte {
	return fmt.Appendf(nil, `{"name":%q,"environment":"production","resources":[{"type":"File","title":%q,"parameters":{"content":"password = k9FzQ2mTx8Lw0vR4\n"}}],"edges":[]}`, node, title)
}

// watched are the events of a fleet.
type watched struct {
	*fleet
	events chan history.Event
}

func watchEvents(f *fleet) *watched {
	f.t.Helper()
	w := &watched{f, make(chan history.Event, 100)}
	stop, err := f.store.Events(f.t.Context(), func(_ string, body []byte) {
		var e history.Event
		if err := json.Unmarshal(body, &e); err != nil {
			f.t.Error(err)
		}
		w.events <- e
	})
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(stop)
	return w
}

// expect waits for an event, and returns its fingerprint.
func (w *watched) expect(kind history.Kind, node string) string {
	w.t.Helper()
	select {
	case e := <-w.events:
		if e.Kind != kind || e.Node != node {
			w.t.Fatalf("got %+v, want %s of %s", e, kind, node)
		}
		return e.Fingerprint
	case <-time.After(20 * time.Second):
		w.t.Fatalf("there is no event %s of %s", kind, node)
		return ""
	}
}

// quiet checks that there are no more events after everything is recorded.
func (w *watched) quiet() {
	w.t.Helper()
	w.settle()
	time.Sleep(100 * time.Millisecond)
	select {
	case e := <-w.events:
		w.t.Errorf("got %+v", e)
	default:
	}
}

func (f *fleet) accept(e auditconfig.Entry) (decisions.State, error) {
	f.t.Helper()
	question, err := json.Marshal(&decisions.Acceptance{Entry: e, By: "operator@host"})
	if err != nil {
		f.t.Fatal(err)
	}
	var s decisions.State
	text, err := f.store.Ask(f.t.Context(), AskAccept, string(question))
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	return s, err
}

func (f *fleet) accepted() Accepted {
	f.t.Helper()
	f.settle()
	text, err := f.store.Ask(f.t.Context(), AskAccepted)
	var a Accepted
	if err == nil {
		err = json.Unmarshal(text, &a)
	}
	if err != nil {
		f.t.Fatal(err)
	}
	return a
}

func day(text string) (d auditconfig.Date) {
	if err := d.UnmarshalText([]byte(text)); err != nil {
		panic(err)
	}
	return d
}

// Accepted findings are counted in reports, and are neither in metrics nor in events, until the
// acceptance expires or is withdrawn.
func TestAccept(t *testing.T) {
	var clock atomic.Int64
	clock.Store(time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC).UnixNano())
	f := newFleet(t, work.Options{})
	f.now = func() time.Time { return time.Unix(0, clock.Load()).UTC() }
	w := watchEvents(f)
	c := f.start(1)
	f.put("web", leakOf("web", "/etc/app.ini"))
	fingerprint := w.expect(history.New, "web")
	count := func(findings, accepted int) {
		t.Helper()
		var r struct {
			Accepted int
			Findings []any
		}
		f.settle()
		text, err := f.store.Ask(t.Context(), AskReport, "json")
		if err == nil {
			err = json.Unmarshal(text, &r)
		}
		s := c.Status()
		sum := 0
		for _, n := range s.Findings {
			sum += n
		}
		if err != nil || len(r.Findings) != findings || r.Accepted != accepted || sum != findings || s.Accepted != accepted {
			t.Errorf("%d findings in the report and %d in metrics, %d and %d accepted, want %d and %d: %v", len(r.Findings), sum, r.Accepted, s.Accepted, findings, accepted, err)
		}
	}
	count(1, 0)
	for want, e := range map[string]auditconfig.Entry{
		"the entry has no reason":              {Fingerprint: fingerprint},
		"the entry has no condition":           {Reason: "r"},
		"not a fingerprint of a fleet":         {Fingerprint: "ab", Reason: "r"},
		"did you mean secret-in-content?":      {Rule: "secret-in-contnet", Reason: "r"},
		"2029-12-31 is over":                   {Rule: "secret-in-content", Reason: "r", Expires: day("2029-12-31")},
		"the reason contains a secret: write ": {Rule: "secret-in-content", Reason: "it is k9FzQ2mTx8Lw0vR4"},
	} {
		if _, err := f.accept(e); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "k9FzQ2mTx8Lw0vR4") {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	s, err := f.accept(auditconfig.Entry{Fingerprint: fingerprint, Reason: "a sample", Expires: day("2030-01-01")})
	if err != nil || s.Findings != 1 || s.Use != decisions.Active || s.By != "operator@host" || s.At != f.now() {
		t.Fatalf("got %+v, %v", s, err)
	}
	if got := w.expect(history.Accepted, "web"); got != fingerprint {
		t.Errorf("another finding was accepted: %s", got)
	}
	count(0, 1)
	f.stop() // another coordinator has it, too
	c = f.start(1)
	count(0, 1)
	w.quiet()
	clock.Add(int64(13 * time.Hour))
	w.expect(history.Again, "web")
	count(1, 0)
	if a := f.accepted(); len(a.States) != 1 || a.States[0].Use != decisions.Expired || a.States[0].Findings != 1 || a.States[0].Reason != "a sample" {
		t.Errorf("got %+v", a)
	}
	rule, err := f.accept(auditconfig.Entry{Rule: "secret-in-content", File: "", Title: "/etc/*", Reason: "a decision"})
	if err != nil {
		t.Fatal(err)
	}
	w.expect(history.Accepted, "web")
	f.put("db", leakOf("db", "/etc/db.ini")) // a new finding that is accepted
	if a := f.accepted(); len(a.States) != 2 || a.Findings != 2 || a.States[1].Use != decisions.Active || a.States[1].Findings != 2 || a.States[1].ID != rule.ID {
		t.Errorf("got %+v", a)
	}
	count(0, 2)
	f.put("web", leakOf("web", "/srv/app.ini")) // it is repaired, and another one appears
	w.expect(history.New, "web")
	w.quiet()
	f.remove("db")
	if a := f.accepted(); a.States[1].Use != decisions.Unused {
		t.Errorf("got %+v", a)
	}
	w.quiet()
	if _, err := f.store.Ask(t.Context(), AskWithdraw, "nothing"); err == nil || !strings.Contains(err.Error(), "no acceptance has the ID nothing") {
		t.Errorf("got %v", err)
	}
	f.put("web", leakOf("web", "/etc/app.ini"))
	w.expect(history.Gone, "web")
	w.quiet()
	if _, err := f.store.Ask(t.Context(), AskWithdraw, s.ID, rule.ID); err != nil {
		t.Fatal(err)
	}
	w.expect(history.Again, "web")
	if a := f.accepted(); len(a.States) != 0 {
		t.Errorf("got %+v", a)
	}
	count(1, 0)
}

// The number of findings of each day is kept, also by the next coordinator and on days without changes.
func TestDays(t *testing.T) {
	f := newFleet(t, work.Options{})
	var clock atomic.Int64
	clock.Store(time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC).UnixNano())
	f.now = func() time.Time { return time.Unix(0, clock.Load()).UTC() }
	f.put("web01", leakOf("web01", "/a"))
	f.start(1)
	f.settle()
	last := func(want string) {
		t.Helper()
		var text []byte
		for range 500 {
			var d history.Days
			if err := f.store.Days(t.Context(), &d); err != nil {
				t.Fatal(err)
			}
			text, _ = json.Marshal(d) // of texts and numbers
			if string(text) == want {
				return
			}
			time.Sleep(20 * time.Millisecond)
		}
		t.Fatalf("got %s, want %s", text, want)
	}
	const first = `{"day":"2030-01-01","findings":{"high":1},"accepted":0}`
	last("[" + first + "]")
	clock.Add(int64(24 * time.Hour))
	const second = `{"day":"2030-01-02","findings":{"high":1},"accepted":0}`
	last("[" + first + "," + second + "]")
	f.stop()
	f.start(1)
	f.settle()
	if _, err := f.accept(auditconfig.Entry{Title: "/a", Reason: "a test"}); err != nil {
		t.Fatal(err)
	}
	f.settle()
	clock.Add(int64(24 * time.Hour))
	last("[" + first + "," + second + `,{"day":"2030-01-03","findings":{},"accepted":1}]`)
	var r history.Record
	if _, err := f.store.Findings(t.Context(), f.store.Unit("test", "web01"), &r); err != nil || len(r.Findings) != 1 || r.Findings[0].Reason != "a test" {
		t.Errorf("%+v, %v", r, err)
	}
}

// A storage without room for the numbers of the day is no reason to end: it is said once.
func TestUnnotedDays(t *testing.T) {
	f := newFleet(t, work.Options{})
	l := &leader{Coordinator: New(Options{Store: f.store, Now: time.Now, Log: slog.New(slog.NewTextHandler(f.log, nil))})}
	l.log.last, l.log.today = time.Now(), map[string]int{"high": 1}
	ended, end := context.WithTimeout(t.Context(), time.Nanosecond)
	defer end()
	for range 3 {
		l.log.noted = time.Time{}
		l.note(ended)
	}
	if len(l.log.days) > 0 || !l.log.unnoted {
		t.Errorf("%v", l.log.days)
	}
	l.log.noted = time.Time{}
	l.note(t.Context())
	if !l.log.days.Has(time.Now()) || l.log.unnoted {
		t.Errorf("%v", l.log.days)
	}
}

// The files of pcat audit apply while a fleet runs, and when they change. Other rules audit all
// catalogs anew, also in workers.
func TestDecisionsOfFiles(t *testing.T) {
	f := newFleet(t, work.Options{})
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	known := write("baseline.jsonl", "")
	file := write(".pcat-audit.yaml", "severities: {secret-in-content: low}\n")
	var err error
	if f.decided, err = decisions.New(decisions.Files{Config: file, Baseline: known}, f.engine.Key(), slog.New(slog.NewTextHandler(f.log, nil))); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go f.decided.Run(ctx)
	w := watchEvents(f)
	c := f.start(1)
	f.put("web", leakOf("web", "/etc/app.ini"))
	fingerprint := w.expect(history.New, "web")
	f.settle()
	if s := c.Status(); s.Findings[web.Group{Severity: "low"}] != 1 {
		t.Errorf("the severity is another one: %v", s.Findings)
	}
	before, _, err := f.store.State(t.Context())
	if err != nil {
		t.Fatal(err)
	}

	write(".pcat-audit.yaml", "allow:\n- {rule: secret-in-content, type: File, reason: a sample}\n- {rule: weak-secret, reason: nothing has it}\n")
	w.expect(history.Accepted, "web")
	if a := f.accepted(); len(a.States) != 3 || a.States[0].From != ".pcat-audit.yaml:2" || a.States[0].Use != decisions.Active || a.States[1].Use != decisions.Unused {
		t.Errorf("got %+v", a)
	}
	write(".pcat-audit.yaml", "allow: [") // the former content applies
	for start := time.Now(); f.decided.Healthy() == nil; time.Sleep(20 * time.Millisecond) {
		if time.Since(start) > 20*time.Second {
			t.Fatal("a broken file is healthy")
		}
	}
	w.quiet()
	write(".pcat-audit.yaml", "")
	w.expect(history.Again, "web")
	if err := f.decided.Healthy(); err != nil {
		t.Error(err)
	}

	text, err := f.store.Ask(t.Context(), AskReport, Baseline)
	if err != nil || !strings.Contains(string(text), fingerprint) {
		t.Fatalf("got %s, %v", text, err)
	}
	write("baseline.jsonl", string(text))
	w.expect(history.Accepted, "web")
	if a := f.accepted(); len(a.States) != 1 || a.States[0].Baseline != 1 || a.States[0].Use != decisions.Active || a.Findings != 1 {
		t.Errorf("got %+v", a)
	}
	if again, err := f.store.Ask(t.Context(), AskReport, Baseline); err != nil || string(again) != string(text) {
		t.Errorf("the baseline is another one: %s, %v", again, err)
	}
	if after, _, err := f.store.State(t.Context()); err != nil || after.Epoch != before.Epoch {
		t.Errorf("all is audited anew: %v", err)
	}

	write("rules.toml", "[[rules]]\nid = \"colour\"\nregex = '''colour_[a-z]{9}'''\n")
	write(".pcat-audit.yaml", "rule_files: [rules.toml]\nrules:\n- {id: motd, when: \"$title == '/etc/motd'\", title: t, severity: medium}\n")
	f.put("db", []byte(`{"name":"db","environment":"production","resources":[{"type":"File","title":"/etc/motd","parameters":{"content":"use colour_vermilion"}}],"edges":[]}`))
	found := map[string]bool{}
	for range 2 {
		w.expect(history.New, "db")
	}
	text, err = f.store.Ask(t.Context(), AskReport, "json")
	var r struct{ Findings []struct{ Rule, Node string } }
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	for _, one := range r.Findings {
		found[one.Rule] = true
	}
	if err != nil || len(found) != 2 || !found["own/motd"] || !found["own/colour"] || strings.Contains(string(text), "colour_vermilion") {
		t.Errorf("got %s, %v", text, err)
	}
	w.quiet()
	after, _, err := f.store.State(t.Context())
	if err != nil || after.Epoch == before.Epoch || after.Rules == "" {
		t.Errorf("got %+v, %v", after, err)
	}
	write(".pcat-audit.yaml", "# the same rules\nrule_files: [rules.toml]\nrules:\n- {id: motd, when: \"$title == '/etc/motd'\", title: t, severity: medium}\n")
	time.Sleep(3 * time.Second)
	if same, _, err := f.store.State(t.Context()); err != nil || same.Epoch != after.Epoch {
		t.Errorf("the same rules audit all anew: %v", err)
	}
	write(".pcat-audit.yaml", "")
	w.expect(history.Gone, "db")
	w.expect(history.Gone, "db")
	w.quiet()
}

// Owners of the configuration are in events, metrics and records. Another owner is no event.
func TestOwnersOfFiles(t *testing.T) {
	f := newFleet(t, work.Options{})
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("CODEOWNERS", "/site/ @apps\n")
	file := write(".pcat-audit.yaml", "owners: CODEOWNERS\n")
	var err error
	if f.decided, err = decisions.New(decisions.Files{Config: file}, f.engine.Key(), slog.New(slog.NewTextHandler(f.log, nil))); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go f.decided.Run(ctx)
	w := watchEvents(f)
	c := f.start(1)
	f.put("web", []byte(strings.Replace(string(leakOf("web", "/etc/app.ini")), `"title"`, `"file":"/code/environments/production/site/app.pp","line":3,"title"`, 1)))
	w.expect(history.New, "web")
	f.settle()
	if s := c.Status(); s.Findings[web.Group{Severity: "high", Owner: "@apps"}] != 1 {
		t.Errorf("got %v", s.Findings)
	}
	owner := func() string {
		text, err := f.store.Ask(t.Context(), AskFindings)
		var records []struct {
			Findings []struct {
				Finding struct{ Owner, Repair string }
			}
		}
		if err := errors.Join(err, json.Unmarshal(text, &records)); err != nil || len(records) != 1 || len(records[0].Findings) != 1 || records[0].Findings[0].Finding.Repair == "" {
			t.Fatalf("%s, %v", text, err)
		}
		return records[0].Findings[0].Finding.Owner
	}
	if got := owner(); got != "@apps" {
		t.Errorf("the owner is %q", got)
	}
	write("CODEOWNERS", "/site/ @apps\nbad[ @x\napp.pp @team\n")
	for start := time.Now(); owner() != "@team"; time.Sleep(20 * time.Millisecond) {
		if time.Since(start) > 20*time.Second {
			t.Fatal("the owner did not change")
		}
	}
	w.quiet()
	if a := f.accepted(); len(a.Warnings) != 1 || !strings.Contains(a.Warnings[0], "CODEOWNERS: skipped line 2") {
		t.Errorf("the warnings are %q", a.Warnings)
	}
}
