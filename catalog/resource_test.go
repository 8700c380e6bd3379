package catalog_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

const file = `{"type":"File","title":"/x","tags":["file","a"],"file":"/site.pp","line":7,"exported":true,` +
	`"kind":"compilable_type","x":1.50,"parameters":{"mode":"\u0030644","size":1e2,"owner":"root"},"sensitive_parameters":["content","mode"]}`

func only(t testing.TB, text string) *catalog.Resource {
	t.Helper()
	for r, err := range reader(t, `{"resources":[`+text+`]}`).Resources() {
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	t.Fatal("there is no resource")
	return nil
}

// written returns the resource as rich JSON.
func written(t testing.TB, r *catalog.Resource) string {
	t.Helper()
	var out bytes.Buffer
	w := catalog.NewWriter(&out, format(t, "rich-json"), catalog.WriteOptions{Secrets: serialization.PlainSecrets})
	if err := w.Write(catalog.Part{Kind: catalog.PartResource, Resource: r}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestResource(t *testing.T) {
	r := only(t, file)
	got := strings.TrimSpace(fmt.Sprintln(r.Ref(), r.Tags(), r.File(), r.Line(), r.Exported(), r.Kind(),
		r.ParameterNames(), r.SensitiveParameters(), r.Keys()))
	want := "File[/x] [file a] /site.pp 7 true compilable_type [mode size owner] [content mode] " +
		"[type title tags file line exported kind x parameters sensitive_parameters]"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if v, ok, err := r.Parameter("size"); v != pcore.Float(100) || !ok || err != nil {
		t.Error(v, ok, err)
	}
	if v, ok, err := r.Parameter("content"); v != nil || ok || err != nil {
		t.Error(v, ok, err)
	}
	if v, ok := r.Member("x"); v != pcore.Float(1.5) || !ok {
		t.Error(v, ok)
	}
	if string(r.Bytes()) != file || r.Offset() != int64(len(`{"resources":[`)) || r.Wire() != "json" {
		t.Error(string(r.Bytes()), r.Offset(), r.Wire())
	}
}

func TestResourceWithLittle(t *testing.T) {
	for _, text := range []string{`{}`, `{"type":1,"title":null,"tags":"x","line":"y","parameters":{}}`, `{"parameters":[1]}`} {
		r := only(t, text)
		if r.Type() != "" || r.Title() != "" || r.Tags() != nil || r.Line() != 0 || r.Exported() || r.SensitiveParameters() != nil {
			t.Errorf("%s has more than is there", text)
		}
		if got := written(t, r); got != text {
			t.Errorf("%s is written as %s", text, got)
		}
	}
	if _, err := only(t, `{"type":"T","title":"t","parameters":[1]}`).Parameters(); err == nil || !strings.HasPrefix(err.Error(), "T[t]/parameters: ") {
		t.Errorf("got %v", err)
	}
}

func TestChangesKeepTheRest(t *testing.T) {
	r := only(t, file)
	raw, err := r.RawParameters()
	if err != nil {
		t.Fatal(err)
	}
	if v, err := r.Decode(&raw[0]); v != pcore.String("0644") || err != nil {
		t.Error(v, err)
	}
	for _, c := range []struct {
		name     string
		changed  *catalog.Resource
		from, to string
	}{
		{"title", r.WithTitle("/y"), `"/x"`, `"/y"`},
		{"tags", r.WithTags("b"), `["file","a"]`, `["b"]`},
		{"parameter", r.WithParameter("owner", pcore.Undef{}), `"owner":"root"`, `"owner":null`},
		{"new parameter", r.WithParameter("group", pcore.NewSensitive(pcore.Integer(1))), `"owner":"root"`, `"owner":"root","group":{"__ptype":"Sensitive","__pvalue":1}`},
		{"no parameter", r.WithoutParameter("mode"), `"mode":"\u0030644",`, ``},
		{"other parameters", r.WithParameters([]catalog.Member{raw[1], catalog.NewMember("owner", pcore.String("me"))}),
			`"mode":"\u0030644","size":1e2,"owner":"root"`, `"size":1e2,"owner":"me"`},
		{"nothing sensitive", r.WithSensitiveParameters(), `,"sensitive_parameters":["content","mode"]`, ``},
		{"sensitive", r.WithSensitiveParameters("a"), `["content","mode"]`, `["a"]`},
		{"without", r.Without("x"), `"x":1.50,`, ``},
		{"unknown", r.With("y", pcore.Boolean(true)), `"mode"]}`, `"mode"],"y":true}`},
		{"all parameters", r.With("parameters", pcore.NewHash(pcore.Entry{Key: pcore.String("a"), Value: pcore.Float(100)})),
			`{"mode":"\u0030644","size":1e2,"owner":"root"}`, `{"a":100.0}`},
		{"reserved", r.With("parameters", pcore.NewHash(pcore.Entry{Key: pcore.String("__ptype"), Value: pcore.Integer(1)})),
			`{"mode":"\u0030644","size":1e2,"owner":"root"}`, `{"__ptype":"Hash","__pvalue":["__ptype",1]}`},
		{"same", r.WithTitle("/x"), ``, ``},
	} {
		want := strings.Replace(file, c.from, c.to, 1)
		if got := written(t, c.changed); got != want {
			t.Errorf("%s: got  %s\nwant %s", c.name, got, want)
		}
	}
	if written(t, r) != file {
		t.Error("the resource itself has changed")
	}
}

func TestAddedMembersStandInOrder(t *testing.T) {
	r := only(t, `{"type":"T","title":"t","exported":false,"z":1}`).
		WithSensitiveParameters("a").WithParameter("a", pcore.Integer(1)).WithTags("x")
	want := `{"type":"T","title":"t","tags":["x"],"exported":false,"parameters":{"a":1},"sensitive_parameters":["a"],"z":1}`
	if got := written(t, r); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestParametersAsListOfAHash(t *testing.T) {
	const text = `{"type":"T","title":"t","parameters":{"__ptype":"Hash","__pvalue":["__ptype","x","b",2]}}`
	r := only(t, text)
	if diff := cmp.Diff([]string{"__ptype", "b"}, r.ParameterNames()); diff != "" {
		t.Error(diff)
	}
	if got := written(t, r); got != text {
		t.Errorf("got %s", got)
	}
	if got := written(t, r.WithParameter("b", pcore.Integer(3))); got != strings.Replace(text, "2]", "3]", 1) {
		t.Errorf("got %s", got)
	}
}

func TestNewResource(t *testing.T) {
	r, err := catalog.NewResource(pcore.NewHash(
		pcore.Entry{Key: pcore.String("type"), Value: pcore.String("T")},
		pcore.Entry{Key: pcore.String("title"), Value: pcore.String("t")},
		pcore.Entry{Key: pcore.String("parameters"), Value: pcore.NewHash(pcore.Entry{Key: pcore.String("a"), Value: pcore.Integer(1)})},
	))
	if err != nil {
		t.Fatal(err)
	}
	if got := written(t, r.WithParameter("b", pcore.Integer(2))); got != `{"type":"T","title":"t","parameters":{"a":1,"b":2}}` {
		t.Error(got)
	}
	if _, err := catalog.NewResource(pcore.NewHash()); !errors.Is(err, catalog.ErrShape) {
		t.Error(err)
	}
}

func TestSecretsAreRefused(t *testing.T) {
	for _, c := range []struct{ parameters, listed, redacted, at string }{
		{`{"a":1,"b":"s3cret"}`, `["b"]`, `{"a":1,"b":"Sensitive [value redacted]"}`, "T[t]/b"},
		{`{"a":[{"__ptype":"Sensitive","__pvalue":"s3cret"}]}`, `[]`, `{"a":["Sensitive [value redacted]"]}`, "T[t]/a/0"},
	} {
		text := `{"type":"T","title":"t","parameters":` + c.parameters + `,"sensitive_parameters":` + c.listed + `}`
		var out bytes.Buffer
		w := catalog.NewWriter(&out, format(t, "rich-json"), catalog.WriteOptions{})
		err := w.Write(catalog.Part{Kind: catalog.PartResource, Resource: only(t, text)})
		if !errors.Is(err, serialization.ErrSecret) || !strings.HasPrefix(err.Error(), c.at+": ") {
			t.Errorf("got %v", err)
		}
		w = catalog.NewWriter(&out, format(t, "rich-json"), catalog.WriteOptions{Secrets: serialization.RedactSecrets})
		if err := errors.Join(w.Write(catalog.Part{Kind: catalog.PartResource, Resource: only(t, text)}), w.Close()); err != nil {
			t.Fatal(err)
		}
		if want := strings.Replace(text, c.parameters, c.redacted, 1); out.String() != want {
			t.Errorf("got  %s\nwant %s", out.String(), want)
		}
	}
}

func TestTransforms(t *testing.T) {
	doc := `{"catalog":{"name":"n","classes":["a","b"],"resources":[{"type":"A","title":"1","v":1.50},{"type":"B","title":"2"}],` +
		`"edges":[{"source":"A[1]","target":"B[2]"},{"source":"B[2]","target":"A[1]"}],"metadata":{"k":1e3}},"outer":1}`
	want := `{"catalog":{"name":"n","classes":["c"],"resources":[{"type":"A","title":"1","tags":["seen"],"v":1.50}],` +
		`"edges":[{"source":"A[1]","target":"C[3]"}],"metadata":{"k":1e3}}}`
	for _, form := range []string{"rich-json", "rich-msgpack", "yaml"} {
		got := convert(t, convert(t, []byte(doc), "rich-json", form, changer{}), form, "rich-json")
		if form == "rich-json" && string(got) != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		if norm := convert(t, []byte(want), "rich-json", "rich-msgpack"); !bytes.Equal(convert(t, got, "rich-json", "rich-msgpack"), norm) {
			t.Errorf("through %s: %s", form, got)
		}
	}
}

// changer drops resources of type B, edges from them, and members outside.
type changer struct{}

func (changer) Resource(_ context.Context, r *catalog.Resource) (*catalog.Resource, error) {
	if r.Type() == "B" {
		return nil, nil
	}
	return r.WithTags("seen"), nil
}

func (changer) Edge(_ context.Context, e *catalog.Edge) (*catalog.Edge, error) {
	if e.Source().Type == "B" {
		return nil, nil
	}
	return e.With(e.Source(), catalog.Ref{Type: "C", Title: "3"}), nil
}

func (changer) Member(_ context.Context, m *catalog.Member) (*catalog.Member, error) {
	switch m.Key {
	case "outer":
		return nil, nil
	case "classes":
		changed := catalog.NewMember("classes", pcore.NewArray(pcore.String("c")))
		return &changed, nil
	}
	return m, nil
}

func TestCopyEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	stop := catalog.TransformFunc(func(_ context.Context, r *catalog.Resource) (*catalog.Resource, error) {
		cancel()
		return r, nil
	})
	w := catalog.NewWriter(&bytes.Buffer{}, format(t, "rich-json"), catalog.WriteOptions{})
	if err := catalog.Copy(ctx, w, reader(t, one("resources", "edges")), stop); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestEdges(t *testing.T) {
	for _, text := range []string{
		`{"source":"A[x]","target":"B[y]","z":1.50}`,
		`{"source_type":"A","source_title":"x","target_type":"B","target_title":"y","relationship":"contains","z":1.50}`,
		`{"relationship":"contains","source":{"type":"A","title":"x"},"target":{"title":"y","type":"B"},"z":1.50}`,
	} {
		var edge *catalog.Edge
		for p, err := range reader(t, `{"resources":[],"edges":[`+text+`]}`).Parts() {
			if err != nil {
				t.Fatal(err)
			}
			if p.Kind == catalog.PartEdge {
				edge = p.Edge
			}
		}
		if edge.Source() != (catalog.Ref{Type: "A", Title: "x"}) || edge.Target() != (catalog.Ref{Type: "B", Title: "y"}) {
			t.Errorf("%s leads from %s to %s", text, edge.Source(), edge.Target())
		}
		var out bytes.Buffer
		w := catalog.NewWriter(&out, format(t, "rich-json"), catalog.WriteOptions{Secrets: serialization.PlainSecrets})
		changed := edge.With(edge.Source(), catalog.Ref{Type: "C", Title: "q"})
		if err := errors.Join(w.Write(catalog.Part{Kind: catalog.PartEdge, Edge: changed}), w.Close()); err != nil {
			t.Fatal(err)
		}
		want := strings.NewReplacer(`B[y]`, `C[q]`, `"y"`, `"q"`, `"B"`, `"C"`).Replace(text)
		if out.String() != want {
			t.Errorf("got  %s\nwant %s", out.String(), want)
		}
	}
}

func TestNewCatalog(t *testing.T) {
	r, err := catalog.NewResource(pcore.NewHash(
		pcore.Entry{Key: pcore.String("type"), Value: pcore.String("T")},
		pcore.Entry{Key: pcore.String("title"), Value: pcore.String("t")},
	))
	if err != nil {
		t.Fatal(err)
	}
	c := catalog.New(catalog.NewHeader(
		catalog.NewMember("classes", pcore.NewArray()),
		catalog.NewMember("name", pcore.String("n")),
	), []*catalog.Resource{r}, []*catalog.Edge{catalog.NewEdge(r.Ref(), r.Ref())})
	for form, want := range map[string]string{
		"rich-json":    `{"name":"n","resources":[{"type":"T","title":"t"}],"edges":[{"source":"T[t]","target":"T[t]"}],"classes":[]}`,
		"rich-msgpack": "\x84\xa4name\xa1n\xa9resources\x91\x82\xa4type\xa1T\xa5title\xa1t\xa5edges\x91\x82\xa6source\xa4T[t]\xa6target\xa4T[t]\xa7classes\x90",
	} {
		var out bytes.Buffer
		w := catalog.NewWriter(&out, format(t, form), catalog.WriteOptions{})
		if err := errors.Join(w.WriteCatalog(c), w.Close()); err != nil {
			t.Fatal(err)
		}
		if out.String() != want {
			t.Errorf("%s: %q", form, out.String())
		}
	}
}

func TestRef(t *testing.T) {
	for text, want := range map[string]catalog.Ref{
		"File[/x]":        {Type: "File", Title: "/x"},
		"A::B[a [b] c]":   {Type: "A::B", Title: "a [b] c"},
		"Exec[a\nb]":      {Type: "Exec", Title: "a\nb"},
		"File[]":          {},
		"[x]":             {},
		"File":            {},
		"File[x":          {},
		"]File[x]":        {},
		"File[x] or such": {},
		"Exec[[ -f /x ]]": {Type: "Exec", Title: "[ -f /x ]"},
	} {
		got, ok := catalog.ParseRef(text)
		if got != want || ok != !want.IsZero() {
			t.Errorf("%q is %v %v", text, got, ok)
		}
		if ok && got.String() != text {
			t.Errorf("%q prints as %q", text, got)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		ref := catalog.Ref{
			Type:  rapid.StringMatching(`[A-Z][a-z]*(::[A-Z][a-z]*)?`).Draw(t, "type"),
			Title: rapid.StringN(1, -1, -1).Draw(t, "title"),
		}
		if got, ok := catalog.ParseRef(ref.String()); !ok || got != ref {
			t.Fatalf("%q comes back as %v", ref.String(), got)
		}
	})
}

func TestLocation(t *testing.T) {
	at := catalog.Ref{Type: "File", Title: "/x"}.Parameter("options").Join(pcore.Path{
		{Kind: pcore.StepEntry, Key: pcore.String("a")},
		{Kind: pcore.StepSecret},
		{Kind: pcore.StepIndex, Index: 2},
		{Kind: pcore.StepArgument, Index: 1},
		{Kind: pcore.StepAttribute, Key: pcore.String("b")},
		{Kind: pcore.StepEntry, Key: pcore.NewSensitive(pcore.String("s3cret"))},
	})
	if got, want := at.String(), "File[/x]/options/a"; got != want {
		t.Errorf("got %q", got)
	}
	at = catalog.Location{Path: pcore.Path{
		{Kind: pcore.StepArgument, Index: 1},
		{Kind: pcore.StepAttribute, Key: pcore.String("b")},
		{Kind: pcore.StepEntry, Key: pcore.NewSensitive(pcore.String("s3cret"))},
	}}
	if got, want := at.String(), "arguments/1/b/Sensitive [value redacted]"; got != want {
		t.Errorf("got %q", got)
	}
	if got := (catalog.Location{Path: pcore.Path{}.Key("edges").Index(3)}).String(); got != "edges/3" {
		t.Errorf("got %q", got)
	}
}

// A parameter that its resource lists is hidden by every accessor except the
// Reveal methods.
func TestListedParameters(t *testing.T) {
	const text = `{"type":"User","title":"app","parameters":{"password":"s3cret","salt":{"__ptype":"Sensitive","__pvalue":"s3cret"},` +
		`"keys":{"s3cret":["s3cret"]},"shell":"/bin/sh"},"sensitive_parameters":["password","salt","keys","absent"]}`
	parameters := pcore.NewHash(
		pcore.Entry{Key: pcore.String("password"), Value: pcore.NewSensitive(pcore.String("s3cret"))},
		pcore.Entry{Key: pcore.String("salt"), Value: pcore.NewSensitive(pcore.String("s3cret"))},
		pcore.Entry{Key: pcore.String("keys"), Value: pcore.NewSensitive(
			pcore.NewHash(pcore.Entry{Key: pcore.String("s3cret"), Value: pcore.NewArray(pcore.String("s3cret"))}))},
		pcore.Entry{Key: pcore.String("shell"), Value: pcore.String("/bin/sh")},
	)
	read := only(t, text)
	for how, r := range map[string]*catalog.Resource{
		"read": read, "changed": read.WithTags("a"),
	} {
		got, err := r.Parameters()
		if err != nil || !pcore.Identical(got, parameters) || strings.Contains(fmt.Sprintf("%v %+v %#v", got, got, got), "s3cret") {
			t.Errorf("%s: Parameters returns %v, %v", how, got, err)
		}
		member, _ := r.Member("parameters")
		if !pcore.Identical(member, parameters) {
			t.Errorf("%s: Member returns %v", how, member)
		}
		whole, err := r.Value()
		if v, _ := whole.GetString("parameters"); err != nil || !pcore.Identical(v, parameters) {
			t.Errorf("%s: Value returns %v, %v", how, whole, err)
		}
		for k, want := range parameters.All() {
			v, ok, err := r.Parameter(string(k.(pcore.String)))
			if !ok || err != nil || !pcore.Identical(v, want) {
				t.Errorf("%s: Parameter returns %v for %v, %t, %v", how, v, k, ok, err)
			}
		}
		if v, ok, err := r.Parameter("absent"); v != nil || ok || err != nil {
			t.Errorf("%s: a parameter that is not there is %v, %t, %v", how, v, ok, err)
		}
		revealed, err := r.RevealParameters()
		if v, _ := revealed.GetString("password"); err != nil || v != pcore.String("s3cret") {
			t.Errorf("%s: RevealParameters returns %v, %v", how, revealed, err)
		}
		if v, _ := revealed.GetString("salt"); !pcore.Is[*pcore.Sensitive](v) {
			t.Errorf("%s: what was Sensitive before is %v", how, v)
		}
		if v, ok, err := r.RevealParameter("password"); v != pcore.String("s3cret") || !ok || err != nil {
			t.Errorf("%s: RevealParameter returns %v, %t, %v", how, v, ok, err)
		}
		if again := written(t, r); !strings.Contains(again, `"password":"s3cret"`) {
			t.Errorf("%s: the resource is written as %s", how, again)
		}
	}
}

// TestAnyChange compares a changed resource with the same change of its value.
func TestAnyChange(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := only(t, file)
		for range rapid.IntRange(1, 5).Draw(rt, "changes") {
			name := rapid.SampledFrom([]string{"mode", "size", "owner", "new", "other"}).Draw(rt, "name")
			before, err := r.RevealParameters()
			if err != nil {
				rt.Fatal(err)
			}
			b := pcore.NewHashBuilder(before.Len())
			if rapid.Bool().Draw(rt, "remove") {
				for k, v := range before.All() {
					if k != pcore.String(name) {
						b.Set(k, v)
					}
				}
				r = r.WithoutParameter(name)
			} else {
				for k, v := range before.All() {
					b.Set(k, v)
				}
				v := pcore.Integer(rapid.Int64().Draw(rt, "value"))
				b.SetString(name, v)
				r = r.WithParameter(name, v)
			}
			want := b.Hash()
			after, err := only(t, written(t, r)).RevealParameters()
			if err != nil || !pcore.Identical(after, want) || fmt.Sprint(after) != fmt.Sprint(want) {
				rt.Fatalf("got %v, want %v: %v", after, want, err)
			}
		}
	})
}

// The value of a resource is the value of its members, although its bytes are
// decoded as a whole.
func TestValueOfAllMembers(t *testing.T) {
	texts := []string{
		file, `{}`, `{"type":"File","title":"/x"}`,
		`{"type":"File","title":"/x","parameters":{"a":{"__ptype":"Sensitive","__pvalue":["x",1]}},"odd":{"__ptype":"Default"}}`,
		`{"type":"File","title":"/x","parameters":{"__ptype":"Hash","__pvalue":["a",1]}}`,
		`{"type":"File","title":"/x","__ptype":"Timestamp","__pvalue":"2026-01-02"}`,
	}
	for _, name := range names {
		for r, err := range reader(t, string(read(t, name+"/rich.json"))).Resources() {
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, string(r.Bytes()))
		}
	}
	for _, text := range texts {
		r := only(t, text)
		want := pcore.NewHashBuilder(0)
		for _, key := range r.Keys() {
			v, _ := r.Member(key)
			want.SetString(key, v)
		}
		got, err := r.Value()
		if err != nil || !pcore.Identical(got, want.Hash()) {
			t.Errorf("%s has the value %v, %v", text, got, err)
		}
	}
}

func TestValueTellsWhichMember(t *testing.T) {
	for text, at := range map[string]string{
		`{"type":"A","title":"b","parameters":{"p":1,"q":[{"__ptype":"Timestamp","__pvalue":"x"}]}}`: "A[b]/q/0",
		`{"type":"A","title":"b","parameters":[1]}`:                                                  "A[b]/parameters",
		`{"type":"A","title":"b","parameters":{"__ptype":"Hash","__pvalue":[1,2]}}`:                  "A[b]/parameters",
		`{"type":"A","title":"b","tags":{"__ptype":"SemVer","__pvalue":"x"}}`:                        "A[b]/tags",
	} {
		_, err := only(t, text).Value()
		var e *catalog.Error
		if !errors.As(err, &e) || e.At.String() != at {
			t.Errorf("%s: want an error at %s, got %v", text, at, err)
		}
	}
}

// Several goroutines decode resources of one document.
func TestValuesAtOnce(t *testing.T) {
	data := read(t, "webstack/rich.json")
	var group sync.WaitGroup
	for r, err := range catalog.NewReaderBytes(data, format(t, "rich-json"), serialization.DecodeOptions{}).Resources() {
		if err != nil {
			t.Fatal(err)
		}
		group.Go(func() {
			got, err := r.Value()
			want := only(t, string(r.Bytes()))
			if v, _ := got.GetString("title"); err != nil || v != pcore.String(want.Title()) {
				t.Errorf("%s has the title %v, %v", want.Ref(), v, err)
			}
		})
	}
	group.Wait()
}

func TestWithMembers(t *testing.T) {
	r := only(t, `{"type":"T","title":"t","parameters":{"a":1.50},"line":1}`)
	members := slices.Clone(r.RawMembers())
	members[3] = catalog.NewMember("line", pcore.Integer(2))
	changed := r.WithMembers(members)
	if p, ok, err := changed.Parameter("a"); p != pcore.Float(1.5) || !ok || err != nil || changed.Line() != 2 || r.Line() != 1 {
		t.Error(p, ok, err, changed.Line(), r.Line())
	}
	if bare := r.WithMembers(members[:2]); len(bare.ParameterNames()) > 0 || bare.Ref() != r.Ref() {
		t.Error(bare.Keys(), bare.ParameterNames())
	}
}
