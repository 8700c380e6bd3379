package serialization

import "github.com/pcatdev/pcat/pcore"

// Decoder reads a sequence of documents. It is not safe for concurrent use.
type Decoder interface {
	// Decode returns the next value, or io.EOF if there are no more. Any other
	// error is an *[Error], after which the Decoder must not be used.
	Decode() (pcore.Value, error)
}

// Recycler is a [Decoder] that can be reused for many documents in memory.
type Recycler interface {
	Decoder
	// DecodeBytes decodes data, a whole document, like [Format].Decode. It can
	// be called again after an error.
	DecodeBytes(data []byte) (pcore.Value, error)
	// Recycle is like DecodeBytes but reuses the memory of values returned
	// before, none of which may be in use.
	Recycle(data []byte) (pcore.Value, error)
}

// Encoder writes a sequence of documents. It is not safe for concurrent use.
type Encoder interface {
	// Encode writes v. If v cannot be written, the error is an *[Error] with
	// the path, and no byte of v is written.
	Encode(v pcore.Value) error
	// Close flushes buffered data. It does not close the underlying writer.
	Close() error
}
