package document

import (
	"bytes"
	"io"
	"log/slog"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/internal/richtext"
	"github.com/pcatdev/pcat/pcore"
)

// Puppet writes catalogs without rich data by default: each value that JSON cannot
// represent becomes text. The text of most kinds looks like any other text. But the text of
// an object, including Deferred, has a recognizable form, and so has a Sensitive, which
// gets a number when it is written as text. `Sensitive [value redacted]` without a number
// comes from an interpolation in a manifest. These are the parts of the texts that stay the
// same in the bytes of all formats.
var (
	objectMark    = []byte("({'")
	sensitiveMark = []byte(pcore.RedactedText + ":")
)

// Flattened returns the location of the first rich value that was written as its text, without the
// secrets that d declares in it. It returns false when there is none, when d holds rich values that
// are not text, and for catalogs of PuppetDB, which has none. It must not be called by several
// goroutines at once.
func (d *Document) Flattened() (at catalog.Location, found bool) {
	if !d.marked() {
		return at, false
	}
	for part, err := range d.Reader().Parts() {
		switch {
		case err != nil, part.Key == "certname":
			return catalog.Location{}, false // an error is that of the command, which reads it again
		case part.Kind != catalog.PartResource || !part.Resource.MayBeRich() && !isMarked(part.Resource.Bytes()):
			continue
		}
		parameters, err := part.Resource.Parameters()
		if err != nil {
			return catalog.Location{}, false
		}
		path, flat, rich := flattenedIn(parameters, pcore.Path{})
		if rich {
			return catalog.Location{}, false
		}
		if flat && !found {
			at, found = catalog.Location{Ref: part.Resource.Ref(), Path: path}, true
		}
	}
	if found {
		at = d.Named(at)
	}
	return at, found
}

// WarnFlattened logs that rich values of d were written as text, if so.
func (d *Document) WarnFlattened(log *slog.Logger) {
	if at, found := d.Flattened(); found {
		LogFlattened(log, d.Name, shortened(at.String()))
	}
}

// LogFlattened logs that a rich value of a file was written as text. location may be empty.
func LogFlattened(log *slog.Logger, file, location string) {
	log.Warn("this is a rich value that was written as text: the catalog was written without rich data, so Deferred calls and types are lost. Compile it with --render-as rich_data_json",
		cli.FileKey, file, cli.LocationKey, location)
}

// flattenedIn returns the path to the first text of a rich value in v, and whether there is
// a rich value that is none. A Sensitive is kept in all formats but that of PuppetDB.
func flattenedIn(v pcore.Value, at pcore.Path) (path pcore.Path, found, rich bool) {
	// First finds are kept: a rich value may still follow.
	within := func(v pcore.Value, at pcore.Path) {
		p, f, r := flattenedIn(v, at)
		if f && !found {
			path, found = p, true
		}
		rich = rich || r
	}
	switch v := v.(type) {
	case pcore.String:
		return at, richtext.IsObject(string(v)) || richtext.IsSensitive(string(v)), false
	case *pcore.Array:
		for i, e := range v.All() {
			within(e, at.Index(i))
		}
	case *pcore.Hash:
		for k, e := range v.All() {
			name, isText := k.(pcore.String)
			if !isText || name == "__ptype" { // an object of a type that is not known
				return nil, false, true
			}
			within(e, at.Key(string(name)))
		}
	case *pcore.Sensitive:
		within(v.Reveal(), at) //nolint:forbidigo // only the form of the text counts
	case pcore.Undef, pcore.Boolean, pcore.Integer, pcore.Float:
	default:
		rich = true
	}
	return path, found, rich
}

// marked reports whether the bytes of d hold one of the marks.
func (d *Document) marked() bool {
	if data := d.content.Bytes(); data != nil {
		return isMarked(data)
	}
	const common = 64 // more than a mark is long
	buf, held := make([]byte, 256<<10), 0
	for r := d.content.Reader(); ; {
		n, err := io.ReadFull(r, buf[held:])
		if isMarked(buf[:held+n]) {
			return true
		}
		if err != nil {
			return false
		}
		held = copy(buf, buf[len(buf)-common:])
	}
}

// isMarked reports whether data holds one of the marks: that of an object behind a name.
func isMarked(data []byte) bool {
	if bytes.Contains(data, sensitiveMark) {
		return true
	}
	for {
		i := bytes.Index(data, objectMark)
		if i < 0 {
			return false
		}
		if i > 0 && isWord(data[i-1]) {
			return true
		}
		data = data[i+len(objectMark):]
	}
}

func isWord(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '_'
}
