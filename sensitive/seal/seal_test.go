package seal_test

import (
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/smallstep/pkcs7"
	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/sensitive"
	"github.com/pcatdev/pcat/sensitive/seal"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// node creates the certificate and the key of a node.
func node(t *testing.T) (*x509.Certificate, *rsa.PrivateKey) {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(42),
		Subject:      pkix.Name{CommonName: "web01.example.com"},
		NotAfter:     time.Now().Add(time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return certificate, key
}

func sealerFor(t *testing.T, certificate *x509.Certificate) *seal.Sealer {
	t.Helper()
	s, err := seal.NewSealer(certificate, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A signer whose key does not match its certificate is rejected.
func TestSignerOfTwoKeys(t *testing.T) {
	certificate, _ := node(t)
	_, key := node(t)
	if _, err := seal.NewSealer(certificate, &seal.Signer{Certificate: certificate, Key: key}); !errors.Is(err, seal.ErrSigner) {
		t.Errorf("got %v", err)
	}
}

func TestOpenSealed(t *testing.T) {
	certificate, key := node(t)
	s, o := sealerFor(t, certificate), seal.NewOpener(key)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SliceOf(rapid.Byte()).Draw(t, "text")
		sealed, err := s.Seal(text)
		if err != nil {
			t.Fatal(err)
		}
		if len(text) > 8 && strings.Contains(sealed, string(text)) {
			t.Fatal("in clear")
		}
		if !seal.IsSealed(sealed) {
			t.Fatalf("not sealed: %.30s", sealed)
		}
		opened, err := o.Open(sealed)
		if err != nil || !bytes.Equal(opened, text) {
			t.Fatalf("got %q, %v; want %q", opened, err, text)
		}
	})
}

func TestOpenRefuses(t *testing.T) {
	certificate, key := node(t)
	_, other := node(t)
	sealed, err := sealerFor(t, certificate).Seal([]byte("s3cret"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := seal.NewOpener(other).Open(sealed); !errors.Is(err, seal.ErrOpen) {
		t.Errorf("another key: %v", err)
	}
	block, _ := pem.Decode([]byte(sealed))
	for i := 0; i < len(block.Bytes); i += 11 {
		damaged := bytes.Clone(block.Bytes)
		damaged[i] ^= 0x55
		text := string(pem.EncodeToMemory(&pem.Block{Type: "PKCS7", Bytes: damaged}))
		// Some bytes have no meaning, such as the bytes of the issuer's name.
		if got, err := seal.NewOpener(key).Open(text); err == nil && string(got) != "s3cret" {
			t.Errorf("byte %d changed: got %q", i, got)
		}
	}
	for _, text := range []string{"", "x", "-----BEGIN PKCS7-----\nAAAA\n-----END PKCS7-----\n", sealed + sealed} {
		if _, err := seal.NewOpener(key).Open(text); err == nil {
			t.Errorf("%.20q was opened", text)
		}
	}
}

// TestOpenSSL exchanges messages with Ruby's OpenSSL, which the module node_encrypt uses.
func TestOpenSSL(t *testing.T) {
	ruby, err := exec.LookPath("ruby")
	if err != nil || exec.Command(ruby, "-ropenssl", "-e", "").Run() != nil {
		t.Skip("no ruby with OpenSSL here")
	}
	certificate, key := node(t)
	dir := t.TempDir()
	write := func(name string, data []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	sealed, err := sealerFor(t, certificate).Seal([]byte("grüße\r\n\x00\xff"))
	if err != nil {
		t.Fatal(err)
	}
	write("sealed", []byte(sealed))
	write("cert", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate.Raw}))
	write("key", pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)}))
	script := `
		cert = OpenSSL::X509::Certificate.new(File.read('cert')); key = OpenSSL::PKey::RSA.new(File.read('key'))
		signed = OpenSSL::PKCS7.new(OpenSSL::PKCS7.new(File.read('sealed')).decrypt(key, cert))
		abort 'signature' unless signed.verify(nil, OpenSSL::X509::Store.new, nil, OpenSSL::PKCS7::NOVERIFY)
		File.binwrite('opened', signed.data)
		message = OpenSSL::PKCS7.sign(cert, key, "fr\u00f6m ruby\r\n", [], OpenSSL::PKCS7::BINARY).to_der
		%w[AES-128-CFB AES-192-CBC AES-256-CFB].each do |c|
			File.write(c, OpenSSL::PKCS7.encrypt([cert], message, OpenSSL::Cipher.new(c), OpenSSL::PKCS7::BINARY).to_s)
		end`
	cmd := exec.Command(ruby, "-ropenssl", "-e", script)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	opened, err := os.ReadFile(filepath.Join(dir, "opened"))
	if err != nil || string(opened) != "grüße\r\n\x00\xff" {
		t.Errorf("Ruby opened %q, %v", opened, err)
	}
	for _, cipher := range []string{"AES-128-CFB", "AES-192-CBC", "AES-256-CFB"} {
		text, err := os.ReadFile(filepath.Join(dir, cipher))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := seal.NewOpener(key).Open(string(text)); err != nil || string(got) != "fröm ruby\r\n" {
			t.Errorf("%s: got %q, %v", cipher, got, err)
		}
	}
}

