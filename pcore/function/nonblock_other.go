//go:build !unix

package function

// nonBlocking is 0 on systems where opening a file never blocks.
const nonBlocking = 0
