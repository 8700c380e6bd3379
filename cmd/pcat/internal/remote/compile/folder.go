package compile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// The folders of pcat in the cache of the user.
const (
	treesFolder = "trees"   // KEY/tree: the files of a commit, after prepare
	recordsName = "records" // KEY.json: the files that a node used; its time is that of the last use
	runsFolder  = "runs"    // of the processes that run now
	treeName    = "tree"    // in a folder of trees: the files
	lockName    = "lock"    // in each folder of both; locked as long as it is used
	usedName    = "used"    // in a finished tree; its time is that of the last use
)

// keepTrees is how long a tree or a record is kept without being used.
const keepTrees = 30 * 24 * time.Hour

// cacheFolder returns the folder for trees and runs, which only the user can read. dir is
// its parent; empty means that of the system.
func cacheFolder(dir string) (string, error) {
	if dir == "" {
		if system, err := os.UserCacheDir(); err == nil {
			dir = filepath.Join(system, "pcat")
		}
	}
	if dir != "" {
		err := os.MkdirAll(dir, 0o700)
		if err == nil {
			return filepath.EvalSymlinks(dir)
		}
		if !errors.Is(err, fs.ErrPermission) && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	dir = filepath.Join(os.TempDir(), "pcat-"+strconv.Itoa(os.Getuid()))
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return "", err
	}
	if !info.IsDir() || info.Mode().Perm()&0o077 != 0 || !isMine(info) {
		return "", fmt.Errorf("%s: it must be a directory that only you can use; set XDG_CACHE_HOME to another one", dir)
	}
	return filepath.EvalSymlinks(dir)
}

// folder is a folder in the cache that is in use.
type folder struct {
	path string
	lock *os.File
}

// newFolder creates a folder with a new name below dir, and locks it.
func newFolder(dir, pattern string) (*folder, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	path, err := os.MkdirTemp(dir, pattern)
	if err != nil {
		return nil, err
	}
	lock, err := lockFile(filepath.Join(path, lockName), true)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(path))
	}
	return &folder{path, lock}, nil
}

// remove deletes the folder.
func (f *folder) remove() error {
	err := removeAll(f.path)
	return errors.Join(err, unlockFile(f.lock))
}

// removeAll deletes a folder, also if directories in it are read-only.
func removeAll(path string) error {
	if os.RemoveAll(path) == nil {
		return nil
	}
	_ = filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() {
			_ = os.Chmod(name, 0o700) //nolint:gosec // directories need x
		}
		return err
	})
	return os.RemoveAll(path)
}

// clearFolders deletes the folders below cache that a killed process has left, and trees
// and records that were not used for long. Folders in use are locked. It is best effort: a folder that cannot
// be deleted stays.
func clearFolders(cache string) {
	clearBelow(filepath.Join(cache, runsFolder), func(string) bool { return true })
	clearBelow(filepath.Join(cache, treesFolder), func(dir string) bool {
		if strings.Contains(filepath.Base(dir), unfinished) {
			return true
		}
		info, err := os.Stat(filepath.Join(dir, usedName))
		return err == nil && time.Since(info.ModTime()) > keepTrees
	})
	records, _ := os.ReadDir(filepath.Join(cache, recordsName))
	for _, e := range records {
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > keepTrees {
			_ = os.Remove(filepath.Join(cache, recordsName, e.Name()))
		}
	}
}

// clearBelow deletes the folders below parent that nothing uses, if wanted agrees.
func clearBelow(parent string, wanted func(dir string) bool) {
	entries, err := os.ReadDir(parent)
	if err != nil {
		return
	}
	for _, e := range entries {
		dir := filepath.Join(parent, e.Name())
		if !e.IsDir() || !wanted(dir) || isNew(dir) {
			continue
		}
		if lock, err := lockFile(filepath.Join(dir, lockName), true); err == nil {
			_ = removeAll(dir)
			_ = unlockFile(lock)
		}
	}
}

// isNew reports whether a folder was created just now and has no lock yet.
func isNew(dir string) bool {
	if _, err := os.Stat(filepath.Join(dir, lockName)); err == nil {
		return false
	}
	info, err := os.Stat(dir)
	return err == nil && time.Since(info.ModTime()) < time.Minute
}
