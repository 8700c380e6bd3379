package stdlib_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/function/stdlib"
)

// globFiles are the files of a folder, as arguments of Dir.glob see them. A name
// that ends with a slash is a folder; "a -> b" is a symbolic link.
var globFiles = []string{
	"a.conf", "b/", "b/x.conf", "b/y.txt", "b/c/", "b/c/z.conf", "b/.hidden", "b/.dir/", "b/.dir/deep.conf", "c.conf", ".top",
	"[x]", "é.conf", "link -> b", "dangling -> nowhere", "e{f", "A.CONF", "b.conf/", "b.conf/in.conf",
}

var globPatterns = []string{
	"*", "*.conf", "**/*.conf", "**/", "**", "b/**", "**/x.conf", "b/*", "b/*/", "*/", "*/*", "?.conf", "[ab].conf", "[^a].conf", "[!a].conf",
	"[a-b]*", "{a,c}.conf", "{c,a}.conf", "{a,b/{x,y},c}.{conf,txt}", "{,b/}*.conf", ".*", "b/.*", "**/.*", ".top", "nope", "nope/*", "a.conf/", "a.conf/*",
	"b", "b/", "b//x.conf", "b/./x.conf", "b/../a.conf", `\[x\]`, "[[]x]", `\a.conf`, "[x", "e{f", "e\\{f", "link/*", "**/link/*", "dangling", "dang*", "é*", "?", "",
	"**/c/*", "**/b/**/z.conf", "*/**/z.conf", "**/*/", "{b,b}/x.conf", "*.{conf}", "[a-]*", "[]a]*", "***", "**a*", "b/c/../x.conf", "*.conf/*",
}

// TestGlob compares the paths that glob finds with the recorded ones of Ruby 3.1,
// and with the installed Ruby.
func TestGlob(t *testing.T) {
	dir := t.TempDir()
	for _, name := range globFiles {
		from, target, isLink := strings.Cut(name, " -> ")
		path := filepath.Join(dir, from)
		var err error
		switch {
		case isLink:
			err = os.Symlink(target, path)
		case strings.HasSuffix(name, "/"):
			err = os.Mkdir(path, 0o700)
		default:
			err = os.WriteFile(path, nil, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var want map[string][]string
	data, err := os.ReadFile("testdata/glob.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	if ruby := rubyGlob(t, dir); ruby != nil {
		for p, paths := range ruby {
			if !slices.Equal(want[p], paths) {
				t.Errorf("%q: recorded is %q, Ruby finds %q", p, want[p], paths)
			}
		}
	}
	functions, err := stdlib.New(pcore.OpenVox8)
	if err != nil {
		t.Fatal(err)
	}
	env := function.Env{Functions: functions, Files: function.Tree{Folders: []string{dir}}, Allow: func(*function.Function) error { return nil }}
	for _, p := range globPatterns {
		v, err := env.Call(t.Context(), "glob", []pcore.Value{pcore.String(dir + "/" + p)}, nil)
		if err != nil {
			t.Errorf("%q: %v", p, err)
			continue
		}
		got := []string{}
		for e := range v.(*pcore.Array).Values() {
			got = append(got, strings.TrimPrefix(string(e.(pcore.String)), dir+"/"))
		}
		if !slices.Equal(got, want[p]) {
			t.Errorf("%q: got %q, want %q", p, got, want[p])
		}
	}
	if err := os.Symlink(filepath.Dir(dir), filepath.Join(dir, "outside")); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{filepath.Dir(dir) + "/*", "/etc/*", dir + "/../*", dir + "/outside/*", dir + "/out*/*"} {
		if v, err := env.Call(t.Context(), "glob", []pcore.Value{pcore.String(p)}, nil); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("outside of the allowed folder: %v, %v", v, err)
		}
	}
}

// locked is a Tree in which the system does not let the user enter folders named locked.
type locked struct{ function.Tree }

func (l locked) ReadFolder(path string, allow func(int) error) ([]fs.DirEntry, error) {
	if filepath.Base(path) == "locked" {
		return nil, &fs.PathError{Op: "open", Path: path, Err: syscall.EACCES}
	}
	return l.Tree.ReadFolder(path, allow)
}

func (l locked) FileType(path string, follow bool) (fs.FileMode, error) {
	if filepath.Base(filepath.Dir(path)) == "locked" {
		return 0, &fs.PathError{Op: "stat", Path: path, Err: syscall.EACCES}
	}
	return l.Tree.FileType(path, follow)
}

// The expected paths are those of Ruby, run as a user without the rights.
func TestGlobInLockedFolders(t *testing.T) {
	dir := t.TempDir()
	for _, sub := range []string{"locked", "open"} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, sub, "f"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	functions, err := stdlib.New(pcore.OpenVox8)
	if err != nil {
		t.Fatal(err)
	}
	env := function.Env{Functions: functions, Files: locked{function.Tree{Folders: []string{dir}}}, Allow: func(*function.Function) error { return nil }}
	for pattern, want := range map[string]string{"*/f": "['" + dir + "/open/f']", "**/f": "['" + dir + "/open/f']", "locked/f": "[]", "locked/*": "[]"} {
		v, err := env.Call(t.Context(), "glob", []pcore.Value{pcore.String(dir + "/" + pattern)}, nil)
		if err != nil || v.String() != want {
			t.Errorf("%s: got %v, %v, want %s", pattern, v, err, want)
		}
	}
}

// rubyGlob returns the answers of the installed Ruby, or nil if there is none of the
// recorded version.
func rubyGlob(t *testing.T, dir string) map[string][]string {
	t.Helper()
	in, err := json.Marshal(globPatterns)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "ruby", "-rjson", "-e",
		`exit 3 unless RUBY_VERSION.start_with?('3.1.'); d = ARGV[0]; print JSON.generate(JSON.parse($stdin.read).to_h { |p| [p, Dir.glob(d + '/' + p).map { |x| x.delete_prefix(d + '/') }] })`, dir)
	cmd.Stdin = strings.NewReader(string(in))
	cmd.Env = append(os.Environ(), "LANG=C.UTF-8")
	out, err := cmd.Output()
	if err != nil {
		return nil
	}
	var answers map[string][]string
	if err := json.Unmarshal(out, &answers); err != nil {
		t.Fatal(err)
	}
	return answers
}
