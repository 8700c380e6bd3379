package changes_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/catalog/diff"
	"github.com/pcatdev/pcat/catalog/diff/report"
	"github.com/pcatdev/pcat/fleet/internal/changes"
	"github.com/pcatdev/pcat/internal/compress"
)

func document(node, mode, secret string) []byte {
	return fmt.Appendf(nil, `{"name":%q,"resources":[{"type":"File","title":"/etc/motd","parameters":{"mode":%q}},`+
		`{"type":"Class","title":"Db","parameters":{"password":%q},"sensitive_parameters":["password"]}],"edges":[]}`, node, mode, secret)
}

func secrets(t *testing.T, k *audit.Knowledge) *changes.Secrets {
	t.Helper()
	a, err := audit.New(audit.Options{KeepSecrets: true})
	if err != nil {
		t.Fatal(err)
	}
	return &changes.Secrets{Auditor: a, Knowledge: k}
}

// Secrets that neither catalog declares are masked, too: the secrets that an audit finds, also
// weak ones and the best known passwords in their own locations, and the secrets of other nodes.
func TestUndeclared(t *testing.T) {
	const open, weak, elsewhere, before, known = "k9FzQ2mTx8Lw0vR4", "elastic7", "gz4KKbd-93Qkkk6", "bq3ZZdk-77Gmmm5", "changeme"
	document := func(content, argument, password string) []byte {
		return fmt.Appendf(nil, `{"name":"web","resources":[{"type":"File","title":"/etc/app.ini","parameters":{"content":%q}},`+
			`{"type":"Exec","title":"run","parameters":{"command":%q}},{"type":"Class","title":"Db","parameters":{"admin_password":%q,"port":%q}}],"edges":[]}`,
			content, argument, password, fmt.Sprint(len(content)))
	}
	p := changes.Pair{
		Feed: "folder", Node: "web",
		Old: document("[db]\npassword = "+before+"\nport = 1\n", "run", "hunter7"),
		New: document("[db]\npassword = "+open+"\nport = 2\n[old]\npassword = "+known+"\n", "run --colour "+elsewhere, weak),
	}
	a, err := audit.New(audit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	l := a.NewLedger(nil)
	l.Put("other", a.Updater().Collect(audit.Document("other", fmt.Appendf(nil,
		`{"name":"other","resources":[{"type":"Class","title":"A","parameters":{"x":%q},"sensitive_parameters":["x"]}],"edges":[]}`, elsewhere))))
	k, _ := l.Learn()
	if k.Len() != 1 {
		t.Errorf("%d secrets are known", k.Len())
	}
	for _, method := range compress.Methods() {
		p := changes.Pair{Feed: p.Feed, Node: p.Node, Old: compressed(t, method, p.Old), New: compressed(t, method, p.New)}
		for _, format := range report.Formats() {
			r, failures, err := changes.Report(context.Background(), func(yield func(changes.Pair, error) bool) { yield(p, nil) }, secrets(t, k), diff.Options{})
			if err != nil || len(failures) > 0 {
				t.Fatal(err, failures)
			}
			var b strings.Builder
			if err := report.Write(&b, format.Name, r, report.Options{}); err != nil {
				t.Fatal(err)
			}
			for _, text := range []string{open, weak, elsewhere, before, known, "hunter7"} {
				if strings.Contains(b.String(), text) {
					t.Errorf("%s, %s: %s in:\n%s", method, format.Name, text, b.String())
				}
			}
			if !strings.Contains(b.String(), "/etc/app.ini") && format.Name != "stat" {
				t.Errorf("%s, %s: no change in:\n%s", method, format.Name, b.String())
			}
		}
	}
}

// compressed returns a document as a program would write it that compresses its files.
func compressed(t *testing.T, m compress.Method, document []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := compress.NewWriter(m, &b)
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.Write(document)
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestNamesOfNodes checks that a name that is a secret elsewhere is hidden, in the report and in
// messages.
func TestNamesOfNodes(t *testing.T) {
	const elsewhere = "gz4kkbd-93qkkk6"
	a, err := audit.New(audit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	l := a.NewLedger(nil)
	l.Put("other", a.Updater().Collect(audit.Document("other", fmt.Appendf(nil,
		`{"name":"other","resources":[{"type":"Class","title":"A","parameters":{"x":%q},"sensitive_parameters":["x"]}],"edges":[]}`, elsewhere))))
	k, _ := l.Learn()
	broken := []byte(`{"name":"` + elsewhere + `","resources":[{"`)
	for name, p := range map[string]changes.Pair{
		"changed":   {Old: document(elsewhere, "0644", "a secret"), New: document(elsewhere, "0600", "a secret")},
		"unchanged": {Old: document(elsewhere, "0644", "a secret"), New: document(elsewhere, "0644", "a secret")},
		"only old":  {Old: document(elsewhere, "0644", "a secret")},
		"only new":  {New: document(elsewhere, "0644", "a secret")},
		"broken":    {Old: document(elsewhere, "0644", "a secret"), New: broken},
	} {
		p.Feed, p.Node = "folder:a/b", elsewhere
		r, failures, err := changes.Report(context.Background(), func(yield func(changes.Pair, error) bool) { yield(p, nil) }, secrets(t, k), diff.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, format := range report.Formats() {
			var b strings.Builder
			if err := report.Write(&b, format.Name, r, report.Options{Explain: true}); err != nil {
				t.Fatal(err)
			}
			if all := b.String() + fmt.Sprint(failures); strings.Contains(all, elsewhere) {
				t.Errorf("%s, %s: %s", name, format.Name, all)
			}
		}
		if names := fmt.Sprint(r.Changed, r.Unchanged, r.OnlyOld, r.OnlyNew, failures); !strings.Contains(names, "folder:a/b/(hidden)") {
			t.Errorf("%s: %s", name, names)
		}
	}
}

// A document can contain several catalogs: the secrets that the others declare are masked, too.
func TestSeveralCatalogs(t *testing.T) {
	const hidden = "tulip orchard nine"
	document := func(mode string) []byte {
		return fmt.Appendf(nil, `[{"name":"a","resources":[{"type":"File","title":"/etc/motd","parameters":{"mode":%q,"source":"%s %s"}}],"edges":[]},`+
			`{"name":"b","resources":[{"type":"Class","title":"Db","parameters":{"x":%q},"sensitive_parameters":["x"]}],"edges":[]}]`, mode, hidden, mode, hidden)
	}
	p := changes.Pair{Feed: "folder", Node: "list", Old: document("0644"), New: document("0600")}
	r, failures, err := changes.Report(context.Background(), func(yield func(changes.Pair, error) bool) { yield(p, nil) }, secrets(t, nil), diff.Options{})
	if err != nil || len(failures) > 0 {
		t.Fatal(err, failures)
	}
	var b strings.Builder
	if err := report.Write(&b, "text", r, report.Options{}); err != nil || strings.Contains(b.String(), hidden) || !strings.Contains(b.String(), "0600") {
		t.Errorf("%v\n%s", err, b.String())
	}
}

func TestReport(t *testing.T) {
	const before, after = "n7Hq-vL2pX-83kd", "k9Fz-Q2mTx8-Lw0v"
	pairs := func(yield func(changes.Pair, error) bool) {
		for _, p := range []changes.Pair{
			{Feed: "f", Node: "a", Old: document("a", "0644", before), New: document("a", "0600", before)},
			{Feed: "f", Node: "b", Old: document("b", "0644", before), New: document("b", "0600", after)},
			{Feed: "f", Node: "same", Old: document("same", "0644", before), New: document("same", "0644", before)},
			{Feed: "f", Node: "fresh", New: document("fresh", "0644", before)},
			{Feed: "f", Node: "left", Old: document("left", "0644", before)},
			{Feed: "f", Node: "broken", Old: document("broken", "0644", before), New: []byte(`{"name":"broken","resources":[{"` + after)},
			{Feed: "f", Node: "never"},
		} {
			if !yield(p, nil) {
				return
			}
		}
	}
	r, failures, err := changes.Report(context.Background(), iter.Seq2[changes.Pair, error](pairs), secrets(t, nil), diff.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := report.Write(&b, "text", r, report.Options{}); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for _, want := range []string{"File[/etc/motd]", "0600", "Class[Db]", "fresh", "left"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
	if len(failures) != 1 || !strings.HasPrefix(failures[0].Error(), "f/broken: ") {
		t.Error(failures)
	}
	if all := text + fmt.Sprint(failures); strings.Contains(all, before) || strings.Contains(all, after) || strings.Contains(all, "same") {
		t.Errorf("a secret, or a node without changes, is shown:\n%s", all)
	}
}

// Of two catalogs that came by PuppetDB's format, only changes of the node count, and a parameter
// that became Sensitive, which PuppetDB drops, is one.
func TestPuppetDB(t *testing.T) {
	document := func(id, first, second string) []byte {
		return fmt.Appendf(nil, `{"certname":"web","version":%q,"environment":"production","transaction_uuid":%q,"catalog_uuid":%q,"code_id":null,"job_id":null,`+
			`"producer":"compiler","producer_timestamp":"2026-11-0%sT10:00:00.000Z","edges":[],"resources":[%s,%s]}`, id, id, id, id, first, second)
	}
	const (
		file  = `{"type":"File","title":"/etc/motd","exported":false,"tags":["file"],"file":"/m/site.pp","line":3,"parameters":{"mode":"0644"}}`
		class = `{"type":"Class","title":"Db","exported":false,"tags":["class"],"file":null,"line":null,"parameters":{"port":5432,"colour":"red"}}`
		less  = `{"type":"Class","title":"Db","exported":false,"tags":["class"],"file":null,"line":null,"parameters":{"port":5432}}`
	)
	for _, c := range []struct {
		name     string
		new      []byte
		equal    bool
		contains string
	}{
		{"compiled again", document("2", class, file), true, "no differences"},
		{"a parameter became Sensitive", document("2", file, less), false, "colour"},
	} {
		pairs := func(yield func(changes.Pair, error) bool) {
			yield(changes.Pair{Feed: "terminus", Node: "web", Old: document("1", file, class), New: c.new}, nil)
		}
		r, failures, err := changes.Report(context.Background(), pairs, secrets(t, nil), diff.Options{})
		if err != nil || len(failures) > 0 {
			t.Fatal(err, failures)
		}
		var b strings.Builder
		if err := report.Write(&b, "text", r, report.Options{}); err != nil || r.Equal() != c.equal || !strings.Contains(b.String(), c.contains) {
			t.Errorf("%s: %v\n%s", c.name, err, b.String())
		}
	}
}
