package document

import (
	"errors"
	"fmt"
	"log/slog"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/document"
	"github.com/pcatdev/pcat/serialization"
)

// repair converts text of d that is not UTF-8 to Binary, with a warning for each location.
// It only changes JSON and MessagePack.
func (d *Document) repair(log *slog.Logger) error {
	if !d.Form.IsJSON() && !d.Form.IsMessagePack() {
		return nil
	}
	data, err := d.ReadAll()
	if err != nil {
		return err
	}
	repaired, fixes := document.Repair(data, d.Form)
	if len(fixes) == 0 {
		return nil
	}
	d.content = d.content.With(repaired)
	for _, f := range fixes {
		log.Warn("reading text that is not UTF-8 as Binary", "file", d.Name, "place", d.Named(d.placeOf(f.At)).String(), "offset", f.Offset+f.Bad)
	}
	return nil
}

// placeOf returns the location of a parameter or resource at an offset of the document.
func (d *Document) placeOf(at int64) (place catalog.Location) {
	within := func(offset int64, length int) bool { return offset <= at && at < offset+int64(length) }
	for r, err := range d.Reader().Resources() {
		if err != nil {
			break
		}
		if !within(r.Offset(), len(r.Bytes())) {
			continue
		}
		parameters, err := r.RawParameters()
		if err != nil {
			break
		}
		for _, p := range parameters {
			if within(p.Offset(), len(p.Bytes())) {
				return r.Ref().Parameter(p.Key)
			}
		}
		return catalog.Location{Ref: r.Ref()}
	}
	return place
}

// Explain adds a remedy to an error of reading the document: for text that is not UTF-8,
// and for a map that is read as rich data.
func (d *Document) Explain(err error) error {
	var placed *catalog.Error
	if !errors.As(err, &placed) {
		return err
	}
	switch {
	case errors.Is(err, serialization.ErrValue) && !d.decode.Plain && (d.Form.IsJSON() || d.Form.IsMessagePack()):
		return fmt.Errorf("%w; a map with the key __ptype is read as rich data: if it is not rich data, rename the key", err)
	case errors.Is(err, serialization.ErrUTF8) && placed.Offset >= 0:
		var bad [1]byte
		if _, readErr := d.content.ReadAt(bad[:], placed.Offset); readErr == nil && bad[0] >= 0x80 { // no half of a surrogate pair
			return fmt.Errorf("%w: byte 0x%02x; use --repair to read the text as Binary", err, bad[0])
		}
	}
	return err
}
