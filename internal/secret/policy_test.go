package secret

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files")

// Each word that is written around values is recognized, including the longest.
func TestWrittenWords(t *testing.T) {
	for word := range strings.SplitSeq(strings.Trim(writtenWords, "\n"), "\n") {
		if !isWritten(word) {
			t.Errorf("%q is not known", word)
		}
	}
	for _, text := range []string{"resources\nsensitive", writtenWords, strings.Repeat("a", longestWritten+1)} {
		if isWritten(text) {
			t.Errorf("%q is taken for a word", text)
		}
	}
}

func TestJudge(t *testing.T) {
	held := vocabulary("web01.example.com").Held([]string{"WEB01.example.com", "hunter2"})
	for text, want := range map[string]Reason{
		"hunter2": "", "hunte": TooShort, "Production": TooCommon, "WEB01.example.com": TooCommon,
		"// This file is managed by Puppet. DO NOT EDIT.": Comment, "# a b c\n\n## d e f\n": Comment, "#hT6 kq$w": "", "# a b c\npw=hT6kq$w": "", "#hT6kq$w9 b c": "",
		"1234567": TooCommon, "12345678": "", "xyxyxyxyxy": TooCommon, "------": TooCommon, "correct-horse": "",
	} {
		if got := Judge(text, held); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// vocabulary returns the Vocabulary of some names.
func vocabulary(names ...string) *Vocabulary {
	v := new(Vocabulary)
	for _, name := range names {
		v.Add([]byte(name))
	}
	return v
}

func TestVocabulary(t *testing.T) {
	v := vocabulary("Icingaweb2::Config", "php8.2", "Zx9-qKw4vTz")
	v.Keep("node-Qm7Rt2Lx9-pZ")
	for _, title := range []string{"/etc/elastic7/jvm.options", "/etc/elastic7", "/srv/hunter22", "hunter23", "hunter23", "zx9qkw4vtz3h", "/zx9qkw4vtz3h"} {
		v.AddResource([]byte("File"), []byte(title))
	}
	v.AddResource([]byte("Package"), []byte("redis-7"))
	v.AddResource([]byte("Postgresql_psql"), []byte("x"))
	other := new(Vocabulary)
	other.AddResource([]byte("File"), []byte("/opt/hunter22"))
	other.AddResource([]byte("File"), []byte("hunter23"))
	both := v.Clone()
	both.Include(other)
	wants := map[string]bool{
		"icingaweb2": true, "icingaweb": true, "ICINGAWEB2": true, "config": true, "icingaweb2::config": true, "php8.2": true,
		"elastic7": true, "redis-7": true, "postgresql_psql": true, "node-qm7rt2lx9-pz": true,
		"/etc/elastic7/jvm.options": false, "jvm.options": false, "hunter22": false, "hunter23": false,
		"Zx9-qKw4vTz": false, "zX9qKw4vTz3h": false, "etc": false, "": false, "icingaweb3": false,
	}
	secrets := slices.Collect(maps.Keys(wants))
	held, more := v.Held(secrets), both.Held(secrets)
	for text, want := range wants {
		if held[text] != want {
			t.Errorf("%q: %t", text, held[text])
		}
		if want = want || text == "hunter22"; more[text] != want {
			t.Errorf("%q with other titles: %t", text, more[text])
		}
	}
	if held := new(Vocabulary).Held(secrets); len(held) > 0 {
		t.Errorf("words in an empty vocabulary: %v", held)
	}
}

// However often a word is seen, and in whatever order, it is the same.
func TestVocabularyRepeats(t *testing.T) {
	for _, order := range [][]string{{"/srv/hunter22/a", "/srv/hunter22/b"}, {"/srv/hunter22/b", "/srv/hunter22/a", "/srv/hunter22/b"}} {
		v := new(Vocabulary)
		for i := range 10_000 {
			for _, title := range order {
				v.AddResource([]byte("File"), []byte(title))
			}
			v.AddResource([]byte("File"), fmt.Appendf(nil, "/other%d/conf-%d", i%7, i))
		}
		if held := v.Held([]string{"hunter22", "other5", "conf-77", "/srv/hunter22/a"}); len(held) != 2 || !held["hunter22"] || !held["other5"] {
			t.Errorf("%v", held)
		}
	}
}

func TestTraceable(t *testing.T) {
	tests := []struct {
		secret string
		follow bool
	}{
		{"", false}, {"x", false}, {"short", false}, {"aB3$x9", true}, {"a1b2c3", false},
		{"production", false}, {"Production", false}, {"web-server", false}, {"8080", false}, {"20240115", true}, {"10.20.30.40", false},
		{"/etc/app/secret.key", false}, {`C:\ProgramData\x\y`, false}, {"db.example.com", false}, {"https://example.com/x", false},
		{"https://u:n7Hqv@example.com/x", true}, {"-----BEGIN CERTIFICATE-----\nMII", false}, {"ssh-rsa AAAAB3NzaC1yc2E", false},
		{"ENC[PKCS7,MIIB]", false}, {"%{lookup('x')}", false}, {"${password}", false}, {"Sensitive [value redacted]", false},
		{"aaaaaaaaaaaa", false}, {"n7Hq/vL2+pX?&kZ", true}, {"correct-horse-battery", true}, {"n7Hq-vL2pX", true}, {"  n7Hq-vL2pX\n", true}, {"PassWord", false}, {"SeCrEt", false}, {"kqZrTwPmVx", true},
	}
	for _, tt := range tests {
		if got := Traceable(tt.secret); got != tt.follow {
			t.Errorf("Traceable(%q) = %v", tt.secret, got)
		}
	}
}

// TestVerdicts records whether copies of each value are replaced by the redactor and
// reported by the audit, so a changed threshold is visible.
func TestVerdicts(t *testing.T) {
	values, err := os.ReadFile(filepath.Join("testdata", "values.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%-44s %-18s %-10s %s\n", "value", "redact: copies", "audit", "report")
	for value := range strings.SplitSeq(strings.TrimSpace(string(values)), "\n") {
		replaced, reported, shown := "replaced", "reported", "masked"
		if reason := Judge(value, vocabulary("web01.example.com").Held([]string{value})); reason != "" {
			replaced = string(reason)
		}
		if !Traceable(value) {
			reported = "-"
		}
		if !Maskable(value) {
			shown = "-"
		}
		fmt.Fprintf(&b, "%-44s %-18s %-10s %s\n", value, replaced, reported, shown)
	}
	golden := filepath.Join("testdata", "verdicts.txt")
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("the verdicts changed: look at them, then run with -update\n%s", b.String())
	}
}
