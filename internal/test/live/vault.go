package live

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// VaultVariable is the environment variable that asks for tests with Vault. Its
// value is the program, or 1 to build it: that takes several minutes, and
// fetches hundreds of modules.
const VaultVariable = "PCAT_LIVE_VAULT"

// Vault is a Vault server with an empty storage.
type Vault struct {
	Address string
	Token   string // may do everything
}

// StartVault starts Vault, over TLS if a certificate is given. It skips the test
// unless it is asked for and possible.
func StartVault(t *testing.T, certificate Files) *Vault {
	t.Helper()
	program := os.Getenv(VaultVariable)
	switch program {
	case "":
		t.Skipf("builds and starts Vault: set %s=1 to run it", VaultVariable)
	case "1":
		var err error
		if program, err = buildVault(); err != nil {
			t.Skipf("Vault cannot be built here: %v", err)
		}
	}
	var args []string
	if certificate.Certificate != "" {
		args = []string{"-cert", certificate.Certificate, "-key", certificate.Key}
	}
	cmd := exec.Command(program, args...) //nolint:gosec // named by the one who runs the test
	separate(cmd)
	out, err := cmd.StdoutPipe()
	check(t, err)
	check(t, cmd.Start())
	t.Cleanup(func() {
		killGroup(cmd)
		_ = cmd.Wait() // it was killed
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	check(t, err)
	v := &Vault{Address: strings.TrimSpace(line)}
	var keys struct {
		Keys  []string `json:"keys"`
		Token string   `json:"root_token"`
	}
	check(t, json.Unmarshal(v.Send(t, "PUT", "sys/init", `{"secret_shares":1,"secret_threshold":1}`), &keys))
	v.Send(t, "PUT", "sys/unseal", `{"key":"`+keys.Keys[0]+`"}`)
	v.Token = keys.Token
	for range 100 { // it becomes active after it is unsealed
		if status, _ := v.send(t, "GET", "sys/health", ""); status == http.StatusOK {
			return v
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatal("Vault does not become active")
	return nil
}

// buildVault builds the server of directory vault, once for all tests of a process.
var buildVault = sync.OnceValues(func() (program string, err error) {
	_, file, _, _ := runtime.Caller(0)
	here := filepath.Dir(file)
	program = filepath.Join(here, "..", "..", "..", "bin", "vault")    // where .ci/run builds it, too
	cmd := exec.Command("go", "build", "-mod=mod", "-o", program, ".") //nolint:gosec // of this package
	cmd.Dir = filepath.Join(here, "vault")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return program, nil
})

// Send sends a request to the API, and returns the answer, which must be a
// success.
func (v *Vault) Send(t *testing.T, method, path, body string) []byte {
	t.Helper()
	status, text := v.send(t, method, path, body)
	if status >= 300 {
		t.Fatalf("%s %s: status %d: %s", method, path, status, text)
	}
	return text
}

// Overload limits the requests below a path to one an hour, and makes requests until one is refused.
func (v *Vault) Overload(t *testing.T, below, path string) {
	t.Helper()
	v.Send(t, "POST", "sys/quotas/rate-limit/low", `{"path":"`+below+`","rate":1,"interval":"1h"}`)
	for range 100 { // the limit does not apply at once
		if status, _ := v.send(t, "GET", path, ""); status == http.StatusTooManyRequests {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatal("Vault is not overloaded")
}

func (v *Vault) send(t *testing.T, method, path, body string) (int, []byte) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, v.Address+"/v1/"+path, strings.NewReader(body))
	check(t, err)
	r.Header.Set("X-Vault-Token", v.Token)
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}} //nolint:gosec // it is on this machine
	defer client.CloseIdleConnections()
	answer, err := client.Do(r)
	if err != nil {
		t.Fatal(fmt.Errorf("Vault: %w", err))
	}
	var text bytes.Buffer
	_, err = text.ReadFrom(answer.Body)
	check(t, err)
	check(t, answer.Body.Close())
	return answer.StatusCode, text.Bytes()
}
