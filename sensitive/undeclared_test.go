package sensitive_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/secret"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/sensitive"
)

// at returns a finding at a location: a parameter name, followed by keys and positions.
func at(ref catalog.Ref, secret, spelled string, start int, steps ...any) sensitive.Found {
	path := pcore.Path{}
	for _, s := range steps {
		switch s := s.(type) {
		case string:
			path = path.Key(s)
		case int:
			path = append(path, pcore.Step{Kind: pcore.StepIndex, Index: s})
		case pcore.Step:
			path = append(path, s)
		}
	}
	return sensitive.Found{
		Secret:  pcore.NewSensitive(pcore.String(secret)),
		Spelled: pcore.NewSensitive(pcore.String(spelled)),
		At:      catalog.Location{Ref: ref, Path: path},
		Start:   start,
	}
}

// without redacts a document with undeclared secrets.
func without(t *testing.T, doc string, m sensitive.Masker, found ...sensitive.Found) (string, sensitive.Report) {
	t.Helper()
	c := sensitive.NewCollector(sensitive.CollectOptions{})
	if err := c.Collect(reader(t, []byte(doc), "rich-json")); err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		if err := c.Add(f); err != nil {
			t.Fatal(err)
		}
	}
	r := c.Secrets().Redactor(m)
	var out bytes.Buffer
	if err := r.Redact(t.Context(), &out, format(t, "rich-json"), reader(t, []byte(doc), "rich-json")); err != nil {
		t.Fatal(err)
	}
	return out.String(), r.Report()
}

