package cli

import (
	"bytes"
	"io"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"
)

// A spool contains all data, in memory up to its limit, however it is written.
func TestSpool(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	streams := Streams(nil, nil, nil)
	rapid.Check(t, func(t *rapid.T) {
		spool := streams.Spool()
		spool.limit = rapid.IntRange(0, 300<<10).Draw(t, "limit")
		var want []byte
		for _, piece := range rapid.SliceOfN(rapid.IntRange(0, 150<<10), 0, 4).Draw(t, "pieces") {
			data := bytes.Repeat([]byte{byte('a' + len(want)%26)}, piece)
			want = append(want, data...)
			var n int64
			var err error
			switch rapid.IntRange(0, 2).Draw(t, "how") {
			case 0:
				written, failure := spool.Write(data)
				n, err = int64(written), failure
			case 1:
				n, err = spool.ReadFrom(bytes.NewReader(data))
			default:
				n, err = spool.ReadFrom(iotest.DataErrReader(iotest.HalfReader(bytes.NewReader(data))))
			}
			if n != int64(piece) || err != nil {
				t.Fatalf("%d of %d bytes, %v", n, piece, err)
			}
		}
		if held := spool.Bytes(); len(want) > spool.limit && held != nil || len(want) <= spool.limit && !bytes.Equal(held, want) {
			t.Errorf("%d of %d bytes in memory, the limit is %d", len(held), len(want), spool.limit)
		}
		var got bytes.Buffer
		if _, err := spool.WriteTo(&got); err != nil || !bytes.Equal(got.Bytes(), want) || spool.Size() != int64(len(want)) {
			t.Errorf("got %d of %d bytes, want %d, %v", got.Len(), spool.Size(), len(want), err)
		}
		if err := spool.Close(); err != nil {
			t.Error(err)
		}
	})
}

// Data read before an error is kept.
func TestSpoolReadError(t *testing.T) {
	spool := Streams(nil, nil, nil).Spool()
	n, err := spool.ReadFrom(io.MultiReader(bytes.NewReader(make([]byte, 100<<10)), iotest.ErrReader(errGone)))
	if n != 100<<10 || len(spool.Bytes()) != 100<<10 || err != errGone { //nolint:errorlint // it is passed on as it is
		t.Errorf("%d bytes read, %d kept, %v", n, len(spool.Bytes()), err)
	}
}
