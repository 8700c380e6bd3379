package document

import (
	"errors"
	"fmt"
	"log/slog"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/repair"
)

// repair takes text of d that is no UTF-8 for a Binary, and tells where. A document in another
// syntax than JSON or MessagePack stays as it is.
func (d *Document) repair(log *slog.Logger) error {
	fix := map[string]func([]byte) ([]byte, []repair.Fix){"json": repair.JSON, "msgpack": repair.MessagePack}[d.Form.Wire]
	if fix == nil {
		return nil
	}
	data, err := d.ReadAll()
	if err != nil {
		return err
	}
	repaired, fixes := fix(data)
	if len(fixes) == 0 {
		return nil
	}
	d.content = d.content.With(repaired)
	for _, f := range fixes {
		log.Warn("text that is no UTF-8 is read as a Binary", "file", d.Name, "place", d.placeOf(f.At), "offset", f.Offset+f.Bad)
	}
	return nil
}

// placeOf returns what stands at a position of the document, as far as that is a parameter.
func (d *Document) placeOf(at int64) string {
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
				return r.Ref().Parameter(p.Key).String()
			}
		}
		return r.Ref().String()
	}
	return ""
}

// withRemedy adds to an error about text that is no UTF-8 which byte it is, and what to do; and to one
// about rich data in a plain form, that it is taken for such.
func (d *Document) withRemedy(err *catalog.Error) error {
	if errors.Is(err, serialization.ErrValue) && !d.Form.Rich && !d.decode.Plain {
		return fmt.Errorf("%w; a catalog as %s marks secrets with the key __ptype, so what has it is taken for rich data: rename the key where it is not", err, d.Form.Name)
	}
	if !errors.Is(err, serialization.ErrUTF8) || err.Offset < 0 {
		return err
	}
	var bad [1]byte
	if _, readErr := d.content.ReadAt(bad[:], err.Offset); readErr != nil || bad[0] < 0x80 {
		return err // half of a surrogate pair, written as an escape
	}
	return fmt.Errorf("%w: byte 0x%02x; --repair reads it as a Binary", err, bad[0])
}
