// Package puppetdb converts a catalog to the payload that PuppetDB receives, and
// a response of PuppetDB back to a catalog.
//
//	Replace     returns the payload of the command `replace catalog`, version 9
//	Submission  the parts of the payload that are not in the catalog
//	Restore     returns the catalog of a payload or of a query result
//	Loss        information that PuppetDB does not keep
//
// A server sends the payload for each catalog that it compiles. PuppetDB's
// terminus writes rich values as their text, removes the parameters listed in
// `sensitive_parameters`, adds the namevar of each resource as an alias, and
// creates edges for relationship metaparameters.
//
// Both conversions need the whole catalog in memory, because an edge can refer
// to any resource.
package puppetdb
