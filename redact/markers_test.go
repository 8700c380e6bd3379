package redact_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/redact"
	"github.com/pcatdev/pcat/sensitive"
)

var markerKey = []byte("a key of sixteen")

func digestOf(text string) string {
	h := hmac.New(sha256.New, markerKey)
	_, _ = h.Write([]byte(text))
	return hex.EncodeToString(h.Sum(nil))
}

// structured is a Masker whose replacements have another shape than the secrets.
type structured struct{}

func (structured) Value(secret *pcore.Sensitive, _ catalog.Location) (pcore.Value, error) {
	digest := digestOf(secret.Reveal().String())
	b := pcore.NewHashBuilder(2)
	b.Set(pcore.String("password"), pcore.String(digest[:20]))
	b.Set(pcore.String("bytes"), pcore.NewBinaryString(digest))
	return b.Hash(), nil
}

func (structured) Text(copy *pcore.Sensitive) string {
	text, _ := copy.Reveal().(pcore.String)
	return digestOf(string(text))[:24]
}

// markerMaskers are functions that return a Masker. The markers of the ones with a name in
// capitals are recognized only by the run that makes them.
func markerMaskers() map[string]func() sensitive.Masker {
	keyed := func(masker func([]byte) (sensitive.Masker, error)) func() sensitive.Masker {
		return func() sensitive.Masker {
			m, _ := masker(markerKey) // which is long enough
			return m
		}
	}
	own := func(replace func(string) string) func() sensitive.Masker {
		return func() sensitive.Masker { return sensitive.TextMasker(replace) }
	}
	return map[string]func() sensitive.Masker{
		"mask": sensitive.NewMask, "drop": sensitive.NewDrop, "digest": keyed(sensitive.NewDigest), "pseudonym": keyed(sensitive.NewPseudonym),
		"HEX":        own(digestOf),
		"BASE64":     own(func(text string) string { return base64.StdEncoding.EncodeToString([]byte(digestOf(text)[:30])) }),
		"WORDS":      own(func(text string) string { return "[hidden: " + digestOf(text)[:6] + "]" }),
		"STRUCTURED": func() sensitive.Masker { return structured{} },
	}
}

// locations are resources with a secret: <S> is its text, <B> its base64, <C> the base64 of a file
// with it, and <D> its digits. <N> makes the titles different.
var locations = []string{
	`{"type":"Class","title":"<N>","parameters":{"jwk":{"kty":"oct","k":"<S>"}}}`,
	`{"type":"Class","title":"<N>","parameters":{"jwk":{"kty":"OKP","crv":"Ed25519","x":"<B>","d":"<S>"}}}`,
	`{"type":"File","title":"/<N>.json","parameters":{"content":"{\"keys\":[{\"kty\":\"oct\",\"k\":\"<S>\"}]}"}}`,
	`{"type":"File","title":"/<N>.pem","parameters":{"content":"-----BEGIN RSA PRIVATE KEY-----\n<S><S><S>\n<S><S><S>\n-----END RSA PRIVATE KEY-----\n"}}`,
	`{"type":"File","title":"/etc/<N>/authkey","parameters":{"content":"<S>"}}`,
	`{"type":"File","title":"/etc/<N>/authkey","parameters":{"content":{"__ptype":"Binary","__pvalue":"<B>"}}}`,
	`{"type":"File","title":"/etc/<N>.conf","parameters":{"content":"user = <N>\npassword = <S>\n"}}`,
	`{"type":"File","title":"/etc/<N>.conf","parameters":{"content":{"__ptype":"Binary","__pvalue":"<C>"}}}`,
	`{"type":"File","title":"/var/www/<N>/.htpasswd","parameters":{"content":"alice:<S>\n"}}`,
	`{"type":"File","title":"/root/<N>/.pgpass","parameters":{"content":"db:5432:app:alice:<S>\n"}}`,
	`{"type":"File","title":"/etc/<N>.yaml","parameters":{"content":"db:\n  password: ENC[PKCS7,<S>]\n  url: https://alice:<S>@example.com/\n"}}`,
	`{"type":"Class","title":"<N>","parameters":{"dsn":"Server=db;User Id=alice;Password=<S>;Encrypt=yes"}}`,
	`{"type":"Class","title":"<N>","parameters":{"dsn":"postgres://alice:<S>@db/app?sslmode=require"}}`,
	`{"type":"Class","title":"<N>","parameters":{"users":{"<S>":{"password":"<S>","token":"<S>"}}}}`,
	`{"type":"Class","title":"<N>","parameters":{"password":["<S>","<B>"]}}`,
	`{"type":"User","title":"<N>","parameters":{"password":"<S>"}}`,
	`{"type":"User","title":"<N> <S>","parameters":{},"tags":["user","<S>"]}`,
	`{"type":"Exec","title":"mysql -u root --password=<S> <N>","parameters":{"command":"curl -H 'Authorization: Bearer <S>' https://example.com/"}}`,
	`{"type":"Notify","title":"<N>","parameters":{"message":"<S> and <B>"}}`,
	`{"type":"Class","title":"<N>","parameters":{"password":{"__ptype":"Sensitive","__pvalue":"<S>"}}}`,
	`{"type":"Class","title":"<N>","parameters":{"password":{"__ptype":"Deferred","name":"sprintf","arguments":["password=%s","<S>"]}}}`,
	`{"type":"Class","title":"<N>","parameters":{"secret":{"x":["<S>"]}},"sensitive_parameters":["secret"]}`,
	`{"type":"Class","title":"<N>","parameters":{"password":<D>}}`,
}

