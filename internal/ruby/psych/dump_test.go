package psych

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

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
			if err := Write(&b, tt.v, Options{}); err != nil || b.String() != tt.want {
				t.Errorf("%q: %v\n%q\nwant\n%q", tt.v, err, b.String(), tt.want)
			}
		}
	}
}
