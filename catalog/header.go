package catalog

import (
	"iter"
	"slices"

	"github.com/pcatdev/pcat/pcore"
)

// Header contains the members of a catalog except its resources and edges, in
// the order in which they were read. A [Reader] fills it while it reads:
// members that follow the resources are missing until the resources have been
// read.
type Header struct{ members []Member }

// NewHeader returns a Header of the given members.
func NewHeader(members ...Member) *Header { return &Header{slices.Clone(members)} }

// Members returns an iterator over the members.
func (h *Header) Members() iter.Seq[Member] { return slices.Values(h.members) }

// Member returns the member with the given key.
func (h *Header) Member(key string) (Member, bool) {
	if i := find(h.members, key); i >= 0 {
		return h.members[i], true
	}
	return Member{}, false
}

// Name returns the name of the node: `name`, or `certname` in PuppetDB.
func (h *Header) Name() string {
	if name := h.text("name"); name != "" {
		return name
	}
	return h.text("certname")
}

// Version returns the version of the configuration as text. Catalogs contain it
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

// CatalogUUID returns the identifier that the compiler assigned to the catalog.
func (h *Header) CatalogUUID() string { return h.text("catalog_uuid") }

// CodeID returns the identifier of the code from which the catalog was
// compiled.
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
