// Command vault is a Vault server for tests: in memory, on loopback, with KV and
// the methods AppRole and cert. It prints its address. It is a module of its
// own, because the server has hundreds of dependencies. They are old on purpose:
// version 1.13 is the last one that can be built as a library, under a licence
// that allows it; so checks for vulnerabilities leave this module out.
package main

import (
	"crypto/tls"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"

	log "github.com/hashicorp/go-hclog"
	kv "github.com/hashicorp/vault-plugin-secrets-kv"
	"github.com/hashicorp/vault/builtin/credential/approle"
	"github.com/hashicorp/vault/builtin/credential/cert"
	vhttp "github.com/hashicorp/vault/http"
	"github.com/hashicorp/vault/sdk/helper/consts"
	"github.com/hashicorp/vault/sdk/logical"
	"github.com/hashicorp/vault/sdk/physical/inmem"
	"github.com/hashicorp/vault/vault"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	certFile := flag.String("cert", "", "serve TLS with the certificate in `FILE`")
	keyFile := flag.String("key", "", "its key")
	flag.Parse()
	logger := log.NewNullLogger()
	storage, err := inmem.NewInmem(nil, logger)
	if err != nil {
		return err
	}
	core, err := vault.NewCore(&vault.CoreConfig{
		Physical: storage, DisableMlock: true, Logger: logger,
		LogicalBackends:    map[string]logical.Factory{"kv": kv.Factory},
		CredentialBackends: map[string]logical.Factory{"approle": approle.Factory, "cert": cert.Factory},
		BuiltinRegistry:    registry{},
	})
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	scheme := "http"
	if *certFile != "" {
		scheme = "https"
		pair, err := tls.LoadX509KeyPair(*certFile, *keyFile)
		if err != nil {
			return err
		}
		listener = tls.NewListener(listener, &tls.Config{Certificates: []tls.Certificate{pair}, ClientAuth: tls.RequestClientCert, NextProtos: []string{"http/1.1"}})
	}
	_, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		return err
	}
	fmt.Println(scheme + "://localhost:" + port)
	return http.Serve(listener, vhttp.Handler.Handler(&vault.HandlerProperties{Core: core}))
}

// registry says which plugins are part of the server: mounting fails without one.
type registry struct{}

func builtin(name string) bool { return name == "kv" || name == "approle" || name == "cert" }

func (registry) Contains(name string, _ consts.PluginType) bool { return builtin(name) }

func (registry) Get(name string, _ consts.PluginType) (func() (any, error), bool) {
	return func() (any, error) { return nil, nil }, builtin(name)
}

func (registry) Keys(consts.PluginType) []string { return []string{"kv", "approle", "cert"} }

func (registry) DeprecationStatus(string, consts.PluginType) (consts.DeprecationStatus, bool) {
	return consts.Supported, true
}
