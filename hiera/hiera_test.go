package hiera_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/pcatdev/pcat/hiera"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/typeexpr"
)

// environment writes files and returns the folder.
func environment(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// decrypt returns the text in lower case, or one of the texts with an interpolation.
func decrypt(_, data string) (string, error) {
	texts := map[string]string{
		"BAD": "secretaa%{a..b}tail", "UNKNOWN": "x%{secretaa}y", "METHOD": "%{secretaa('x')}", "LOOKUP": "%{lookup('secretaa.a..b')}",
		"MISSING": "%{lookup('secretaa')}", "HASH": "%{alias('hash')}", "LIST": "%{alias('list')}",
	}
	if text, ok := texts[data]; ok {
		return text, nil
	}
	return strings.ToLower(data), nil
}

// hierarchy returns the data in a folder, with values of decrypt.
func hierarchy(t testing.TB, dir string) *hiera.Hierarchy {
	t.Helper()
	h, err := hiera.New(hiera.Options{
		Environment: dir,
		Files:       function.Tree{Folders: []string{dir}, ModulePath: []string{filepath.Join(dir, "modules")}},
		Types:       secretAlias{},
		Decrypt:     decrypt,
	})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// secretAlias knows the alias Secret of Sensitive[String].
type secretAlias struct{}

func (secretAlias) ResolveType(name string) (pcore.Type, error) {
	if !strings.EqualFold(name, "Secret") {
		return nil, typeexpr.ErrUnknownType
	}
	alias, resolve := pcore.NewTypeAliasType(name)
	to, err := typeexpr.Parse("Sensitive[String]", nil)
	if err != nil {
		return nil, err
	}
	return alias, resolve(to)
}

type variables map[string]pcore.Value

func (v variables) Variable(name string) (pcore.Value, bool, error) {
	found, ok := v[strings.TrimPrefix(name, "::")]
	return found, ok, nil
}

func ask(t testing.TB, h *hiera.Hierarchy, q hiera.Query) (pcore.Value, error) {
	t.Helper()
	env := &function.Env{Variables: variables{"role": pcore.String("web")}, Budget: function.NewBudget(500_000)}
	return h.Lookup(t.Context(), env, q)
}

const eyaml = `version: 5
hierarchy: [{name: secrets, path: secrets.yaml, lookup_key: eyaml_lookup_key}]
`

// TestSecrets checks that no decrypted value gets out: of a result, an explanation or a message.
func TestSecrets(t *testing.T) {
	dir := environment(t, map[string]string{"hiera.yaml": eyaml, "data/secrets.yaml": `
plain: open
password: ENC[PKCS7,SECRETAA]
url: "pg://app:ENC[PKCS7,SECRETAA]@db"
twice: "%{lookup('url')} and %{lookup('plain')}"
map: {a: {b: "ENC[PKCS7,SECRETAA]"}, c: open}
alias: "%{alias('map')}"
number: ENC[PKCS7,1234]
wrong: ENC[PKCS7,SECRETAA]
marked: "SECRETAA %{role}"
bad: ENC[PKCS7,BAD]
unknown: ENC[PKCS7,UNKNOWN]
method: ENC[PKCS7,METHOD]
within: "%{lookup('bad')}"
lookup: ENC[PKCS7,LOOKUP]
missing: ENC[PKCS7,MISSING]
optional: SECRETAA
present: SECRETAA
aliased: SECRETAA
unknown_alias: SECRETAA
unknown_element: [SECRETAA]
unknown_resource: SECRETAA
unreadable: SECRETAA
unreadable_list: SECRETAA
within_unknown: "x %{lookup('unknown_alias')}"
lookup_options:
  unknown_alias: {convert_to: Vault::Password}
  unknown_element: {convert_to: "Array[Vault::Password]"}
  unknown_resource: {convert_to: "Vault::Password[a]"}
  unreadable: {convert_to: "Sensitive["}
  unreadable_list: {convert_to: [1, 2]}
  optional: {convert_to: "Optional[Sensitive]"}
  present: {convert_to: "NotUndef[Sensitive]"}
  aliased: {convert_to: Secret}
  number: {convert_to: Integer}
  wrong: {convert_to: Integer}
  marked: {convert_to: Sensitive}
  map: {merge: deep}
`})
	for _, test := range []struct {
		key, typ string
		want     string // of the result
	}{
		{key: "plain", want: "'open'"},
		{key: "password", want: pcore.RedactedText},
		{key: "password", typ: "String", want: pcore.RedactedText},
		{key: "password", typ: "Enum[other]"},
		{key: "password", typ: "Pattern[/x/]"},
		{key: "password", typ: "Integer"},
		{key: "url", want: pcore.RedactedText},
		{key: "twice", want: pcore.RedactedText},
		{key: "map", want: "{'a' => {'b' => " + pcore.RedactedText + "}, 'c' => 'open'}"},
		{key: "map.a.b", want: pcore.RedactedText},
		{key: "map.a.b.c"},
		{key: "alias", want: "{'a' => {'b' => " + pcore.RedactedText + "}, 'c' => 'open'}"},
		{key: "number", want: pcore.RedactedText},
		{key: "number", typ: "Integer", want: pcore.RedactedText},
		{key: "wrong"},
		{key: "marked", want: pcore.RedactedText},
		{key: "bad"},
		{key: "unknown"},
		{key: "method"},
		{key: "within"},
		{key: "lookup"},
		{key: "missing", want: pcore.RedactedText},
		{key: "optional", want: pcore.RedactedText},
		{key: "present", want: pcore.RedactedText},
		{key: "aliased", want: pcore.RedactedText},
		{key: "unknown_alias"},
		{key: "unknown_element"},
		{key: "unknown_resource"},
		{key: "unreadable"},
		{key: "unreadable_list"},
		{key: "within_unknown"},
	} {
		q := hiera.Query{Keys: []string{test.key}, Explanation: &hiera.Explanation{}}
		if test.typ != "" {
			var err error
			if q.Type, err = typeexpr.Parse(test.typ, nil); err != nil {
				t.Fatal(err)
			}
		}
		v, err := ask(t, hierarchy(t, dir), q)
		if (err != nil) != (test.want == "") {
			t.Errorf("%s %s: %v, %v", test.key, test.typ, v, err)
		}
		got := ""
		if v != nil && err == nil {
			got = v.String()
		}
		if got != test.want {
			t.Errorf("%s %s: %s, want %s", test.key, test.typ, got, test.want)
		}
		for _, text := range []string{fmt.Sprint(err), fmt.Sprintf("%+v %#v", v, v), q.Explanation.Text(), q.Explanation.Value().String()} {
			if strings.Contains(strings.ToLower(text), "secretaa") || strings.Contains(text, "1234") {
				t.Errorf("%s %s: the secret is in %s", test.key, test.typ, text)
			}
		}
	}
}

// TestMergedSecrets checks that a merge with a decrypted array or hash is a secret.
func TestMergedSecrets(t *testing.T) {
	dir := environment(t, map[string]string{
		"hiera.yaml": "version: 5\ndefaults: {lookup_key: eyaml_lookup_key}\nhierarchy: [{name: a, path: a.yaml}, {name: b, path: b.yaml}]\n",
		"data/a.yaml": "h: ENC[PKCS7,HASH]\nl: ENC[PKCS7,LIST]\nn: {x: 'ENC[PKCS7,HASH]'}\nhash: {a: SECRETAA}\nlist: [SECRETAA]\n" +
			"t: ['ENC[PKCS7,SECRETAA]']\nm: [['ENC[PKCS7,LIST]']]\n",
		"data/b.yaml": "h: {b: 1}\nl: [b]\nn: {x: {b: 1}}\nt: ['b,c']\nm: [b]\n",
	})
	deep := func(options ...string) pcore.Value {
		b := pcore.NewHashBuilder(2)
		b.SetString("strategy", pcore.String("deep"))
		for i := 0; i < len(options); i += 2 {
			b.SetString(options[i], pcore.String(options[i+1]))
		}
		return b.Hash()
	}
	for _, test := range []struct {
		key   string
		merge pcore.Value
	}{
		{"h", pcore.String("hash")},
		{"h", pcore.String("deep")},
		{"h", pcore.String("reverse_deep")},
		{"h", deep("knockout_prefix", "--")},
		{"l", pcore.String("unique")},
		{"l", pcore.String("deep")},
		{"m", pcore.String("unique")},
		{"n", pcore.String("deep")},
		{"n", deep("knockout_prefix", "--")},
	} {
		x := &hiera.Explanation{}
		v, err := ask(t, hierarchy(t, dir), hiera.Query{Keys: []string{test.key}, Merge: test.merge, Explanation: x})
		if err != nil || v.String() != pcore.RedactedText {
			t.Errorf("%s %s: %v, %v", test.key, test.merge, v, err)
		}
		if text := fmt.Sprintf("%s %s", x.Value(), x.Text()); strings.Contains(text[strings.Index(text, "Merged result"):], "SECRETAA") {
			t.Errorf("%s %s: the secret is in %s", test.key, test.merge, text)
		}
	}
}

// TestExplainedMemory checks that an explanation is inside of the limit of memory.
func TestExplainedMemory(t *testing.T) {
	dir := environment(t, map[string]string{"hiera.yaml": "version: 5\nhierarchy: [{name: a, path: common.yaml}]\n", "data/common.yaml": "a: \"" + strings.Repeat("%{role}", 2000) + "\"\n"})
	for _, x := range []*hiera.Explanation{nil, {}} {
		env := &function.Env{Variables: variables{"role": pcore.String("web")}, Memory: function.NewMemory(200_000)}
		v, err := hierarchy(t, dir).Lookup(t.Context(), env, hiera.Query{Keys: []string{"a"}, Explanation: x})
		if (x != nil) != errors.Is(err, function.ErrMemory) || (x != nil) == (v != nil) {
			t.Errorf("%v: %v", x != nil, err)
		}
	}
}

// TestConcurrentDefaults checks that defaults can be checked while others decrypt.
func TestConcurrentDefaults(t *testing.T) {
	h := hierarchy(t, environment(t, map[string]string{"hiera.yaml": eyaml, "data/secrets.yaml": "url: ENC[PKCS7,AA]\ntwice: \"%{lookup('url')}.\"\n"}))
	typ, err := typeexpr.Parse("String", nil)
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for _, key := range []string{"twice", "none", "twice", "none"} {
		all.Go(func() {
			for range 200 {
				if v, err := ask(t, h, hiera.Query{Keys: []string{key}, Type: typ, Default: pcore.String("x")}); err != nil {
					t.Error(v, err)
				}
			}
		})
	}
	all.Wait()
}

// TestBounds checks that hostile data ends.
func TestBounds(t *testing.T) {
	var chain, wide strings.Builder
	for i := range 500 {
		fmt.Fprintf(&chain, "k%d: \"%%{lookup('k%d')}\"\n", i, i+1)
	}
	for i := range 40 {
		fmt.Fprintf(&wide, "w%d: \"%%{lookup('w%d')}%%{lookup('w%d')}\"\n", i, i+1, i+1)
	}
	config := "version: 5\nhierarchy: [{name: a, path: common.yaml}]\n"
	for name, data := range map[string]string{"k0": chain.String(), "w0": wide.String(), "self": "self: \"%{lookup('self')}\"\n"} {
		h := hierarchy(t, environment(t, map[string]string{"hiera.yaml": config, "data/common.yaml": data}))
		if v, err := ask(t, h, hiera.Query{Keys: []string{name}}); err == nil {
			t.Errorf("%s: %.100s", name, v)
		}
	}
}

// TestOutside checks that no file is read that the caller does not allow.
func TestOutside(t *testing.T) {
	other := environment(t, map[string]string{"common.yaml": "a: outside\n", "x.yaml": "a: outside\n"})
	link := environment(t, map[string]string{"hiera.yaml": "version: 5\n", "data/none": ""})
	if err := os.Symlink(filepath.Join(other, "common.yaml"), filepath.Join(link, "data", "common.yaml")); err != nil {
		t.Skip(err)
	}
	relative, err := filepath.Rel(link, other)
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{
		link,
		environment(t, map[string]string{"hiera.yaml": "version: 5\nhierarchy: [{name: a, datadir: " + other + ", path: common.yaml}]\n"}),
		environment(t, map[string]string{"hiera.yaml": "version: 5\nhierarchy: [{name: a, path: " + other + "/common.yaml}]\n"}),
		environment(t, map[string]string{"hiera.yaml": "version: 5\nhierarchy: [{name: a, datadir: " + relative + ", path: common.yaml}]\n"}),
		environment(t, map[string]string{"hiera.yaml": "version: 5\nhierarchy: [{name: a, glob: '" + other + "/*.yaml'}]\n"}),
	} {
		v, err := ask(t, hierarchy(t, dir), hiera.Query{Keys: []string{"a"}})
		if err == nil || strings.Contains(err.Error(), "outside") {
			t.Errorf("%v, %v", v, err)
		}
		if !errors.Is(err, fs.ErrPermission) && !strings.Contains(fmt.Sprint(err), "did not find") {
			t.Errorf("another error: %v", err)
		}
	}
}

// TestRecreated checks that a hierarchy follows the variables of its paths.
func TestRecreated(t *testing.T) {
	dir := environment(t, map[string]string{
		"hiera.yaml":    "version: 5\nhierarchy: [{name: a, path: '%{role}.yaml'}]\n",
		"data/web.yaml": "a: of web\n", "data/db.yaml": "a: of db\n",
	})
	h := hierarchy(t, dir)
	for _, role := range []string{"web", "db", "web"} {
		env := &function.Env{Variables: variables{"role": pcore.String(role)}}
		v, err := h.Lookup(context.Background(), env, hiera.Query{Keys: []string{"a"}})
		if err != nil || v != pcore.Value(pcore.String("of "+role)) {
			t.Errorf("%s: %v, %v", role, v, err)
		}
	}
}

// TestErrors compares messages with Puppet's.
func TestErrors(t *testing.T) {
	const config = "version: 5\nhierarchy: [{name: data, %s}]\n"
	for _, c := range []struct {
		name, config, data, key, want string
	}{
		{"a method in a path", `path: "%{lookup('x')}.yaml"`, "", "a", "Interpolation using method syntax is not allowed in this context (file: DIR/hiera.yaml)"},
		{"a method in a glob", `glob: "%{lookup('x')}*.yaml"`, "", "a", "Interpolation using method syntax is not allowed in this context (file: DIR/hiera.yaml)"},
		{"a method in a directory", `path: a.yaml, datadir: "%{alias('x')}"`, "", "a", "Interpolation using method syntax is not allowed in this context (file: DIR/hiera.yaml)"},
		{"a method in options", `path: a.yaml, data_hash: yaml_data, options: {a: "%{lookup('x')}"}`, "", "a", "Interpolation using method syntax is not allowed in this context (file: DIR/hiera.yaml)"},
		{"a method in data", `path: a.yaml`, "a: \"%{other('x')}\"\n", "a", "Unknown interpolation method 'other'"},
		{"sorted texts and booleans", `paths: [a.yaml, b.yaml]`, "lookup_options: {a: {merge: {strategy: deep, sort_merged_arrays: true}}}\na: [x, true]\n", "a", "comparison of String with true failed"},
		{"sorted booleans and texts", `paths: [a.yaml, b.yaml]`, "lookup_options: {a: {merge: {strategy: deep, sort_merged_arrays: true}}}\na: [true, x]\n", "a", "comparison of TrueClass with String failed"},
		{"sorted hashes", `paths: [a.yaml, b.yaml]`, "lookup_options: {a: {merge: {strategy: deep, sort_merged_arrays: true}}}\na: [{b: 1}, {c: 1}]\n", "a", "comparison of Hash with Hash failed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := environment(t, map[string]string{"hiera.yaml": fmt.Sprintf(config, c.config), "data/a.yaml": c.data, "data/b.yaml": c.data})
			_, err := ask(t, hierarchy(t, dir), hiera.Query{Keys: []string{c.key}})
			if err == nil || strings.ReplaceAll(err.Error(), dir, "DIR") != c.want {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}
