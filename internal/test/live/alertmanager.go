package live

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Alertmanager is an Alertmanager without alerts.
type Alertmanager struct{ Address string }

// Alert is an alert as Alertmanager shows it.
type Alert struct {
	Labels, Annotations map[string]string
	StartsAt, EndsAt    time.Time
	GeneratorURL        string
	Status              struct {
		State      string // active or suppressed
		SilencedBy []string
	}
}

// StartAlertmanager starts Alertmanager with a configuration. It skips the test where it is
// not installed.
func StartAlertmanager(t *testing.T, configuration string) *Alertmanager {
	t.Helper()
	program, err := exec.LookPath("prometheus-alertmanager")
	if err != nil {
		if program, err = exec.LookPath("alertmanager"); err != nil {
			t.Skip("Alertmanager is not installed")
		}
	}
	address, dir := "127.0.0.1:"+freePorts(t, 1)[0], t.TempDir()
	file, log := filepath.Join(dir, "alertmanager.yml"), filepath.Join(dir, "log")
	check(t, os.WriteFile(file, []byte(configuration), 0o600))
	out, err := os.Create(log)
	check(t, err)
	cmd := exec.Command(program, "--config.file="+file, "--storage.path="+dir, "--web.listen-address="+address, "--cluster.listen-address=") //nolint:gosec // of this package
	cmd.Stdout, cmd.Stderr = out, out
	separate(cmd)
	check(t, cmd.Start())
	p := &process{cmd, log, make(chan struct{})}
	go func() {
		_ = p.cmd.Wait() // it is killed
		close(p.ended)
	}()
	t.Cleanup(func() {
		p.kill()
		check(t, out.Close())
		if t.Failed() {
			t.Log(end(log))
		}
	})
	a := &Alertmanager{"http://" + address}
	p.await(t, "Alertmanager", func() bool { return get(a.Address+"/-/ready") == "OK" })
	if t.Failed() {
		t.FailNow()
	}
	return a
}

// Alerts returns the alerts that have not ended.
func (a *Alertmanager) Alerts(t *testing.T) []Alert {
	t.Helper()
	answer, err := http.Get(a.Address + "/api/v2/alerts")
	check(t, err)
	body, err := io.ReadAll(answer.Body)
	check(t, err)
	check(t, answer.Body.Close())
	var list []Alert
	if err := json.Unmarshal(body, &list); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	return list
}

// Silence silences the alerts with a label for an hour.
func (a *Alertmanager) Silence(t *testing.T, label, value string) {
	t.Helper()
	now := time.Now().UTC()
	body := fmt.Sprintf(`{"matchers":[{"name":%q,"value":%q,"isRegex":false}],"startsAt":%q,"endsAt":%q,"createdBy":"a test","comment":"planned work"}`,
		label, value, now.Format(time.RFC3339), now.Add(time.Hour).Format(time.RFC3339))
	answer, err := http.Post(a.Address+"/api/v2/silences", "application/json", strings.NewReader(body))
	check(t, err)
	check(t, answer.Body.Close())
	if answer.StatusCode != http.StatusOK {
		t.Fatalf("the silence has status %d", answer.StatusCode)
	}
}
