package deferred_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/deferred"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// TestSecretsStaySecret resolves values whose secrets the reference loses.
func TestSecretsStaySecret(t *testing.T) {
	const secret = `{"__ptype":"Sensitive","__pvalue":`
	for _, tt := range []struct{ doc, want string }{
		{`{"__ptype":"Deferred","name":"join","arguments":[["a",` + secret + `"b"}],":"]}`, secret + `"a:b"}`},
		{`{"__ptype":"Deferred","name":"sprintf","arguments":["%s-%d",` + secret + `"b"},` + secret + `5}]}`, secret + `"b-5"}`},
		{`{"__ptype":"Deferred","name":"upcase","arguments":[` + secret + `"b"}]}`, secret + `"B"}`},
		{`{"__ptype":"Deferred","name":"upcase","arguments":[{"k":` + secret + `"b"}}]}`, secret + `{"K":"B"}}`},
		{`{"__ptype":"Deferred","name":"keys","arguments":[{"__ptype":"Hash","__pvalue":[` + secret + `"k"},1]}]}`, secret + `["k"]}`},
		{`{"__ptype":"Deferred","name":"unwrap","arguments":[` + secret + `"b"}]}`, secret + `"b"}`},
		{`{"__ptype":"Deferred","name":"empty","arguments":[` + secret + `""}]}`, secret + `true}`},
		{`{"__ptype":"Deferred","name":"call","arguments":["upcase",` + secret + `"b"}]}`, secret + `"B"}`},
		{`{"__ptype":"Deferred","name":"upcase","arguments":[{"__ptype":"Deferred","name":"unwrap","arguments":[` + secret + `"b"}]}]}`, secret + `"B"}`},
		{`{"__ptype":"Deferred","name":"$facts","arguments":[` + secret + `"h"}]}`, secret + `"web01"}`},
		{`[{"__ptype":"Deferred","name":"dig","arguments":[{"a":` + secret + `"b"}},"a"]}]`, `[` + secret + `"b"}]`},
		{`{"__ptype":"Deferred","name":"inline_epp","arguments":["<%- | Sensitive $p | -%>\npw=<%= $p.unwrap %>\n",{"p":` + secret + `"s"}}]}`, secret + `"pw=s\n"}`},
		{`{"__ptype":"Deferred","name":"inline_epp","arguments":["<%= $p %>",{"p":` + secret + `"s"}}]}`, secret + `"s"}`},
		{`{"__ptype":"Deferred","name":"inline_epp","arguments":["<% [$p, 'x'].flatten.each |$x| { %>[<%= $x %>]<% } %>",{"p":` + secret + `"s"}}]}`, secret + `"[s][x]"}`},
		{secret + `{"__ptype":"Deferred","name":"upcase","arguments":["b"]}}`, secret + `"B"}`},
		{secret + `{"__ptype":"Deferred","name":"unwrap","arguments":[` + secret + `"b"}]}}`, secret + `"b"}`},
		{`{"__ptype":"Deferred","name":"upcase","arguments":["b"]}`, `"B"`},
	} {
		r := resolver(t)
		r.Facts = decode(t, `{"h":"web01"}`).(*pcore.Hash)
		got, err := r.Resolve(t.Context(), decode(t, tt.doc))
		if err != nil {
			t.Errorf("%s: %v", tt.doc, err)
			continue
		}
		if text := string(encode(t, got)); text != tt.want {
			t.Errorf("%s\n\tgives %s\n\twant  %s", tt.doc, text, tt.want)
		}
	}
}

