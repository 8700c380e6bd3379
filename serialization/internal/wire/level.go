package wire

import (
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// Level is an array or a map that a cursor is in.
type Level struct {
	IsMap bool
	// Count is the number of members when the wire told it, else -1.
	Count int
	// Read is the number of members that were read.
	Read int
	// Reached tells that the cursor is at the next member already, behind
	// the separator before it.
	Reached bool
	// InValue tells that the key of the next member was read, which is Key.
	InValue bool
	Key     string

	seen map[string]struct{}
}

// SetKey notes the key of the next member, and reports false when there was
// one before.
func (l *Level) SetKey(key string) bool {
	if l.seen == nil {
		l.seen = map[string]struct{}{}
	}
	_, known := l.seen[key]
	l.seen[key] = struct{}{}
	l.Key, l.InValue = key, true
	return !known
}

// Done notes that a member was read.
func (l *Level) Done() {
	l.Read++
	l.Reached, l.InValue = false, false
}

// Cursor is the state of a [serialization.Reader] that does not depend on the
// wire.
type Cursor struct {
	Opts   serialization.DecodeOptions
	levels []Level
	err    error
}

// Top returns the innermost level, nil outside of all.
func (c *Cursor) Top() *Level {
	if len(c.levels) == 0 {
		return nil
	}
	return &c.levels[len(c.levels)-1]
}

// Depth returns the number of levels.
func (c *Cursor) Depth() int { return len(c.levels) }

// Push enters a level, or reports false when that would be too deep.
func (c *Cursor) Push(l Level) bool {
	if len(c.levels) >= c.Opts.Depth() {
		return false
	}
	c.levels = append(c.levels, l)
	return true
}

// Pop leaves the innermost level.
func (c *Cursor) Pop() {
	c.levels = c.levels[:len(c.levels)-1]
	c.Done()
}

// Done notes that a value was read.
func (c *Cursor) Done() {
	if top := c.Top(); top != nil {
		top.Done()
	}
}

// Path returns the path to what comes next.
func (c *Cursor) Path() pcore.Path {
	path := make(pcore.Path, 0, len(c.levels))
	for i := range c.levels {
		switch l := &c.levels[i]; {
		case !l.IsMap:
			path = append(path, pcore.Step{Kind: pcore.StepIndex, Index: l.Read})
		case l.InValue:
			path = append(path, pcore.Step{Kind: pcore.StepEntry, Index: l.Read, Key: pcore.String(l.Key)})
		}
	}
	return path
}

// Err returns the error that ended the reading.
func (c *Cursor) Err() error { return c.err }

// Fail ends the reading with err.
func (c *Cursor) Fail(err error) error {
	c.err = err
	return err
}
