package syntax

import "strings"

// isNumericName reports whether name is that of a match variable: 0 or a
// decimal number without a leading 0.
func isNumericName(name string) bool {
	return name != "" && allBytes(name, isDigit) && (name[0] != '0' || len(name) == 1)
}

// isNumericParameter reports whether name is a number, possibly with leading
// zeros or 0x.
func isNumericParameter(name string) bool {
	name = strings.TrimPrefix(name, "0x")
	return name != "" && allBytes(name, isDigit)
}

// isVariableName reports whether each segment of name begins with a lower-case
// letter; the last may begin with an underscore instead.
func isVariableName(name string) bool {
	segments := strings.Split(strings.TrimPrefix(name, "::"), "::")
	last := len(segments) - 1
	for i, s := range segments {
		if !isSegment(s, 'a', 'z') && (i < last || !strings.HasPrefix(s, "_") || !allBytes(s, isWord)) {
			return false
		}
	}
	return true
}

// isDeclaredName reports whether each segment of name begins with a letter in
// the given range.
func isDeclaredName(name string, from, to byte) bool {
	for s := range strings.SplitSeq(name, "::") {
		if !isSegment(s, from, to) {
			return false
		}
	}
	return true
}

// isSegment reports whether s begins with a letter in the given range, followed
// only by word characters.
func isSegment(s string, from, to byte) bool {
	return s != "" && s[0] >= from && s[0] <= to && allBytes(s, isWord)
}

// isReservedTypeName reports whether name is that of a type, and so not allowed
// for a function, class or define.
func isReservedTypeName(name string) bool {
	switch name {
	case "type", "any", "unit", "scalar", "boolean", "numeric", "integer", "float", "collection", "array", "hash",
		"tuple", "struct", "variant", "optional", "enum", "regexp", "pattern", "runtime", "init", "object",
		"sensitive", "semver", "semverrange", "string", "timestamp", "timespan", "typeset":
		return true
	}
	return false
}
