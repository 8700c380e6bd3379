package deferred_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/eval"
	"github.com/pcatdev/pcat/pcore/function"
)

// TestNeedsFacts resolves calls without facts, and with facts that lack the
// requested one, which an agent reads as undef.
func TestNeedsFacts(t *testing.T) {
	const (
		call   = `{"__ptype":"Deferred","name":`
		secret = `{"__ptype":"Sensitive","__pvalue":`
	)
	epp := func(text string) string { return call + `"inline_epp","arguments":[` + fmt.Sprintf("%q", text) + `]}` }
	for _, tt := range []struct {
		doc   string
		given string // the result with empty facts
		needs bool
	}{
		{call + `"$facts","arguments":["os"]}`, `null`, true},
		{call + `"$::facts","arguments":["os","name"]}`, `null`, true},
		{call + `"$facts"}`, `{}`, true},
		{call + `"$facts","arguments":[` + secret + `"os"}]}`, secret + `null}`, true},
		{call + `"upcase","arguments":[` + call + `"dig","arguments":[` + call + `"$facts"},"os"]}]}`, "", true},
		{call + `"getvar","arguments":["facts.os"]}`, `null`, true},
		{call + `"getvar","arguments":["facts.os","x"]}`, `"x"`, true},
		{call + `"getvar","arguments":["::facts.os","x"]}`, `"x"`, true},
		{call + `"getvar","arguments":["facts.os",` + secret + `"x"}]}`, secret + `"x"}`, true},
		{call + `"getvar","arguments":["nope.os","x"]}`, `"x"`, false},
		{call + `"fqdn_rand","arguments":[1]}`, `0`, true},
		{call + `"fqdn_rand","arguments":[1,` + secret + `"seed"}]}`, secret + `0}`, true},
		{call + `"defined","arguments":["$facts"]}`, `true`, false},
		{epp("x<%= $facts[os] %>"), `"x"`, true},
		{epp("x<%= $facts.dig(os, name) %>"), `"x"`, true},
		{epp("x<%= getvar('facts.os.name') %>"), `"x"`, true},
		{epp("x<%= [1].map |$i| { $facts[os] } %>"), `"x[]"`, true},
		{epp("x<%= \"${facts['os']}\" %>"), `"x"`, true},
		{epp("<%- | $o = $facts[os] | -%>x<%= $o %>"), `"x"`, true},
		{epp("<% function f() { $facts[os] } %>x<%= f() %>"), "", false}, // no function in a template
		{call + `"inline_epp","arguments":["<%= inline_epp($t) %>",{"t":"x<%= $facts[os] %>"}]}`, `"x"`, true},
		{epp("x<% if false { %><%= $facts[os] %><% } %>"), `"x"`, false},
		{epp("x<%= true ? { true => 1, default => $facts[os] } %>"), `"x1"`, false},
		{call + `"inline_epp","arguments":["<%- | $facts | -%><%= $facts %>",{"facts":1}]}`, "", false}, // reserved
		{call + `"inline_epp","arguments":["<%= $p.unwrap %><%= $facts[os] %>",{"p":` + secret + `"s"}}]}`, "", true},
		// An agent has no other variable.
		{call + `"$trusted","arguments":["certname"]}`, `null`, false},
		{call + `"$os"}`, `null`, false},
		{epp("x<%= $os %><%= $::hostname %><%= $server_facts %>"), `"x"`, false},
	} {
		r := resolver(t)
		r.Language = eval.Lax()
		v := decode(t, tt.doc)
		got, err := r.Resolve(t.Context(), v)
		if errors.Is(err, function.ErrNeedsFacts) != tt.needs {
			t.Errorf("%s without facts: %v", tt.doc, err)
		}
		if tt.needs && string(encode(t, got)) != string(encode(t, v)) {
			t.Errorf("%s without facts becomes %s", tt.doc, got)
		}
		if tt.needs && err != nil && (!strings.HasSuffix(err.Error(), "needs facts") || strings.Count(err.Error(), "needs facts") != 1) {
			t.Errorf("%s without facts: %v", tt.doc, err)
		}
		r.Facts = pcore.NewHash()
		got, err = r.Resolve(t.Context(), v)
		if errors.Is(err, function.ErrNeedsFacts) {
			t.Errorf("%s with facts: %v", tt.doc, err)
		}
		if tt.given != "" && (err != nil || string(encode(t, got)) != tt.given) {
			t.Errorf("%s with facts: %s, %v, want %s", tt.doc, encode(t, got), err, tt.given)
		}
	}
}

// TestUnknownVariableWarns reads variables for which an agent logs a warning.
func TestUnknownVariableWarns(t *testing.T) {
	for _, tt := range []struct{ name, want string }{
		{"$trusted", "Undefined variable 'trusted'"},
		{"$::os", "Undefined variable '::os'"},
		{"$module_name", ""},
		{"$1", ""},
		{"$facts", ""},
	} {
		var said string
		r := resolver(t)
		r.Language, r.Facts = eval.Lax(), pcore.NewHash()
		r.World.Log = func(_ function.Level, text string) { said += text }
		if _, err := r.Resolve(t.Context(), pcore.NewDeferred(tt.name, pcore.NewArray(pcore.String("x")))); err != nil || said != tt.want {
			t.Errorf("%s: %v, the log says %q, want %q", tt.name, err, said, tt.want)
		}
	}
}

// TestFactsAsVariable sets the facts as a variable.
func TestFactsAsVariable(t *testing.T) {
	r := resolver(t)
	r.Variables = map[string]pcore.Value{"facts": decode(t, `{"os":"x"}`)}
	v, err := r.Resolve(t.Context(), decode(t, `{"__ptype":"Deferred","name":"$facts","arguments":["os"]}`))
	if err != nil || v != pcore.Value(pcore.String("x")) {
		t.Errorf("%v, %v", v, err)
	}
}
