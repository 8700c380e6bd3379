package catalog

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/pcatdev/pcat/internal/codec"
	"github.com/pcatdev/pcat/internal/compress"
	"github.com/pcatdev/pcat/internal/rundata"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// ErrEmpty reports a file without content.
var ErrEmpty = errors.New("the file is empty")

// ErrSeveral reports a file of several catalogs where one is expected.
var ErrSeveral = errors.New("the file has several catalogs; use Catalogs")

// Opener opens a document at its beginning. The Closer, which may be nil, is closed after
// the Reader was used.
type Opener func(context.Context) (*Reader, io.Closer, error)

// File is an open file of catalogs: a [Reader] of its decompressed content, to be
// closed after use. Make one with [Open]. It must not be used by several goroutines
// at once.
type File struct {
	*Reader
	body *compress.Reader
	file *os.File // nil for a document in memory
	// presented is the document that the Reader presents as catalogs, and data are its
	// bytes. It is nil for catalogs.
	presented *rundata.Document
	data      []byte
}

// Open opens a file of one or several catalogs. It decompresses gzip and zstd, and
// detects the format by the content and then by the name of the file. The file is
// read in pieces as the Reader proceeds, so that catalogs can be larger than
// memory; the limits are the ones of the zero [serialization.DecodeOptions]. Use
// [NewReader] for other limits, types, or sources.
//
// Reports and events of agents, facts, and rows of PuppetDB are read, too, completely in
// memory: as catalogs that have all of their texts, see docs/reports.md and docs/facts.md.
// [File.Kind] distinguishes them, and [File.Restore] writes them back.
//
// Errors name the file; they match [ErrEmpty], [serialization.ErrFormat] for an
// unknown format, or the errors of [os.Open].
func Open(path string) (*File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	f, err := open(file, path)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), file.Close())
	}
	return f, nil
}

// OpenBytes is [Open] for a document in memory, which must not be changed until the File
// is closed. name is the name of the document for errors and the detection of the format.
func OpenBytes(name string, data []byte) (*File, error) {
	body, err := compress.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	f := &File{body: body}
	if body.Method() != compress.None {
		err = f.detect(body, name)
	} else {
		var format serialization.Format
		format, err = f.detectHead(data[:min(len(data), headSize)], name, func() ([]byte, error) { return data, nil })
		if err == nil && f.Reader == nil {
			f.Reader = NewReaderBytes(data, format, serialization.DecodeOptions{})
		}
	}
	if err != nil {
		body.Close()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return f, nil
}

// headSize is the number of bytes that are examined to detect a format.
const headSize = 64 << 10

func open(file *os.File, path string) (*File, error) {
	body, err := compress.NewReader(file)
	if err != nil {
		return nil, err
	}
	f := &File{body: body, file: file}
	if err := f.detect(body, path); err != nil {
		body.Close()
		return nil, err
	}
	return f, nil
}

// detect sets the Reader of f to one of the content of body.
func (f *File) detect(body io.Reader, path string) error {
	content := bufio.NewReaderSize(body, headSize)
	head, err := content.Peek(headSize)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	format, err := f.detectHead(head, path, func() ([]byte, error) { return readAll(content) })
	if err == nil && f.Reader == nil {
		f.Reader = NewReader(content, format, serialization.DecodeOptions{})
	}
	return err
}

// detectHead returns the format of catalogs that begin with head. For another document, it sets
// the Reader of f to one of the catalogs that present it; all returns the whole document.
func (f *File) detectHead(head []byte, path string, all func() ([]byte, error)) (format serialization.Format, err error) {
	if len(head) == 0 {
		return format, ErrEmpty
	}
	if f.presented = rundata.Detect(head); f.presented == nil {
		return formats.Default().Detect("auto", head, compress.TrimExtension(path))
	}
	if f.data, err = all(); err != nil {
		return format, err
	}
	var catalogs bytes.Buffer
	if _, err := f.presented.Catalogs(&catalogs, f.data); err != nil {
		return format, err
	}
	format = formats.RichJSON()
	f.Reader = NewReaderBytes(catalogs.Bytes(), format, serialization.DecodeOptions{})
	return format, nil
}

// readAll reads a document within the limits of the zero [serialization.DecodeOptions].
func readAll(content io.Reader) ([]byte, error) {
	var o serialization.DecodeOptions
	data, err := io.ReadAll(io.LimitReader(content, codec.ByteLimit(&o)+1))
	if err == nil && int64(len(data)) > codec.ByteLimit(&o) {
		err = serialization.ErrTooLarge
	}
	return data, err
}

// Kind returns the kind of a document that is no catalog: "report", "events", "facts" or
// "resources". It is empty for catalogs.
func (f *File) Kind() string {
	if f.presented == nil {
		return ""
	}
	return string(f.presented.Kind())
}

// Restore writes a document that is no catalog with the texts of catalogs, which are the
// ones of f in rich JSON with other texts. All other bytes stay. A file of catalogs, whose
// [File.Kind] is empty, is copied from catalogs.
func (f *File) Restore(w io.Writer, catalogs io.Reader) error {
	if f.presented == nil {
		_, err := io.Copy(w, catalogs)
		return err
	}
	return f.presented.Restore(w, f.data, catalogs)
}

// Catalog returns the only catalog of the file, completely in memory. It is an
// [ErrSeveral] if there are several, and an [ErrNotCatalog] if there is none; the
// error has no name of the file. It can be called once, and not together with the
// iterators.
func (f *File) Catalog() (*Catalog, error) {
	var only *Catalog
	for c, err := range f.Catalogs() {
		switch {
		case err != nil:
			return nil, err
		case only != nil:
			return nil, ErrSeveral
		}
		only = c
	}
	if only == nil {
		return nil, ErrNotCatalog
	}
	return only, nil
}

// Close closes the file. What was read before remains valid.
func (f *File) Close() error {
	f.body.Close()
	if f.file == nil {
		return nil
	}
	return f.file.Close()
}
