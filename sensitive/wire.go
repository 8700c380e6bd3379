package sensitive

import (
	"github.com/pcatdev/pcat/internal/jsonwire"
	"github.com/pcatdev/pcat/internal/unescape"
)

// searchable returns raw JSON with its escapes decoded, so it can be searched for text.
// The result is raw itself if there are no escapes; otherwise it uses scratch, which is
// also returned.
func searchable(raw, scratch []byte) (text, grown []byte) {
	if jsonwire.IsPlain(raw) {
		return raw, scratch
	}
	b := unescape.Lenient(scratch[:0], raw)
	return b, b
}
