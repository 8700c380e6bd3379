package config_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pcatdev/pcat/catalog/diff"
	"github.com/pcatdev/pcat/catalog/diff/report"
	"github.com/pcatdev/pcat/cmd/pcat/internal/diff/config"
	"github.com/pcatdev/pcat/internal/test/catalogtest"
	"github.com/pcatdev/pcat/internal/test/pagetest"
	"github.com/pcatdev/pcat/redact"
)

// The rules that the page of a diff exports ignore exactly the acknowledged changes.
func TestPageRules(t *testing.T) {
	pagetest.Run(t, map[string]func(*testing.T, *pagetest.Browser){"rules": testRules})
}

func testRules(t *testing.T, b *pagetest.Browser) {
	var page strings.Builder
	if err := report.Write(&page, "html", nodes(t, diff.Options{}), report.Options{}); err != nil {
		t.Fatal(err)
	}
	b.Open(t, pagetest.Page{Text: page.String()})
	b.Steps(t, []pagetest.Step{
		{"localStorage.clear(); marks.clear(); draw(); $('#rules').click()", "$('.rules').textContent", "version: 1\nignore: []"},
		{"$('dialog').close(); $('#acknowledge-all').click(); $('#rules').click(); $$('dialog button').find((e) => e.textContent === 'Copy').click(); await frame()", "copied.length", "1"},
		{"$$('dialog button').find((e) => e.textContent === 'Save').click()", "copied[0].includes('at: \"Package[ssl [3]]/ensure\"')", "true"},
	})
	text := b.Downloaded(t, "pcat-diff.yaml")
	if left := ruled(t, text); len(left.Changes) > 0 {
		t.Errorf("the rules do not ignore %s%s\n%s", left.Changes[0].Ref, left.Changes[0].Path, text)
	}
	one := pagetest.Eval[string](t, b, "rulesText([report.items.find((c) => c.type === 'User')])")
	if left := ruled(t, one); len(left.Changes) != 2 {
		t.Errorf("%d changes are left\n%s", len(left.Changes), one)
	}
	pagetest.Eval[any](t, b, "localStorage.clear()")
	b.Quiet(t)
}

// ruled returns the report about the nodes with the rules of a configuration.
func ruled(t *testing.T, text string) *diff.Report {
	t.Helper()
	c, err := config.Parse("pcat-diff.yaml", []byte(text), nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	var o diff.Options
	if errs := c.Apply(&o, time.Now()); len(errs) > 0 {
		t.Fatal(errs)
	}
	return nodes(t, o)
}

// nodes returns the report about three nodes, each with a change of its own.
func nodes(t *testing.T, o diff.Options) *diff.Report {
	t.Helper()
	catalog := func(content, version, password string) diff.Side {
		return catalogtest.Side(t, catalogtest.JSON(fmt.Sprintf(`{"name":"web01","resources":[
{"type":"File","title":"/etc/nginx.conf","parameters":{"content":"user www;\nworkers %s;\n"}},
{"type":"Package","title":"ssl [3]","parameters":{"ensure":"%s"}},
{"type":"User","title":"*<b>","parameters":{"password":"%s"},"sensitive_parameters":["password"]}]}`, content, version, password)))
	}
	f := diff.NewFleet(redact.NewFinder(nil), o)
	for _, changed := range []diff.Side{catalog("8", "3.1", "secret-one-1"), catalog("4", "3.0", "secret-one-1"), catalog("4", "3.1", "secret-two-2")} {
		p, err := f.Compare(t.Context(), catalog("4", "3.1", "secret-one-1"), changed)
		if err != nil {
			t.Fatal(err)
		}
		f.Add(p)
	}
	return f.Report()
}