// TestNothingLeaks plants a secret in failing calls and searches all output for
// it.
func TestNothingLeaks(t *testing.T) {
	const canary = "hunter2-canary"
	secret := pcore.NewSensitive(pcore.String(canary))
	list := func(values ...pcore.Value) *pcore.Array { return pcore.NewArray(values...) }
	call := func(name string, args ...pcore.Value) *pcore.Deferred { return pcore.NewDeferred(name, list(args...)) }
	for _, v := range []pcore.Value{
		call("sprintf", pcore.String("%d"), secret),
		call("match", pcore.String("a"), pcore.NewSensitive(pcore.String("["+canary))),
		call("get", secret, pcore.String("a..b")),
		call("fail", secret),
		call("regsubst", secret, pcore.String("("), pcore.String("x")),
		call("no::such", secret),
		call("upcase", secret, secret),
		call("type", pcore.Integer(1), secret),
		call("dig", pcore.NewHash(pcore.Entry{Key: pcore.String("a"), Value: secret}), pcore.String("a"), pcore.String("b")),
		call("inline_epp", pcore.NewSensitive(pcore.String("<%= "+canary+" %>"))),
		call("inline_epp", pcore.String("<%= fail($p.unwrap) %>"), pcore.NewHash(pcore.Entry{Key: pcore.String("p"), Value: secret})),
		call("notice", secret),
		call("assert_type", pcore.String("Integer"), secret),
		call("file", secret),
		call("$"+"nope", secret),
		call("strftime", secret),
		pcore.NewSensitive(call("sprintf", pcore.String("%d"), pcore.String(canary))),
		pcore.NewSensitive(call("type", pcore.Integer(1), pcore.String(canary))),
		pcore.NewSensitive(call("upcase", pcore.NewHash(pcore.Entry{Key: pcore.String(canary), Value: pcore.Boolean(true)}))),
		pcore.NewSensitive(call("inline_epp", pcore.String("<%= type(1, '"+canary+"') %>"))),
		pcore.NewSensitive(call("inline_epp", pcore.String("<%= nope('"+canary+"') %>"))),
		pcore.NewSensitive(call("inline_epp", pcore.String("<%= "+canary+" + %>"))),
		call("inline_epp", pcore.String("<%= type(1, $p.unwrap) %>"), pcore.NewHash(pcore.Entry{Key: pcore.String("p"), Value: secret})),
		call("inline_epp", pcore.String("<%= with($p.unwrap) |Integer $x| { 1 } %>"), pcore.NewHash(pcore.Entry{Key: pcore.String("p"), Value: secret})),
		call("inline_epp", pcore.String("<% notice($p.unwrap) %>"), pcore.NewHash(pcore.Entry{Key: pcore.String("p"), Value: secret})),
		call("inline_epp", pcore.String("<%= call($p.unwrap) %>"), pcore.NewHash(pcore.Entry{Key: pcore.String("p"), Value: secret})),
		pcore.NewSensitive(call("notice", pcore.String(canary))),
		call("new", pcore.NewTypeReferenceType("Nope"), secret),
		pcore.NewSensitive(pcore.NewHash(pcore.Entry{Key: pcore.String(canary), Value: call("no::such")})),
		pcore.NewHash(pcore.Entry{Key: secret, Value: call("no::such")}),
	} {
		var said strings.Builder
		r := resolver(t)
		r.Policy = deferred.Policy{}
		r.World.Log = func(level function.Level, text string) { fmt.Fprintln(&said, level, text) }
		r.Trace = func(e deferred.Event) { fmt.Fprintf(&said, "%s %+v %#v\n", e, e, e) }
		got, err := r.Resolve(t.Context(), v)
		fmt.Fprintf(&said, "%v %+v %s\n", got, got, slog.AnyValue(got))
		if err != nil {
			fmt.Fprintf(&said, "%v %+v %#v\n", err, err, err)
		}
		if strings.Contains(said.String(), canary) {
			t.Errorf("%s: the secret is in\n%s", v, said.String())
		}
	}
}

