package document

import (
	"bytes"
	"errors"
	"io"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/internal/rundata"
	"github.com/pcatdev/pcat/serialization/formats"
)

// present makes d a document of the catalogs that present a report, events, facts or rows, if its
// content is one of them.
func (d *Document) present(src cli.Source, head []byte) error {
	kind := rundata.Detect(head)
	if kind == nil {
		return nil
	}
	d.hold = func() func() { return src.Hold(d.Size()) }
	defer d.hold()()
	data, err := d.content.ReadAll()
	if err != nil {
		return err
	}
	d.spool = src.SpoolFor
	if src.Remote() { // nothing of it is written to a file
		var catalogs bytes.Buffer
		if d.catalogs, err = kind.Catalogs(&catalogs, data); err != nil {
			return cli.BadInput(d.Name, "", err)
		}
		d.origin, d.kind, d.Format = d.content, kind, formats.RichJSON()
		d.content = d.origin.With(catalogs.Bytes())
		return nil
	}
	catalogs := src.SpoolFor(d.content.Size())
	if d.catalogs, err = kind.Catalogs(catalogs, data); err != nil {
		return cli.BadInput(d.Name, "", errors.Join(err, catalogs.Close()))
	}
	d.origin, d.kind = d.content, kind
	d.content = d.origin.WithSpool(catalogs)
	d.Format = formats.RichJSON()
	return nil
}

// Kind returns the kind of a document that is no catalog but is read as catalogs: "report",
// "events", "facts" or "resources". It is empty for a catalog.
func (d *Document) Kind() string {
	if d.kind == nil {
		return ""
	}
	return string(d.kind.Kind())
}

// Count adds d to numbers. A document of catalogs counts as one.
func (d *Document) Count(numbers rundata.Numbers) {
	if d.kind == nil {
		numbers.Add("", 1)
		return
	}
	numbers.Add(d.kind.Kind(), d.catalogs)
}

// Wire returns the syntax of d as it was read, as in [serialization.Format].
func (d *Document) Wire() string {
	if d.kind == nil {
		return d.Format.Wire
	}
	return d.kind.Wire()
}

// Described returns the name of the format of d, and for a document that is no catalog, its kind.
func (d *Document) Described() string {
	if d.kind == nil {
		return d.Format.Name
	}
	return d.Kind() + " in " + d.Wire()
}

// Presented reports whether d is such a document, and so large that its catalogs are in a file:
// they take no memory while d is open, and time to make again.
func (d *Document) Presented() bool { return d.kind != nil && d.content.Bytes() == nil }

// Restored returns a function that writes d as write writes its catalogs: for a report, and other
// documents that are read as catalogs, the original with the texts that were changed. For
// catalogs, it returns write.
func (d *Document) Restored(write func(io.Writer) error) func(io.Writer) error {
	if d.kind == nil {
		return write
	}
	return func(w io.Writer) (err error) {
		changed := d.spool(d.content.Size())
		defer func() { err = errors.Join(err, changed.Close()) }()
		if err := write(changed); err != nil {
			return err
		}
		defer d.hold()()
		data, err := d.origin.ReadAll()
		if err != nil {
			return err
		}
		return d.kind.Restore(w, data, io.NewSectionReader(changed, 0, changed.Size()))
	}
}
