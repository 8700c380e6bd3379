package detect_test

import (
	"archive/zip"
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/audit/internal/detect"
	"github.com/pcatdev/pcat/audit/internal/leaf"
	"github.com/pcatdev/pcat/audit/internal/verdict"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// find returns the hits in a parameter of a resource.
func find(t testing.TB, resource, parameter string, value any) []detect.Hit {
	t.Helper()
	hits, _ := scan(t, resource, parameter, value)
	return hits
}

// in returns the hits in a leaf.
func in(s *detect.Scanner, l *leaf.Leaf) (hits []detect.Hit) {
	for t := range s.Texts(l) {
		hits = slices.AppendSeq(hits, t.Hits())
	}
	return hits
}

// scan returns the hits in a parameter, and whether it was searched completely.
func scan(t testing.TB, resource, parameter string, value any) (hits []detect.Hit, whole bool) {
	t.Helper()
	document, err := json.Marshal(map[string]any{"name": "n", "resources": []any{
		map[string]any{"type": resource, "title": "x", "parameters": map[string]any{parameter: value}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	form := formats.RichJSON()
	whole = true
	scanner := detect.New(verdict.Names{}).Scanner()
	r := catalog.NewReaderBytes(document, form, serialization.DecodeOptions{})
	if err := new(leaf.Walker).Walk(r, "x", leaf.Visitor{Leaf: func(l *leaf.Leaf) {
		hits = append(hits, in(scanner, l)...)
		whole = whole && scanner.Complete()
	}}); err != nil {
		t.Fatal(err)
	}
	return hits, whole
}

func binary(b []byte) any {
	return map[string]any{"__ptype": "Binary", "__pvalue": base64.StdEncoding.EncodeToString(b)}
}

// TestTable checks that each column with the name of a secret is searched.
func TestTable(t *testing.T) {
	var got []string
	document := `{"resources":[{"type":"File","title":"/etc/users.csv","parameters":{"content":"name;password;mail;api_token\nana;Xk9-vLm2!q;a@x;Zq8wK2mP5vT7nR1s\nbo;short\r\ncy;Rt7#pLq9!z;c@x;Vb3nM8kQ1xW6tY2h\r\n"}}]}`
	scanner := detect.New(verdict.Names{}).Scanner()
	form := formats.RichJSON()
	r := catalog.NewReaderBytes([]byte(document), form, serialization.DecodeOptions{})
	if err := new(leaf.Walker).Walk(r, "x", leaf.Visitor{Leaf: func(l *leaf.Leaf) {
		for _, h := range in(scanner, l) {
			if h.Rule != detect.UnnamedSecret {
				got = append(got, h.Name+"="+h.Secret)
			}
		}
	}}); err != nil {
		t.Fatal(err)
	}
	want := "password=Xk9-vLm2!q api_token=Zq8wK2mP5vT7nR1s password=short password=Rt7#pLq9!z api_token=Vb3nM8kQ1xW6tY2h"
	if text := strings.Join(got, " "); text != want {
		t.Errorf("got %s, want %s", text, want)
	}
}

// TestDecoded finds secrets in decoded parts of a text: by the path of a member of an
// archive, and keys. It checks their encodings.
func TestDecoded(t *testing.T) {
	const secret = "k7Xq9-zzW"
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	pgpass := zipped(t, "home/app/.pgpass", "db1:*:*:app:"+secret+"\n")
	for _, tt := range []struct {
		value                   any
		rule, secret, encodings string
	}{
		{"password = " + secret + "\n", "secret-in-content", secret, ""},
		{binary([]byte("password = " + secret + "\n")), "secret-in-content", secret, "binary"},
		{binary(pgpass), "secret-in-content", secret, "binary zip"},
		{"a: b\nc: " + b64(pgpass) + "\n", "secret-in-content", secret, "base64 zip"},
		{binary([]byte("c: " + b64(pgpass) + "\n")), "secret-in-content", secret, "binary base64 zip"},
		{"app_secret = " + b64([]byte(strings.Repeat("a: b\n", 40)+"password = "+secret+" # of the client\n"+strings.Repeat("c: d\n", 200))), "secret-in-content", secret, "base64"},
		{binary(der), "private-key", string(der), "binary"},
		{b64(der), "private-key", string(der), "base64"},
	} {
		found := false
		for _, h := range find(t, "File", "content", tt.value) {
			found = found || h.Rule == tt.rule && h.Secret == tt.secret && strings.Join(h.Encodings, " ") == tt.encodings
		}
		if !found {
			t.Errorf("%s: not found behind %q", tt.rule, tt.encodings)
		}
	}
}

func b64(b []byte) string { return base64.StdEncoding.EncodeToString(b) }

// zipped returns an archive with one member.
func zipped(t testing.TB, name, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	m, err := w.Create(name)
	if err == nil {
		_, err = m.Write([]byte(text))
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestSealed checks that no token is found in the base64 of an encrypted message. Text
// around the message is searched.
func TestSealed(t *testing.T) {
	const token = "LTAI5tQx7Rk2VwNz8Bc4Yd9F"
	message := "-----BEGIN PKCS7-----\nMIIBmwYJKoZIhvcNAQcDoIIBjDCCAYgCAQAx\n/" + token + "/\n-----END PKCS7-----"
	if hits := hitsOf(t, message+"\n"); len(hits) != 0 {
		t.Errorf("found in a message: %v", hits)
	}
	for _, text := range []string{"key " + token, message + "\nkey " + token, "key " + token + "\n" + message} {
		if hits := hitsOf(t, text); len(hits) == 0 {
			t.Errorf("not found in %q", text)
		}
	}
}
