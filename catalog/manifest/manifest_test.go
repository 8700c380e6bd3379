package manifest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/catalog/manifest"
)

const address = "https://git.example.com/control/blob/{environment}/{path}#L{line}"

// Paths are relative to the source root, the checkout or the environment; links to the web never
// leave the repository.
func TestLocator(t *testing.T) {
	checkout := []string{"/home/ann/control", "/mnt/control"}
	for _, tt := range []struct {
		file     string
		line     int64
		root     string
		checkout []string
		url      string

		want, link string
	}{
		{"/etc/puppetlabs/code/environments/production/modules/a/manifests/init.pp", 7, "", nil, address, "modules/a/manifests/init.pp:7", "https://git.example.com/control/blob/production/modules/a/manifests/init.pp#L7"},
		{"/etc/puppetlabs/code/environments/production/site/a b.pp", 7, "", nil, address, "site/a b.pp:7", "https://git.example.com/control/blob/production/site/a%20b.pp#L7"},
		{"/etc/puppetlabs/code/environments/production/site/a#?.pp", 7, "", nil, address, "site/a#?.pp:7", "https://git.example.com/control/blob/production/site/a%23%3F.pp#L7"},
		{"environments/x/a.pp", 7, "", nil, address, "a.pp:7", "https://git.example.com/control/blob/x/a.pp#L7"},
		{"/x/myenvironments/x/a.pp", 7, "", nil, address, "/x/myenvironments/x/a.pp:7", ""},
		{"/x/environments/a.pp", 7, "", nil, address, "/x/environments/a.pp:7", ""},
		{"/x/environments/production/a.pp", 0, "", nil, address, "a.pp", "https://git.example.com/control/blob/production/a.pp"},
		{"environments/x/a..b.pp", 7, "", nil, address, "a..b.pp:7", "https://git.example.com/control/blob/x/a..b.pp#L7"},
		{"manifests/site.pp", 7, "", nil, "https://h/{path}", "manifests/site.pp:7", "https://h/manifests/site.pp"},
		{"manifests/site.pp", 7, "", nil, address, "manifests/site.pp:7", ""}, // of no known environment
		{"", 7, "", nil, address, "", ""},

		{"/src/control/site/a.pp", 7, "/src/control/", nil, "https://h/{path}", "site/a.pp:7", "https://h/site/a.pp"},
		{"/src/control2/site/a.pp", 7, "/src/control", nil, "https://h/{path}", "/src/control2/site/a.pp:7", ""},
		{"/x/environments/production/a.pp", 7, "/", nil, "https://h/{path}", "/x/environments/production/a.pp:7", ""},
		{"/x/environments/production/a.pp", 7, "/x", nil, address, "environments/production/a.pp:7", "https://git.example.com/control/blob/production/environments/production/a.pp#L7"},
		{"/home/ann/control/site/a.pp", 7, "/home/ann", checkout, "https://h/{path}", "control/site/a.pp:7", "https://h/control/site/a.pp"},

		{"/home/ann/control/site/a.pp", 7, "", checkout, "https://h/{path}#{line}", "site/a.pp:7", "https://h/site/a.pp#7"},
		{"/mnt/control/site/a.pp", 7, "", checkout, "", "site/a.pp:7", ""},
		{"/home/ann/control2/site/a.pp", 7, "", checkout, "https://h/{path}", "/home/ann/control2/site/a.pp:7", ""},
		{"/home/ann/control/../x.pp", 7, "", checkout, "https://h/{path}", "/home/ann/control/../x.pp:7", ""},
		{"/home/ann/control/environments/production/site/a.pp", 7, "", checkout, address, "environments/production/site/a.pp:7", "https://git.example.com/control/blob/production/environments/production/site/a.pp#L7"},
		{"/etc/puppetlabs/code/environments/production/site/a.pp", 7, "", checkout, "", "site/a.pp:7", ""},
		{"/etc/motd.pp", 7, "", []string{"/"}, "", "/etc/motd.pp:7", ""}, // not everything is a checkout
		{"C:/control/site/a.pp", 7, "", []string{"C:/control"}, "", "site/a.pp:7", ""},
		{"C:/other/site/a.pp", 7, "", []string{"C:/control"}, "https://h/{path}", "C:/other/site/a.pp:7", ""},

		{"../../x y.pp", 5, "", nil, "https://h/{path}", "../../x y.pp:5", ""},
		{"environments/production/../x.pp", 5, "", nil, address, "../x.pp:5", ""},
		{"environments/../x.pp", 5, "", nil, address, "x.pp:5", ""},
		{"/src/control/a/../../x.pp", 5, "/src/control", nil, "https://h/{path}", "a/../../x.pp:5", ""},
		{"environments/x/a\x1b[31m.pp", 5, "", nil, "https://h/{path}", "a·[31m.pp:5", "https://h/a%1B%5B31m.pp"},
	} {
		l := manifest.Locator{SourceRoot: tt.root, Checkout: tt.checkout, SourceURL: tt.url}
		if got := l.Line(tt.file, tt.line); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.file, got, tt.want)
		}
		if got := l.URL(tt.file, tt.line); got != tt.link {
			t.Errorf("%s: the address is %q, want %q", tt.file, got, tt.link)
		}
		text := tt.want
		if tt.link != "" {
			text = tt.link
		}
		if got := l.Text(tt.file, tt.line); got != text || l.Hyperlink(got, tt.file, tt.line) != text {
			t.Errorf("%s: the text is %q, want %q", tt.file, got, text)
		}
		l.Terminal = true
		if got := l.Text(tt.file, tt.line); got != tt.want {
			t.Errorf("%s: the text for a terminal is %q, want %q", tt.file, got, tt.want)
		}
		linked := "\x1b]8;;" + tt.link + "\x1b\\" + tt.want + "\x1b]8;;\x1b\\"
		if tt.link == "" {
			linked = tt.want
		}
		if got := l.Hyperlink(tt.want, tt.file, tt.line); got != linked {
			t.Errorf("%s: the hyperlink is %q, want %q", tt.file, got, linked)
		}
	}
}

