package redact

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/pcatdev/pcat/catalog"
)

// File redacts the file src, which [catalog.Open] reads: catalogs in any format, a report,
// facts. It writes the file dst in the same format, decompressed. dst can be src. It is replaced at
// the end, so that it is complete or as it was, and only its owner can read it.
// The error is that of [Run] or of the input, and names a file.
func File(ctx context.Context, dst, src string, o Options) (*Result, error) {
	var open *catalog.File
	result, err := Run(ctx, []Input{{
		Name: src,
		Open: func(context.Context) (*catalog.Reader, io.Closer, error) {
			var err error
			if open, err = catalog.Open(src); err != nil {
				return nil, nil, err
			}
			return open.Reader, open, nil
		},
		Write: func(_ context.Context, write func(io.Writer) error) error {
			return replace(dst, func(w io.Writer) error { return restored(w, open, write) })
		},
	}}, o)
	if err := errors.Join(err, errors.Join(result.Failures...)); err != nil {
		return result, fmt.Errorf("%s: %w", src, err)
	}
	return result, nil
}

// restored writes what write writes: for a document that is no catalog, with all of its other bytes.
func restored(w io.Writer, src *catalog.File, write func(io.Writer) error) error {
	if src.Kind() == "" {
		return write(w)
	}
	var catalogs bytes.Buffer
	if err := write(&catalogs); err != nil {
		return err
	}
	return src.Restore(w, &catalogs)
}

// replace writes a file beside name, and renames it when it is complete.
func replace(name string, write func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	if err := errors.Join(write(f), f.Close()); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	if err := os.Rename(f.Name(), name); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
