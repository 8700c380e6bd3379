// Package yamlwire reads YAML 1.1 as libyaml does, which Ruby's Psych is made of.
// It is the only parser of YAML documents here, and knows nothing of values.
//
//	Parser     returns the events of a stream, without a tree of it
//	Event      the start or end of a collection, a scalar, or an alias
//	scanner    splits the text into tokens
//
// A document is kept as text until its end. An anchor is a position in that text:
// [Parser.Anchored] reads the node again for an alias, so that neither anchors nor
// aliases use memory for what they stand for.
//
// Only the grammar of YAML belongs here; package psych makes values of it.
package yamlwire
