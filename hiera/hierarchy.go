package hiera

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/convert"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/function/stdlib"
	"github.com/pcatdev/pcat/pcore/typeexpr"
)

// Options say where the data of a [Hierarchy] is.
type Options struct {
	// Global is the path of the hiera.yaml of the global layer. It can be empty.
	Global string
	// Environment is the folder of an environment, with its hiera.yaml. It can be empty.
	Environment string
	// Files reads the configurations and the data. It decides which files may be read, and finds
	// the modules.
	Files function.Files
	// Types resolves the types that convert_to names. It can be nil.
	Types typeexpr.Resolver
	// Reference is the Puppet to be like.
	Reference pcore.Reference
	// Decrypt returns the plain text of an encrypted value, given its method, which is PKCS7, and
	// its data in Base64. If it is nil, an encrypted value is the error [ErrNoKey].
	Decrypt func(method, data string) (string, error)
	// PlainSecrets returns decrypted values as they are, as Puppet does, and shows the values that
	// become Sensitive in explanations. By default, decrypted values are Sensitive.
	PlainSecrets bool
}

// Hierarchy looks up keys in the data of the global layer, an environment and its modules. It
// reads each file once. It is safe for concurrent use.
type Hierarchy struct {
	options Options
	types   *types
	helpers *function.Registry

	mu                sync.Mutex
	files             map[string]string
	size              int
	warned            map[string]bool
	global            *layer
	environment       *layer
	environmentRead   bool
	modules           map[string]*layer
	exists            map[string]bool
	lookupOptions     map[string]*keyOptions // by module
	moduleDefaults    map[string]*keyOptions
	globalOptions     pcore.Value
	globalOptionsRead bool
	sharedOptions     pcore.Value
	sharedOptionsRead bool
	own               marks
}

// New returns a Hierarchy. It reads the configurations of the global layer and of the environment
// when they are first needed.
func New(o Options) (*Hierarchy, error) {
	for _, path := range []*string{&o.Global, &o.Environment} {
		if *path == "" {
			continue
		}
		abs, err := filepath.Abs(*path)
		if err != nil {
			return nil, err
		}
		*path = abs
	}
	helpers, err := stdlib.New(o.Reference)
	if err != nil {
		return nil, err
	}
	t, err := newTypes()
	if err != nil {
		return nil, err
	}
	return &Hierarchy{
		options: o, types: t, helpers: helpers, files: map[string]string{}, warned: map[string]bool{},
		modules: map[string]*layer{}, exists: map[string]bool{}, lookupOptions: map[string]*keyOptions{},
		moduleDefaults: map[string]*keyOptions{},
	}, nil
}

// Query is a lookup.
type Query struct {
	// Keys are searched for in order; the first with a value counts.
	Keys []string
	// Type is the type that the value must have. It can be nil.
	Type pcore.Type
	// Merge is the name of a strategy (first, unique, hash, deep), or a hash with the strategy
	// and its options. Nil uses the lookup_options.
	Merge pcore.Value
	// Override has values that take precedence over the data, DefaultValues values for keys
	// without data. Both can be nil.
	Override, DefaultValues *pcore.Hash
	// Default is the value if none is found. Nil makes that an error, unless Otherwise is set.
	Default pcore.Value
	// Otherwise returns the value if none is found. It takes precedence over Default.
	Otherwise func() (pcore.Value, error)
	// Explanation records the lookup. It can be nil.
	Explanation *Explanation

	name                    pcore.Value // the argument of the function, for its block
	globalUnlessEnvironment bool        // as the functions of Hiera 3
}

// Lookup returns the value of the first of the keys that has one. The variables and the limits are
// those of env. The errors are an [Error], which wraps [ErrNotFound] if no value is found, and those
// of the environment.
func (h *Hierarchy) Lookup(ctx context.Context, env *function.Env, q Query) (pcore.Value, error) {
	v, err := h.search(ctx, env, &q)
	if err == nil || !errors.Is(err, errNoKey) {
		return v, err
	}
	return otherwise(h, &q)
}

