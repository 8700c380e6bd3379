package compile_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pcatdev/pcat/cmd/pcat/internal/remote/compile"
)

// control are the files of a small control repository.
func control() map[string]string {
	return map[string]string{
		"environment.conf":  "modulepath = site:$basemodulepath\n",
		"hiera.yaml":        "version: 5\ndefaults: {datadir: data, data_hash: yaml_data}\nhierarchy: [{name: common, path: common.yaml}]\n",
		"data/common.yaml":  "profile::base::motd: hello\nprofile::base::password: 's3cr3t-Pa55'\nlookup_options:\n  profile::base::password: {convert_to: Sensitive}\n",
		"manifests/site.pp": "node 'web02' { include profile::broken }\nnode 'web03' { }\nnode default { include profile::base }\n",
		"site/profile/manifests/base.pp": `class profile::base(String $motd, Sensitive[String] $password) {
  file { '/etc/motd': content => "${motd} ${facts['os']['family']}\n" }
  file { '/etc/secret': content => $password }
  file { '/etc/epp': content => epp('profile/x.epp', {'a' => 1}) }
  file { '/etc/erb': content => template('profile/x.erb') }
  file { '/etc/later': content => Deferred('sprintf', ['%s', 'x']) }
  file { '/etc/where': content => "${settings::environmentpath}" }
  notify { 'n': message => profile::hi('x') }
  thing { 'one': colour => 'red' }
}
`,
		"site/profile/manifests/broken.pp":                "class profile::broken {\n  fail('on purpose')\n}\n",
		"site/profile/templates/x.epp":                    "v=<%= $a %>",
		"site/profile/templates/x.erb":                    `os=<%= @facts["os"]["family"] %>`,
		"site/profile/lib/puppet/functions/profile/hi.rb": "Puppet::Functions.create_function(:'profile::hi') do\n  def hi(x); STDOUT.puts 'noise'; \"hi #{x}\"; end\nend\n",
		"site/profile/lib/puppet/type/thing.rb":           "Puppet::Type.newtype(:thing) do\n  newparam(:name, namevar: true)\n  newparam(:colour)\nend\n",
		"facts/web01.json":                                `{"os":{"family":"Debian"}}`,
		"facts/web02.json":                                `{"name":"web02","values":{"os":{"family":"Debian"}}}`,
		"facts/web03.yaml":                                "--- !ruby/object:Puppet::Node::Facts\nname: web03\nvalues:\n  os: {family: Debian}\n",
	}
}

// emptyRepository returns a repository with the branch main. Tests without git or Puppet are skipped.
func emptyRepository(t *testing.T) string {
	t.Helper()
	for _, needed := range []string{"git", "puppet"} {
		if _, err := exec.LookPath(needed); err != nil {
			t.Skipf("needs %s: %v", needed, err)
		}
	}
	dir := t.TempDir()
	git(t, dir, "init", "-q", "-b", "main")
	return dir
}

