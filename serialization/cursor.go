package serialization

import "github.com/pcatdev/pcat/pcore"

// Token is the kind of the next element of a document.
type Token uint8

// Tokens. TokenBinary is a byte string of the wire format, which MessagePack
// has and rich data never uses.
const (
	TokenEnd Token = iota // the end of the array or map
	TokenKey              // a key of the map
	TokenNull
	TokenBoolean
	TokenNumber
	TokenString
	TokenBinary
	TokenArray
	TokenMap
)

// Raw is an encoded value that has been validated: it is well-formed, valid
// UTF-8, within the limits and without duplicate keys.
type Raw struct {
	// Bytes are the bytes of the value, without surrounding whitespace and without
	// repeated members of maps. They are valid until the next call of a method of the
	// [Reader].
	Bytes []byte
	// Offset is the position of Bytes in the input. Positions in Bytes are those in the
	// input up to the first member that was left out.
	Offset int64
}

// Reader is a cursor in a document. It reads a map or an array member by
// member, so a document need not fit in memory, except for values returned by
// [Reader.Value] or [Reader.Raw]. Errors are *[Error] with the path from the
// root of the document; after an error the Reader must not be used. It is not
// safe for concurrent use.
//
//	_, err := r.Enter()
//	for {
//		t, err := r.Token()
//		if t == serialization.TokenEnd { break }
//		key, err := r.Key()
//		value, err := r.Value()
//	}
//	err = r.Leave()
type Reader interface {
	// Token returns the kind of the next element without consuming it. Before,
	// between and after documents it returns io.EOF if the input ends there.
	Token() (Token, error)
	// Enter moves into the next array or map and returns the number of its
	// members, or -1 if the wire format does not store it.
	Enter() (n int, err error)
	// Leave moves behind the innermost array or map and skips its remaining
	// members.
	Leave() error
	// Key reads the key of the next member of a map. In a map, each Key is
	// followed by Value, Raw, Skip or Enter. A key that is not a string, which
	// MessagePack allows, is an error. For a key that the map already has, Key returns
	// the key and [ErrDuplicateKey]; the Reader can still be used then.
	Key() (string, error)
	// Value reads and decodes the next value, including rich data.
	Value() (pcore.Value, error)
	// Raw reads the next value without decoding it.
	Raw() (Raw, error)
	// Skip reads, validates and discards the next value.
	Skip() error
	// Offset returns the position of the next element in the input.
	Offset() int64
	// Path returns the path to the next element.
	Path() pcore.Path
	// End returns an error unless the document is complete and only whitespace
	// follows.
	End() error
}

// Writer writes a document member by member. It is not safe for concurrent use.
type Writer interface {
	// BeginMap and BeginArray open a map or an array of n members, which
	// [Writer.End] closes. A negative n means that the number is unknown; a
	// wire format that stores it buffers the members until the end.
	BeginMap(n int) error
	BeginArray(n int) error
	// End closes the innermost map or array. It returns an error if the number
	// of members differs from the announced one.
	End() error
	// Key writes the key of the next member of a map.
	Key(key string) error
	// Value writes v as rich data, or as the format represents it.
	Value(v pcore.Value) error
	// Raw writes the bytes of one value unchanged. They must have been read
	// from the same wire format.
	Raw(raw []byte) error
	// Close ends the document and flushes buffered data. It returns an error if
	// a map or array is still open. It does not close the underlying writer.
	Close() error
}
