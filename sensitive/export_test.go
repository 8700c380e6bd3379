package sensitive

// For the tests.
var (
	ErrKey = errKey
	MinKey = minKey
)

// KnownPieces returns the number of pieces of documents whose search is known.
func (s *Secrets) KnownPieces() (n int) {
	s.last.matcher().known.Range(func(_, _ any) bool {
		n++
		return true
	})
	return n
}
