package compile_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/cmd/pcat/internal/remote/compile"
)

// mixed are the files of a control repository whose nodes use files in all ways.
func mixed() map[string]string {
	files := map[string]string{
		"environment.conf": "modulepath = site:modules:$basemodulepath\n",
		"hiera.yaml": `version: 5
defaults: {datadir: data, data_hash: yaml_data}
hierarchy:
  - {name: node, path: "nodes/%{trusted.certname}.yaml"}
  - {name: role, path: "roles/%{facts.role}.yaml"}
  - {name: more, glob: "more/%{facts.role}/*.yaml"}
  - {name: own, data_hash: profile::backend, path: own.txt}
  - {name: common, path: common.yaml}
`,
		"data/common.yaml":            "profile::motd: hello\nlookup_options:\n  profile::list: {merge: unique}\n",
		"data/roles/web.yaml":         "profile::list: [a]\n",
		"data/more/db/one.yaml":       "profile::list: [c]\n",
		"data/own.txt":                "profile::own=1\n",
		"manifests/site.pp":           "node default { include \"role::${facts['role']}\" }\n",
		"manifests/more.pp":           "$top = 'x'\n",
		"site/role/manifests/web.pp":  "class role::web {\n  include profile\n  include profile::web\n}\n",
		"site/role/manifests/db.pp":   "class role::db {\n  include profile\n  include profile::db\n}\n",
		"site/role/manifests/file.pp": "class role::file {\n  include other\n}\n",
		"site/profile/manifests/init.pp": `class profile(String $motd = 'none', Array $list = [], String $own = '0', Profile::Mode $mode = '0644') {
  file { '/etc/motd': content => "${motd} ${list} ${own}\n", mode => $mode }
  file { '/etc/up': content => profile::up('x') }
}
`,
		"site/profile/manifests/web.pp": `class profile::web {
  file { '/a': content => template('profile/a.erb') }
  file { '/b': content => epp('profile/b.epp') }
  file { '/c': content => file('profile/none.txt', 'profile/c.txt') }
  file { '/d': source => 'puppet:///modules/profile/d.txt' }
  if find_file('profile/extra.txt') { notify { 'extra': } }
  thing { 'one': colour => 'red' }
}
`,
		"site/profile/manifests/db.pp": `class profile::db {
  file { '/a': content => binary_file('profile/c.txt') }
  file { '/e': source => 'puppet:///modules/profile/dir', recurse => true }
  notify { profile::names(): }
  notify { profile::helped(): }
  profile::item { 'one': }
}
`,
		"site/profile/manifests/item.pp":                      "define profile::item() {\n  notify { \"item ${title} ${old_hi('x')}\": }\n}\n",
		"site/profile/templates/a.erb":                        "<%= @facts['role'] %>",
		"site/profile/templates/b.epp":                        "b <%= 1 + 1 %>",
		"site/profile/files/c.txt":                            "c\n",
		"site/profile/files/d.txt":                            "d\n",
		"site/profile/files/dir/one.txt":                      "one\n",
		"site/profile/types/mode.pp":                          "type Profile::Mode = Pattern[/0/]\n",
		"site/profile/functions/up.pp":                        "function profile::up(String $x) >> String { \"up ${x}\" }\n",
		"site/profile/functions/backend.pp":                   "function profile::backend(Hash $options, $context) {\n  Hash(split(file($options['path']), \"\\n\").map |$line| { split($line, '=') })\n}\n",
		"site/profile/lib/puppet/functions/profile/names.rb":  "Puppet::Functions.create_function(:'profile::names') do\n  def names; Dir.children(File.expand_path('../../../../files', __dir__)).sort.join(' '); end\nend\n",
		"site/profile/lib/puppet/functions/profile/helped.rb": "require_relative '../../../profile_helper'\nPuppet::Functions.create_function(:'profile::helped') do\n  def helped; ProfileHelper.text; end\nend\n",
		"site/profile/lib/profile_helper.rb":                  "module ProfileHelper\n  def self.text; 'helper ' + File.read(File.expand_path('../files/c.txt', __dir__)); end\nend\n",
		"site/profile/lib/puppet/parser/functions/old_hi.rb":  "module Puppet::Parser::Functions\n  newfunction(:old_hi, type: :rvalue) { |args| \"hi #{args[0]}\" }\nend\n",
		"site/profile/lib/puppet/type/thing.rb":               "Puppet::Type.newtype(:thing) do\n  newparam(:name, namevar: true)\n  newparam(:colour)\nend\n",
		"modules/other/manifests/init.pp":                     "class other(Integer $port = 1) {\n  notify { \"port ${port}\": }\n}\n",
		"modules/other/hiera.yaml":                            "version: 5\nhierarchy: [{name: d, path: d.yaml, datadir: data, data_hash: yaml_data}]\n",
		"modules/other/data/d.yaml":                           "other::port: 2\n",
		"modules/other/metadata.json":                         `{"name":"x-other","version":"1.0.0","author":"x","summary":"x","license":"x","source":"x","dependencies":[]}`,
		"modules/unused/manifests/init.pp":                    "class unused {}\n",
		"modules/unused/templates/x.epp":                      "x",
		"README.md":                                           "hello\n",
	}
	for _, node := range []string{"web01", "web02", "db01", "file01"} {
		files["facts/"+node+".json"] = `{"role":"` + strings.TrimRight(node, "012") + `"}`
	}
	return files
}