func FuzzOpen(f *testing.F) {
	key, err := rsa.GenerateKey(rand.Reader, 1024)
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte{0x30, 0x80})
	f.Fuzz(func(_ *testing.T, message []byte) {
		_, _ = seal.NewOpener(key).Open(string(pem.EncodeToMemory(&pem.Block{Type: "PKCS7", Bytes: message})))
	})
}

const secrets = `{"name":"n","version":1,"resources":[
 {"type":"User","title":"a","parameters":{"password":"correct horse battery","home":"/home/a","groups":["x"]},"sensitive_parameters":["password"]},
 {"type":"Db","title":"b","parameters":{"options":{"user":"u","pin":{"__ptype":"Sensitive","__pvalue":{"value":"t0p s3cret","tries":["one more"]}},
   "raw":{"__ptype":"Sensitive","__pvalue":{"__ptype":"Binary","__pvalue":"AP+A"}}}}}],"edges":[]}`

func read(t *testing.T, text string) *catalog.Reader {
	t.Helper()
	return catalog.NewReaderBytes([]byte(text), formats.RichJSON(), serialization.DecodeOptions{})
}

// TestWayBack encrypts the secrets of a catalog and decrypts them again.
func TestWayBack(t *testing.T) {
	certificate, key := node(t)
	encrypt := func(text string) string {
		c := sensitive.NewCollector(sensitive.CollectOptions{})
		if err := c.Collect(read(t, text)); err != nil {
			t.Fatal(err)
		}
		r := c.Secrets().Redactor(sensitive.NewEncrypt(seal.Function, sealerFor(t, certificate)))
		var b bytes.Buffer
		if err := r.Redact(t.Context(), &b, read(t, text).Format(), read(t, text)); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	sealed := encrypt(secrets)
	// Each has a character that base64 does not have, so that no ciphertext has it by chance.
	for _, secret := range []string{"correct horse", "t0p s3cret", "one more", `"AP+A"`} {
		if strings.Contains(sealed, secret) {
			t.Errorf("%q is left in clear", secret)
		}
	}
	if again := encrypt(sealed); again != sealed {
		t.Error("what is encrypted is encrypted once more")
	}
	var b bytes.Buffer
	format := read(t, sealed).Format()
	if err := catalog.Copy(t.Context(), catalog.NewWriter(&b, format, catalog.WriteOptions{Secrets: serialization.PlainSecrets}), read(t, sealed), seal.NewOpener(key)); err != nil {
		t.Fatal(err)
	}
	want, got := only(t, secrets), only(t, b.String())
	if same, err := catalog.Equal(want, got); err != nil || !same {
		t.Errorf("%v: got %s", err, b.String())
	}
}

func only(t *testing.T, text string) *catalog.Catalog {
	t.Helper()
	for c, err := range read(t, text).Catalogs() {
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	t.Fatal("no catalog")
	return nil
}

// TestUnseal checks calls that node_encrypt itself writes to a catalog.
func TestUnseal(t *testing.T) {
	certificate, key := node(t)
	sealed, err := sealerFor(t, certificate).Seal([]byte("s3cret"))
	if err != nil {
		t.Fatal(err)
	}
	o := seal.NewOpener(key)
	d := pcore.NewDeferred(seal.Function, pcore.NewArray(pcore.String(sealed)))
	for _, tt := range []struct{ v, want pcore.Value }{
		{d, pcore.NewSensitive(pcore.String("s3cret"))},
		{pcore.NewSensitive(d), pcore.NewSensitive(pcore.String("s3cret"))},
		{pcore.NewArray(pcore.Integer(1), d), pcore.NewArray(pcore.Integer(1), pcore.NewSensitive(pcore.String("s3cret")))},
		{pcore.NewDeferred("other", d.Arguments()), pcore.NewDeferred("other", d.Arguments())},
		{pcore.NewDeferred(seal.Function, nil), pcore.NewDeferred(seal.Function, nil)},
	} {
		got, err := o.Value(tt.v)
		if err != nil || !pcore.Identical(got, tt.want) {
			t.Errorf("%s: got %s, %v", tt.v, got, err)
		}
	}
	members := pcore.NewHashBuilder(3)
	members.SetString("type", pcore.String("User"))
	members.SetString("title", pcore.String("a"))
	r, err := catalog.NewResource(members.Hash())
	if err != nil {
		t.Fatal(err)
	}
	opened, err := o.Resource(t.Context(), r.WithParameter("password", d))
	if err != nil {
		t.Fatal(err)
	}
	if v, _, _ := opened.RevealParameter("password"); v != pcore.String("s3cret") || len(opened.SensitiveParameters()) != 1 {
		t.Errorf("got %v, listed %q", v, opened.SensitiveParameters())
	}
	_, other := node(t)
	_, err = seal.NewOpener(other).Resource(t.Context(), r.WithParameter("password", pcore.NewArray(d)))
	if err == nil || err.Error() != "User[a]/password/0: cannot be decrypted with this key" || !errors.Is(err, seal.ErrOpen) {
		t.Errorf("another key: %v", err)
	}
}

func TestParse(t *testing.T) {
	certificate, key := node(t)
	pkcs8, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate.Raw})
	text = append(text, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: pkcs8})...)
	if c, err := seal.ParseCertificate(text); err != nil || !c.Equal(certificate) {
		t.Error(err)
	}
	if k, err := seal.ParseKey(text); err != nil || !k.Equal(key) {
		t.Error(err)
	}
	if _, err := seal.ParseKey([]byte("-----BEGIN EC PRIVATE KEY-----\nAAAA\n-----END EC PRIVATE KEY-----\n")); !errors.Is(err, seal.ErrKeyType) {
		t.Error(err)
	}
	for _, text := range []string{"", "no PEM", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"} {
		if _, err := seal.ParseKey([]byte(text)); err == nil {
			t.Errorf("%q: a key", text)
		}
	}
}

