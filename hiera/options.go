package hiera

import (
	"strings"

	"github.com/pcatdev/pcat/internal/ruby/rubyre"
	"github.com/pcatdev/pcat/internal/ruby/rubytext"
	"github.com/pcatdev/pcat/pcore"
)

// keyOptions are lookup_options, by key and by pattern.
type keyOptions struct {
	keys     map[string]pcore.Value
	patterns []patternOptions
}

type patternOptions struct {
	pattern *rubyre.Regexp
	value   pcore.Value
}

// compileOptions separates the patterns of lookup_options; nil for none.
func compileOptions(v pcore.Value) (*keyOptions, error) {
	h, ok := v.(*pcore.Hash)
	if !ok {
		return nil, nil
	}
	o := &keyOptions{keys: map[string]pcore.Value{}}
	for k, e := range h.All() {
		name := rubytext.Text(k)
		if !strings.HasPrefix(name, "^") {
			o.keys[name] = e
			continue
		}
		pattern, err := rubyre.Compile(name)
		if err != nil {
			return nil, generalErrorf("lookup_options: %v", err)
		}
		o.patterns = append(o.patterns, patternOptions{pattern, e})
	}
	return o, nil
}

// of returns the options of a key; nil for none.
func (o *keyOptions) of(k key) (*pcore.Hash, error) {
	if o == nil {
		return nil, nil
	}
	if v, ok := o.keys[k.root]; ok && !pcore.Is[pcore.Undef](v) {
		h, _ := v.(*pcore.Hash)
		return h, nil
	}
	for _, p := range o.patterns {
		match, err := p.pattern.MatchString(k.root)
		if err != nil {
			return nil, generalErrorf("lookup_options: %v", err)
		}
		if match {
			h, _ := p.value.(*pcore.Hash)
			return h, nil
		}
	}
	return nil, nil
}

// validOptions returns an error unless a value has the form of lookup_options, for keys of the
// module if there is one.
func validOptions(v pcore.Value, module string) error {
	if v == nil || pcore.Is[pcore.Undef](v) {
		return nil
	}
	h, ok := v.(*pcore.Hash)
	if !ok {
		return lookupErrorf("value of %s must be a hash", lookupOptions)
	}
	if module == "" {
		return nil
	}
	prefix := module + "::"
	for k := range h.All() {
		name := rubytext.Text(k)
		switch pattern, ok := strings.CutPrefix(name, "^"); {
		case ok && !strings.HasPrefix(pattern, prefix):
			return lookupErrorf("all %s patterns must match a key starting with module name '%s'", lookupOptions, module)
		case !ok && !strings.HasPrefix(name, prefix):
			return lookupErrorf("all %s keys must start with module name '%s'", lookupOptions, module)
		}
	}
	return nil
}

// options returns the lookup_options of a key; nil for none.
func (inv *invocation) options(k key) (*pcore.Hash, error) {
	h := inv.h
	o, ok := h.lookupOptions[k.module]
	if !ok {
		meta := inv.inside()
		meta.top, meta.module = lookupOptions, inv.module
		var err error
		meta.with(&node{kind: topNode, key: lookupOptions, hasKey: true}, func() { o, err = meta.retrieveOptions(k.module) })
		if err != nil {
			return nil, err
		}
		h.lookupOptions[k.module] = o
	}
	return o.of(k)
}

// optionsLookupKey is the key of the options.
func optionsLookupKey() key { return key{text: lookupOptions, root: lookupOptions} }

func (inv *invocation) hashStrategy() *strategy {
	return &strategy{name: hashStrategy, merge: (*strategy).hash}
}

// retrieveOptions merges the lookup_options of all layers.
func (inv *invocation) retrieveOptions(module string) (*keyOptions, error) {
	if inv.globalOnly {
		v, err := inv.globalOptions()
		if err != nil {
			return nil, err
		}
		return compileOptions(v)
	}
	v, err := inv.sharedOptions()
	if err != nil {
		return nil, err
	}
	if module == "" {
		return compileOptions(v)
	}
	if _, ok := inv.h.lookupOptions[""]; !ok {
		if inv.h.lookupOptions[""], err = compileOptions(v); err != nil {
			return nil, err
		}
	}
	own, err := inv.inModule(optionsLookupKey(), inv.hashStrategy())
	if err == errNoKey { //nolint:errorlint // a sentinel that is never wrapped
		return compileOptions(v)
	}
	if err != nil {
		return nil, err
	}
	if err := validOptions(own, module); err != nil {
		return nil, err
	}
	if v == nil {
		return compileOptions(own)
	}
	sources := []struct {
		name  string
		value pcore.Value
	}{{"Global and Environment", v}, {"Module " + inv.module, own}}
	merged, err := inv.hashStrategy().lookup(inv, len(sources), func(i int) (pcore.Value, error) {
		inv.with(&node{kind: scopeNode, name: sources[i].name}, func() { inv.explain.found(lookupOptions, sources[i].value) })
		return sources[i].value, nil
	})
	if err != nil {
		return nil, err
	}
	return compileOptions(merged)
}

// globalOptions returns the lookup_options of the global layer; nil for none.
func (inv *invocation) globalOptions() (pcore.Value, error) {
	h := inv.h
	if !h.globalOptionsRead {
		v, err := inv.inGlobal(optionsLookupKey(), inv.hashStrategy())
		if err == errNoKey { //nolint:errorlint // likewise
			v, err = nil, nil
		}
		if err == nil {
			err = validOptions(v, "")
		}
		if err != nil {
			return nil, err
		}
		h.globalOptions, h.globalOptionsRead = v, true
	}
	return h.globalOptions, nil
}

// sharedOptions returns the lookup_options of the global layer and the environment; nil for none.
func (inv *invocation) sharedOptions() (pcore.Value, error) {
	h := inv.h
	if h.sharedOptionsRead {
		return h.sharedOptions, nil
	}
	global, err := inv.globalOptions()
	if err != nil {
		return nil, err
	}
	own, err := inv.inEnvironment(optionsLookupKey(), inv.hashStrategy())
	if err == errNoKey { //nolint:errorlint // likewise
		own, err = nil, nil
	}
	if err == nil {
		err = validOptions(own, "")
	}
	if err != nil {
		return nil, err
	}
	v := own
	switch {
	case global == nil:
	case own == nil:
		v = global
	default:
		s := inv.hashStrategy()
		if v, err = s.merge(s, inv, global, own); err != nil {
			return nil, err
		}
	}
	h.sharedOptions, h.sharedOptionsRead = v, true
	return v, nil
}
