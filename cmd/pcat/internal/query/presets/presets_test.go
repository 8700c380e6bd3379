package presets

import (
	"slices"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/query"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/eval"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/function/stdlib"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

func evaluator(t testing.TB) *eval.Evaluator {
	t.Helper()
	functions, err := stdlib.New(pcore.OpenVox8)
	if err != nil {
		t.Fatal(err)
	}
	return eval.New(function.Env{Functions: functions}, nil, eval.Mode{})
}

// selected returns the titles of the resources that a preset selects.
func selected(t testing.TB, p query.Preset, resources ...string) (titles []string) {
	t.Helper()
	s, err := query.NewSearch(evaluator(t), "", "", []query.Preset{p})
	if err != nil {
		t.Fatal(err)
	}
	document := `{"name":"n","resources":[` + strings.Join(resources, ",") + `],"edges":[]}`
	src := query.Source{Open: func() *catalog.Reader {
		return catalog.NewReaderBytes([]byte(document), formats.RichJSON(), serialization.DecodeOptions{})
	}}
	for r, err := range src.Resources(t.Context(), s.Queries()...) {
		if err != nil {
			t.Fatal(err)
		}
		found, err := s.Matches(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range found {
			titles = append(titles, m.Title())
		}
	}
	return titles
}

// TestPresets checks that a preset selects its first sample and none of the other
// samples that are the same resource otherwise, and that it can be asked about any
// resource.
func TestPresets(t *testing.T) {
	presets := samples()
	if !slices.IsSortedFunc(presets, func(a, b sample) int { return strings.Compare(a.Name, b.Name) }) {
		t.Error("the presets are not sorted by name")
	}
	var resources []string
	for _, p := range presets {
		resources = append(resources, p.match, p.other)
	}
	for _, p := range presets {
		if p.Doc == "" || len(p.Doc) > 58 {
			t.Errorf("%s: the doc must be short, and not empty", p.Name)
		}
		if got := selected(t, p.Preset, p.match); len(got) != 1 {
			t.Errorf("%s does not select %s", p.Name, p.match)
		}
		if got := selected(t, p.Preset, p.other); len(got) != 0 {
			t.Errorf("%s selects %s", p.Name, p.other)
		}
		selected(t, p.Preset, resources...)
		selected(t, p.Preset, `{"type":"File","title":"/a"}`, `{"type":"Exec","title":"a","parameters":{"command":["a","b"],"timeout":null,"source":[1],"mode":644}}`,
			`{"type":"User","title":"a","parameters":{"password":{"__ptype":"Sensitive","__pvalue":"x"},"mode":{"__ptype":"Deferred","name":"f"}}}`)
	}
}

func TestModes(t *testing.T) {
	presets := All()
	for _, tt := range []struct {
		preset, mode string
		want         bool
	}{
		{"world-writable", "0666", true}, {"world-writable", "777", true}, {"world-writable", "0664", false}, {"world-writable", "1777", false},
		{"world-writable", "01777", false}, {"world-writable", "2777", true}, {"world-writable", "o+w", true}, {"world-writable", "a=rw", true},
		{"world-writable", "ug=rw,o=rw", true}, {"world-writable", "u=rwx,go=rx", false}, {"world-writable", "u+w", false}, {"world-writable", "a+r,u+w", false},
		{"world-writable", "ugo=rwx", true}, {"world-writable", "o-w", false}, {"world-writable", "o+r-w", false}, {"world-writable", "o-r+w", true},
		{"setuid", "4755", true}, {"setuid", "02755", true}, {"setuid", "0755", false}, {"setuid", "1777", false}, {"setuid", "u+s", true},
		{"setuid", "u=rwxs", true}, {"setuid", "u+rwx", false}, {"setuid", "755", false},
	} {
		found, _ := Find(presets, []string{tt.preset})
		got := selected(t, found[0], `{"type":"File","title":"/a","parameters":{"mode":"`+tt.mode+`"}}`)
		if (len(got) == 1) != tt.want {
			t.Errorf("%s: %s selects %q", tt.mode, tt.preset, got)
		}
	}
}

func TestParse(t *testing.T) {
	text := pcore.String("$type == file")
	hash := func(key string, v pcore.Value) *pcore.Hash {
		return pcore.NewHash(pcore.Entry{Key: pcore.String(key), Value: v})
	}
	for _, tt := range []struct {
		data pcore.Value
		want string // part of the error
	}{
		{hash("files", text), ""},
		{hash("files", hash("expression", text)), ""},
		{text, "must be a map"},
		{pcore.NewHash(), "no presets"},
		{hash("The Files", text), "invalid name"},
		{hash("files", pcore.Integer(1)), "'files': expected an expression"},
		{hash("files", pcore.String("")), "'files': missing expression"},
		{hash("files", hash("doc", text)), "'files': missing expression"},
		{hash("files", hash("expr", text)), "'files': 'expr': unknown key"},
		{hash("files", hash("doc", pcore.Integer(1))), "'files': 'doc' must be a string"},
	} {
		presets, err := Parse(tt.data)
		if err == nil && (tt.want != "" || len(presets) != 1 || presets[0].Expression != string(text)) {
			t.Errorf("%v: got %v", tt.data, presets)
		}
		if err != nil && (tt.want == "" || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%v: got %v, want %s", tt.data, err, tt.want)
		}
	}
}