// The error of a message does not depend on what decrypting it gives: with the key, a
// changed message has the same error as without.
func TestOpenTellsNothing(t *testing.T) {
	certificate, key := node(t)
	_, other := node(t)
	sealed, err := sealerFor(t, certificate).Seal([]byte("s3cret"))
	if err != nil {
		t.Fatal(err)
	}
	block, _ := pem.Decode([]byte(sealed))
	opened := func(key *rsa.PrivateKey, message []byte) (string, error) {
		text, err := seal.NewOpener(key).Open(string(pem.EncodeToMemory(&pem.Block{Type: "PKCS7", Bytes: message})))
		return string(text), err
	}
	check := func(name string, message []byte) {
		t.Helper()
		_, unknown := opened(other, message)
		got, err := opened(key, message)
		if err == nil && got == "s3cret" {
			return // the change has no meaning
		}
		if err == nil || unknown == nil || err.Error() != unknown.Error() {
			t.Errorf("%s: %q, %v with the key, %v without", name, got, err, unknown)
		}
	}
	for i := range block.Bytes {
		if i%5 == 0 || i > len(block.Bytes)-40 { // the last blocks have the padding
			changed := bytes.Clone(block.Bytes)
			changed[i] ^= 1 << (i % 8)
			check(fmt.Sprintf("byte %d of %d", i, len(block.Bytes)), changed)
		}
	}
	check("cut", block.Bytes[:len(block.Bytes)-16])
	check("whole", append(bytes.Clone(block.Bytes), 0))
	for name, content := range map[string][]byte{
		"not signed":      []byte("s3cret"),
		"not a message":   {0x30, 0x03, 0x02, 0x01, 0x05},
		"a bad signature": badlySigned(t, certificate, key),
		"empty":           nil,
	} {
		message, err := seal.Envelop(content, certificate)
		if err != nil {
			t.Fatal(err)
		}
		check(name, message)
		if _, err := opened(key, message); err != seal.ErrOpen { //nolint:errorlint // the text must not differ
			t.Errorf("%s: %v", name, err)
		}
	}
}

// badlySigned returns a signed message whose content was changed.
func badlySigned(t *testing.T, certificate *x509.Certificate, key *rsa.PrivateKey) []byte {
	t.Helper()
	signed, err := pkcs7.NewSignedData([]byte("s3cret"))
	if err != nil {
		t.Fatal(err)
	}
	if err := signed.AddSigner(certificate, key, pkcs7.SignerInfoConfig{}); err != nil {
		t.Fatal(err)
	}
	message, err := signed.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Replace(message, []byte("s3cret"), []byte("S3cret"), 1)
}