// TestFaithfulDoesNotLeak resolves as an agent of Puppet 8, which unwraps secrets
// before it passes them to the outer call.
func TestFaithfulDoesNotLeak(t *testing.T) {
	const canary = "hunter2-canary"
	var said strings.Builder
	r := resolver(t)
	r.Mode, r.Faithful = deferred.Lazy, true
	r.World.Log = func(level function.Level, text string) { fmt.Fprintln(&said, level, text) }
	r.Trace = func(e deferred.Event) { fmt.Fprintf(&said, "%s %+v\n", e, e) }
	const secret = `{"__ptype":"Deferred","name":"new","arguments":[{"__ptype":"Pcore::SensitiveType"},"` + canary + `"]}`
	for _, doc := range []string{
		`{"__ptype":"Deferred","name":"new","arguments":[{"__ptype":"Pcore::IntegerType"},` + secret + `]}`,
		`{"__ptype":"Deferred","name":"fail","arguments":[` + secret + `]}`,
		`{"__ptype":"Deferred","name":"notice","arguments":[` + secret + `]}`,
		`{"__ptype":"Deferred","name":"fail","arguments":[{"__ptype":"Deferred","name":"upcase","arguments":[` + secret + `]}]}`,
	} {
		_, err := r.Resolve(t.Context(), decode(t, doc))
		fmt.Fprintf(&said, "%v %+v %#v\n", err, err, err)
	}
	if strings.Contains(strings.ToLower(said.String()), canary) {
		t.Errorf("the secret is in\n%s", said.String())
	}
}

func TestFailuresDoNotHideEachOther(t *testing.T) {
	r := resolver(t)
	doc := decode(t, `{
		"a": {"__ptype":"Deferred","name":"vault_lookup::lookup","arguments":["x"]},
		"b": [1, {"__ptype":"Deferred","name":"join","arguments":[[{"__ptype":"Deferred","name":"upcase","arguments":["x"]}, {"__ptype":"Deferred","name":"my::missing"}]]}],
		"c": {"__ptype":"Deferred","name":"abs","arguments":["many"]},
		"d": {"__ptype":"Deferred","name":"upcase","arguments":["d"]}
	}`)
	got, err := r.Resolve(t.Context(), doc)
	const wantErr = "a: unknown function vault_lookup::lookup\n" +
		"b/1/arguments/0/1: unknown function my::missing\n" +
		"c: abs(): Requires float or integer to work with - was given non decimal string"
	if err == nil || err.Error() != wantErr {
		t.Errorf("error:\n%v\nwant:\n%s", err, wantErr)
	}
	const want = `{"a":{"__ptype":"Deferred","name":"vault_lookup::lookup","arguments":["x"]},` +
		`"b":[1,{"__ptype":"Deferred","name":"join","arguments":[["X",{"__ptype":"Deferred","name":"my::missing"}]]}],` +
		`"c":{"__ptype":"Deferred","name":"abs","arguments":["many"]},"d":"D"}`
	if text := string(encode(t, got)); text != want {
		t.Errorf("value:\n%s\nwant:\n%s", text, want)
	}
	failures, ok := errors.AsType[deferred.Failures](err)
	if !ok || len(failures) != 3 || failures[1].Function != "my::missing" {
		t.Fatalf("failures: %v", failures)
	}
	if unknown, ok := errors.AsType[*function.UnknownError](err); !ok || unknown.Name != "vault_lookup::lookup" {
		t.Errorf("the unknown function cannot be matched: %v", unknown)
	}
}

func TestPolicy(t *testing.T) {
	effects := func(name string, e function.Effects) function.Function {
		return function.Function{Name: name, Effects: e, Dispatches: []function.Dispatch{{
			Text: "Any args*",
			Call: func(*function.Call, []pcore.Value) (pcore.Value, error) { return pcore.String(name), nil },
		}}}
	}
	registry := standard(t)
	err := registry.Add(
		effects("pure", 0), effects("reader", function.ReadsFiles), effects("runner", function.RunsCommands),
		effects("net", function.UsesNetwork), effects("both", function.ReadsFiles|function.UsesNetwork), effects("lucky", function.Random),
	)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		allowed function.Effects
		name    string
		refused function.Effects
	}{
		{0, "pure", 0},
		{0, "reader", function.ReadsFiles},
		{0, "runner", function.RunsCommands},
		{0, "net", function.UsesNetwork},
		{0, "lucky", function.Random},
		{function.ReadsFiles, "reader", 0},
		{function.ReadsFiles, "both", function.UsesNetwork},
		{function.ReadsFiles | function.UsesNetwork, "both", 0},
		{function.Random, "lucky", 0},
	} {
		r := &deferred.Resolver{Functions: registry, Policy: deferred.Policy{Effects: tt.allowed}}
		for _, d := range []*pcore.Deferred{
			pcore.NewDeferred(tt.name, nil),
			pcore.NewDeferred("call", pcore.NewArray(pcore.String(tt.name))),
			pcore.NewDeferred("inline_epp", pcore.NewArray(pcore.String("<%= "+tt.name+"() %>"))),
		} {
			_, err := r.Resolve(t.Context(), d)
			refused, ok := errors.AsType[*function.RefusedError](err)
			switch {
			case tt.refused == 0 && err != nil:
				t.Errorf("%s is refused with %s allowed: %v", d, tt.allowed, err)
			case tt.refused != 0 && (!ok || refused.Effects != tt.refused || refused.Function != tt.name || !errors.Is(err, fs.ErrPermission)):
				t.Errorf("%s with %s allowed: %v", d, tt.allowed, err)
			}
		}
	}
	r := resolver(t)
	r.World.Files = function.Tree{Folders: []string{t.TempDir()}}
	if _, err := r.Resolve(t.Context(), pcore.NewDeferred("file", pcore.NewArray(pcore.String("/etc/hostname")))); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("reading elsewhere: %v", err)
	}
}

