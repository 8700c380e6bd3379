package root

import "golang.org/x/sys/unix"

// withoutCore keeps the system from writing the memory of this process, with the secrets of
// the fleet, to a core file or to a program that collects them, and other processes of the
// user from reading it. A system that refuses keeps its setting.
func withoutCore() {
	_ = unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{})
	_ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0)
}
