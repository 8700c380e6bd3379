package catalog

import (
	"slices"
	"sync"

	"github.com/pcatdev/pcat/pcore"
)

// Edge leads from one resource to another that depends on it, or is contained
// in it. It keeps the bytes that it was read from. It is immutable and safe for
// concurrent use.
//
// Three spellings are read and kept: `{"source":"Class[A]","target":"File[/x]"}`
// of catalogs, `source_type`, `source_title` and so on of PuppetDB's queries,
// and `{"source":{"type":…,"title":…},…}` of what PuppetDB is sent.
type Edge struct {
	whole   datum
	once    sync.Once
	members []Member
	err     error
}

// NewEdge returns an edge as catalogs spell it.
func NewEdge(source, target Ref) *Edge {
	return &Edge{members: []Member{
		NewMember("source", pcore.String(source.String())),
		NewMember("target", pcore.String(target.String())),
	}}
}

func (e *Edge) load() []Member {
	e.once.Do(func() {
		if e.members == nil {
			e.members, e.err = e.whole.split()
		}
	})
	return e.members
}

// Bytes returns the bytes that the edge was read from, and nil when it was
// made or changed by a program. They must not be changed.
func (e *Edge) Bytes() []byte { return e.whole.Bytes() }

// Wire names the syntax of Bytes, as [serialization.Format] does; empty when
// there are none.
func (e *Edge) Wire() string { return e.whole.Wire() }

// Offset returns the position in the input of Bytes, -1 when there are none.
func (e *Edge) Offset() int64 { return e.whole.Offset() }

// Source returns the resource that the edge begins at; the zero value when it
// cannot be told.
func (e *Edge) Source() Ref { return e.end("source") }

// Target returns the resource that the edge leads to; the zero value when it
// cannot be told.
func (e *Edge) Target() Ref { return e.end("target") }

// Relationship returns what PuppetDB says that the edge is: `contains`,
// `before`, `notifies` and so on. Catalogs have containment only, and say
// nothing.
func (e *Edge) Relationship() string { return e.text("relationship") }

func (e *Edge) end(name string) Ref {
	m := e.load()
	i := find(m, name)
	if i < 0 {
		return Ref{e.text(name + "_type"), e.text(name + "_title")}
	}
	v, err := m[i].Value()
	if err != nil {
		return Ref{}
	}
	switch v := v.(type) {
	case pcore.String:
		ref, _ := ParseRef(string(v))
		return ref
	case *pcore.Hash:
		return Ref{textAt(v, keyType), textAt(v, keyTitle)}
	default:
		return Ref{}
	}
}

func textAt(h *pcore.Hash, key string) string {
	v, _ := h.GetString(key)
	s, _ := v.(pcore.String)
	return string(s)
}

func (e *Edge) text(key string) string {
	m := e.load()
	if i := find(m, key); i >= 0 {
		return m[i].text()
	}
	return ""
}

// With returns the edge between other resources, spelled as it was.
func (e *Edge) With(source, target Ref) *Edge {
	changed := &Edge{members: slices.Clone(e.load())}
	changed.set("source", source)
	changed.set("target", target)
	return changed
}

func (e *Edge) set(name string, ref Ref) {
	if i := find(e.members, name); i >= 0 {
		e.members[i] = NewMember(name, spelled(e.members[i], ref))
		return
	}
	for key, text := range map[string]string{name + "_type": ref.Type, name + "_title": ref.Title} {
		if i := find(e.members, key); i >= 0 {
			e.members[i] = NewMember(key, pcore.String(text))
		}
	}
}

// spelled returns ref in the manner of what stands in m.
func spelled(m Member, ref Ref) pcore.Value {
	v, _ := m.Value()
	h, ok := v.(*pcore.Hash)
	if !ok {
		return pcore.String(ref.String())
	}
	b := pcore.NewHashBuilder(h.Len())
	for k, v := range h.All() {
		b.Set(k, v)
	}
	b.SetString(keyType, pcore.String(ref.Type))
	b.SetString(keyTitle, pcore.String(ref.Title))
	return b.Hash()
}

// Value returns the edge with all its members as a Hash.
func (e *Edge) Value() (*pcore.Hash, error) {
	members := e.load()
	if e.err != nil {
		return nil, located(e.err, Location{}, e.whole.content().offset)
	}
	return hashOf(members)
}

func (e *Edge) write(w *Writer) error {
	if e.whole.Bytes() != nil {
		return e.whole.write(w)
	}
	return writeMembers(w, e.members)
}
