package audit_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/audit"
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

// The form of a document does not affect the findings.
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
			want := places(first) + strings.Join(known(first), "\n")
			for name, encoded := range reencoded(t, document) {
				r := runWith(t, o, encoded)
				if got := places(r) + strings.Join(known(r), "\n"); got != want {
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
	packed, err := write.Append(nil, v, serialization.EncodeOptions{Secrets: serialization.ClearSecrets})
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
		if got := places(run(t, node("n", tt.wrapped))); got != "" {
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
