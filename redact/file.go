package redact

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/pcatdev/pcat/catalog"
)

// File redacts the file src, in any format of package catalog, and writes the
// file dst in the same format, decompressed. dst can be src. It is replaced at
// the end, so that it is complete or as it was, and only its owner can read it.
// The error is that of [Run] or of the input, and names a file.
func File(ctx context.Context, dst, src string, o Options) (*Result, error) {
	result, err := Run(ctx, []Input{{
		Name: src,
		Open: func(context.Context) (*catalog.Reader, io.Closer, error) {
			f, err := catalog.Open(src)
			if err != nil {
				return nil, nil, err
			}
			return f.Reader, f, nil
		},
		Write: func(_ context.Context, write func(io.Writer) error) error { return replace(dst, write) },
	}}, o)
	if err := errors.Join(err, errors.Join(result.Failures...)); err != nil {
		return result, fmt.Errorf("%s: %w", src, err)
	}
	return result, nil
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
