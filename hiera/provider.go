package hiera

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/pcatdev/pcat/internal/ruby/rubytext"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// The functions that read data.
const (
	yamlData  = "yaml_data"
	jsonData  = "json_data"
	hoconData = "hocon_data"
	eyamlKey  = "eyaml_lookup_key"
)

// fileData is what an entry knows of one of its files.
type fileData struct {
	hash   *pcore.Hash            // of data_hash, or not decrypted
	values map[string]pcore.Value // of lookup_key
}

// lookup returns the value of a key of an entry.
func (e *entry) lookup(inv *invocation, k key, s *strategy) (v pcore.Value, err error) {
	inv.with(&node{kind: providerNode, provider: func() string { return `Hierarchy entry "` + e.name + `"` }}, func() {
		if e.everyone {
			v, err = s.lookup(inv, 1, func(int) (pcore.Value, error) { return e.value(inv, nil, k) })
			return
		}
		v, err = s.lookup(inv, len(e.locations), func(i int) (v pcore.Value, err error) {
			l := &e.locations[i]
			inv.with(&node{kind: pathNode, name: l.path, original: l.original}, func() {
				if !l.exists {
					inv.explain.missingLocation()
					err = errNoKey
					return
				}
				v, err = e.value(inv, l, k)
			})
			return v, err
		})
	})
	return v, err
}

// value returns the value of a key in one file.
func (e *entry) value(inv *invocation, l *location, k key) (pcore.Value, error) {
	supported := e.function == dataHashKey && (e.provider == yamlData || e.provider == jsonData) || e.function == lookupKeyKey && e.provider == eyamlKey
	if supported && l != nil && l.uri {
		return nil, e.config.fail(0, "hierarchy '%s': data at a URI is not supported; only files are read", e.name)
	}
	path := ""
	if l != nil {
		path = l.path
	}
	switch {
	case !supported:
		return nil, e.refusal()
	case e.function == dataHashKey:
		if l == nil {
			return nil, generalErrorf("'%s' one of 'path', 'paths' 'glob', 'globs' or 'mapped_paths' must be declared in hiera.yaml when using this data_hash function", e.provider)
		}
		return e.hashValue(inv, path, k)
	default:
		if l == nil {
			return nil, generalErrorf("'eyaml_lookup_key': one of 'path', 'paths' 'glob', 'globs' or 'mapped_paths' must be declared in hiera.yaml when using this lookup_key function")
		}
		return e.eyamlValue(inv, path, k)
	}
}

// refusal returns the error for a function that is not supported.
func (e *entry) refusal() error {
	const supported = "supported are data_hash: yaml_data and json_data, lookup_key: eyaml_lookup_key"
	reason := "its code cannot be run"
	switch {
	case e.function == hiera3Key:
		reason = "backends of Hiera 3 need Ruby"
	case e.provider == hoconData:
		reason = "HOCON is not read; convert the file to YAML or JSON"
	}
	return e.config.fail(0, "hierarchy '%s': %s %s is not supported: %s; %s", e.name, e.function, e.provider, reason, supported)
}

// fullName returns the name of an entry's function for messages.
func (e *entry) fullName() string { return e.function + " function '" + e.provider + "'" }

func (e *entry) file(path string) *fileData {
	d := e.data[path]
	if d == nil {
		d = &fileData{}
		e.data[path] = d
	}
	return d
}

// hashValue returns the value of a key of a file that is read as a hash.
func (e *entry) hashValue(inv *invocation, path string, k key) (pcore.Value, error) {
	d := e.file(path)
	if d.hash == nil {
		h, err := e.readHash(inv, path)
		if err != nil {
			return nil, err
		}
		d.hash = e.config.layer.ownKeys(inv, h, fmt.Sprintf("Value returned from %s, when using location '%s',", e.fullName(), path))
	}
	raw, ok := d.hash.GetString(k.root)
	if !ok {
		inv.explain.notFound(k.root)
		return nil, errNoKey
	}
	if err := validValue(raw, fmt.Sprintf("Value for key '%s', in hash returned from %s, when using location '%s',", k.root, e.fullName(), path)); err != nil {
		return nil, err
	}
	v, err := inv.interpolate(raw, true)
	if err != nil {
		return nil, err
	}
	inv.explain.found(k.root, v)
	return v, nil
}

// validValue returns an error for a value that data cannot have.
func validValue(v pcore.Value, subject string) error {
	odd := func(v pcore.Value) (found, inside bool) {
		return pcore.Is[pcore.Symbol](v) || pcore.Is[pcore.Timestamp](v), true
	}
	if pcore.Search(v, odd) {
		return puppetErrorf("%s has wrong type, expects Puppet::LookupValue, got %s", subject, pcore.TypeText(pcore.Infer(v)))
	}
	return nil
}