// repository returns a repository with the files of control.
func repository(t *testing.T) string {
	t.Helper()
	dir := emptyRepository(t)
	for name, text := range control() {
		write(t, filepath.Join(dir, name), text)
	}
	commit(t, dir)
	hook := filepath.Join(dir, ".git", "hooks", "post-checkout")
	write(t, hook, "#!/bin/sh\ntouch "+filepath.Join(dir, "hook-ran")+"\n")
	if err := os.Chmod(hook, 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=n", "-c", "user.email=n@example.com"}, args...)...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

func commit(t *testing.T, dir string) {
	t.Helper()
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-qm", "change")
}

func compiler(t *testing.T, dir, ref string, change func(*compile.Options)) *compile.Compiler {
	t.Helper()
	o := compile.Options{Repo: dir, Ref: ref, Facts: compile.FilesFacts(filepath.Join(dir, "facts")), Cache: filepath.Join(dir, ".git", "pcat")}
	if change != nil {
		change(&o)
	}
	c, err := compile.New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// A catalog is the one that Puppet itself prints, a failure names the line, and the
// repository is untouched.
func TestCompile(t *testing.T) {
	t.Parallel()
	dir := repository(t)
	c := compiler(t, dir, "main", nil)
	got, err := c.Compile(t.Context(), "web01")
	if err != nil {
		t.Fatal(err)
	}
	if want, have := printed(t, dir), comparable(t, got.Catalog); want != have {
		t.Errorf("got\n%s\nwant\n%s", have, want)
	}
	_, err = c.Compile(t.Context(), "web02")
	failure, ok := errors.AsType[*compile.Failure](err)
	if !ok || failure.File != "site/profile/manifests/broken.pp" || failure.Line != 2 || !strings.HasSuffix(failure.Message, "on purpose") {
		t.Errorf("got failure %#v, error %v", failure, err)
	}
	if empty, err := c.Compile(t.Context(), "web03"); err != nil || !empty.Bare {
		t.Errorf("got %v, error %v for a node without resources", empty, err)
	}
	if _, err := c.Compile(t.Context(), "web04"); err == nil || !strings.Contains(err.Error(), "no facts of") {
		t.Errorf("got error %v for a node without facts", err)
	}
	if status := git(t, dir, "status", "--porcelain"); status != "" {
		t.Errorf("the working tree has changed:\n%s", status)
	}
	if _, err := os.Stat(filepath.Join(dir, ".git", "worktrees")); err == nil {
		t.Error("a worktree is registered")
	}
}

// printed returns the catalog of web01 as `puppet catalog compile` prints it.
func printed(t *testing.T, dir string) string {
	t.Helper()
	base := t.TempDir()
	production := filepath.Join(base, "code", "environments", "production")
	for name, text := range control() {
		write(t, filepath.Join(production, name), text)
	}
	write(t, filepath.Join(base, "var", "yaml", "facts", "web01.yaml"), "--- !ruby/object:Puppet::Node::Facts\nname: web01\nvalues:\n  os: {family: Debian}\n")
	cmd := exec.Command("puppet", "catalog", "compile", "web01", "--render-as", "rich_data_json", "--rich_data", "--facts_terminus", "yaml",
		"--confdir", filepath.Join(base, "conf"), "--vardir", filepath.Join(base, "var"), "--codedir", filepath.Join(base, "code"),
		"--environmentpath", filepath.Join(base, "code", "environments"), "--log_level", "err")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("puppet catalog compile: %v\n%s", err, out)
	}
	out = out[bytes.Index(out, []byte("{\"")):]
	return comparable(t, bytes.ReplaceAll(out, []byte(filepath.Join(base, "code")), []byte("/etc/puppetlabs/code")))
}

// comparable returns a catalog without the members that differ in each compilation.
func comparable(t *testing.T, data []byte) string {
	t.Helper()
	var c map[string]any
	if err := json.Unmarshal(data, &c); err != nil {
		t.Fatalf("%v: %s", err, data)
	}
	delete(c, "version")
	delete(c, "catalog_uuid")
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Equal trees have equal keys; the working tree has uncommitted changes; an unknown ref is
// an error that names it.
func TestRefs(t *testing.T) {
	t.Parallel()
	dir := repository(t)
	git(t, dir, "branch", "same")
	main, same := compiler(t, dir, "main", nil), compiler(t, dir, "same", nil)
	if main.Key() != same.Key() {
		t.Error("equal trees have different keys")
	}
	write(t, filepath.Join(dir, "manifests", "site.pp"), "notify { 'changed': }\n")
	working := compiler(t, dir, compile.WorkingTree, nil)
	if main.Key() == working.Key() {
		t.Error("the working tree has the key of the commit")
	}
	got, err := working.Compile(t.Context(), "web01")
	if err != nil || !bytes.Contains(got.Catalog, []byte(`"changed"`)) {
		t.Errorf("got error %v, or the change is missing", err)
	}
	_, err = compile.New(t.Context(), compile.Options{Repo: dir, Ref: "nope", Facts: compile.FilesFacts(dir), Cache: filepath.Join(dir, ".git", "pcat")})
	if err == nil || !strings.Contains(err.Error(), `"nope"`) {
		t.Errorf("got error %v for an unknown ref", err)
	}
}

// Modules are found in the named base module path, also without environment.conf, and the facts that an agent adds to those of Facter are there.
func TestAgent(t *testing.T) {
	t.Parallel()
	dir, base := repository(t), t.TempDir()
	write(t, filepath.Join(base, "shared", "manifests", "init.pp"), "class shared { notify { \"by ${facts['clientversion']} noop ${facts['clientnoop']} of ${facts['clientcert']}\": } }\n")
	write(t, filepath.Join(dir, "manifests", "site.pp"), "include shared\n")
	if err := os.Remove(filepath.Join(dir, "environment.conf")); err != nil {
		t.Fatal(err)
	}
	c := compiler(t, dir, compile.WorkingTree, func(o *compile.Options) { o.BaseModulePath = base })
	got, err := c.Compile(t.Context(), "web01")
	if err != nil {
		t.Fatal(err)
	}
	if want := "by " + got.Version + " noop false of web01"; !bytes.Contains(got.Catalog, []byte(want)) {
		t.Errorf("%q is missing in %s", want, got.Catalog)
	}
}

// The environment can be a directory of the repository: the nearest one with environment.conf.
func TestNearestDir(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles many catalogs")
	}
	t.Parallel()
	dir := repository(t)
	write(t, filepath.Join(dir, "puppet", "README"), "")
	for _, name := range []string{"environment.conf", "hiera.yaml", "data", "manifests", "site"} {
		git(t, dir, "mv", name, "puppet/")
	}
	commit(t, dir)
	var logged bytes.Buffer
	log := slog.New(slog.NewTextHandler(&logged, nil))
	for _, ref := range []string{"main", compile.WorkingTree} {
		c := compiler(t, dir, ref, func(o *compile.Options) { o.Repo, o.Log = filepath.Join(dir, "puppet", "site"), log })
		if c.Dir() != "puppet" {
			t.Errorf("got directory %q", c.Dir())
		}
		if got, err := c.Compile(t.Context(), "web01"); err != nil || got.Bare {
			t.Errorf("got error %v, or nothing", err)
		}
		_, err := c.Compile(t.Context(), "web02")
		failure, _ := errors.AsType[*compile.Failure](err)
		if failure == nil || failure.File != "puppet/site/profile/manifests/broken.pp" {
			t.Errorf("got error %v", err)
		}
	}
	if logged.Len() > 0 {
		t.Errorf("got messages: %s", &logged)
	}
	compiler(t, dir, "main", func(o *compile.Options) { o.Log = log })
	if !strings.Contains(logged.String(), "dir=puppet") {
		t.Errorf("got messages: %s", &logged)
	}
}

// A function that is stubbed need not exist, neither as a call nor as a backend of Hiera.
func TestStubs(t *testing.T) {
	t.Parallel()
	dir := repository(t)
	write(t, filepath.Join(dir, "hiera.yaml"), "version: 5\nhierarchy: [{name: vault, lookup_key: vaulted}, {name: all, data_hash: stored}]\n")
	write(t, filepath.Join(dir, "manifests", "site.pp"), "notify { \"${lookup('a')} ${lookup('b')} ${lookup('c', default_value => 'C')} ${network('x')}\": }\n")
	c := compiler(t, dir, compile.WorkingTree, func(o *compile.Options) {
		o.Stubs = map[string]string{"vaulted": `{"a":"A"}`, "stored": `{"a":"no","b":"B"}`, "network": `"N"`}
	})
	got, err := c.Compile(t.Context(), "web01")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(got.Catalog, []byte(`"A B C N"`)) {
		t.Errorf("got %s", got.Catalog)
	}
}

// Bytes that are not UTF-8 cannot be in a catalog: the failure names the resource.
func TestBinaryContent(t *testing.T) {
	t.Parallel()
	dir := repository(t)
	write(t, filepath.Join(dir, "site", "profile", "files", "latin"), "caf\xe9\n")
	write(t, filepath.Join(dir, "manifests", "site.pp"), "notify { 'a': }\nfile { '/etc/latin':\n  content => file('profile/latin'),\n}\n")
	_, err := compiler(t, dir, compile.WorkingTree, nil).Compile(t.Context(), "web01")
	failure, ok := errors.AsType[*compile.Failure](err)
	if !ok || failure.File != "manifests/site.pp" || failure.Line != 2 || !strings.Contains(failure.Message, "File[/etc/latin]: content is not UTF-8") {
		t.Errorf("got failure %#v, error %v", failure, err)
	}
}

// A Puppet that cannot start is an error, not a wait.
func TestBadSetting(t *testing.T) {
	t.Parallel()
	dir := repository(t)
	c := compiler(t, dir, "main", func(o *compile.Options) { o.Settings = map[string]string{"no_such_setting": "x"} })
	if _, err := c.Compile(t.Context(), "web01"); err == nil || !strings.Contains(err.Error(), "cannot start Puppet") {
		t.Errorf("got error %v", err)
	}
}

// In forked workers, and in a process a node, catalogs are the same.
func TestWorkers(t *testing.T) {
	t.Parallel()
	dir := repository(t)
	one := compiler(t, dir, "main", nil)
	want, err := one.Compile(t.Context(), "web01")
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*compile.Options){
		"forked":   func(o *compile.Options) { o.Workers = 2 },
		"isolated": func(o *compile.Options) { o.Isolate, o.Workers = true, 1 },
	} {
		t.Run(name, func(t *testing.T) {
			c := compiler(t, dir, "main", change)
			c.Expect(100)
			for _, node := range []string{"web03", "web01"} {
				got, err := c.Compile(t.Context(), node)
				if err != nil {
					t.Fatal(err)
				}
				if node == "web01" && comparable(t, got.Catalog) != comparable(t, want.Catalog) {
					t.Error("the catalog differs")
				}
			}
			if _, err := c.Compile(t.Context(), "web02"); err == nil {
				t.Error("the failing node compiles")
			}
		})
	}
}

// The tree has the module path of the environment, and the path of the tree in catalogs.
func TestTree(t *testing.T) {
	t.Parallel()
	dir := repository(t)
	c := compiler(t, dir, "main", nil)
	if got := c.Tree(); got.Dir != "" {
		t.Errorf("got %v before a compilation", got)
	}
	if _, err := c.Compile(t.Context(), "web03"); err != nil {
		t.Fatal(err)
	}
	got := c.Tree()
	if got.Server != "/etc/puppetlabs/code/environments/production" || len(got.ModulePath) == 0 || got.ModulePath[0] != filepath.Join(got.Dir, "site") {
		t.Errorf("got %v", got)
	}
	if _, err := os.Stat(filepath.Join(got.ModulePath[0], "profile", "manifests")); err != nil {
		t.Error(err)
	}
}

// The classes and the parameters of an ENC are in the catalog, and its environment is not. A node that it
// does not know is a failure.
func TestENC(t *testing.T) {
	t.Parallel()
	dir := repository(t)
	script := filepath.Join(dir, "enc.sh")
	write(t, script, "#!/bin/sh\n[ \"$1\" = web03 ] || exit 1\nprintf 'environment: other\\nclasses: {profile::given: {}}\\nparameters: {colour: red}\\n'\n")
	if err := os.Chmod(script, 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "site", "profile", "manifests", "given.pp"), "class profile::given { notify { \"given ${colour}\": } }\n")
	commit(t, dir)
	c := compiler(t, dir, "main", func(o *compile.Options) { o.ENC = script })
	got, err := c.Compile(t.Context(), "web03")
	if err != nil || !bytes.Contains(got.Catalog, []byte(`"given red"`)) || !bytes.Contains(got.Catalog, []byte(`"environment":"production"`)) {
		t.Errorf("got error %v, or the class or the environment is missing", err)
	}
	_, err = c.Compile(t.Context(), "web01")
	if _, failed := errors.AsType[*compile.Failure](err); !failed {
		t.Errorf("got error %v for a node that the ENC does not know", err)
	}
}

