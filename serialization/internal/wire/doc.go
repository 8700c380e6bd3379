// Package wire holds what the wires share below their syntax: the window on
// the input, the levels of a document that a cursor is in, and the writer of a
// document.
package wire
