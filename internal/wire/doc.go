// Package wire contains the parts that the wire formats share: the window on
// the input, the cursor with its levels, and the writer of a document.
//
// The parts of a codec that do not depend on the format belong here; lexers are in
// packages jsonwire and mpwire.
package wire