// looked are files that do not exist, and that compilations look for, or not.
func looked() map[string]string {
	return map[string]string{
		"data/nodes/web01.yaml":                             "profile::motd: other\n",
		"data/roles/db.yaml":                                "profile::motd: other\n",
		"data/roles/none.yaml":                              "profile::motd: other\n",
		"data/more/web/x.yaml":                              "profile::motd: other\n",
		"data/more/db/two.yaml":                             "profile::motd: other\n",
		"site/profile/files/none.txt":                       "none\n",
		"site/profile/files/extra.txt":                      "extra\n",
		"site/profile/files/dir/two.txt":                    "two\n",
		"site/profile/lib/puppet/functions/profile/up.rb":   "Puppet::Functions.create_function(:'profile::up') do\n  def up(x); 'ruby'; end\nend\n",
		"site/role/lib/puppet/type/thing.rb":                "Puppet::Type.newtype(:thing) do\n  newparam(:name, namevar: true)\nend\n",
		"site/role/lib/puppet/parser/functions/old_hi.rb":   "module Puppet::Parser::Functions\n  newfunction(:old_hi, type: :rvalue) { |args| 'other' }\nend\n",
		"site/role/lib/puppet/parser/functions/template.rb": "module Puppet::Parser::Functions\n  newfunction(:template, type: :rvalue) { |args| 'other' }\nend\n",
		"site/role/lib/puppet/type/file.rb":                 "Puppet::Type.newtype(:file) do\n  newparam(:path, namevar: true)\nend\n",
		"site/other/manifests/init.pp":                      "class other {}\n",
		"modules/role/manifests/web.pp":                     "class role::web {}\n",
		"manifests/aaa.pp":                                  "notify { 'aaa': }\n",
		"functions/up.pp":                                   "function environment::up() { 1 }\n",
		"types/mode.pp":                                     "type Mode = String\n",
		"lib/puppet/functions/environment/x.rb":             "x",
		"modules/unused/data/common.yaml":                   "x: 1\n",
		"modules/third/metadata.json":                       "{}",
		"docs/new.md":                                       "x\n",
		"site/profile/manifests/none.pp":                    "class profile::none {}\n",
		"modules/other/lib/puppet/functions/template.rb":    "Puppet::Functions.create_function(:template) do\n  def template(x); 'other'; end\nend\n",
		"modules/other/lib/puppet/provider/file/posix.rb":   "raise 'no'\n",
		"modules/other/lib/puppet/datatypes/mode.rb":        "raise 'no'\n",
		"modules/other/functions/init.pp":                   "function other() { 1 }\n",
		".resource_types/thing.pp":                          "raise",
		"site/profile/types/init_typeset.pp":                "type Profile = TypeSet[{pcore_version => '1.0.0', version => '1.0.0', types => {Mode => Integer}}]\n",
	}
}

