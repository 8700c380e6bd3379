package catalog

import (
	"slices"
	"sync"

	"github.com/pcatdev/pcat/internal/jsonwire"
	"github.com/pcatdev/pcat/pcore"
)

// Edge leads from one resource to another that depends on it or is contained in
// it. It keeps its original bytes. It is immutable and safe for concurrent use.
//
// Three spellings are read and kept:
// `{"source":"Class[A]","target":"File[/x]"}` of catalogs; `source_type`,
// `source_title` and so on of PuppetDB queries; and
// `{"source":{"type":…,"title":…},…}` of PuppetDB commands.
type Edge struct {
	whole datum
	once  sync.Once
	found *edgeMembers // nil until load
}

// edgeMembers are the members that were found in an edge.
type edgeMembers struct {
	members []Member
	err     error // of finding them
}

func newEdge(members []Member) *Edge { return &Edge{found: &edgeMembers{members: members}} }

// NewEdge returns an edge in the spelling of catalogs.
func NewEdge(source, target Ref) *Edge {
	return newEdge([]Member{
		NewMember("source", pcore.String(source.String())),
		NewMember("target", pcore.String(target.String())),
	})
}

func (e *Edge) load() ([]Member, error) {
	e.once.Do(func() {
		if e.found == nil {
			members, err := e.whole.split()
			e.found = &edgeMembers{members, err}
		}
	})
	return e.found.members, e.found.err
}

// Bytes returns the original bytes of the edge, or nil if a program made or
// changed it. The caller must not modify them.
func (e *Edge) Bytes() []byte { return e.whole.Bytes() }

// Wire returns the syntax of Bytes, as in [serialization.Format], or "" if
// there are none.
func (e *Edge) Wire() string { return e.whole.Wire() }

// Offset returns the position of Bytes in the input, or -1 if there are none.
func (e *Edge) Offset() int64 { return e.whole.Offset() }

// Source returns the resource at which the edge begins, or the zero value if it
// cannot be determined.
func (e *Edge) Source() Ref { return e.end("source") }

// Target returns the resource at which the edge ends, or the zero value if it
// cannot be determined.
func (e *Edge) Target() Ref { return e.end("target") }

// Relationship returns the kind of edge according to PuppetDB: `contains`,
// `before`, `notifies` and so on. It is empty in catalogs, which have only
// containment edges.
func (e *Edge) Relationship() string {
	if _, _, ok := e.ends(); ok {
		return ""
	}
	return e.text("relationship")
}

// ends returns both ends of an edge in the order that Puppet writes, without splitting
// it. ok is false for another layout, and if there are escapes.
func (e *Edge) ends() (source, target []byte, ok bool) {
	if e.Wire() != "json" {
		return nil, nil, false
	}
	source, rest, ok := textAfter(e.Bytes(), '{', `"source"`)
	if !ok {
		return nil, nil, false
	}
	target, rest, ok = textAfter(rest, ',', `"target"`)
	return source, target, ok && string(rest[jsonwire.SkipBlanks(rest, 0):]) == "}"
}

func (e *Edge) end(name string) Ref {
	if source, target, ok := e.ends(); ok {
		if name == "source" {
			target = source
		}
		ref, _ := ParseRef(string(target))
		return ref
	}
	m, _ := e.load()
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
		title, _ := v.GetString(keyTitle)
		return Ref{textAt(v, keyType), TitleText(title)}
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
	m, _ := e.load()
	if i := find(m, key); i >= 0 {
		return m[i].text()
	}
	return ""
}

// With returns an edge between other resources in the spelling of e.
func (e *Edge) With(source, target Ref) *Edge {
	members, _ := e.load()
	changed := slices.Clone(members)
	setEnd(changed, "source", source)
	setEnd(changed, "target", target)
	return newEdge(changed)
}

// setEnd sets an end in the members of an edge.
func setEnd(members []Member, name string, ref Ref) {
	if i := find(members, name); i >= 0 {
		members[i] = NewMember(name, spelled(members[i], ref))
		return
	}
	for key, text := range map[string]string{name + "_type": ref.Type, name + "_title": ref.Title} {
		if i := find(members, key); i >= 0 {
			members[i] = NewMember(key, pcore.String(text))
		}
	}
}

// spelled returns ref in the spelling of the reference in m.
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
	members, err := e.load()
	if err != nil {
		return nil, located(err, Location{}, e.whole.content().offset)
	}
	return hashOf(members)
}

// PlainValue is Value without rich data, as in [Member.PlainValue].
func (e *Edge) PlainValue() (pcore.Value, error) {
	if e.Bytes() == nil {
		return e.Value()
	}
	return e.whole.PlainValue()
}

func (e *Edge) write(w *Writer) error {
	if e.whole.Bytes() != nil {
		return e.whole.write(w)
	}
	members, _ := e.load()
	return writeMembers(w, members)
}
