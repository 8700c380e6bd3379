package hiera_test

import (
	"errors"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/hiera"
	"github.com/pcatdev/pcat/internal/ruby/psych"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// memoryFiles are the files of an environment by their paths.
type memoryFiles map[string]string

// Find implements [function.Files].
func (m memoryFiles) Find(_ function.FileKind, name string) (string, bool, error) {
	name = path.Clean(name)
	_, found := m[name]
	return name, found, nil
}

// ReadFile implements [function.Files].
func (m memoryFiles) ReadFile(name string, allow func(int) error) ([]byte, error) {
	text, found := m[path.Clean(name)]
	if !found {
		return nil, fs.ErrNotExist
	}
	if allow != nil {
		if err := allow(len(text)); err != nil {
			return nil, err
		}
	}
	return []byte(text), nil
}

// ModuleDir implements [function.Files].
func (m memoryFiles) ModuleDir(module string) (string, bool, error) {
	dir := "/env/modules/" + module
	_, found := m[dir+"/hiera.yaml"]
	return dir, found, nil
}

// ReadFolder implements [function.Folders].
func (m memoryFiles) ReadFolder(dir string, _ func(int) error) ([]fs.DirEntry, error) {
	var entries []fs.DirEntry
	seen := map[string]bool{}
	for name := range m {
		rest, ok := strings.CutPrefix(name, strings.TrimSuffix(path.Clean(dir), "/")+"/")
		first, _, deeper := strings.Cut(rest, "/")
		if ok && !seen[first] {
			seen[first] = true
			entries = append(entries, memoryEntry{first, deeper})
		}
	}
	if entries == nil {
		return nil, fs.ErrNotExist
	}
	return entries, nil
}

// FileType implements [function.Folders].
func (m memoryFiles) FileType(name string, _ bool) (fs.FileMode, error) {
	name = path.Clean(name)
	if _, found := m[name]; found {
		return 0, nil
	}
	for file := range m {
		if strings.HasPrefix(file, name+"/") || name == "/" {
			return fs.ModeDir, nil
		}
	}
	return 0, fs.ErrNotExist
}

// memoryEntry is an entry of a folder.
type memoryEntry struct {
	name string
	dir  bool
}

func (e memoryEntry) Name() string               { return e.name }
func (e memoryEntry) IsDir() bool                { return e.dir }
func (e memoryEntry) Info() (fs.FileInfo, error) { return nil, fs.ErrInvalid }
func (e memoryEntry) Type() fs.FileMode {
	if e.dir {
		return fs.ModeDir
	}
	return 0
}

// decrypted is the plain text of all encrypted values of the fuzz target.
const decrypted = "Tz9secretQ4x"

// defaultConfiguration is for inputs without a configuration.
const defaultConfiguration = `version: 5
defaults: {lookup_key: eyaml_lookup_key}
hierarchy: [{name: data, path: common.yaml}]
`

// FuzzLookup checks that a lookup neither panics nor hangs, that it returns a value or an error that names the file with the
// fault, that an explanation changes nothing, and that no decrypted value gets out.
func FuzzLookup(f *testing.F) {
	for _, seed := range [][4]string{
		{"", "a: 1\n", "", "a"},
		{"", "a: ENC[PKCS7,AA]\nb: \"x%{lookup('a')}y\"\nc: \"%{alias('a')}\"\n", "", "b"},
		{"", "a: {b: [1, {c: 2}]}\nlookup_options: {a: {merge: deep}, '^b': {merge: {strategy: deep, knockout_prefix: '--'}}}\n", "a: {b: ['--1']}\n", "a.b.1.c"},
		{"", "a: ENC[PKCS7,AA]\nlookup_options: {a: {convert_to: [Sensitive]}}\n", "", "a"},
		{"", "a: ENC[PKCS7,AA]\nlookup_options: {a: {convert_to: 'Nope::Secret'}}\n", "", "a"},
		{"", "a: ENC[PKCS7,AA]\nlookup_options: {a: {convert_to: Integer}}\n", "", "a"},
		{"", "a: \"%{lookup('a')}\"\n", "", "a"},
		{"", "a: [\n", "", "a"},
		{"", "m::a: 1\n", "m::a: 2\nlookup_options: {'m::a': {merge: unique}}\n", "m::a"},
		{"version: 5\nhierarchy:\n- {name: g, glob: '**/*.yaml'}\n- {name: p, paths: ['%{role}.yaml', 'common.json']}\n", "a: 1\n", "b: 2\n", "b"},
		{"version: 5\nhierarchy: [{name: m, mapped_paths: [list, x, '%{x}.yaml']}]\n", "a: 1\n", "", "a"},
		{"version: 5\nhierarchy: [{name: j, path: common.yaml, data_hash: json_data}]\n", `{"a": {"b": "%{::role}"}}`, "", "a.b"},
		{"version: 5\nhierarchy: [{name: h, path: common.yaml, data_hash: hocon_data}]\n", "a: 1", "", "a"},
		{"version: 4\n", "a: 1\n", "", "a"},
		{"version: 5\nhierarchy: [{name: u, uri: 'http://x', lookup_key: custom}]\n", "", "", "a"},
		{"", "a: \"%{scope('role')} %{literal('%')}{x} %{facts.os.family}\"\n", "", "'a'"},
	} {
		f.Add(seed[0], seed[1], seed[2], seed[3], false)
	}
	f.Add("", "a: {b: 1}\n", "a: {c: 2}\n", "a", true)
	f.Fuzz(func(t *testing.T, configuration, data, module, key string, deep bool) {
		standard := configuration == ""
		if standard {
			configuration = defaultConfiguration
		}
		files := memoryFiles{
			"/env/hiera.yaml": configuration, "/env/data/common.yaml": data,
			"/env/modules/m/hiera.yaml": defaultConfiguration, "/env/modules/m/data/common.yaml": module,
		}
		v, err := fuzzLookup(t, files, key, deep, nil)
		if (v == nil) == (err == nil) {
			t.Fatalf("value %v and error %v", v, err)
		}
		e := &hiera.Explanation{}
		explained, explainedErr := fuzzLookup(t, files, key, deep, e)
		limit := limited(err) || limited(explainedErr)
		if !limit && (err == nil) != (explainedErr == nil) || err == nil && explainedErr == nil && v.String() != explained.String() {
			t.Errorf("%v, %v; explained %v, %v", v, err, explained, explainedErr)
		}
		if strings.Contains(configuration+data+module+key, decrypted[:4]) {
			return
		}
		texts := []string{e.Text(), e.Value().String()}
		if err != nil {
			texts = append(texts, err.Error())
		} else {
			texts = append(texts, v.String())
		}
		for _, text := range texts {
			if strings.Contains(strings.ToLower(text), strings.ToLower(decrypted)) {
				t.Errorf("the decrypted value is in %s", text)
			}
		}
		if limit || !regexp.MustCompile(`^[a-z]+$`).MatchString(key) { // other keys can be wrong themselves
			return
		}
		if _, _, fault := psych.Load(configuration); fault != nil {
			named(t, err, "/env/hiera.yaml")
		} else if _, _, fault := psych.Load(data); fault != nil && standard {
			named(t, err, "/env/data/common.yaml")
		}
	})
}

// fuzzLookup looks up a key in files, with a hierarchy of its own.
func fuzzLookup(t *testing.T, files memoryFiles, key string, deep bool, e *hiera.Explanation) (pcore.Value, error) {
	t.Helper()
	h, err := hiera.New(hiera.Options{
		Environment: "/env", Files: files,
		Decrypt: func(string, string) (string, error) { return decrypted, nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	env := &function.Env{
		Variables: variables{"role": pcore.String("web"), "list": pcore.NewArray(pcore.String("common"), pcore.String("other"))},
		Budget:    function.NewBudget(2_000_000),
		Memory:    function.NewMemory(64 << 20),
	}
	q := hiera.Query{Keys: []string{key}, Explanation: e}
	if deep {
		q.Merge = pcore.String("deep")
	}
	return h.Lookup(t.Context(), env, q)
}

// limited reports whether an error is that of a limit.
func limited(err error) bool {
	return errors.Is(err, function.ErrBudget) || errors.Is(err, function.ErrMemory)
}

// named checks that an error names a file.
func named(t *testing.T, err error, file string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("%s is not valid, and the error is %v", file, err)
	}
}
