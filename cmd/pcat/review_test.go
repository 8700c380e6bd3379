//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// forge has the comments of one pull request, as GitHub and GitLab have them.
type forge struct {
	mu       sync.Mutex
	token    string // that may write
	comments []string
	requests []string
}

func (f *forge) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.requests = append(f.requests, r.Method+" "+r.URL.Path)
	var sent struct{ Body string }
	if r.Method != http.MethodGet {
		if r.Header.Get("Authorization") != "Bearer "+f.token && r.Header.Get("Private-Token") != f.token {
			http.Error(w, "may not write", http.StatusForbidden)
			return
		}
		if err := json.NewDecoder(r.Body).Decode(&sent); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
	}
	lists := r.URL.Path == "/repos/o/r/issues/7/comments" || r.URL.Path == "/projects/3/merge_requests/7/notes"
	var number int
	_, tail, _ := strings.Cut(r.URL.Path, "comments/")
	if tail == "" {
		_, tail, _ = strings.Cut(r.URL.Path, "notes/")
	}
	_, _ = fmt.Sscan(tail, &number) // 0 for none
	switch {
	case r.Method == http.MethodGet && lists && r.URL.Query().Get("page") == "1":
		type comment struct {
			ID   int    `json:"id"`
			Body string `json:"body"`
		}
		all := []comment{}
		for i, body := range f.comments {
			all = append(all, comment{i + 1, body})
		}
		_ = json.NewEncoder(w).Encode(all)
	case r.Method == http.MethodPost && lists:
		f.comments = append(f.comments, sent.Body)
		w.WriteHeader(http.StatusCreated)
		_, _ = io.WriteString(w, "{}")
	case (r.Method == http.MethodPatch || r.Method == http.MethodPut) && 0 < number && number <= len(f.comments):
		f.comments[number-1] = sent.Body
		_, _ = io.WriteString(w, "{}")
	default:
		http.NotFound(w, r)
	}
}

