package external

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// requirePuppet skips the test if Ruby cannot load Puppet.
func requirePuppet(t *testing.T) {
	t.Helper()
	if err := exec.Command("ruby", "-rpuppet", "-e", "").Run(); err != nil {
		t.Skip("Puppet is not installed for Ruby; apt-get install puppet-agent, or run .ci/run")
	}
}

// define writes a Ruby function into a module.
func define(t *testing.T, modules, name, body string) {
	t.Helper()
	path := filepath.Join(modules, strings.Split(name, "::")[0], "lib/puppet/functions", strings.ReplaceAll(name, "::", "/")+".rb")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("Puppet::Functions.create_function(:'"+name+"') do\n"+body+"\nend\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}

// define3x writes a function of the 3.x API into a module.
func define3x(t *testing.T, modules, module, name, body string) {
	t.Helper()
	path := filepath.Join(modules, module, "lib/puppet/parser/functions", name+".rb")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	text := "Puppet::Parser::Functions.newfunction(:" + name + ", type: :rvalue) do |args|\n" + body + "\nend\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func ruby(t *testing.T, o RubyOptions) *Ruby {
	t.Helper()
	o.Codec = rich{}
	r, err := NewRuby(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

func TestRuby(t *testing.T) {
	requirePuppet(t)
	modules := t.TempDir()
	define(t, modules, "my::echo", "def echo(*args)\n args\nend")
	define(t, modules, "my::deep::kind", "def kind(x)\n x.class.name\nend")
	define(t, modules, "my::typed", "dispatch :typed do\n param 'String[1]', :a\n optional_param 'Sensitive', :b\nend\ndef typed(a, b = nil)\n Puppet::Pops::Types::PSensitiveType::Sensitive.new(a + b.unwrap)\nend")
	define(t, modules, "my::fact", "def fact\n closure_scope['facts']['os']['family']\nend")
	define(t, modules, "my::prints", "def prints\n puts 'noise'\n $stdout.flush\n system('cat; echo more')\n 'quiet'\nend")
	define(t, modules, "my::fails", "def fails(x)\n raise Puppet::Error, \"no such thing:\\n#{x}\"\nend")
	define(t, modules, "my::secret", "def secret(x)\n raise Puppet::Error, \"refused #{x.unwrap}\"\nend")
	define(t, modules, "my::nan", "def nan\n Float::NAN\nend")
	define(t, modules, "my::loads", "def loads\n require 'my_library'\n MyLibrary::ANSWER\nend")
	define(t, modules, "my::calls", "def calls\n call_function('my::echo', 'x')\nend")
	define(t, modules, "my::bytes", "def bytes(x)\n x.encoding.name\nend")
	define(t, modules, "my::token", "def token\n ENV.fetch('TOKEN')\nend")
	define(t, modules, "other", "def other\n 'without a module in its name'\nend")
	define3x(t, modules, "my", "old", "args")
	define3x(t, modules, "my", "old_fact", "[lookupvar('facts')['os']['family'], function_old([1])]")
	define3x(t, modules, "my", "old_secret", "raise Puppet::ParseError, \"refused #{args[0].unwrap}\"")
	define3x(t, modules, "other", "other", "'hidden by the modern API'")
	template := filepath.Join(modules, "my/templates/a.erb")
	if err := os.MkdirAll(filepath.Dir(template), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(template, []byte("<%= @facts['os']['family'] %>!"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(modules, "my/lib/my_library.rb"), []byte("module MyLibrary; ANSWER = 42; end"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := ruby(t, RubyOptions{
		ModulePath:  []string{modules},
		Environment: environment(t, "TOKEN=t0ken"),
		Facts: pcore.NewHash(pcore.Entry{Key: pcore.String("os"), Value: pcore.NewHash(
			pcore.Entry{Key: pcore.String("family"), Value: pcore.String("Debian")})}),
	})
	for _, tt := range []struct {
		name string
		args []pcore.Value
		want string
	}{
		{"my::echo", []pcore.Value{pcore.String("ä\n"), pcore.Integer(1), pcore.Undef{}, pcore.Default{}}, `["ä\n",1,null,{"__ptype":"Default"}]`},
		{"my::deep::kind", []pcore.Value{pcore.NewHash()}, `"Hash"`},
		{"my::typed", []pcore.Value{pcore.String("a"), sensitiveText("b")}, `{"__ptype":"Sensitive","__pvalue":"ab"}`},
		{"my::typed", []pcore.Value{pcore.Integer(1)}, `my::typed(): 'my::typed' parameter 'a' expects a String value, got Integer`},
		{"my::fact", nil, `"Debian"`},
		{"my::prints", nil, `"quiet"`},
		{"my::fails", []pcore.Value{pcore.String("x")}, `my::fails(): no such thing: x`},
		{"my::secret", []pcore.Value{sensitiveText(canary)}, `my::secret(): refused [redacted]`},
		{"my::nan", nil, `my::nan(): the result cannot be written as JSON`},
		{"my::loads", nil, `42`},
		{"my::calls", nil, `["x"]`},
		{"my::bytes", []pcore.Value{pcore.String("\xff")}, `"ASCII-8BIT"`},
		{"my::token", nil, `"t0ken"`},
		{"other", nil, `"without a module in its name"`},
		{"old", []pcore.Value{pcore.String("a"), pcore.Undef{}}, `["a",""]`},
		{"old_fact", nil, `["Debian",[1]]`},
		{"old_secret", []pcore.Value{sensitiveText(canary)}, `old_secret(): refused [redacted]`},
		{"inline_template", []pcore.Value{pcore.String("<%= @facts['os']['family'].upcase %>")}, `"DEBIAN"`},
		{"template", []pcore.Value{pcore.String("my/a.erb")}, `"Debian!"`},
		{"generate", []pcore.Value{pcore.String("/bin/echo"), pcore.String("a b")}, `"a b\n"`},
		{"my::old", nil, `Unknown function 'my::old'`},
		{"my::unknown", nil, `Unknown function 'my::unknown'`},
		{"nobody::echo", nil, `Unknown function 'nobody::echo'`},
	} {
		v, err := call(t.Context(), r, tt.name, tt.args...)
		got := encoded(t, v)
		if err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%s%v gives\n%s, want\n%s", tt.name, tt.args, got, tt.want)
		}
	}
}

// TestRubyNeedsFacts calls functions that read unknown facts, including a
// function that rescues the error.
func TestRubyNeedsFacts(t *testing.T) {
	requirePuppet(t)
	modules := t.TempDir()
	define(t, modules, "my::fact", "def fact\n closure_scope['facts']['os']\nend")
	define(t, modules, "my::lookup", "def lookup\n closure_scope.lookupvar('::facts')\nend")
	define(t, modules, "my::getvar", "def getvar\n call_function('getvar', 'facts.os', 'x')\nend")
	define(t, modules, "my::hides", "def hides\n closure_scope['facts'] rescue 'x'\nend")
	define(t, modules, "my::other", "def other\n closure_scope['trusted'].inspect\nend")
	define(t, modules, "my::none", "def none\n 'x'\nend")
	without := ruby(t, RubyOptions{ModulePath: []string{modules}})
	given := ruby(t, RubyOptions{ModulePath: []string{modules}, Facts: pcore.NewHash()})
	for _, tt := range []struct {
		name, given string
		needs       bool
	}{
		{"my::fact", `null`, true},
		{"my::lookup", `{}`, true},
		{"my::getvar", `"x"`, true},
		{"my::hides", `{}`, true},
		{"my::other", `"nil"`, false},
		{"my::none", `"x"`, false},
	} {
		v, err := call(t.Context(), without, tt.name)
		if errors.Is(err, function.ErrNeedsFacts) != tt.needs || (err == nil) == tt.needs {
			t.Errorf("%s without facts gives %v, %v", tt.name, v, err)
		}
		if tt.needs && err != nil && err.Error() != tt.name+"(): needs facts" {
			t.Errorf("%s without facts: %v", tt.name, err)
		}
		if v, err = call(t.Context(), given, tt.name); err != nil || encoded(t, v) != tt.given {
			t.Errorf("%s with facts gives %v, %v, want %s", tt.name, v, err, tt.given)
		}
	}
}

// TestLifeOfRuby checks that the first call starts the process, later calls use
// it, and Close ends it. A process that died is replaced.
func TestLifeOfRuby(t *testing.T) {
	requirePuppet(t)
	modules := t.TempDir()
	define(t, modules, "my::pid", "def pid\n Process.pid\nend")
	define(t, modules, "my::dies", "def dies(x)\n $stderr.puts \"last words of #{x.unwrap}\"\n Process.kill(:KILL, Process.pid)\n sleep\nend")
	define(t, modules, "my::exits", "def exits\n exit 3\nend")
	define(t, modules, "my::hangs", "def hangs(file)\n File.write(file, spawn('sleep 600').to_s + \"\\n\")\n sleep\nend")
	r := ruby(t, RubyOptions{ModulePath: []string{modules}})
	if r.process != nil {
		t.Error("a process is started before any call")
	}
	pid := func() string {
		t.Helper()
		v, err := call(t.Context(), r, "my::pid")
		if err != nil {
			t.Fatal(err)
		}
		return v.String()
	}
	first := pid()
	var calls sync.WaitGroup
	for range 4 {
		calls.Go(func() {
			if v, err := call(t.Context(), r, "my::pid"); err != nil || v.String() != first {
				t.Errorf("%v, %v, want %s", v, err, first)
			}
		})
	}
	calls.Wait()

	_, err := call(t.Context(), r, "my::dies", sensitiveText(canary))
	if err == nil || err.Error() != "my::dies(): the Ruby process ended: signal: killed: last words of [redacted]" {
		t.Errorf("it dies: %v", err)
	}
	second := pid()
	if second == first {
		t.Error("the process that died lives on")
	}
	if _, err := call(t.Context(), r, "my::exits"); err == nil || err.Error() != "my::exits(): the Ruby process ended: exit status 3" {
		t.Errorf("it exits: %v", err)
	}

	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("nobody waits")
	file := filepath.Join(t.TempDir(), "child")
	var child string
	go func() {
		defer cancel(gone)
		for ; child == ""; time.Sleep(time.Millisecond) {
			if text, err := os.ReadFile(file); err == nil && strings.HasSuffix(string(text), "\n") {
				child = strings.TrimSpace(string(text))
			}
		}
	}()
	if _, err := call(ctx, r, "my::hangs", pcore.String(file)); !errors.Is(err, gone) {
		t.Fatalf("it hangs: %v", err)
	}
	awaitEnd(t, child)
	third := pid()
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if alive(third) {
		t.Error("the process lives on after Close")
	}
	if pid() == third {
		t.Error("the process that was closed lives on")
	}
}

func TestNoRuby(t *testing.T) {
	modules := t.TempDir()
	define(t, modules, "my::pid", "def pid\n 1\nend")
	r := ruby(t, RubyOptions{ModulePath: []string{modules}, Command: filepath.Join(modules, "ruby")})
	if _, err := call(t.Context(), r, "my::pid"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("there is no such Ruby: %v", err)
	}
	other := filepath.Join(modules, "other")
	install(t, modules, "other", `read world; echo '{"error":"cannot load such file -- puppet"}'; cat`)
	r = ruby(t, RubyOptions{ModulePath: []string{modules}, Command: other})
	const want = "my::pid(): Ruby cannot load Puppet: cannot load such file -- puppet"
	for range 2 {
		if _, err := call(t.Context(), r, "my::pid"); err == nil || err.Error() != want {
			t.Errorf("there is no Puppet: %v", err)
		}
	}
	install(t, modules, "other", `read world; echo nonsense; cat`)
	if _, err := call(t.Context(), r, "my::pid"); err == nil || r.process != nil {
		t.Errorf("an answer that is none: %v", err)
	}
	if _, err := NewRuby(RubyOptions{ModulePath: []string{other}}); err == nil {
		t.Error("a file is taken for a module path")
	}
}
