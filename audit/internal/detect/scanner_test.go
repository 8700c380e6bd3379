package detect

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
	"github.com/pcatdev/pcat/audit/internal/decode"
	"github.com/pcatdev/pcat/audit/internal/leaf"
	"github.com/pcatdev/pcat/audit/internal/verdict"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// The hits of a grammar are limited, and then the search is not complete.
func TestVeryManyHits(t *testing.T) {
	line := "password = Kx7mP2qR9v\n"
	in := New(verdict.Names{}).Scanner()
	in.most = 10
	hits := hitsIn(in, &leaf.Leaf{Kind: leaf.Title, Text: strings.Repeat(line, 100), Resource: &leaf.Resource{Ref: catalog.Ref{Type: "Exec", Title: line}}})
	if len(hits) != in.most || in.Complete() {
		t.Errorf("got %d hits, complete: %t", len(hits), in.Complete())
	}
}

// The search of a short text without secrets allocates nothing: catalogs have many.
func TestShortTextsAllocateNothing(t *testing.T) {
	document := []byte(`{"name":"n","resources":[{"type":"File","title":"/x","parameters":{"mode":"0644 or so"}}]}`)
	in := New(verdict.Names{}).Scanner()
	checked := false
	err := new(leaf.Walker).Walk(catalog.NewReaderBytes(document, formats.RichJSON(), serialization.DecodeOptions{}), "x", leaf.Visitor{Leaf: func(l *leaf.Leaf) {
		if l.Parameter() != "mode" {
			return
		}
		checked = true
		allocs := testing.AllocsPerRun(100, func() {
			for text := range in.Texts(l) {
				for range text.Hits() {
					t.Error("there is a hit")
				}
			}
		})
		if allocs > 0 {
			t.Errorf("%v allocations", allocs)
		}
	}})
	if err != nil || !checked {
		t.Fatal(err, checked)
	}
}

// A word, which only its location can make a secret, has no hits of the grammars that it is not
// searched with, and contains no encoded part.
func TestWords(t *testing.T) {
	if wordBytes != alphabet.ContainedIn(string(alphabet.Base64URL)) {
		t.Error("a word has other bytes than base64url")
	}
	in := New(verdict.Names{}).Scanner()
	parts := []string{
		"password", "assword", "Passphrase", "secret", "token", "key", "kty", "oct", "ftp", "send", "user", "admin", "echo", "mysql", "-p", "--", "sql_servers", "tempauth",
		"Bearer", "Basic", "VALUES", "SET", "IDENTIFIED", "update", "nsupdate", "ghp_", "AKIA", "xoxb-", "s3cr3t", "Kx7mP2qR9v", "YWRtaW46cHc", "0123abcd", "-----", "_", "-", "a", "Z", "9",
	}
	rapid.Check(t, func(t *rapid.T) {
		word := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 1, 4).Draw(t, "parts"), "")
		resource := rapid.SampledFrom([]string{"Class", "File", "Exec", "User", "Augeas", "Snmp_community", "Ini_setting"}).Draw(t, "type")
		parameter := rapid.SampledFrom([]string{"password", "token", "ensure", "d", "k", "kty", "command", "content", "env", "check_command", "value", "setting"}).Draw(t, "parameter")
		document := []byte(`{"name":"n","resources":[{"type":"` + resource + `","title":"` + word + `","tags":["` + word + `"],"parameters":{"` + parameter + `":{"` + word + `":"` + word + `"},"x` + word + `":"` + word + `"}}]}`)
		err := new(leaf.Walker).Walk(catalog.NewReaderBytes(document, formats.RichJSON(), serialization.DecodeOptions{}), "x", leaf.Visitor{Leaf: func(l *leaf.Leaf) {
			for text := range in.Texts(l) {
				if !text.isWord() {
					continue
				}
				in.hits = in.hits[:0]
				for _, g := range text.forms() {
					g.search()
				}
				for _, g := range text.languages() {
					g.search()
				}
				if len(in.hits) > 0 {
					t.Errorf("%s at %s: %s has a hit", l.Location(), l.Pointer(), in.hits[0].Rule)
				}
				decode.New().Parts(text.S, 0, func(p decode.Part) { t.Errorf("%q decodes to %q", text.S, p.S) })
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
	})
}