// edit makes a random change of the files, and describes it.
func edit(t *testing.T, r *rand.Rand, dir string) string {
	t.Helper()
	files, more := slices.Sorted(maps.Keys(mixed())), looked()
	files = slices.DeleteFunc(files, func(name string) bool { return strings.HasPrefix(name, "facts/") })
	name := files[r.IntN(len(files))]
	path := filepath.Join(dir, name)
	text := mixed()[name]
	switch r.IntN(6) {
	case 0, 1:
		name = slices.Sorted(maps.Keys(more))[r.IntN(len(more))]
		write(t, filepath.Join(dir, name), more[name])
		return "add " + name
	case 2:
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		return "remove " + name
	case 3:
		write(t, path, text+"# comment\n")
		return "append to " + name
	case 4:
		to := files[r.IntN(len(files))] + "2"
		if err := os.Rename(path, filepath.Join(dir, to)); err != nil {
			t.Fatal(err)
		}
		return "rename " + name + " to " + to
	default:
		at := r.IntN(len(text))
		write(t, path, text[:at]+string("abz09 "[r.IntN(6)])+text[at+1:])
		return "change byte " + strconv.Itoa(at) + " of " + name
	}
}

// A node that no reason is found for has an equal catalog, or fails with the same message, whatever
// changes: the number of wrong answers is 0. PCAT_EDITS sets the number of changes.
func TestAffects(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles many catalogs")
	}
	t.Parallel()
	dir := emptyRepository(t)
	for name, text := range mixed() {
		write(t, filepath.Join(dir, name), text)
	}
	commit(t, dir)
	nodes := []string{"db01", "file01", "web01", "web02"}
	edits := 3
	if n, err := strconv.Atoi(os.Getenv("PCAT_EDITS")); err == nil {
		edits = n
	}
	seed := uint64(1)
	if n, err := strconv.ParseUint(os.Getenv("PCAT_SEED"), 10, 64); err == nil {
		seed = n
	}
	r := rand.New(rand.NewPCG(seed, 41))
	before := outcomes(t, compiler(t, dir, "main", nil), nodes)
	named, differ := 0, 0
	for i := range edits {
		branch := fmt.Sprintf("edit%d", i)
		git(t, dir, "checkout", "-q", "-B", branch, "main")
		what := edit(t, r, dir)
		git(t, dir, "add", "-A")
		git(t, dir, "commit", "-qm", what)
		from, to := compiler(t, dir, "main", nil), compiler(t, dir, branch, nil)
		after := outcomes(t, compiler(t, dir, branch, nil), nodes)
		var line []string
		for _, node := range nodes {
			effect, err := from.Affects(t.Context(), node, to)
			if err != nil {
				t.Fatal(err)
			}
			reasons := effect.Reasons
			if before[node] != after[node] {
				differ++
				line = append(line, node+" differs")
			}
			if len(reasons) > 0 {
				named++
				line = append(line, node+fmt.Sprint(reasons))
			}
			if len(reasons) == 0 && before[node] != after[node] {
				t.Errorf("%s: %s has another catalog, but no reason\n%s\n%s", what, node, before[node], after[node])
			}
		}
		t.Logf("%s: %v", what, line)
		if err := errors.Join(from.Close(), to.Close()); err != nil {
			t.Fatal(err)
		}
		git(t, dir, "checkout", "-q", "main")
	}
	t.Logf("%d changes of %d nodes: %d named, %d with another catalog", edits, len(nodes), named, differ)
}

// outcomes returns the catalog or the failure of each node, without what always differs.
func outcomes(t *testing.T, c *compile.Compiler, nodes []string) map[string]string {
	t.Helper()
	all := make(map[string]string, len(nodes))
	for _, node := range nodes {
		got, err := c.Compile(t.Context(), node)
		failure, failed := errors.AsType[*compile.Failure](err)
		switch {
		case failed:
			all[node] = failure.Error()
		case err != nil:
			t.Fatal(err)
		default:
			all[node] = comparable(t, got.Catalog)
		}
	}
	return all
}

