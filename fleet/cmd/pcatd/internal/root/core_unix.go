//go:build unix && !linux

package root

import "golang.org/x/sys/unix"

// withoutCore keeps the system from writing the memory of this process, with the secrets of
// the fleet, to a core file. A system that refuses keeps its setting.
func withoutCore() { _ = unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}) }
