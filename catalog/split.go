package catalog

import "bytes"

// span is a member of a map: its key, and where its value stands.
type span struct {
	key        string
	start, end int
}

// splitJSON appends the members of raw, a map in JSON. The bytes were validated
// when they were read, so only the edges of the members are looked for. It
// reports false for what another road has to read: keys with escapes, and what is
// not valid after all.
func splitJSON(spans []span, raw []byte) (_ []span, ok bool) {
	i := skipBlanks(raw, 0)
	if i == len(raw) || raw[i] != '{' {
		return nil, false
	}
	for i = skipBlanks(raw, i+1); i < len(raw); i = skipBlanks(raw, i+1) {
		switch {
		case raw[i] == '}':
			return spans, i+1 == len(raw)
		case raw[i] != '"':
			return nil, false
		}
		end := stringEnd(raw, i)
		key := raw[min(i+1, end):max(end-1, min(i+1, end))]
		colon := skipBlanks(raw, end)
		if colon == len(raw) || raw[colon] != ':' || bytes.IndexByte(key, '\\') >= 0 {
			return nil, false
		}
		start := skipBlanks(raw, colon+1)
		end = valueEnd(raw, start)
		spans = append(spans, span{string(key), start, end})
		if i = skipBlanks(raw, end); i == len(raw) || raw[i] != ',' {
			i-- // at the bracket, or nowhere
		}
	}
	return nil, false
}

func skipBlanks(raw []byte, i int) int {
	for i < len(raw) && (raw[i] == ' ' || raw[i] == '\n' || raw[i] == '\r' || raw[i] == '\t') {
		i++
	}
	return i
}

// valueEnd returns where the value at i ends, which is the end of raw for one
// that does not.
func valueEnd(raw []byte, i int) int {
	for depth := 0; i < len(raw); {
		switch raw[i] {
		case '"':
			i = stringEnd(raw, i)
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
			i = scalarEnd(raw, i)
		}
		if depth <= 0 {
			return i
		}
	}
	return len(raw)
}

// stringEnd returns where the string at i ends.
func stringEnd(raw []byte, i int) int {
	for i++; ; i++ {
		n := bytes.IndexByte(raw[i:], '"')
		if n < 0 {
			return len(raw)
		}
		i += n
		escapes := 0
		for raw[i-1-escapes] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			return i + 1
		}
	}
}

// scalarEnd returns where the number or word at i ends.
func scalarEnd(raw []byte, i int) int {
	for i++; i < len(raw); i++ {
		switch raw[i] {
		case ',', '}', ']', ' ', '\n', '\r', '\t':
			return i
		}
	}
	return i
}
