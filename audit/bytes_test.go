package audit_test

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/audit"
)

// readings spell a text as bytes that an editor would show as the same lines.
var readings = map[string]func(string) string{
	"UTF-8":                    func(s string) string { return s },
	"a byte that is not UTF-8": func(s string) string { return "# M\xfcller\n" + s },
	"ISO-8859-1":               func(s string) string { return "# \xfcber M\xfcller\n" + latin1(s) },
	"KOI8-R": func(s string) string {
		return "# \xeb\xcf\xce\xc6\xc9\xc7\xd5\xd2\xc1\xc3\xc9\xd1 \xd3\xc5\xd2\xd7\xc5\xd2\xc1\n" + s
	},
	"a zero at the end":       func(s string) string { return s + "\x00" },
	"a zero at the beginning": func(s string) string { return "\x00\x00" + s },
	"zeros between lines":     func(s string) string { return strings.ReplaceAll(s, "\n", "\n\x00") },
	"a control character":     func(s string) string { return "# page\x0c\n" + s + "\x7f\n" },
	"data before the text":    func(s string) string { return "\x01\x02\xff\xfe\x04" + strings.Repeat("# readable\n", 12) + s },
	"data behind the text":    func(s string) string { return "#!/bin/sh\n" + s + "\nexit\n" + string(noise(1, 4000)) },
}

// latin1 returns the bytes of a text in ISO-8859-1, or in UTF-8 if it has other characters.
func latin1(s string) string {
	var b []byte
	for _, r := range s {
		if r > 0xff {
			return s
		}
		b = append(b, byte(r))
	}
	return string(b)
}

// noise returns random bytes.
func noise(seed uint64, n int) []byte {
	b := make([]byte, n)
	random := rand.New(rand.NewPCG(seed, 0))
	for i := range b {
		b[i] = byte(random.Uint32())
	}
	return b
}

// asBytes returns a copy of a document in which the contents of files are Binaries.
func asBytes(d document, spell func(string) string) document {
	var resources []any
	for _, one := range d.resources() {
		r := document{}
		for name, v := range one.(map[string]any) {
			r[name] = v
		}
		parameters, _ := r["parameters"].(map[string]any)
		if content, ok := parameters["content"].(string); ok && content != "" && r["type"] == "File" && !slices.Contains(listed(r["sensitive_parameters"]), "content") {
			changed := map[string]any{}
			for name, v := range parameters {
				changed[name] = v
			}
			changed["content"] = map[string]any{"__ptype": "Binary", "__pvalue": base64.StdEncoding.EncodeToString([]byte(spell(content)))}
			r["parameters"] = changed
		}
		resources = append(resources, map[string]any(r))
	}
	return d.with(resources)
}

// secretsOf lists the findings of a document by their rules, resources and secrets.
func secretsOf(t rapid.TB, find func(rapid.TB, string) *audit.Report, d document) (list []string) {
	found := find(t, d.text(t)).Findings
	for i := range found {
		f := &found[i]
		list = append(list, fmt.Sprintln(f.Rule, f.At.Ref, f.Parameter, strings.Join(strings.Fields(revealed(f)), " ")))
	}
	slices.Sort(list)
	return list
}

// The content of a file has the same secrets as bytes, in any encoding of eight bits, and
// beside other bytes.
func TestBytes(t *testing.T) {
	find := auditing(t, audit.Options{})
	check := func(t rapid.TB, d document) {
		want := secretsOf(t, find, d)
		for name, spell := range readings {
			if diff := difference(secretsOf(t, find, asBytes(d, spell)), want); diff != "" {
				t.Errorf("%s:\n%s", name, diff)
			}
		}
	}
	for file, d := range realDocuments(t) {
		t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) { check(t, d) })
	}
	t.Run("generated", rapid.MakeCheck(func(r *rapid.T) { check(r, generated(r)) }))
}

// The samples of the rules are found in bytes, too.
func TestSamplesAsBytes(t *testing.T) {
	find := auditing(t, audit.Options{})
	for _, content := range []string{
		"password = n7Hq-vL2pX\nport = 1\n",
		"-----BEGIN RSA PRIVATE KEY-----\n" + strings.Repeat("MIIEowIBAAKCAQEAx8Zq3kT9fJ2mVw5nR7bLdYcXs0uPhGiEaKoQvNtWzBf4lMr\n", 8) + "-----END RSA PRIVATE KEY-----\n",
		"url=https://deploy:q8ZkPw2LmN4rT6vX@files.example.com/x\n",
		"key: glpat-a8Kd03jfLq92mXc7Zr4T\n",
		"passwort = M\u00fcnchen-\u00d6l-2291x\n",
		"mysql -u root -pZz81kkQw77 x\n",
	} {
		d := documentOf(t, node("n", file("/etc/app.conf", content)))
		want := secretsOf(t, find, d)
		if len(want) != 1 {
			t.Errorf("%q: %d findings", content, len(want))
		}
		for name, spell := range readings {
			if diff := difference(secretsOf(t, find, asBytes(d, spell)), want); diff != "" {
				t.Errorf("%q as %s:\n%s", content, name, diff)
			}
		}
	}
}

