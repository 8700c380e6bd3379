package wire

// Level is an array or a map that a cursor is in.
type Level struct {
	IsMap bool
	// Count is the number of members when the wire told it, else -1.
	Count int
	// Read is the number of members that were read.
	Read int

	// reached tells that the cursor is at the next member already, behind
	// the separator before it; inValue, that its key was read, too.
	reached bool
	inValue bool
	key     string
	seen    map[string]struct{}
}

// setKey notes the key of the next member, and reports false when another one
// has it already.
func (l *Level) setKey(key string) bool {
	if l.seen == nil {
		l.seen = map[string]struct{}{}
	}
	_, known := l.seen[key]
	l.seen[key] = struct{}{}
	l.key, l.inValue = key, true
	return !known
}

// done notes that a member was read.
func (l *Level) done() {
	l.Read++
	l.reached, l.inValue = false, false
}