// A refusal names the file, unless its name may be a secret.
func TestRefusedPath(t *testing.T) {
	r := resolver(t)
	r.Policy = deferred.Policy{}
	text := func(s string) pcore.Value { return pcore.String(s) }
	secret := pcore.NewSensitive(pcore.String("/etc/hostname"))
	parameters := pcore.NewHash(pcore.Entry{Key: pcore.String("x"), Value: secret})
	for _, tt := range []struct {
		call *pcore.Deferred
		path string
	}{
		{pcore.NewDeferred("file", pcore.NewArray(text("mod/file"), text("/etc/../etc/hostname"))), "/etc/hostname"},
		{pcore.NewDeferred("file", pcore.NewArray(text("mod/file"))), ""},
		{pcore.NewDeferred("inline_epp", pcore.NewArray(text("<%= file('/etc/hostname') %>"))), "/etc/hostname"},
		{pcore.NewDeferred("file", pcore.NewArray(secret)), ""},
		{pcore.NewDeferred("inline_epp", pcore.NewArray(text("<%= file($x) %>"), parameters)), ""},
		{pcore.NewDeferred("inline_epp", pcore.NewArray(text("<%= file($x.unwrap) %>"), parameters)), ""},
	} {
		for _, ctx := range []context.Context{t.Context(), function.InClear(t.Context())} {
			_, err := r.Resolve(ctx, tt.call)
			refused, ok := errors.AsType[*function.RefusedError](err)
			want := tt.path
			if ctx != t.Context() {
				want = ""
			}
			if !ok || refused.Path != want {
				t.Errorf("%s: got %v, want the path %q", tt.call, err, want)
			}
		}
	}
}

