package daemon

import "testing"

func TestNodeOf(t *testing.T) {
	for _, tt := range []struct{ path, text, want string }{
		{"in/web01.json", `{"name":"web02","resources":[],"edges":[]}`, "web02"},
		{"in/web01.json", `{"resources":[],"edges":[],"name":"late"}`, "late"},
		{"in/web01.example.com.json", `{"resources":[tru`, "web01.example.com"},
		{"in/web01.example.com.json", `{"resources":[],"edges":[]}`, "web01.example.com"},
		{"in/web01.example.com.rich.json.gz", `no catalog`, "web01.example.com"},
		{"in/web01.example.com.stringified.json", `{"resources":[tru`, "web01.example.com"},
		{"in/web01.example.com", `no catalog`, "web01.example.com"},
		{"in/list.json", `[{"name":"a","resources":[],"edges":[]},{"name":"b","resources":[],"edges":[]}]`, "list"},
		{"in/list.json", `[{"name":"a","resources":[],"edges":[]},{"name":"b","resources":[tru`, "list"},
	} {
		if got := nodeOf(tt.path, []byte(tt.text)); got != tt.want {
			t.Errorf("%s with %s: got %q, want %q", tt.path, tt.text, got, tt.want)
		}
	}
}
