package secret

// CompileForms is [CompileWritten] for bytes.
func CompileForms(secrets [][]byte) *Set { return compileForms(secrets, false) }
