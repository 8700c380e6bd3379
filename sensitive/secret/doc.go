// Package secret finds secrets in text: many patterns at once, in time that
// grows with the text and not with the number of patterns.
//
//	Set           patterns, compiled; finds where they stand
//	Spans         the hits of a Set, merged where they touch each other
//	Forms         the ways in which one secret can be spelled
//	CompileForms  a Set of all of them, for many secrets
//
// A [Set] holds its patterns behind a closure: printing it, or a struct that
// holds it, tells nothing about them.
package secret
