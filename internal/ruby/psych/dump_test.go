package psych_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/internal/ruby/psych"
	"github.com/pcatdev/pcat/pcore"
)

// TestStrings compares with Psych's output for texts alone, in mappings and
// sequences, and as keys: testdata/strings.jsonl, or the file named by
// PCAT_STRINGS.
func TestStrings(t *testing.T) {
	file := os.Getenv("PCAT_STRINGS")
	if file == "" {
		file = "testdata/strings.jsonl"
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		var c struct{ In, Top, Map, Seq, Key string }
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		s := pcore.String(c.In)
		hash := func(k, v pcore.Value) pcore.Value { return pcore.NewHash(pcore.Entry{Key: k, Value: v}) }
		for _, tt := range []struct {
			v    pcore.Value
			want string
		}{
			{s, c.Top},
			{hash(pcore.String("a"), s), c.Map},
			{pcore.NewArray(s, pcore.NewArray(s)), c.Seq},
			{hash(s, pcore.Integer(1)), c.Key},
		} {
			if tt.want == "" {
				continue
			}
			var b strings.Builder
			if err := psych.Write(&b, tt.v, psych.Options{}); err != nil || b.String() != tt.want {
				t.Errorf("%q: %v\n%q\nwant\n%q", tt.v, err, b.String(), tt.want)
			}
		}
	}
}

// TestWidth compares with Psych's output for texts that are longer than a width that was asked for.
func TestWidth(t *testing.T) {
	text := pcore.String("long text with many words to be folded at some place")
	var b pcore.HashBuilder
	b.Set(pcore.String("a key that is long enough"), pcore.String("and its value is long"))
	hash := b.Hash()
	nested := func(v pcore.Value, keys ...pcore.String) pcore.Value {
		for _, key := range slices.Backward(keys) {
			var b pcore.HashBuilder
			b.Set(key, v)
			v = b.Hash()
		}
		return v
	}
	deep := nested(pcore.String("some words that are long enough"), "a", "b")
	for _, tt := range []struct {
		v             pcore.Value
		indent, width int
		want          string
	}{
		{text, 2, 20, "--- >-\n  long text with many\n  words to be folded at\n  some place\n"},
		{text, 2, 0, "--- long text with many words to be folded at some place\n"},
		{text, 2, -1, "--- long text with many words to be folded at some place\n"},
		{hash, 2, 5, "---\n\"a key that is long enough\": >-\n  and its\n  value\n  is long\n"},
		{hash, 2, 20, "---\n\"a key that is long enough\": >-\n  and its value is long\n"},
		{nested(pcore.String(" abc def"), "a", "b", "c", "d"), 2, 5, "---\na:\n  b:\n    c:\n      d: >2-\n         abc\n        def\n"},
		{pcore.String("abc de\u2028 ghi jkl"), 2, 6, "--- >-\n  abc de\u2028   ghi jkl\n"},
		{pcore.String("abc de\u2029 ghi jkl"), 2, 6, "--- >-\n  abc de\u2029   ghi jkl\n"},
		{pcore.String("abc de\u0085 ghi jkl"), 2, 6, "--- \"abc\n  de\\N ghi\n  jkl\"\n"},
		{pcore.String("abc def ghi"), 2, 3, "--- >-\n  abc def ghi\n"},
		{deep, 9, 15, "---\na:\n         b: >-\n                  some words that are long enough\n"},
		{deep, 9, 19, "---\na:\n         b: >-\n                  some\n                  words\n                  that\n                  are\n                  long\n                  enough\n"},
	} {
		var out strings.Builder
		if err := psych.Write(&out, tt.v, psych.Options{Indent: tt.indent, Width: tt.width}); err != nil || out.String() != tt.want {
			t.Errorf("%s, indentation %d, width %d: got %q, %v, want %q", tt.v, tt.indent, tt.width, out.String(), err, tt.want)
		}
	}
}
