package secret

// String returns the name of the form in lower case, for messages of tests.
func (f Form) String() string {
	return [numForms]string{"raw", "lower", "base64", "hex", "utf16"}[f%numForms]
}
