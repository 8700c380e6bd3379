package catalog

// PartKind is the kind of a [Part].
type PartKind uint8

// The kinds of parts.
const (
	// PartMap and PartArray begin a map or an array of the document, and
	// PartEnd ends the innermost one.
	PartMap PartKind = iota + 1
	PartArray
	PartEnd
	// PartMember is a whole member of a catalog or of an envelope.
	PartMember
	PartResource
	PartEdge
)

// Part is one part of a document, in the order in which a [Reader] returns
// parts and a [Writer] writes them. Resources, edges and members are not
// divided further.
type Part struct {
	Kind PartKind
	// Key is the key of the part in a map, also if the part is a Member. It is
	// empty for the root, for elements of an array, and at the end.
	Key string
	// Count is the number of members of a map or array that begins, or -1 if
	// unknown.
	Count int
	// Catalog indicates, at the end of a map, that the map is a catalog.
	Catalog bool
	// MayBeCut indicates, at the end of a catalog, that the input may have been cut off
	// inside of its resources: a part of a YAML document is a document, too, and no
	// member follows the resources, as `edges` do in every catalog that Puppet writes.
	MayBeCut bool

	// keyed distinguishes a Part with an empty key from one without a key.
	keyed bool

	Member   *Member
	Resource *Resource
	Edge     *Edge
}
