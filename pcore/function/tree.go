package function

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/pcatdev/pcat/internal/lazyregexp"
)

// Tree implements [Files] on the local file system: modules, and files in given
// folders. It reads nothing else, and refuses symbolic links that lead outside.
// The zero value reads nothing.
type Tree struct {
	// Folders are the folders with files that may be read; "/" allows all. The path of a file
	// allows that file, wherever it leads if it is a symbolic link.
	Folders []string
	// ModulePath are the folders that contain modules, in search order.
	ModulePath []string
}

// maxFile is the maximum size of a file that a Tree reads, in bytes.
const maxFile = 256 << 20

// Find implements [Files]. The error for an absolute path outside of the allowed
// folders is a [FileRefusedError].
func (t Tree) Find(kind FileKind, name string) (path string, found bool, err error) {
	if filepath.IsAbs(name) {
		_, _, err := t.locate(name)
		if err != nil {
			return "", false, err
		}
		return t.existing(name)
	}
	module, file, ok := strings.Cut(name, "/")
	if !ok || !filepath.IsLocal(filepath.FromSlash(file)) {
		return "", false, nil
	}
	dir, found, err := t.ModuleDir(module)
	if err != nil || !found {
		return "", false, err
	}
	folder := "files"
	if kind == TemplateFile {
		folder = "templates"
	}
	return t.existing(filepath.Join(dir, folder, filepath.FromSlash(file)))
}

// existing looks for a file without opening it: opening could block on a pipe or
// trigger a device.
func (t Tree) existing(path string) (string, bool, error) {
	err := t.within(path, func(folder *os.Root, rest string) error {
		_, err := statIn(folder, rest)
		return err
	})
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) { // no file is below a file
		return "", false, nil
	}
	if err != nil {
		return "", false, err
	}
	return path, true, nil
}

// ErrNotRegular is wrapped by the error of reading anything but a regular file,
// such as a folder, a named pipe, a socket or a device.
var ErrNotRegular = errors.New("only regular files are read")

// ReadFile implements [Files].
func (t Tree) ReadFile(path string, allow func(n int) error) ([]byte, error) {
	if allow == nil {
		allow = func(int) error { return nil }
	}
	f, err := t.open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	size := info.Size() // 0 of files such as those of /proc
	if size > maxFile {
		return nil, tooLong(path)
	}
	if err := allow(int(size)); err != nil {
		return nil, err
	}
	content := make([]byte, size)
	read, err := io.ReadFull(f, content)
	if read < len(content) {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			err = nil // it got shorter
		}
		return content[:read], err
	}
	var rest [4 << 10]byte
	for {
		n, err := f.Read(rest[:])
		if n > 0 {
			if len(content)+n > maxFile {
				return nil, tooLong(path)
			}
			if err := allow(n); err != nil {
				return nil, err
			}
			content = append(content, rest[:n]...)
		}
		switch {
		case errors.Is(err, io.EOF):
			return content, nil
		case err != nil:
			return nil, err
		}
	}
}

// ReadFolder implements [Folders].
func (t Tree) ReadFolder(path string, allow func(n int) error) (entries []fs.DirEntry, err error) {
	if allow == nil {
		allow = func(int) error { return nil }
	}
	err = t.within(path, func(folder *os.Root, rest string) error {
		info, err := statIn(folder, rest)
		if err == nil && !info.IsDir() { // others could block
			err = &fs.PathError{Op: "open", Path: path, Err: syscall.ENOTDIR}
		}
		if err != nil {
			return err
		}
		var f *os.File
		if folder == nil {
			f, err = os.Open(rest)
		} else {
			f, err = folder.Open(rest)
		}
		if err != nil {
			return err
		}
		defer f.Close() //nolint:errcheck // it was only read
		entries, err = readEntries(f, allow)
		return err
	})
	return entries, err
}

// readEntries reads the entries of a folder in portions.
func readEntries(f *os.File, allow func(n int) error) (entries []fs.DirEntry, err error) {
	const portion, entrySize = 256, 64
	for {
		some, err := f.ReadDir(portion)
		size := 0
		for _, e := range some {
			size += entrySize + len(e.Name())
		}
		if err := allow(size); err != nil {
			return nil, err
		}
		entries = append(entries, some...)
		switch {
		case errors.Is(err, io.EOF):
			slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
			return entries, nil
		case err != nil:
			return nil, err
		}
	}
}

