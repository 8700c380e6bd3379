package sensitive

import (
	"github.com/pcatdev/pcat/internal/jsonwire"
	"github.com/pcatdev/pcat/internal/unescape"
)

// searchable returns text in which each string of a document stands as it is:
// JSON with its escapes undone. The result is raw itself when there are none;
// else it is made in scratch, which is returned, too.
func searchable(raw, scratch []byte) (text, grown []byte) {
	if jsonwire.IsPlain(raw) {
		return raw, scratch
	}
	b := unescape.Lenient(scratch[:0], raw)
	return b, b
}
