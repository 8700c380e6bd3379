package transcode

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
	if c.isPlainly(name, text) {
		return true
	}
	if len(name)+len(text) > maxKnownText {
		return richdata.IsCanonical(string(name), string(text))
	}
	c.probe = append(append(append(c.probe[:0], name...), 0), text...)
	if _, ok := c.known[string(c.probe)]; ok {
		return true
	}
	if !richdata.IsCanonical(string(name), string(text)) {
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

// isPlainly reports whether a text is canonical beyond doubt, of the kinds whose
// texts hardly ever repeat.
func (c *canon) isPlainly(name, text []byte) bool {
	switch string(name) {
	case "Binary":
		return c.isBase64(text)
	case "SemVer":
		return isVersion(text)
	case "Timestamp":
		return isInstant(text)
	}
	return false
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

// isVersion reports whether a text is three short numbers.
func isVersion(text []byte) bool {
	dots, digits := 0, 0
	for i, b := range text {
		switch {
		case '0' <= b && b <= '9' && digits < 9 && (digits != 1 || text[i-1] != '0'):
			digits++
		case b == '.' && digits > 0 && dots < 2:
			dots++
			digits = 0
		default:
			return false
		}
	}
	return dots == 2 && digits > 0
}

// isInstant reports whether a text is a time of this era as it is written, on
// one of the first 28 days of a month.
func isInstant(text []byte) bool {
	const form = "2000-00-00T00:00:00.000000000 UTC"
	if len(text) != len(form) {
		return false
	}
	for i, b := range text {
		if f := form[i]; f == '0' && (b < '0' || '9' < b) || f != '0' && f != b {
			return false
		}
	}
	two := func(i int) int { return int(text[i]-'0')*10 + int(text[i+1]-'0') }
	month, day := two(5), two(8)
	return 1 <= month && month <= 12 && 1 <= day && day <= 28 && two(11) < 24 && two(14) < 60 && two(17) < 60
}
