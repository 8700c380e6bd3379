//go:build unix

package function

import "syscall"

// nonBlocking makes opening a pipe return even without a writer.
const nonBlocking = syscall.O_NONBLOCK
