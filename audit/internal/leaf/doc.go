// Package leaf splits a catalog into the texts that an audit examines, each with its
// context.
//
//	Walk      visits the resources of a document and the leaves of each
//	Leaf      one text: a value, a key, a title, a tag, an end of an edge, …
//	Resource  the resource that contains a leaf
//	Catalog   the catalog that contains a resource
//
// A Leaf, its Resource and all values are valid only during the visit: the next resource
// reuses their memory. The Catalog may be kept.
package leaf
