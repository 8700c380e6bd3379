package dataconv

// IsCanonical reports whether a map of `__ptype` and `__pvalue`, with the
// values name and text, is written back identically after decoding. False is
// inconclusive: the value may be of a type that is written in another way.
func IsCanonical(name, text []byte) bool {
	switch string(name) {
	case "Symbol":
		return string(text) != "default"
	case "SemVer":
		if isVersion(text) {
			return true
		}
	case "Timestamp":
		if isInstant(text) {
			return true
		}
	}
	v, known, err := newScalar(string(name), string(text))
	if !known || err != nil {
		return false
	}
	writtenName, writtenText, ok := scalarText(v)
	return ok && writtenName == string(name) && writtenText == string(text)
}

// HasOneSpelling reports whether the text of a value of a type has only one spelling, so that
// the encoded bytes show it. Such a value never contains a Sensitive beside its text.
func HasOneSpelling(name string) bool {
	switch name {
	case "Default", "Deferred", "Regexp", "SemVer", "Symbol":
		return true
	}
	return false
}

// isVersion reports whether text is three short numbers separated by dots.
func isVersion(text []byte) bool {
	dots, digits := 0, 0
	for i, b := range text {
		switch {
		case '0' <= b && b <= '9' && digits < 9 && (digits != 1 || text[i-1] != '0'):
			digits++
		case b == '.' && digits > 0 && dots < 2:
			dots++
			digits = 0
		default:
			return false
		}
	}
	return dots == 2 && digits > 0
}

// isInstant reports whether text is a time of this era in canonical form, on
// one of the first 28 days of a month.
func isInstant(text []byte) bool {
	const form = "2000-00-00T00:00:00.000000000 UTC"
	if len(text) != len(form) {
		return false
	}
	for i, b := range text {
		if f := form[i]; f == '0' && (b < '0' || '9' < b) || f != '0' && f != b {
			return false
		}
	}
	two := func(i int) int { return int(text[i]-'0')*10 + int(text[i+1]-'0') }
	month, day := two(5), two(8)
	return 1 <= month && month <= 12 && 1 <= day && day <= 28 && two(11) < 24 && two(14) < 60 && two(17) < 60
}
