package catalog

import "github.com/pcatdev/pcat/internal/jsonwire"

// span is a member of a map: its key and the position of its value.
type span struct {
	key        string
	start, end int
}

// splitJSON appends the members of raw, a map in JSON. The bytes were validated
// when they were read, so it only looks for the boundaries of the members. It
// reports false if a key has escapes or raw is invalid; then the cursor must be
// used.
func splitJSON(spans []span, raw []byte) (_ []span, ok bool) {
	i := jsonwire.SkipBlanks(raw, 0)
	if i == len(raw) || raw[i] != '{' {
		return nil, false
	}
	at, more := jsonwire.Next(raw, i)
	for more {
		key, plain, start := jsonwire.Key(raw, at)
		end := jsonwire.ValueEnd(raw, max(start, 0))
		if !plain || end < 0 {
			return nil, false
		}
		spans = append(spans, span{string(key), start, end})
		at, more = jsonwire.Next(raw, end)
	}
	return spans, at == len(raw)
}
