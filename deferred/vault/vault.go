// Package vault answers calls of vault_lookup::lookup, the function of the
// module puppet/vault_lookup, from HashiCorp Vault or OpenBao.
//
//	Vault    a provider of the function, with its tokens and answers
//	Options  the variables and the TLS settings that it uses
//
// The function in Ruby has the same arguments, answers and errors.
// Besides, one run logs in once for each role and reads each path once, a
// request is repeated when Vault is overloaded, and `auth_method` may be
// `token`, which takes VAULT_TOKEN.
//
// A call sends a request to another machine, so that a policy must allow
// [function.UsesNetwork].
//
// # Secrets
//
// The result is always Sensitive. Errors contain the address, the path and the
// messages of Vault, and never a token or an argument that is a secret.
package vault

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// Name is the name of the function.
const Name = "vault_lookup::lookup"

// Options are the settings of a [Vault].
type Options struct {
	// Getenv returns the environment variables that count: VAULT_ADDR,
	// VAULT_NAMESPACE, VAULT_AUTH_METHOD, VAULT_ROLE_ID, VAULT_SECRET_ID,
	// VAULT_AGENT_SINK_FILE and VAULT_TOKEN. Nil means that none is set.
	Getenv func(name string) string
	// TLS returns the settings of connections: the certificate of the node, for
	// the method cert, and the authorities. It is called before the first
	// connection with TLS. Nil means the system's authorities and no
	// certificate.
	TLS func() (*tls.Config, error)
	// Advice is appended to errors about variables that are not set. Empty
	// appends nothing.
	Advice string
}

// Vault is a provider that has one function. It keeps tokens and answers until
// it is discarded. It implements [function.Finder] and is safe for concurrent
// use.
type Vault struct {
	options  Options
	function *function.Function

	mu      sync.Mutex
	clients map[string]*client
	tokens  map[login]*kept[string]
	answers map[secretKey]*kept[pcore.Value]
}

// New returns a provider. It connects to nothing.
func New(o Options) (*Vault, error) {
	if o.Getenv == nil {
		o.Getenv = func(string) string { return "" }
	}
	v := &Vault{
		options: o,
		clients: map[string]*client{}, tokens: map[login]*kept[string]{}, answers: map[secretKey]*kept[pcore.Value]{},
	}
	functions := function.NewRegistry()
	if err := functions.Add(v.lookup()); err != nil {
		return nil, err
	}
	v.function, _ = functions.Function(Name)
	return v, nil
}

// Function implements [function.Finder].
func (v *Vault) Function(name string) (*function.Function, bool) {
	return v.function, name == Name
}

// parameters are the optional parameters after the path, in their order.
var parameters = []string{
	"vault_addr", "cert_path_segment", "cert_role", "namespace", "auth_namespace", "field",
	"auth_method", "role_id", "secret_id", "approle_path_segment", "agent_sink_file",
}

func (v *Vault) lookup() function.Function {
	return function.Function{
		Name:             Name,
		Doc:              "Returns a secret in Vault, as a Sensitive. Without a field, it is a hash of all fields.",
		Source:           "puppet/vault_lookup",
		Effects:          function.UsesNetwork,
		HandlesSensitive: true,
		Dispatches: []function.Dispatch{
			{
				Text: "String path, String vault_addr?, Optional[String] cert_path_segment?, String cert_role?, String namespace?, " +
					"Optional[String] auth_namespace?, String field?, Enum[cert, approle, agent, agent_sink, token] auth_method?, " +
					"String role_id?, String secret_id?, Optional[String] approle_path_segment?, String agent_sink_file? >> Sensitive",
				Call: func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
					given := map[string]string{}
					for i, arg := range args[1:] {
						if text, ok := arg.(pcore.String); ok {
							given[parameters[i]] = string(text)
						}
					}
					return v.call(c, args[0], given)
				},
			},
			{
				Text: "String[1] path, Hash[String[1], Data] options >> Sensitive",
				Call: func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
					given := map[string]string{}
					options, _ := args[1].(*pcore.Hash)
					for _, name := range parameters {
						switch value, _ := options.GetString(name); value := value.(type) {
						case pcore.String:
							given[name] = string(value)
						case nil, pcore.Undef:
						default:
							return nil, fmt.Errorf("the option %s is not a String", name)
						}
					}
					return v.call(c, args[0], given)
				},
			},
		},
	}
}

// secretKey identifies an answer. The way to a token does not count, as in the function in Ruby.
type secretKey struct{ address, namespace, path string }

