// Package draw prints the relationship graph of a catalog, or a part of it.
//
//	Select   the part: around a resource, only cycles, or all
//	View     the selected nodes and arrows
//	Compare  the View of a new catalog, with the differences from an old one
//	Write    writes a View for Graphviz or Mermaid, as GraphML, JSON, SVG or a page
//	Why      writes the relations of one resource as text
//
// References are masked as a Mask says.
//
// # The page
//
// A page of HTML is complete in one file. The layout is made here: the nodes of
// a container have ranks by the longest path to them, an order in each rank
// by the mean position of their neighbours, and positions that make arrows short.
// Parts without arrows between them are packed. The page only draws: its folder
// is page. Before the picture comes a list that needs no script: the chains of
// refreshes.
//
// An arrow is a straight line, or leads round the nodes in its way. A file of SVG has
// all containers open, and its arrows are found here. The containers of a page open and
// close, so its script has the same search.
//
//	model.js  the graph, searches and paths
//	route.js  the ways of arrows
//	paint.js  the picture, on a canvas or as SVG
//	panel.js  the panel, the search and the table
//	page.js   the camera, the selection, mouse and keys
package draw
