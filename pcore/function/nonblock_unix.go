//go:build unix

package function

import "syscall"

// nonBlocking lets the opening of a pipe return before there is a writer.
const nonBlocking = syscall.O_NONBLOCK
