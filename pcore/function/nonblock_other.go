//go:build !unix

package function

// nonBlocking is nothing where no file blocks when it is opened.
const nonBlocking = 0
