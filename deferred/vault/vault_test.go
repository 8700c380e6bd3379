package vault_test

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pcatdev/pcat/deferred/vault"
	"github.com/pcatdev/pcat/internal/test/live"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
	"github.com/pcatdev/pcat/serialization/richdata"
)

var record = flag.String("record", "", "write the calls, with the addresses of this run, to `FILE`, for testdata/ask.rb, and wait until it is removed")

// question is a call, with the answer of the function in Ruby: a value, or an error.
type question struct {
	Arguments   json.RawMessage   `json:"arguments"`
	Environment map[string]string `json:"environment,omitempty"`
	Value       json.RawMessage   `json:"value,omitempty"`
	Error       string            `json:"error,omitempty"`
}

// TestAnswers makes the calls of testdata/calls.jsonl against a Vault. The answers there
// are those of the function in Ruby (puppet/vault_lookup at 2025-10, Puppet 7.23) to the
// same calls of the same Vault.
func TestAnswers(t *testing.T) {
	server := live.StartVault(t, live.Files{})
	values := prepare(t, server)
	for number, q := range questions(t) {
		t.Run(fmt.Sprint(number+1), func(t *testing.T) {
			text := replaced(string(q.Arguments), values)
			env := map[string]string{}
			for name, value := range q.Environment {
				env[name] = replaced(value, values)
			}
			got, err := lookup(t.Context(), vault.Options{Getenv: func(name string) string { return env[name] }}, text)
			switch {
			case q.Error != "" && (err == nil || !strings.EqualFold(strings.TrimPrefix(err.Error(), vault.Name+"(): "), replaced(q.Error, values))):
				t.Errorf("%s\ngot  %v, %v\nwant %s", text, got, err, replaced(q.Error, values))
			case q.Error == "" && err != nil:
				t.Errorf("%s: %v", text, err)
			case q.Error == "" && got != replaced(string(q.Value), values):
				t.Errorf("%s\ngot  %s\nwant %s", text, got, replaced(string(q.Value), values))
			}
		})
	}
	if *record != "" {
		recordCalls(t, *record, values)
	}
}

// prepare stores secrets and roles, and returns the values of the variables in the questions.
func prepare(t *testing.T, v *live.Vault) map[string]string {
	t.Helper()
	v.Send(t, "POST", "sys/mounts/secret", `{"type":"kv","options":{"version":"2"}}`)
	v.Send(t, "POST", "sys/mounts/kv", `{"type":"kv","options":{"version":"1"}}`)
	v.Send(t, "POST", "secret/data/db", `{"data":{"password":"s3cret","user":"app","port":5432,"ratio":1.5,"tags":["a",null,true],"more":{"z":1,"a":2}}}`)
	v.Send(t, "POST", "secret/data/db", `{"data":{"password":"s3cret2","user":"app"}}`)
	v.Send(t, "POST", "secret/data/deep/path/x", `{"data":{"k":"v"}}`)
	v.Send(t, "POST", "kv/db", `{"password":"one","big":9007199254740993}`)
	v.Send(t, "POST", "kv/data", `{"data":"inner","other":"x"}`)
	v.Send(t, "POST", "kv/hash", `{"data":{"k":"v"}}`)
	v.Send(t, "PUT", "sys/policies/acl/read", `{"policy":"path \"secret/*\" { capabilities = [\"read\"] }\npath \"kv/*\" { capabilities = [\"read\"] }"}`)
	v.Send(t, "POST", "sys/auth/approle", `{"type":"approle"}`)
	v.Send(t, "POST", "sys/auth/other", `{"type":"approle"}`)
	values := map[string]string{"{ADDRESS}": v.Address}
	for _, path := range []string{"approle", "other"} {
		v.Send(t, "POST", "auth/"+path+"/role/r", `{"token_policies":["read"]}`)
		var role struct {
			Data struct {
				ID string `json:"role_id"`
			}
		}
		check(t, json.Unmarshal(v.Send(t, "GET", "auth/"+path+"/role/r/role-id", ""), &role))
		var secret struct {
			Data struct {
				ID string `json:"secret_id"`
			}
		}
		check(t, json.Unmarshal(v.Send(t, "POST", "auth/"+path+"/role/r/secret-id", "{}"), &secret))
		values["{"+strings.ToUpper(path)+"_ROLE}"], values["{"+strings.ToUpper(path)+"_SECRET}"] = role.Data.ID, secret.Data.ID
	}
	sink := filepath.Join(t.TempDir(), "sink")
	check(t, os.WriteFile(sink, []byte(v.Token+"\n"), 0o600))
	values["{SINK}"], values["{TOKEN}"] = sink, v.Token
	wrong := filepath.Join(t.TempDir(), "wrong")
	check(t, os.WriteFile(wrong, []byte("hvs.wrong"), 0o600))
	values["{WRONG}"] = wrong
	return values
}

