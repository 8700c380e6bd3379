// Package faults finds faults in the order and the names of a catalog before an
// agent meets them: dependency cycles, references to missing resources,
// duplicates, resources outside of any container, and unknown types. It also checks
// parameters against the types that modules declare. Only ModuleTypes and the files of
// Modules are read.
//
//	Catalogs     the findings of each catalog of a document, which is not kept in memory
//	Result       the findings of one of them
//	Options      the types of modules, and how references are masked
//	Finding      one fault, with the message of Puppet and a remedy
//	Kind         the rule that found it
//	Severity     error, warning or hint
//	Step         a step of the shortest way round a cycle
//	Cut          an arrow of it that can be removed
//	Kinds        all rules, with a description each
//	ModuleTypes  the resource types of modules in directories
//	Validator    the parameters and Objects that the types of Modules do not accept, each a Fault
//
// An error is a catalog that Puppet refuses to apply. A warning is one that it
// applies, although hardly as intended. A hint is a weak order: the catalog
// works, as long as something that it does not declare remains as it is; or a
// relation has another effect than it seems to. Optional hints are in most
// catalogs.
//
// The rules follow the ones of an agent; see package graph for references,
// containers and autorequires.
package faults
