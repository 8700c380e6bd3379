package catalog

import "github.com/pcatdev/pcat/internal/jsonwire"

// span is a member of a map: its key and the position of its value.
type span struct {
	key        string
	start, end int
}

// memberKey returns a key as a string. Those that most resources have are not copied.
func memberKey(key []byte) string {
	switch string(key) {
	case keyType:
		return keyType
	case keyTitle:
		return keyTitle
	case keyTags:
		return keyTags
	case keyFile:
		return keyFile
	case keyLine:
		return keyLine
	case keyExported:
		return keyExported
	case keyKind:
		return keyKind
	case keyParameters:
		return keyParameters
	case "ensure":
		return "ensure"
	default:
		return string(key)
	}
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
		spans = append(spans, span{memberKey(key), start, end})
		at, more = jsonwire.Next(raw, end)
	}
	return spans, at == len(raw)
}
