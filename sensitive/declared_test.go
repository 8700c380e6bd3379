package sensitive

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

func outlined(doc []byte) *catalog.Outline {
	return catalog.NewReaderBytes(doc, formats.RichJSON(), serialization.DecodeOptions{}).Outline(nil)
}

func TestDeclaring(t *testing.T) {
	for _, c := range []struct{ resource, want string }{
		{`{"type":"T","title":"t","parameters":{"a":1}}`, ""},
		{`{"type":"T","title":"t","parameters":{"a":{"__ptype":"Sensitive","__pvalue":"s"},"b":[{"c":{"__ptype":"Sensitive","__pvalue":[1]}}]}}`, `T[t]/a "s", T[t]/b/0/c [1]`},
		{`{ "type" : "T" , "title" : "t" , "parameters" : { "a" : { "__ptype" : "Sensitive" , "__pvalue" : "s" } } }`, `T[t]/a "s"`},
		{`{"tags":[{"__ptype":"Sensitive","__pvalue":"s"}],"title":"t","type":"T"}`, `T[t]/tags/0 "s"`},
		{`{"type":"T","title":"t\u0021","parameters":{"a":{"__ptype":"Sensitive","__pvalue":"s\n"}}}`, `T[t!]/a "s\n"`},
		// Listed parameters, before and behind their list.
		{`{"sensitive_parameters":["a","c"],"type":"T","title":"t","parameters":{"a":"s","b":"x"}}`, `listed T[t]/a "s", names [a c]`},
		{`{"type":"T","title":"t","parameters":{"a":["s",{"__ptype":"Sensitive","__pvalue":1}],"b":{"__ptype":"Sensitive","__pvalue":2}},"sensitive_parameters":["a","b"]}`,
			`listed T[t]/a ["s",{"__ptype":"Sensitive","__pvalue":1}], listed T[t]/b {"__ptype":"Sensitive","__pvalue":2}, names [a b]`},
		{`{"type":"T","title":"t","parameters":{"a":{"__ptype":"Sensitive","__pvalue":1},"b":"s"},"sensitive_parameters":["b"]}`, `T[t]/a 1, listed T[t]/b "s", names [b]`},
		{`{"type":"T","title":"t","sensitive_parameters":["path"]}`, "names [path]"},
		{`{"type":"T","title":"t","parameters":{"sensitive_parameters":1}}`, ""},
		// Values that bytes show, and others.
		{`{"type":"T","title":"t","parameters":{"a":{"__ptype":"Binary","__pvalue":"AA=="}}}`, "binary AA=="},
		{`{"type":"T","title":"t","parameters":{"a":{"__ptype":"URI","__pvalue":"http://x/"},"b":{"__ptype":"URI","__pvalue":"http:\/\/x/"}}}`, `spelled {"__ptype":"URI","__pvalue":"http:\/\/x/"}`},
		{`{"type":"T","title":"t","parameters":{"a":{"__ptype":"Deferred","name":"f","arguments":[{"__ptype":"Sensitive","__pvalue":"s"}]}}}`, `T[t]/a/arguments/0 "s"`},
		{`{"type":"T","title":"t","parameters":{"a":{"__ptype":"My::Thing","b":{"__ptype":"Sensitive","__pvalue":"s"}}}}`, `T[t]/a/b "s"`},
		{`{"type":"T","title":"t","parameters":{"a":{"__ptype":"Hash","__pvalue":["k",1]}}}`, "unclear"},
		{`{"type":"T","title":"t","parameters":{"a":{"__ptype":"Sensitive"}}}`, "unclear"},
		{`{"type":"T","title":"t","parameters":{"a":{"__ptype":"Sensitive","__pvalue":1,"b":2}}}`, "unclear"},
		{`{"type":"T","title":"t","parameters":{"a":{"__pvalue":1,"__ptype":"Sensitive"}}}`, "unclear"},
		{`{"type":"T","title":"t","parameters":{"a":{"\u005f_ptype":"Sensitive","__pvalue":1}}}`, "unclear"},
		{`{"type":"T","title":"t","parameters":{"a":{"__ptype":"Sensitive","__pvalue":{"__ptype":"LocalRef","__pvalue":"$"}}}}`, "unclear"},
		{`{"type":"T","title":"t","parameters":{"a":["\u0041"]},"sensitive_parameters":["a"]}`, "unclear"},
		{`{"type":"T","title":"t","parameters":{"a":1},"sensitive_parameters":"a"}`, "unclear"},
		{`{"type":"T","title":"t","parameters":{"a":1},"sensitive_parameters":["\u0061"]}`, "unclear"},
		{`{"type":"T","title":"t","parameters":[1],"sensitive_parameters":["a"]}`, "unclear"},
		{`{"type":"T","title":"t","parameters":{"__ptype":"Sensitive","__pvalue":{}}}`, "unclear"},
		{`{"type":"T","title":{"__ptype":"Sensitive","__pvalue":"t"},"sensitive_parameters":[]}`, "unclear"},
		{`{"__ptype":"Sensitive","__pvalue":"t"}`, "unclear"},
	} {
		o := outlined([]byte(`{"name":"n","resources":[` + c.resource + `]}`))
		if got := describeParts(o, declaringParts(o)); got != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", c.resource, got, c.want)
		}
	}
}

func describeParts(o *catalog.Outline, all []declaring) string {
	var b []string
	for _, d := range all {
		if d.Unclear {
			b = append(b, "unclear")
		}
		for i := range d.Secrets {
			s := &d.Secrets[i]
			text := fmt.Sprint(s.Location(), " ", string(o.Data[s.Secret.Start:s.Secret.End]))
			if s.Listed {
				text = "listed " + text
			}
			b = append(b, text)
		}
		if len(d.Listed) > 0 {
			b = append(b, fmt.Sprint("names ", d.Listed))
		}
		for _, at := range d.Binaries {
			b = append(b, "binary "+string(o.Data[at.Start:at.End]))
		}
		for _, at := range d.Spelled {
			b = append(b, "spelled "+string(o.Data[at.Start:at.End]))
		}
	}
	return strings.Join(b, ", ")
}

// An error about a secret has the offset in the document, and nothing of the secret.
func TestRevealDeclared(t *testing.T) {
	doc := []byte(`{"resources":[{"type":"T","title":"t","parameters":{"a":{"__ptype":"Sensitive","__pvalue":[{"__ptype":"URI","__pvalue":"http://s%zz"}]},"b":{"__ptype":"Sensitive","__pvalue":["x"]}}}]}`)
	secrets := declaringParts(outlined(doc))[0].Secrets
	var e *catalog.Error
	if _, err := secrets[0].reveal(); !errors.As(err, &e) || e.At.String() != "T[t]" || e.Offset != int64(strings.Index(string(doc), `[{"__ptype":"URI"`)) || strings.Contains(err.Error(), "zz") {
		t.Errorf("got %v", err)
	}
	if v, err := secrets[0].revealPlain(); err != nil || !pcore.Is[*pcore.Array](v) || !secrets[0].mayBeRich() {
		t.Errorf("got %v, %v", v, err)
	}
	if v, err := secrets[1].reveal(); err != nil || fmt.Sprint(v) != "['x']" || secrets[1].mayBeRich() {
		t.Errorf("got %v, %v", v, err)
	}
}
