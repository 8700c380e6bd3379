package seal

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func testKey() *Key { return New((*[Size]byte)(bytes.Repeat([]byte{7}, Size))) }

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
		"another key":      func() ([]byte, error) { return New(new([Size]byte)).Open("parts/1", sealed) },
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
	for _, n := range []string{k.Name("a", "bc"), k.Name("ab", "c"), k.Name("abc"), k.Name(), k.Digest([]byte("abc")), New(new([Size]byte)).Name("abc")} {
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
	k := New((*[Size]byte)(bytes.Repeat([]byte{0x5a}, Size)))
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
