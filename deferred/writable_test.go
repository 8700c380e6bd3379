package deferred_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/deferred"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// TestUnwritableResults resolves calls whose results no document supports. Each
// fails on its own and remains a Deferred.
func TestUnwritableResults(t *testing.T) {
	const (
		call     = `{"__ptype":"Deferred","name":`
		secret   = `{"__ptype":"Sensitive","__pvalue":`
		iterator = call + `"reverse_each","arguments":[["a","b"]]}`
		endless  = call + `"reverse_each","arguments":[{"__ptype":"Pcore::IntegerType","from":1,"to":9000000000000000000}]}`
		array    = `{"__ptype":"Pcore::ArrayType"}`
		infinity = call + `"new","arguments":[{"__ptype":"Pcore::FloatType"},"1e999"]}`
	)
	returns := func(text string) string { return call + `"inline_epp","arguments":["<% return(` + text + `) %>"]}` }
	for _, tt := range []struct {
		doc   string
		want  string // empty for the document itself
		fails int
	}{
		{iterator, "", 1},
		{endless, "", 1},
		{call + `"step","arguments":[["a","b"],2]}`, "", 1},
		{call + `"tree_each","arguments":[[1]]}`, "", 1},
		{call + `"flatten","arguments":[` + iterator + `]}`, "", 1},
		{`[` + iterator + `,` + call + `"upcase","arguments":["x"]}]`, `[` + iterator + `,"X"]`, 1},
		{`{"k":` + iterator + `}`, "", 1},
		{secret + iterator + `}`, "", 1},
		{returns(`Sensitive([1].reverse_each)`), "", 1},
		{returns(`{[1].reverse_each => 1}`), "", 1},
		{returns(`{a => [[1].reverse_each]}`), "", 1},
		{returns(`Deferred('reverse_each', [[1]])`), call + `"reverse_each","arguments":[[1]]}`, 1},
		{infinity, "", 1},
		{`[1,` + infinity + `]`, "", 1},
		// An Iterator is a valid argument.
		{call + `"new","arguments":[` + array + `,` + iterator + `]}`, `["b","a"]`, 0},
		{call + `"type","arguments":[` + iterator + `,"generalized"]}`, `{"__ptype":"Pcore::IteratorType","type":{"__ptype":"Pcore::StringType"}}`, 0},
		{call + `"new","arguments":[` + array + `,` + call + `"step","arguments":[` + iterator + `,2]}]}`, `["b"]`, 0},
		{call + `"inline_epp","arguments":["<%= $x.map |$v| { $v } %>",{"x":` + iterator + `}]}`, `"[b, a]"`, 0},
		{call + `"inline_epp","arguments":["<%= $x %>",{"x":` + iterator + `}]}`, `"Iterator[String]-Value"`, 0},
		// A failed call does not keep an Iterator as an argument.
		{call + `"length","arguments":[` + iterator + `]}`, "", 1},
		{call + `"length","arguments":[` + infinity + `]}`, "", 1},
		{call + `"no::such","arguments":[` + call + `"upcase","arguments":["x"]},` + iterator + `]}`,
			call + `"no::such","arguments":["X",` + iterator + `]}`, 1},
		{call + `"upcase","arguments":[` + call + `"length","arguments":[` + iterator + `]}]}`, "", 1},
	} {
		r := resolver(t)
		got, err := r.Resolve(t.Context(), decode(t, tt.doc))
		failures, _ := errors.AsType[deferred.Failures](err)
		if len(failures) != tt.fails {
			t.Errorf("%s: %v", tt.doc, err)
		}
		want := tt.want
		if want == "" {
			want = tt.doc
		}
		text, err := encodeResult(got)
		if err != nil || text != want {
			t.Errorf("%s\n\tgives %s, %v\n\twant  %s", tt.doc, text, err, want)
		}
	}
}

func encodeResult(v pcore.Value) (string, error) {
	format := formats.RichJSON()
	text, err := format.Append(nil, v, serialization.EncodeOptions{Secrets: serialization.PlainSecrets})
	return string(text), err
}

// TestUnwritableText resolves a call that returns invalid UTF-8.
func TestUnwritableText(t *testing.T) {
	registry := function.NewRegistry()
	if err := registry.Add(function.Function{Name: "bad", Dispatches: []function.Dispatch{{
		Text: "Any args*",
		Call: func(*function.Call, []pcore.Value) (pcore.Value, error) { return pcore.String("a\xff"), nil },
	}}}); err != nil {
		t.Fatal(err)
	}
	r := &deferred.Resolver{Functions: registry}
	_, err := r.Resolve(t.Context(), pcore.NewDeferred("bad", nil))
	if !errors.Is(err, deferred.ErrUnwritable) {
		t.Errorf("%v", err)
	}
}

// TestWritable resolves calls whose results some forms do not support.
func TestWritable(t *testing.T) {
	call := func(text string) pcore.Value {
		return pcore.NewDeferred("inline_epp", pcore.NewArray(pcore.String("<% return("+text+") %>")))
	}
	for _, tt := range []struct {
		form string
		v    pcore.Value
		ok   bool
	}{
		{"rich-json", call("Integer('99999999999999999999')"), true},
		{"rich-msgpack", call("Integer('99999999999999999999')"), false},
		{"rich-msgpack", call("Integer('9999999999999999999')"), true},
		{"rich-json", call("Data"), false},
		{"json", call("TypeSet"), true},
		{"rich-json", call("TypeSet"), false},
		{"json", call("[1].reverse_each"), false},
		{"yaml", call("[1].reverse_each"), false},
		{"tabulated-json", call("[1].reverse_each"), false},
	} {
		r := resolver(t)
		format, err := formats.Default().ByName(tt.form)
		if err != nil {
			t.Fatal(err)
		}
		r.Writable = func(v pcore.Value) error {
			_, err := format.Append(nil, v, serialization.EncodeOptions{Secrets: serialization.PlainSecrets})
			return err
		}
		if _, err := r.Resolve(t.Context(), tt.v); (err == nil) != tt.ok || errors.Is(err, deferred.ErrUnwritable) == tt.ok {
			t.Errorf("%s as %s: %v", tt.v, tt.form, err)
		}
	}
}

// TestUnwritableSecret searches the error for a secret key.
func TestUnwritableSecret(t *testing.T) {
	const canary = "hunter2_canary"
	for _, v := range []pcore.Value{
		pcore.NewDeferred("inline_epp", pcore.NewArray(pcore.String("<% return({$p.unwrap => [1].reverse_each}) %>"),
			pcore.NewHash(pcore.Entry{Key: pcore.String("p"), Value: pcore.NewSensitive(pcore.String(canary))}))),
		pcore.NewDeferred("inline_epp", pcore.NewArray(pcore.String("<% return(Sensitive({"+canary+" => [1].reverse_each})) %>"))),
		pcore.NewSensitive(pcore.NewDeferred("inline_epp", pcore.NewArray(pcore.String("<% return({'"+canary+"' => [1].reverse_each}) %>")))),
	} {
		r := resolver(t)
		r.Writable = func(v pcore.Value) error { return fmt.Errorf("there is an Iterator in %s", pcore.Infer(v)) }
		_, err := r.Resolve(t.Context(), v)
		if !errors.Is(err, deferred.ErrUnwritable) || strings.Contains(err.Error(), canary) {
			t.Errorf("%s: %v", v, err)
		}
	}
}
