package taint_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/audit/internal/taint"
	"github.com/pcatdev/pcat/internal/secret"
)

const hidden = "n7Hq/vL2+pX?&kZ"

func index(secrets ...string) *taint.Index {
	c := taint.NewCollector(0)
	for i, s := range secrets {
		c.Add(s, 0, i, at("Class[A]/x"))
	}
	followed, _ := c.Sources(nil, new(secret.Vocabulary))
	return taint.NewIndex(followed)
}

// at returns a location with the given name.
func at(name string) func() taint.Declaration {
	return func() taint.Declaration { return taint.Declaration{Origin: name} }
}

func TestCollector(t *testing.T) {
	c := taint.NewCollector(0)
	c.Add("n7Hq-vL2pX", 2, 1, at("c"))
	c.Add("n7Hq-vL2pX", 0, 9, at("b"))
	c.Add("n7Hq-vL2pX", 0, 3, at("a"))
	c.Add("zK4-top-k9", 0, 1, at("d"))
	if c.Add("production", 0, 1, at("")) || c.Add("production", 0, 2, at("")) {
		t.Error("a word is followed")
	}
	if !c.Add("Sensitive [value redacted]", 0, 1, at("")) {
		t.Error("what is redacted counts as not followed")
	}
	if got := c.Skipped(); got != 1 {
		t.Errorf("%d secrets are not followed, want 1", got)
	}
	sources, _ := c.Sources(nil, new(secret.Vocabulary))
	if len(sources) != 2 || sources[0].Reveal() != "zK4-top-k9" || sources[1].Reveal() != "n7Hq-vL2pX" {
		t.Fatalf("sources are not in the order of the run: %d", len(sources))
	}
	s := sources[1]
	if s.First.Origin != "a" || s.Locations != 3 || !s.In(0) || s.In(1) || !s.In(2) {
		t.Errorf("first %v, %d places, nodes %v", s.First.Origin, s.Locations, s.Nodes)
	}
	if text := fmt.Sprintf("%v %+v %#v %v", s, *s, taint.NewIndex(sources), sources); strings.Contains(text, "n7Hq-vL2pX") {
		t.Error("printing a source tells the secret")
	}
}

func sha(s string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(s))) }

func TestFind(t *testing.T) {
	tests := []struct {
		name, text string
		digest     bool
	}{
		{"raw", "a " + hidden + " b", false},
		{"lower case, as in tags", "set " + strings.ToLower(hidden), false},
		{"JSON", `n7Hq\/vL2+pX?&kZ`, false},
		{"XML", "<p>n7Hq/vL2+pX?&amp;kZ</p>", false},
		{"base64 at the first place", base64.StdEncoding.EncodeToString([]byte(hidden + "tail")), false},
		{"base64 at the second place", base64.StdEncoding.EncodeToString([]byte("x" + hidden + "tail")), false},
		{"base64 at the third place", base64.StdEncoding.EncodeToString([]byte("xy" + hidden)), false},
		{"base64 for URLs", base64.URLEncoding.EncodeToString([]byte(hidden)), false},
		{"hex", hex.EncodeToString([]byte("id" + hidden)), false},
		{"percent", "https://h/?q=" + url.QueryEscape(hidden), false},
		{"SHA-256", "b8 " + sha(hidden), true},
	}
	x := index("zK4-other-k9", hidden)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n := 0
			for h := range x.Find([]byte(tt.text)) {
				n++
				if h.Source.Reveal() != hidden || h.Digest != tt.digest {
					t.Errorf("found another secret, digest %v", h.Digest)
				}
			}
			if n == 0 || !x.Contains([]byte(tt.text)) {
				t.Error("not found")
			}
		})
	}
	if x.Len() != 2 {
		t.Errorf("Len %d", x.Len())
	}
}

// A short secret counts only if no letter or digit is next to it.
func TestShortSecretsStandAlone(t *testing.T) {
	x := index("aB3$x9kq")
	for text, want := range map[string]bool{
		"pw=aB3$x9kq;": true, "aB3$x9kq": true, "x aB3$x9kq": true,
		"xaB3$x9kq": false, "aB3$x9kqz": false, "": false, "aB3$x9k": false,
	} {
		if got := x.Contains([]byte(text)); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestNilIndex(t *testing.T) {
	var x *taint.Index
	if x.Len() != 0 || x.Contains([]byte(hidden)) {
		t.Error("a nil Index finds something")
	}
	if index().Contains([]byte(hidden)) {
		t.Error("an Index of nothing finds something")
	}
}

// Every secret that is followed is found in any text, also encoded.
func TestFollowedIsFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringMatching(`[a-zA-Z0-9!#%^*_+=/.-]{8,40}`).Draw(t, "secret")
		if !secret.Traceable(s) {
			t.Skip("not followed")
		}
		before := rapid.StringMatching(`[a-z ]{0,5}`).Draw(t, "before") + " "
		x := index(s)
		for _, text := range []string{
			before + s + " x", base64.StdEncoding.EncodeToString([]byte(before + s + "  ")), hex.EncodeToString([]byte(before + s)), url.QueryEscape(before + s),
		} {
			if !x.Contains([]byte(text)) {
				t.Fatalf("not found in %q", text)
			}
		}
	})
}
