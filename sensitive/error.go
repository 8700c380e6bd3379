package sensitive

import "github.com/pcatdev/pcat/catalog"

// documentError is an error of a document whose location is masked with the secrets known
// so far. It keeps the original location behind a closure.
type documentError struct {
	masked *catalog.Error
	raw    func() *catalog.Error
}

func (e *documentError) Error() string { return e.masked.Error() }

func (e *documentError) Unwrap() error { return e.masked }
