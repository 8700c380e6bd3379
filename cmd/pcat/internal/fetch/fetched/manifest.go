// Package fetched keeps the manifest of a directory of catalogs that pcat fetch stored.
package fetched

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// Name is the name of the manifest in a directory of catalogs. It is
// hidden, so that commands that read the directory skip it.
const Name = ".pcat-fetch.jsonl"

// manifestVersion is the version of the form of a manifest.
const manifestVersion = 1

// Manifest lists the catalogs that were stored in a directory, as lines of
// JSON: the state of the run, and an entry for each catalog with its file, its
// source and its digest. An entry is appended as soon
// as its catalog is complete, so that a run that was interrupted can be
// resumed. It is safe for concurrent use, but only by one process.
type Manifest struct {
	dir     string
	mu      sync.Mutex
	entries map[string]entry // by source
	resumed bool
	file    *os.File // nil before the first entry
	begun   time.Time
}

// run is the first line of a manifest.
type run struct {
	FormatVersion int       `json:"format_version"`
	Begun         time.Time `json:"begun"`
	// Complete is set when every catalog of the run was stored.
	Complete bool `json:"complete"`
}

// entry is a catalog in a directory.
type entry struct {
	File    string    `json:"file"` // its name in the directory
	Node    string    `json:"node"`
	Source  string    `json:"source"` // the text of its address
	SHA256  string    `json:"sha256"` // of the file, hexadecimal
	Size    int64     `json:"size"`   // in bytes
	Fetched time.Time `json:"fetched"`
}

// Open reads the manifest in a directory. If there is none, or if its
// run is complete, a new run begins.
func Open(dir string) (*Manifest, error) {
	m := &Manifest{dir: dir, entries: map[string]entry{}, begun: time.Now().UTC().Truncate(time.Second)}
	text, err := os.ReadFile(m.path())
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	if err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	if !lines.Scan() {
		return m, lines.Err()
	}
	var first run
	if err := json.Unmarshal(lines.Bytes(), &first); err != nil || first.FormatVersion != manifestVersion {
		return nil, fmt.Errorf("%s is not a manifest of version %d; remove it to fetch all catalogs again", m.path(), manifestVersion)
	}
	if first.Complete {
		return m, nil
	}
	m.resumed, m.begun = true, first.Begun
	for lines.Scan() {
		var e entry
		if json.Unmarshal(lines.Bytes(), &e) == nil { // the last line can be cut off
			m.entries[e.Source] = e
		}
	}
	return m, lines.Err()
}

func (m *Manifest) path() string { return filepath.Join(m.dir, Name) }

// Resumed reports whether the manifest continues a run that was interrupted.
func (m *Manifest) Resumed() bool { return m.resumed }

// Has reports whether the run has stored the catalog of an address, and its
// file is still the same.
func (m *Manifest) Has(address string) bool {
	m.mu.Lock()
	e, ok := m.entries[address]
	m.mu.Unlock()
	if !ok || !filepath.IsLocal(e.File) {
		return false
	}
	digest, size, err := digestOf(filepath.Join(m.dir, e.File))
	return err == nil && size == e.Size && digest == e.SHA256
}

// Add adds the catalog of a node at an address, which was stored in a file of the
// directory.
func (m *Manifest) Add(file, node, address string) error {
	digest, size, err := digestOf(filepath.Join(m.dir, file))
	if err != nil {
		return err
	}
	e := entry{File: file, Node: node, Source: address, SHA256: digest, Size: size, Fetched: time.Now().UTC().Truncate(time.Second)}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.entries[e.Source] = e
	if m.file == nil {
		return m.create(false)
	}
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	_, err = m.file.Write(append(line, '\n'))
	return err
}

// create replaces the manifest by one with all entries, and keeps it open for more.
func (m *Manifest) create(complete bool) error {
	var text bytes.Buffer
	lines := json.NewEncoder(&text)
	lines.SetEscapeHTML(false)
	if err := lines.Encode(run{FormatVersion: manifestVersion, Begun: m.begun, Complete: complete}); err != nil {
		return err
	}
	for _, from := range slices.Sorted(maps.Keys(m.entries)) {
		if err := lines.Encode(m.entries[from]); err != nil {
			return err
		}
	}
	f, err := os.CreateTemp(m.dir, Name+".*") // of mode 0600
	if err != nil {
		return err
	}
	_, err = f.Write(text.Bytes())
	if err == nil {
		err = f.Sync()
	}
	if err == nil {
		err = os.Rename(f.Name(), m.path())
	}
	if err != nil {
		return errors.Join(err, f.Close(), os.Remove(f.Name()))
	}
	old := m.file
	m.file = f
	if old != nil {
		return old.Close()
	}
	return nil
}

// Close closes the manifest. complete says that every catalog of the run was
// stored; otherwise the next run resumes this one.
func (m *Manifest) Close(complete bool) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if complete && len(m.entries) > 0 {
		if err := m.create(true); err != nil {
			return err
		}
	}
	if m.file == nil {
		return nil
	}
	return m.file.Close()
}

// digestOf returns the SHA-256 digest of a file and its size.
func digestOf(file string) (digest string, size int64, err error) {
	f, err := os.Open(file)
	if err != nil {
		return "", 0, err
	}
	defer func() { _ = f.Close() }() // it was only read
	h := sha256.New()
	if size, err = io.Copy(h, f); err != nil {
		return "", 0, err
	}
	return hex.EncodeToString(h.Sum(nil)), size, nil
}
