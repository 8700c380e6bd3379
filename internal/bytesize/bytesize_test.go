package bytesize

import (
	"math"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for _, tt := range []struct {
		text string
		want int64
		out  string
	}{
		{"0", 0, "0"},
		{"512", 512, "512"},
		{"1k", 1 << 10, "1KiB"},
		{"64KiB", 64 << 10, "64KiB"},
		{"500mb", 500 << 20, "500MiB"},
		{"256MB", 256 << 20, "256MiB"},
		{"4G", 4 << 30, "4GiB"},
		{"1536M", 1536 << 20, "1536MiB"},
		{"7T", 7 << 40, "7TiB"},
		{"8388607T", 8388607 << 40, "8388607TiB"},
		{"9223372036854775807", math.MaxInt64, "9223372036854775807"},
		{"1b", 1, "1"},
	} {
		got, err := Parse(tt.text)
		if err != nil || got != tt.want || Format(got) != tt.out {
			t.Errorf("%s: got %d %q %v, want %d %q", tt.text, got, Format(got), err, tt.want, tt.out)
		}
	}
	for _, text := range []string{"", "K", "-1", "1.5G", "8388608T", "9000000T", "9223372036854775808", "1X", "1KK", "1 K", "0x10"} {
		if got, err := Parse(text); err == nil || got != 0 || !strings.Contains(err.Error(), " is not a size; use ") {
			t.Errorf("%q: got %d, %v", text, got, err)
		}
	}
}
