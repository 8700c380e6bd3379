package catalog

import (
	"iter"
	"slices"

	"github.com/pcatdev/pcat/pcore"
)

// Header is a catalog without its resources and edges: the members beside
// them, in the order in which they were read. A [Reader] fills it as it goes:
// what stands behind the resources is not known before they were read.
type Header struct{ members []Member }

// NewHeader returns a Header of the given members.
func NewHeader(members ...Member) *Header { return &Header{slices.Clone(members)} }

// Members returns an iterator over the members.
func (h *Header) Members() iter.Seq[Member] { return slices.Values(h.members) }

// Member returns the member of that name.
func (h *Header) Member(key string) (Member, bool) {
	if i := find(h.members, key); i >= 0 {
		return h.members[i], true
	}
	return Member{}, false
}

// Name returns the name of the node, which PuppetDB calls certname.
func (h *Header) Name() string {
	if name := h.text("name"); name != "" {
		return name
	}
	return h.text("certname")
}

// Version returns the version of the configuration as text. Catalogs have it
// as an Integer or a String.
func (h *Header) Version() string {
	m, _ := h.Member("version")
	v, err := m.Value()
	if err != nil {
		return ""
	}
	switch v := v.(type) {
	case pcore.String:
		return string(v)
	case pcore.Integer, pcore.BigInteger, pcore.Float:
		return v.String()
	default:
		return ""
	}
}

// Environment returns the name of the environment.
func (h *Header) Environment() string { return h.text("environment") }

// CatalogUUID returns the identifier that the compiler gave the catalog.
func (h *Header) CatalogUUID() string { return h.text("catalog_uuid") }

// CodeID returns the identifier of the code that the catalog was compiled
// from.
func (h *Header) CodeID() string { return h.text("code_id") }

// Tags returns the tags of the catalog.
func (h *Header) Tags() []string {
	m, _ := h.Member("tags")
	return m.texts()
}

// Classes returns the names of the classes of the node.
func (h *Header) Classes() []string {
	m, _ := h.Member("classes")
	return m.texts()
}

func (h *Header) text(key string) string {
	m, _ := h.Member(key)
	return m.text()
}
