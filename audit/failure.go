package audit

// Failure is an input that could not be audited, or not to its end.
type Failure struct {
	// Name is that of the input.
	Name string
	// Err says what is wrong with it. Secrets of the run are masked in its text,
	// not in what it wraps.
	Err error
}

// Error names the input, and says what is wrong with it.
func (f Failure) Error() string { return f.Name + ": " + f.Err.Error() }

// Unwrap returns what is wrong with the input.
func (f Failure) Unwrap() error { return f.Err }
