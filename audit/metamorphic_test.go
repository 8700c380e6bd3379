package audit_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/internal/secret"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// leaky returns resources that each leak one secret, in various ways.
func leaky() []string {
	return []string{
		`{"type":"Class","title":"Db","parameters":{"root_password":"Kestrel-8812-x"}}`,
		`{"type":"File","title":"/etc/app.ini","parameters":{"content":"[db]\npassword = n7Hq-vL2pX\nport = 1\n"}}`,
		`{"type":"Exec","title":"load","parameters":{"command":"mysql -u root -pZz81kkQw77 x"}}`,
		`{"type":"Archive","title":"/x","parameters":{"source":"https://u:Gk28-sdfkj@h.example.com/x"}}`,
		`{"type":"Class","title":"App","parameters":{"db":{"token":"aG93LW1hbnktbW9yZS10b2tlbnM1","url":"x"},"list":[1,{"api_key":"q8ZkPw2LmN4rT6vX"}]}}`,
		`{"type":"Class","title":"Own","parameters":{"secret":"Yq77-lantern-3"},"sensitive_parameters":["secret"]}`,
		`{"type":"File","title":"/etc/copy","parameters":{"content":"x Yq77-lantern-3 y"}}`,
	}
}

// known returns the identities of the findings of a report, without locations.
func known(r *audit.Report) []string {
	var list []string
	for _, f := range r.Findings {
		list = append(list, f.Rule+" "+f.Type+"["+f.Title+"]/"+f.Parameter+" "+f.Fingerprint+" "+f.Severity.String())
	}
	slices.Sort(list)
	return list
}

