package receiver_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/fleet/internal/receiver"
)

// Only a status of 2xx is success. Neither a redirect is followed, nor does an error show the
// address or the answer.
func TestPost(t *testing.T) {
	reached := false
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	defer other.Close()
	status := http.StatusNoContent
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if user, password, _ := r.BasicAuth(); r.URL.Path != "/tok3n/events" || r.URL.RawQuery != "key=hunter2" || user != "ann" || password != "hunter2" {
			t.Errorf("got %s for %s", r.URL, user)
		}
		w.Header().Set("Content-Type", "text/plain")
		w.Header().Set("Location", other.URL)
		w.WriteHeader(status)
		_, _ = w.Write([]byte("no: " + r.URL.Path))
	}))
	defer server.Close()
	settings := filepath.Join(t.TempDir(), "http.yaml")
	if err := os.WriteFile(settings, []byte("follow_redirects: true\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	address := strings.Replace(server.URL, "http://", "http://ann:hunter2@", 1) + "/tok3n?key=hunter2"
	for _, file := range []string{"", settings} {
		r, err := receiver.New(address, "events", file)
		if err != nil {
			t.Fatal(err)
		}
		status = http.StatusNoContent
		if err := r.Post(t.Context(), "application/json", []byte("[]")); err != nil {
			t.Error(err)
		}
		for _, status = range []int{http.StatusTemporaryRedirect, http.StatusSeeOther, http.StatusBadRequest, http.StatusBadGateway} {
			err := r.Post(t.Context(), "application/json", []byte("[]"))
			refused, ok := errors.AsType[*receiver.RefusedError](err)
			if !ok || refused.Status != status || string(refused.Answer) != "no: /tok3n/events" {
				t.Fatalf("status %d: %v", status, err)
			}
			if want := server.URL + ": HTTP status "; !strings.HasPrefix(err.Error(), want) || strings.ContainsAny(strings.TrimPrefix(err.Error(), want), "@/?") {
				t.Errorf("status %d: %v", status, err)
			}
		}
	}
	if reached {
		t.Error("a redirect was followed")
	}
	server.Close()
	r, err := receiver.New(address, "events", "")
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Post(t.Context(), "application/json", nil); err == nil || !strings.HasPrefix(err.Error(), server.URL+": dial tcp") || strings.Contains(err.Error(), "tok3n") || strings.Contains(err.Error(), "ann") {
		t.Error(err)
	}
}

// Errors about settings have the file and the line, and no value.
func TestSettings(t *testing.T) {
	file := filepath.Join(t.TempDir(), "http.yaml")
	for text, want := range map[string]string{
		"basic_auth:\n  username: x\n  password: [hunter2]\n":           file + ": the HTTP settings are not valid (line 3)",
		"basic_auth:\n  username: x\n  hunter2: x\n":                    file + ": the HTTP settings are not valid (line 3)",
		"basic_auth: hunter2\n":                                         file + ": the HTTP settings are not valid (line 1)",
		"tls_config:\n  insecure_skip_verify: hunter2\n":                file + ": the HTTP settings are not valid (line 2)",
		"a: b\n  hunter2: 'x\n":                                         file + ": the HTTP settings are not valid (line ",
		"proxy_url: 'http://ann:hunter2@h:port'\n":                      file + ": the HTTP settings are not valid",
		"bearer_token: hunter2\nbasic_auth: {username: a}\n":            file + ": the HTTP settings are not valid",
		"authorization: {type: basic, credentials: hunter2}\n":          file + ": the HTTP settings are not valid",
		"tls_config:\n  ca: hunter2\n":                                  "",
		"tls_config:\n  cert: hunter2\n  key: hunter2\n":                "",
		"basic_auth: {username: a, password_file: hunter}\n":            "ok",
		"basic_auth:\n  username: x\n  password: \"line 5: hunter2\"\n": "ok",
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := receiver.New("http://h", "", file)
		if (err == nil) != (want == "ok") || err != nil && (strings.Contains(err.Error(), "hunter2") || !strings.HasPrefix(err.Error(), want)) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
	if _, err := receiver.New("http://h", "", file+"x"); !errors.Is(err, os.ErrNotExist) || strings.Count(err.Error(), file) != 1 {
		t.Error(err)
	}
}
