package redact

import (
	"errors"
	"os"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/sensitive/seal"
	"github.com/pcatdev/pcat/serialization/formats"
)

// sealer returns a sealer that encrypts for the node of --node-cert.
func (opts *Options) sealer() (*seal.Sealer, error) {
	if opts.NodeCert == "" {
		return nil, cli.Usage("--mode encrypt needs --node-cert FILE, the certificate of the node")
	}
	if to, err := formats.Default().ByName(opts.Write.To); err == nil && !to.Rich {
		return nil, cli.Usage("--mode encrypt writes Deferred calls, which %s cannot represent; use a rich format", to.Name)
	}
	node, err := fromFile(opts.NodeCert, seal.ParseCertificate)
	if err != nil {
		return nil, err
	}
	signer, err := opts.signer()
	if err != nil {
		return nil, err
	}
	sealer, err := seal.NewSealer(node, signer)
	switch {
	case errors.Is(err, seal.ErrSigner):
		return nil, cli.BadInput(opts.SignerKey, "", err)
	case err != nil:
		return nil, cli.BadInput(opts.NodeCert, "", err)
	}
	return sealer, nil
}

// signer returns that of the flags, nil without any.
func (opts *Options) signer() (*seal.Signer, error) {
	if opts.SignerCert == "" && opts.SignerKey == "" {
		return nil, nil //nolint:nilnil // nil asks for one to be made
	}
	if opts.SignerCert == "" || opts.SignerKey == "" {
		return nil, cli.Usage("--signer-cert and --signer-key must be used together")
	}
	certificate, err := fromFile(opts.SignerCert, seal.ParseCertificate)
	if err != nil {
		return nil, err
	}
	key, err := fromFile(opts.SignerKey, seal.ParseKey)
	if err != nil {
		return nil, err
	}
	return &seal.Signer{Certificate: certificate, Key: key}, nil
}

func fromFile[T any](name string, parse func([]byte) (T, error)) (T, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		var none T
		return none, cli.BadInput(name, "", err)
	}
	v, err := parse(text)
	if err != nil {
		return v, cli.BadInput(name, "", err)
	}
	return v, nil
}
