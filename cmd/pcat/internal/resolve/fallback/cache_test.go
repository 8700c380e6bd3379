package fallback

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pcatdev/pcat/pcore"
)

// run is one run: the store has a value, or is down if it is "". It returns the value that is used.
func run(t *testing.T, file string, now time.Time, node, environment, value string) (string, error) {
	t.Helper()
	cache, err := OpenCache(file, testKey(t))
	check(t, err)
	h, err := New(Options{Policy: policyOf(t, Rule{OnFailure: Keep}), Codec: rich{}, Cache: cache})
	check(t, err)
	h.now = func() time.Time { return now }
	v, _, failure := h.For(node, environment).Handle(t.Context(), storeCall("File[/x]", "db"), func(context.Context) (pcore.Value, error) {
		if value == "" {
			return nil, errDown
		}
		return pcore.NewSensitive(pcore.String(value)), nil
	})
	check(t, h.Save())
	return shown(v), failure
}

func TestCache(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "cache")
	now := time.Now()
	if _, err := run(t, file, now, "web01", "production", ""); err == nil {
		t.Error("an empty cache answers")
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("there is a file without an answer")
	}
	if got, err := run(t, file, now, "web01", "production", "hunter2-of-production"); got != "Sensitive hunter2-of-production" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	info, err := os.Stat(file)
	check(t, err)
	if info.Mode() != 0o600 {
		t.Errorf("mode %s", info.Mode())
	}
	data, err := os.ReadFile(file)
	check(t, err)
	for _, plain := range []string{"hunter2", "store", "db", "web01", "production", "Sensitive"} {
		if bytes.Contains(data, []byte(plain)) {
			t.Errorf("the file has %q in plain text", plain)
		}
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 1 {
		t.Errorf("there are other files: %v, %v", files, err)
	}
	if got, err := run(t, file, now.Add(time.Hour), "web01", "production", ""); got != "Sensitive hunter2-of-production" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	for _, other := range [][2]string{{"web02", "production"}, {"web01", "test"}, {"web01p", "roduction"}} {
		if got, err := run(t, file, now, other[0], other[1], ""); err == nil {
			t.Errorf("%v: got the answer %q of another catalog", other, got)
		}
	}
	// An answer that no rule uses any more leaves the file with the next one.
	if got, err := run(t, file, now.Add(48*time.Hour), "web02", "production", "two"); got != "Sensitive two" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	cache, err := OpenCache(file, testKey(t))
	check(t, err)
	if len(cache.entries) != 1 {
		t.Errorf("%d answers", len(cache.entries))
	}
}

// Only the answers of rules with keep are in the file.
func TestOnlyKept(t *testing.T) {
	cache, err := OpenCache(filepath.Join(t.TempDir(), "cache"), testKey(t))
	check(t, err)
	h, err := New(Options{Codec: rich{}, Cache: cache, Policy: policyOf(t, Rule{Paths: []string{"a"}, OnFailure: Skip}, Rule{Paths: []string{"b"}, OnFailure: Keep})})
	check(t, err)
	for _, path := range []string{"a", "b", "c"} {
		_, _, err := h.For("", "").Handle(t.Context(), storeCall("File[/x]", path), func(context.Context) (pcore.Value, error) { return pcore.Undef{}, nil })
		check(t, err)
	}
	if len(cache.entries) != 1 {
		t.Errorf("%d answers", len(cache.entries))
	}
}

// Two runs at the same time keep the answers of both.
func TestMerge(t *testing.T) {
	file := filepath.Join(t.TempDir(), "cache")
	now := time.Now()
	open := func(first byte, age time.Duration, value string) *Cache {
		c, err := OpenCache(file, testKey(t))
		check(t, err)
		c.put(address{first}, pcore.String(value), now.Add(-age), rich{})
		c.put(address{9}, pcore.String(value), now.Add(-age), rich{})
		return c
	}
	one, two := open(1, 0, "young"), open(2, time.Hour, "old")
	check(t, one.save(now.Add(-2*time.Hour), now))
	check(t, two.save(now.Add(-2*time.Hour), now))
	c, err := OpenCache(file, testKey(t))
	check(t, err)
	for first, want := range map[byte]string{1: "young", 2: "old", 9: "young"} {
		if v, _, err := c.get(address{first}, 3*time.Hour, now, rich{}); err != nil || shown(v) != want {
			t.Errorf("%d: got %v, %v", first, v, err)
		}
	}
}

