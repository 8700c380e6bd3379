// Package rundata presents the documents of agents' runs other than catalogs as catalogs: reports,
// events, facts, and rows of resources.
//
//	Detect    recognizes a document by its beginning
//	Document  its kind and its syntax
//	Catalogs  writes the document as catalogs in rich JSON
//	Restore   writes the document with the texts of catalogs that were changed
//	FactsOf   returns the facts in a document that was decoded
//	Numbers   counts catalogs and documents by kind
//
// # Presentation
//
// The tools for catalogs work on these documents, without rules of their own: the audit, the
// redactor, and the commands that show and search. Every text of a document is in its catalogs:
//
//	log line    parameter `logs`, by its number, of the resource that is its source;
//	            `Report[node]` for a log line of the run itself
//	event       parameter with the name of its property, of its resource
//	status      parameter `status` of the resource
//	fact        parameter of `Facts[node]`
//	row         the resource itself
//	all others  parameters of `Report[node]` and `Factset[node]`
//
// A difference of a file in a log line is presented by the old and the new file: their lines
// without signs, with the lines around the changed ones. The `file` and the `line` of a resource
// are the ones that the document names.
//
// The member `document` of a catalog names the kind of its document, for rules about it.
//
// # Writing back
//
// Each text of the presentation knows its bytes in the document. Restore presents the document
// again, compares each resource with the changed one, and replaces the bytes of the texts that
// differ. All others stay, in JSON and in YAML: tags, anchors, layout and the order of keys.
//
// Only the shape of these documents belongs here, not the knowledge about secrets.
package rundata
