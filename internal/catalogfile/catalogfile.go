// Package catalogfile recognizes files that contain catalogs, and names their nodes.
//
//	Beginning   the part of a document that shows whether it is a catalog
//	Node        the node of a file: the name of its catalog
//	Stem        the name of a file without its extensions
//
// Whatever is known about a file before its catalog is read belongs here; the catalog
// itself is read by package catalog.
package catalogfile

import (
	"bytes"
	"errors"
	"io"
	"path/filepath"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/compress"
	"github.com/pcatdev/pcat/internal/lazyregexp"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// headSize is the number of bytes that are examined to detect a format.
const headSize = 64 << 10

// Beginning is the part of a document that was read to find out whether it is a catalog.
type Beginning struct {
	// Found is set if the document begins like a catalog.
	Found bool
	// Name is the name of the catalog, or empty. Of several catalogs, it is that of the last
	// one that was read.
	Name string
	// Several is set if catalogs with different names were read.
	Several bool
	// Err is the error that ended the reading. It is nil for another document.
	Err  error
	head []byte
}

// Read reads a decompressed document. detect returns its format from its first bytes. Read
// stops if enough returns true, which is called after each part of the document.
func Read(body io.Reader, detect func(head []byte) (serialization.Format, error), enough func(*Beginning) bool) *Beginning {
	b := &Beginning{head: make([]byte, headSize)}
	n, err := io.ReadFull(body, b.head)
	if b.head = b.head[:n]; err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		b.Err = err
		return b
	}
	format, err := detect(b.head)
	if err != nil {
		b.Err = err
		return b
	}
	r := catalog.NewReader(io.MultiReader(bytes.NewReader(b.head), body), format, serialization.DecodeOptions{AllowUnknownTypes: true})
	for part, err := range r.Parts() {
		switch {
		case !b.Found && (errors.Is(err, catalog.ErrNotCatalog) || errors.Is(err, catalog.ErrShape)):
			b.Name = ""
			return b
		case err != nil:
			b.Err = err
			return b
		case part.Kind == catalog.PartResource, part.Kind == catalog.PartEdge, part.Catalog, part.Key == "resources":
			b.Found = true
		}
		if name := r.Header().Name(); name != "" && name != b.Name {
			b.Several = b.Name != ""
			b.Name = name
		}
		if enough(b) {
			return b
		}
	}
	return b
}

// MayBeCatalog reports whether the document begins like a catalog, or could be a catalog
// that cannot be read, by the name of its file or by its first bytes. Its error should be
// reported then.
func (b *Beginning) MayBeCatalog(file string) bool {
	if b.Found || b.Err == nil {
		return b.Found
	}
	_, named := formats.Default().ByExtension(compress.TrimExtension(file))
	if errors.Is(b.Err, serialization.ErrTrailing) { // after another document, as in JSON Lines
		return named
	}
	return named || jsonObject.Get().Match(b.head)
}

// jsonObject matches the beginning of a JSON object with a member, or of a list of them.
// Templates and INI files, which also begin with a bracket, are different.
var jsonObject = lazyregexp.New(`^\s*(\[\s*)?\{\s*"`)

// isObject reports whether a document in JSON is one object, and no list of catalogs.
func (b *Beginning) isObject() bool {
	return len(b.head) == 0 || bytes.HasPrefix(bytes.TrimSpace(b.head), []byte("{"))
}

// Node returns the node of a file, which is the name of its catalog. It is empty if the
// file has none, has several catalogs or cannot be read. is reports whether the file
// contains a catalog, or could be one that cannot be read.
func Node(file string, data []byte) (node string, is bool) {
	body, err := compress.NewReader(bytes.NewReader(data))
	if err != nil {
		return "", (&Beginning{Err: err}).MayBeCatalog(file)
	}
	defer body.Close()
	detect := func(head []byte) (serialization.Format, error) {
		return formats.Default().Detect("auto", head, compress.TrimExtension(file))
	}
	b := Read(body, detect, func(b *Beginning) bool { return b.Found && b.Name != "" && b.isObject() })
	if !b.Several && (b.Found || b.Err == nil) {
		node = b.Name
	}
	return node, b.MayBeCatalog(file)
}

// Stem returns the name of a file without its directories and its extensions.
func Stem(file string) string {
	name := filepath.Base(compress.TrimExtension(file))
	return strings.TrimSuffix(name, Extension(name))
}

// Extension returns the extension of a file name if a format has it, and nothing otherwise.
func Extension(file string) (found string) {
	name := filepath.Base(file)
	for _, format := range formats.Default().Formats() {
		for _, e := range format.Extensions {
			if at := len(name) - len(e); at > 0 && len(e) > len(found) && strings.EqualFold(name[at:], e) {
				found = name[at:]
			}
		}
	}
	return found
}