func file(title, content string) string {
	return fmt.Sprintf(`{"type":"File","title":%q,"parameters":{"content":%q}}`, title, content)
}

// The name of a file tells that its bytes are a key; certificates, archives and key stores
// are none.
func TestKeyFiles(t *testing.T) {
	find := auditing(t, audit.Options{})
	sequence := append([]byte{0x30, 0x82, 0x01, 0xf0}, noise(3, 0x1f0)...) // the form of a certificate
	gzipped := append([]byte("\x1f\x8b\x08\x00\x00\x00\x00\x00"), noise(4, 300)...)
	store := append([]byte("\xfe\xed\xfe\xed\x00\x00\x00\x02\x00\x00\x00\x00"), noise(5, 20)...)
	public := append([]byte{0x99, 0x01, 0x0d, 0x04}, noise(6, 269)...) // of OpenPGP
	for _, tt := range []struct {
		path  string
		bytes []byte
		want  int
	}{
		{"/etc/munge/munge.key", noise(1, 1024), 1},
		{"/etc/munge/munge.key", noise(2, 128), 1},
		{"/etc/corosync/authkey", noise(1, 128), 1},
		{"/etc/corosync/authkey", noise(7, 256), 1},
		{"/etc/keystone/fernet-keys/0", noise(1, 32), 1},
		{"/etc/ssl/private/x.key", noise(1, 48), 1},
		{"/etc/cluster/authkey", noise(1, 32), 1},
		{"/var/lib/app/master.key", noise(8, 16), 1},
		{"/etc/ssl/private/x.key", sequence, 0},
		{"/etc/ssl/private/x.key", gzipped, 0},
		{"/etc/ssl/private/trust.key", store, 0},
		{"/etc/apt/keyrings/vendor.key", public, 0},
		{"/etc/ssl/private/x.key", make([]byte, 64), 0},
		{"/usr/share/app/logo.bin", noise(1, 1024), 0},
		{"/etc/app/layout.dat", noise(1, 64), 0},
	} {
		content := fmt.Sprintf(`{"__ptype":"Binary","__pvalue":%q}`, base64.StdEncoding.EncodeToString(tt.bytes))
		found := find(t, node("n", fmt.Sprintf(`{"type":"File","title":%q,"parameters":{"content":%s}}`, tt.path, content))).Findings
		if len(found) != tt.want {
			t.Errorf("%s of %d bytes: %d findings, want %d", tt.path, len(tt.bytes), len(found), tt.want)
		}
		for i := range found {
			if f := &found[i]; f.Rule != "secret-in-content" || revealed(f) != string(tt.bytes) || f.Start != 0 || f.End != len(tt.bytes) {
				t.Errorf("%s: %s %s", tt.path, f.Rule, location(f))
			}
		}
	}
}

// A copy of a declared secret is found in bytes of any format.
func TestCopiesInBytes(t *testing.T) {
	find := auditing(t, audit.Options{})
	const own = `{"type":"User","title":"app","parameters":{"password":"Xq5tRw8vNk-\u00fc"},"sensitive_parameters":["password"]}`
	for name, content := range map[string]string{
		"UTF-8 in an executable": "\x7fELF\x02\x01\x01" + strings.Repeat("\x00\x01\x02\x90", 99) + "Xq5tRw8vNk-\u00fc\x00" + strings.Repeat("\x05\x00\xe8", 99),
		"ISO-8859-1":             "# f\xfcr\npassword=Xq5tRw8vNk-\xfc\n",
		"between zeros":          "a\x00b\x00Xq5tRw8vNk-\u00fc\x00c",
	} {
		binary := fmt.Sprintf(`{"type":"File","title":"/opt/x","parameters":{"content":{"__ptype":"Binary","__pvalue":%q}}}`, base64.StdEncoding.EncodeToString([]byte(content)))
		found := find(t, node("n", own, binary)).Findings
		if len(found) != 1 || found[0].Rule != "sensitive-reuse-open" || content[found[0].Start:found[0].Start+10] != "Xq5tRw8vNk" {
			t.Errorf("%s: %d findings", name, len(found))
		}
	}
}

// Random bytes have no findings.
func TestNoise(t *testing.T) {
	find := auditing(t, audit.Options{})
	for seed := range uint64(40) {
		content := base64.StdEncoding.EncodeToString(noise(seed, 100<<(seed%12)))
		binary := fmt.Sprintf(`{"type":"File","title":"/opt/x","parameters":{"content":{"__ptype":"Binary","__pvalue":%q}}}`, content)
		if found := find(t, node("n", binary)).Findings; len(found) > 0 {
			t.Errorf("seed %d: %s", seed, found[0].Rule)
		}
	}
}