// search is Lookup without defaults other than those by key. It holds the lock.
func (h *Hierarchy) search(ctx context.Context, env *function.Env, q *Query) (v pcore.Value, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	inv := &invocation{h: h, ctx: ctx, env: env, explain: q.Explanation, override: q.Override, defaults: q.DefaultValues}
	if q.Explanation != nil {
		q.Explanation.start(env.Memory)
		defer func() {
			if q.Explanation.full != nil {
				v, err = nil, q.Explanation.full
			}
		}()
	}
	if q.globalUnlessEnvironment {
		l, err := inv.environmentLayer()
		if err != nil {
			return nil, err
		}
		inv.globalOnly = l == nil
	}
	return inv.first(*q)
}

// first returns the value of the first key that has one.
func (inv *invocation) first(q Query) (pcore.Value, error) {
	for _, name := range q.Keys {
		if v, ok := inv.override.GetString(name); ok {
			return v, inv.h.assert("Value found for key '"+name+"' in override hash", q.Type, v)
		}
		v, err := inv.search(name, q.Merge)
		if err == errNoKey { //nolint:errorlint // a sentinel that is never wrapped
			continue
		}
		if err != nil {
			return nil, err
		}
		return v, inv.h.assert("Found value", q.Type, v)
	}
	for _, name := range q.Keys {
		if v, ok := inv.defaults.GetString(name); ok {
			return v, inv.h.assert("Value found for key '"+name+"' in default values hash", q.Type, v)
		}
	}
	return nil, errNoKey
}

// find is Lookup for a lookup inside of another one.
func (inv *invocation) find(q Query) (pcore.Value, error) {
	v, err := inv.first(q)
	if err == errNoKey { //nolint:errorlint // a sentinel that is never wrapped
		return otherwise(inv.h, &q)
	}
	return v, err
}

// otherwise returns the default of a query.
func otherwise(h *Hierarchy, q *Query) (pcore.Value, error) {
	switch {
	case q.Otherwise != nil:
		v, err := q.Otherwise()
		if err != nil {
			return nil, err
		}
		return v, h.assert("Value returned from default block", q.Type, v)
	case q.Default != nil:
		return q.Default, h.assert("Default value", q.Type, q.Default)
	case len(q.Keys) == 1:
		return nil, &Error{Message: fmt.Sprintf("Function lookup() did not find a value for the name '%s'", q.Keys[0]), cause: ErrNotFound}
	default:
		names := make([]string, len(q.Keys))
		for i, k := range q.Keys {
			names[i] = "'" + k + "'"
		}
		return nil, &Error{
			Message: fmt.Sprintf("Function lookup() did not find a value for any of the names [%s]", strings.Join(names, ", ")),
			cause:   ErrNotFound,
		}
	}
}

// search returns the value of a key in all layers.
func (inv *invocation) search(name string, merge pcore.Value) (pcore.Value, error) {
	if name == lookupOptions || strings.HasPrefix(name, lookupOptions+".") {
		inv.explain.leaf(&node{kind: invalidKeyNode, key: lookupOptions, hasKey: true})
		return nil, errNoKey
	}
	k, err := parseKey(name)
	if err != nil {
		return nil, err
	}
	inv.top, inv.module = k.text, k.module
	if inv.explain != nil && inv.explain.OptionsOnly {
		s := inv.hashStrategy()
		if _, err := inv.layers(optionsLookupKey(), s); err != nil && err != errNoKey { //nolint:errorlint // likewise
			return nil, err
		}
		return pcore.Undef{}, nil
	}
	options, err := inv.options(k)
	if err != nil {
		return nil, err
	}
	if merge == nil || pcore.Is[pcore.Undef](merge) {
		if m, ok := options.GetString("merge"); ok && !pcore.Is[pcore.Undef](m) {
			merge = m
			inv.explain.leaf(&node{kind: mergeSourceNode, name: lookupOptions})
		}
	}
	conversion, err := inv.h.conversion(k, options)
	secret := err != nil || conversion.isSecret() // a type that is not known could be a Sensitive
	var v pcore.Value
	var failure error
	inv.explain.hide(secret && !inv.h.options.PlainSecrets, func() { // the value is found before err counts
		inv.with(&node{kind: topNode, key: k.text, hasKey: true}, func() { v, failure = inv.data(k, merge) })
	})
	if failure != nil {
		return nil, failure
	}
	if err != nil {
		return nil, err
	}
	return conversion.apply(inv, k, v)
}

