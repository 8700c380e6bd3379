package audit

import (
	"encoding/binary"
	"slices"
	"strings"
	"sync"

	"github.com/pcatdev/pcat/audit/internal/leaf"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
)

// interner copies the texts and paths of catalogs for findings, each once,
// because the catalogs of a fleet repeat them. The copies do not keep a catalog
// in memory. It is safe for concurrent use.
type interner struct {
	mu    sync.Mutex
	texts map[string]string
	paths map[string]pcore.Path
	key   []byte // of a path
}

func newInterner() *interner {
	return &interner{texts: map[string]string{}, paths: map[string]pcore.Path{}}
}

// text returns a copy of s.
func (k *interner) text(s string) string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.keep(s)
}

func (k *interner) keep(s string) string {
	if s == "" {
		return ""
	}
	known, ok := k.texts[s]
	if !ok {
		known = strings.Clone(s)
		k.texts[known] = known
	}
	return known
}

// path returns a copy of p, which must not be modified.
func (k *interner) path(p pcore.Path) pcore.Path {
	k.key = k.key[:0]
	plain := true
	for _, s := range p {
		name, isText := s.Key.(pcore.String)
		plain = plain && (isText || s.Key == nil)
		listed := byte(0)
		if s.Listed {
			listed = 1
		}
		k.key = append(k.key, byte(s.Kind), listed)
		k.key = binary.AppendUvarint(k.key, uint64(s.Index))
		k.key = binary.AppendUvarint(k.key, uint64(len(name)))
		k.key = append(k.key, name...)
	}
	if known, ok := k.paths[string(k.key)]; ok && plain {
		return known
	}
	kept := k.steps(p)
	if plain {
		k.paths[string(k.key)] = kept
	}
	return kept
}

// steps returns a copy of p of its own.
func (k *interner) steps(p pcore.Path) pcore.Path {
	kept := slices.Clip(slices.Clone(p))
	for i, s := range kept {
		switch key := s.Key.(type) {
		case nil:
		case pcore.String:
			kept[i].Key = pcore.String(k.keep(string(key)))
		default:
			kept[i].Key = pcore.Clone(key)
		}
	}
	return kept
}

// in returns a copy of h as a hit in r, which is nil outside of resources.
func (k *interner) in(h raw, r *leaf.Resource) raw {
	k.mu.Lock()
	defer k.mu.Unlock()
	h.Secret, h.Name = k.keep(h.Secret), k.keep(h.Name)
	h.location = k.at(h.location, r)
	h.path = k.path(h.path)
	return h
}

// location returns a copy of p as a location in r, which is nil outside of resources.
func (k *interner) location(p location, r *leaf.Resource) location {
	k.mu.Lock()
	defer k.mu.Unlock()
	p = k.at(p, r)
	p.path = k.path(p.path)
	return p
}

// origin returns a copy of the location of l and its name. Few secrets are declared at the
// same path, so a table of the paths would only take memory.
func (k *interner) origin(l *leaf.Leaf) *origin {
	k.mu.Lock()
	defer k.mu.Unlock()
	o := &origin{location: k.at(locationOf(l), l.Resource), name: k.keep(l.Name())}
	o.path = k.steps(o.path)
	return o
}

// at returns a copy of p as a location in r, but for its path.
func (k *interner) at(p location, r *leaf.Resource) location {
	p.base = strings.Clone(p.base)
	if r != nil {
		p.ref = catalog.Ref{Type: k.keep(r.Type), Title: k.keep(r.Title)}
		if p.exported = r.Exported; p.file == "" {
			p.file, p.line = r.File, r.Line
		}
		p.file = k.keep(p.file)
	}
	return p
}