// Each use of a file is a reason, and so is a file that was looked for. Records of an
// earlier run are used, and contain no content.
func TestAffectsReasons(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles many catalogs")
	}
	t.Parallel()
	dir := emptyRepository(t)
	for name, text := range mixed() {
		write(t, filepath.Join(dir, name), text)
	}
	write(t, filepath.Join(dir, "data/common.yaml"), mixed()["data/common.yaml"]+"profile::motd: s3cr3t-Pa55\n")
	commit(t, dir)
	for _, tt := range []struct {
		file, text string
		want       map[string]string // by node
	}{
		{"site/profile/templates/a.erb", "x", map[string]string{"web01": "changed", "web02": "changed"}},
		{"site/profile/templates/b.epp", "x", map[string]string{"web01": "changed", "web02": "changed"}},
		{"site/profile/files/d.txt", "x", map[string]string{"web01": "changed", "web02": "changed"}},
		{"site/profile/lib/profile_helper.rb", "x", map[string]string{"db01": "changed"}},
		{"site/profile/functions/up.pp", "x", map[string]string{"db01": "changed", "web01": "changed", "web02": "changed"}},
		{"data/nodes/web01.yaml", "x: 1", map[string]string{"web01": "added"}},
		{"data/own.txt", "", map[string]string{"db01": "removed", "file01": "removed", "web01": "removed", "web02": "removed"}},
		{"modules/other/data/d.yaml", "x", map[string]string{"file01": "changed"}},
		{"modules/unused/manifests/init.pp", "x", map[string]string{}},
		{"README.md", "x", map[string]string{}},
	} {
		git(t, dir, "checkout", "-q", "-B", "edit", "main")
		if path := filepath.Join(dir, tt.file); tt.text != "" {
			write(t, path, tt.text)
		} else if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		commit(t, dir)
		from, to := compiler(t, dir, "main", nil), compiler(t, dir, "edit", nil)
		got := map[string]string{}
		for _, node := range []string{"db01", "file01", "web01", "web02"} {
			effect, err := from.Affects(t.Context(), node, to)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range effect.Reasons {
				if r.Path != tt.file {
					t.Errorf("%s: %s has the reason %+v", tt.file, node, r)
				}
				got[node] = string(r.Change)
			}
		}
		if !maps.Equal(got, tt.want) {
			t.Errorf("%s: got %v, want %v", tt.file, got, tt.want)
		}
	}
	records, err := filepath.Glob(filepath.Join(dir, ".git", "pcat", "records", "*.json"))
	if err != nil || len(records) != 4 {
		t.Fatalf("got records %q, %v", records, err)
	}
	for _, name := range records {
		data, err := os.ReadFile(name)
		if err != nil || !json.Valid(data) || strings.Contains(string(data), "s3cr3t") {
			t.Errorf("%s: error %v, or it has a content", name, err)
		}
	}
}

// Files behind symbolic links, and code that is required in vain, are used, too.
func TestAffectsBehindLinks(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles many catalogs")
	}
	t.Parallel()
	dir := emptyRepository(t)
	for name, text := range map[string]string{
		"environment.conf":                                "modulepath = modules\n",
		"manifests/site.pp":                               "node default { include app }\n",
		"facts/web01.json":                                `{"a":1}`,
		"vendor/app/manifests/init.pp":                    "class app {\n  file { '/conf': source => 'puppet:///modules/app/conf', recurse => true, links => follow }\n  notify { app::optional(): }\n}\n",
		"vendor/app/shared/one.conf":                      "one\n",
		"vendor/app/lib/puppet/functions/app/optional.rb": "begin\n  require_relative '../../../optional'\nrescue LoadError\n  nil\nend\nPuppet::Functions.create_function(:'app::optional') do\n  def optional; File.exist?('~nobody-at-all/x') || defined?(AppOptional) ? 'with' : 'without'; end\nend\n",
	} {
		write(t, filepath.Join(dir, name), text)
	}
	for link, target := range map[string]string{"modules": "vendor", "vendor/app/files/conf": "../shared"} {
		path := filepath.Join(dir, link)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, path); err != nil {
			t.Fatal(err)
		}
	}
	commit(t, dir)
	for name, want := range map[string]bool{
		"vendor/app/shared/one.conf": true, "vendor/app/shared/two.conf": true, "vendor/app/lib/optional.rb": true,
		"vendor/app/README.md": false,
	} {
		git(t, dir, "checkout", "-q", "-B", "edit", "main")
		write(t, filepath.Join(dir, name), "x = 1\n")
		commit(t, dir)
		effect, err := compiler(t, dir, "main", nil).Affects(t.Context(), "web01", compiler(t, dir, "edit", nil))
		if err != nil || effect.Failed || len(effect.Reasons) > 0 != want {
			t.Errorf("%s: got %+v, error %v", name, effect, err)
		}
	}
}
