package json

import (
	"io"

	"github.com/pcatdev/pcat/internal/dataconv"
	"github.com/pcatdev/pcat/internal/wire"
	"github.com/pcatdev/pcat/serialization"
)

// NewWriter returns a Writer that writes to w.
func NewWriter(w io.Writer, mode dataconv.Mode, o serialization.EncodeOptions) serialization.Writer {
	return wire.NewWriter(name, w, &sink{indent: o.Indent}, mode, o)
}