// data returns the value of a key, or of the default hierarchy of its module.
func (inv *invocation) data(k key, merge pcore.Value) (pcore.Value, error) {
	s, err := newStrategy(inv.h, merge)
	if err != nil {
		return nil, err
	}
	v, err := inv.layers(k, s)
	if err != errNoKey || inv.globalOnly { //nolint:errorlint // likewise
		return v, err
	}
	if v, err = inv.inDefaults(k); err != nil {
		return nil, err
	}
	return k.dig(inv, v)
}

// layers returns the value of a key in the three layers.
func (inv *invocation) layers(k key, s *strategy) (v pcore.Value, err error) {
	if inv.globalOnly {
		v, err = inv.inGlobal(k, s)
	} else {
		all := []func(key, *strategy) (pcore.Value, error){inv.inGlobal, inv.inEnvironment, inv.inModule}
		v, err = s.lookup(inv, len(all), func(i int) (pcore.Value, error) { return all[i](k, s) })
	}
	if err != nil {
		return nil, err
	}
	return k.dig(inv, v)
}

func (inv *invocation) inGlobal(k key, s *strategy) (pcore.Value, error) {
	v, err := inv.check(k.text, func() (pcore.Value, error) {
		l, err := inv.globalLayer()
		if err != nil {
			return nil, err
		}
		return l.find(inv, k, s, false)
	})
	if e, ok := errors.AsType[*Error](err); ok && e.kind == lookupKind {
		return nil, &Error{Message: fmt.Sprintf("Lookup of key '%s' failed: %s", inv.top, e.Message), kind: puppetKind, cause: e.cause}
	}
	return v, err
}

func (inv *invocation) inEnvironment(k key, s *strategy) (pcore.Value, error) {
	l, err := inv.environmentLayer()
	if err != nil {
		return nil, err
	}
	if l == nil {
		return nil, errNoKey
	}
	return l.lookup(inv, k, s, false)
}

func (inv *invocation) inModule(k key, s *strategy) (pcore.Value, error) {
	if inv.module == "" {
		return nil, errNoKey
	}
	l, exists, err := inv.moduleOf(inv.module)
	switch {
	case err != nil:
		return nil, err
	case l == nil && !exists:
		inv.explain.leaf(&node{kind: moduleNode, name: inv.module, event: eventModuleNotFound})
		return nil, errNoKey
	case l == nil:
		inv.explain.leaf(&node{kind: moduleNode, name: inv.module, event: eventProviderNotFound})
		return nil, errNoKey
	}
	return l.lookup(inv, k, s, false)
}

// inDefaults returns the value of a key in the default hierarchy of its module.
func (inv *invocation) inDefaults(k key) (v pcore.Value, err error) {
	if inv.module == "" {
		return nil, errNoKey
	}
	l, _, err := inv.moduleOf(inv.module)
	if err != nil {
		return nil, err
	}
	if l == nil {
		return nil, errNoKey
	}
	if _, ok := l.config.data.GetString(defaultHierarchyKey); !ok {
		return nil, errNoKey
	}
	inv.with(&node{kind: scopeNode, name: fmt.Sprintf("Searching default_hierarchy of module %q", inv.module)}, func() {
		v, err = inv.inDefaultHierarchy(l, k)
	})
	return v, err
}

func (inv *invocation) inDefaultHierarchy(l *layer, k key) (v pcore.Value, err error) {
	o, ok := inv.h.moduleDefaults[inv.module]
	if !ok {
		meta := inv.inside()
		meta.top, meta.module = lookupOptions, inv.module
		inv.with(&node{kind: scopeNode, name: `Searching for "lookup_options"`}, func() {
			v, err = l.lookup(meta, optionsLookupKey(), inv.hashStrategy(), true)
		})
		if err == errNoKey { //nolint:errorlint // likewise
			v, err = nil, nil
		}
		if err == nil {
			err = validOptions(v, inv.module)
		}
		if err == nil {
			o, err = compileOptions(v)
		}
		if err != nil {
			return nil, err
		}
		inv.h.moduleDefaults[inv.module] = o
	}
	options, err := o.of(k)
	if err != nil {
		return nil, err
	}
	merge, _ := options.GetString("merge")
	s, err := newStrategy(inv.h, merge)
	if err != nil {
		return nil, err
	}
	inv.with(&node{kind: scopeNode, name: `Searching for "` + k.text + `"`}, func() { v, err = l.lookup(inv, k, s, true) })
	return v, err
}

