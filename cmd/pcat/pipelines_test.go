//go:build unix

package main

import (
	"archive/tar"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

const repository = "../.."

// bash runs a script, and returns its output and exit code.
func bash(t *testing.T, dir, script string, env ...string) (out string, code int) {
	t.Helper()
	cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	b, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return string(b), cmd.ProcessState.ExitCode()
}

func load(t *testing.T, file string, into any) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(repository, file))
	if err == nil {
		err = yaml.Unmarshal(b, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// action runs the steps of the action as GitHub does, with inputs, and returns the output
// and the exit code of the last step.
func action(t *testing.T, dir string, inputs map[string]string, env ...string) (out string, code int) {
	t.Helper()
	var a struct {
		Inputs map[string]struct{ Default string }
		Runs   struct {
			Steps []struct {
				If  string
				Env map[string]string
				Run string
			}
		}
	}
	load(t, "action.yml", &a)
	absolute, err := filepath.Abs(repository)
	if err != nil {
		t.Fatal(err)
	}
	temp := t.TempDir()
	contexts := []string{"${{ runner.temp }}", temp}
	for name, input := range a.Inputs {
		value, ok := inputs[name]
		if !ok {
			value = input.Default
		}
		contexts = append(contexts, "${{ inputs."+name+" }}", value)
	}
	expand := strings.NewReplacer(contexts...)
	env = append(env, "GITHUB_ACTIONS=true", "GITHUB_ACTION_PATH="+absolute, "GITHUB_PATH="+filepath.Join(temp, "path"))
	for _, step := range a.Runs.Steps {
		if step.If == "inputs.version != 'installed'" && inputs["version"] == "installed" {
			continue
		}
		with := env
		for name, value := range step.Env {
			value = expand.Replace(value)
			if strings.Contains(value, "${{") {
				t.Fatalf("unknown expression in %s: %s", name, value)
			}
			with = append(with, name+"="+value)
		}
		text, status := bash(t, dir, step.Run, with...)
		out, code = out+text, status
		if code != 0 {
			break
		}
		if added, err := os.ReadFile(filepath.Join(temp, "path")); err == nil {
			env = append(env, "PATH="+strings.TrimSpace(string(added))+":"+os.Getenv("PATH"))
		}
	}
	return out, code
}

func shop(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(repository, "testdata/pages/shop"))); err != nil {
		t.Fatal(err)
	}
	return dir
}

