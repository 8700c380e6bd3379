package document

import (
	"errors"
	"fmt"
	"log/slog"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/document"
	"github.com/pcatdev/pcat/internal/lazyregexp"
	"github.com/pcatdev/pcat/serialization"
)

// repair converts text of d that is not UTF-8 to Binary, with a warning for each location.
// It only changes JSON and MessagePack.
func (d *Document) repair(log *slog.Logger) error {
	if !d.Format.IsJSON() && !d.Format.IsMessagePack() {
		return nil
	}
	data, err := d.ReadAll()
	if err != nil {
		return err
	}
	repaired, fixes := document.Repair(data, d.Format)
	if len(fixes) == 0 {
		return nil
	}
	d.content = d.content.With(repaired)
	for _, f := range fixes {
		log.Warn("reading text that is not UTF-8 as Binary", "file", d.Name, "location", d.Named(d.locationOf(f.At)).String(), "offset", f.Offset+f.Bad)
	}
	return nil
}

// locationOf returns the location of a parameter or resource at an offset of the document.
func (d *Document) locationOf(at int64) (location catalog.Location) {
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
	return location
}

// tabulatedHash is the beginning of a hash as tabulated JSON: the code of the start of a map and
// the number of its entries. The document is also valid JSON, so the format is never detected
// from it.
var tabulatedHash = lazyregexp.New(`^\s*\[\s*\[\s*17\s*,\s*[0-9]+\s*[,\]]`)

// puppet3Catalog is the beginning of a catalog as the YAML of Puppet 3. Its keys are lists, and
// its resources refer to the catalog.
var puppet3Catalog = lazyregexp.New(`^---[^\n]* !ruby/object:Puppet::Resource::Catalog\s*\n(?s:.*)\n  resource_table:`)

// Explain adds a remedy to an error of reading the document: for text that is not UTF-8, for
// a map that is read as rich data, and for a document in another format than it seems.
func (d *Document) Explain(err error) error {
	var placed *catalog.Error
	if !errors.As(err, &placed) {
		return err
	}
	switch {
	case errors.Is(err, serialization.ErrValue) && !d.decode.Plain && (d.Format.IsJSON() || d.Format.IsMessagePack()):
		return fmt.Errorf("%w; a map with the key __ptype is read as rich data: if it is not rich data, rename the key", err)
	case errors.Is(err, serialization.ErrUTF8) && placed.Offset >= 0:
		var bad [1]byte
		if _, readErr := d.content.ReadAt(bad[:], placed.Offset); readErr == nil && bad[0] >= 0x80 { // no half of a surrogate pair
			return fmt.Errorf("%w: byte 0x%02x; use --repair to read the text as Binary", err, bad[0])
		}
	case d.Format.Name == "yaml":
		if head, readErr := headOf(d.content); readErr == nil && puppet3Catalog.Get().Match(head) {
			return fmt.Errorf("%w; this is the YAML of Puppet 3, which only Puppet can read: take the catalog as JSON or PSON", err)
		}
	case errors.Is(err, catalog.ErrShape) && d.Format.IsJSON():
		if head, readErr := headOf(d.content); readErr == nil && tabulatedHash.Get().Match(head) {
			return fmt.Errorf("%w; it looks like tabulated JSON: use -f tabulated-json", err)
		}
	}
	return err
}
