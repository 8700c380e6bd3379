package decode

import (
	"archive/tar"
	"archive/zip"
	"errors"
	"io"
	"strings"
)

// Limits for archives: the number of members to open, and the minimum that each member
// takes from the budget of decoded bytes of a leaf.
const (
	maxMembers = 4096
	memberCost = 256
)

// isArchive reports whether s is an archive. It is checked even if s is text, because an
// uncompressed archive of text files is mostly text.
func isArchive(s string) bool { return strings.HasPrefix(s, zipMagic) || isTar(s) }

const (
	zipMagic = "PK\x03\x04"
	tarMagic = "ustar"
	tarAt    = 257 // offset of the magic
)

func isTar(s string) bool {
	return len(s) >= 512 && s[tarAt] == tarMagic[0] && s[tarAt:tarAt+len(tarMagic)] == tarMagic
}

// archive visits the members of an archive.
func (t part) archive() {
	if isTar(t.S) {
		t.tar()
		return
	}
	t.zip()
}

func (t part) zip() {
	r, err := zip.NewReader(strings.NewReader(t.S), int64(len(t.S)))
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) { // the path does not matter, because no file is written
		t.cut = true
		return
	}
	for i, f := range r.File {
		if f.UncompressedSize64 == 0 && f.CompressedSize64 == 0 {
			continue // usually a folder
		}
		raw, err := f.OpenRaw()
		if err != nil || f.Flags&1 != 0 || f.Method != zip.Store && f.Method != zip.Deflate || i >= maxMembers || !t.afford(memberCost) {
			t.cut = true // encrypted, or an unknown compression
			if i >= maxMembers || t.budget <= 0 {
				return
			}
			continue
		}
		// The sizes in the archive are not reliable, and members may overlap. Only the
		// bytes that are read count.
		in := &counter{Reader: raw}
		from := io.Reader(in)
		if f.Method == zip.Deflate {
			from = t.decompressors.inflate(in)
		}
		s := t.inflate(from, int(min(f.CompressedSize64, uint64(len(t.S)))))
		t.budget -= in.n
		t.member(f.Name, s, "zip")
	}
}

func (t part) tar() {
	r := tar.NewReader(strings.NewReader(t.S))
	for range maxMembers {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil && !errors.Is(err, tar.ErrInsecurePath) || !t.afford(memberCost) {
			break
		}
		if h.Typeflag == tar.TypeReg && h.Size > 0 {
			t.member(h.Name, t.inflate(r, len(t.S)), "tar")
		}
	}
	t.cut = true
}

// member visits a member of an archive as a file with that name.
func (t part) member(name, s, encoding string) {
	if s == "" {
		return
	}
	if m, ok := t.open(0, len(t.S), s, encoding); ok {
		m.Archives, m.Path = len(m.Encodings), name
		m.inside()
	}
}

// counter counts the bytes that are read.
type counter struct {
	io.Reader
	n int
}

func (c *counter) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	c.n += n
	return n, err
}
