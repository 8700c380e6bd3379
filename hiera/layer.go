package hiera

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/pcatdev/pcat/pcore"
)

// layerKind is one of the three layers of data.
type layerKind uint8

const (
	globalLayer layerKind = iota
	environmentLayer
	moduleLayer
)

// layer is the data below one configuration.
type layer struct {
	kind   layerKind
	module string
	config *config // nil if there is none

	entries, defaults []*entry // for the variables in collected
	made              bool
	collected         []interpolation
}

// article returns the kind of the layer for a message.
func (l *layer) article() string {
	if l.kind == environmentLayer {
		return "an environment"
	}
	return "a module"
}

// name returns the name of the layer in explanations.
func (l *layer) name() string {
	var place string
	switch l.kind {
	case globalLayer:
		place = "Global "
	case environmentLayer:
		place = "Environment "
	case moduleLayer:
		place = `Module "` + l.module + `" `
	}
	return place + "Data Provider (hiera configuration version 5)"
}

// lookup returns the value of a key in the layer, or in its default hierarchy.
func (l *layer) lookup(inv *invocation, k key, s *strategy, byDefault bool) (pcore.Value, error) {
	return inv.check(k.text, func() (pcore.Value, error) { return l.find(inv, k, s, byDefault) })
}

// find is lookup without a check for recursion.
func (l *layer) find(inv *invocation, k key, s *strategy, byDefault bool) (v pcore.Value, err error) {
	n := &node{kind: providerNode, provider: l.name, module: l.module}
	if l.config != nil {
		n.config = l.config.path
	}
	inv.with(n, func() { v, err = l.search(inv, k, s, byDefault) })
	return v, err
}

func (l *layer) search(inv *invocation, k key, s *strategy, byDefault bool) (pcore.Value, error) {
	if err := l.prepare(inv); err != nil {
		return nil, err
	}
	entries := l.entries
	if byDefault {
		entries = l.defaults
	}
	if len(entries) == 0 {
		inv.explain.notFound(k.text)
		return nil, errNoKey
	}
	return s.lookup(inv, len(entries), func(i int) (pcore.Value, error) { return entries[i].lookup(inv, k, s) })
}

// prepare makes the entries, again if a variable has changed on which they depend.
func (l *layer) prepare(inv *invocation) error {
	if l.config == nil {
		return nil
	}
	if l.made {
		same, err := l.stable(inv)
		if err != nil || same {
			return err
		}
		inv.explain.text("Hiera configuration recreated due to change of scope variables used in interpolation expressions")
	}
	var collected []interpolation
	collecting := &invocation{h: inv.h, ctx: inv.ctx, env: inv.env, collected: &collected} // the explanation omits it
	entries, err := l.config.entries(collecting, hierarchyKey)
	if err != nil {
		return err
	}
	defaults, err := l.config.entries(collecting, defaultHierarchyKey)
	if err != nil {
		return err
	}
	l.entries, l.defaults, l.made, l.collected = entries, defaults, true, collected
	return nil
}

// stable reports whether the variables have the values with which the entries were made.
func (l *layer) stable(inv *invocation) (bool, error) {
	for _, i := range l.collected {
		quiet := *inv
		quiet.explain, quiet.locals = nil, nil
		v, found, err := quiet.variable(i.root)
		if err != nil {
			return false, err
		}
		if found && !pcore.Is[pcore.Undef](v) && len(i.segments) > 0 {
			if v, err = quiet.sub(i.name, i.segments, v); err == errNoKey { //nolint:errorlint // a sentinel that is never wrapped
				v, err = nil, nil
			}
			if err != nil {
				return false, err
			}
		}
		if !found || v != nil && pcore.Is[pcore.Undef](v) {
			v = nil
		}
		if (v == nil) != (i.value == nil) || v != nil && !pcore.Identical(v, i.value) {
			return false, nil
		}
	}
	return true, nil
}

// ownKeys returns the entries of a hash that the layer may have: a module only sets keys with
// its name.
func (l *layer) ownKeys(inv *invocation, h *pcore.Hash, subject string) *pcore.Hash {
	if l.kind != moduleLayer {
		return h
	}
	b := pcore.NewHashBuilder(h.Len())
	for k, v := range h.All() {
		name, _ := k.(pcore.String)
		if name == lookupOptions || strings.HasPrefix(string(name), l.module+"::") {
			b.Set(k, v)
			continue
		}
		inv.warn(fmt.Sprintf("Module '%s': %s must use keys qualified with the name of the module; got %s", l.module, subject, k))
	}
	return b.Hash()
}

// globalLayer returns the global layer.
func (inv *invocation) globalLayer() (*layer, error) {
	h := inv.h
	if h.global == nil {
		l := &layer{kind: globalLayer}
		if h.options.Global != "" {
			var err error
			if l.config, err = inv.readConfig(l, h.options.Global); err != nil {
				return nil, err
			}
		}
		h.global = l
	}
	return h.global, nil
}

// environmentLayer returns the layer of the environment; nil if it has no configuration.
func (inv *invocation) environmentLayer() (*layer, error) {
	h := inv.h
	if !h.environmentRead {
		l := &layer{kind: environmentLayer}
		if h.options.Environment != "" {
			c, err := inv.readConfig(l, filepath.Join(h.options.Environment, configName))
			if err != nil {
				return nil, err
			}
			if l.config = c; c != nil {
				h.environment = l
			}
		}
		h.environmentRead = true
	}
	return h.environment, nil
}

// moduleOf returns the layer of a module; nil if it has no configuration. exists reports whether
// there is such a module.
func (inv *invocation) moduleOf(name string) (l *layer, exists bool, err error) {
	h := inv.h
	if l, ok := h.modules[name]; ok {
		return l, l != nil || h.exists[name], nil
	}
	dir, exists, err := h.options.Files.ModuleDir(name)
	if err != nil {
		return nil, false, err
	}
	if exists {
		made := &layer{kind: moduleLayer, module: name}
		if dir, err = filepath.Abs(dir); err != nil {
			return nil, false, err
		}
		if made.config, err = inv.readConfig(made, filepath.Join(dir, configName)); err != nil {
			return nil, false, err
		}
		if made.config != nil {
			l = made
		}
	}
	h.modules[name], h.exists[name] = l, exists
	return l, exists, nil
}
