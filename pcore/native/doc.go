// Package native converts Go values to values of the Puppet language and back,
// as encoding/json does for JSON:
//
//	Marshal, Unmarshal   from a Go value to a pcore.Value, and back
//	TypeOf               the Puppet type of the values of a Go type
//	Secret               a Go value that is Sensitive in Puppet
//	Marshaler, Unmarshaler, Typer   types that convert themselves
//	Codec, Options       the same with Object types
//	Error                a value that cannot be converted, and its location
//
// # Correspondence
//
//	bool                       Boolean
//	int, int8 … uint64         Integer, in the range of the Go type
//	float32, float64           Float
//	string                     String, which must be valid UTF-8
//	[]byte, [n]byte            Binary
//	[]T, [n]T                  Array[T], Array[T, n, n]
//	map[K]V                    Hash[K, V], sorted by key
//	struct                     Struct, with an entry for each exported field
//	*T                         Optional[T]; nil is undef
//	any                        Any; see below
//	Secret[T]                  Sensitive[T]
//	time.Time, time.Duration   Timestamp, Timespan
//	big.Int                    Integer
//	url.URL                    URI
//	*regexp.Regexp             Regexp, with the source as it is
//	encoding.TextMarshaler     String
//	a type of package pcore    itself: *pcore.SemVer, pcore.Timespan …
//
// Go values that Puppet does not have are an error: a channel, a function, a
// complex number, a text that is not UTF-8.
//
// A nil slice and a nil map become empty ones. Undef is nil for a pointer, a
// slice, a map and an interface, and does not fit any other Go type.
//
// In an interface without methods, Unmarshal stores a bool, int64, *big.Int,
// float64, string, []byte, time.Time, time.Duration, []any, map[string]any or
// nil. A value that none of these can represent remains one of package pcore: a
// Sensitive, a Hash with other keys than Strings, a SemVer, and so on.
//
// # Fields
//
// The tag `pcore:"name,omitempty"` names the entry of a field. A field without
// a name in its tag has its Go name in snake case, as Puppet spells parameters:
// BackupPort is backup_port. With omitempty, a zero value and an empty slice or
// map have no entry. The tag `pcore:"-"` excludes a field. The fields of an
// embedded struct without a tag belong to the outer struct, by the rules of Go:
// the shallowest field of a name counts.
//
// Unmarshal leaves a field without an entry as it is, and ignores entries
// without a field unless [Options] disallow them. Values are not converted:
// the text '8080' does not fit an int. The only exception is an Integer for a
// float, if it is exact. The elements of an Array replace those of a slice; the
// entries of a Hash are added to a map. After an error, the destination may be
// partially set.
//
// # Secrets
//
// A Sensitive fits a [Secret], a *pcore.Sensitive, a pcore.Value and an
// interface without methods, and never another Go type. A Secret also accepts a
// value that is not Sensitive. No error contains the value of a secret.
package native
