package eval_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/eval"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/function/stdlib"
)

// modules are the modules of the catalogs compiled by real Puppet.
var modules = filepath.Join("..", "..", "testdata", "catalogs", "modules")

// loaderWorld is a loader and an evaluator that uses it.
type loaderWorld struct {
	*eval.Loader
	*eval.Evaluator
}

func newLoaderWorld(tb testing.TB, files function.Files) loaderWorld {
	tb.Helper()
	core, err := stdlib.New(pcore.OpenVox8)
	if err != nil {
		tb.Fatal(err)
	}
	l := eval.NewLoader(files, core, eval.Mode{})
	return loaderWorld{l, eval.New(function.Env{
		Functions: l,
		Files:     files,
		Allow:     func(*function.Function) error { return nil },
		Budget:    function.NewBudget(100_000),
	}, l, eval.Mode{})}
}

func (w loaderWorld) run(ctx context.Context, src string) (pcore.Value, error) {
	return w.Text(w.Scope(ctx), "", src)
}

// writeModules creates a module path with the given files.
func writeModules(t *testing.T, files map[string]string) function.Tree {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return function.Tree{ModulePath: []string{dir}}
}

func TestLoaderModules(t *testing.T) {
	w := newLoaderWorld(t, function.Tree{ModulePath: []string{modules}})
	for src, want := range map[string]string{
		"stack::conf_line('site', 'main')":                         "'site = main'",
		"stack::conf_line('debug', false)":                         "'debug = No'",
		"['a', 'b'].map |$x| { stack::conf_line($x, undef) }":      "['# a unset', '# b unset']",
		"Stack::Endpoint('web01').port":                            "80",
		"Stack::Endpoint('web01', 0x1bb, true) =~ Stack::Endpoint": "true",
		"{name => 'a', servers => ['b']} =~ Stack::Upstream":       "true",
		"{name => 'a', servers => []} =~ Stack::Upstream":          "false",
		"'mid' =~ Rich::Level":                                     "true",
		"Rich::Window < Rich::Period":                              "true",
		"function f(Rich::Level $l) { $l } f('low')":               "'low'",
	} {
		v, err := w.run(t.Context(), src)
		if err != nil || v.String() != want {
			t.Errorf("%s: got %v, %v, want %s", src, v, err, want)
		}
	}
}

func TestLoaderNested(t *testing.T) {
	w := newLoaderWorld(t, writeModules(t, map[string]string{
		"a/functions/deep/er.pp":     "function a::deep::er() { b::other(1) }",
		"b/functions/other.pp":       "# Adds one.\n#\n# Twice.\n# @param x a number\nfunction b::other(B::Num $x) >> Integer { $x + 1 }",
		"b/types/num.pp":             "type B::Num = Variant[A::Even, Integer[1, 9]]",
		"a/types/even.pp":            "type A::Even = Optional[Array[B::Num]]",
		"a/types/tree/leaf.pp":       "type A::Tree::Leaf = Enum[leaf]",
		"c/types/init_typeset.pp":    "type C = TypeSet[{pcore_version => '1.0.0', version => '1.0.0', types => {Car => Object[{attributes => {name => String}}], Cars => Array[Car]}}]",
		"d/functions/shadow.pp":      "function d::shadow() { upcase('x') }",
		"d/functions/init.pp":        "function d::init() { 'init' }",
		"d/files/f.txt":              "text",
		"d/templates/t.epp":          "<%- |$x| -%>\n<%= $x %> <%= d::shadow() %>",
		"unused/types/broken.pp":     "type Unused::Broken = ",
		"unused/functions/broken.pp": "function",
	}))
	for src, want := range map[string]string{
		"a::deep::er()":            "2",
		"[[1, [2]], 3] =~ A::Even": "true",
		"[[1, [0]], 3] =~ A::Even": "false",
		"'leaf' =~ A::Tree::Leaf":  "true",
		"C::Car('x').name":         "'x'",
		"[C::Car('x')] =~ C::Cars": "true",
		"C =~ TypeSet":             "true",
		"d::shadow()":              "'X'",
		"d::init()":                "'init'",
		"file('d/f.txt')":          "'text'",
		"epp('d/t.epp', {x => 1})": "'1 X'",
		"call('b::other', 1)":      "2",
		"type Own = B::Num function b::other($x) { 'own' } [b::other(5), 5 =~ Own]": "['own', true]",
	} {
		v, err := w.run(t.Context(), src)
		if err != nil || v.String() != want {
			t.Errorf("%s: got %v, %v, want %s", src, v, err, want)
		}
	}
	f, ok := w.Function("b::other")
	if !ok || f.Doc != "Adds one.\n\nTwice." || !strings.HasSuffix(filepath.ToSlash(f.Source), "b/functions/other.pp") {
		t.Errorf("b::other is %+v", f)
	}
}

