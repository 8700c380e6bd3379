// Package wire contains the parts that the wire formats share: the window on
// the input, the cursor with its levels, and the writer of a document.
package wire
