package folder

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
)

// errChanged reports that a file changed while it was read.
var errChanged = errors.New("the file changed while it was read")

// errLarge reports a file above the limit.
var errLarge = errors.New("the file is larger than the limit")

// load reads a file that was seen as info.
func load(path string, info fs.FileInfo, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	if now, err := f.Stat(); err != nil || !same(info, now) {
		return nil, errors.Join(err, errChanged)
	}
	if info.Size() > limit {
		return nil, errLarge
	}
	data := bytes.NewBuffer(make([]byte, 0, info.Size()+bytes.MinRead))
	if _, err := data.ReadFrom(io.LimitReader(f, info.Size()+1)); err != nil {
		return nil, err
	}
	if now, err := f.Stat(); err != nil || !same(info, now) || int64(data.Len()) != info.Size() {
		return nil, errors.Join(err, errChanged)
	}
	return data.Bytes(), nil
}

// same reports whether a file is unchanged.
func same(a, b fs.FileInfo) bool {
	return a != nil && b != nil && os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}
