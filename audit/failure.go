package audit

// Failure is an input that could not be audited completely.
type Failure struct {
	// Input is the position of the input in the run, and Name its name, masked.
	Input int
	Name  string
	// Err is the cause. Secrets of the run are masked in its text, but not in
	// the errors that it wraps.
	Err error
}

// Error returns the name of the input and the cause.
func (f Failure) Error() string { return f.Name + ": " + f.Err.Error() }

// Unwrap returns the cause.
func (f Failure) Unwrap() error { return f.Err }
