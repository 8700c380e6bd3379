package formats

import (
	stdjson "encoding/json"

	vmihailenco "github.com/vmihailenco/msgpack/v5"

	"github.com/pcatdev/pcat/internal/dataconv"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/internal/json"
	"github.com/pcatdev/pcat/serialization/internal/msgpack"
)

// JSONValue is a field type for structs that encoding/json marshals and unmarshals;
// it uses rich data. The zero value marshals undef, rejects secrets and
// unmarshals strictly. It must not be unmarshaled into concurrently.
//
// encoding/json cannot unmarshal into a field of type [pcore.Value], and it
// would marshal one without its type.
type JSONValue struct {
	// Value is the marshaled or unmarshaled value. Nil means undef.
	pcore.Value
	// Encode and Decode are the options for marshaling and unmarshaling.
	Encode serialization.EncodeOptions
	Decode serialization.DecodeOptions
}

var (
	_ stdjson.Marshaler   = JSONValue{}
	_ stdjson.Unmarshaler = (*JSONValue)(nil)
)

// MarshalJSON returns the value as rich data.
func (v JSONValue) MarshalJSON() ([]byte, error) {
	return json.Append(nil, orUndef(v.Value), dataconv.Rich, v.Encode)
}

// UnmarshalJSON decodes rich data.
func (v *JSONValue) UnmarshalJSON(data []byte) error {
	value, err := json.Decode(data, v.Decode)
	if err != nil {
		return err
	}
	v.Value = value
	return nil
}

// MessagePackValue is a field type for structs that github.com/vmihailenco/msgpack/v5
// encodes and decodes; it uses rich data. The zero value encodes undef, rejects
// secrets and decodes strictly. It must not be decoded into concurrently.
//
// msgpack/v5 cannot decode into a field of type [pcore.Value], and it would
// encode one without its type.
type MessagePackValue struct {
	// Value is the encoded or decoded value. Nil means undef.
	pcore.Value
	// Encode and Decode are the options for encoding and decoding.
	Encode serialization.EncodeOptions
	Decode serialization.DecodeOptions
}

var (
	_ vmihailenco.CustomEncoder = MessagePackValue{}
	_ vmihailenco.CustomDecoder = (*MessagePackValue)(nil)
)

// EncodeMsgpack writes the value to e.
func (v MessagePackValue) EncodeMsgpack(e *vmihailenco.Encoder) error {
	b, err := msgpack.Append(nil, orUndef(v.Value), dataconv.Rich, v.Encode)
	if err != nil {
		return err
	}
	return e.Encode(vmihailenco.RawMessage(b))
}

// DecodeMsgpack reads the next value from d, one header at a time, within the
// limits of the options.
func (v *MessagePackValue) DecodeMsgpack(d *vmihailenco.Decoder) error {
	value, err := decodeNested(d, v.Decode)
	if err != nil {
		return err
	}
	v.Value = value
	return nil
}

func orUndef(v pcore.Value) pcore.Value {
	if v == nil {
		return pcore.Undef{}
	}
	return v
}