func TestLoaderErrors(t *testing.T) {
	w := newLoaderWorld(t, writeModules(t, map[string]string{
		"m/functions/syntax.pp":       "function m::syntax() {\n  1 +\n}",
		"m/functions/name.pp":         "function m::other() { 1 }",
		"m/functions/more.pp":         "function m::more() { 1 }\nnotice('x')",
		"m/functions/empty.pp":        "# nothing",
		"m/functions/atype.pp":        "type M::Atype = Integer",
		"m/functions/fails.pp":        "function m::fails($x) {\n  $x + $y\n}",
		"m/functions/param.pp":        "function m::param(M::Nope $x) { $x }",
		"m/types/syntax.pp":           "type M::Syntax = Array[",
		"m/types/name.pp":             "\ntype M::Other = Integer",
		"m/types/wrong.pp":            "type M::Wrong = Integer['a']",
		"plain/types/init_typeset.pp": "type Plain = Integer",
	}))
	for _, tt := range []struct{ src, location, message string }{
		{"m::syntax()", "m/functions/syntax.pp:3:1", "Syntax error"},
		{"m::name()", "m/functions/name.pp:1:1", "must define what it is named for"},
		{"m::more()", "m/functions/more.pp:2:1", "must define what it is named for"},
		{"m::empty()", "m/functions/empty.pp:1:", "must define what it is named for"},
		{"m::atype()", "m/functions/atype.pp:1:6", "must define what it is named for"},
		{"m::fails(1)", "m/functions/fails.pp:2:8", "unknown variable: $y"},
		{"m::param(1)", "m/functions/param.pp:1:19", "unknown type"},
		{"m::nope()", "1:1", "Unknown function 'm::nope'"},
		{"nope::nope()", "1:1", "Unknown function 'nope::nope'"},
		{"1 =~ M::Syntax", "m/types/syntax.pp:1:", "Syntax error"},
		{"1 =~ M::Name", "m/types/name.pp:2:6", "must define what it is named for"},
		{"1 =~ M::Wrong", "m/types/wrong.pp:1:", "Integer"},
		{"1 =~ M::Nope", "1:6", "unknown type"},
		{"1 =~ Plain", "plain/types/init_typeset.pp:1:6", "must define what it is named for"},
	} {
		for range 2 { // the error repeats
			_, err := w.run(t.Context(), tt.src)
			if err == nil {
				t.Errorf("%s: no error", tt.src)
				break
			}
			text := filepath.ToSlash(err.Error())
			if !strings.Contains(text, tt.location) || !strings.Contains(text, tt.message) {
				t.Errorf("%s: %s: want %q at %s", tt.src, text, tt.message, tt.location)
			}
		}
	}
}

