package terminal

import "bytes"

// The colours of JSON are those of jq: an escape sequence before each kind of token.
const (
	keyColor    = "\x1b[34;1m"
	stringColor = "\x1b[32m"
	nullColor   = "\x1b[2m"
	noColor     = "\x1b[0m"
)

// ColorJSON returns JSON with the escape sequences that colour its keys, strings
// and nulls on a terminal. Without these, its bytes are the same.
func ColorJSON(b []byte) []byte {
	out := make([]byte, 0, len(b)+len(b)/2)
	for len(b) > 0 {
		n, color := token(b)
		if color != "" {
			out = append(append(append(out, color...), b[:n]...), noColor...)
		} else {
			out = append(out, b[:n]...)
		}
		b = b[n:]
	}
	return out
}

// token returns the length of the first token and its colour, empty for none.
func token(b []byte) (n int, color string) {
	switch {
	case b[0] == '"':
		n = stringEnd(b)
		if rest := bytes.TrimLeft(b[n:], " \t\r\n"); len(rest) > 0 && rest[0] == ':' {
			return n, keyColor
		}
		return n, stringColor
	case bytes.HasPrefix(b, []byte("null")):
		return len("null"), nullColor
	default:
		return 1, ""
	}
}

// stringEnd returns the length of the string that b begins with.
func stringEnd(b []byte) int {
	for i := 1; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(b)
}
