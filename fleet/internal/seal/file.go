package seal

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// prefix begins the only line of a key file.
const prefix = "pcat-fleet-key-1:"

// Read reads the key from a file. It refuses a file that others can read.
func Read(path string) (*Key, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("fleet key: %w", err)
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("fleet key: %w", err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("fleet key: others can read %s (mode %04o): chmod 600 it", path, info.Mode().Perm())
	}
	data, err := io.ReadAll(io.LimitReader(f, 1024))
	if err != nil {
		return nil, fmt.Errorf("fleet key: %w", err)
	}
	text, found := bytes.CutPrefix(bytes.TrimSpace(data), []byte(prefix))
	var secret [Size]byte
	decoded, err := base64.RawURLEncoding.AppendDecode(nil, text)
	if copy(secret[:], decoded); !found || err != nil || len(decoded) != Size { // the cause would quote the key
		return nil, fmt.Errorf("fleet key: %s is not a fleet key: copy the one of pcatd serve", path)
	}
	return New(&secret), nil
}

// Create reads the key from a file, and creates the file with a random key if there is
// none. It never replaces a file.
func Create(path string) (*Key, error) {
	if _, err := os.Lstat(path); err == nil { // a full disk is no reason not to read it
		return Read(path)
	}
	var secret [Size]byte
	_, _ = rand.Read(secret[:])                                           // never fails
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*") // mode 0600
	if err != nil {
		return nil, fmt.Errorf("fleet key: %w", err)
	}
	defer func() { _ = os.Remove(f.Name()) }()
	_, err = f.WriteString(prefix + base64.RawURLEncoding.EncodeToString(secret[:]) + "\n")
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return nil, fmt.Errorf("fleet key: %w", err)
	}
	err = os.Link(f.Name(), path) // a whole file or none, and only if there is none
	if errors.Is(err, fs.ErrExist) {
		return Read(path)
	}
	if err != nil {
		return nil, fmt.Errorf("fleet key: %w", err)
	}
	return New(&secret), nil
}
