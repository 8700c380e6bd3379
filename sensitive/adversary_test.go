package sensitive_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"testing"
	"unicode/utf16"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/internal/secret"
	"github.com/pcatdev/pcat/sensitive"
)

// spelled returns text as JSON with every character escaped.
func spelled(text string) string {
	var b strings.Builder
	for _, u := range utf16.Encode([]rune(text)) {
		fmt.Fprintf(&b, `\u%04x`, u)
	}
	return b.String()
}

func quoted(text string) string {
	b, _ := json.Marshal(text)
	return string(b)
}

// leaks returns a spelling of secret found in a document: in its bytes, in the texts of
// its values, or in the content of a Binary.
func leaks(t *testing.T, out []byte, form, hidden string) string {
	t.Helper()
	all := []string{string(out)}
	c := whole(t, out, form)
	v, err := c.Value()
	if err != nil {
		t.Fatal(err)
	}
	all = append(all, texts(t, v, true)...)
	for f, spelling := range secret.Forms([]byte(hidden)) {
		for _, text := range all {
			if strings.Contains(text, string(spelling)) {
				return fmt.Sprintf("form %d: %q", f, spelling)
			}
		}
	}
	return ""
}

// TestAdversary hides secrets and copies where bytes or values alone do not show them.
// Each must be masked, or the document rejected.
func TestAdversary(t *testing.T) {
	const hidden = `S3cret-"é😀\Value`
	b64 := base64.StdEncoding.EncodeToString
	plain := quoted(hidden)
	inner := plain[1 : len(plain)-1]
	p := func(value string) string {
		return `{"type":"T","title":"t","parameters":{"p":` + value + `}}`
	}
	member := func(rest string) string { return `{"type":"T","title":"t",` + rest + `}` }
	for name, resource := range map[string]string{
		"string":                p(plain),
		"escaped":               p(`"` + spelled(hidden) + `"`),
		"half escaped":          p(`"x` + spelled(`S3cret-"é😀`) + `\\Value"`),
		"upper case escapes":    p(`"S3cret-\"\u00E9\uD83D\uDE00\u005CValue"`),
		"behind a NUL":          p(`"\u0000` + inner + `\u0000"`),
		"behind backslashes":    p(`"\\\\` + inner + `"`),
		"key":                   p(`{` + plain + `:1}`),
		"escaped key":           p(`{"` + spelled(hidden) + `":1}`),
		"name of a parameter":   member(`"parameters":{` + plain + `:1}`),
		"Deferred name":         p(`{"__ptype":"Deferred","name":` + plain + `,"arguments":[]}`),
		"Deferred argument":     p(`{"__ptype":"Deferred","name":"f","arguments":[[{"a":` + plain + `}]]}`),
		"Regexp":                p(`{"__ptype":"Regexp","__pvalue":` + quoted(`^S3cret-"é😀\\Value$`) + `}`),
		"user info of a URI":    p(`{"__ptype":"URI","__pvalue":"https://u:` + url.PathEscape(hidden) + `@h/"}`),
		"Binary":                p(`{"__ptype":"Binary","__pvalue":"` + b64([]byte("x"+hidden)) + `"}`),
		"hex in a Binary":       p(`{"__ptype":"Binary","__pvalue":"` + b64([]byte(hex.EncodeToString([]byte(hidden)))) + `"}`),
		"Binary in a Binary":    p(`{"__ptype":"Binary","__pvalue":"` + b64([]byte(b64([]byte(hidden)))) + `"}`),
		"escaped Binary":        p(`{"__ptype":"Binary","__pvalue":"` + spelled(b64([]byte(hex.EncodeToString([]byte(hidden))))) + `"}`),
		"escaped type":          p(`{"__pt\u0079pe":"Bin\u0061ry","__pvalue":"` + b64([]byte(hex.EncodeToString([]byte(hidden)))) + `"}`),
		"type behind its value": p(`{"__pvalue":"` + b64([]byte(hex.EncodeToString([]byte(hidden)))) + `","__ptype":"Binary"}`),
		"Hash as a list":        p(`{"__ptype":"Hash","__pvalue":[1,` + plain + `,` + plain + `,[` + plain + `]]}`),
		"attribute":             p(`{"__ptype":"My::Type","a":` + plain + `}`),
		"name of an attribute":  p(`{"__ptype":"My::Type",` + plain + `:1}`),
		"Symbol":                p(`{"__ptype":"Symbol","__pvalue":` + plain + `}`),
		"base64 of JSON":        p(`"` + b64([]byte(`{"a":`+plain+`}`)) + `"`),
		"hex in upper case":     p(`"` + strings.ToUpper(hex.EncodeToString([]byte(hidden))) + `"`),
		"percent":               p(`"` + url.QueryEscape(hidden) + `"`),
		"tag":                   member(`"tags":[` + quoted(strings.ToLower(hidden)) + `]`),
		"title":                 `{"type":"T","title":` + plain + `}`,
		"title with escapes":    `{"type":"T","title":"` + spelled(hidden) + `"}`,
		"unknown member":        member(`"x":[{"y":` + plain + `}]`),
		"name of a member":      member(plain + `:1`),
		"file":                  member(`"file":` + plain),
		"another secret":        p(`{"__ptype":"Sensitive","__pvalue":["a",{` + plain + `:` + plain + `}]}`),
	} {
		t.Run(name, func(t *testing.T) {
			declared := `{"type":"Class","title":"App","parameters":{"password":` + plain + `},"sensitive_parameters":["password"]}`
			attack(t, in(declared, resource), hidden)
			attack(t, in(resource, declared), hidden)
		})
	}
	for name, doc := range map[string]string{
		"edge":            `{"resources":[%s],"edges":[{"source":` + quoted("T["+hidden+"]") + `,"target":"Class[App]"}]}`,
		"member of edge":  `{"resources":[%s],"edges":[{"source":"T[t]","target":"Class[App]","x":` + plain + `}]}`,
		"metadata":        `{"resources":[%s],"edges":[],"metadata":{"/x":{` + plain + `:[` + plain + `]}}}`,
		"name of a part":  `{"resources":[%s],"edges":[],` + plain + `:1}`,
		"envelope":        `{"x":` + plain + `,"catalog":{"resources":[%s],"edges":[]},"y":[` + plain + `]}`,
		"escaped members": `{"x":"` + spelled(hidden) + `","resources":[%s],"edges":[]}`,
	} {
		t.Run(name, func(t *testing.T) {
			declared := `{"type":"Class","title":"App","parameters":{"password":` + plain + `},"sensitive_parameters":["password"]}`
			attack(t, fmt.Sprintf(doc, declared), hidden)
		})
	}
}

