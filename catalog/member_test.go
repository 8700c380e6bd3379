package catalog_test

import (
	"strings"
	"testing"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// MayBeRich is true for rich data in each format that supports it, however JSON
// and YAML spell its key, and false for other data, except in forms without
// such a key.
func TestMayBeRich(t *testing.T) {
	const doc = `{"resources":[{"type":"T","title":"t","parameters":{
		"rich":{"__ptype":"Sensitive","__pvalue":1},"deep":[{"a":[{"__ptype":"Deferred","name":"f"}]}],"plain":["é\n",1,{"a":null}]}}],"edges":[]}`
	type input struct{ form, data string }
	inputs := []input{{"rich-json", doc}, {"rich-json", strings.ReplaceAll(doc, "__p", `\u005F_p`)}, {"rich-json", strings.ReplaceAll(doc, "__ptype", `__pt\u0079pe`)}}
	for _, spelled := range []string{`\x5f_ptype`, `\u005f_ptype`, `\U0000005f_ptype`, `__pt\` + "\n   ype"} {
		inputs = append(inputs, input{"yaml", strings.ReplaceAll(doc, `"__ptype":`, `? "`+spelled+`" : `)})
	}
	value, err := format(t, "rich-json").Decode([]byte(doc), serialization.DecodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range formats.Default().Formats() {
		if f.Rich {
			data, err := f.Append(nil, value, serialization.EncodeOptions{Secrets: serialization.PlainSecrets})
			if err != nil {
				t.Fatal(err)
			}
			inputs = append(inputs, input{f.Name, string(data)})
		}
	}
	for _, in := range inputs {
		seen := 0
		for r, err := range catalog.NewReaderBytes([]byte(in.data), format(t, in.form), serialization.DecodeOptions{}).Resources() {
			if err != nil {
				t.Fatalf("%s: %v", in.data, err)
			}
			parameters, err := r.RawParameters()
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range parameters {
				seen++
				tabulated := strings.HasPrefix(in.form, "tabulated")
				if got, want := p.MayBeRich(), p.Key != "plain" || tabulated; got != want {
					t.Errorf("%s: %s of %s: %t", in.form, p.Key, in.data, got)
				}
			}
			if !r.MayBeRich() {
				t.Errorf("%s: the resource of %s is not rich", in.form, in.data)
			}
		}
		if seen != 3 {
			t.Errorf("%s: %d parameters are seen in %s", in.form, seen, in.data)
		}
	}
	if made := catalog.NewMember("k", pcore.Integer(1)); !made.MayBeRich() {
		t.Error("what has no bytes may be anything")
	}
}
