package pcore_test

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/pcore"
)

func TestParseURI(t *testing.T) {
	for _, c := range []struct {
		text, typ string // empty if the URI type is rejected
	}{
		{"http://example.com", "URI[{'scheme' => 'http', 'host' => 'example.com'}]"},
		{"HTTP://Example.com:80/a?b#c", "URI[{'scheme' => 'http', 'host' => 'example.com', 'path' => '/a', 'query' => 'b', 'fragment' => 'c'}]"},
		{"https://u:p@h:8443/", "URI[{'scheme' => 'https', 'userinfo' => 'u:p', 'host' => 'h', 'port' => '8443', 'path' => '/'}]"},
		{"urn:isbn:1", "URI[{'scheme' => 'urn', 'opaque' => 'isbn:1'}]"},
		{"mailto:a@b.c", "URI[{'scheme' => 'mailto', 'opaque' => 'a@b.c'}]"},
		{"puppet:///modules/x", "URI[{'scheme' => 'puppet', 'path' => '/modules/x'}]"},
		{"a://@//x", "URI[{'scheme' => 'a', 'path' => '//x'}]"},
		{"http:", "URI[{'scheme' => 'http'}]"},
		{"a/b:c", "URI[{'path' => 'a/b:c'}]"}, // b: is parsed as a scheme
		{"/relative", ""},
		{"a/b", ""},
		{"//host/path", ""},
		{"?query", ""},
	} {
		u, err := pcore.ParseURI(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if again, err := pcore.ParseURI(u.Text()); err != nil || !pcore.Equal(again, u) {
			t.Errorf("%s: read again as %v, %v", c.text, again, err)
		}
		typ, err := pcore.ParseURIType(c.text)
		switch {
		case c.typ == "" && !errors.Is(err, pcore.ErrURI):
			t.Errorf("URI['%s']: got %v, %v, want an error", c.text, typ, err)
		case c.typ != "" && (err != nil || typ.String() != c.typ):
			t.Errorf("URI['%s']: got %v, %v, want %s", c.text, typ, err, c.typ)
		}
	}
	for _, text := range []string{"a b", "http://[::1", "é", "http://h:p/", "%4", "x:\x00"} {
		if u, err := pcore.ParseURI(text); !errors.Is(err, pcore.ErrURI) {
			t.Errorf("%q: got %v, %v, want an error", text, u, err)
		}
	}
}

// The examples of RFC 3986, section 5.4, as far as Ruby agrees.
func TestMergeURI(t *testing.T) {
	base, err := pcore.ParseURI("http://a/b/c/d?q")
	if err != nil {
		t.Fatal(err)
	}
	for ref, want := range map[string]string{
		"g:h": "g:h", "g": "http://a/b/c/g", "./g": "http://a/b/c/g", "g/": "http://a/b/c/g/", "/g": "http://a/g",
		"//g": "http://g", "?y": "http://a/b/c/d?y", "g?y": "http://a/b/c/g?y", "#s": "http://a/b/c/d?q#s",
		".": "http://a/b/c/", "..": "http://a/b/", "../g": "http://a/b/g", "../..": "http://a/", "../../g": "http://a/g",
	} {
		r, err := pcore.ParseURI(ref)
		if err != nil {
			t.Errorf("%s: %v", ref, err)
			continue
		}
		got, err := base.Merge(r)
		if err != nil || got.Text() != want {
			t.Errorf("%s: got %v, %v, want %s", ref, got, err, want)
		}
	}
	if _, err := (&pcore.URI{}).Merge(&pcore.URI{}); !errors.Is(err, pcore.ErrURI) {
		t.Errorf("two relative references: %v", err)
	}
}

// Every URI that is parsed can be written and parsed again. It is an instance
// of its own type unless it has a port, which is a String in that type.
func TestURIProperties(t *testing.T) {
	part := rapid.StringMatching(`[a-z0-9._~%-]{0,6}`)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom([]string{"", "http:", "x+y:", "file:", "urn:"}).Draw(t, "scheme") +
			rapid.SampledFrom([]string{"", "//h", "//u@h", "//u:p@h"}).Draw(t, "authority") +
			rapid.SampledFrom([]string{"", "/"}).Draw(t, "slash") + part.Draw(t, "path") +
			rapid.SampledFrom([]string{"", "?", "?a=b"}).Draw(t, "query") +
			rapid.SampledFrom([]string{"", "#", "#f"}).Draw(t, "fragment")
		u, err := pcore.ParseURI(text)
		if err != nil {
			return
		}
		again, err := pcore.ParseURI(u.Text())
		if err != nil || !pcore.Equal(again, u) || again.Text() != u.Text() {
			t.Fatalf("%q is written as %q and read as %v, %v", text, u.Text(), again, err)
		}
		typ, err := pcore.ParseURIType(text)
		if absolute := strings.Contains(text, ":"); u.Absolute() && (!absolute || err != nil) {
			t.Fatalf("URI[%q]: %v", text, err)
		}
		if err == nil && !pcore.Contains(typ, u) {
			t.Fatalf("%q is no instance of %s", text, typ)
		}
	})
}

func TestZeroURI(t *testing.T) {
	var u pcore.URI
	if u.Text() != "" {
		t.Errorf("the text is %q", u.Text())
	}
	for _, name := range []string{"scheme", "userinfo", "host", "port", "path", "query", "fragment", "opaque"} {
		if v, ok := u.Get(name); !ok || v != (pcore.Undef{}) {
			t.Errorf("%s: %v, %v", name, v, ok)
		}
	}
	if typ := u.Type().String(); typ != "URI" {
		t.Errorf("the type is %s", typ)
	}
	base, err := pcore.ParseURI("http://u@h:8080/a?b")
	if err != nil {
		t.Fatal(err)
	}
	if merged, err := base.Merge(&u); err != nil || merged.Text() != base.Text() {
		t.Errorf("merged with a base: %v, %v", merged, err)
	}
}
