package root

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
)

// Of a catalog that another system sends, cut anywhere or whole, no command that fetches or
// submits it shows a secret, however much it logs.
func TestRemoteSecrets(t *testing.T) {
	const mark = "Qz7"
	const document = `{"certname":"web01","version":"1","hash":"x","resources":{"data":[{"type":"File","title":"/s","tags":["file"],"exported":false,` +
		`"parameters":{"content":"password = ` + mark + `pQ2m88","other":{"__ptype":"Sensitive","__pvalue":"` + mark + `x"}},"sensitive_parameters":["other"]}]},"edges":{"data":[]}}`
	for _, status := range []int{http.StatusOK, http.StatusInternalServerError} {
		length := 0
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = w.Write([]byte(document[:length]))
		}))
		defer server.Close()
		from := "puppetdb://" + strings.TrimPrefix(server.URL, "http://") + "/"
		for length = range len(document) + 1 {
			for _, args := range [][]string{
				{"fetch", "--output-dir", filepath.Join(t.TempDir(), "d"), from + "web01?tls=no"},
				{"ls", from + "web01?tls=no"},
				{"submit", from + "?tls=no", "--wait", "10ms", from + "web01?tls=no"},
			} {
				if length%7 != 0 && length < len(document)-1 && args[0] != "ls" {
					continue
				}
				var out, errs bytes.Buffer
				s := cli.Streams(strings.NewReader(""), &out, &errs)
				all := append(args, "-vv", "--setting", "confdir="+t.TempDir())
				code := execute(t.Context(), s, NewCmd(s, all...), all)
				if text := out.String() + errs.String(); code == cli.ExitUsage || strings.Contains(text, mark) {
					t.Fatalf("%q of %d bytes: %d, %s", args, length, code, text)
				}
			}
		}
	}
}

// Each node has a file of its own name, and a run in which one fails is resumed with that one.
func TestFetchResumes(t *testing.T) {
	asked := map[string]int{}
	broken := true
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		node := filepath.Base(r.URL.Path)
		asked[node]++
		if broken && node == "b.rich" {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		_, _ = w.Write([]byte(`{"certname":"` + node + `","version":"1","hash":"x","resources":{"data":[]},"edges":{"data":[]}}`))
	}))
	defer server.Close()
	dir := filepath.Join(t.TempDir(), "d")
	fetch := func(more ...string) (cli.ExitCode, string) {
		var errs bytes.Buffer
		s := cli.Streams(strings.NewReader(""), nil, &errs)
		args := []string{"fetch", "-j", "1", "--output-dir", dir, "--setting", "confdir=" + t.TempDir(), "--setting", "puppetdb=" + server.URL, "puppetdb:b", "puppetdb:b.rich", "puppetdb:a"}
		args = append(args, more...)
		return execute(t.Context(), s, NewCmd(s, args...), args), errs.String()
	}
	if code, text := fetch(); code != cli.ExitBadInput || !strings.Contains(text, "puppetdb:b.rich: ") || !strings.Contains(text, "2 written to") {
		t.Errorf("got %d, %s", code, text)
	}
	if code, text := fetch("--restart"); code != cli.ExitBadInput || asked["a"] != 2 || asked["b"] != 2 {
		t.Errorf("got %d, %s, and the requests %v", code, text, asked)
	}
	broken = false
	if code, text := fetch(); code != cli.ExitDone || !strings.Contains(text, "resuming: 2 catalogs already in "+dir) {
		t.Errorf("got %d, %s", code, text)
	}
	if asked["a"] != 2 || asked["b"] != 2 || asked["b.rich"] != 3 {
		t.Errorf("got the requests %v", asked)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(files) != 3 || filepath.Base(files[2]) != "b.rich.json" && filepath.Base(files[1]) != "b.rich.json" {
		t.Errorf("got the files %v, %v", files, err)
	}
}

// The files that a connection needs are named, with what to do; a password in an address is
// not repeated.
func TestRemoteMessages(t *testing.T) {
	for arg, want := range map[string]string{
		"puppetdb://localhost/web01":              "set localcacert to its file",
		"agent:web01":                             "run the agent (not with --noop), or set client_datadir",
		"puppetdb://user:pa55w0rd@localhost/":     "cannot contain a user or a password",
		"puppetserver://user:pa55/w0rd@localhost": "cannot contain a user or a password",
	} {
		var out, errs bytes.Buffer
		s := cli.Streams(strings.NewReader(""), &out, &errs)
		dir := t.TempDir()
		args := []string{"ls", "--setting", "confdir=" + dir, "--setting", "ssldir=" + dir, "--setting", "vardir=" + dir, arg}
		execute(t.Context(), s, NewCmd(s, args...), args)
		if text := errs.String(); !strings.Contains(text, want) || strings.Contains(text, "pa55") {
			t.Errorf("%s: got %s, want %q", arg, text, want)
		}
	}
}

// A value with a declared secret and one that is not is refused, and a tag that is a secret
// is not shown.
func TestSubmitRefuses(t *testing.T) {
	const secret = "Xk29vQ7mPz41"
	submit := func(resource string) (cli.ExitCode, string) {
		var errs bytes.Buffer
		text := `{"name":"n","version":"1","resources":[` + resource + `],"edges":[]}`
		s := cli.Streams(strings.NewReader(text), nil, &errs)
		args := []string{"submit", "puppetdb://127.0.0.1:1/?tls=no", "--setting", "confdir=" + t.TempDir(), "-"}
		return execute(t.Context(), s, NewCmd(s, args...), args), errs.String()
	}
	code, text := submit(`{"type":"My::App","title":"a","tags":["a"],"exported":false,"parameters":{"options":` +
		`{"token":{"__ptype":"Sensitive","__pvalue":"declared-9917-Zz"},"password":"` + secret + `"}}}`)
	if code != cli.ExitBadInput || !strings.Contains(text, "a secret in plain text, which PuppetDB would store") || strings.Contains(text, secret) {
		t.Errorf("got %d, %s", code, text)
	}
	code, text = submit(`{"type":"File","title":"/a","tags":["` + secret + `"],"exported":false,"parameters":{"content":{"__ptype":"Sensitive","__pvalue":"` + secret + `"}}}`)
	if code != cli.ExitBadInput || strings.Contains(text, secret) {
		t.Errorf("got %d, %s", code, text)
	}
}