// A node that takes too long, or too much memory, fails. Others compile.
func TestLimits(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles many catalogs")
	}
	t.Parallel()
	dir := repository(t)
	function := func(name, code string) {
		write(t, filepath.Join(dir, "site", "profile", "lib", "puppet", "functions", "profile", name+".rb"),
			"Puppet::Functions.create_function(:'profile::"+name+"') do\n  def "+name+"; "+code+"; end\nend\n")
	}
	function("wait", "loop { sleep 1 }")
	function("fill", "a = []; loop { a << 'x' * 100_000_000 }")
	write(t, filepath.Join(dir, "manifests", "site.pp"), "node 'web01' { profile::wait() }\nnode 'web02' { profile::fill() }\nnode default { notify { 'x': } }\n")
	commit(t, dir)
	c := compiler(t, dir, "main", func(o *compile.Options) { o.Timeout, o.Memory = 20*time.Second, 1<<30 })
	for node, want := range map[string]string{"web01": "not done after 20s", "web02": "memory"} {
		_, err := c.Compile(t.Context(), node)
		if failure, failed := errors.AsType[*compile.Failure](err); !failed || !strings.Contains(failure.Message, want) {
			t.Errorf("%s: got error %v, want a failure with %q", node, err, want)
		}
	}
	if _, err := c.Compile(t.Context(), "web03"); err != nil {
		t.Error(err)
	}
}

