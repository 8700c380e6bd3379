package document

import (
	"encoding/base64"

	"github.com/pcatdev/pcat/serialization/richdata"
)

// canon knows which scalars are written as they were read. It remembers short
// texts: documents repeat theirs, and compiling a regular expression takes long.
// The zero value is ready to use.
type canon struct {
	known map[string]struct{}
	probe []byte
	bytes []byte
	// base64 is strict.
	base64 *base64.Encoding
}

// What is remembered of scalars: so many, of names and texts up to so long.
const (
	maxKnown     = 1024
	maxKnownText = 128
)

// is is [richdata.IsCanonical].
func (c *canon) is(name, text []byte) bool {
	switch string(name) {
	case "Binary":
		if c.isBase64(text) {
			return true
		}
	case "SemVer", "Timestamp": // whose texts hardly ever repeat
		return richdata.IsCanonical(name, text)
	}
	if len(name)+len(text) > maxKnownText {
		return richdata.IsCanonical(name, text)
	}
	c.probe = append(append(append(c.probe[:0], name...), 0), text...)
	if _, ok := c.known[string(c.probe)]; ok {
		return true
	}
	if !richdata.IsCanonical(name, text) {
		return false
	}
	if c.known == nil {
		c.known = map[string]struct{}{}
	}
	if len(c.known) < maxKnown {
		c.known[string(c.probe)] = struct{}{}
	}
	return true
}

// isBase64 reports whether a text is what bytes are written as: with padding,
// without bits that mean nothing, and without the line breaks that decoding
// leaves out.
func (c *canon) isBase64(text []byte) bool {
	if c.base64 == nil {
		c.base64 = base64.StdEncoding.Strict()
	}
	var err error
	c.bytes, err = c.base64.AppendDecode(c.bytes[:0], text)
	return err == nil && c.base64.EncodedLen(len(c.bytes)) == len(text)
}
