// Package puppetdb turns a catalog into what PuppetDB is sent for it, and what
// PuppetDB answers back into a catalog.
//
//	Replace     a catalog as the payload of the command `replace catalog`, version 9
//	Submission  what the payload tells beside the catalog
//	Restore     a payload, or a row of a query, as a catalog, and what is lost
//	Loss        something that PuppetDB does not keep
//
// A server does the former with each catalog it compiles: the terminus of
// PuppetDB writes rich values as their text, takes out the parameters that are
// listed in `sensitive_parameters`, names each resource by its namevar, too,
// and makes edges of the relationship metaparameters.
//
// Both need a whole catalog in memory: an edge may lead to any resource.
package puppetdb
