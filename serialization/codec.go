package serialization

import "github.com/pcatdev/pcat/pcore"

// Decoder reads values from a wire, one document after the other. It must not
// be used by several goroutines at once.
type Decoder interface {
	// Decode returns the next value, and io.EOF when there is none. Any
	// other error is an *[Error]; after one the Decoder is of no more use.
	Decode() (pcore.Value, error)
}

// Recycler is a [Decoder] that decodes many documents that are in memory, one
// after the other, without making itself anew for each.
type Recycler interface {
	Decoder
	// DecodeBytes returns the value of data, a whole document, as Decode of its
	// [Format] does. After an error the next document can be decoded all the
	// same.
	DecodeBytes(data []byte) (pcore.Value, error)
	// Recycle is DecodeBytes that takes the memory of what it returned before:
	// no part of that may be in use any more.
	Recycle(data []byte) (pcore.Value, error)
}

// Encoder writes values to a wire, one document after the other. It must not
// be used by several goroutines at once.
type Encoder interface {
	// Encode writes v. When v cannot be written, the error is an *[Error]
	// that names the path, and no byte of v is written.
	Encode(v pcore.Value) error
	// Close writes what is still held back. It does not close what is
	// written to.
	Close() error
}
