package document

import "testing"

func TestRename(t *testing.T) {
	for _, tt := range []struct{ to, name, want string }{
		{"", "a.json", "a.json"},
		{"", "a", "a"},
		{"json", "a.json", "a.json"},
		{"json", "a.rich.json", "a.json"},
		{"json", "a.msgpack", "a.json"},
		{"rich-json", "a.json", "a.rich.json"},
		{"rich-json", "a.RICH.JSON", "a.RICH.JSON"},
		{"rich-msgpack", "dir.json/a.json", "dir.json/a.rich.msgpack"},
		{"msgpack", "a.mpk", "a.mpk"},
		{"yaml", "web01.example.com", "web01.example.com.yaml"},
		{"yaml", "dir/.json", "dir/.json.yaml"},
		{"yaml", "dir.json/a", "dir.json/a.yaml"},
	} {
		f := WriteFlags{To: tt.to}
		if got := f.rename(tt.name); got != tt.want {
			t.Errorf("-t %s: %s becomes %s, want %s", tt.to, tt.name, got, tt.want)
		}
	}
	f := WriteFlags{To: "stringified-json", Extension: ".json"}
	if got := f.rename("a.stringified.json"); got != "a.json" {
		t.Errorf("got %s", got)
	}
}
