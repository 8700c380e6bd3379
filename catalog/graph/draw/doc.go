// Package draw prints the relationship graph of a catalog, or a part of it.
//
//	Select   the part: around a resource, only cycles, or all
//	View     the selected nodes and arrows
//	Write    writes a View for Graphviz, for Mermaid, or as JSON
//	Why      writes what leads to a resource, and what follows, as text
//
// References are masked as the Mask of the options says.
package draw