// The environment can be below the root of the repository, and use modules beside the folder of the
// environments. Messages have the path in the repository, and catalogs that of a server.
func TestDir(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles many catalogs")
	}
	t.Parallel()
	dir := emptyRepository(t)
	for name, text := range map[string]string{
		"environments/test/manifests/site.pp":                "node web02 { fail('no') }\nnode default { include shared }\n",
		"environments/test/environment.conf":                 "modulepath = site:$basemodulepath:../../more\n",
		"environments/test/site/profile/manifests/broken.pp": "class profile::broken { fail('on purpose') }\n",
		"environments/other/manifests/site.pp":               "fail('another one')\n",
		"modules/shared/manifests/init.pp":                   "class shared { notify { \"${module_name} ${settings::environmentpath}\": }\n  include more\n}\n",
		"more/more/manifests/init.pp":                        "class more { if $facts['fail'] { fail('more') } }\n",
		"README.md":                                          "x",
		"facts/web01.json":                                   `{"a":1}`,
		"facts/web02.json":                                   `{"a":1}`,
		"facts/web03.json":                                   `{"fail":true}`,
	} {
		write(t, filepath.Join(dir, name), text)
	}
	commit(t, dir)
	in := func(o *compile.Options) {
		o.Dir, o.Environment = "environments/test", "test"
	}
	c := compiler(t, dir, "main", in)
	got, err := c.Compile(t.Context(), "web01")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"shared /etc/puppetlabs/code/environments"`, `"/etc/puppetlabs/code/modules/shared/manifests/init.pp"`, `"environment":"test"`} {
		if !bytes.Contains(got.Catalog, []byte(want)) {
			t.Errorf("%s is missing in %s", want, got.Catalog)
		}
	}
	for node, want := range map[string]string{"web02": "environments/test/manifests/site.pp", "web03": "more/more/manifests/init.pp"} {
		_, err = c.Compile(t.Context(), node)
		if failure, failed := errors.AsType[*compile.Failure](err); !failed || failure.File != want {
			t.Errorf("%s: got error %v, want one in %s", node, err, want)
		}
	}
	write(t, filepath.Join(dir, "modules/shared/manifests/init.pp"), "class shared {}\n")
	commit(t, dir)
	effect, err := c.Affects(t.Context(), "web01", compiler(t, dir, "main", in))
	if want := []compile.Reason{{Path: "modules/shared/manifests/init.pp", Change: compile.Changed}}; err != nil || !slices.Equal(effect.Reasons, want) {
		t.Errorf("got %+v, error %v", effect, err)
	}
	if _, err := compile.New(t.Context(), compile.Options{Repo: dir, Ref: "main", Dir: "none", Facts: compile.FilesFacts(dir), Cache: filepath.Join(dir, ".git", "pcat")}); err == nil || !strings.Contains(err.Error(), `dir "none"`) {
		t.Errorf("got error %v for a directory that does not exist", err)
	}
}
