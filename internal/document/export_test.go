package document

import (
	"io"

	"github.com/pcatdev/pcat/serialization"
)

// TranscodeInPieces is TranscodeStream with pieces of another size.
func TranscodeInPieces(dst io.Writer, src io.ReadSeeker, from, to serialization.Format, d serialization.DecodeOptions, e serialization.EncodeOptions, piece int, watch *Watch) (bool, error) {
	return transcodeInPieces(dst, src, from, to, d, e, piece, watch)
}
