package json

import (
	"encoding/json"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/richdata"
)

// Value is a field type for structs that encoding/json marshals and unmarshals;
// it uses rich data. The zero value marshals undef, rejects secrets and
// unmarshals strictly. It must not be unmarshaled into concurrently.
//
// encoding/json cannot unmarshal into a field of type [pcore.Value], and it
// would marshal one without its type.
type Value struct {
	// Value is the marshaled or unmarshaled value. Nil means undef.
	pcore.Value
	// Encode and Decode are the options for marshaling and unmarshaling.
	Encode serialization.EncodeOptions
	Decode serialization.DecodeOptions
}

var (
	_ json.Marshaler   = Value{}
	_ json.Unmarshaler = (*Value)(nil)
)

// MarshalJSON returns the value as rich data.
func (v Value) MarshalJSON() ([]byte, error) {
	var out pcore.Value = pcore.Undef{}
	if v.Value != nil {
		out = v.Value
	}
	return Append(nil, out, richdata.Rich, v.Encode)
}

// UnmarshalJSON decodes rich data.
func (v *Value) UnmarshalJSON(data []byte) error {
	value, err := Decode(data, v.Decode)
	if err != nil {
		return err
	}
	v.Value = value
	return nil
}
