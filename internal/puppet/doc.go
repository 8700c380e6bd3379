// Package puppet has the facts about Puppet's own types of resources, and about the references
// between resources.
//
//	TypeOf          the description of a type: a row of types.txt
//	Changes         the properties that Puppet would set because a resource differs
//	Canonical       the spelling of a reference by Puppet
//	Read            the names of a resource, and its references to others
//	Names           finds resources by their names
//	Metaparameters  the parameters with references, and their directions
//	EdgeKind        containment or a relation
//	IsOuter         which of two containers counts
//
// The names of types belong here, and so does everything that is true for one type only; the graph
// of references is in package graph, and the effects of changes are in package diff.
package puppet