func TestLimits(t *testing.T) {
	registry := function.NewRegistry()
	add := func(name string, call function.Implementation) {
		if err := registry.Add(function.Function{Name: name, Dispatches: []function.Dispatch{{Text: "Any args*", Call: call}}}); err != nil {
			t.Fatal(err)
		}
	}
	again := pcore.NewDeferred("again", nil)
	rounds := 0
	if err := registry.Add(function.Function{Name: "again", Effects: function.ReadsClock, Dispatches: []function.Dispatch{{
		Text: "Any args*",
		Call: func(*function.Call, []pcore.Value) (pcore.Value, error) { rounds++; return pcore.NewArray(again), nil },
	}}}); err != nil {
		t.Fatal(err)
	}
	add("twice", func(*function.Call, []pcore.Value) (pcore.Value, error) {
		return pcore.NewDeferred("thrice", pcore.NewArray(pcore.Integer(5))), nil
	})
	add("thrice", func(_ *function.Call, args []pcore.Value) (pcore.Value, error) {
		return args[0].(pcore.Integer) * 3, nil
	})
	add("wait", func(c *function.Call, _ []pcore.Value) (pcore.Value, error) {
		<-c.Context().Done()
		return nil, context.Cause(c.Context())
	})

	r := &deferred.Resolver{Functions: registry}
	if v, err := r.Resolve(t.Context(), pcore.NewDeferred("twice", nil)); err != nil || v != pcore.Value(pcore.Integer(15)) {
		t.Errorf("a Deferred that returns one: %v, %v", v, err)
	}
	r.Faithful = true
	if v, err := r.Resolve(t.Context(), pcore.NewDeferred("twice", nil)); err != nil || !pcore.Is[*pcore.Deferred](v) {
		t.Errorf("the same as the reference does it: %v, %v", v, err)
	}
	r.Faithful = false
	const most = 10
	if _, err := r.Resolve(t.Context(), again); !errors.Is(err, deferred.ErrRounds) || rounds != most+1 {
		t.Errorf("a Deferred that returns itself: %v after %d calls", err, rounds)
	}
	r.Timeout = time.Millisecond
	if _, err := r.Resolve(t.Context(), pcore.NewDeferred("wait", nil)); !errors.Is(err, deferred.ErrTimeout) {
		t.Errorf("a slow call: %v", err)
	}
	r.Timeout = 0
	r.MaxCalls = 2
	three := pcore.NewArray(pcore.NewDeferred("thrice", pcore.NewArray(pcore.Integer(1))), pcore.NewDeferred("thrice", pcore.NewArray(pcore.Integer(2))), pcore.NewDeferred("thrice", pcore.NewArray(pcore.Integer(3))))
	v, err := r.Resolve(t.Context(), three)
	if !errors.Is(err, deferred.ErrTooManyCalls) || v.(*pcore.Array).At(1) != pcore.Value(pcore.Integer(6)) || !pcore.Is[*pcore.Deferred](v.(*pcore.Array).At(2)) {
		t.Errorf("too many calls: %v, %v", v, err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("nobody waits")
	cancel(gone)
	if _, err := r.Resolve(ctx, three); !errors.Is(err, gone) {
		t.Errorf("an ended context: %v", err)
	}
	if v, err := r.Resolve(ctx, pcore.String("x")); err != nil || v != pcore.Value(pcore.String("x")) {
		t.Errorf("nothing to call in an ended context: %v, %v", v, err)
	}
}

func TestKeysAndObjects(t *testing.T) {
	doc := decode(t, `[{"__ptype":"Hash","__pvalue":[{"__ptype":"Deferred","name":"upcase","arguments":["k"]},1]},{"__ptype":"My::Thing","a":{"__ptype":"Deferred","name":"upcase","arguments":["v"]}}]`)
	r := resolver(t)
	if got, err := r.Resolve(t.Context(), doc); err != nil || got != doc {
		t.Errorf("keys and objects are left alone: %s, %v", got, err)
	}
	r.InKeys, r.InObjects = true, true
	got, err := r.Resolve(t.Context(), doc)
	const want = `[{"K":1},{"__ptype":"My::Thing","a":"V"}]`
	if err != nil || string(encode(t, got)) != want {
		t.Errorf("%s, %v, want %s", encode(t, got), err, want)
	}
}

func TestTable(t *testing.T) {
	answers, err := deferred.ParseAnswers(decode(t, `[
		{"function":"vault_lookup::lookup","arguments":["secret/db","https://vault"],"value":{"__ptype":"Sensitive","__pvalue":"db-password"}},
		{"function":"Vault_lookup::lookup","arguments":["secret/web"],"value":"web-password"},
		{"function":"my::any","value":null},
		{"function":"upcase","arguments":["special"],"value":"SPECIAL!"}
	]`))
	if err != nil {
		t.Fatal(err)
	}
	r := resolver(t)
	r.Functions = deferred.NewTable(answers, r.Functions)
	for _, tt := range []struct{ doc, want string }{
		{`{"__ptype":"Deferred","name":"vault_lookup::lookup","arguments":["secret/db","https://vault"]}`, `{"__ptype":"Sensitive","__pvalue":"db-password"}`},
		{`{"__ptype":"Deferred","name":"vault_lookup::lookup","arguments":[{"__ptype":"Sensitive","__pvalue":"secret/web"}]}`, `{"__ptype":"Sensitive","__pvalue":"web-password"}`},
		{`{"__ptype":"Deferred","name":"my::any","arguments":[1,2]}`, `null`},
		{`{"__ptype":"Deferred","name":"upcase","arguments":["special"]}`, `"SPECIAL!"`},
		{`{"__ptype":"Deferred","name":"upcase","arguments":["plain"]}`, `"PLAIN"`},
		{`{"__ptype":"Deferred","name":"upcase","arguments":[{"__ptype":"Sensitive","__pvalue":"plain"}]}`, `{"__ptype":"Sensitive","__pvalue":"PLAIN"}`},
		{`{"__ptype":"Deferred","name":"downcase","arguments":["X"]}`, `"x"`},
	} {
		got, err := r.Resolve(t.Context(), decode(t, tt.doc))
		if err != nil || string(encode(t, got)) != tt.want {
			t.Errorf("%s gives %s, %v, want %s", tt.doc, encode(t, got), err, tt.want)
		}
	}
	if _, err := r.Resolve(t.Context(), decode(t, `{"__ptype":"Deferred","name":"vault_lookup::lookup","arguments":["other"]}`)); !errors.Is(err, deferred.ErrNoAnswer) {
		t.Errorf("an unknown secret: %v", err)
	}
	for _, bad := range []string{
		`{}`, `[1]`, `[{"function":1,"value":1}]`, `[{"function":"f"}]`, `[{"value":1}]`,
		`[{"function":"f","value":1,"arguments":"x"}]`, `[{"function":"f","value":1,"result":1}]`,
	} {
		if a, err := deferred.ParseAnswers(decode(t, bad)); err == nil {
			t.Errorf("%s is read as %v", bad, a)
		}
	}
}

func TestResource(t *testing.T) {
	const secret = `{"__ptype":"Sensitive","__pvalue":`
	for _, tt := range []struct {
		name      string
		mode      deferred.Mode
		faithful  bool
		resource  string
		want      string
		unchanged bool
	}{
		{name: "nothing to do", resource: `{"type":"File","title":"/x","parameters":{"mode":"0600"}}`, unchanged: true},
		{name: "a call",
			resource: `{"type":"File","title":"/x","parameters":{"mode":"0600","content":{"__ptype":"Deferred","name":"upcase","arguments":["x"]}}}`,
			want:     `{"type":"File","title":"/x","parameters":{"mode":"0600","content":"X"}}`},
		{name: "a secret result is marked",
			resource: `{"type":"File","title":"/x","parameters":{"content":{"__ptype":"Deferred","name":"join","arguments":[["a",` + secret + `"b"}],":"]}}}`,
			want:     `{"type":"File","title":"/x","parameters":{"content":"a:b"},"sensitive_parameters":["content"]}`},
		{name: "after those that are marked",
			resource: `{"type":"User","title":"x","parameters":{"password":"p","comment":` + secret + `"c"}},"sensitive_parameters":["password"]}`,
			want:     `{"type":"User","title":"x","parameters":{"password":"p","comment":"c"},"sensitive_parameters":["password","comment"]}`},
		{name: "marked already",
			resource: `{"type":"User","title":"x","parameters":{"password":{"__ptype":"Deferred","name":"upcase","arguments":["p"]}},"sensitive_parameters":["password"]}`,
			want:     `{"type":"User","title":"x","parameters":{"password":"P"},"sensitive_parameters":["password"]}`},
		{name: "a secret inside",
			resource: `{"type":"Exec","title":"x","parameters":{"environment":[{"__ptype":"Deferred","name":"sprintf","arguments":["P=%s",` + secret + `"b"}]}]}}`,
			want:     `{"type":"Exec","title":"x","parameters":{"environment":["P=b"]},"sensitive_parameters":["environment"]}`},
		{name: "a secret beside a call",
			resource: `{"type":"Exec","title":"x","parameters":{"environment":[` + secret + `"P=b"},{"__ptype":"Deferred","name":"upcase","arguments":["a"]}]}}`,
			want:     `{"type":"Exec","title":"x","parameters":{"environment":["P=b","A"]},"sensitive_parameters":["environment"]}`},
		{name: "a secret without calls", unchanged: true,
			resource: `{"type":"Exec","title":"x","parameters":{"environment":[` + secret + `"P=b"}]}}`},
		{name: "as the reference", faithful: true,
			resource: `{"type":"File","title":"/x","parameters":{"content":{"__ptype":"Deferred","name":"join","arguments":[["a",` + secret + `"b"}],":"]}}}`,
			want:     `{"type":"File","title":"/x","parameters":{"content":"a:Sensitive [value redacted]"}}`},
		{name: "as Puppet 8", faithful: true, mode: deferred.Lazy,
			resource: `{"type":"File","title":"/x","parameters":{"content":{"__ptype":"Deferred","name":"join","arguments":[["a",` + secret + `"b"}],":"]}}}`,
			want:     `{"type":"File","title":"/x","parameters":{"content":"a:Sensitive [value redacted]"},"sensitive_parameters":["content"]}`},
		{name: "Puppet 8 takes the secret out", faithful: true, mode: deferred.Lazy,
			resource: `{"type":"File","title":"/x","parameters":{"a":{"__ptype":"Deferred","name":"dig","arguments":[{"k":` + secret + `"b"}},"k"]},"b":[{"__ptype":"Deferred","name":"dig","arguments":[{"k":` + secret + `"b"}},"k"]}]}}`,
			want:     `{"type":"File","title":"/x","parameters":{"a":"b","b":["b"]},"sensitive_parameters":["a"]}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			before, err := catalog.NewResource(decode(t, tt.resource).(*pcore.Hash))
			if err != nil {
				t.Fatal(err)
			}
			r := resolver(t)
			r.Mode, r.Faithful = tt.mode, tt.faithful
			run := r.Run()
			after, err := run.Resource(t.Context(), before)
			if err != nil || run.Err() != nil {
				t.Fatal(err, run.Err())
			}
			if tt.unchanged {
				if after != before {
					t.Error("it was changed")
				}
				return
			}
			v, err := after.RevealValue()
			if err != nil {
				t.Fatal(err)
			}
			if got := string(encode(t, v)); got != tt.want {
				t.Errorf("%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func TestResourceFailure(t *testing.T) {
	res, err := catalog.NewResource(decode(t, `{"type":"File","title":"/x","parameters":{"content":{"__ptype":"Deferred","name":"vault_lookup::lookup"},"mode":{"__ptype":"Deferred","name":"join","arguments":[["06","00"]]}}}`).(*pcore.Hash))
	if err != nil {
		t.Fatal(err)
	}
	run := resolver(t).Run()
	after, err := run.Resource(t.Context(), res)
	if err != nil {
		t.Fatal(err)
	}
	if mode, _, _ := after.Parameter("mode"); mode != pcore.Value(pcore.String("0600")) {
		t.Errorf("mode is %v", mode)
	}
	if got := run.Err(); got == nil || got.Error() != "File[/x]/content: unknown function vault_lookup::lookup" {
		t.Errorf("error %v", got)
	}
	if run.Calls() != 2 {
		t.Errorf("%d calls", run.Calls())
	}
}

func TestTrace(t *testing.T) {
	var events []string
	r := resolver(t)
	r.Trace = func(e deferred.Event) {
		e.Duration = 0
		events = append(events, e.String())
	}
	doc := decode(t, `{"a":{"__ptype":"Deferred","name":"join","arguments":[["x",{"__ptype":"Deferred","name":"upcase","arguments":["y"]}],{"__ptype":"Sensitive","__pvalue":"-"}]},"b":{"__ptype":"Deferred","name":"nope"}}`)
	if _, err := r.Resolve(t.Context(), doc); err == nil {
		t.Error("no error")
	}
	want := []string{
		"a/arguments/0/1: upcase(String) -> String in 0s",
		"a: join(Array[String], Sensitive) -> Sensitive in 0s",
		"b: nope() -> error: Unknown function 'nope' in 0s",
	}
	if fmt.Sprint(events) != fmt.Sprint(want) {
		t.Errorf("trace:\n%s\nwant:\n%s", strings.Join(events, "\n"), strings.Join(want, "\n"))
	}
}
