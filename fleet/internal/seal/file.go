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
	"slices"

	"github.com/pcatdev/pcat/internal/secretfile"
)

// A key file has one line: a prefix and the secrets of the key in Base64.
const (
	prefixOne    = "pcat-fleet-key-1:" // one secret, which is also the identity
	prefix       = "pcat-fleet-key-2:" // the identity, the secret and, during a rotation, the one before
	prefixReader = "pcat-fleet-reader-1:"
)

// ErrReader reports that a file has the key of a reader, and not the one of the fleet.
var ErrReader = errors.New("it is the key of a reader, which opens only the report, findings, events and the status: give the fleet key")

// Read reads the key from a file. It refuses a file that others can read. The error is
// [ErrReader] if it is the key of a reader.
func Read(path string) (*Key, error) {
	secrets, err := read(path)
	if err != nil {
		return nil, fmt.Errorf("fleet key: %w", err)
	}
	return newKey(secrets), nil
}

func read(path string) ([][Size]byte, error) {
	text, err := readLine(path)
	if err != nil {
		return nil, err
	}
	if _, err := secretsOf(text, prefixReader, 1); err == nil {
		return nil, fmt.Errorf("%s: %w", path, ErrReader)
	}
	if one, err := secretsOf(text, prefixOne, 1); err == nil {
		return append(one, one[0]), nil
	}
	for _, n := range []int{2, 3} {
		if secrets, err := secretsOf(text, prefix, n); err == nil {
			return secrets, nil
		}
	}
	return nil, fmt.Errorf("%s is not a fleet key: copy the one of pcatd serve", path) // and the reason would quote it
}

// ReadReader reads the key of a reader from a file. It refuses a file that others can read.
func ReadReader(path string) (*Reader, error) {
	text, err := readLine(path)
	if err != nil {
		return nil, fmt.Errorf("reader's key: %w", err)
	}
	secrets, err := secretsOf(text, prefixReader, 1)
	if err != nil {
		return nil, fmt.Errorf("reader's key: %s is not one: make it with pcatd key reader", path)
	}
	return newReader(&secrets[0]), nil
}

// readLine reads a key file that only its owner can read.
func readLine(path string) ([]byte, error) {
	data, err := secretfile.Read(path, 1024)
	return bytes.TrimSpace(data), err
}

// secretsOf decodes n secrets after a prefix. The error does not quote them.
func secretsOf(text []byte, prefix string, n int) ([][Size]byte, error) {
	text, found := bytes.CutPrefix(text, []byte(prefix))
	decoded, err := base64.RawURLEncoding.AppendDecode(nil, text)
	if !found || err != nil || len(decoded) != n*Size {
		return nil, ErrSealed
	}
	var secrets [][Size]byte
	for part := range slices.Chunk(decoded, Size) {
		secrets = append(secrets, [Size]byte(part))
	}
	return secrets, nil
}

// lineOf is the reverse of secretsOf.
func lineOf(prefix string, secrets ...[Size]byte) func(io.Writer) error {
	var all []byte
	for _, s := range secrets {
		all = append(all, s[:]...)
	}
	return func(w io.Writer) error {
		_, err := io.WriteString(w, prefix+base64.RawURLEncoding.EncodeToString(all)+"\n")
		return err
	}
}

func random() (secret [Size]byte) {
	_, _ = rand.Read(secret[:]) // never fails
	return secret
}

// Create reads the key from a file, and creates the file with a random key if there is
// none. It never replaces a file.
func Create(path string) (*Key, error) {
	if _, err := os.Lstat(path); err == nil { // a full disk is no reason not to read it
		return Read(path)
	}
	err := whole(path, os.Link, lineOf(prefix, random(), random())) // only if there is none
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("fleet key: %w", err)
	}
	return Read(path)
}

// Create writes the key to a new file that only its owner can read.
func (r *Reader) Create(path string) error {
	if err := whole(path, os.Link, lineOf(prefixReader, r.secret())); err != nil {
		return fmt.Errorf("reader's key: %w", err)
	}
	return nil
}

// Copy copies a key file. It never replaces a file.
func Copy(from, to string) error {
	secrets, err := read(from)
	if err == nil {
		err = whole(to, os.Link, lineOf(prefix, secrets...))
	}
	if err != nil {
		return fmt.Errorf("fleet key: %w", err)
	}
	return nil
}

// Rotate replaces the secret in a key file that encrypts. The key opens the values of the
// secret before, too, until [Retire]. If a rotation was interrupted, it is continued.
func Rotate(path string) (*Key, error) {
	secrets, err := read(path)
	if err == nil && len(secrets) == 2 {
		secrets = [][Size]byte{secrets[0], random(), secrets[1]}
		err = Replace(path, lineOf(prefix, secrets...))
	}
	if err != nil {
		return nil, fmt.Errorf("fleet key: %w", err)
	}
	return newKey(secrets), nil
}

// Retire ends a rotation: it removes the secret before from the key file.
func Retire(path string) error {
	secrets, err := read(path)
	if err == nil && len(secrets) > 2 {
		err = Replace(path, lineOf(prefix, secrets[:2]...))
	}
	if err != nil {
		return fmt.Errorf("fleet key: %w", err)
	}
	return nil
}

// Replace writes a file that only its owner can read. The file is whole, also after a power
// failure, or is as it was.
func Replace(path string, write func(io.Writer) error) error { return whole(path, os.Rename, write) }

// whole writes a file beside path, and then moves it there.
func whole(path string, move func(from, to string) error, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*") // mode 0600
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(f.Name()) }() // of a link, or after an error
	err = write(f)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := move(f.Name(), path); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(path))
}

// syncFolder makes the names in a folder permanent.
func syncFolder(dir string) error {
	if runtime.GOOS == "windows" { // it has no such call
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