// attack redacts a document along all code paths.
func attack(t *testing.T, doc, hidden string) {
	t.Helper()
	json := []byte(doc)
	pack := convert(t, json, "rich-json", "rich-msgpack")
	for _, c := range []struct {
		data     []byte
		from, to string
	}{
		{json, "rich-json", "rich-json"}, {json, "rich-json", "rich-msgpack"},
		{pack, "rich-msgpack", "rich-msgpack"}, {pack, "rich-msgpack", "rich-json"},
	} {
		for name, masker := range maskers(t) {
			out, _, err := redact(t, c.data, c.from, c.to, masker())
			if errors.Is(err, sensitive.ErrLeak) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if leak := leaks(t, out, c.to, hidden); leak != "" {
				t.Errorf("%s to %s, %s: %s", c.from, c.to, name, leak)
			}
		}
	}
}

// TestUnfollowed hides secrets that are too short to be followed: only their own locations
// identify them.
func TestUnfollowed(t *testing.T) {
	const hidden = "q8#Z"
	own := `{"__ptype":"Sensitive","__pvalue":"` + hidden + `"}`
	p := func(value string) string { return `{"type":"T","title":"t","parameters":{"p":` + value + `}}` }
	docs := map[string]string{
		"plain":               in(p(own)),
		"blanks":              in(p(" { \"__ptype\" : \"Sensitive\" ,\n \"__pvalue\" : \"q8#Z\" } ")),
		"escaped key":         in(p(`{"\u005f_ptype":"Sensitive","__pvalue":"q8#Z"}`)),
		"escaped type":        in(p(`{"__ptype":"Sensitiv\u0065","__pvalue":"q8#Z"}`)),
		"value first":         in(p(`{"__pvalue":"q8#Z","__ptype":"Sensitive"}`)),
		"more members":        in(p(`{"__ptype":"Sensitive","__pvalue":"q8#Z","x":"q8#Z"}`)),
		"with type":           in(p(`{"__ptype":"Sensitive[String]","__pvalue":"q8#Z"}`)),
		"in a type":           in(p(`{"__ptype":"My::Type","a":[` + own + `]}`)),
		"in a value of one":   in(p(`{"__ptype":"My::Type","__pvalue":{"a":` + own + `}}`)),
		"in a Deferred":       in(p(`{"__ptype":"Deferred","name":"f","arguments":[{"a":` + own + `}]}`)),
		"in a Hash":           in(p(`{"__ptype":"Hash","__pvalue":[` + own + `,` + own + `]}`)),
		"in a Sensitive":      in(p(`{"__ptype":"Sensitive","__pvalue":[` + own + `]}`)),
		"dropped by Default":  in(p(`{"__ptype":"Default","__pvalue":` + own + `}`)),
		"dropped by Default2": in(p(`[{"__ptype":"Default","x":{"y":` + own + `}}]`)),
		"dropped by a Regexp": in(p(`{"__ptype":"Regexp","__pvalue":"a","x":` + own + `}`)),
		"dropped by a Binary": in(p(`{"__ptype":"Binary","__pvalue":"YWJj","x":` + own + `}`)),
		"in a tag":            in(`{"type":"T","title":"t","tags":["a",` + own + `]}`),
		"in another member":   in(`{"type":"T","title":"t","x":{"y":` + own + `}}`),
		"as file":             in(`{"type":"T","title":"t","file":` + own + `}`),
		"in kind":             in(`{"type":"T","title":"t","kind":` + own + `}`),
		"as title":            in(`{"type":"T","title":` + own + `}`),
		"as type":             in(`{"type":` + own + `,"title":"t"}`),
		"listed":              in(`{"type":"T","title":"t","parameters":{"p":"q8#Z","r":["q"]},"sensitive_parameters":["p","r"]}`),
		"listed before":       in(`{"sensitive_parameters":["p"],"type":"T","title":"t","parameters":{"p":["q8#Z"]}}`),
		"listed by escapes":   in(`{"type":"T","title":"t","parameters":{"p":"q8#Z"},"sensitive_parameters":["\u0070"]}`),
		"list by escapes":     in(`{"type":"T","title":"t","parameters":{"p":"q8#Z"},"sensitive\u005fparameters":["p"]}`),
		"name by escapes":     in(`{"type":"T","title":"t","parameters":{"\u0070":"q8#Z"},"sensitive_parameters":["p"]}`),
		"parameters escaped":  in(`{"type":"T","title":"t","p\u0061rameters":{"p":"q8#Z"},"sensitive_parameters":["p"]}`),
		"in an edge":          `{"resources":[],"edges":[{"source":"A[a]","target":"B[b]","x":` + own + `}]}`,
		"in metadata":         `{"resources":[],"edges":[],"metadata":{"a":[` + own + `]}}`,
		"in an envelope":      `{"x":{"y":` + own + `},"catalog":{"resources":[],"edges":[]}}`,
	}
	for name, doc := range docs {
		t.Run(name, func(t *testing.T) {
			for _, to := range []string{"rich-json", "rich-msgpack"} {
				for _, masker := range maskers(t) {
					pack := convert(t, []byte(doc), "rich-json", "rich-msgpack")
					for from, data := range map[string][]byte{"rich-json": []byte(doc), "rich-msgpack": pack} {
						out, _, err := redact(t, data, from, to, masker())
						switch {
						case errors.Is(err, sensitive.ErrLeak):
						case err != nil:
							t.Fatal(err)
						case bytes.Contains(out, []byte(hidden)):
							t.Errorf("%s to %s: %s", from, to, out)
						}
					}
				}
			}
		})
	}
}

