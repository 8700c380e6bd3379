//go:build unix && !race

package main

// shadow is 1 where nobody watches memory.
const shadow = 1