// FileType implements [Folders].
func (t Tree) FileType(path string, follow bool) (mode fs.FileMode, err error) {
	err = t.within(path, func(folder *os.Root, rest string) error {
		stat := os.Stat
		switch {
		case folder != nil && follow:
			stat = folder.Stat
		case folder != nil:
			stat = folder.Lstat
		case !follow:
			stat = os.Lstat
		}
		info, err := stat(rest)
		if err == nil {
			mode = info.Mode().Type()
		}
		return err
	})
	return mode, err
}

func tooLong(path string) error { return fmt.Errorf("%s is longer than %d bytes", path, maxFile) }

var moduleName = lazyregexp.New(`^[a-z][a-z0-9_]*$`)

// ModuleDir implements [Files].
func (t Tree) ModuleDir(module string) (path string, found bool, err error) {
	if !moduleName.Get().MatchString(module) {
		return "", false, nil
	}
	for _, dir := range t.ModulePath {
		path := filepath.Join(dir, module)
		info, err := os.Stat(path)
		if err == nil && info.IsDir() {
			return path, true, nil
		}
	}
	return "", false, nil
}

// open opens a regular file without leaving the folder that allows it. It
// refuses other files before they can block: a pipe may have no writer, a device
// no end.
func (t Tree) open(path string) (f *os.File, err error) {
	err = t.within(path, func(folder *os.Root, rest string) error {
		info, err := statIn(folder, rest)
		if err == nil {
			err = checkRegular(path, info)
		}
		if err != nil {
			return err
		}
		if folder == nil {
			f, err = os.OpenFile(rest, os.O_RDONLY|nonBlocking, 0)
		} else {
			f, err = folder.OpenFile(rest, os.O_RDONLY|nonBlocking, 0)
		}
		if err != nil {
			return err
		}
		if info, err = f.Stat(); err == nil { // the file may have been replaced
			err = checkRegular(path, info)
		}
		if err != nil {
			return errors.Join(err, f.Close())
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return f, nil
}

func checkRegular(path string, info fs.FileInfo) error {
	if info.Mode().IsRegular() {
		return nil
	}
	return &fs.PathError{Op: "open", Path: path, Err: ErrNotRegular}
}

// within calls f with the folder that allows path, and the path relative to it.
// If all folders are allowed, it passes nil and path itself.
func (t Tree) within(path string, f func(folder *os.Root, rest string) error) error {
	folder, rest, err := t.locate(path)
	if err != nil {
		return err
	}
	if folder == string(filepath.Separator) {
		return f(nil, path)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		if info, statErr := os.Stat(folder); statErr == nil && !info.IsDir() {
			return &fs.PathError{Op: "open", Path: path, Err: syscall.ENOTDIR} // no file is below a file that is allowed
		}
		return err
	}
	defer root.Close() //nolint:errcheck // opened files stay usable
	err = f(root, rest)
	// The error of a link that leads out of the folder is not exported by os.
	if pathErr := (*fs.PathError)(nil); errors.As(err, &pathErr) && pathErr.Err.Error() == "path escapes from parent" {
		return &FileRefusedError{Path: path, link: true}
	}
	return err
}

func statIn(folder *os.Root, rest string) (fs.FileInfo, error) {
	if folder == nil {
		return os.Stat(rest)
	}
	return folder.Stat(rest)
}

// locate returns the folder that allows path, and the path relative to it.
func (t Tree) locate(path string) (folder, rest string, err error) {
	if path, err = filepath.Abs(path); err != nil { // a module path may be relative
		return "", "", err
	}
	for _, dirs := range [][]string{t.Folders, t.ModulePath} {
		for _, dir := range dirs {
			if abs, err := filepath.Abs(dir); err == nil {
				dir = abs
			}
			rest, err := filepath.Rel(dir, path)
			switch {
			case err != nil || !filepath.IsLocal(rest):
			case rest == "." && dir != filepath.Dir(dir): // a file
				if real, err := filepath.EvalSymlinks(path); err == nil {
					path = real
				}
				return filepath.Dir(path), filepath.Base(path), nil
			default:
				return dir, rest, nil
			}
		}
	}
	return "", "", &FileRefusedError{Path: path}
}
