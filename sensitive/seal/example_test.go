package seal_test

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"fmt"
	"math/big"

	"github.com/pcatdev/pcat/sensitive/seal"
)

// A text for one node, which opens it with its private key.
func Example() {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		fmt.Println(err)
		return
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		fmt.Println(err)
		return
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		fmt.Println(err)
		return
	}
	sealer, err := seal.NewSealer(certificate, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	sealed, err := sealer.Seal([]byte("s3cret"))
	if err != nil {
		fmt.Println(err)
		return
	}
	opened, err := seal.NewOpener(key).Open(sealed)
	fmt.Printf("%s %v\n", opened, err)
	// Output: s3cret <nil>
}