// call makes a call with the parameters that were given.
func (v *Vault) call(c *function.Call, path pcore.Value, given map[string]string) (pcore.Value, error) {
	get := func(name, variable string) string {
		if value, ok := given[name]; ok {
			return value
		}
		return v.options.Getenv(variable)
	}
	text, _ := path.(pcore.String)
	key := secretKey{
		address: get("vault_addr", "VAULT_ADDR"), namespace: get("namespace", "VAULT_NAMESPACE"),
		path: strings.TrimPrefix(string(text), "/"),
	}
	if key.address == "" {
		return nil, v.unset("no vault_addr given and VAULT_ADDR env variable not set")
	}
	address, err := url.Parse(key.address)
	if err != nil || address.Hostname() == "" || address.User != nil {
		return nil, fmt.Errorf("unable to parse a hostname from %s", withoutUser(key.address))
	}
	data, err := v.answer(key).get(c.Context(), func(ctx context.Context) (pcore.Value, error) {
		token, err := v.token(ctx, address, key.namespace, given, get)
		if err != nil {
			return nil, err
		}
		return v.read(ctx, address, key, token)
	})
	if err != nil {
		return nil, err
	}
	if err := c.Hold(function.SizeOf(data)); err != nil {
		return nil, err
	}
	if field, ok := given["field"]; ok {
		hash, ok := data.(*pcore.Hash)
		if !ok {
			return nil, errNoData
		}
		data, _ = hash.GetString(field)
		if data == nil {
			data = pcore.Undef{}
		}
	}
	return pcore.NewSensitive(data), nil
}

// unset returns an error about a variable that is not set.
func (v *Vault) unset(text string) error {
	if v.options.Advice != "" {
		text += "; " + v.options.Advice
	}
	return errors.New(text)
}

// withoutUser returns an address without a user and a password.
func withoutUser(address string) string {
	if at := strings.LastIndex(address, "@"); at >= 0 {
		return "…" + address[at:]
	}
	return address
}

func (v *Vault) answer(key secretKey) *kept[pcore.Value] {
	v.mu.Lock()
	defer v.mu.Unlock()
	return entry(v.answers, key)
}

// entry returns the entry of a map, which it makes if it is missing.
func entry[K comparable, V any](all map[K]*kept[V], key K) *kept[V] {
	found := all[key]
	if found == nil {
		found = &kept[V]{}
		all[key] = found
	}
	return found
}

// kept is the result of a request that is made once, unless it was interrupted, or failed
// temporarily and the caller makes it again.
type kept[T any] struct {
	mu    sync.Mutex
	known bool
	value T
	err   error
}

func (k *kept[T]) get(ctx context.Context, request func(context.Context) (T, error)) (T, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.known {
		return k.value, k.err
	}
	value, err := request(ctx)
	if ctx.Err() != nil {
		return value, context.Cause(ctx)
	}
	if _, temporary := errors.AsType[*function.TemporaryError](err); temporary && function.IsSingleAttempt(ctx) {
		return value, err
	}
	k.known, k.value, k.err = true, value, err
	return value, err
}

// login identifies a token.
type login struct {
	address, namespace, method, path string
	body                             string // of the request, with the secret of a role
}

// token returns the token for a call, or nothing if none is sent.
func (v *Vault) token(ctx context.Context, address *url.URL, namespace string, given map[string]string, get func(name, variable string) string) (string, error) {
	method := get("auth_method", "VAULT_AUTH_METHOD")
	l := login{address: address.String(), namespace: namespace, method: method}
	if own, ok := given["auth_namespace"]; ok {
		l.namespace = own
	}
	switch method {
	case "agent": // the agent of Vault at the address adds its token
		return "", nil
	case "token":
		if token := v.options.Getenv("VAULT_TOKEN"); token != "" {
			return token, nil
		}
		return "", v.unset("VAULT_TOKEN env variable not set")
	case "agent_sink":
		file := get("agent_sink_file", "VAULT_AGENT_SINK_FILE")
		if file == "" {
			return "", v.unset("agent_sink_file must be defined when using the agent_sink auth method")
		}
		return readSink(file)
	case "", "cert":
		l.path = segment(given, "cert_path_segment", "v1/auth/cert/")
		if role, ok := given["cert_role"]; ok {
			l.body = bodyOf(map[string]string{"name": role})
		}
	case "approle":
		role, secret := get("role_id", "VAULT_ROLE_ID"), get("secret_id", "VAULT_SECRET_ID")
		if role == "" {
			return "", v.unset("role_id and VAULT_ROLE_ID are both nil")
		}
		if secret == "" {
			return "", v.unset("secret_id and VAULT_SECRET_ID are both nil")
		}
		l.path = segment(given, "approle_path_segment", "v1/auth/approle/")
		l.body = bodyOf(map[string]string{"role_id": role, "secret_id": secret})
	default:
		return "", fmt.Errorf("unknown auth_method %q; use cert, approle, agent, agent_sink or token", method)
	}
	v.mu.Lock()
	token := entry(v.tokens, l)
	v.mu.Unlock()
	return token.get(ctx, func(ctx context.Context) (string, error) { return v.logIn(ctx, address, l) })
}

func segment(given map[string]string, name, otherwise string) string {
	if path, ok := given[name]; ok {
		return strings.TrimSuffix(path, "/") + "/"
	}
	return otherwise
}

// readSink returns the token in a file of an agent of Vault.
func readSink(file string) (string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("the agent_sink_file does not exist or is not readable: %s", file)
	}
	return strings.TrimRight(string(text), "\r\n"), nil
}