func TestAdd(t *testing.T) {
	file := catalog.Ref{Type: "File", Title: "/x"}
	key := pcore.Step{Kind: pcore.StepKey, Key: pcore.String("abc")}
	encoded := base64.StdEncoding.EncodeToString([]byte("x: abc\n"))
	for _, c := range []struct{ name, resources, want string }{
		{"followed", `{"type":"File","title":"/x","parameters":{"content":"pw=Tr0ub4dor-and-3"}},{"type":"T","title":"for Tr0ub4dor-and-3","n":1.50}`,
			`{"type":"File","title":"/x","parameters":{"content":"pw=redacted-1-by-pcat"}},{"type":"T","title":"for redacted-1-by-pcat","n":1.50}`},
		{"too short to be followed", `{"type":"File","title":"/x","parameters":{"content":"pw=abc\nname=abcdef abc"}},{"type":"T","title":"abc"}`,
			`{"type":"File","title":"/x","parameters":{"content":"pw=redacted-1-by-pcat\nname=abcdef abc"}},{"type":"T","title":"abc"}`},
		{"found again", `{"type":"File","title":"/x","parameters":{"content":"pw=abc\nname=abcdef abc"}},{"type":"T","title":"abc"}`,
			`{"type":"File","title":"/x","parameters":{"content":"pw=redacted-1-by-pcat\nname=abcdef redacted-1-by-pcat"}},{"type":"T","title":"abc"}`},
		{"in another place", `{"type":"File","title":"/x","parameters":{"owner":"abc","content":"pw=abc"}},{"type":"File","title":"/y","parameters":{"content":"pw=abc"}}`,
			`{"type":"File","title":"/x","parameters":{"owner":"abc","content":"pw=redacted-1-by-pcat"}},{"type":"File","title":"/y","parameters":{"content":"pw=abc"}}`},
		{"continued", `{"type":"File","title":"/x","parameters":{"content":"-pabc abcd"}}`,
			`{"type":"File","title":"/x","parameters":{"content":"-predacted-1-by-pcat abcd"}}`},
		{"alone", `{"type":"File","title":"/x","parameters":{"content":"abc"}}`,
			`{"type":"File","title":"/x","parameters":{"content":"redacted-1-by-pcat"}}`},
		{"number", `{"type":"File","title":"/x","parameters":{"content":1234}}`,
			`{"type":"File","title":"/x","parameters":{"content":0}}`},
		{"encoded", `{"type":"File","title":"/x","parameters":{"content":"a ` + encoded + ` b"}}`,
			`{"type":"File","title":"/x","parameters":{"content":"a redacted-1-by-pcat b"}}`},
		{"binary", `{"type":"File","title":"/x","parameters":{"content":{"__ptype":"Binary","__pvalue":"` + encoded + `"}}}`,
			`{"type":"File","title":"/x","parameters":{"content":{"__ptype":"Binary","__pvalue":"` + base64.StdEncoding.EncodeToString([]byte("redacted-1-by-pcat")) + `"}}}`},
		{"nested", `{"type":"File","title":"/x","parameters":{"content":[{"abc":"abc","k":"abc"}]}}`,
			`{"type":"File","title":"/x","parameters":{"content":[{"redacted-1-by-pcat":"abc","k":"redacted-1-by-pcat"}]}}`},
		{"title", `{"type":"Exec","title":"login -pabc","tags":["exec"]},{"type":"T","title":"t","parameters":{"require":"Exec[login -pabc]"}}`,
			`{"type":"Exec","title":"redacted-1-by-pcat","tags":["exec"]},{"type":"T","title":"t","parameters":{"require":"Exec[redacted-1-by-pcat]"}}`},
		{"member", `{"type":"File","title":"/x","other":{"abc":"abc"}}`, `{"type":"File","title":"/x","other":{"abc":"redacted-1-by-pcat"}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			again := at(file, "abc", "abc", 3, "content")
			again.Again = []int{len("pw=abc\nname=abcdef ")}
			found := map[string][]sensitive.Found{
				"found again": {again},
				"followed":    {at(file, "Tr0ub4dor-and-3", "Tr0ub4dor-and-3", 3, "content")},
				"continued":   {at(file, "abc", "abc", 2, "content")},
				"number":      {at(file, "1234", "1234", 0, "content")},
				"encoded":     {at(file, "abc", encoded, 2, "content")},
				"binary":      {at(file, "abc", "x: abc\n", 0, "content")},
				"nested":      {at(file, "abc", "abc", 0, "content", 0, key), at(file, "abc", "abc", 0, "content", 0, "k")},
				"title":       {at(catalog.Ref{Type: "Exec", Title: "login -pabc"}, "abc", "abc", 8, "title")},
				"member":      {at(file, "abc", "abc", 0, "other", "abc")},
			}[c.name]
			if found == nil {
				found = []sensitive.Found{at(file, "abc", "abc", 3, "content")}
			}
			if got, _ := without(t, in(c.resources), nil, found...); got != in(c.want) {
				t.Errorf("got  %s\nwant %s", got, in(c.want))
			}
		})
	}
}

// Undeclared secrets in their own locations are dropped, encrypted and counted like declared
// ones.
func TestAddWholeValues(t *testing.T) {
	doc := in(`{"type":"File","title":"/x","parameters":{"content":"abc","mode":"0600","list":["abc","d"]}}`)
	ref := catalog.Ref{Type: "File", Title: "/x"}
	found := []sensitive.Found{at(ref, "abc", "abc", 0, "content"), at(ref, "abc", "abc", 0, "list", 0)}
	got, report := without(t, doc, sensitive.NewDrop(), found...)
	if want := in(`{"type":"File","title":"/x","parameters":{"mode":"0600","list":["d"]}}`); got != want {
		t.Errorf("dropped: %s", got)
	}
	if report.Locations != 2 || len(report.NotFollowed) != 1 || report.NotFollowed[0].Reason != string(secret.TooShort) {
		t.Errorf("%+v", report)
	}
	got, _ = without(t, doc, sensitive.NewEncrypt("open", rot{}), found[0])
	if want := `"content":{"__ptype":"Deferred","name":"open","arguments":["nop"]},"mode"`; !strings.Contains(got, want) {
		t.Errorf("encrypted: %s", got)
	}
}

// rot is a Sealer that anyone can decrypt.
type rot struct{}

func (rot) Seal(text []byte) (string, error) {
	return strings.Map(func(c rune) rune { return 'a' + (c-'a'+13)%26 }, string(text)), nil
}

// Later Secrets are replaced in the output of earlier ones, and the words of the catalogs
// stay.
func TestThen(t *testing.T) {
	doc := []byte(in(declared, `{"type":"File","title":"/x S3cret-Value","parameters":{"content":"S3cret-Value and Tr0ub4dor-and-3"}}`))
	c := sensitive.NewCollector(sensitive.CollectOptions{})
	if err := c.Collect(reader(t, doc, "rich-json")); err != nil {
		t.Fatal(err)
	}
	next := new(sensitive.Collector)
	here := catalog.Ref{Type: "File", Title: "/x redacted-1-by-pcat"} // in the output of the first
	for _, f := range []sensitive.Found{at(here, "Tr0ub4dor-and-3", "Tr0ub4dor-and-3", 23, "content"), at(here, "web01", "web01", 0, "content")} {
		if err := next.Add(f); err != nil {
			t.Fatal(err)
		}
	}
	r := c.Secrets().Then(next.Secrets()).Redactor(nil)
	var out bytes.Buffer
	if err := r.Redact(t.Context(), &out, format(t, "rich-json"), reader(t, doc, "rich-json")); err != nil {
		t.Fatal(err)
	}
	want := in(masked, `{"type":"File","title":"/x redacted-1-by-pcat","parameters":{"content":"redacted-1-by-pcat and redacted-2-by-pcat"}}`)
	if out.String() != want {
		t.Errorf("got  %s\nwant %s", &out, want)
	}
	if got := r.Report(); got.Secrets != 2 || got.Locations != 1 || got.Copies != 3 {
		t.Errorf("%+v", got)
	}
	for _, secret := range []string{"S3cret-Value", "Tr0ub4dor-and-3"} {
		g := r.Guard(&out, "json")
		_, err := fmt.Fprint(g, secret)
		if err == nil {
			err = g.Close()
		}
		if err == nil {
			t.Errorf("%d bytes of a secret pass", len(secret))
		}
	}
}
