package richdata

// IsCanonical reports whether the map of `__ptype`, which is name, and
// `__pvalue`, which is text, and nothing else is what the value that it stands
// for is written as again. False says nothing: the value may be of a type that
// is written in another manner.
func IsCanonical(name, text string) bool {
	if name == "Symbol" {
		return text != "default"
	}
	v, known, err := newScalar(name, text)
	if !known || err != nil {
		return false
	}
	writtenName, writtenText, ok := scalarText(v)
	return ok && writtenName == name && writtenText == text
}
