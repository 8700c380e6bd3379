//go:build unix && race

package main

// shadow is by how much the race detector multiplies memory at least: it keeps notes of its own of what is
// touched.
const shadow = 2
