// Package leaf takes a catalog apart into the texts that an audit looks at,
// each with all that is known about its place.
//
//	Walk      visits the resources of a document and the leaves of each
//	Leaf      one text: a value, a key, a title, a tag, an end of an edge, …
//	Resource  the resource it stands in
//	Catalog   the catalog that stands in
//
// A leaf and what it refers to are valid during the visit only, the Resource and
// all values as well: the next resource takes their memory. The Catalog may be
// kept.
package leaf
