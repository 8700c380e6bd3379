package detect_test

import (
	"cmp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pcatdev/pcat/audit/internal/detect"
	"github.com/pcatdev/pcat/audit/internal/leaf"
	"github.com/pcatdev/pcat/audit/internal/verdict"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// leavesOf returns a catalog that contains text in a file, a command, values and a Binary.
func leavesOf(t testing.TB, text string) *catalog.Reader {
	t.Helper()
	form := formats.RichJSON()
	var v pcore.Value = pcore.String(text)
	if !utf8.ValidString(text) {
		v = pcore.NewBinaryString(text)
	}
	resource := func(kind, title, parameter string, v pcore.Value) pcore.Value {
		return pcore.NewHash(
			pcore.Entry{Key: pcore.String("type"), Value: pcore.String(kind)},
			pcore.Entry{Key: pcore.String("title"), Value: pcore.String(title)},
			pcore.Entry{Key: pcore.String("parameters"), Value: pcore.NewHash(pcore.Entry{Key: pcore.String(parameter), Value: v})},
		)
	}
	document := pcore.NewHash(pcore.Entry{Key: pcore.String("resources"), Value: pcore.NewArray(
		resource("File", "/etc/app/secrets/x.conf", "content", v),
		resource("Exec", "x", "command", v),
		resource("Class", "X", "api_token", v),
		resource("Class", "Y", "db_password", v),
		resource("Class", "Z", "cookie", v),
		resource("File", "/x", "content", pcore.NewBinaryString(text)),
	)})
	data, err := form.Append(nil, document, serialization.EncodeOptions{})
	if err != nil {
		t.Skip(err)
	}
	return catalog.NewReaderBytes(data, form, serialization.DecodeOptions{})
}

// FuzzText checks that no text causes a panic, that each hit is a non-empty part of its
// leaf, that the terms of each judgement add up to it, and that equal texts have equal hits.
func FuzzText(f *testing.F) {
	for _, seed := range []string{
		"password = k7Xq9-zzW\n", `{"password":"a\"b\\\"c"}`, "https://u:p@h/", "mysql -uroot -pk7Xq9zzW", "$6$abc$def", "-----BEGIN PRIVATE KEY-----\nMIIB\n-----END",
		"eyJhbGciOiJIUzI1NiJ9.e30.abc", "<password>x</password>", "a=b;c='d", "tokens: {a: b}", "chpasswd:\n list: |\n  a:b", "IDENTIFIED BY 'x'", "\\\"\\\\\"password\\\":\\\"",
		"cGFzc3dvcmQgPSBrN1hxOS16elcK", "$(a `b` \"c", "{SSHA}abcdefghijklmnopqrstuvwxyz012345", "PuTTY-User-Key-File-3: x\nPrivate-Lines: 1\n", "\xff\xfea\x00b\x00",
		`"kty":"oct","k":"abcdefghijklmnopqrstuvwxyz"`, "ghp_abcdefghijklmnopqrstuvwxyz0123456789", "user x on >secret1 ~*", "send \"x\\r\"", "%41%42%43password%3Dabc",
		`ask "passphrase:"`, `ask 'password:`, "value: |\n  name: db_password\n", "password: &pw ",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		first, second := hitsOf(t, text), hitsOf(t, text)
		if strings.Join(first, "\n") != strings.Join(second, "\n") {
			t.Error("the hits are not the same twice")
		}
	})
}

func hitsOf(t *testing.T, text string) []string {
	var list []string
	scanner := detect.New(verdict.Names{}).Scanner()
	scanner.Judged = func(j detect.Judgement) { checkTerms(t, j) }
	err := new(leaf.Walker).Walk(leavesOf(t, text), "x", leaf.Visitor{Leaf: func(l *leaf.Leaf) {
		for _, h := range in(scanner, l) {
			if h.Start < 0 || h.End > len(l.Text) || h.Start >= h.End {
				t.Errorf("%s stands at [%d:%d] of %d bytes", h.Rule, h.Start, h.End, len(l.Text))
			}
			if h.Secret == "" {
				t.Errorf("%s found an empty secret", h.Rule)
			}
			list = append(list, h.Rule+" "+h.Secret)
		}
	}})
	if err != nil {
		t.Skip(err)
	}
	return list
}

// checkTerms checks that the terms of a judgement, if there are any, add up to it.
func checkTerms(t testing.TB, j detect.Judgement) {
	t.Helper()
	score := 0.0
	for _, term := range j.Terms {
		score += term.Points
	}
	if len(j.Terms) > 0 && (score >= verdict.Threshold) != (j.Against == "") {
		t.Errorf("the terms of %q add up to %.1f, and it is %q", j.Secret, score, cmp.Or(j.Against, "a secret"))
	}
}