// control returns a clone of a bare repository with the example of a control repository, whose
// branch feature is checked out, and a function that commits another version of a file there.
func control(t *testing.T) (dir string, commit func(name, old, replacement string)) {
	t.Helper()
	if testing.Short() {
		t.Skip("it compiles catalogs")
	}
	for _, needed := range []string{"puppet", "git"} {
		if _, err := exec.LookPath(needed); err != nil {
			t.Skipf("%s is not installed: no branch is reviewed", needed)
		}
	}
	top := t.TempDir()
	seed := filepath.Join(top, "seed")
	if err := os.CopyFS(seed, os.DirFS(filepath.Join(repository, "examples/control-repo"))); err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(top, "clone")
	script := `cd seed && git init -q -b main && git add -A && git commit -qm base && cd .. &&
git clone -q --bare seed bare.git && git clone -q bare.git clone && cd clone && git checkout -qb feature`
	if out, code := bash(t, top, script, author()...); code != 0 {
		t.Fatal(out)
	}
	return dir, func(name, old, replacement string) {
		t.Helper()
		file := filepath.Join(dir, name)
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		changed := strings.Replace(string(b), old, replacement, 1)
		if changed == string(b) {
			t.Fatalf("%s has no %q", name, old)
		}
		if err := os.WriteFile(file, []byte(changed), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, code := bash(t, dir, "git commit -qam change", author()...); code != 0 {
			t.Fatal(out)
		}
	}
}

// author returns the variables with which git commits, and reads no configuration of its user.
func author() []string {
	return []string{
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com",
		"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com",
	}
}

// The report of a branch has the changes on the nodes, the nodes that do not compile, and new secrets,
// whose values it does not have.
func TestReviewOfBranches(t *testing.T) {
	t.Parallel()
	dir, commit := control(t)
	review := func(wantCode int) (report string) {
		t.Helper()
		env := append(author(), "GITHUB_BASE_REF=main", "CI_JOB_URL=https://forge.example.com/jobs/9")
		out, code := bash(t, dir, scripts(t)+"/review.sh", env...)
		if code != wantCode {
			t.Errorf("exit code %d\n%s", code, out)
		}
		b, err := os.ReadFile(filepath.Join(dir, "pcat-reports/review.md"))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	commit("modules/profile/manifests/app.pp", "mode    => '0600'", "mode    => '0640'")
	report := review(0)
	for _, want := range []string{"<!-- pcat-diff:review -->\n", "0600", "0640", "/etc/app/database.yaml", "No new secrets", "https://forge.example.com/jobs/9"} {
		if !strings.Contains(report, want) {
			t.Errorf("the report has no %q:\n%s", want, report)
		}
	}
	commit("modules/profile/manifests/app.pp", "Sensitive(epp(", "String(epp(")
	commit("manifests/site.pp", "include profile::app", `include profile::app
  if $trusted['certname'] == 'web02.example.com' { fail('not on this node') }`)
	report = review(3)
	for _, want := range []string{"New secrets", "modules/profile/manifests/app.pp:9", "not on this node", "manifests/site.pp:3"} {
		if !strings.Contains(report, want) {
			t.Errorf("the report has no %q:\n%s", want, report)
		}
	}
	if strings.Contains(report, "kT7-horse") {
		t.Errorf("the report has the secret:\n%s", report)
	}
}

// scripts returns the directory of the scripts of pipelines.
func scripts(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join(repository, "pipelines"))
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// A pull request gets one comment, which the next run updates.
func TestCommentOnPullRequests(t *testing.T) {
	for _, needed := range []string{"jq", "curl"} {
		if _, err := exec.LookPath(needed); err != nil {
			t.Skipf("%s is not installed: no comment is written", needed)
		}
	}
	const token = "ghs_16C7e42F292c6912E7710c838347Ae178B4a"
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "pcat-reports"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, variables := range map[string]func(url string) []string{
		"github": func(url string) []string {
			return []string{"GITHUB_BASE_REF=main", "GITHUB_REF=refs/pull/7/merge", "GITHUB_API_URL=" + url, "GITHUB_REPOSITORY=o/r"}
		},
		"gitlab": func(url string) []string {
			return []string{"CI_API_V4_URL=" + url, "CI_PROJECT_ID=3", "CI_MERGE_REQUEST_IID=7"}
		},
	} {
		t.Run(name, func(t *testing.T) {
			others := []string{"a comment of a person", "<!-- pcat-diff:other -->\nhere"}
			f := &forge{token: token, comments: slices.Clone(others)}
			server := httptest.NewServer(f)
			defer server.Close()
			comment := func(report, token string) (out string) {
				t.Helper()
				if err := os.WriteFile(filepath.Join(dir, "pcat-reports/review.md"), []byte(report), 0o600); err != nil {
					t.Fatal(err)
				}
				out, code := bash(t, dir, scripts(t)+"/comment.sh", append(variables(server.URL), "PCAT_TOKEN="+token)...)
				if code != 0 || strings.Contains(out, token) && token != "" {
					t.Errorf("exit code %d\n%s", code, out)
				}
				return out
			}
			for _, report := range []string{"<!-- pcat-diff:review -->\nfirst \"quoted\"\n", "<!-- pcat-diff:review -->\nsecond\n"} {
				if out := comment(report, token); len(f.comments) != 3 || f.comments[2] != report {
					t.Errorf("the comments are %q after %v\n%s", f.comments, f.requests, out)
				}
			}
			for _, invalid := range []string{"another", ""} {
				if out := comment("<!-- pcat-diff:review -->\nthird\n", invalid); !strings.Contains(out, "token") {
					t.Errorf("the output is\n%s", out)
				}
			}
			if len(f.comments) != 3 || !slices.Equal(f.comments[:2], others) {
				t.Errorf("other comments changed: %q", f.comments)
			}
		})
	}
}