func TestLoaderDefinition(t *testing.T) {
	w := newLoaderWorld(t, function.Tree{ModulePath: []string{modules}})
	for _, tt := range []struct {
		name, kind string
		line       int
		parameters string
	}{
		{"Stack", "class", 2, "Struct[{Optional['site'] => String[1], Optional['users'] => Hash[String[1], Hash], Optional['log_days'] => Integer[0]}]"},
		{"::stack::vhost", "define", 1, "Struct[{'docroot' => String[1], Optional['port'] => Integer[1, 65535], Optional['aliases'] => Array[String], 'token' => Optional[Sensitive[String]]}]"},
		{"Profile::Nested", "define", 1, "Struct[{Optional['depth'] => Integer[0]}]"},
		{"profile::outer", "class", 1, "Struct"},
	} {
		d, found, err := w.Definition(tt.name)
		if err != nil || !found {
			t.Errorf("%s: %v, %v", tt.name, found, err)
			continue
		}
		if d.Kind != tt.kind || d.Line != tt.line || d.Parameters.String() != tt.parameters {
			t.Errorf("%s: %s at line %d, %s", tt.name, d.Kind, d.Line, d.Parameters)
		}
	}
	for _, name := range []string{"file", "stack::nope", "nope", "", "::", "../stack", "stack::..::..::x", "stack/../profile"} {
		if d, found, err := w.Definition(name); found || err != nil {
			t.Errorf("%q: %v, %v", name, d, err)
		}
	}
}

func TestLoaderDefinitionErrors(t *testing.T) {
	w := newLoaderWorld(t, writeModules(t, map[string]string{
		"m/manifests/type.pp":   "class m::type(\n  M::Nope $x,\n) { }",
		"m/manifests/call.pp":   "class m::call(Integer[max(1, 2)] $x) { }",
		"m/manifests/syntax.pp": "class m::syntax(Integer $x { }",
	}))
	for name, location := range map[string]string{
		"m::type": "m/manifests/type.pp:2:3", "m::call": "m/manifests/call.pp:1:23", "m::syntax": "m/manifests/syntax.pp:1:",
	} {
		_, found, err := w.Definition(name)
		if found || err == nil || !strings.Contains(filepath.ToSlash(err.Error()), location) {
			t.Errorf("%s: %v, %v: want it at %s", name, found, err, location)
		}
	}
}

// refusing rejects and counts all reads.
type refusing struct{ reads atomic.Int64 }

func (*refusing) Find(function.FileKind, string) (string, bool, error) { return "", false, nil }
func (*refusing) ModuleDir(m string) (string, bool, error)             { return "/modules/" + m, true, nil }
func (r *refusing) ReadFile(string, func(int) error) ([]byte, error) {
	r.reads.Add(1)
	return nil, fs.ErrPermission
}

func TestLoaderPolicy(t *testing.T) {
	w := newLoaderWorld(t, &refusing{})
	for _, src := range []string{"m::f()", "1 =~ M::T"} {
		if _, err := w.run(t.Context(), src); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("%s: %v", src, err)
		}
	}
	if _, _, err := w.Definition("m::c"); !errors.Is(err, fs.ErrPermission) {
		t.Error(err)
	}
}

// counting counts reads.
type counting struct {
	function.Tree
	reads atomic.Int64
}

func (c *counting) ReadFile(path string, allow func(int) error) ([]byte, error) {
	c.reads.Add(1)
	return c.Tree.ReadFile(path, allow)
}

// TestConcurrentUse checks that concurrent requests for the same definitions
// read each file once.
func TestLoaderConcurrentUse(t *testing.T) {
	files := &counting{Tree: function.Tree{ModulePath: []string{modules}}}
	w := newLoaderWorld(t, files)
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			e := eval.New(function.Env{Functions: w.Loader}, w.Loader, eval.Mode{})
			v, err := e.Text(e.Scope(t.Context()), "", "[stack::conf_line('a', 1), Rich::Window < Rich::Period]")
			if err != nil || v.String() != "['a = 1', true]" {
				t.Errorf("got %v, %v", v, err)
			}
			if _, found, err := w.Definition("stack"); !found || err != nil {
				t.Errorf("%v, %v", found, err)
			}
		})
	}
	all.Wait()
	if n := files.reads.Load(); n != 4 {
		t.Errorf("%d files were read, want 4", n)
	}
}

func TestLoaderSyntaxErrorsAreLists(t *testing.T) {
	w := newLoaderWorld(t, writeModules(t, map[string]string{"m/manifests/init.pp": "class m(]"}))
	_, _, err := w.Definition("m")
	if !errors.Is(err, eval.ErrSyntax) {
		t.Errorf("the error is %v", err)
	}
}
