package compile

// RootOf returns the directory with the files of the revision of a compiler.
func RootOf(c *Compiler) string { return c.tree.dir }

// LockFile and UnlockFile are for a test of locks.
var (
	LockFile   = lockFile
	UnlockFile = unlockFile
)
