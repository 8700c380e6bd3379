package wire

// Level is an array or a map that contains the cursor.
type Level struct {
	IsMap bool
	// Count is the number of members if the wire format stores it, and
	// otherwise -1.
	Count int
	// Read is the number of members read so far.
	Read int

	// reached indicates that the cursor is at the next member, after the
	// separator; inValue, that its key has also been read.
	reached bool
	inValue bool
	key     string
	seen    map[string]struct{}
}

// setKey sets the key of the next member. It reports false if the key is a
// duplicate.
func (l *Level) setKey(key string) bool {
	if l.seen == nil {
		l.seen = map[string]struct{}{}
	}
	_, known := l.seen[key]
	l.seen[key] = struct{}{}
	l.key, l.inValue = key, true
	return !known
}

// done counts a member as read.
func (l *Level) done() {
	l.Read++
	l.reached, l.inValue = false, false
}
