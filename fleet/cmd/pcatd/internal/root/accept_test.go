package root

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/pcatdev/pcat/fleet/internal/daemon"
	"github.com/pcatdev/pcat/fleet/internal/store"
	"github.com/pcatdev/pcat/internal/test/live"
)

// An operator accepts a finding, sees what is accepted, and withdraws it. The configuration has
// a custom rule, which a worker in another process applies.
func TestAccept(t *testing.T) {
	const leak = `{"name":"web","environment":"production","resources":[{"type":"File","title":"/etc/app.ini","file":"/etc/puppetlabs/code/environments/production/site/legacy/init.pp","line":3,"parameters":{"content":"password = k9FzQ2mTx8Lw0vR4\n"}}],"edges":[]}`
	state, dir := filepath.Join(t.TempDir(), "state"), t.TempDir()
	t.Setenv("PCATD_STATE", state)
	t.Setenv("SUDO_USER", "carla")
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	file := write(".pcat-audit.yaml", "")
	s := start(t, "serve", "--http", "", "--workers", "0", "--max-store", "1GB", "--config", file)
	run(t, "status", "--wait")
	start(t, "worker", "--workers", "1")
	run(t, "ingest", write("web.json", leak))
	run(t, "status", "--wait")
	list := run(t, "findings")
	fingerprint := regexp.MustCompile(`[0-9a-f]{32}`).FindString(list)
	if fingerprint == "" {
		t.Fatal(list)
	}
	if out := run(t, "accept", "list"); out != "nothing is accepted\n" {
		t.Errorf("got %s", out)
	}
	out := run(t, "accept", fingerprint, "--reason", "a sample", "--until", "2130-12-31")
	match := regexp.MustCompile(`^([a-z2-7]{8}): 1 finding accepted \(fingerprint [0-9a-f]{32}\)\n$`).FindStringSubmatch(out)
	if match == nil {
		t.Fatal(out)
	}
	run(t, "status", "--wait")
	if out := run(t, "findings"); out != "no findings\n" {
		t.Errorf("got %s", out)
	}
	if out := run(t, "findings", "--accepted"); !strings.Contains(out, "ACCEPTED") || !strings.Contains(out, fingerprint) {
		t.Errorf("got %s", out)
	}
	if out := run(t, "report"); !strings.Contains(out, "no findings; 1 accepted") {
		t.Errorf("got %s", out)
	}
	run(t, "accept", "--manifest", "legacy/*.pp", "--rule", "weak-secret", "--reason", "nothing has it")
	run(t, "status", "--wait")
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	today := time.Now().Format("2006-01-02")
	if out := run(t, "accept", "list"); !regexp.MustCompile(`(?m)^`+match[1]+` +active +1 +2130-12-31 +fingerprint `+fingerprint+` +carla@`+regexp.QuoteMeta(host)+` +`+today+` +a sample$`).MatchString(out) ||
		!strings.Contains(out, "rule weak-secret, manifest legacy/*.pp") || !strings.HasSuffix(out, "\n1 finding accepted\n") {
		t.Errorf("got %s", out)
	}
	if out := run(t, "accept", "list", "--attention"); strings.Contains(out, match[1]) || !strings.Contains(out, "unused") {
		t.Errorf("got %s", out)
	}
	var doc struct {
		Tool      string
		Accepted  int
		Decisions []struct{ ID, Use, By string }
	}
	if err := json.Unmarshal([]byte(run(t, "accept", "list", "--format", "json")), &doc); err != nil || doc.Tool != "pcatd" || doc.Accepted != 1 || len(doc.Decisions) != 2 || doc.Decisions[0].ID != match[1] {
		t.Errorf("got %+v, %v", doc, err)
	}
	run(t, "accept", "withdraw", match[1])
	run(t, "status", "--wait")
	if out := run(t, "findings"); !strings.Contains(out, fingerprint) {
		t.Errorf("got %s", out)
	}
	kinds := func() string {
		var list []string
		for line := range strings.Lines(run(t, "events", "--format", "json")) {
			var e struct{ Kind string }
			if err := json.Unmarshal([]byte(line), &e); err != nil {
				t.Fatal(err)
			}
			list = append(list, e.Kind)
		}
		return strings.Join(list, " ")
	}
	if got := kinds(); got != "new accepted again" {
		t.Errorf("events: %s", got)
	}
	write(".pcat-audit.yaml", "allow:\n- {manifest: legacy/*.pp, reason: all of it}\nrules:\n- {id: ini, when: \"$title =~ /ini/\", title: t, severity: high}\n")
	for start := time.Now(); !strings.Contains(run(t, "accept", "list"), ".pcat-audit.yaml:2  active  2 "); time.Sleep(100 * time.Millisecond) {
		if time.Since(start) > time.Minute {
			t.Fatal(run(t, "accept", "list"))
		}
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"accept"}, "give a fingerprint, or a condition"},
		{[]string{"accept", fingerprint}, "give the reason"},
		{[]string{"accept", "a", "b", "--reason", "r"}, `unexpected "b"`},
		{[]string{"accept", "--rule", "weak-secrets", "--reason", "r"}, "did you mean weak-secret?"},
		{[]string{"accept", "--rule", "weak-secret", "--reason", "r", "--until", "soon"}, `--until: "soon" is not a date`},
		{[]string{"accept", "withdraw"}, "give the IDs"},
		{[]string{"accept", "withdraw", match[1]}, "no acceptance has the ID " + match[1]},
		{[]string{"findings", "--gone", "--accepted"}, "either --gone or --accepted"},
		{[]string{"serve", "--config", filepath.Join(dir, "none.yaml"), "--http", ""}, "none.yaml: no such file"},
	} {
		_, messages, status := try(t, c.args...)
		if status != 2 || !strings.Contains(messages, c.want) {
			t.Errorf("pcatd %s: status %d, %s", strings.Join(c.args, " "), status, messages)
		}
	}
	_ = s.Process.Signal(os.Interrupt)
	_ = s.Wait()
}

// With a certificate for NATS, the name in it is kept, too.
func TestWho(t *testing.T) {
	t.Setenv("SUDO_USER", "carla")
	own := live.NewCA(t, t.TempDir()).Issue(t, "operators", time.Now().Add(time.Hour))
	c := command{connection: daemon.Connection{TLS: store.Files{Certificate: own.Certificate, Key: own.Key}}}
	if name, err := c.who(); err != nil || !strings.HasPrefix(name, "operators (carla@") {
		t.Errorf("%q, %v", name, err)
	}
}
