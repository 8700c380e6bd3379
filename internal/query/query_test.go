package query_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
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

func reader(t testing.TB, data []byte) *catalog.Reader {
	t.Helper()
	format := formats.RichJSON()
	return catalog.NewReaderBytes(data, format, serialization.DecodeOptions{})
}

// ask returns the selected resources and the messages as text.
func ask(t testing.TB, data []byte, text string) (lines []string) {
	t.Helper()
	q, err := query.New(evaluator(t), "-e", text)
	if err != nil {
		t.Fatal(err)
	}
	for r, err := range reader(t, data).Resources() {
		if err != nil {
			t.Fatal(err)
		}
		v, err := q.Resource(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		switch picked, told := query.Selects(v); {
		case picked:
			lines = append(lines, r.Ref().String())
		case told:
			lines = append(lines, v.String())
		}
	}
	return lines
}

const document = `{"name":"n","resources":[
 {"type":"File","title":"/a","tags":["file","base"],"file":"/m/init.pp","line":7,"exported":true,
  "parameters":{"mode":"0666","content":"x"},"sensitive_parameters":["content"]},
 {"type":"Notify","title":"b","parameters":{"list":[{"__ptype":"Sensitive","__pvalue":"y"}]}}],"edges":[]}`

func TestVariables(t *testing.T) {
	for _, tt := range []struct {
		text string
		want []string
	}{
		{"true", []string{"File[/a]", "Notify[b]"}},
		{"false", nil},
		{"undef", nil},
		{"$type == 'File' and $parameters['mode'] =~ /[2367]$/", []string{"File[/a]"}},
		{"$title", []string{"'/a'", "'b'"}},
		{"'base' in $tags", []string{"File[/a]"}},
		{"[$file, $line]", []string{"['/m/init.pp', 7]", "[undef, undef]"}},
		{"$exported", []string{"File[/a]"}},
		{"$sensitive", []string{"['content']", "[]"}},
		{"$parameters['content']", []string{"Sensitive [value redacted]"}},
		{"$parameters['content'] =~ Sensitive[String]", []string{"File[/a]"}},
		{"$parameters['list']", []string{"[Sensitive [value redacted]]"}},
		{"$parameters['mode'].then |$m| { $m.length }", []string{"4"}},
	} {
		if got := ask(t, []byte(document), tt.text); !slices.Equal(got, tt.want) {
			t.Errorf("%s\n got %q\nwant %q", tt.text, got, tt.want)
		}
	}
}

func TestErrors(t *testing.T) {
	if _, err := query.New(evaluator(t), "-e", "1 +"); !errors.Is(err, eval.ErrSyntax) {
		t.Errorf("got %v", err)
	}
	q, err := query.New(evaluator(t), "-e", "$titel")
	if err != nil {
		t.Fatal(err)
	}
	for r, err := range reader(t, []byte(document)).Resources() {
		if err != nil {
			t.Fatal(err)
		}
		if _, err := q.Resource(t.Context(), r); !errors.Is(err, eval.ErrUnknownVariable) {
			t.Errorf("%v: got %v", r.Ref(), err)
		}
	}
}

func TestRealCatalog(t *testing.T) {
	data, err := os.ReadFile("../../testdata/catalogs/webstack/rich.json")
	if err != nil {
		t.Fatal(err)
	}
	all := ask(t, data, "true")
	secret := ask(t, data, "!$sensitive.empty")
	plain := ask(t, data, "$sensitive.empty")
	if len(secret) == 0 || len(secret)+len(plain) != len(all) {
		t.Errorf("%d with secrets, %d without, of %d", len(secret), len(plain), len(all))
	}
}

func ExampleQuery() {
	functions, err := stdlib.New(pcore.OpenVox8)
	if err != nil {
		panic(err)
	}
	q, err := query.New(eval.New(function.Env{Functions: functions}, nil, eval.Mode{}), "", "$type == 'File' and $exported")
	if err != nil {
		panic(err)
	}
	r, err := catalog.NewResource(pcore.NewHash(
		pcore.Entry{Key: pcore.String("type"), Value: pcore.String("File")},
		pcore.Entry{Key: pcore.String("title"), Value: pcore.String("/etc/motd")},
		pcore.Entry{Key: pcore.String("exported"), Value: pcore.Boolean(true)},
	))
	if err != nil {
		panic(err)
	}
	fmt.Println(q.Resource(context.Background(), r))
	// Output: true <nil>
}
