package audit_test

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/audit"
)

// An extract has each text of a catalog once, and the names in lower case. The same Updater makes
// extracts of small and large catalogs.
func TestExtract(t *testing.T) {
	a, err := audit.New(audit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	u := a.Updater()
	rapid.Check(t, func(t *rapid.T) {
		titles := rapid.SliceOfN(rapid.StringMatching(`[A-Za-zÄÖÜäöüİß/:.]{0,30}`), 0, 20).Draw(t, "titles")
		var texts, resources []string
		for i := range rapid.SampledFrom([]int{0, 3, 600, 3000}).Draw(t, "texts") {
			texts = append(texts, fmt.Sprint("meadow and hill ", i%1700))
		}
		for _, title := range titles {
			text, err := json.Marshal(map[string]any{"type": "Notify", "title": title, "parameters": map[string]any{"colours": texts}})
			if err != nil {
				t.Fatal(err)
			}
			resources = append(resources, string(text))
		}
		in := audit.Document("x", []byte(`{"name":"Web.Example.com","resources":[`+strings.Join(resources, ",")+`],"edges":[]}`))
		p, err := u.Update(t.Context(), in, u.Collect(in), nil)
		if err != nil {
			t.Fatal(err)
		}
		names, got := extracted(t, p.Extract())
		want := []string{"web.example.com"}
		if len(titles) > 0 {
			want = append(want, "notify")
		}
		for _, title := range titles {
			want = append(want, strings.ToLower(title))
		}
		slices.Sort(want)
		if slices.Sort(names); !slices.Equal(names, want) {
			t.Fatalf("names %q, want %q", names, want)
		}
		slices.Sort(got)
		if len(slices.Compact(slices.Clone(got))) != len(got) {
			t.Fatalf("a text occurs twice in %q", got)
		}
		for _, text := range texts {
			if _, ok := slices.BinarySearch(got, text); len(titles) > 0 && !ok {
				t.Fatalf("%q is missing", text)
			}
		}
	})
}

// extracted returns the names and the texts of an extract.
func extracted(t *rapid.T, x *audit.Extract) (names, texts []string) {
	data, err := x.AppendBinary(nil)
	if err != nil || len(data) == 0 {
		t.Fatal(err)
	}
	for rest := data[1:]; len(rest) > 0; {
		n, size := binary.Uvarint(rest)
		texts = append(texts, string(rest[size:size+int(n)]))
		rest = rest[size+int(n):]
	}
	return strings.Split(strings.TrimSuffix(texts[0], "\n"), "\n"), texts[1:]
}