// maxSize is the maximum size of all files of a Hierarchy, in bytes.
const maxSize = 256 << 20

// read returns the text of a file. found is false if there is none.
func (h *Hierarchy) read(inv *invocation, path string) (text string, found bool, err error) {
	if text, ok := h.files[path]; ok {
		return text, true, nil
	}
	if _, found, err = h.options.Files.Find(0, path); err != nil || !found {
		return "", false, err
	}
	content, err := h.options.Files.ReadFile(path, func(n int) error {
		if h.size += n; h.size > maxSize {
			return lookupErrorf("the files of the hierarchy have more than %d bytes", maxSize)
		}
		return inv.env.Budget.Spend(n)
	})
	if errors.Is(err, fs.ErrNotExist) {
		return "", false, nil
	}
	if err != nil {
		return "", false, err
	}
	h.files[path] = string(content)
	return h.files[path], true, nil
}

// isFolder reports whether a path is a folder.
func (h *Hierarchy) isFolder(path string) (bool, error) {
	folders, ok := h.options.Files.(function.Folders)
	if !ok {
		return false, nil
	}
	mode, err := folders.FileType(path, true)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return mode.IsDir(), err
}

// tools is the environment of the functions that the lookup itself calls.
func (h *Hierarchy) tools(inv *invocation) *function.Env {
	return &function.Env{
		Functions: h.helpers, Files: h.options.Files, Budget: inv.env.Budget, Memory: inv.env.Memory, Now: inv.env.Now,
		Allow: func(*function.Function) error { return nil },
	}
}

// warn logs a message once.
func (inv *invocation) warn(text string) {
	if inv.env.Log != nil && !inv.h.warned[text] {
		inv.h.warned[text] = true
		inv.env.Log(function.Warning, text)
	}
}

// assert returns an error if v does not have the type.
func (h *Hierarchy) assert(subject string, t pcore.Type, v pcore.Value) error {
	if t == nil {
		return nil
	}
	plain := h.bare(v)
	if pcore.Contains(t, plain) {
		return nil
	}
	subject += " has wrong type,"
	if plain != v || function.HoldsSecret(v) {
		return puppetErrorf("%s", pcore.DescribeMismatch(subject, t, pcore.Generalize(pcore.Infer(plain))))
	}
	return puppetErrorf("%s", pcore.Mismatch(subject, t, v).Error())
}

// conversion is the option convert_to.
type conversion struct {
	t    pcore.Type
	args []pcore.Value
}

// conversion returns the conversion of a key; nil for none.
func (h *Hierarchy) conversion(k key, options *pcore.Hash) (*conversion, error) {
	v, ok := options.GetString("convert_to")
	if !ok || pcore.Is[pcore.Undef](v) {
		return nil, nil
	}
	list, ok := v.(*pcore.Array)
	if !ok {
		list = pcore.NewArray(v)
	}
	c := &conversion{}
	first := pcore.Value(pcore.Undef{})
	if list.Len() > 0 {
		first = list.At(0)
	}
	switch first := first.(type) {
	case pcore.Type:
		c.t = first
	case pcore.String:
		t, err := typeexpr.Parse(string(first), h.options.Types)
		if err != nil {
			return nil, lookupErrorf("Invalid data type in lookup_options for key '%s' could not parse '%s', error: '%s", k.text, string(first), err)
		}
		c.t = t
	default:
		return nil, lookupErrorf("The convert_to lookup_option for key '%s' raised error: 'new' %s", k.text,
			pcore.Mismatch("parameter 'type'", &pcore.TypeType{}, first).Error())
	}
	for i := 1; i < list.Len(); i++ {
		c.args = append(c.args, list.At(i))
	}
	return c, nil
}

// isSecret reports whether the result can be or contain a Sensitive. It can if a type is not known, as an alias in a
// module that is not there. Such a conversion fails.
func (c *conversion) isSecret() (secret bool) {
	if c == nil {
		return false
	}
	pcore.WalkType(c.t, func(t pcore.Type) bool {
		switch t.(type) {
		case *pcore.SensitiveType, *pcore.TypeReferenceType, *pcore.ResourceType:
			secret = true
		default:
		}
		return !secret
	})
	return secret
}