// TestNumbers follows a number in numbers and texts.
func TestNumbers(t *testing.T) {
	declared := `{"type":"Class","title":"App","parameters":{"pin":7315928460},"sensitive_parameters":["pin"]}`
	for _, copy := range []string{`7315928460`, `"7315928460"`, `[[-7315928460]]`, `{"7315928460":1}`, `73159284601`, `"a7315928460z"`} {
		attack(t, in(declared, `{"type":"T","title":"t","parameters":{"p":`+copy+`}}`), "7315928460")
	}
}

// TestBothRoads redacts the same catalogs by their bytes and by their values.
func TestBothRoads(t *testing.T) {
	hidden := rapid.SampledFrom([]string{"S3cret-Value", "correct horse 1!", "q8#Z", "production", "ünïcode-pass\n2"})
	var value *rapid.Generator[string]
	leaf := rapid.Custom(func(t *rapid.T) string {
		s := hidden.Draw(t, "secret")
		return rapid.SampledFrom([]string{
			"1", "true", "null", "-1.5e3", `"a"`, `"a\nb"`, `""`, "[]", "{}", quoted(s),
			`{"__ptype":"Sensitive","__pvalue":` + quoted(s) + `}`,
			`{"__ptype":"Sensitive","__pvalue":[` + quoted(s) + `,1,{"k":null}]}`,
			`{"__ptype":"Timestamp","__pvalue":"2028-09-19T12:34:56.093626947 UTC"}`,
			`{"__ptype":"Binary","__pvalue":"` + base64.StdEncoding.EncodeToString([]byte(s)) + `"}`,
			`{"__ptype":"Default"}`, `{"__ptype":"Regexp","__pvalue":"a.c"}`, `{"__ptype":"SemVer","__pvalue":"1.2.3"}`,
			`{"__ptype":"URI","__pvalue":"https://a.b/c"}`,
		}).Draw(t, "leaf")
	})
	value = rapid.Custom(func(t *rapid.T) string {
		v := func(label string) string {
			if rapid.Bool().Draw(t, "deep") {
				return value.Draw(t, label)
			}
			return leaf.Draw(t, label)
		}
		switch rapid.IntRange(0, 4).Draw(t, "kind") {
		case 0:
			return "[" + v("first") + " , " + v("second") + "]"
		case 1:
			return `{"a":` + v("a") + `,"b":` + v("b") + `}`
		case 2:
			return `{"__ptype":"Deferred","name":"f","arguments":[` + v("argument") + `]}`
		case 3:
			return `{"__ptype":"My::Type","x":` + v("x") + `}`
		}
		return leaf.Draw(t, "leaf")
	})
	rapid.Check(t, func(rt *rapid.T) {
		var resources []string
		for i := range rapid.IntRange(1, 3).Draw(rt, "resources") {
			list := rapid.SampledFrom([]string{``, `,"sensitive_parameters":["p"]`, `,"sensitive_parameters":["q","p","none"]`}).Draw(rt, "listed")
			resources = append(resources, fmt.Sprintf(`{"type":"T","title":"t%d","tags":["t"],"parameters":{"p":%s,"q":%s}%s}`,
				i, value.Draw(rt, "p"), value.Draw(rt, "q"), list))
		}
		doc := []byte(in(resources...))
		pack := convert(t, doc, "rich-json", "rich-msgpack")
		for _, name := range []string{"digest", "drop"} {
			byBytes, _, err := redact(t, doc, "rich-json", "rich-msgpack", maskers(t)[name]())
			byValues, _, errValues := redact(t, pack, "rich-msgpack", "rich-msgpack", maskers(t)[name]())
			if err != nil || errValues != nil {
				rt.Fatal(string(doc), err, errValues)
			}
			if name == "digest" && !bytes.Equal(byBytes, byValues) {
				rt.Fatalf("%s\nby bytes %s\nby values %s", doc, convert(t, byBytes, "rich-msgpack", "rich-json"), convert(t, byValues, "rich-msgpack", "rich-json"))
			}
		}
	})
}

// TestGuardCutsAnywhere moves spellings of a secret across all boundaries of the written
// pieces.
func TestGuardCutsAnywhere(t *testing.T) {
	const hidden = `S3cret-"é😀\Value`
	c := sensitive.NewCollector(sensitive.CollectOptions{})
	doc := in(`{"type":"Class","title":"App","parameters":{"p":` + quoted(hidden) + `},"sensitive_parameters":["p"]}`)
	if err := c.Collect(reader(t, []byte(doc), "rich-json")); err != nil {
		t.Fatal(err)
	}
	r := c.Secrets().Redactor(nil)
	for _, copy := range []string{quoted(hidden), `"` + spelled(hidden) + `"`, `"\\\\` + spelled(hidden) + `\\"`, `"\n` + spelled(`S3cret-"é😀`) + `\\Value"`} {
		text := `{"a":"\"x\\","b":` + copy + `}`
		for cut := range len(text) {
			g := r.Guard(io.Discard, "json")
			_, _ = io.WriteString(g, text[:cut])
			_, _ = io.WriteString(g, text[cut:])
			if err := g.Close(); !errors.Is(err, sensitive.ErrLeak) {
				t.Fatalf("%s, cut at %d, was not seen: %v", text, cut, err)
			}
		}
	}
}
