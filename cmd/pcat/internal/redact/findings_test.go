package redact

import (
	"bytes"
	"context"
	"crypto/x509"
	"encoding/pem"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/sensitive/seal"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// forms are the formats of the files in testdata/catalogs. The plain formats contain no rich
// data, even if they look like it.
var forms = map[string]string{
	"rich.json": "rich-json", "rich.msgpack": "rich-msgpack", "plain.json": "json", "plain.msgpack": "msgpack",
	"resolved.json": "rich-json", "roundtrip.json": "rich-json", "stringified.json": "json", "puppetdb.json": "json",
	"leaks.json": "rich-json",
}

// samples are all catalogs of the repository, in all formats, and one that leaks in all manners.
func samples(t *testing.T) []string {
	t.Helper()
	files := []string{filepath.Join("testdata", "leaks.json")}
	for name := range forms {
		found, err := filepath.Glob(filepath.Join("..", "..", "..", "..", "testdata", "catalogs", "*", name))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	files = slices.DeleteFunc(files, func(file string) bool {
		// Its keys of rich data mean nothing, which no command takes for granted.
		return strings.HasPrefix(filepath.Base(file), "plain.") && filepath.Base(filepath.Dir(file)) == "rich"
	})
	if len(files) < 50 {
		t.Fatalf("only %d catalogs", len(files))
	}
	return files
}

// redacted runs the command on a file.
func redacted(t *testing.T, file, format string, flags ...string) []byte {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := NewCmd(cli.Streams(strings.NewReader(""), &out, &errs))
	cmd.SilenceUsage = true
	cmd.SetArgs(append(flags, "--from", format, file))
	if err := cmd.ExecuteContext(t.Context()); err != nil {
		t.Fatalf("%s %v: %v", file, flags, err)
	}
	return out.Bytes()
}

// leaks returns the findings of an audit by rule, without policies.
func leaks(t *testing.T, data []byte, format string) map[string]int {
	t.Helper()
	f, err := formats.Default().ByName(format)
	if err != nil {
		t.Fatal(err)
	}
	a, err := audit.New(audit.Options{Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	report, err := a.Run(context.Background(), []audit.Input{{Name: "a", Open: func() (*catalog.Reader, io.Closer, error) {
		return catalog.NewReaderBytes(data, f, serialization.DecodeOptions{}), nil, nil
	}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range report.Failures {
		t.Errorf("what is written cannot be read: %v", f)
	}
	rules := map[string]int{}
	for _, f := range report.Findings {
		if f.Class == rule.Leak {
			rules[f.Rule]++
		}
	}
	return rules
}

// node returns the flags to encrypt for a node, which signs for itself.
func node(t *testing.T) []string {
	t.Helper()
	signer, err := seal.NewSigner()
	if err != nil {
		t.Fatal(err)
	}
	key, err := x509.MarshalPKCS8PrivateKey(signer.Key)
	if err != nil {
		t.Fatal(err)
	}
	certificateFile, keyFile := filepath.Join(t.TempDir(), "node.pem"), filepath.Join(t.TempDir(), "node.key")
	for name, block := range map[string]*pem.Block{
		certificateFile: {Type: "CERTIFICATE", Bytes: signer.Certificate.Raw},
		keyFile:         {Type: "PRIVATE KEY", Bytes: key},
	} {
		if err := os.WriteFile(name, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return []string{"--node-cert", certificateFile, "--signer-cert", certificateFile, "--signer-key", keyFile}
}

// modesOf returns the flags of each mode.
func modesOf(t *testing.T) map[string][]string {
	t.Helper()
	key := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(key, []byte("0123456789abcdef0123456789abcdef"), 0o600); err != nil {
		t.Fatal(err)
	}
	return map[string][]string{
		modeMask:      {"--mode", modeMask},
		modeDrop:      {"--mode", modeDrop},
		modeDigest:    {"--mode", modeDigest, "--key-file", key},
		modePseudonym: {"--mode", modePseudonym, "--key-file", key},
		modeEncrypt:   append([]string{"--mode", modeEncrypt}, node(t)...),
	}
}

// An audit finds no secret in the output, and another run does not change it. With --only
// declared, the output has no copy of a Sensitive value.
func TestFindingsAreRedacted(t *testing.T) {
	files := samples(t)
	for mode, flags := range modesOf(t) {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for _, file := range files {
				format := forms[filepath.Base(file)]
				if mode == modeEncrypt && filepath.Base(file) != "rich.json" && filepath.Base(file) != "leaks.json" {
					continue // takes its time, and is for agents, which get rich data
				}
				only := leaks(t, redacted(t, file, format, append([]string{"--only", declared}, flags...)...), format)
				for id, n := range only {
					if strings.HasPrefix(id, "sensitive-") {
						t.Errorf("%s: %d of %s with --only declared", file, n, id)
					}
				}
				out := redacted(t, file, format, flags...)
				if left := leaks(t, out, format); len(left) > 0 {
					t.Errorf("%s: %v", file, left)
				}
				again := filepath.Join(dir, "out")
				if err := os.WriteFile(again, out, 0o600); err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(redacted(t, again, format, flags...), out) {
					t.Errorf("%s: another run changes it", file)
				}
			}
		})
	}
}

// The sample leaks in as many manners as it says.
func TestSampleLeaks(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "leaks.json"))
	if err != nil {
		t.Fatal(err)
	}
	if found := leaks(t, data, "rich-json"); len(found) < 8 {
		t.Errorf("%v", found)
	}
}
