// Package graph builds the relationship graph of a catalog: the order in which
// an agent applies resources, and the paths along which it refreshes them. It
// follows Puppet's own graph and does no input or output.
//
//	Graph      the graph of one catalog, made with New
//	Builder    makes a graph without keeping the resources
//	Node       a resource in it
//	Arrow      "From is applied before To", with the reason
//	Kind       the reason: a metaparameter, containment, an edge, an autorequire
//
//	Dangling   a reference to a resource that the catalog does not contain
//	Duplicate  a resource whose title, alias or name belongs to another one
//
//	Cycle      resources that wait for each other, with the shortest way round
//	Cut        an arrow, and the resources that still form a cycle without it
//	Refresh    a resource that a change of others would refresh
//
// # Containers
//
// A class, a defined type or a stage is not applied itself: it has a beginning and an end
// (Puppet calls them the admissible and the completed whit). Its content is applied in
// between; the resources that it requires come before its beginning, and the ones that
// require it after its end. A refresh enters a container at its beginning and reaches all
// that it contains; a change inside leaves it at its end.
//
// # References
//
// A reference is resolved as an agent does: by title, by alias, and by the
// namevar of the types of Puppet. The case of a type and of the name of a class
// does not matter, and neither do slashes at the end of the title of a File.
//
// # Autorequires
//
// The autorequires of the types that an agent contains are added last. Like
// Puppet, New omits an autorequire if there is an opposite arrow between the
// same two resources. One that closes a longer cycle is added, and then it is
// part of a [Cycle].
package graph
