package jsonwire

import "bytes"

// IsBlank reports whether c is whitespace.
func IsBlank(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

// SkipBlanks returns the position after the whitespace at i.
func SkipBlanks(data []byte, i int) int {
	for i < len(data) && IsBlank(data[i]) {
		i++
	}
	return i
}

// Literal compares the bytes at i with text, which is null, true or false. It
// returns the position after the equal bytes, and whether all of text is equal.
func Literal(data []byte, i int, text string) (end int, ok bool) {
	if end = i + len(text); end <= len(data) && string(data[i:end]) == text {
		return end, true
	}
	for end = i; end < len(data) && data[end] == text[end-i]; {
		end++
	}
	return end, false
}

// None is the position of a thing that is not there.
const None = -1

// StringEnd returns the position after the string whose quote is at i, or None
// if it is not terminated. It does not validate the string.
func StringEnd(data []byte, i int) int {
	for at := i + 1; at <= len(data); at++ {
		n := bytes.IndexByte(data[at:], '"')
		if n < 0 {
			break
		}
		at += n
		escapes := 0
		for data[at-1-escapes] == '\\' && at-1-escapes > i {
			escapes++
		}
		if escapes%2 == 0 {
			return at + 1
		}
	}
	return None
}

// ValueEnd returns the position after the value at i of valid JSON, or None if
// it has no end.
func ValueEnd(data []byte, i int) int {
	for depth := 0; i >= 0 && i < len(data); {
		switch data[i] {
		case '"':
			i = StringEnd(data, i)
		case '{', '[':
			depth++
			i++
			continue
		case '}', ']':
			depth--
			i++
		case ',', ':', ' ', '\n', '\r', '\t':
			i++
			continue
		default:
			i = scalarEnd(data, i)
		}
		if depth <= 0 {
			return i
		}
	}
	return None
}

// scalarEnd returns the position after the number or literal at i.
func scalarEnd(data []byte, i int) int {
	for i++; i < len(data); i++ {
		if c := data[i]; c == ',' || c == '}' || c == ']' || IsBlank(c) {
			break
		}
	}
	return i
}

// Next returns the position of the next member or element in valid JSON, where
// i is the opening bracket or the end of the previous member. At the end, more
// is false and the position is after the closing bracket. If there is neither,
// it returns None and false.
func Next(data []byte, i int) (at int, more bool) {
	i = SkipBlanks(data, i)
	if i < len(data) && (data[i] == ',' || data[i] == '{' || data[i] == '[') {
		if i = SkipBlanks(data, i+1); i < len(data) && data[i] != '}' && data[i] != ']' {
			return i, true
		}
	}
	if i < len(data) && (data[i] == '}' || data[i] == ']') {
		return i + 1, false
	}
	return None, false
}

// Key returns the raw key at i in valid JSON, between its quotes, and the
// position of its value. It returns None if there is no key with a value. plain
// reports whether the key has no escapes.
func Key(data []byte, i int) (key []byte, plain bool, value int) {
	if i >= len(data) || data[i] != '"' {
		return nil, false, None
	}
	end := StringEnd(data, i)
	if end < 0 {
		return nil, false, None
	}
	key = data[i+1 : end-1]
	colon := SkipBlanks(data, end)
	if colon >= len(data) || data[colon] != ':' {
		return nil, false, None
	}
	return key, IsPlain(key), SkipBlanks(data, colon+1)
}

// IsPlain reports whether a valid string, with or without its quotes, has no
// escapes, so that its bytes are its text.
func IsPlain(text []byte) bool { return bytes.IndexByte(text, '\\') < 0 }