// Files of a repository have its paths, unless there is a source root.
func TestRepository(t *testing.T) {
	l := manifest.Locator{Checkout: []string{"/x"}, SourceURL: "https://h/{path}#{line}", Repository: func(file string) (string, bool) {
		name, ok := strings.CutPrefix(file, "/x/environments/production/")
		return "puppet/" + name, ok
	}}
	for file, want := range map[string]string{"/x/environments/production/a.pp": "puppet/a.pp", "/x/b.pp": "b.pp", "/y/environments/production/c.pp": "c.pp"} {
		if got := l.Path(file); got != want {
			t.Errorf("%s: got %s, want %s", file, got, want)
		}
		if got := l.URL(file, 7); got != "https://h/"+want+"#7" {
			t.Errorf("%s: got the address %s", file, got)
		}
	}
	l.SourceRoot = "/x/environments"
	if got := l.Path("/x/environments/production/a.pp"); got != "production/a.pp" {
		t.Errorf("got %s with a source root", got)
	}
}

// A terminal links manifests that exist on this machine, and no other files.
func TestLocalHyperlinks(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"site/a b.pp", "site/secret.txt", "site/folder.pp/x"} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	here := filepath.ToSlash(dir)
	link := "\x1b]8;;file://host/" + strings.TrimPrefix(here, "/") + "/site/a%20b.pp\x1b\\x\x1b]8;;\x1b\\"
	for _, tt := range []struct{ file, want string }{
		{here + "/site/a b.pp", link},
		{"/etc/puppetlabs/code/environments/production/site/a b.pp", link},
		{"/etc/puppetlabs/code/environments/production/site/other.pp", "x"},
		{here + "/site/secret.txt", "x"},
		{here + "/site/folder.pp", "x"},
		{"//host" + here + "/site/a b.pp", "x"},
		{"../" + filepath.Base(dir) + "/site/a b.pp", "x"},
		{"", "x"},
	} {
		l := manifest.Locator{Checkout: []string{dir}, Terminal: true, Host: "host"}
		if got := l.Hyperlink("x", tt.file, 3); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.file, got, tt.want)
		}
		l.Terminal = false
		if got := l.Hyperlink("x", tt.file, 3); got != "x" {
			t.Errorf("%s: without a terminal: %q", tt.file, got)
		}
	}
	elsewhere := manifest.Locator{Terminal: true, Host: "host"}
	if got := elsewhere.Hyperlink("x", here+"/site/a b.pp", 3); got != link {
		t.Errorf("an absolute path: %q", got)
	}
}
