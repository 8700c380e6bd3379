package rubytext

import (
	"bufio"
	"bytes"
	"encoding/json"
	"math/big"
	"os"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/pcore"
)

// TestFormat compares with Ruby's output: testdata/format.jsonl, or the file
// named by PCAT_FORMATS.
func TestFormat(t *testing.T) {
	file := os.Getenv("PCAT_FORMATS")
	if file == "" {
		file = "testdata/format.jsonl"
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		var c struct {
			Format string
			Args   []any
			Want   *string
			Error  string
		}
		d := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		d.UseNumber()
		if err := d.Decode(&c); err != nil {
			t.Fatal(err)
		}
		var args []pcore.Value
		for _, a := range c.Args {
			args = append(args, value(t, a))
		}
		got, err := Format(c.Format, args...)
		switch {
		case c.Want == nil && err == nil:
			t.Errorf("Format(%q, %s) = %q, want the error %q", c.Format, args, got, c.Error)
		case c.Want == nil && err.Error() != c.Error && !strings.Contains(c.Error, `\x`):
			t.Errorf("Format(%q, %s): error %q, want %q", c.Format, args, err, c.Error)
		case c.Want != nil && err != nil:
			t.Errorf("Format(%q, %s): %v, want %q", c.Format, args, err, *c.Want)
		case c.Want != nil && got != *c.Want:
			t.Errorf("Format(%q, %s) = %q, want %q", c.Format, args, got, *c.Want)
		}
	}
}

// value converts plain JSON to a value, with numbers as Ruby reads them.
func value(t *testing.T, a any) pcore.Value {
	t.Helper()
	switch a := a.(type) {
	case nil:
		return pcore.Undef{}
	case bool:
		return pcore.Boolean(a)
	case string:
		return pcore.String(a)
	case json.Number:
		if strings.ContainsAny(a.String(), ".eE") {
			f, err := a.Float64()
			if err != nil {
				t.Fatal(err)
			}
			return pcore.Float(f)
		}
		i, ok := new(big.Int).SetString(a.String(), 10)
		if !ok {
			t.Fatalf("no number: %s", a)
		}
		return pcore.NewBigInteger(i)
	case []any:
		var elems []pcore.Value
		for _, e := range a {
			elems = append(elems, value(t, e))
		}
		return pcore.NewArray(elems...)
	case map[string]any:
		var b pcore.HashBuilder
		for k, e := range a {
			b.SetString(k, value(t, e))
		}
		return b.Hash()
	default:
		t.Fatalf("no value: %T", a)
		return nil
	}
}
