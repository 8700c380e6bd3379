package document

import (
	"io"

	"github.com/pcatdev/pcat/serialization"
)

// CarryPieces is Carry with pieces of another size.
func CarryPieces(dst io.Writer, src io.ReadSeeker, wire string, d serialization.DecodeOptions, e serialization.EncodeOptions, piece int, watch *Watch) (bool, error) {
	return carry(dst, src, wire, d, e, piece, watch)
}
