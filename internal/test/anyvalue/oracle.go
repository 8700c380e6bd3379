package anyvalue

import (
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization/richdata"
)

// Types are the types of the specification with a fixed clock: a `__ptype` of
// Timestamp without a value is the current time, which differs between two
// readings.
type Types struct{ richdata.Types }

// New returns the value of typ.new(args…).
func (t Types) New(typ pcore.Type, args ...pcore.Value) (pcore.Value, error) {
	v, err := t.Types.New(typ, args...)
	if _, ok := v.(pcore.Timestamp); ok && len(args) == 0 {
		return pcore.NewTimestamp(0, 0), nil
	}
	return v, err
}

// ReadsBack reports whether v equals the value decoded from its encoding. It is
// false for a URI with a user or a port and no host, and for `//`: as in the
// reference, their text is another URI or none.
func ReadsBack(v pcore.Value) bool {
	reads := true
	err := pcore.Walk(v, func(c *pcore.Cursor) error {
		if u, ok := c.Value().(*pcore.URI); ok {
			back, err := pcore.ParseURI(u.Text())
			reads = reads && u.Text() != "" && err == nil && pcore.Identical(u, back)
		}
		return nil
	})
	return reads && err == nil
}
