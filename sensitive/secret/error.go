package secret

// MaskError returns err with its text as mask returns it, or err itself when that is the
// same. What it wraps can be matched, and keeps its text: print only the error itself.
// Nil stays nil.
func MaskError(err error, mask func(text string) string) error {
	if err == nil {
		return nil
	}
	if text := mask(err.Error()); text != err.Error() {
		return maskedError{text, err}
	}
	return err
}

// maskedError is an error whose text is masked.
type maskedError struct {
	text string
	err  error
}

func (e maskedError) Error() string { return e.text }

func (e maskedError) Unwrap() error { return e.err }
