package puppet_test

import (
	"math"
	"reflect"
	"testing"

	"github.com/pcatdev/pcat/internal/puppet"
)

func TestCopyOf(t *testing.T) {
	for _, tt := range []struct {
		typ        string
		parameters []string
		want       puppet.Copy // without Sources: the resource copies nothing
	}{
		{"file", []string{`"content":"x"`}, puppet.Copy{}},
		{"file", []string{`"source":{"__ptype":"Deferred","name":"f"}`}, puppet.Copy{}},
		{"file", []string{`"source":[]`}, puppet.Copy{}},
		{"exec", []string{`"source":"/a"`}, puppet.Copy{}},
		{"file", []string{`"source":"/a"`}, puppet.Copy{Sources: []string{"/a"}, Depth: math.MaxInt}},
		{"file", []string{`"source":["/a","/b"]`, `"links":"follow"`}, puppet.Copy{Sources: []string{"/a", "/b"}, Depth: math.MaxInt, Follows: true}},
		{
			"file", []string{`"source":"/a"`, `"recurse":"remote"`, `"recurselimit":2`, `"ignore":".git"`, `"sourceselect":"all"`},
			puppet.Copy{Sources: []string{"/a"}, Recurses: true, Depth: 2, Ignore: []string{".git"}, All: true},
		},
		{"file", []string{`"source":"/a"`, `"recurse":true`}, puppet.Copy{Sources: []string{"/a"}, Recurses: true, Depth: math.MaxInt}},
		{"file", []string{`"source":"/a"`, `"recurse":false`}, puppet.Copy{Sources: []string{"/a"}, Depth: math.MaxInt}},
		{"concat_fragment", []string{`"source":"/a"`}, puppet.Copy{Sources: []string{"/a"}, Depth: math.MaxInt, Follows: true}},
	} {
		got, ok := puppet.CopyOf(resource(t, tt.typ, tt.parameters...))
		if !reflect.DeepEqual(got, tt.want) || ok != (tt.want.Sources != nil) {
			t.Errorf("%s %v: got %+v, %v", tt.typ, tt.parameters, got, ok)
		}
	}
}
