package catalog

// PartKind tells what a [Part] is.
type PartKind uint8

// The kinds of parts.
const (
	// PartMap and PartArray begin a map or an array of the document, and
	// PartEnd ends the one begun last.
	PartMap PartKind = iota + 1
	PartArray
	PartEnd
	// PartMember is a member of a catalog, or of an envelope, as a whole.
	PartMember
	PartResource
	PartEdge
)

// Part is one part of a document, in the order in which a [Reader] meets them
// and a [Writer] writes them. The parts of one resource, edge or member are
// not told apart: they come as a whole.
type Part struct {
	Kind PartKind
	// Key is the name under which the part stands in a map; empty for the
	// root, for elements of an array, and at the end. It is that of Member,
	// too.
	Key string
	// Count is the number of members of a map or array that begins; -1 when
	// it is not known.
	Count int
	// Catalog tells at the end of a map that it was a catalog.
	Catalog bool

	Member   *Member
	Resource *Resource
	Edge     *Edge

	// keyed tells a Part in a map whose Key is empty from one that has none.
	keyed bool
}