// apply converts a value.
func (c *conversion) apply(inv *invocation, k key, v pcore.Value) (pcore.Value, error) {
	if c == nil {
		return v, nil
	}
	plain := inv.h.bare(v)
	secret := plain != v
	converted, err := inv.h.tools(inv).Call(inv.ctx, "new", append([]pcore.Value{c.t, plain}, c.args...), nil)
	if err != nil {
		cause := c.failure(err)
		if secret {
			cause = function.ErrWithheld.Error()
		}
		return nil, lookupErrorf("The convert_to lookup_option for key '%s' raised error: %s", k.text, cause)
	}
	shown := pcore.NewArray(append([]pcore.Value{c.t}, c.args...)...)
	inv.explain.text("Applying convert_to lookup_option with arguments " + shown.String())
	if secret {
		converted = inv.h.secret(converted)
	}
	return converted, nil
}

// failure returns the message for a failed conversion.
func (c *conversion) failure(err error) string {
	if failed, ok := errors.AsType[*convert.Error](err); ok && failed.Constructor != "" {
		return "'" + failed.Constructor + "' " + failed.Error()
	}
	if errors.Is(err, pcore.ErrNotCreatable) {
		return "Creation of new instance of type '" + pcore.TypeText(c.t) + "' is not supported"
	}
	if failed, ok := errors.AsType[*function.Error](err); ok {
		return failed.Err.Error()
	}
	return err.Error()
}

// types are the types that lookups check.
type types struct {
	config, hash, unique    pcore.Type
	first, uniq, hashO, dee pcore.Type
	free                    pcore.Type
}

const (
	optionName = `Pattern[/\A[A-Za-z](:?[0-9A-Za-z_-]*[0-9A-Za-z])?\z/]`
	entryTypes = `Struct[{'name' => String[1], Optional['options'] => Hash[` + optionName + `, Data],
		Optional['data_hash'] => String[1], Optional['lookup_key'] => String[1], Optional['hiera3_backend'] => String[1],
		Optional['v4_data_hash'] => String[1], Optional['data_dig'] => String[1], Optional['path'] => String[1],
		Optional['paths'] => Array[String[1], 1], Optional['glob'] => String[1], Optional['globs'] => Array[String[1], 1],
		Optional['uri'] => String[1], Optional['uris'] => Array[String[1], 1], Optional['mapped_paths'] => Array[String[1], 3, 3],
		Optional['datadir'] => String[1]}]`
	configType = `Struct[{'version' => Integer[5, 5], Optional['defaults'] => Struct[{Optional['data_hash'] => String[1],
		Optional['lookup_key'] => String[1], Optional['data_dig'] => String[1], Optional['datadir'] => String[1],
		Optional['options'] => Hash[` + optionName + `, Data]}], Optional['hierarchy'] => Array[` + entryTypes + `],
		Optional['plan_hierarchy'] => Array[` + entryTypes + `], Optional['default_hierarchy'] => Array[` + entryTypes + `]}]`
	deepOptions = `Struct[{'strategy' => Optional[Pattern[/deep/]], 'knockout_prefix' => Optional[String], 'merge_debug' => Optional[Boolean],
		'merge_hash_arrays' => Optional[Boolean], 'sort_merged_arrays' => Optional[Boolean]}]`
)

func newTypes() (*types, error) {
	t := &types{}
	for _, p := range []struct {
		to   *pcore.Type
		text string
	}{
		{&t.config, configType},
		{&t.hash, "Hash[String, Data]"},
		{&t.unique, "Variant[Scalar, Array[Data]]"},
		{&t.first, "Struct[{'strategy' => Optional[Pattern[/first/]]}]"},
		{&t.uniq, "Struct[{'strategy' => Optional[Pattern[/unique/]]}]"},
		{&t.hashO, "Struct[{'strategy' => Optional[Pattern[/hash/]]}]"},
		{&t.dee, deepOptions},
		{&t.free, "Hash[String[1], Any]"},
	} {
		var err error
		if *p.to, err = typeexpr.Parse(p.text, nil); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// options returns the type of the options of a strategy.
func (t *types) options(strategy string) pcore.Type {
	switch strategy {
	case hashStrategy:
		return t.hashO
	case uniqueStrategy:
		return t.uniq
	case deepStrategy:
		return t.dee
	case unconstrainedStrategy, reverseStrategy:
		return t.free
	default:
		return t.first
	}
}