func questions(t *testing.T) []question {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "calls.jsonl"))
	check(t, err)
	var all []question
	for line := range strings.Lines(string(text)) {
		var q question
		check(t, json.Unmarshal([]byte(line), &q))
		all = append(all, q)
	}
	return all
}

// recordCalls writes a catalog with all calls.
func recordCalls(t *testing.T, file string, values map[string]string) {
	t.Helper()
	var lines strings.Builder
	for _, q := range questions(t) {
		text, err := json.Marshal(q)
		check(t, err)
		lines.WriteString(replaced(string(text), values) + "\n")
	}
	check(t, os.WriteFile(file, []byte(lines.String()), 0o600))
	for { // the server is asked until the file is removed
		if _, err := os.Stat(file); err != nil {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
}

func replaced(text string, values map[string]string) string {
	for name, value := range values {
		text = strings.ReplaceAll(text, name, value)
	}
	return text
}

// lookup makes a call with arguments in rich JSON, and returns the content of its result as JSON.
func lookup(ctx context.Context, o vault.Options, arguments string) (string, error) {
	v, err := vault.New(o)
	if err != nil {
		return "", err
	}
	return call(ctx, v, arguments)
}

func call(ctx context.Context, v *vault.Vault, arguments string) (string, error) {
	args, err := formats.RichJSON().Decode([]byte(arguments), serialization.DecodeOptions{Types: richdata.Types{}})
	if err != nil {
		return "", err
	}
	list, _ := args.(*pcore.Array)
	var values []pcore.Value
	for _, value := range list.All() {
		values = append(values, value)
	}
	env := &function.Env{Functions: v, Allow: func(*function.Function) error { return nil }}
	result, err := env.Call(ctx, vault.Name, values, nil)
	if err != nil {
		return "", err
	}
	secret, ok := result.(*pcore.Sensitive)
	if !ok {
		return "", fmt.Errorf("the result is a %T", result)
	}
	text, err := formats.JSON().Append(nil, secret.Reveal(), serialization.EncodeOptions{})
	return string(text), err
}

// Equal calls log in once and read once; a failed read is not repeated either.
func TestOneRead(t *testing.T) {
	var logins, reads atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasSuffix(r.URL.Path, "/login"):
			logins.Add(1)
			_, _ = w.Write([]byte(`{"auth":{"client_token":"t0ken"}}`))
		case r.Header.Get("X-Vault-Token") != "t0ken":
			w.WriteHeader(http.StatusForbidden)
		case strings.HasSuffix(r.URL.Path, "/none"):
			reads.Add(1)
			w.WriteHeader(http.StatusNotFound)
			_, _ = w.Write([]byte(`{"errors":[]}`))
		default:
			reads.Add(1)
			_, _ = w.Write([]byte(`{"data":{"a":"1","b":"2"}}`))
		}
	}))
	defer server.Close()
	v, err := vault.New(vault.Options{})
	check(t, err)
	options := `{"vault_addr":"` + server.URL + `","auth_method":"approle","role_id":"r","secret_id":"s"`
	for _, tt := range []struct{ path, field, want string }{{"kv/x", "a", `"1"`}, {"kv/x", "b", `"2"`}, {"kv/y", "a", `"1"`}} {
		got, err := call(t.Context(), v, `["`+tt.path+`",`+options+`,"field":"`+tt.field+`"}]`)
		if err != nil || got != tt.want {
			t.Errorf("%v: got %s, %v", tt, got, err)
		}
	}
	for range 2 {
		if _, err := call(t.Context(), v, `["kv/none",`+options+`}]`); err == nil || !strings.Contains(err.Error(), "received 404 response code from vault at "+server.URL+"/v1/kv/none for secret lookup") {
			t.Errorf("got %v", err)
		}
	}
	if logins.Load() != 1 || reads.Load() != 3 {
		t.Errorf("%d logins and %d reads, want 1 and 3", logins.Load(), reads.Load())
	}
}

