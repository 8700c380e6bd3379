package bill_test

import (
	"testing"

	"github.com/pcatdev/pcat/internal/bill"
	"github.com/pcatdev/pcat/pcore"
)

// TestLosses compares with the agents of all references, as recorded in
// testdata/agents.
func TestLosses(t *testing.T) {
	const (
		secret = `{"__ptype":"Sensitive","__pvalue":"x"}`
		makes  = `{"__ptype":"Deferred","name":"new","arguments":[{"__ptype":"Pcore::SensitiveType"},"x"]}`
		vault  = `{"__ptype":"Deferred","name":"vault_lookup::lookup","arguments":["db"]}`
		eager  = "eager"
		late   = "late"
	)
	call := func(name, arguments string) string {
		return `{"__ptype":"Deferred","name":"` + name + `","arguments":[` + arguments + `]}`
	}
	for _, tt := range []struct {
		name, value string
		loses       map[string]string // by agent
	}{
		{"a text with a secret", call("join", `["a",`+secret+`],"="`), map[string]string{eager: bill.LosesText, late: bill.LosesText}},
		{"an inner call with a secret", call("join", `["a",`+makes+`],"="`), map[string]string{eager: bill.LosesText}},
		{"a secret of the vault", vault, map[string]string{late: bill.LosesMark}},
		{"a text with it", call("join", `["a",`+vault+`],"="`), map[string]string{eager: bill.LosesText, late: bill.LosesMark}},
		{"inside a Sensitive", `{"__ptype":"Sensitive","__pvalue":` + vault + `}`, nil},
		{"an unwrapped secret", call("unwrap", vault), map[string]string{eager: bill.LosesMark, late: bill.LosesMark}},
		{"a secret that stays one", makes, nil},
		{"no secret", call("join", `["a"],"="`), nil},
	} {
		for _, reference := range pcore.References() {
			agent := eager
			if reference == pcore.Puppet8 || reference == pcore.OpenVox8 {
				agent = late
			}
			e := read(t, inParameter("File", "compilable_type", "content", tt.value), bill.Options{Reference: reference, Functions: functions(t)})[0]
			if want := tt.loses[agent]; e.Late.Reason != want || e.Late.Loses != (want != "") {
				t.Errorf("%s, %s: got %+v", tt.name, reference, e.Late)
			}
		}
	}
	e := read(t, inParameter("File", "compilable_type", "content", call("upcase", secret)), bill.Options{Functions: functions(t)})[0]
	if !e.Late.Always {
		t.Errorf("a function that accepts no Sensitive: got %+v", e.Late)
	}
}