// The position of a resource does not affect the findings.
func TestReordering(t *testing.T) {
	for _, o := range []audit.Options{{Key: key}, {}} {
		want := known(runWith(t, o, node("n", leaky()...)))
		if len(want) != len(leaky()) {
			t.Fatalf("%d findings of %d resources: %s", len(want), len(leaky()), strings.Join(want, "\n"))
		}
		rapid.Check(t, func(r *rapid.T) {
			order := rapid.Permutation(leaky()).Draw(r, "order")
			if got := known(runWith(t, o, node("n", order...))); !slices.Equal(got, want) {
				r.Fatalf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}

// The format of a document does not affect the findings.
func TestReencoding(t *testing.T) {
	documents := []string{node("n", leaky()...)}
	files, err := filepath.Glob("../testdata/catalogs/*/rich.json")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		documents = append(documents, string(b))
	}
	for i, document := range documents {
		for _, o := range []audit.Options{{Key: key}, {}} {
			first := runWith(t, o, document)
			want := locations(first) + strings.Join(known(first), "\n")
			for name, encoded := range reencoded(t, document) {
				r := runWith(t, o, encoded)
				if got := locations(r) + strings.Join(known(r), "\n"); got != want {
					t.Errorf("document %d as %s, key %q: got\n%s\nwant\n%s", i, name, o.Key, got, want)
				}
			}
		}
	}
}

func reencoded(t *testing.T, document string) map[string]string {
	t.Helper()
	var indented bytes.Buffer
	if err := json.Indent(&indented, []byte(document), "", "    "); err != nil {
		t.Fatal(err)
	}
	read := formats.RichJSON()
	write := formats.RichMessagePack()
	v, err := read.Decode([]byte(document), serialization.DecodeOptions{AllowUnknownTypes: true})
	if err != nil {
		t.Fatal(err)
	}
	packed, err := write.Append(nil, v, serialization.EncodeOptions{Secrets: serialization.PlainSecrets})
	if err != nil {
		t.Fatal(err)
	}
	return map[string]string{"indented JSON": indented.String(), "MessagePack": string(packed)}
}

// A declared secret is no longer a leak in its own location.
func TestWrapping(t *testing.T) {
	tests := []struct{ open, wrapped string }{
		{`{"type":"Class","title":"Db","parameters":{"root_password":"Kestrel-8812-x"}}`, `{"type":"Class","title":"Db","parameters":{"root_password":"Kestrel-8812-x"},"sensitive_parameters":["root_password"]}`},
		{`{"type":"Class","title":"Db","parameters":{"db":{"token":"q8ZkPw2LmN4rT6vX"}}}`, `{"type":"Class","title":"Db","parameters":{"db":{"token":{"__ptype":"Sensitive","__pvalue":"q8ZkPw2LmN4rT6vX"}}}}`},
		{`{"type":"File","title":"/x","parameters":{"content":"password = n7Hq-vL2pX\n"}}`, `{"type":"File","title":"/x","parameters":{"content":"password = n7Hq-vL2pX\n"},"sensitive_parameters":["content"]}`},
		{`{"type":"Exec","title":"x","parameters":{"command":"mysql -pZz81kkQw77 x"}}`, `{"type":"Exec","title":"x","parameters":{"command":"mysql -pZz81kkQw77 x"},"sensitive_parameters":["command"]}`},
	}
	for _, tt := range tests {
		if r := run(t, node("n", tt.open)); len(r.Findings) != 1 {
			t.Errorf("%s: %d findings, want 1", tt.open, len(r.Findings))
		}
		if got := locations(run(t, node("n", tt.wrapped))); got != "" {
			t.Errorf("%s: %s", tt.wrapped, got)
		}
	}
}

// A copy of a Sensitive value is found in any location, under any name.
func TestCopying(t *testing.T) {
	const own = `{"type":"Class","title":"Own","parameters":{"secret":"Yq77-lantern-3"},"sensitive_parameters":["secret"]}`
	rapid.Check(t, func(r *rapid.T) {
		name := rapid.StringMatching(`[a-z]{3,9}`).Draw(r, "name")
		before := rapid.StringMatching(`[a-z ]{0,12}`).Draw(r, "before") + " "
		others := rapid.IntRange(0, 5).Draw(r, "others")
		text, err := json.Marshal(before + "Yq77-lantern-3 ")
		if err != nil {
			r.Fatal(err)
		}
		copied := class("Copy", `{"`+name+`":`+string(text)+`}`)
		resources := slices.Insert(slices.Repeat([]string{class("Z", `{"a":1}`)}, others), others/2, own, copied)
		found := run(t, node("n", resources...)).Findings
		if len(found) != 1 || found[0].Rule != "sensitive-reuse-open" || found[0].Title != "Copy" {
			r.Fatalf("%d findings in %s", len(found), resources)
		}
		if other := run(t, node("a", own), node("b", copied)).Findings; len(other) != 1 || other[0].Rule != "sensitive-cross-node" {
			r.Fatalf("%d findings on another node", len(other))
		}
	})
}

// A harmless name removes the findings that depend on the name, and no others.
func TestRenaming(t *testing.T) {
	const token = "glpat-a8Kd03jfLq92mXc7Zr4T"
	with := run(t, node("n", class("A", `{"root_password":"Kestrel-8812-x","deploy_token":"`+token+`","seen":"https://u:Gk28-sdfkj@h.example.com/"}`)))
	without := run(t, node("n", class("A", `{"colour":"Kestrel-8812-x","shape":"`+token+`","size":"https://u:Gk28-sdfkj@h.example.com/"}`)))
	rules := func(r *audit.Report) (list []string) {
		for _, f := range r.Findings {
			list = append(list, f.Rule)
		}
		return list
	}
	if got, want := rules(with), []string{"plain-secret-parameter", "provider-token/gitlab-pat", "url-credentials"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got, want := rules(without), []string{"provider-token/gitlab-pat", "url-credentials"}; !slices.Equal(got, want) {
		t.Errorf("renamed: got %v, want %v", got, want)
	}
}

// A class, a package, a tag or a resource with the name of a secret takes no finding
// elsewhere away. A weak secret is then a word of the catalog: its copies are no findings
// any more, but its own location is.
func TestNaming(t *testing.T) {
	find := auditing(t, audit.Options{Key: key})
	law(t, func(r *rapid.T, d document) {
		before := find(r, d.text(r)).Findings
		var secrets []string
		for i := range before {
			if s := revealed(&before[i]); s != "" && len(s) < 100 {
				secrets = append(secrets, s)
			}
		}
		secrets = append(secrets, shaped().Draw(r, "other")) // of nothing
		name := rapid.SampledFrom(secrets).Draw(r, "name")
		added := map[string]any{"type": "File", "title": "/opt/lantern", "parameters": map[string]any{}}
		switch rapid.IntRange(0, 3).Draw(r, "as") {
		case 0:
			added["type"], added["title"] = "Class", name
		case 1:
			added["type"], added["title"] = "Package", name
		case 2:
			added["tags"] = []any{"file", name}
		case 3:
			added["title"] = "/opt/" + name
		}
		after := find(r, d.with(append(slices.Clone(d.resources()), added)).text(r)).Findings
		isWord := !secret.IsStrong(name)
		var copies []string // of a word
		for i := range before {
			if f := &before[i]; isWord && revealed(f) == name && isCopy(f.Rule) {
				copies = append(copies, location(f))
			}
		}
		compared := func(list []audit.Finding) (texts []string) {
			for i := range list {
				f := &list[i]
				switch {
				case f.At.Ref.Type == added["type"] && f.At.Ref.Title == added["title"]:
				case isWord && revealed(f) == name && (slices.Contains(copies, location(f)) || f.Rule == "weak-secret"):
				default:
					texts = append(texts, rests(f))
				}
			}
			return texts
		}
		if diff := difference(compared(after), compared(before)); diff != "" {
			r.Fatalf("with %v:\n%s", added, diff)
		}
	})
}

// Another secret of the same shape and strength changes nothing in a report but its tag,
// which without a key is a number and stays.
func TestExchange(t *testing.T) {
	plain, keyed := auditing(t, audit.Options{}), auditing(t, audit.Options{Key: key})
	check := func(r *rapid.T, before, after string) {
		for _, find := range []func(rapid.TB, string) *audit.Report{plain, keyed} {
			one, other := find(r, before), find(r, after)
			if diff := difference(whole(other), whole(one)); diff != "" {
				r.Fatalf("exchanged:\n%s", diff)
			}
		}
	}
	t.Run("generated", rapid.MakeCheck(func(r *rapid.T) {
		secrets := rapid.SliceOfNDistinct(shaped(), 4, 4, rapid.ID[string]).Draw(r, "secrets")
		text := strings.Join(rapid.Permutation(ways).Draw(r, "ways"), ",")
		fill := func(one, other string) string {
			half := strings.Replace(strings.ReplaceAll(text, "<W>", "walrus12"), "<X>", one, 4)
			return node("n", strings.ReplaceAll(half, "<X>", other))
		}
		check(r, fill(secrets[0], secrets[1]), fill(secrets[2], secrets[3]))
	}))
	if testing.Short() {
		return
	}
	for file, d := range realDocuments(t) {
		text := d.text(t)
		found := plain(t, text).Findings
		t.Run(filepath.Base(filepath.Dir(file)), rapid.MakeCheck(func(r *rapid.T) {
			after := text
			for i := range found {
				s := revealed(&found[i])
				if s == "" || !secret.IsStrong(s) || strings.ContainsAny(s, " \n") || !strings.Contains(after, s) || found[i].Encodings != nil {
					continue
				}
				if other := like(r, s); !strings.Contains(after, other) { // two secrets do not become one
					after = strings.ReplaceAll(after, s, other)
				}
			}
			check(r, text, after)
		}))
	}
}

// Other words change no finding that rests on a format, on a copy or on the declared location.
func TestRewording(t *testing.T) {
	find := auditing(t, audit.Options{})
	law(t, func(r *rapid.T, d document) {
		before := find(r, d.text(r)).Findings
		w := rewording{r: r, words: map[string]string{}}
		var want, got []string
		for i := range before {
			f := &before[i]
			w.secrets = append(w.secrets, strings.ToLower(revealed(f)))
			if f.Name != "" {
				w.names = append(w.names, f.Name)
			}
			if f.Parameter != "" {
				w.names = append(w.names, f.Parameter)
			}
		}
		for _, one := range d.resources() {
			for _, name := range listed(one.(map[string]any)["sensitive_parameters"]) {
				w.secrets = append(w.secrets, strings.ToLower(fmt.Sprint(one.(map[string]any)["parameters"].(map[string]any)[name])))
			}
		}
		var resources []any
		for _, one := range d.resources() {
			resources = append(resources, w.resource(one.(map[string]any)))
		}
		after := find(r, d.with(resources).text(r)).Findings
		for i := range before {
			if restsOnForm(before[i].Rule) {
				want = append(want, before[i].Rule+" "+position(&before[i])+" "+revealed(&before[i])+"\n")
			}
		}
		for i := range after {
			got = append(got, after[i].Rule+" "+position(&after[i])+" "+revealed(&after[i])+"\n")
		}
		got = slices.DeleteFunc(got, func(g string) bool { rule, _, _ := strings.Cut(g, " "); return !restsOnForm(rule) })
		if diff := difference(got, want); diff != "" {
			r.Fatalf("reworded:\n%s", diff)
		}
	})
}

// The order of resources changes no finding except its position, and neither does
// PuppetDB's format, where a declared secret has more readers.
func TestOrderAndForm(t *testing.T) {
	find := auditing(t, audit.Options{Key: key})
	law(t, func(r *rapid.T, d document) {
		collect := func(d document) (list []string) {
			found := find(r, d.text(r)).Findings
			for i := range found {
				list = append(list, rests(&found[i])+found[i].Fingerprint+found[i].Tag+found[i].File+fmt.Sprint(found[i].Line))
			}
			slices.Sort(list)
			return list
		}
		want := collect(d)
		if got := collect(d.with(rapid.Permutation(d.resources()).Draw(r, "order"))); !slices.Equal(got, want) {
			r.Fatalf("in another order:\n%s", difference(got, want))
		}
		want, got := nil, []string(nil)
		for text, list := range map[string]*[]string{d.text(r): &want, d.answer().text(r): &got} {
			for _, f := range find(r, text).Findings {
				f.Severity = 0
				*list = append(*list, rests(&f))
			}
		}
		if diff := difference(got, want); diff != "" {
			r.Fatalf("as an answer of PuppetDB:\n%s", diff)
		}
	})
}
