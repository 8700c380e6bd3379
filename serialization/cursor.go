package serialization

import "github.com/pcatdev/pcat/pcore"

// Token tells what comes next in a document.
type Token uint8

// What can come next. A Binary is a byte string of the wire itself, which
// MessagePack has and rich data never uses.
const (
	TokenEnd Token = iota // the array or map ends here
	TokenKey              // a key of the map
	TokenNull
	TokenBoolean
	TokenNumber
	TokenString
	TokenBinary
	TokenArray
	TokenMap
)

// Raw is a value as it stands on the wire, validated: well-formed, valid
// UTF-8, within the limits, without duplicate keys.
type Raw struct {
	// Bytes are the bytes of the value, without blanks around it. They are
	// valid until the next call of a method of the [Reader].
	Bytes []byte
	// Offset is where in the input they begin.
	Offset int64
}

// Reader is a cursor in a document. It reads a map or an array member by
// member, so that a document need not fit in memory; only what [Reader.Value]
// or [Reader.Raw] returns does. Errors are *[Error] with the path from the
// root of the document; after one the Reader is of no more use. It must not be
// used by several goroutines at once.
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
	// Token tells what comes next and moves nothing. Before, between and
	// after documents it returns io.EOF when the input ends there.
	Token() (Token, error)
	// Enter moves into the array or map that comes next and returns the
	// number of its members, or -1 when the wire does not tell beforehand.
	Enter() (n int, err error)
	// Leave moves behind the array or map that was entered last. What was
	// not read of it is skipped.
	Leave() error
	// Key reads the key of the next member of a map. In the middle of a map,
	// each Key is followed by Value, Raw, Skip or Enter. A key that is not a
	// string, which MessagePack can have, is an error.
	Key() (string, error)
	// Value reads the next value, with rich data made to what it stands for.
	Value() (pcore.Value, error)
	// Raw reads the next value without decoding it.
	Raw() (Raw, error)
	// Skip reads the next value, validates it and forgets it.
	Skip() error
	// Offset returns the position in the input of what comes next.
	Offset() int64
	// Path returns the path to what comes next.
	Path() pcore.Path
	// End returns an error unless the document is complete and nothing but
	// blanks follows.
	End() error
}

// Writer writes a document member by member. It must not be used by several
// goroutines at once.
type Writer interface {
	// BeginMap and BeginArray open a map or an array of n members, which
	// [Writer.End] closes. A negative n means that the number is not known;
	// a wire that needs it holds the members back until the end.
	BeginMap(n int) error
	BeginArray(n int) error
	// End closes what was opened last. It is an error when the number of
	// members is not what was announced.
	End() error
	// Key writes the key of the next member of a map.
	Key(key string) error
	// Value writes v as rich data, or as what the form makes of it.
	Value(v pcore.Value) error
	// Raw writes the bytes of one value, which were read from the same wire
	// and are written as they are.
	Raw(raw []byte) error
	// Close ends the document: it writes what is held back, and is an error
	// when something is still open. It does not close what is written to.
	Close() error
}