// The action audits catalogs with a baseline, writes reports and a summary, and redacts catalogs.
func TestActionAudits(t *testing.T) {
	dir := shop(t)
	inputs := map[string]string{"version": "installed", "catalogs": "catalogs/web01.json\n  catalogs/db01.json\n", "redacted": "redacted"}
	summary := filepath.Join(dir, "summary.md")
	out, code := action(t, dir, inputs, "GITHUB_STEP_SUMMARY="+summary)
	if code != 1 || !strings.Contains(out, "::error file=modules/profile/manifests/shop.pp,line=23,") {
		t.Errorf("exit code %d\n%s", code, out)
	}
	for _, name := range []string{"pcat-reports/audit.sarif", "pcat-reports/audit.xml", "pcat-reports/audit.html", "pcat-reports/audit.jsonl", "redacted/web01.json", "redacted/db01.json", "summary.md"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if text, _ := os.ReadFile(summary); !strings.HasPrefix(string(text), "### pcat audit\n\n    ") {
		t.Errorf("the summary is %.100s", text)
	}
	if out, code := bash(t, dir, "pcat audit -q --baseline audit-baseline.jsonl --update-baseline catalogs"); code != 0 {
		t.Fatal(out)
	}
	if out, code := action(t, dir, inputs); code != 0 {
		t.Errorf("with a baseline: exit code %d\n%s", code, out)
	}
	inputs["catalogs"] = "missing"
	if out, code := action(t, dir, inputs); code != 3 {
		t.Errorf("without catalogs: exit code %d\n%s", code, out)
	}
}

// The installation takes the package of the release for this machine, and refuses one with
// another checksum.
func TestActionInstalls(t *testing.T) {
	file, err := exec.LookPath("pcat")
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var a struct {
		Inputs map[string]struct{ Default string }
	}
	load(t, "action.yml", &a)
	release := a.Inputs["version"].Default
	name := func(version string) string {
		return fmt.Sprintf("pcat_%s_%s_%s.tar.gz", strings.TrimPrefix(version, "v"), runtime.GOOS, runtime.GOARCH)
	}
	var archive strings.Builder
	z, err := gzip.NewWriterLevel(&archive, gzip.BestSpeed) // the program of a test is large
	if err != nil {
		t.Fatal(err)
	}
	w := tar.NewWriter(z)
	if err := w.WriteHeader(&tar.Header{Name: "pcat", Mode: 0o755, Size: int64(len(program))}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(program); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	sum := fmt.Sprintf("%x", sha256.Sum256([]byte(archive.String())))
	sums := func(sum, version string) string {
		return fmt.Sprintf("%s  %s\n%064d  another\n", sum, name(version), 0)
	}
	const altered, missing = "v0.0.1", "v0.0.2"
	files := map[string]string{
		"/" + release + "/" + name(release): archive.String(),
		"/" + release + "/checksums.txt":    sums(sum, release),
		"/" + altered + "/" + name(altered): archive.String(),
		"/" + altered + "/checksums.txt":    sums("00000000"+sum[8:], altered),
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		content, ok := files[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		if _, err := io.WriteString(w, content); err != nil {
			t.Error(err)
		}
	}))
	defer server.Close()
	releases := "PCAT_RELEASES=" + server.URL
	for _, c := range []struct{ version, want string }{
		{"", "::error file=modules/profile/manifests/shop.pp"},
		{altered, "FAILED"},
		{missing, "404"},
		{"main", "PCAT_VERSION is main"},
	} {
		inputs := map[string]string{}
		if c.version != "" {
			inputs["version"] = c.version
		}
		out, code := action(t, shop(t), inputs, releases, "GITHUB_STEP_SUMMARY="+filepath.Join(t.TempDir(), "summary"))
		if code == 0 || !strings.Contains(out, c.want) {
			t.Errorf("%s: exit code %d\n%s", c.version, code, out)
		}
	}
}

// The commands of the template for GitLab work in its variables.
func TestGitLabTemplate(t *testing.T) {
	var template map[string]struct {
		Variables map[string]string
		Before    []string `yaml:"before_script"`
		Script    []string
		Artifacts struct {
			Paths   []string
			Reports map[string]string
		}
	}
	load(t, "pipelines/gitlab.yml", &template)
	job, dir := template[".pcat"], shop(t)
	scripts, err := filepath.Abs(filepath.Join(repository, "pipelines"))
	if err != nil {
		t.Fatal(err)
	}
	var script strings.Builder
	for name, value := range job.Variables {
		fmt.Fprintf(&script, "%s=%s; export %[1]s\n", name, strings.ReplaceAll(strconv.Quote(value), `\n`, "\n"))
	}
	fmt.Fprintf(&script, "PCAT_BIN=%q; PCAT_SCRIPTS=%q\n", filepath.Join(dir, ".pcat"), "file://"+scripts)
	for _, line := range append(job.Before, job.Script...) {
		if strings.Contains(line, "install.sh\"") { // TestActionInstalls
			continue
		}
		fmt.Fprintln(&script, line)
	}
	out, code := bash(t, dir, script.String(), "CI_PROJECT_DIR="+dir)
	if code != 1 || !strings.Contains(out, "sensitive-reuse-open") {
		t.Errorf("exit code %d\n%s", code, out)
	}
	for _, name := range append(job.Artifacts.Paths, job.Artifacts.Reports["junit"]) {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
}

// TestChecksums checks that the templates for GitLab name each script that they fetch, with its
// checksum. With -update, it writes the checksums.
func TestChecksums(t *testing.T) {
	line := regexp.MustCompile(`(?m)^( +)[0-9a-f]{64}  ([a-z]+\.sh)$`)
	fetched := regexp.MustCompile(`for script in ([a-z. ]+); do curl|curl -fsSL -o ([a-z]+\.sh) `)
	for _, name := range []string{"gitlab.yml", "gitlab-review.yml"} {
		file := filepath.Join(repository, "pipelines", name)
		have := read(t, file)
		var listed, want []string
		now := line.ReplaceAllStringFunc(have, func(s string) string {
			m := line.FindStringSubmatch(s)
			listed = append(listed, m[2])
			return fmt.Sprintf("%s%x  %s", m[1], sha256.Sum256([]byte(read(t, filepath.Join(repository, "pipelines", m[2])))), m[2])
		})
		for _, m := range fetched.FindAllStringSubmatch(have, -1) {
			want = append(want, strings.Fields(m[1]+m[2])...)
		}
		if !slices.Equal(want, listed) || len(want) == 0 {
			t.Errorf("%s fetches %q, and has checksums of %q", name, want, listed)
		}
		if *update {
			if err := os.WriteFile(file, []byte(now), 0o600); err != nil {
				t.Fatal(err)
			}
		} else if now != have {
			t.Errorf("%s has another checksum than its scripts; -update writes this:\n%s", name, now)
		}
	}
}

// The entries of the hooks are commands that take names of files, and fail for secrets.
func TestPreCommitHooks(t *testing.T) {
	var hooks []struct{ ID, Entry string }
	load(t, ".pre-commit-hooks.yaml", &hooks)
	dir := shop(t)
	if out, code := bash(t, dir, "pcat redact -q --output-dir redacted catalogs"); code != 0 {
		t.Fatal(out)
	}
	for _, h := range hooks {
		for name, want := range map[string]int{"catalogs/web01.json": 1, "redacted/web01.json": 0} {
			if out, code := bash(t, dir, h.Entry+" "+name); code != want {
				t.Errorf("%s of %s: exit code %d\n%s", h.ID, name, code, out)
			}
		}
	}
	if len(hooks) != 2 {
		t.Errorf("%d hooks", len(hooks))
	}
}

// The example repository compiles, and passes until its manifest loses the Sensitive.
func TestControlRepository(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles catalogs")
	}
	if _, err := exec.LookPath("puppet"); err != nil {
		t.Skip("puppet is not installed: the example is not compiled")
	}
	t.Parallel()
	scripts, err := filepath.Abs(filepath.Join(repository, "pipelines"))
	if err != nil {
		t.Fatal(err)
	}
	top := t.TempDir()
	dir := filepath.Join(top, "control")
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(repository, "examples/control-repo"))); err != nil {
		t.Fatal(err)
	}
	script := "bash bin/compile-catalogs && PCAT_REDACTED=redacted " + scripts + "/audit.sh"
	if out, code := bash(t, dir, script); code != 0 {
		t.Fatalf("exit code %d\n%s", code, out)
	}
	manifest := filepath.Join(dir, "modules/profile/manifests/app.pp")
	b, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(string(b), "Sensitive(epp(", "String(epp(", 1)
	if err := os.WriteFile(manifest, []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, code := bash(t, dir, script); code != 1 || !strings.Contains(out, "modules/profile/manifests/app.pp:9") {
		t.Errorf("exit code %d\n%s", code, out)
	}
	annotated(t, dir, dir, scripts)
	// In a repository with more than the environment, paths begin at its root.
	if err := os.Mkdir(filepath.Join(top, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	annotated(t, dir, top, scripts)
}

// annotated audits the catalogs in dir as the pipelines do, and checks that each file that the
// reports annotate exists in the repository.
func annotated(t *testing.T, dir, root, scripts string) {
	t.Helper()
	env := []string{"PCAT_REPORTS=pcat-reports", "GITHUB_STEP_SUMMARY=" + filepath.Join(t.TempDir(), "summary")}
	out, code := bash(t, dir, scripts+"/audit.sh", env...)
	if code != 1 {
		t.Fatalf("exit code %d\n%s", code, out)
	}
	for name, pattern := range map[string]string{"": `(?m)^::\w+ file=([^,]+),`, "audit.sarif": `"uri": "([^"]+)"`, "audit.xml": ` file="([^"]+)"`, "audit.jsonl": `"manifest":"([^"]+)"`} {
		text := out
		if name != "" {
			b, err := os.ReadFile(filepath.Join(dir, "pcat-reports", name))
			if err != nil {
				t.Fatal(err)
			}
			text = string(b)
		}
		found := regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1)
		if len(found) == 0 {
			t.Errorf("%s: no annotation in %s", cmp.Or(name, "workflow commands"), text)
		}
		for _, m := range found {
			if !filepath.IsLocal(m[1]) {
				t.Errorf("%s: %s is not relative", cmp.Or(name, "workflow commands"), m[1])
			} else if _, err := os.Stat(filepath.Join(root, m[1])); err != nil {
				t.Errorf("%s: %v", cmp.Or(name, "workflow commands"), err)
			}
		}
	}
}
