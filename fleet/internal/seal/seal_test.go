package seal

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func testKey() *Key { return keyOf(7) }

// keyOf returns a key whose secrets consist of one byte.
func keyOf(b byte) *Key {
	secret := [Size]byte(bytes.Repeat([]byte{b}, Size))
	return newKey([][Size]byte{secret, secret})
}

func TestSeal(t *testing.T) {
	k := testKey()
	for _, text := range []string{"", "x", strings.Repeat("secret", 10000)} {
		sealed := k.Seal("parts/1", []byte(text))
		if len(sealed) != len(text)+Overhead {
			t.Errorf("got %d bytes for %d", len(sealed), len(text))
		}
		if text != "" && bytes.Contains(sealed[:Overhead], []byte("secret")) {
			t.Error("the value is visible")
		}
		got, err := k.Open("parts/1", sealed)
		if err != nil || string(got) != text {
			t.Errorf("got %d bytes and %v", len(got), err)
		}
		if bytes.Equal(sealed, k.Seal("parts/1", []byte(text))) {
			t.Error("equal values have equal encryptions")
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	k := testKey()
	sealed := k.Seal("parts/1", []byte("hunter2"))
	for name, open := range map[string]func() ([]byte, error){
		"another location": func() ([]byte, error) { return k.Open("parts/2", sealed) },
		"another key":      func() ([]byte, error) { return keyOf(0).Open("parts/1", sealed) },
		"nothing":          func() ([]byte, error) { return k.Open("parts/1", nil) },
		"too short":        func() ([]byte, error) { return k.Open("parts/1", sealed[:Overhead-1]) },
		"another version":  func() ([]byte, error) { return k.Open("parts/1", append([]byte{2}, sealed[1:]...)) },
	} {
		data, err := open()
		if !errors.Is(err, ErrSealed) || data != nil {
			t.Errorf("%s: got %q, %v", name, data, err)
		}
	}
	for i := range sealed {
		damaged := bytes.Clone(sealed)
		damaged[i] ^= 1
		if _, err := k.Open("parts/1", damaged); !errors.Is(err, ErrSealed) {
			t.Errorf("byte %d is not protected: %v", i, err)
		}
	}
}

func TestNames(t *testing.T) {
	k := testKey()
	names := map[string]bool{}
	for _, n := range []string{k.Name("a", "bc"), k.Name("ab", "c"), k.Name("abc"), k.Name(), k.Digest([]byte("abc")), keyOf(0).Name("abc")} {
		if len(n) != 32 || names[n] {
			t.Errorf("%q is short, or not unique", n)
		}
		names[n] = true
	}
	if k.Name("a") != testKey().Name("a") || k.Digest([]byte("a")) != testKey().Digest([]byte("a")) {
		t.Error("names are not stable")
	}
	if bytes.Equal(k.Derive("a"), k.Derive("b")) {
		t.Error("purposes share a key")
	}
}

func TestKeyIsNotPrinted(t *testing.T) {
	k := keyOf(0x5a)
	for _, format := range []string{"%v", "%+v", "%#v", "%s", "%x", "%d"} {
		for _, v := range []any{k, *k, struct{ K *Key }{k}} {
			text := fmt.Sprintf(format, v)
			if strings.Contains(text, "ZZZZ") || strings.Contains(text, "5a5a5a") || strings.Contains(text, "90 90 90") {
				t.Errorf("%s shows the key: %s", format, text)
			}
		}
	}
}

func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fleet.key")
	if _, err := Read(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v for no file", err)
	}
	created, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, open := range []func(string) (*Key, error){Read, Create} {
		again, err := open(path)
		if err != nil {
			t.Fatal(err)
		}
		if again.Name("x") != created.Name("x") {
			t.Error("another key was read")
		}
	}
	if runtime.GOOS == "windows" {
		return
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("got mode %v, %v", info.Mode(), err)
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(path); err == nil || !strings.Contains(err.Error(), "others can read") {
		t.Errorf("got %v for a file that others can read", err)
	}
}

func TestFilesThatAreNoKeys(t *testing.T) {
	for _, text := range []string{"", "hunter2", prefix, prefix + "aHVudGVyMg", prefixOne + "aHVudGVyMg", prefix + strings.Repeat("!", 86), prefixReader + "aHVudGVyMg", strings.Repeat("A", 2000)} {
		path := filepath.Join(t.TempDir(), "key")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Create(path)
		if err == nil || text != "" && strings.Contains(err.Error(), text) || !strings.Contains(err.Error(), "is not a fleet key") {
			t.Errorf("got %v for %q", err, text)
		}
		if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) != 1 {
			t.Errorf("got %d files", len(entries))
		}
		if kept, _ := os.ReadFile(path); string(kept) != text {
			t.Error("the file was replaced")
		}
	}
}

// A rotation keeps names, digests and derived keys, and can be interrupted.
func TestRotate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fleet.key")
	old := prefixOne + strings.Repeat("B", 43) // of an earlier version
	for _, text := range []string{"", old} {
		if text != "" {
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		before, err := Create(path)
		if err != nil {
			t.Fatal(err)
		}
		sealed := before.Seal("x", []byte("value"))
		during, err := Rotate(path)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Rotate(path)
		if err != nil {
			t.Fatal(err)
		}
		if !during.Rotating() || !again.Rotating() || before.Rotating() {
			t.Error("the rotation is not known")
		}
		if data, err := again.Open("x", during.Seal("x", []byte("value"))); string(data) != "value" || err != nil {
			t.Errorf("a rotation that is continued has another key: %q, %v", data, err)
		}
		if data, err := during.Open("x", sealed); string(data) != "value" || err != nil {
			t.Errorf("%q, %v", data, err)
		}
		if _, err := during.Current().Open("x", sealed); !errors.Is(err, ErrSealed) {
			t.Errorf("got %v", err)
		}
		if err := errors.Join(Retire(path), Retire(path)); err != nil {
			t.Fatal(err)
		}
		after, err := Read(path)
		if err != nil || after.Rotating() {
			t.Fatal(err)
		}
		if _, err := after.Open("x", sealed); !errors.Is(err, ErrSealed) {
			t.Errorf("the key opens a value of the one before: %v", err)
		}
		if _, err := before.Open("x", after.Seal("x", nil)); !errors.Is(err, ErrSealed) {
			t.Errorf("the key before opens a value: %v", err)
		}
		if !after.Same(before) || after.Name("x") != before.Name("x") || after.Digest(nil) != before.Digest(nil) || !bytes.Equal(after.Derive("x"), before.Derive("x")) {
			t.Error("the identity is not kept")
		}
		if bytes.Equal(after.Login(), before.Login()) || bytes.Equal(after.Reader().Login(), before.Reader().Login()) {
			t.Error("the key before can log in")
		}
	}
}

// A reader's key opens answers, and nothing else; the fleet key opens both.
func TestReader(t *testing.T) {
	k := testKey()
	path := filepath.Join(t.TempDir(), "reader.key")
	if err := k.Reader().Create(path); err != nil {
		t.Fatal(err)
	}
	r, err := ReadReader(path)
	if err != nil {
		t.Fatal(err)
	}
	if data, err := r.Open("x", k.Answers().Seal("x", []byte("finding"))); string(data) != "finding" || err != nil {
		t.Errorf("%q, %v", data, err)
	}
	if data, err := k.Answers().Open("x", r.Seal("x", []byte("question"))); string(data) != "question" || err != nil {
		t.Errorf("%q, %v", data, err)
	}
	if _, err := r.Open("x", k.Seal("x", nil)); !errors.Is(err, ErrSealed) {
		t.Errorf("it opens a catalog: %v", err)
	}
	for _, read := range []func() error{
		func() error { _, err := Read(path); return err },
		func() error { _, err := Create(path); return err },
		func() error { return Retire(path) },
		func() error { _, err := Rotate(path); return err },
	} {
		if err := read(); !errors.Is(err, ErrReader) {
			t.Errorf("got %v for a reader's key", err)
		}
	}
	if err := k.Reader().Create(path); !errors.Is(err, os.ErrExist) {
		t.Errorf("got %v for a file that exists", err)
	}
	if text := fmt.Sprintf("%v %+v %#v %s", r, r, r, r); strings.Count(text, "redacted") != 4 {
		t.Errorf("it is printed: %s", text)
	}
}

func TestStream(t *testing.T) {
	k := testKey()
	seal := func(size int) []byte {
		t.Helper()
		var b bytes.Buffer
		w, err := NewWriter(&b, &k.Box, "test")
		if err != nil {
			t.Fatal(err)
		}
		for range size / 1000 {
			if n, err := w.Write(bytes.Repeat([]byte("x"), 1000)); n != 1000 || err != nil {
				t.Fatal(n, err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	open := func(file []byte, purpose string) (int, error) {
		r, err := NewFileReader(bytes.NewReader(file), &k.Box, purpose)
		if err != nil {
			return 0, err
		}
		data, err := io.ReadAll(r)
		return len(data), err
	}
	for _, size := range []int{0, 1000, 1 << 20 / 1000 * 1000, 3000000} {
		file := seal(size)
		if n, err := open(file, "test"); n != size || err != nil {
			t.Errorf("%d bytes: got %d, %v", size, n, err)
		}
		for _, cut := range []int{0, nameSize - 1, nameSize, nameSize + 2, nameSize + 10, len(file) / 2, len(file) - 1} {
			if _, err := open(file[:cut], "test"); !errors.Is(err, ErrCut) {
				t.Errorf("%d of %d bytes: got %v", cut, len(file), err)
			}
		}
		for _, at := range []int{0, nameSize, nameSize + 3, nameSize + 10, len(file) / 2, len(file) - 1} {
			damaged := bytes.Clone(file)
			damaged[at] ^= 1
			if _, err := open(damaged, "test"); !errors.Is(err, ErrSealed) && !errors.Is(err, ErrCut) {
				t.Errorf("damaged at %d of %d: got %v", at, len(file), err)
			}
		}
		if _, err := open(append(bytes.Clone(file), 0), "test"); !errors.Is(err, ErrSealed) {
			t.Errorf("longer: got %v", err)
		}
		if _, err := open(file, "other"); !errors.Is(err, ErrSealed) {
			t.Errorf("another purpose: got %v", err)
		}
	}
	// Frames of two files, or in another order, do not fit together.
	file := seal(3 << 20 / 1000 * 1000)
	frame := 4 + frameSize + Overhead
	first, second := file[nameSize:nameSize+frame], file[nameSize+frame:nameSize+2*frame]
	swapped := slices.Concat(file[:nameSize], second, first, file[nameSize+2*frame:])
	if _, err := open(swapped, "test"); !errors.Is(err, ErrSealed) {
		t.Errorf("another order: got %v", err)
	}
	if _, err := open(slices.Concat(file[:nameSize], seal(3 << 20 / 1000 * 1000)[nameSize:]), "test"); !errors.Is(err, ErrSealed) {
		t.Errorf("another file: got %v", err)
	}
}
