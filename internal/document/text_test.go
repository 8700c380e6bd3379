package document_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/internal/document"
)

// TestSearchableIsWhatJSONMeans compares decoded escapes with encoding/json for any set
// of escaped characters.
func TestSearchableIsWhatJSONMeans(t *testing.T) {
	var s document.Searcher
	rapid.Check(t, func(rt *rapid.T) {
		var doc strings.Builder
		doc.WriteByte('"')
		for _, r := range rapid.SliceOf(rapid.OneOf(rapid.Rune(), rapid.SampledFrom([]rune("\\\"/\n\t\b\f\ré𝄞u")))).Draw(rt, "text") {
			plain, err := json.Marshal(string(r))
			if err != nil {
				rt.Fatal(err)
			}
			switch {
			case rapid.Bool().Draw(rt, "plain"):
				doc.Write(plain[1 : len(plain)-1])
			case r < 0x10000:
				fmt.Fprintf(&doc, `\u%04x`, r)
			default:
				fmt.Fprintf(&doc, `\u%04X\u%04x`, 0xD800+(r-0x10000)>>10, 0xDC00+(r-0x10000)&0x3FF)
			}
		}
		doc.WriteByte('"')
		var want string
		if err := json.Unmarshal([]byte(doc.String()), &want); err != nil {
			rt.Fatal(err)
		}
		got, ok := s.Text([]byte(doc.String()), "json")
		if !ok || string(got) != `"`+want+`"` {
			rt.Fatalf("%s is %q, want %q", doc.String(), got, want)
		}
	})
}

func FuzzSearchable(f *testing.F) {
	f.Add([]byte(`"a\u0062\ud834\udd1e\n\\"`))
	f.Add([]byte(`\u12`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var s document.Searcher
		got, _ := s.Text(data, "json")
		var want string
		// encoding/json replaces invalid UTF-8 with U+FFFD.
		if json.Unmarshal(data, &want) == nil && !strings.ContainsRune(want, '\uFFFD') &&
			bytes.HasPrefix(data, []byte{'"'}) && string(bytes.TrimSpace(got)) != `"`+want+`"` {
			t.Errorf("%q is %q, want %q", data, got, want)
		}
	})
}
