package content_test

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/pcatdev/pcat/cmd/pcat/internal/remote/content"
	"github.com/pcatdev/pcat/internal/puppet"
)

// The results are those of Puppet 7.23, which applied such resources.
func TestCopiedFiles(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	for _, name := range []string{
		"site/app/files/a.txt", "site/app/files/a%20b", "site/app/files/c d", "site/app/files/dir/x", "site/app/files/dir/sub/y", "site/app/files/dir/.hidden",
		"site/app/lib/facter/f.rb", "site/app/facts.d/f.yaml", "site/app/scripts/s.sh", "site/app/manifests/init.pp",
		"modules/app/files/shadowed", "modules/more/files/x", "modules/more/files/z", "modules/Bad/files/a",
	} {
		write(t, filepath.Join(dir, filepath.FromSlash(name)), name)
	}
	write(t, filepath.Join(other, "vendored", "files", "a"), "x")
	write(t, filepath.Join(other, "secret"), "x")
	for name, target := range map[string]string{
		"site/app/files/link": "a.txt", "site/app/files/dirlink": "dir", "site/app/files/dangling": "nothing",
		"site/app/files/out": filepath.Join(other, "secret"), "site/app/files/up": "../../../../x/secret", "site/linked": other,
		"site/app/files/links/l": "../a.txt", "site/app/files/links/o": filepath.Join(other, "secret"),
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	modulePath := []string{filepath.Join(dir, "site"), other, filepath.Join(dir, "modules")}
	const none, elsewhere = "no such file", "not in the repository"
	tree := puppet.Copy{Recurses: true, Depth: math.MaxInt}
	one, all := tree, tree
	one.Depth, all.All = 1, true
	ignoring, following := tree, tree
	ignoring.Ignore, following.Follows = []string{"s*", ".*"}, true
	for _, tt := range []struct {
		copy    puppet.Copy
		sources []string
		want    []string
	}{
		{puppet.Copy{}, []string{"puppet:///modules/app/a.txt"}, []string{"site/app/files/a.txt"}},
		{puppet.Copy{}, []string{"PUPPET:///modules/app/a.txt"}, []string{"site/app/files/a.txt"}},
		{puppet.Copy{}, []string{"puppet://puppet.example.com/modules/app/a.txt"}, []string{"site/app/files/a.txt"}},
		{puppet.Copy{}, []string{"puppet://puppet.example.com/modules/app/none"}, []string{elsewhere}},
		{puppet.Copy{}, []string{"puppet:///modules/app/a%20b"}, []string{"site/app/files/a%20b"}},
		{puppet.Copy{}, []string{"puppet:///modules/app/c d"}, []string{"site/app/files/c d"}},
		{puppet.Copy{}, []string{"puppet:///modules/app/none", "puppet:///modules/app/a.txt", "/etc/a"}, []string{"site/app/files/a.txt"}},
		{puppet.Copy{}, []string{"/etc/a", "puppet:///modules/app/a.txt"}, []string{elsewhere}},
		{puppet.Copy{}, []string{"file:///etc/a"}, []string{elsewhere}},
		{puppet.Copy{}, []string{"https://example.com/a"}, []string{elsewhere}},
		{puppet.Copy{}, []string{"puppet:///modules/app/none"}, []string{none}},
		{puppet.Copy{}, []string{"puppet:///modules/app/shadowed"}, []string{none}},
		{puppet.Copy{}, []string{"puppet:///modules/app/../manifests/init.pp"}, []string{none}},
		{puppet.Copy{}, []string{"puppet:///modules/nomodule/a"}, []string{none}},
		{puppet.Copy{}, []string{"puppet:///modules/Bad/a"}, []string{none}},
		{puppet.Copy{}, []string{"puppet:///modules//app/a.txt"}, []string{none}},
		{puppet.Copy{}, []string{"puppet:///modules/app/sub//a.txt"}, []string{none}},
		{puppet.Copy{}, []string{"puppet:///modules/app/a.txt/x"}, []string{none}},
		{puppet.Copy{}, []string{"puppet:///modules/vendored/a"}, []string{elsewhere}},
		{puppet.Copy{}, []string{"puppet:///files/a"}, []string{elsewhere}},
		{puppet.Copy{}, []string{"puppet:///bad mount/a"}, []string{none}},
		{puppet.Copy{}, []string{"puppet:///scripts/app/s.sh"}, []string{"site/app/scripts/s.sh"}},
		{puppet.Copy{}, []string{"puppet:///plugins/facter/f.rb"}, []string{"site/app/lib/facter/f.rb"}},
		{puppet.Copy{}, []string{"puppet:///pluginfacts/f.yaml"}, []string{"site/app/facts.d/f.yaml"}},
		{puppet.Copy{}, []string{"puppet:///plugins"}, []string{elsewhere}},
		{puppet.Copy{}, []string{"puppet:///modules/app/link"}, []string{"site/app/files/link -> a.txt"}},
		{puppet.Copy{Follows: true}, []string{"puppet:///modules/app/link"}, []string{"site/app/files/link"}},
		{puppet.Copy{}, []string{"puppet:///modules/app/dangling"}, []string{none}},
		{puppet.Copy{Follows: true}, []string{"puppet:///modules/app/out"}, []string{elsewhere}},
		{puppet.Copy{Follows: true}, []string{"puppet:///modules/app/up"}, []string{elsewhere}},
		{puppet.Copy{}, []string{"puppet:///modules/linked/secret"}, []string{elsewhere}},
		{puppet.Copy{}, []string{"puppet:///modules/app/dir"}, []string{}},
		{tree, []string{"puppet:///modules/app/a.txt"}, []string{"site/app/files/a.txt"}},
		{tree, []string{"puppet:///modules/none", "puppet:///modules/app/dir/"}, []string{"site/app/files/dir/.hidden as .hidden", "site/app/files/dir/x as x", "site/app/files/dir/sub/y as sub/y"}},
		{tree, []string{"puppet:///modules/app/dirlink"}, []string{"site/app/files/dirlink -> dir"}},
		{following, []string{"puppet:///modules/app/links"}, []string{"site/app/files/links/l as l"}},
		{tree, []string{"puppet:///modules/more"}, []string{"modules/more/files/x as x", "modules/more/files/z as z"}},
		{one, []string{"puppet:///modules/app/dir"}, []string{"site/app/files/dir/.hidden as .hidden", "site/app/files/dir/x as x"}},
		{ignoring, []string{"puppet:///modules/app/dir"}, []string{"site/app/files/dir/x as x"}},
		{all, []string{"puppet:///modules/more", "puppet:///modules/app/dir"}, []string{
			"modules/more/files/x as x", "modules/more/files/z as z", "site/app/files/dir/.hidden as .hidden", "site/app/files/dir/sub/y as sub/y",
		}},
	} {
		tt.copy.Sources = tt.sources
		if tt.copy.Depth == 0 {
			tt.copy.Depth = math.MaxInt
		}
		if got := content.Copied(dir, modulePath, tt.copy); !slices.Equal(got, tt.want) {
			t.Errorf("%v: got %q, want %q", tt.sources, got, tt.want)
		}
	}
}
