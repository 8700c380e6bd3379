package cli

import (
	"context"
	"os"
	"slices"
	"sync"
)

// temps are the temporary files that exist now. The zero value is ready.
type temps struct {
	mu      sync.Mutex
	paths   map[string]struct{}
	dirs    []string // empty directories, parents first
	aborted bool
}

// create makes a file by calling open and remembers it.
func (t *temps) create(open func() (*os.File, error)) (*os.File, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.aborted {
		return nil, context.Canceled
	}
	f, err := open()
	if err != nil {
		return nil, err
	}
	if t.paths == nil {
		t.paths = make(map[string]struct{})
	}
	t.paths[f.Name()] = struct{}{}
	return f, nil
}

// rename calls rename, which gives a temporary file its final name, unless the run was
// aborted before.
func (t *temps) rename(temp string, rename func() error) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.aborted {
		return context.Canceled
	}
	if err := rename(); err != nil {
		return err
	}
	delete(t.paths, temp)
	return nil
}

// mkdir makes a directory by calling mkdir, and remembers that it is removed if it is empty
// after an abort.
func (t *temps) mkdir(dir string, mkdir func() error) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.aborted {
		return context.Canceled
	}
	if err := mkdir(); err != nil {
		return err
	}
	t.dirs = append(t.dirs, dir)
	return nil
}

// remove deletes a temporary file; it does nothing after rename.
func (t *temps) remove(temp string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, ok := t.paths[temp]; ok {
		delete(t.paths, temp)
		_ = os.Remove(temp) // nothing can be done about a file that stays
	}
}

// unlink takes its name from a file that stays open. Where that cannot be done, remove has to follow.
func (t *temps) unlink(temp string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, ok := t.paths[temp]; ok && os.Remove(temp) == nil {
		delete(t.paths, temp)
	}
}

func (t *temps) abort() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.aborted = true
	for path := range t.paths {
		_ = os.Remove(path)
	}
	clear(t.paths)
	for _, dir := range slices.Backward(t.dirs) {
		_ = os.Remove(dir) // fails for one with files
	}
	t.dirs = nil
}
