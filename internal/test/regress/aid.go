package main

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"time"
)

// Files used by modes, in addition to testdata.
var aids = []Input{
	{"key", []byte("0123456789abcdef0123456789abcdef")},
	{"answers.yaml", []byte("- function: vault_lookup::lookup\n  value: {__ptype: Sensitive, __pvalue: from-the-table-7}\n- function: my::unknown\n  value: [1, {a: b}]\n")},
	{"policy.yaml", []byte("allow: [sprintf, join, inline_epp, \"vault_lookup::*\"]\nmust_be_sensitive: [\"vault_lookup::*\", join]\nno_clear_credentials: true\nno_late_breakage: true\n")},
	{"audit.yaml", []byte(`severities: {url-credentials: low, weak-secret: off}
names: {secret: [settings, "value"], harmless: [pwd]}
allow:
  - {rule: plain-secret-parameter, type: User, reason: known}
  - {parameter: content, type: Profile::*, reason: made up}
`)},
	{"rules.toml", []byte("title = \"own\"\n[extend]\nuseDefault = true\n[[rules]]\nid = \"own-version\"\ndescription = \"A version\"\nregex = '''([0-9]+\\.[0-9]+\\.[0-9]+)'''\nsecretGroup = 1\nkeywords = [\".\"]\n")},
	{"rules.yaml", []byte("rules:\n  - {id: own-exec, when: \"$type == exec and $parameters['timeout'] =~ Integer\", title: An Exec with a limit, severity: low}\n")},
	{"baseline.jsonl", nil},
}

// layAids creates the files used by modes.
func layAids(root, dir string) error {
	inputs := append([]Input{}, aids...)
	for to, from := range map[string]string{
		"modules": filepath.Join("testdata", "catalogs", "modules"),
		"plugins": filepath.Join("testdata", "deferred", "plugins"),
	} {
		if err := os.CopyFS(filepath.Join(dir, to), os.DirFS(filepath.Join(root, from))); err != nil {
			return err
		}
	}
	facts, err := os.ReadFile(filepath.Join(root, "testdata", "catalogs", "rich", "facts.json"))
	if err != nil {
		return err
	}
	inputs = append(inputs, Input{"facts.json", facts})
	for _, name := range []string{"node", "other"} {
		key, certificate, err := identity(name)
		if err != nil {
			return err
		}
		inputs = append(inputs, Input{name + ".key", key}, Input{name + ".pem", certificate})
	}
	return put(dir, inputs)
}

// identity generates the key and the certificate of a node. They differ in each run, but
// both binaries read the same files.
func identity(name string) (key, certificate []byte, err error) {
	private, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return nil, nil, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(7),
		Subject:      pkix.Name{CommonName: name + ".example.com"},
		NotBefore:    time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
		NotAfter:     time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		return nil, nil, err
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return nil, nil, err
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: pkcs8}),
		pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), nil
}
