// Package catalog reads, changes and writes Puppet catalogs, one resource at a
// time, in any format that package serialization supports.
//
//	Reader     returns the parts of a document in order: resources, edges, members
//	Writer     writes these parts, including envelopes
//	Copy       copies from a Reader to a Writer through a chain of Transforms
//	Transform  changes resources and, optionally, edges and members
//
//	Catalog    a whole catalog in memory
//	Header     the members of a catalog other than its resources and edges
//	Resource   keeps its original bytes and decodes on demand
//	Edge       a dependency between two resources
//	Ref        Type[title]
//	Location   a location in a resource: Type[title]/parameter/path
//
// # Bytes
//
// Unchanged parts are written with their original bytes whenever the output
// form can contain them, which preserves escapes, the spelling of numbers and
// the order of keys. A part is a resource, a parameter of a changed resource,
// an edge or another member. Whitespace between parts is regenerated in the
// style that [Reader.Layout] detected: a compact document stays compact, and a
// consistently indented one stays indented.
//
// # Documents
//
// A document contains one or more catalogs. The reader looks through the
// envelopes that occur in practice: `{"catalog":…}` of the v4 API, `{"data":…}`
// of old PSON, arrays of catalogs, and rows of PuppetDB, whose resources and
// edges are nested under `data`. The keys of a catalog may come in any order.
// Unknown members are kept.
package catalog