// A marker is never found as a secret again, whatever the Masker and the locations are. The
// output has no finding, and does not change when it is redacted again.
func TestMarkersAreNoSecrets(tb *testing.T) {
	auditor := auditor(tb)
	hexadecimal := rapid.StringMatching(`[0-9a-f]{40}`)
	secrets := rapid.OneOf(hexadecimal, rapid.StringMatching(`[A-Za-z0-9+/]{43}=`), rapid.StringMatching(`[A-Za-z0-9_-]{43}`), rapid.StringMatching(`ghp_[A-Za-z0-9]{36}`),
		rapid.StringMatching(`\$6\$[a-z]{8}\$[A-Za-z0-9./]{86}`), rapid.StringMatching(`\$2y\$10\$[A-Za-z0-9./]{53}`), rapid.StringMatching(`[1-9][0-9]{9}`),
		rapid.SampledFrom([]string{"changeme", "hunter2", "x", "1234", "castle-camel-hammer", "Zx9-qKw4vTz", "/etc/app/secret", "a b: c"}))
	rapid.Check(tb, func(t *rapid.T) {
		some := rapid.SliceOfN(secrets, 1, 3).Draw(t, "secrets")
		maskers := markerMaskers()
		name := rapid.SampledFrom([]string{"mask", "drop", "digest", "pseudonym", "HEX", "BASE64", "WORDS", "STRUCTURED"}).Draw(t, "masker")
		var texts []string
		for range rapid.IntRange(1, 2).Draw(t, "documents") {
			var resources []string
			for i, location := range rapid.SliceOfN(rapid.SampledFrom(locations), 1, 5).Draw(t, "places") {
				s := rapid.SampledFrom(some).Draw(t, "secret")
				digits := strings.Map(func(r rune) rune {
					if '0' <= r && r <= '9' {
						return r
					}
					return -1
				}, s)
				resources = append(resources, strings.NewReplacer(
					"<S>", s, "<B>", base64.StdEncoding.EncodeToString([]byte(s)), "<N>", fmt.Sprint("n", i),
					"<C>", base64.StdEncoding.EncodeToString([]byte("user = n\npassword = "+s+"\n")), "<D>", "1"+digits,
				).Replace(location))
			}
			texts = append(texts, in(strings.Join(resources, ",")))
		}
		out, err := redactTexts(tb, texts, redact.Options{Masker: maskers[name](), Audit: auditor, Jobs: 1})
		if err != nil {
			t.Fatalf("%v\n%s", err, texts)
		}
		if strings.ToUpper(name) == name {
			return
		}
		var again []audit.Input
		for _, text := range out {
			again = append(again, audit.Document("", []byte(text)))
		}
		report, err := auditor.Run(tb.Context(), again)
		if err != nil || len(report.Failures) > 0 {
			t.Fatalf("%v %v", err, report.Failures)
		}
		for _, f := range report.Findings {
			if f.Class == rule.Leak {
				t.Errorf("%s at %s in %s", f.Rule, f.Pointer, out)
			}
		}
		twice, err := redactTexts(tb, out, redact.Options{Audit: auditor, Jobs: 1})
		if err != nil || !slices.Equal(twice, out) {
			t.Errorf("%v\n%s\nchanges to\n%s", err, out, twice)
		}
	})
}

// redactTexts returns the output of documents.
func redactTexts(t testing.TB, texts []string, o redact.Options) (out []string, err error) {
	t.Helper()
	var all []*document
	for _, text := range texts {
		all = append(all, &document{text: text})
	}
	result, err := redact.Run(t.Context(), inputs(t, all), o)
	for _, d := range all {
		out = append(out, d.out.String())
	}
	return out, errors.Join(append(result.Failures, err)...)
}

// Catalogs of the field: a secret is the base64 text of a Binary, and private members of JSON
// Web Keys.
func TestFieldSamples(t *testing.T) {
	for _, file := range []string{"authkey-binary.json", "jwk.json"} {
		data, err := os.ReadFile("testdata/" + file)
		if err != nil {
			t.Fatal(err)
		}
		for name, masker := range markerMaskers() {
			out, err := redactTexts(t, []string{string(data)}, redact.Options{Masker: masker(), Audit: auditor(t)})
			if err != nil {
				t.Errorf("%s, %s: %v", file, name, err)
			}
			for _, secret := range []string{"2S4+0Be6AIcB35YlVkQjE54vbkv3LAb4naIjNcpgOjc", "5pZ58DqmsL-DU4Jv0jmsVoACNdPGoHTzMbpMsTIsm6s", "M74UuTn3YYeeEbqrIoYMrq1eeHfNfaplo0A_YVi2-ak"} {
				if strings.Contains(out[0], secret) {
					t.Errorf("%s, %s: %s", file, name, out)
				}
			}
		}
	}
}