// An overloaded server is asked again, a redirect is not followed, and no error has a token.
func TestFaults(t *testing.T) {
	t.Setenv("VAULT_TOKEN", "t0ken-Of-The-Shell")
	t.Setenv("VAULT_NAMESPACE", "shell")
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Vault-Token")+r.Header.Get("X-Vault-Namespace") != "" {
			t.Errorf("variables of the environment were sent: %v", r.Header)
		}
		switch {
		case strings.HasSuffix(r.URL.Path, "/busy") && asked.Add(1) == 1:
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(http.StatusTooManyRequests)
		case strings.HasSuffix(r.URL.Path, "/moved"):
			http.Redirect(w, r, "http://127.0.0.1:1/v1/kv/x", http.StatusTemporaryRedirect)
		case strings.HasSuffix(r.URL.Path, "/deep"):
			_, _ = w.Write([]byte(`{"data":{"a":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + `}}`))
		case strings.HasSuffix(r.URL.Path, "/text"):
			_, _ = w.Write([]byte(`no JSON`))
		default:
			_, _ = w.Write([]byte(`{"data":{"a":"1"}}`))
		}
	}))
	defer server.Close()
	for path, want := range map[string]string{
		"kv/busy": "", "kv/moved": "redirects", "kv/deep": "error parsing json", "kv/text": "error parsing json",
	} {
		_, err := lookup(t.Context(), vault.Options{}, `["`+path+`",{"vault_addr":"`+server.URL+`","auth_method":"agent"}]`)
		if (err == nil) != (want == "") || err != nil && (!strings.Contains(err.Error(), want) && path != "kv/moved" || strings.Contains(err.Error(), "t0ken")) {
			t.Errorf("%s: got %v, want %q", path, err, want)
		}
	}
}

// The method cert uses the certificate of the node.
func TestCertificate(t *testing.T) {
	ca := live.NewCA(t, t.TempDir())
	server := live.StartVault(t, ca.Issue(t, "localhost", soon(), "localhost"))
	node := ca.Issue(t, "web01", soon())
	authority, err := os.ReadFile(ca.File)
	check(t, err)
	quoted, err := json.Marshal(string(authority))
	check(t, err)
	server.Send(t, "POST", "sys/mounts/kv", `{"type":"kv","options":{"version":"1"}}`)
	server.Send(t, "POST", "kv/x", `{"a":"1"}`)
	server.Send(t, "PUT", "sys/policies/acl/read", `{"policy":"path \"kv/*\" { capabilities = [\"read\"] }"}`)
	server.Send(t, "POST", "sys/auth/cert", `{"type":"cert"}`)
	server.Send(t, "POST", "auth/cert/certs/nodes", `{"certificate":`+string(quoted)+`,"token_policies":["read"]}`)
	options := func(f live.Files) vault.Options {
		return vault.Options{TLS: func() (*tls.Config, error) { return clientTLS(ca.File, f) }}
	}
	got, err := lookup(t.Context(), options(node), `["kv/x","`+server.Address+`",null,"nodes"]`)
	if err != nil || got != `{"a":"1"}` {
		t.Errorf("got %s, %v", got, err)
	}
	_, err = lookup(t.Context(), options(live.Files{}), `["kv/x","`+server.Address+`"]`)
	if err == nil || !strings.Contains(err.Error(), "received 400 response code from vault at "+server.Address+"/v1/auth/cert/login for authentication") {
		t.Errorf("got %v", err)
	}
	_, err = lookup(t.Context(), vault.Options{}, `["kv/x","`+server.Address+`"]`)
	if err == nil || !strings.Contains(err.Error(), "certificate signed by unknown authority") {
		t.Errorf("got %v", err)
	}
}
