// Package diff compares two catalogs of a node, or of many nodes, by their
// meaning: it reports the changes between them, and their effects on the node.
//
//	Side      one catalog of a pair, and the document that contains it
//	Compare   compares two Sides and returns a Pair, which reveals nothing
//	Secrets   learns the secrets of the catalogs, and is required
//	Fleet     collects Pairs, and groups equal changes of several nodes
//	Report    the result, without secrets: Changes, Sets, and ignored differences
//	Change    one difference: Op, Kind, reference, path, both values, Effects
//	Profile   a set of differences that do not count
//	Rule      conditions that select changes, to leave them out or to set their rank
//
// Package diff/report writes a Report for people and for programs.
//
// # Equality
//
// Resources are identified by their reference, then by their namevar, then by
// similarity, which makes renames. Values are compared by type and value, in
// whatever form they were read; relationship metaparameters are compared as the
// arrows of a graph, containment edges as the containers of resources, and the
// metadata of static catalogs as the content of files. [Profile] lists the
// differences that do not count.
//
// # Secrets
//
// A value that either catalog declares Sensitive is secret in both, and so are
// all of its copies. This package searches for no undeclared secrets: it masks
// all that its [Secrets] know, and a Finder of package redact knows what an audit
// finds. Declared secrets are compared in memory; a Report contains only that
// they changed. A value that is Sensitive in one of the catalogs only is a
// change of the [Kind] "sensitive".
//
// # Files
//
//	diff.go      Compare, and the order of the work
//	pair.go      which resource of one catalog is which of the other
//	move.go      renames: resources that are similar to each other
//	value.go     the differences between two values
//	relation.go  before, require, notify and subscribe as a graph; containers
//	noise.go     profiles, and how they are detected
//	text.go      rich values as the texts of plain formats
//	rule.go      rules of users: filters, ranks, and changes that do not count
//	content.go   data in the content of files: JSON, YAML, INI
//	effect.go    effects on the node, and their ranks
//	run.go       effects of actions, such as an Exec
//	purge.go     files and resources that are deleted because they left the catalog
//	concat.go    files that are assembled of fragments
//	skip.go      resources that are skipped because others fail
//	refresh.go   which resources would be refreshed
//	chain.go     refreshes that other resources pass on no longer, or newly
//	secret.go    masks
//	fleet.go     equal changes of several nodes
//	report.go    Report, and all that it contains
package diff