// readHash reads a file.
func (e *entry) readHash(inv *invocation, path string) (*pcore.Hash, error) {
	content, found, err := inv.h.read(inv, path)
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, generalErrorf("No such file or directory - %s", path)
	}
	if e.provider == jsonData {
		v, err := inv.h.tools(inv).Call(inv.ctx, "parsejson", []pcore.Value{pcore.String(content)}, nil)
		if err != nil {
			return nil, lookupErrorf("Unable to parse (%s): %s", path, err)
		}
		h, ok := v.(*pcore.Hash)
		if !ok {
			return nil, inv.h.assert(fmt.Sprintf("Value returned from %s, when using location '%s',", e.fullName(), path), &pcore.HashType{}, v)
		}
		return h, nil
	}
	return e.yamlHash(inv, path, content)
}

// yamlHash returns the hash of a YAML file.
func (e *entry) yamlHash(inv *invocation, path, content string) (*pcore.Hash, error) {
	v, ok, err := loadYAML(content)
	if err != nil {
		return nil, lookupErrorf("Unable to parse (%s): %s", path, err)
	}
	if h, isHash := v.(*pcore.Hash); isHash {
		return textKeys(h).(*pcore.Hash), nil
	}
	message := path + ": file does not contain a valid yaml hash"
	if ok && v != pcore.Value(pcore.Boolean(false)) && inv.h.options.Reference != pcore.Puppet7 {
		return nil, lookupErrorf("%s", message)
	}
	inv.warn(message)
	return pcore.NewHash(), nil
}

// eyamlValue returns the value of a key of a file with encrypted texts.
func (e *entry) eyamlValue(inv *invocation, path string, k key) (v pcore.Value, err error) {
	d := e.file(path)
	if d.hash == nil {
		content, found, err := inv.h.read(inv, path)
		if err != nil {
			return nil, err
		}
		if !found {
			return nil, generalErrorf("No such file or directory - %s", path)
		}
		if d.hash, err = e.yamlHash(inv, path, content); err != nil {
			return nil, err
		}
		d.values = map[string]pcore.Value{}
	}
	v, ok := d.values[k.root]
	if !ok {
		raw, found := d.hash.GetString(k.root)
		if !found {
			inv.explain.notFound(k.root)
			return nil, errNoKey
		}
		if v, err = e.decrypted(inv, raw, path, k.root); err != nil {
			return nil, err
		}
		if err := validValue(v, fmt.Sprintf("Value for key '%s', returned from %s, when using location '%s',", k.root, e.fullName(), path)); err != nil {
			return nil, err
		}
		d.values[k.root] = v
	}
	inv.explain.found(k.root, v)
	return v, nil
}

// decrypted returns a value with its encrypted texts in plain, and its expressions replaced.
func (e *entry) decrypted(inv *invocation, v pcore.Value, path, name string) (pcore.Value, error) {
	switch v := v.(type) {
	case pcore.String:
		return e.decryptedText(inv, string(v), path, name)
	case *pcore.Array:
		elems := make([]pcore.Value, v.Len())
		for i, x := range v.All() {
			var err error
			if elems[i], err = e.decrypted(inv, x, path, name); err != nil {
				return nil, err
			}
		}
		return pcore.NewArray(elems...), nil
	case *pcore.Hash:
		b := pcore.NewHashBuilder(v.Len())
		for k, x := range v.All() {
			k, err := inv.interpolate(k, true)
			if err != nil {
				return nil, err
			}
			if x, err = e.decrypted(inv, x, path, name); err != nil {
				return nil, err
			}
			b.Set(k, x)
		}
		return b.Hash(), nil
	default:
		return v, nil
	}
}

func (e *entry) decryptedText(inv *invocation, text, path, name string) (v pcore.Value, err error) {
	plain, encrypted, err := decryptAll(text, inv.h.options.Decrypt)
	if err != nil {
		return nil, &Error{Message: fmt.Sprintf("hiera-eyaml backend error decrypting a value when looking up %s in %s. Error was %s", name, path, err), cause: err}
	}
	if !encrypted {
		return inv.interpolate(pcore.String(text), true)
	}
	plain = rubytext.Chomp(plain)
	if inv.h.options.PlainSecrets {
		return inv.interpolate(pcore.String(plain), true)
	}
	quiet := inv
	if inv.explain != nil && !inv.explain.ShowSecrets && strings.Contains(plain, "%{") {
		inv.explain.leaf(&node{kind: interpolateNode, name: pcore.RedactedText})
		unexplained := *inv
		unexplained.explain = nil // the names are parts of the secret
		quiet = &unexplained
	}
	if v, err = quiet.interpolate(pcore.String(plain), true); err != nil {
		return nil, inv.withheld(err, path, name)
	}
	return inv.h.secret(v), nil
}

// withheld returns the error for a decrypted value whose interpolation has failed. The failure quotes the value.
func (inv *invocation) withheld(err error, path, name string) error {
	for _, limit := range []error{function.ErrBudget, function.ErrMemory} {
		if errors.Is(err, limit) {
			return limit
		}
	}
	if inv.ctx.Err() != nil {
		return context.Cause(inv.ctx)
	}
	return generalErrorf("the decrypted value has an invalid interpolation: '%s' in %s", name, path)
}
