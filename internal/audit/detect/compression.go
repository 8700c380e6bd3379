package detect

import (
	"bytes"
	"compress/bzip2"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"io"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// decompressors are those that need memory, which they keep for the next text.
// The zero value is ready to use.
type decompressors struct {
	deflate   io.ReadCloser
	zstandard *zstd.Decoder
	probe     strings.Reader // for deflate
}

// What setting up a decompressor takes of the bytes that a leaf may decode to:
// that of bzip2 needs the memory for a large block, however little there is.
const (
	compressionCost = 1 << 10
	bzip2Cost       = 64 << 10
)

// compressed visits what is compressed, and reports whether something is.
func (t *Text) compressed() bool {
	encoding := t.scanner.decompressors.compression(t.S)
	if encoding == "" {
		return false
	}
	cost := compressionCost
	if encoding == "bzip2" {
		cost = bzip2Cost
	}
	if !t.afford(cost) {
		t.scanner.cut = true
		return true
	}
	var (
		in  = strings.NewReader(t.S)
		r   io.Reader
		err error
	)
	switch encoding {
	case "gzip":
		r, err = gzip.NewReader(in)
	case "zlib":
		r, err = zlib.NewReader(in)
	case "bzip2":
		r = bzip2.NewReader(in)
	case "deflate":
		r = t.scanner.decompressors.inflate(in)
	case "zstd":
		r, err = t.scanner.decompressors.zstd(in)
	default: // nothing here reads it
		t.scanner.cut = true
		return true
	}
	if err == nil {
		t.deeper(0, len(t.S), t.inflate(r, len(t.S)), encoding)
	}
	return true
}

// zstd returns a reader of Zstandard: it needs as much memory as a frame asks
// for, which can be far more than its length. As it decodes one block at a time
// it has no goroutine that had to be ended.
func (d *decompressors) zstd(r io.Reader) (io.Reader, error) {
	if d.zstandard == nil {
		z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, err
		}
		d.zstandard = z
	}
	return d.zstandard, d.zstandard.Reset(r)
}

// compression names what bytes are compressed with, by what they begin with.
func (d *decompressors) compression(s string) string {
	switch {
	case len(s) < 6:
	case strings.HasPrefix(s, "\x1f\x8b\x08"):
		return "gzip"
	case strings.HasPrefix(s, "BZh"):
		return "bzip2"
	case strings.HasPrefix(s, "\x28\xb5\x2f\xfd"):
		return "zstd"
	case strings.HasPrefix(s, "\xfd7zXZ\x00"):
		return "xz"
	case strings.HasPrefix(s, "\x04\x22\x4d\x18"):
		return "lz4"
	case strings.HasPrefix(s, "7z\xbc\xaf\x27\x1c"):
		return "7z"
	case s[0] == 0x78 && (int(s[0])<<8|int(s[1]))%31 == 0:
		return "zlib"
	case d.isDeflated(s):
		return "deflate"
	}
	return ""
}

// deflateProbe is how much is read to see whether bytes are deflated: nothing
// marks them, but other bytes do not come out as text. It holds the codes that
// a block begins with, and something more.
const deflateProbe = 384

// minDeflated is the length of the shortest text that is looked at as deflated.
const minDeflated = 40

// isDeflated reports whether s begins with a block of RFC 1951 that is text.
func (d *decompressors) isDeflated(s string) bool {
	if len(s) < minDeflated || s[0]>>1&3 == 3 || s[0]>>1&3 == 0 {
		return false
	}
	d.probe.Reset(s[:min(len(s), deflateProbe)])
	var b [32]byte
	n, _ := io.ReadFull(d.inflate(&d.probe), b[:])
	return n == len(b) && isText(string(b[:]))
}

// inflate returns a reader of what is deflated.
func (d *decompressors) inflate(r io.Reader) io.Reader {
	if d.deflate == nil {
		d.deflate = flate.NewReader(r)
	} else {
		_ = d.deflate.(flate.Resetter).Reset(r, nil) // fails never
	}
	return d.deflate
}

// inflate returns what can be read within the bounds out of size bytes, also
// of what is cut off.
func (t *Text) inflate(r io.Reader, size int) string {
	var b bytes.Buffer
	limit := max(0, min(maxOne, maxRatio*max(size, minCompressed), t.scanner.left))
	_, err := io.Copy(&b, io.LimitReader(r, int64(limit)+1))
	if errors.Is(err, zstd.ErrWindowSizeExceeded) {
		t.scanner.cut = true
	}
	if b.Len() > limit {
		t.scanner.cut = true
		b.Truncate(limit)
	}
	return b.String()
}
