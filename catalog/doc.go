// Package catalog reads, changes and writes Puppet catalogs, one resource at a
// time, in any form that package serialization knows.
//
//	Reader     parts of a document as they come: resources, edges, members
//	Writer     writes parts again, envelopes included
//	Copy       from a Reader to a Writer through a chain of Transforms
//	Transform  changes resources, and edges and members if it can
//
//	Catalog    one whole catalog in memory
//	Header     the members of a catalog but for its resources and edges
//	Resource   keeps the bytes it came from, decodes when asked
//	Edge       a dependency of two resources
//	Ref        Type[title]
//	Location   a place in a resource: Type[title]/parameter/path
//
// # Bytes
//
// What nobody changed is written with the bytes it was read from whenever the
// form of the output can hold them: escapes, the spelling of numbers and the
// order of keys stay. That goes for a resource, for each parameter of a
// resource that was changed elsewhere, for an edge and for each other member.
// Blanks between these parts are not kept but made anew, in the manner that
// [Reader.Layout] found: a compact document stays compact, one that is
// indented throughout stays so.
//
// # Documents
//
// A document holds one catalog or several. They are found behind the envelopes
// that are met in the field: `{"catalog":…}` of the v4 API, `{"data":…}` of old
// PSON, arrays of catalogs, and rows of PuppetDB, whose resources and edges
// stand under `data` once more. The keys of a catalog come in any order. What
// is not known is kept.
package catalog
