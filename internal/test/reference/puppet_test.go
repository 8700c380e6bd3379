package reference

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/sensitive"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

const catalogs = "../../../testdata/catalogs"

// installed is the command of the installed Puppet.
const installed = "puppet"

// requirePuppet skips the test with -short, or if Puppet is not installed.
func requirePuppet(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath(installed); err != nil {
		t.Skip("Puppet is not installed; apt-get install puppet-agent ruby-msgpack, or run .ci/run")
	}
	requireRuby(t)
}

// requireRuby skips the test with -short, or if Ruby or its MessagePack is not installed.
func requireRuby(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("it runs Ruby")
	}
	if err := exec.Command("ruby", "-rjson", "-rmsgpack", "-e", "").Run(); err != nil {
		t.Skip("Ruby with msgpack is not installed; apt-get install ruby-msgpack, or run .ci/run")
	}
}

// names returns the names of the catalogs in testdata.
func names(t *testing.T) []string {
	t.Helper()
	var index map[string]json.RawMessage
	if err := json.Unmarshal(read(t, filepath.Join(catalogs, "index.json")), &index); err != nil {
		t.Fatal(err)
	}
	var all []string
	for name := range index {
		all = append(all, name)
	}
	return all
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func format(t *testing.T, name string) serialization.Format {
	t.Helper()
	f, err := formats.Default().ByName(name)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// convert converts a catalog to another format, as pcat convert does.
func convert(t *testing.T, data []byte, from, to string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := catalog.NewWriter(&out, format(t, to), catalog.WriteOptions{Secrets: serialization.PlainSecrets})
	r := catalog.NewReaderBytes(data, format(t, from), serialization.DecodeOptions{})
	if err := catalog.Copy(t.Context(), w, r); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// findings returns the findings of an audit of a catalog in rich JSON.
func findings(t *testing.T, data []byte) (found []sensitive.Found) {
	t.Helper()
	a, err := audit.New(audit.Options{KeepSecrets: true})
	if err != nil {
		t.Fatal(err)
	}
	report, err := a.Run(t.Context(), []audit.Input{{Name: "catalog", Open: func() (*catalog.Reader, io.Closer, error) {
		return catalog.NewReaderBytes(data, format(t, "rich-json"), serialization.DecodeOptions{}), nil, nil
	}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range report.Findings {
		if f.Class == rule.Leak && f.Secret != nil {
			found = append(found, sensitive.Found{Secret: f.Secret, Spelled: f.Spelled, At: f.At, Start: f.Start})
		}
	}
	return found
}

// redact removes the secrets of a catalog in rich JSON, and the given findings,
// as pcat redact does.
func redact(t *testing.T, data []byte, m sensitive.Masker, found ...sensitive.Found) []byte {
	t.Helper()
	rich := format(t, "rich-json")
	reader := func() *catalog.Reader {
		return catalog.NewReaderBytes(data, rich, serialization.DecodeOptions{})
	}
	c := sensitive.NewCollector(sensitive.CollectOptions{})
	if err := c.Collect(reader()); err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		if err := c.Add(f); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	if err := c.Secrets().Redactor(m).Redact(t.Context(), &out, rich, reader()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
