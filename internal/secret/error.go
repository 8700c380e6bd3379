package secret

// MaskError returns an error whose text is masked by mask, or err itself if masking
// changes nothing. The result wraps err, which keeps its original text: print only the
// result itself. MaskError returns nil if err is nil.
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
