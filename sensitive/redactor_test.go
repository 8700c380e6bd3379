package sensitive_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/secret"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/sensitive"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// tester is the interface that the helpers need of a test, an example or a property.
type tester interface {
	Helper()
	Fatal(...any)
}

func format(t tester, name string) serialization.Format {
	t.Helper()
	f, err := formats.Default().ByName(name)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func reader(t tester, data []byte, form string) *catalog.Reader {
	t.Helper()
	return catalog.NewReaderBytes(data, format(t, form), serialization.DecodeOptions{})
}

// redact redacts a document from one format to another.
func redact(t *testing.T, data []byte, from, to string, m sensitive.Masker) ([]byte, sensitive.Report, error) {
	t.Helper()
	c := sensitive.NewCollector(sensitive.CollectOptions{})
	if err := c.Collect(reader(t, data, from)); err != nil {
		return nil, sensitive.Report{}, err
	}
	r := c.Secrets().Redactor(m)
	var out bytes.Buffer
	if err := r.Redact(t.Context(), &out, format(t, to), reader(t, data, from)); err != nil {
		return nil, sensitive.Report{}, err
	}
	return out.Bytes(), r.Report(), nil
}

func mustRedact(t *testing.T, data []byte, form string, m sensitive.Masker) []byte {
	t.Helper()
	out, _, err := redact(t, data, form, form, m)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func maskers(t tester) map[string]func() sensitive.Masker {
	return map[string]func() sensitive.Masker{
		"mask": sensitive.NewMask,
		"pseudonym": func() sensitive.Masker {
			m, err := sensitive.NewPseudonym([]byte("0123456789abcdef"))
			if err != nil {
				t.Fatal(err)
			}
			return m
		},
		"drop": sensitive.NewDrop,
		"digest": func() sensitive.Masker {
			m, err := sensitive.NewDigest([]byte("0123456789abcdef"))
			if err != nil {
				t.Fatal(err)
			}
			return m
		},
	}
}

// in returns a catalog with the resources.
func in(resources ...string) string {
	return `{"name":"web01","environment":"production","resources":[` + strings.Join(resources, ",") + `],"edges":[]}`
}

const declared = `{"type":"Class","title":"App","parameters":{"password":"S3cret-Value"},"sensitive_parameters":["password"]}`
const masked = `{"type":"Class","title":"App","parameters":{"password":"redacted-1-by-pcat"},"sensitive_parameters":["password"]}`

func TestMask(t *testing.T) {
	for _, c := range []struct{ name, resource, want string }{
		{"nothing", `{"type":"T","title":"t","n":1.50}`, `{"type":"T","title":"t","n":1.50}`},
		{"content", `{"type":"File","title":"/x","parameters":{"content":"password=S3cret-Value\n","n":1.50}}`,
			`{"type":"File","title":"/x","parameters":{"content":"password=redacted-1-by-pcat\n","n":1.50}}`},
		{"escaped", `{"type":"File","title":"/x","parameters":{"content":"\u00533cret-Value"}}`,
			`{"type":"File","title":"/x","parameters":{"content":"redacted-1-by-pcat"}}`},
		{"title", `{"type":"Exec","title":"login S3cret-Value","tags":["exec","login s3cret-value"]}`,
			`{"type":"Exec","title":"login redacted-1-by-pcat","tags":["exec","login redacted-2-by-pcat"]}`},
		{"reference", `{"type":"T","title":"t","parameters":{"require":["Exec[login S3cret-Value]"],"alias":"S3cret-Value"}}`,
			`{"type":"T","title":"t","parameters":{"require":["Exec[login redacted-1-by-pcat]"],"alias":"redacted-1-by-pcat"}}`},
		{"name of the type", `{"type":"T","title":"t","parameters":{"a":{"__ptype":"SENSITIVE","__pvalue":"other-secret"},"b":"other-secret"}}`,
			`{"type":"T","title":"t","parameters":{"a":{"__ptype":"Sensitive","__pvalue":"redacted-2-by-pcat"},"b":"redacted-2-by-pcat"}}`},
		{"keys", `{"type":"T","title":"t","parameters":{"a":{"S3cret-Value":{"x S3cret-Value":1}}}}`,
			`{"type":"T","title":"t","parameters":{"a":{"redacted-1-by-pcat":{"x redacted-1-by-pcat":1}}}}`},
		{"name of a parameter", `{"type":"T","title":"t","parameters":{"S3cret-Value":1.50},"sensitive_parameters":["x"]}`,
			`{"type":"T","title":"t","parameters":{"redacted-1-by-pcat":1.50},"sensitive_parameters":["x"]}`},
		{"base64", `{"type":"T","title":"t","parameters":{"a":"` + base64.StdEncoding.EncodeToString([]byte("u:S3cret-Value")) + `"}}`,
			`{"type":"T","title":"t","parameters":{"a":"dTpredacted-2-by-pcatU="}}`},
		{"binary", `{"type":"T","title":"t","parameters":{"a":{"__ptype":"Binary","__pvalue":"` + base64.StdEncoding.EncodeToString([]byte("\xff S3cret-Value")) + `"}}}`,
			`{"type":"T","title":"t","parameters":{"a":{"__ptype":"Binary","__pvalue":"` + base64.StdEncoding.EncodeToString([]byte("\xff redacted-1-by-pcat")) + `"}}}`},
		{"deferred", `{"type":"T","title":"t","parameters":{"a":{"__ptype":"Deferred","name":"f","arguments":["S3cret-Value",{"__ptype":"Sensitive","__pvalue":"other-secret"}]}}}`,
			`{"type":"T","title":"t","parameters":{"a":{"__ptype":"Deferred","name":"f","arguments":["redacted-1-by-pcat",{"__ptype":"Sensitive","__pvalue":"redacted-2-by-pcat"}]}}}`},
		{"object", `{"type":"T","title":"t","parameters":{"a":{"__ptype":"My::Car","k":"S3cret-Value","s":{"__ptype":"Sensitive","__pvalue":17}}}}`,
			`{"type":"T","title":"t","parameters":{"a":{"__ptype":"My::Car","k":"redacted-1-by-pcat","s":{"__ptype":"Sensitive","__pvalue":0}}}}`},
		{"regexp", `{"type":"T","title":"t","parameters":{"a":{"__ptype":"Regexp","__pvalue":"^S3cret-Value$"}}}`,
			`{"type":"T","title":"t","parameters":{"a":{"__ptype":"Regexp","__pvalue":"^redacted-1-by-pcat$"}}}`},
		{"uri", `{"type":"T","title":"t","parameters":{"a":{"__ptype":"URI","__pvalue":"https://u:S3cret-Value@h/"}}}`,
			`{"type":"T","title":"t","parameters":{"a":{"__ptype":"URI","__pvalue":"https://u:redacted-1-by-pcat@h/"}}}`},
		{"version", `{"type":"T","title":"t","parameters":{"a":{"__ptype":"SemVer","__pvalue":"1.2.3-S3cret-Value"}}}`,
			`{"type":"T","title":"t","parameters":{"a":"1.2.3-redacted-1-by-pcat"}}`},
		{"type", `{"type":"T","title":"t","parameters":{"a":{"__ptype":"Pcore::EnumType","values":["S3cret-Value"]}}}`,
			`{"type":"T","title":"t","parameters":{"a":"Enum['redacted-1-by-pcat']"}}`},
		{"secret as key", `{"type":"T","title":"t","parameters":{"a":{"__ptype":"Hash","__pvalue":[{"__ptype":"Sensitive","__pvalue":"key-secret"},1]},"b":"key-secret"}}`,
			`{"type":"T","title":"t","parameters":{"a":{"__ptype":"Hash","__pvalue":[{"__ptype":"Sensitive","__pvalue":"redacted-2-by-pcat"},1]},"b":"redacted-2-by-pcat"}}`},
		{"hash", `{"type":"T","title":"t","parameters":{"a":{"__ptype":"Sensitive","__pvalue":{"note":"someone","n":[1,true,null,2.5]}},"b":"by someone"}}`,
			`{"type":"T","title":"t","parameters":{"a":{"__ptype":"Sensitive","__pvalue":{"redacted-2-by-pcat":"redacted-3-by-pcat","redacted-4-by-pcat":[0,false,null,0.0]}},"b":"by redacted-3-by-pcat"}}`},
		{"login in a secret", `{"type":"T","title":"t","parameters":{"a":{"__ptype":"Sensitive","__pvalue":{"db_login":"warehouse"}},"b":"by warehouse"}}`,
			`{"type":"T","title":"t","parameters":{"a":{"__ptype":"Sensitive","__pvalue":{"redacted-2-by-pcat":"redacted-3-by-pcat"}},"b":"by warehouse"}}`},
		{"account in a secret", `{"type":"T","title":"t","parameters":{"a":{"__ptype":"Sensitive","__pvalue":{"account":"warehouse"}},"b":"by warehouse"}}`,
			`{"type":"T","title":"t","parameters":{"a":{"__ptype":"Sensitive","__pvalue":{"redacted-2-by-pcat":"redacted-3-by-pcat"}},"b":"by redacted-3-by-pcat"}}`},
		{"binary secret", `{"type":"T","title":"t","parameters":{"a":{"__ptype":"Sensitive","__pvalue":{"__ptype":"Binary","__pvalue":"AAECAwQFBgc="}},"b":"AAECAwQFBgc="}}`,
			`{"type":"T","title":"t","parameters":{"a":{"__ptype":"Sensitive","__pvalue":{"__ptype":"Binary","__pvalue":"cmVkYWN0ZWQtMi1ieS1wY2F0"}},"b":"redacted-3-by-pcatc="}}`},
		{"deferred secret", `{"type":"T","title":"t","parameters":{"a":{"__ptype":"Deferred","name":"f","arguments":["argument-1"]},"b":"argument-1"},"sensitive_parameters":["a"]}`,
			`{"type":"T","title":"t","parameters":{"a":"redacted-3-by-pcat","b":"redacted-2-by-pcat"},"sensitive_parameters":["a"]}`},
		{"path", `{"type":"Exec","title":"t","parameters":{"command":"/bin/login --user x y"},"sensitive_parameters":["command"]}`,
			`{"type":"Exec","title":"t","parameters":{"command":"/redacted-2-by-pcat"},"sensitive_parameters":["command"]}`},
		{"the title is the secret", `{"type":"Exec","title":"/bin/login S3x","tags":["exec"],"sensitive_parameters":["command"]}`,
			`{"type":"Exec","title":"/redacted-2-by-pcat","tags":["exec"],"sensitive_parameters":["command"]}`},
		{"absent for another reason", `{"type":"Notify","title":"a notice","sensitive_parameters":["message"]}`,
			`{"type":"Notify","title":"a notice","sensitive_parameters":["message"]}`},
		{"several lines", `{"type":"File","title":"/x","parameters":{"content":"[client]\nuser=root\npassword = \"in-a-file\"\n"},"sensitive_parameters":["content"]},` +
			`{"type":"File","title":"/y","parameters":{"content":"[client]\nuser=root\npw: in-a-file"}}`,
			`{"type":"File","title":"/x","parameters":{"content":"redacted-2-by-pcat"},"sensitive_parameters":["content"]},` +
				`{"type":"File","title":"/y","parameters":{"content":"[client]\nuser=root\npw: redacted-3-by-pcat"}}`},
		{"in a URL", `{"type":"T","title":"t","parameters":{"a":{"__ptype":"Sensitive","__pvalue":"https://u:p%40ssw0rd@h/"},"b":"p%40ssw0rd","c":"p@ssw0rd"}}`,
			`{"type":"T","title":"t","parameters":{"a":{"__ptype":"Sensitive","__pvalue":"redacted-2-by-pcat"},"b":"redacted-3-by-pcat","c":"redacted-4-by-pcat"}}`},
		{"number", `{"type":"T","title":"t","parameters":{"a":12345678,"b":12345678,"c":"x12345678x","d":1234},"sensitive_parameters":["a"]}`,
			`{"type":"T","title":"t","parameters":{"a":0,"b":0,"c":"xredacted-2-by-pcatx","d":1234},"sensitive_parameters":["a"]}`},
		{"too common", `{"type":"T","title":"t","parameters":{"a":"production","b":"production","c":"short"},"sensitive_parameters":["a","c"]}`,
			`{"type":"T","title":"t","parameters":{"a":"redacted-2-by-pcat","b":"production","c":"redacted-3-by-pcat"},"sensitive_parameters":["a","c"]}`},
		{"overlapping", `{"type":"T","title":"t","parameters":{"a":["Value-and-more"],"b":"S3cret-Value-and-more"},"sensitive_parameters":["a"]}`,
			`{"type":"T","title":"t","parameters":{"a":["redacted-2-by-pcat"],"b":"redacted-3-by-pcat"},"sensitive_parameters":["a"]}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := string(mustRedact(t, []byte(in(declared, c.resource)), "rich-json", nil))
			if want := in(masked, c.want); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

func TestEdgesAndMembers(t *testing.T) {
	doc := `{"catalog":{"name":"web01","classes":["S3cret-Value"],"resources":[` + declared + `],"edges":[{"source":"Class[App]","target":"Exec[a [S3cret-Value]]","n":1.50},` +
		`{"source_type":"Exec","source_title":"S3cret-Value","target_type":"Class","target_title":"App"}],` +
		`"metadata":{"/x S3cret-Value":{"n":1}},"recursive_metadata":{"a":{"S3cret-Value":[1]}},"other":{"x":{"__ptype":"Sensitive","__pvalue":"s3cret-in-a-member"}}},"note":"S3cret-Value"}`
	want := `{"catalog":{"name":"web01","classes":["redacted-1-by-pcat"],"resources":[` + masked + `],"edges":[{"source":"Class[App]","target":"Exec[a [redacted-1-by-pcat]]","n":1.50},` +
		`{"source_type":"Exec","source_title":"redacted-1-by-pcat","target_type":"Class","target_title":"App"}],` +
		`"metadata":{"/x redacted-1-by-pcat":{"n":1}},"recursive_metadata":{"a":{"redacted-1-by-pcat":[1]}},"other":{"x":{"__ptype":"Sensitive","__pvalue":"redacted-2-by-pcat"}}},"note":"redacted-1-by-pcat"}`
	if got := string(mustRedact(t, []byte(doc), "rich-json", nil)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestDrop(t *testing.T) {
	doc := in(`{"type":"T","title":"t","parameters":{"a":"S3cret-Value","b":[1,{"__ptype":"Sensitive","__pvalue":"other-secret"},2],`+
		`"c":{"d":{"__ptype":"Sensitive","__pvalue":"other-secret"},"e":"other-secret"},"f":{"__ptype":"Deferred","name":"f","arguments":[{"__ptype":"Sensitive","__pvalue":"other-secret"}]}},"sensitive_parameters":["a"]}`,
		`{"type":"T","title":"u","parameters":{"a":1},"sensitive_parameters":["a","absent"]}`)
	want := in(`{"type":"T","title":"t","parameters":{"b":[1,2],"c":{"e":"redacted-1-by-pcat"},`+
		`"f":{"__ptype":"Deferred","name":"f","arguments":[{"__ptype":"Sensitive","__pvalue":"redacted-1-by-pcat"}]}}}`,
		`{"type":"T","title":"u","parameters":{},"sensitive_parameters":["absent"]}`)
	if got := string(mustRedact(t, []byte(doc), "rich-json", sensitive.NewDrop())); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestDigest(t *testing.T) {
	doc := []byte(in(declared, `{"type":"T","title":"t","parameters":{"a":"S3cret-Value"}}`))
	digest := func(key string) string {
		m, err := sensitive.NewDigest([]byte(key))
		if err != nil {
			t.Fatal(err)
		}
		return string(mustRedact(t, doc, "rich-json", m))
	}
	first := digest("0123456789abcdef")
	// printf S3cret-Value | openssl dgst -sha256 -hmac 0123456789abcdef
	if n := strings.Count(first, `"digest-3bd16dcb076588dae4a44e8a9c24bd9e-by-pcat"`); n != 2 || strings.Contains(first, "S3cret") {
		t.Errorf("%s", first)
	}
	if first != digest("0123456789abcdef") || first == digest("0123456789abcdeX") {
		t.Error("the digest does not depend on the key alone")
	}
	if _, err := sensitive.NewDigest([]byte("short")); !errors.Is(err, sensitive.ErrKey) {
		t.Error(err)
	}
	if a, b := sensitive.NewKey(), sensitive.NewKey(); len(a) < sensitive.MinKey || bytes.Equal(a, b) {
		t.Error("keys are not random")
	}
}

func TestPseudonym(t *testing.T) {
	m, err := sensitive.NewPseudonym([]byte("0123456789abcdef"))
	if err != nil {
		t.Fatal(err)
	}
	// The words for 3bd16dcb076588da, the beginning of the digest above.
	const marker = "pseudonym-gozid-kular-bitoj-mogip-by-pcat"
	got := string(mustRedact(t, []byte(in(declared)), "rich-json", m))
	if !strings.Contains(got, `"pseudonym-gozid-kular-bitoj-mogip-by-pcat"`) || !secret.IsMarker(marker) {
		t.Errorf("%s", got)
	}
	if _, err := sensitive.NewPseudonym([]byte("short")); !errors.Is(err, sensitive.ErrKey) {
		t.Error(err)
	}
}

func TestReport(t *testing.T) {
	doc := in(declared, `{"type":"T","title":"x S3cret-Value","parameters":{"a":"S3cret-Value","short":"abc","h":{"password":1,"k":"production"}},"sensitive_parameters":["short","h"]}`)
	_, report, err := redact(t, []byte(doc), "rich-json", "rich-json", nil)
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, n := range report.NotFollowed {
		left = append(left, n.Location+": "+n.Reason)
	}
	want := []string{
		"T[x redacted-1-by-pcat]/h: a key of a secret",
		"T[x redacted-1-by-pcat]/h: a key of a secret",
		"T[x redacted-1-by-pcat]/short: too short",
		"T[x redacted-1-by-pcat]/h: too short",
		"T[x redacted-1-by-pcat]/h: an ordinary word",
	}
	if diff := cmp.Diff(want, left); diff != "" || report.Secrets != 1 || report.Locations != 3 || report.Copies != 2 {
		t.Errorf("%d secrets, %d places, %d copies: %s", report.Secrets, report.Locations, report.Copies, diff)
	}
}

// TestRealCatalogs checks all requirements of a redacted catalog, in all modes and
// formats.
func TestRealCatalogs(t *testing.T) {
	files, err := filepath.Glob("../testdata/catalogs/*/rich.json")
	if err != nil || len(files) == 0 {
		t.Fatal("no catalogs", err)
	}
	forms := []string{"rich-json", "rich-msgpack", "yaml"}
	if testing.Short() {
		forms = forms[:1]
	}
	for _, file := range files {
		rich, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for mode, masker := range maskers(t) {
			for _, form := range forms {
				t.Run(filepath.Base(filepath.Dir(file))+"/"+mode+"/"+form, func(t *testing.T) {
					data := rich
					if form != "rich-json" {
						data = convert(t, rich, "rich-json", form)
					}
					check(t, data, form, masker)
				})
			}
		}
	}
}

func convert(t *testing.T, data []byte, from, to string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := catalog.NewWriter(&out, format(t, to), catalog.WriteOptions{Secrets: serialization.PlainSecrets})
	if err := catalog.Copy(t.Context(), w, reader(t, data, from)); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func check(t *testing.T, data []byte, form string, masker func() sensitive.Masker) {
	t.Helper()
	out := mustRedact(t, data, form, masker())
	before, after := whole(t, data, form), whole(t, out, form)
	leftOut(t, before, after)
	referencesMeet(t, before, after)
	if again := mustRedact(t, out, form, masker()); !bytes.Equal(again, out) {
		t.Errorf("redacting twice changes it again: %s", cmp.Diff(string(out), string(again)))
	}
	for i, r := range before.Resources() {
		holds, err := r.HoldsSecrets()
		if err != nil {
			t.Fatal(err)
		}
		if to := after.Resources()[i]; !holds && !strings.Contains(string(to.Bytes()), "-by-pcat") && !bytes.Equal(to.Bytes(), r.Bytes()) {
			t.Errorf("%s has changed", r.Ref())
		}
	}
	if m := masker(); form == "rich-json" {
		other, _, err := redact(t, data, form, "rich-msgpack", m)
		if err != nil {
			t.Fatal(err)
		}
		if want := convert(t, out, form, "rich-msgpack"); !bytes.Equal(other, want) {
			t.Error("in another form it is something else")
		}
	}
}

func whole(t tester, data []byte, form string) *catalog.Catalog {
	t.Helper()
	for c, err := range reader(t, data, form).Catalogs() {
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	t.Fatal("there is no catalog")
	return nil
}

// leftOut checks that no secret of before, nor its usual encodings, is in a text of
// after. It shares no code with the redactor.
func leftOut(t tester, before, after *catalog.Catalog) {
	t.Helper()
	var secrets []string
	add := func(v pcore.Value) {
		for _, text := range texts(t, v, false) {
			if text = strings.TrimSpace(text); len(text) >= secret.MinFollowed {
				secrets = append(secrets, text)
			}
		}
	}
	for _, r := range before.Resources() {
		parameters, err := r.RevealParameters()
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range r.SensitiveParameters() {
			if v, ok := parameters.GetString(name); ok {
				add(v)
			}
		}
		if err := pcore.Walk(parameters, func(c *pcore.Cursor) error {
			if s, ok := c.Value().(*pcore.Sensitive); ok {
				add(s.Reveal())
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	v, err := after.RevealValue()
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(texts(t, v, true), "\x00")
	for _, secret := range secrets {
		for _, spelled := range []string{
			secret, strings.ToLower(secret), hex.EncodeToString([]byte(secret)), url.QueryEscape(secret),
			base64.StdEncoding.EncodeToString([]byte(secret))[:len(secret)*8/6],
		} {
			if strings.Contains(text, spelled) {
				t.Fatal("a secret is left: ", spelled)
			}
		}
	}
}

// texts returns all texts in v, including the content of Binaries.
func texts(t tester, v pcore.Value, keys bool) (all []string) {
	t.Helper()
	if err := pcore.Walk(v, func(c *pcore.Cursor) error {
		if c.IsKey() && !keys {
			return nil
		}
		switch v := c.Value().(type) {
		case pcore.String:
			all = append(all, string(v))
		case pcore.Binary:
			all = append(all, v.Raw(), base64.StdEncoding.EncodeToString(v.Bytes()))
		case *pcore.Array, *pcore.Hash, *pcore.Sensitive:
		default:
			if keys {
				all = append(all, v.String())
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

func referencesMeet(t tester, before, after *catalog.Catalog) {
	t.Helper()
	was := map[catalog.Ref]bool{}
	for _, r := range before.Resources() {
		was[r.Ref()] = true
	}
	titles := map[catalog.Ref]bool{}
	for _, r := range after.Resources() {
		if titles[r.Ref()] {
			t.Fatal("there are two of ", r.Ref())
		}
		titles[r.Ref()] = true
	}
	if len(titles) != len(was) || len(after.Edges()) != len(before.Edges()) {
		t.Fatal(len(titles), " resources and ", len(after.Edges()), " edges are left")
	}
	for i, e := range after.Edges() {
		b := before.Edges()[i]
		if was[b.Source()] && !titles[e.Source()] || was[b.Target()] && !titles[e.Target()] {
			t.Fatal("an edge leads from ", e.Source(), " to ", e.Target())
		}
	}
}

// TestAnyCatalog places secrets everywhere, in every spelling.
func TestAnyCatalog(t *testing.T) {
	encode := []func(string) string{
		func(s string) string { return s },
		strings.ToLower,
		func(s string) string { return base64.StdEncoding.EncodeToString([]byte("ab" + s)) },
		func(s string) string { return base64.URLEncoding.EncodeToString([]byte("b" + s + "c")) },
		func(s string) string { return hex.EncodeToString([]byte(s)) },
		url.QueryEscape,
		func(s string) string { return strings.ReplaceAll(s, "'", `'\''`) },
	}
	rapid.Check(t, func(rt *rapid.T) {
		secret := rapid.StringMatching(`\[?[a-zA-Z0-9'"\\ /+%é]{5}[0-9A-F]{1,8}[xyz]{2}\]?`).Filter(func(s string) bool {
			return strings.ContainsAny(s, "'\"\\ +%é") // a weak identifier may be a word of the catalog
		})
		secrets := rapid.SliceOfN(secret, 1, 4).Draw(rt, "secrets")
		text := rapid.Custom(func(t *rapid.T) string {
			s := encode[rapid.IntRange(0, len(encode)-1).Draw(t, "encoding")](rapid.SampledFrom(secrets).Draw(t, "secret"))
			return rapid.StringMatching(`[a-z\[\] ]{0,4}`).Draw(t, "before") + s + rapid.StringMatching(`[a-z\[\] ]{0,4}`).Draw(t, "after")
		})
		value := rapid.Custom(func(t *rapid.T) pcore.Value {
			s := pcore.String(text.Draw(t, "text"))
			switch rapid.IntRange(0, 5).Draw(t, "kind") {
			case 0:
				return pcore.NewArray(s, pcore.Integer(1))
			case 1:
				return pcore.NewHash(pcore.Entry{Key: s, Value: pcore.NewSensitive(s)})
			case 2:
				return pcore.NewDeferred("f", pcore.NewArray(s))
			case 3:
				return pcore.NewBinaryString(string(s))
			case 4:
				return pcore.NewSensitive(pcore.NewArray(s))
			}
			return s
		})
		var resources []*catalog.Resource
		var edges []*catalog.Edge
		seen := map[string]bool{}
		for i, s := range secrets {
			h := pcore.NewHash(
				pcore.Entry{Key: pcore.String("type"), Value: pcore.String("T")},
				pcore.Entry{Key: pcore.String("title"), Value: pcore.String(fmt.Sprint("declares ", i))},
				pcore.Entry{Key: pcore.String("parameters"), Value: pcore.NewHash(pcore.Entry{Key: pcore.String("p"), Value: pcore.String(s)})},
				pcore.Entry{Key: pcore.String("sensitive_parameters"), Value: pcore.NewArray(pcore.String("p"))},
			)
			resources = append(resources, newResource(rt, h))
		}
		for range rapid.IntRange(0, 5).Draw(rt, "resources") {
			title := text.Draw(rt, "title")
			if seen[title] {
				continue
			}
			seen[title] = true
			r := newResource(rt, pcore.NewHash(
				pcore.Entry{Key: pcore.String("type"), Value: pcore.String("Exec")},
				pcore.Entry{Key: pcore.String("title"), Value: pcore.String(title)},
				pcore.Entry{Key: pcore.String("tags"), Value: pcore.NewArray(pcore.String(strings.ToLower(title)))},
			)).WithParameter("v", value.Draw(rt, "value"))
			resources = append(resources, r)
			edges = append(edges, catalog.NewEdge(resources[0].Ref(), r.Ref()))
		}
		c := catalog.New(catalog.NewHeader(catalog.NewMember("name", pcore.String("n"))), resources, edges)
		var doc bytes.Buffer
		w := catalog.NewWriter(&doc, format(rt, "rich-json"), catalog.WriteOptions{Secrets: serialization.PlainSecrets})
		if err := errors.Join(w.WriteCatalog(c), w.Close()); err != nil {
			rt.Fatal(err)
		}
		for _, masker := range maskers(rt) {
			c := sensitive.NewCollector(sensitive.CollectOptions{})
			var out bytes.Buffer
			if err := errors.Join(c.Collect(reader(rt, doc.Bytes(), "rich-json")),
				c.Secrets().Redactor(masker()).Redact(t.Context(), &out, format(rt, "rich-json"), reader(rt, doc.Bytes(), "rich-json"))); err != nil {
				rt.Fatal(err)
			}
			before, after := whole(rt, doc.Bytes(), "rich-json"), whole(rt, out.Bytes(), "rich-json")
			leftOut(rt, before, after)
			referencesMeet(rt, before, after)
			if !utf8.Valid(out.Bytes()) {
				rt.Fatal("the output is no text")
			}
			var again bytes.Buffer
			c = sensitive.NewCollector(sensitive.CollectOptions{})
			if err := errors.Join(c.Collect(reader(rt, out.Bytes(), "rich-json")),
				c.Secrets().Redactor(masker()).Redact(t.Context(), &again, format(rt, "rich-json"), reader(rt, out.Bytes(), "rich-json"))); err != nil {
				rt.Fatal(err)
			}
			if !bytes.Equal(again.Bytes(), out.Bytes()) {
				rt.Fatalf("redacted %s, then %s", out.Bytes(), again.Bytes())
			}
		}
	})
}

func newResource(t *rapid.T, h *pcore.Hash) *catalog.Resource {
	r, err := catalog.NewResource(h)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestMarkersOfBefore redacts a redacted catalog with a new secret.
func TestMarkersOfBefore(t *testing.T) {
	doc := in(`{"type":"T","title":"redacted-3-by-pcat","parameters":{"a":"S3cret-Value"},"sensitive_parameters":["a"]}`, `{"type":"T","title":"S3cret-Value"}`)
	want := in(`{"type":"T","title":"redacted-3-by-pcat","parameters":{"a":"redacted-4-by-pcat"},"sensitive_parameters":["a"]}`, `{"type":"T","title":"redacted-4-by-pcat"}`)
	if got := string(mustRedact(t, []byte(doc), "rich-json", nil)); got != want {
		t.Errorf("got %s", got)
	}
}

func TestSecretsOfOtherCatalogs(t *testing.T) {
	first := []byte(in(declared))
	second := []byte(in(`{"type":"T","title":"t","parameters":{"a":"S3cret-Value"}}`))
	c := sensitive.NewCollector(sensitive.CollectOptions{})
	if err := errors.Join(c.Collect(reader(t, first, "rich-json")), c.Collect(reader(t, second, "rich-json"))); err != nil {
		t.Fatal(err)
	}
	r := c.Secrets().Redactor(nil)
	var out bytes.Buffer
	if err := r.Redact(t.Context(), &out, format(t, "rich-json"), reader(t, second, "rich-json")); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(out.String(), "S3cret") {
		t.Errorf("%s", out.String())
	}
}

func TestMoreParts(t *testing.T) {
	doc := in(`{"type":"T","title":"t","parameters":{"a":"one:two-of-it"},"sensitive_parameters":["a"]}`, `{"type":"T","title":"two-of-it"}`)
	c := sensitive.NewCollector(sensitive.CollectOptions{Parts: func(secret string) []string { return strings.Split(secret, ":") }})
	if err := c.Collect(reader(t, []byte(doc), "rich-json")); err != nil {
		t.Fatal(err)
	}
	r := c.Secrets().Redactor(nil)
	var out bytes.Buffer
	if err := r.Redact(t.Context(), &out, format(t, "rich-json"), reader(t, []byte(doc), "rich-json")); err != nil || strings.Contains(out.String(), "two") {
		t.Errorf("%s %v", out.String(), err)
	}
}

// TestNothingIsWrittenOfALeak uses a Masker that leaves secrets in place.
func TestNothingIsWrittenOfALeak(t *testing.T) {
	for _, form := range []string{"rich-json", "rich-msgpack", "yaml"} {
		data := []byte(in(declared, `{"type":"T","title":"t S3cret-Value"}`))
		if form != "rich-json" {
			data = convert(t, data, "rich-json", form)
		}
		c := sensitive.NewCollector(sensitive.CollectOptions{})
		if err := c.Collect(reader(t, data, form)); err != nil {
			t.Fatal(err)
		}
		r := c.Secrets().Redactor(careless{})
		var out bytes.Buffer
		err := r.Redact(t.Context(), &out, format(t, form), reader(t, data, form))
		if !errors.Is(err, sensitive.ErrLeak) || out.Len() > 0 {
			t.Errorf("%s: %v, and %d bytes were written", form, err, out.Len())
		}
		if strings.Contains(fmt.Sprintf("%v %+v %#v", err, err, err), "S3cret") {
			t.Errorf("the error tells it: %v", err)
		}
	}
}

type careless struct{}

func (careless) Value(secret *pcore.Sensitive, _ catalog.Location) (pcore.Value, error) {
	return secret.Reveal(), nil
}

func (careless) Text(secret *pcore.Sensitive) string {
	return "!" + string(secret.Reveal().(pcore.String))
}

// Nothing is written if a container of catalog parts is a rich value that may be
// Sensitive, or if the list of sensitive parameters is not an array.
func TestCatalogsThatAreValues(t *testing.T) {
	const secret = `"__ptype":"Sensitive","__pvalue":"S3cret-Value"`
	for _, doc := range []string{
		`{` + secret + `,"resources":[]}`,
		`{"resources":[],` + secret + `}`,
		`{"data":{` + secret + `},"resources":[]}`,
		`{"catalog":{"resources":[],` + secret + `}}`,
		`{"resources":{"__ptype":"Sensitive","__pvalue":[{"type":"T","title":"S3cret-Value"}]}}`,
		`{"resources":[],"edges":{"__ptype":"Sensitive","__pvalue":["S3cret-Value"]}}`,
		`{"resources":[{` + secret + `}]}`,
		in(`{"type":"T","title":"t",` + secret + `}`),
		in(`{"type":"T","title":"t","parameters":{` + secret + `}}`),
		in(`{"type":"T","title":"t","parameters":{"a":"S3cret-Value"},"sensitive_parameters":"a"}`),
		in(`{"type":"T","title":"t","parameters":{"a":"S3cret-Value"},"sensitive_parameters":["b",["a"]]}`),
		in(`{"type":"T","title":"t","parameters":{"a":"S3cret-Value"},"sensitive_parameters":["b",7,{"a":true}]}`),
		in(`{"type":"T","title":"t","parameters":{"a":"S3cret-Value"},"sensitive_parameters":{"__ptype":"Sensitive","__pvalue":["a"]}}`),
	} {
		for _, data := range []string{doc, strings.ReplaceAll(doc, `":`, `": `)} {
			if out, _, err := redact(t, []byte(data), "rich-json", "rich-json", nil); !errors.Is(err, catalog.ErrShape) {
				t.Errorf("%s: got %s (%v)", data, out, err)
			}
		}
	}
}

func TestErrorsTellNoSecret(t *testing.T) {
	for _, doc := range []string{
		in(declared, `{"type":"T","title":"x S3cret-Value","parameters":{"a":{"__ptype":"Sensitive","__pvalue":{"__ptype":"Binary","__pvalue":"?"}}}}`),
		in(declared, `{"type":"T","title":"x S3cret-Value","parameters":{"a":"`+"\xff"+`"}}`),
		in(`{"type":"T","title":"x S3cret-Value","parameters":{"a":"S3cret-Value","S3cret-Value":{"__ptype":"Sensitive","__pvalue":{"__ptype":"Binary","__pvalue":"?"}}},"sensitive_parameters":["a"]}`),
	} {
		_, _, err := redact(t, []byte(doc), "rich-json", "rich-json", nil)
		if err == nil || strings.Contains(fmt.Sprintf("%v %+v", err, err), "S3cret") || !strings.Contains(err.Error(), "-by-pcat") {
			t.Errorf("got %v", err)
		}
	}
}

func TestRedactorsPrintNothing(t *testing.T) {
	c := sensitive.NewCollector(sensitive.CollectOptions{})
	data := []byte(in(declared))
	var out bytes.Buffer
	if err := c.Collect(reader(t, data, "rich-json")); err != nil {
		t.Fatal(err)
	}
	r := c.Secrets().Redactor(nil)
	if err := r.Redact(t.Context(), &out, format(t, "rich-json"), reader(t, data, "rich-json")); err != nil {
		t.Fatal(err)
	}
	report := r.Report()
	digest, err := sensitive.NewDigest([]byte("S3cret-Value-as-key"))
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf("%v %+v %#v %v %+v %#v %+v %#v", r, r, *r, report, report, report, digest, digest)
	if strings.Contains(text, "S3cret") || strings.Contains(text, "83 51 99 114 101 116") {
		t.Errorf("%s", text)
	}
}

func TestIsMarker(t *testing.T) {
	for text, want := range map[string]bool{
		"redacted-1-by-pcat": true, "/redacted-23-by-pcat": true, "digest-0123456789abcdef0123456789abcdef-by-pcat": true,
		"pseudonym-lusab-babad-gutih-tugad-by-pcat": true, "pseudonym-lusab-babad-gutih-by-pcat": false, "pseudonym-lusab-babad-gutih-tugae-by-pcat": false,
		"redacted--by-pcat": false, "redacted-x-by-pcat": false, "redacted-1-by-pcat ": false, "digest-01-by-pcat": false,
		"": false, "x redacted-1-by-pcat": false, "Sensitive [value redacted]": false,
	} {
		if secret.IsMarker(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}

func TestCutMarkers(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "x": "x", "redacted-1-by-pcat": "", `"root:redacted-1-by-pcat"`: `"root:"`, "a/redacted-1-by-pcatredacted-2-by-pcatb": "a/b",
		"redacted-redacted-1-by-pcat": "redacted-", "made-by-pcat": "made-by-pcat", "made-by-pcat redacted-1-by-pcat": "made-by-pcat ",
		"digest-01-by-pcat": "digest-01-by-pcat", "x pseudonym-lusab-babad-gutih-tugad-by-pcat y": "x  y",
	} {
		if got, found := secret.CutMarkers(text); got != want || found != (got != text) {
			t.Errorf("%q: got %q, %t, want %q", text, got, found, want)
		}
	}
}

func TestPrivateKeys(t *testing.T) {
	key := "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIBxSQ7S4eXPAeGK3zFmSkg3JAfPyVdJmhnZC5dX5uJmL\nMC4CAQAwBQYDK2VwBCIEIExSQ7S4eXPAeGK3zFmSkg3JAfPyVdJmhnZC5dX5uJmM\n-----END PRIVATE KEY-----\n"
	body := strings.Join(strings.Split(key, "\n")[1:3], "")
	quoted := strings.ReplaceAll(key, "\n", `\n`)
	resource := func(content string) string {
		return fmt.Sprintf(`{"type":"File","title":%q,"parameters":{"content":%q}}`, fmt.Sprint(len(content)), content)
	}
	doc := in(`{"type":"File","title":"k","parameters":{"content":"`+quoted+`"},"sensitive_parameters":["content"]}`,
		resource("key: |\n  "+strings.ReplaceAll(key, "\n", "\n  ")),
		resource("prefixed: "+strings.ReplaceAll(key, "\n", "\n# ")),
		resource(body), resource(`{"key":"`+quoted+`"}`), resource("-----BEGIN PRIVATE KEY-----\nanother\n-----END PRIVATE KEY-----\n"))
	out := string(mustRedact(t, []byte(doc), "rich-json", nil))
	for _, line := range strings.Split(key, "\n")[1:3] {
		if strings.Contains(out, line) {
			t.Errorf("a line is left in %s", out)
		}
	}
	if n := strings.Count(out, "-----BEGIN PRIVATE KEY-----"); n != 2 {
		t.Errorf("%d beginnings are left in %s", n, out)
	}
}

func TestPlainFormsHideNestedSecretsToo(t *testing.T) {
	for _, name := range []string{"secrets", "webstack"} {
		for form, file := range map[string]string{"json": "plain.json", "msgpack": "plain.msgpack"} {
			data, err := os.ReadFile(filepath.Join("../testdata/catalogs", name, file))
			if err != nil {
				t.Fatal(err)
			}
			out := mustRedact(t, data, form, nil)
			leftOut(t, whole(t, data, form), whole(t, out, form))
			if bytes.Equal(out, data) {
				t.Error("nothing has changed")
			}
		}
	}
}

func TestBigOutputsAreWrittenInPieces(t *testing.T) {
	filler := strings.Repeat("all work and no play ", 1<<12)
	resources := []string{declared}
	for i := range 60 {
		resources = append(resources, fmt.Sprintf(`{"type":"File","title":"%d","parameters":{"content":"%s","n":1.50}}`, i, filler))
	}
	data := []byte(in(resources...))
	c := sensitive.NewCollector(sensitive.CollectOptions{})
	if err := c.Collect(reader(t, data, "rich-json")); err != nil {
		t.Fatal(err)
	}
	r := c.Secrets().Redactor(nil)
	w := &pieces{}
	if err := r.Redact(t.Context(), w, format(t, "rich-json"), reader(t, data, "rich-json")); err != nil {
		t.Fatal(err)
	}
	if want := strings.Replace(string(data), "S3cret-Value", "redacted-1-by-pcat", 1); w.String() != want || w.n < 2 {
		t.Errorf("written in %d pieces", w.n)
	}
}

type pieces struct {
	bytes.Buffer
	n int
}

func (p *pieces) Write(b []byte) (int, error) {
	p.n++
	return p.Buffer.Write(b)
}

// The names of files, hosts and accounts beside a password in a secret Hash are replaced there
// only. Elsewhere they are other things' names, unless they are secrets by themselves.
func TestNamesInSecrets(t *testing.T) {
	const secret = `{"__ptype":"Sensitive","__pvalue":{"key":"/etc/ssl/private/key.pem","owner":"www-data","host":"db.site.example","url":"https://db.site.example:8443/x",` +
		`"hook":"https://hooks.site.example/T0/k3yZq81mXp0RtVb","user":"svc-X9pQ27vL","list":["C:\\ProgramData\\app\\app.ini","correct-horse-9"]}}`
	const copies = `/etc/ssl/private/key.pem www-data db.site.example https://db.site.example:8443/x C:\\ProgramData\\app\\app.ini`
	const secrets = `https://hooks.site.example/T0/k3yZq81mXp0RtVb svc-X9pQ27vL correct-horse-9`
	out := string(mustRedact(t, []byte(in(`{"type":"A","title":"a","parameters":{"s":`+secret+`}},`+
		`{"type":"File","title":"/etc/ssl/private/key.pem","parameters":{"owner":"www-data","content":"`+copies+`","other":"`+secrets+`"}}`)), "rich-json", nil))
	if !strings.Contains(out, `{"type":"File","title":"/etc/ssl/private/key.pem","parameters":{"owner":"www-data","content":"`+copies+`"`) {
		t.Errorf("a name is replaced: %s", out)
	}
	if !strings.Contains(out, `"other":"redacted-`) || strings.Contains(out, "k3yZq81mXp0RtVb") || strings.Contains(out, "X9pQ27vL") || strings.Contains(out, "horse") {
		t.Errorf("a secret is left: %s", out)
	}
	own, _, _ := strings.Cut(out, `"type":"File"`)
	if strings.Contains(own, "/etc/") || strings.Contains(own, "www-data") || strings.Contains(own, "site.example") {
		t.Errorf("a part of the secret is left: %s", own)
	}
	direct := string(mustRedact(t, []byte(in(`{"type":"A","title":"a","parameters":{"s":{"__ptype":"Sensitive","__pvalue":"/etc/ssl/private/key.pem"}}},`+
		`{"type":"File","title":"/etc/ssl/private/key.pem","parameters":{}}`)), "rich-json", nil))
	if strings.Contains(direct, "key.pem") {
		t.Errorf("a path that is the whole secret is left: %s", direct)
	}
}

// A secret with a quote at its end is found where the quote of JSON is that one.
func TestQuoteAtTheEnd(t *testing.T) {
	out := string(mustRedact(t, []byte(in(`{"type":"A","title":"a","parameters":{"s":{"__ptype":"Sensitive","__pvalue":"Zk7pQ32vX9\""},"other":"key Zk7pQ32vX9","both":"\"Zk7pQ32vX9\" x"}}`)), "rich-json", nil))
	if strings.Contains(out, "Zk7pQ32") || !strings.Contains(out, `"other":"key redacted-`) {
		t.Errorf("%s", out)
	}
}
