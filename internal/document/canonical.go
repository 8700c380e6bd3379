package document

import (
	"encoding/base64"

	"github.com/pcatdev/pcat/internal/dataconv"
)

// canonicalTexts finds scalars that are written as they were read. It remembers
// short texts, because documents repeat them and compiling a regular expression is
// slow. The zero value is ready to use.
type canonicalTexts struct {
	known map[string]struct{}
	probe []byte
	bytes []byte
	// base64 is strict.
	base64 *base64.Encoding
}

// The number of remembered scalars, and the maximum length of name and text.
const (
	maxKnown     = 1024
	maxKnownText = 128
)

// has is [dataconv.IsCanonical].
func (c *canonicalTexts) has(name, text []byte) bool {
	switch string(name) {
	case "Binary":
		if c.isBase64(text) {
			return true
		}
	case "SemVer", "Timestamp": // texts rarely repeat
		return dataconv.IsCanonical(name, text)
	}
	if len(name)+len(text) > maxKnownText {
		return dataconv.IsCanonical(name, text)
	}
	c.probe = append(append(append(c.probe[:0], name...), 0), text...)
	if _, ok := c.known[string(c.probe)]; ok {
		return true
	}
	if !dataconv.IsCanonical(name, text) {
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

// isBase64 reports whether text is the canonical encoding of bytes: with padding,
// without unused bits, and without the line breaks that decoding ignores.
func (c *canonicalTexts) isBase64(text []byte) bool {
	if c.base64 == nil {
		c.base64 = base64.StdEncoding.Strict()
	}
	var err error
	c.bytes, err = c.base64.AppendDecode(c.bytes[:0], text)
	return err == nil && c.base64.EncodedLen(len(c.bytes)) == len(text)
}
