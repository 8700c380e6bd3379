package diff_test

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/catalog/diff"
	"github.com/pcatdev/pcat/internal/test/catalogtest"
	"github.com/pcatdev/pcat/redact"
)

// drawn returns resources of all kinds with parameters that rarely fit.
func drawn() *rapid.Generator[[]map[string]any] {
	typ := rapid.SampledFrom([]string{"File", "Exec", "Service", "Package", "User", "Group", "Cron", "Mount", "Host", "Notify", "Concat_file",
		"Concat_fragment", "Concat", "Resources", "Schedule", "Tidy", "Zpool", "Ssh_authorized_key", "My::Define", "Class", "K5login"})
	title := rapid.SampledFrom([]string{"/a", "/a/b", "/a/b/c", "s", "/", "", "user"})
	name := rapid.SampledFrom([]string{"ensure", "content", "source", "target", "path", "mode", "owner", "recurse", "purge", "force", "recurselimit", "ignore", "replace",
		"links", "command", "creates", "unless", "refreshonly", "enable", "groups", "membership", "hour", "weekday", "options", "notify", "subscribe", "noop", "schedule",
		"name", "order", "tag", "format", "ensure_newline", "period", "message", "alias"})
	value := rapid.SampledFrom([]any{nil, true, false, 0, -1, 2.5, "", " ", "/", "/a", "/a/", "/a/b", "absent", "present", "directory", "link", "purged", "1.0", "0644", "u=rw,go=r",
		"u=", "a", []any{"a", "b"}, []any{"b", "a"}, []any{}, map[string]any{}, map[string]any{"a": 1}, map[string]any{"__ptype": "Sensitive", "__pvalue": "x"},
		map[string]any{"__ptype": "Deferred", "name": "f"}, map[string]any{"__ptype": "Binary", "__pvalue": "eA=="}, "true", "no", "File[/a]", "Service[s]", []any{"Exec[s]"}, "inf",
		"numeric", "json", "never", "*", "Mon", []any{[]any{"a"}}, "é"})
	return rapid.Custom(func(t *rapid.T) []map[string]any {
		all := []map[string]any{}
		known := make(map[[2]string]bool)
		for range rapid.IntRange(0, 10).Draw(t, "resources") {
			key := [2]string{typ.Draw(t, "type"), title.Draw(t, "title")}
			if known[key] {
				continue
			}
			known[key] = true
			all = append(all, map[string]any{"type": key[0], "title": key[1], "parameters": rapid.MapOfN(name, value, 0, 6).Draw(t, "parameters")})
		}
		return all
	})
}

// TestDrawn compares catalogs with odd values: a comparison ends without an error, finds nothing in
// equal catalogs, and says of each effect on which resource it is.
func TestDrawn(t *testing.T) {
	catalog := func(resources []map[string]any) string {
		text, err := json.Marshal(map[string]any{"name": "n", "resources": resources})
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	rapid.Check(t, func(rt *rapid.T) {
		old, new := catalog(drawn().Draw(rt, "old")), catalog(drawn().Draw(rt, "new"))
		for _, other := range []string{old, new} {
			r, err := diff.Compare(t.Context(), catalogtest.Side(t, catalogtest.JSON(old)), catalogtest.Side(t, catalogtest.JSON(other)), redact.NewFinder(nil), diff.Options{})
			if err != nil {
				rt.Fatal(err)
			}
			if other == old && len(r.Changes) > 0 {
				rt.Fatalf("equal catalogs differ: %+v", r.Changes)
			}
			for _, c := range r.Changes {
				for _, e := range c.Effects {
					if e.Ref == "" || e.Effect == "" {
						rt.Fatalf("%s: %+v", c.Ref, e)
					}
				}
			}
		}
	})
}
