package catalog

import "github.com/pcatdev/pcat/internal/jsonwire"

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
