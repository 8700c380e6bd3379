package deferred_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/deferred"
	"github.com/pcatdev/pcat/internal/bill"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// TestLoss compares the reports about agents with testdata/agents, where agents have
// applied such calls. The function vault runs commands, and must not be called
// twice.
func TestLoss(t *testing.T) {
	const (
		secret = `{"__ptype":"Sensitive","__pvalue":"hunter2"}`
		vault  = `{"__ptype":"Deferred","name":"vault","arguments":["a"]}`
	)
	call := func(name, arguments string) string {
		return `{"__ptype":"Deferred","name":"` + name + `","arguments":[` + arguments + `]}`
	}
	const keeps = "the agent keeps a Sensitive inside the value, which types of resources do not accept"
	const fails = "the call fails on the agent: 'upcase' parameter 'arg' expects a value of type Numeric, String, Array, or Hash, got Sensitive[String]"
	for _, tt := range []struct {
		name, value, eager, late string
		listed                   bool
	}{
		{name: "no secret", value: call("upcase", `"a"`)},
		{name: "a secret of a program", value: vault, late: bill.LosesMark},
		{name: "in a marked parameter", value: vault, listed: true},
		{name: "in two Sensitives", value: `{"__ptype":"Sensitive","__pvalue":` + vault + `}`, eager: keeps},
		{name: "in a text", value: call("join", `["a",`+vault+`],"="`), eager: bill.LosesText, late: bill.LosesMark},
		{name: "in an array beside a call", value: `[` + secret + `,` + call("upcase", `"a"`) + `]`,
			eager: keeps, late: "agents that resolve late resolve only whole parameters, not calls in arrays and hashes"},
		{name: "in a template", value: call("inline_epp", `"<%= $p.unwrap %>",{"p":`+secret+`}`), eager: bill.LosesMark},
		{name: "of a function that refuses it", value: call("upcase", secret), eager: fails, late: fails},
		{name: "passed to a program", value: call("vault", vault), late: bill.LosesMark},
		{name: "passed to a program, and marked", value: call("vault", `"x",`+secret+`,`+vault)},
	} {
		for _, like := range pcore.References() {
			calls := map[string]int{}
			r := resolver(t)
			registry := r.Functions.(*function.Registry)
			if err := registry.Add(function.Function{
				Name: "vault", Effects: function.RunsCommands, HandlesSensitive: true,
				Dispatches: []function.Dispatch{{Text: "Any args*", Call: func(_ *function.Call, args []pcore.Value) (pcore.Value, error) {
					calls[fmt.Sprint(len(args))+pcore.KindOf(args[0]).String()]++
					return pcore.NewSensitive(pcore.String("hunter2")), nil
				}}},
			}); err != nil {
				t.Fatal(err)
			}
			r.Policy = deferred.Policy{Effects: function.RunsCommands}
			r.Mode = deferred.Like(like)
			r.Agent = &deferred.Agent{Reference: like, Functions: registry}
			var got []string
			r.Unlike = func(_ catalog.Location, reason string) { got = append(got, reason) }
			resource := `{"type":"File","title":"/x","parameters":{"content":` + tt.value + `}}`
			if tt.listed {
				resource = resource[:len(resource)-1] + `,"sensitive_parameters":["content"]}`
			}
			res, err := catalog.NewResource(decode(t, resource).(*pcore.Hash))
			if err != nil {
				t.Fatal(err)
			}
			run := r.Run()
			if _, err := run.Resource(t.Context(), res); err != nil || run.Err() != nil {
				t.Fatal(err, run.Err())
			}
			want := tt.eager
			if r.Mode == deferred.Lazy {
				want = tt.late
			}
			if !slices.Equal(got, slices.DeleteFunc([]string{want}, func(s string) bool { return s == "" })) {
				t.Errorf("%s, %s: got %q, want %q", tt.name, like, got, want)
			}
			for args, n := range calls {
				if n > 1 {
					t.Errorf("%s, %s: vault was called %d times with %s", tt.name, like, n, args)
				}
			}
		}
	}
}