// A file that is not what it must be is refused, or ignored and replaced.
func TestOpenCache(t *testing.T) {
	good := filepath.Join(t.TempDir(), "good")
	_, err := run(t, good, time.Now(), "n", "e", "hunter2")
	check(t, err)
	data, err := os.ReadFile(good)
	check(t, err)
	other, err := newKey([]byte("another secret"))
	check(t, err)
	foreign, err := other.seal([]byte("[]"))
	check(t, err)
	noList, err := testKey(t).seal([]byte(`{"hunter2":1}`))
	check(t, err)
	flipped := func(i int) []byte {
		d := slices.Clone(data)
		d[i] ^= 1
		return d
	}
	for _, tt := range []struct {
		name string
		data []byte
		mode os.FileMode
		want error  // with an empty cache
		text string // without a cache
	}{
		{name: "good", data: data, mode: 0o600},
		{name: "group", data: data, mode: 0o640, text: "mode 0640: others can read or change the file"},
		{name: "world", data: data, mode: 0o602, text: "mode 0602"},
		{name: "another key", data: foreign, mode: 0o600, want: ErrOtherKey},
		{name: "empty", mode: 0o600, want: ErrDamaged},
		{name: "short", data: data[:headSize+3], mode: 0o600, want: ErrDamaged},
		{name: "magic", data: flipped(0), mode: 0o600, want: ErrDamaged},
		{name: "salt", data: flipped(headSize - 1), mode: 0o600, want: ErrDamaged},
		{name: "content", data: flipped(headSize), mode: 0o600, want: ErrDamaged},
		{name: "end", data: flipped(len(data) - 1), mode: 0o600, want: ErrDamaged},
		{name: "no list", data: noList, mode: 0o600, want: ErrDamaged},
	} {
		t.Run(tt.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "cache")
			check(t, os.WriteFile(file, tt.data, 0o600))
			check(t, os.Chmod(file, tt.mode))
			c, err := OpenCache(file, testKey(t))
			switch {
			case tt.text != "":
				if c != nil || err == nil || !strings.Contains(err.Error(), tt.text) {
					t.Errorf("got %v, %v", c, err)
				}
				return
			case !errors.Is(err, tt.want):
				t.Fatalf("got %v, want %v", err, tt.want)
			case tt.want == nil:
				return
			case len(c.entries) > 0:
				t.Error("there are answers")
			}
			check(t, c.save(time.Time{}, time.Now()))
			if _, err := OpenCache(file, testKey(t)); err != nil {
				t.Errorf("it was not replaced: %v", err)
			}
		})
	}
	dir := t.TempDir()
	if _, err := OpenCache(filepath.Join(dir, "none", "cache"), testKey(t)); err == nil {
		t.Error("there is no such directory")
	}
	check(t, os.Symlink(good, filepath.Join(dir, "link")))
	if _, err := OpenCache(filepath.Join(dir, "link"), testKey(t)); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a link: %v", err)
	}
}

// A fresh answer replaces one that is dated in the future, after the clock was set back.
func TestFuture(t *testing.T) {
	file := filepath.Join(t.TempDir(), "cache")
	now := time.Now()
	_, err := run(t, file, now.Add(time.Hour), "n", "e", "early")
	check(t, err)
	_, err = run(t, file, now.Add(time.Hour), "other", "e", "early")
	check(t, err)
	if got, err := run(t, file, now, "n", "e", "fresh"); got != "Sensitive fresh" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	if got, err := run(t, file, now, "n", "e", ""); got != "Sensitive fresh" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	cache, err := OpenCache(file, testKey(t))
	check(t, err)
	if len(cache.entries) != 1 {
		t.Errorf("%d answers", len(cache.entries))
	}
}

// The oldest answers make room for new ones.
func TestBounds(t *testing.T) {
	c, err := OpenCache(filepath.Join(t.TempDir(), "cache"), testKey(t))
	check(t, err)
	now := time.Now()
	large := pcore.String(strings.Repeat("x", maxValue-2))
	for i := range maxValues/maxValue + 3 {
		c.put(address{byte(i)}, large, now.Add(-time.Duration(i)*time.Minute), rich{})
	}
	c.put(address{200}, large+"x", now, rich{})
	all := c.latest(time.Time{}, now)
	if len(all) != maxValues/maxValue || all[0].Address != (address{}) {
		t.Errorf("%d answers", len(all))
	}
	if _, _, err := c.get(address{200}, time.Hour, now, rich{}); !errors.Is(err, errNoAnswer) {
		t.Errorf("an answer that is too large: %v", err)
	}
	check(t, c.save(time.Time{}, time.Now()))
	if _, err := OpenCache(c.file, testKey(t)); err != nil {
		t.Error(err)
	}
}
