package privatekey_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"testing"

	"github.com/pcatdev/pcat/audit/internal/privatekey"
)

func TestRecognize(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	sec1, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	public, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name  string
		bytes []byte
		found bool
	}{
		{"SEC 1", sec1, true},
		{"PKCS #8", pkcs8, true},
		{"OpenSSH", []byte("openssh-key-v1\x00\x00\x00\x00\x04none\x00\x00\x00\x04none\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x20aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"), true},
		{"a keytab", append([]byte("\x05\x02\x00\x00\x00\x40"), bytes.Repeat([]byte{0x91, 0x7f}, 40)...), true},
		{"a key store of Java", append([]byte("\xfe\xed\xfe\xed\x00\x00\x00\x02"), bytes.Repeat([]byte{0x91, 0x7f}, 40)...), true},
		{"a key store of Java without keys", javaStore(2), false},
		{"a key store of Java with keys", javaStore(2, 2, 1), true},
		{"a key of Dropbear", sshFields("ssh-ed25519", 64), true},
		{"a key of Dropbear for RSA", sshFields("ssh-rsa", 3, 257, 256, 128, 128), true},
		{"a public key of SSH", sshFields("ssh-ed25519", 32), false},
		{"a public key of SSH for RSA", sshFields("ssh-rsa", 3, 257), false},
		{"a public key", public, false},
		{"an image", append([]byte("\x89PNG\r\n\x1a\n"), bytes.Repeat([]byte{0x91, 0x7f, 0}, 40)...), false},
		{"a truncated key", sec1[:len(sec1)-8], false},
		{"other DER", []byte("\x30\x82\x00\x04\x02\x02\x01\x01"), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, found := privatekey.Recognize(string(tt.bytes)); found != tt.found {
				t.Errorf("found is %v, want %v", found, tt.found)
			}
		})
	}
}

// javaStore returns a Java key store with entries of the given kinds: 1 for a private key,
// 2 for a certificate.
func javaStore(kinds ...byte) []byte {
	b := []byte{0xfe, 0xed, 0xfe, 0xed, 0, 0, 0, 2, 0, 0, 0, byte(len(kinds))}
	for _, k := range kinds {
		b = append(b, 0, 0, 0, k, 0, 1, 'a', 0, 0, 1, 0x8f, 0, 0, 0, 0, 0, 5)
		b = append(b, "X.509\x00\x00\x00\x20"...)
		b = append(b, bytes.Repeat([]byte{0x91}, 32)...)
	}
	return append(b, bytes.Repeat([]byte{0x7f}, 20)...)
}

// sshFields returns fields of the given sizes after the name of a kind of key.
func sshFields(kind string, sizes ...int) []byte {
	b := append([]byte{0, 0, 0, byte(len(kind))}, kind...)
	for _, n := range sizes {
		b = append(b, 0, 0, byte(n>>8), byte(n))
		b = append(b, bytes.Repeat([]byte{0x91}, n)...)
	}
	return b
}
