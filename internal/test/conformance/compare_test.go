package conformance

import (
	"strings"
	"testing"
)

func TestSameJSON(t *testing.T) {
	for _, tt := range []struct {
		name, want, got string
		diff            string // part of the error; empty if they are the same
	}{
		{"space", `{"a":[1,2]}`, "{ \"a\" : [1, 2]\n}", ""},
		{"escapes", `"\u00e9\/"`, `"é/"`, ""},
		{"floats", `[1e+308,0.5]`, `[1.0E308,5e-1]`, ""},
		{"huge integer", `18446744073709551616`, `18446744073709551616`, ""},
		{"near huge integers", `18446744073709551616`, `18446744073709551617`, "at $: want 18446744073709551616"},
		{"integer and float", `{"a":{"b":[0,1]}}`, `{"a":{"b":[0,1.0]}}`, "at $['a']['b'][1]: want 1, got 1.0"},
		{"negative zero", `0.0`, `-0.0`, "want 0.0, got -0.0"},
		{"order of members", `{"a":1,"b":2}`, `{"b":2,"a":1}`, `at $: want "a", got "b"`},
		{"member missing", `{"a":1,"b":2}`, `{"a":1}`, `at $: want "b", got }`},
		{"element more", `[[1],2]`, `[[1,3],2]`, "at $[0][1]: want ], got 3"},
		{"element after nested", `[{"a":[]},2]`, `[{"a":[]},3]`, "at $[1]: want 2, got 3"},
		{"kinds", `null`, `"null"`, `want null, got "null"`},
		{"more after the end", `1`, `1 2`, "want null, got 2"},
		{"cut short", `[1,2]`, `[1,`, "no whole JSON"},
		{"nothing", `1`, ``, "no whole JSON"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := SameJSON([]byte(tt.want), []byte(tt.got))
			switch {
			case err == nil && tt.diff != "":
				t.Errorf("no difference seen, want %q", tt.diff)
			case err != nil && tt.diff == "":
				t.Errorf("they are the same, but: %v", err)
			case err != nil && !strings.Contains(err.Error(), tt.diff):
				t.Errorf("the error %q does not say %q", err, tt.diff)
			}
		})
	}
}
