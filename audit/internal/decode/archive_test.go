package decode_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/flate"
	bits "encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/pcatdev/pcat/audit/internal/decode"
)

// file is a member of an archive.
type file struct{ name, text string }

func zipped(t testing.TB, method uint16, files ...file) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range files {
		m, err := w.CreateHeader(&zip.FileHeader{Name: f.name, Method: method})
		if err == nil {
			_, err = m.Write([]byte(f.text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func tarred(t testing.TB, files ...file) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, f := range files {
		err := w.WriteHeader(&tar.Header{Name: f.name, Mode: 0o600, Size: int64(len(f.text))})
		if err == nil {
			_, err = w.Write([]byte(f.text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func deflated(s string) []byte {
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.BestCompression)
	_, _ = w.Write([]byte(s))
	_ = w.Close()
	return b.Bytes()
}

func zstandard(s string) []byte {
	w, _ := zstd.NewWriter(nil)
	return w.EncodeAll([]byte(s), nil)
}

// archives returns the number of encodings up to the last archive.
func archives(encodings []string) (n int) {
	for i, e := range encodings {
		if e == "zip" || e == "tar" {
			n = i + 1
		}
	}
	return n
}

// TestArchives checks that the members of archives are decoded, with their paths.
func TestArchives(t *testing.T) {
	const secret = "k7Xq9-zzW"
	text := "# of the application\n[client]\nuser = root\nhost = db1\npassword = " + secret + "\n"
	pgpass := file{"home/app/.pgpass", "db1:*:*:app:" + secret + "\n"}
	settings := file{"etc/app.ini", text}
	readme := file{"README", manual()}
	tests := []struct {
		name      string
		bytes     []byte
		encodings string
		path      string
	}{
		{"zip", zipped(t, zip.Deflate, readme, settings), "zip", settings.name},
		{"zip, stored", zipped(t, zip.Store, readme, settings), "zip", settings.name},
		{"zip, by the path", zipped(t, zip.Deflate, pgpass), "zip", pgpass.name},
		{"tar", tarred(t, settings), "tar", settings.name},
		{"tar that is text for the most part", tarred(t, readme, settings), "tar", settings.name},
		{"tar, by the path", tarred(t, pgpass), "tar", pgpass.name},
		{"tar in gzip", gzipped(string(tarred(t, readme, pgpass))), "gzip tar", pgpass.name},
		{"tar in zstd", zstandard(string(tarred(t, readme, pgpass))), "zstd tar", pgpass.name},
		{"gzip in tar", tarred(t, file{"a.gz", string(gzipped(text))}), "tar gzip", "a.gz"},
		{"tar in zip", zipped(t, zip.Deflate, file{"a.tar", string(tarred(t, pgpass))}), "zip tar", pgpass.name},
		{"zip in zip", zipped(t, zip.Store, file{"a.zip", string(zipped(t, zip.Deflate, pgpass))}), "zip zip", pgpass.name},
		{"zstd", zstandard(text), "zstd", ""},
		{"deflate", deflated(text), "deflate", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for how, value := range map[string]any{"binary": binary(tt.bytes), "base64": b64(tt.bytes)} {
				texts, whole := scan(value)
				i := slices.IndexFunc(texts, func(p decode.Part) bool {
					return strings.Contains(p.S, secret) && strings.Join(p.Encodings, " ") == how+" "+tt.encodings
				})
				if i < 0 || !whole {
					t.Fatalf("%s: behind %q at %d, all was looked at: %v", how, tt.encodings, i, whole)
				}
				if p := texts[i]; p.Path != tt.path || p.Archives != archives(p.Encodings) {
					t.Errorf("%s: in %q behind %d of %q", how, p.Path, p.Archives, p.Encodings)
				}
			}
		})
	}
}

// TestArchiveBombs checks that archives are opened within the limits, and that an
// incomplete search is reported.
func TestArchiveBombs(t *testing.T) {
	if testing.Short() {
		t.Skip("it is a test of bounds")
	}
	lines := strings.Repeat("user = root\n", 1<<18)
	large := file{"a.conf", lines}
	bomb := zipped(t, zip.Deflate, slices.Repeat([]file{large}, 16)...)
	nested := bomb
	for range 6 {
		nested = zipped(t, zip.Store, file{"a.zip", string(nested)}, file{"b.zip", string(nested)})
	}
	var many []file
	for i := range 5000 {
		many = append(many, file{fmt.Sprint(i), "a"})
	}
	locked := zipped(t, zip.Store, file{"a", "how to do it"})
	for _, magic := range []string{"PK\x03\x04", "PK\x01\x02"} {
		at := bytes.Index(locked, []byte(magic)) + len(magic) + 2
		if magic == "PK\x01\x02" {
			at += 2
		}
		locked[at] |= 1
	}
	for name, tt := range map[string]struct {
		bytes []byte
		whole bool
	}{
		"many large members":   {bomb, false},
		"zip in zip":           {nested, false},
		"many members":         {zipped(t, zip.Store, many...), false},
		"many members of tar":  {tarred(t, many[:4200]...), false},
		"overlapping members":  {overlapping(t, 4000), false},
		"a size that lies":     {lying(t, "user = root\n"), true},
		"large tar":            {zstandard(string(tarred(t, large, large))), false},
		"encrypted":            {locked, false},
		"cut off zip":          {bomb[:len(bomb)/2], false},
		"cut off tar":          {tarred(t, file{"a", strings.Repeat("a\n", 2000)})[:3000], false},
		"xz":                   {[]byte("\xfd7zXZ\x00\x00\x04\xe6\xd6\xb4\x46"), false},
		"few harmless members": {zipped(t, zip.Deflate, many[:10]...), true},
	} {
		t.Run(name, func(t *testing.T) {
			if _, whole := scan(binary(tt.bytes)); whole != tt.whole {
				t.Errorf("all was looked at: %v, want %v", whole, tt.whole)
			}
		})
	}
}

// overlapping returns an archive in which all n members share one stream.
func overlapping(t testing.TB, n int) []byte {
	one := zipped(t, zip.Deflate, file{"a", strings.Repeat("user = root\n", 1<<14)})
	at, end := bytes.Index(one, []byte("PK\x01\x02")), bytes.LastIndex(one, []byte("PK\x05\x06"))
	entry := one[at:end]
	b := slices.Concat(one[:at], bytes.Repeat(entry, n), one[end:])
	tail := b[len(b)-22:]
	bits.LittleEndian.PutUint16(tail[8:], uint16(n))
	bits.LittleEndian.PutUint16(tail[10:], uint16(n))
	bits.LittleEndian.PutUint32(tail[12:], uint32(n*len(entry)))
	return b
}

// lying returns an archive whose only member claims a size of 4 GB.
func lying(t testing.TB, text string) []byte {
	b := zipped(t, zip.Deflate, file{"a", text})
	bits.LittleEndian.PutUint32(b[bytes.Index(b, []byte("PK\x01\x02"))+24:], 1<<32-2)
	return b
}

// manual returns a long text that compresses like ordinary text.
func manual() string {
	var b strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&b, "%d. To install part %x of it, see page %d.\n", i, i*i*7919, i*31%97)
	}
	return b.String()
}
