package decode

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

// decompressors are the decompressors that need much memory. They are reused for the next
// text. The zero value is ready to use.
type decompressors struct {
	deflate   io.ReadCloser
	zstandard *zstd.Decoder
	probe     strings.Reader // for deflate
}

// The cost of creating a decompressor, taken from the budget of decoded bytes of a leaf.
// bzip2 allocates memory for a large block even for short input.
const (
	compressionCost = 1 << 10
	bzip2Cost       = 64 << 10
)

// compressed visits the decompressed text, and reports whether the text is certainly compressed:
// other text may begin like that of zlib, which has a magic of two bytes.
func (t part) compressed() bool {
	encoding := t.decompressors.compression(t.S)
	if encoding == "" {
		return false
	}
	cost := compressionCost
	if encoding == "bzip2" {
		cost = bzip2Cost
	}
	if !t.afford(cost) {
		t.cut = true
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
		r = t.decompressors.inflate(in)
	case "zstd":
		r, err = t.decompressors.zstd(in)
	default: // the format is not supported
		t.cut = true
		return true
	}
	if err == nil {
		t.deeper(0, len(t.S), t.inflate(r, len(t.S)), encoding)
	}
	return encoding != "zlib"
}

// zstd returns a Zstandard reader. Its memory depends on the window of a frame, which can
// be much larger than the input. Because it decodes one block at a time, it has no
// goroutines to stop.
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

// compression returns the name of the compression format by its first bytes, or "".
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

// deflateProbe is the number of bytes to read to recognize deflated text. The format has no
// magic, but other bytes do not decode to text. The probe includes the code tables at the
// beginning of a block and some content.
const deflateProbe = 384

// minDeflated is the minimum length of deflated text.
const minDeflated = 40

// isDeflated reports whether s begins with a block of RFC 1951 that contains text.
func (d *decompressors) isDeflated(s string) bool {
	if len(s) < minDeflated || s[0]>>1&3 == 3 || s[0]>>1&3 == 0 {
		return false
	}
	d.probe.Reset(s[:min(len(s), deflateProbe)])
	var b [32]byte
	n, _ := io.ReadFull(d.inflate(&d.probe), b[:])
	return n == len(b) && IsText(string(b[:]))
}

// inflate returns a reader that decompresses a deflated stream.
func (d *decompressors) inflate(r io.Reader) io.Reader {
	if d.deflate == nil {
		d.deflate = flate.NewReader(r)
	} else {
		_ = d.deflate.(flate.Resetter).Reset(r, nil) // never fails
	}
	return d.deflate
}

// inflate returns the text that r yields for size bytes of input, within the limits. It
// also returns the text of a truncated input.
func (t part) inflate(r io.Reader, size int) string {
	var b bytes.Buffer
	limit := max(0, min(maxOne, maxRatio*max(size, minCompressed), t.budget))
	_, err := io.Copy(&b, io.LimitReader(r, int64(limit)+1))
	if errors.Is(err, zstd.ErrWindowSizeExceeded) {
		t.cut = true
	}
	if b.Len() > limit {
		t.cut = true
		b.Truncate(limit)
	}
	return b.String()
}
