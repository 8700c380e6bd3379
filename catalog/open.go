package catalog

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/pcatdev/pcat/internal/compress"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// ErrEmpty reports a file without content.
var ErrEmpty = errors.New("the file is empty")

// File is an open file of catalogs: a [Reader] of its decompressed content, to be
// closed after use. Make one with [Open]. It must not be used by several goroutines
// at once.
type File struct {
	*Reader
	body *compress.Reader
	file *os.File
}

// Open opens a file of one or several catalogs. It decompresses gzip and zstd, and
// detects the format by the content and then by the name of the file. The file is
// read in pieces as the Reader proceeds, so that catalogs can be larger than
// memory; the limits are the ones of the zero [serialization.DecodeOptions]. Use
// [NewReader] for other limits, types, or sources.
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

// headSize is the number of bytes that are examined to detect a format.
const headSize = 64 << 10

func open(file *os.File, path string) (*File, error) {
	body, err := compress.NewReader(file)
	if err != nil {
		return nil, err
	}
	f := &File{body: body, file: file}
	content := bufio.NewReaderSize(body, headSize)
	form, err := detect(content, path)
	if err != nil {
		body.Close()
		return nil, err
	}
	f.Reader = NewReader(content, form, serialization.DecodeOptions{})
	return f, nil
}

func detect(content *bufio.Reader, path string) (serialization.Format, error) {
	head, err := content.Peek(headSize)
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		return serialization.Format{}, err
	case len(head) == 0:
		return serialization.Format{}, ErrEmpty
	}
	return formats.Default().Detect("auto", head, compress.TrimExtension(path))
}

// Close closes the file. What was read before remains valid.
func (f *File) Close() error {
	f.body.Close()
	return f.file.Close()
}
