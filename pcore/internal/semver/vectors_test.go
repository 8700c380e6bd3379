package semver_test

import (
	"encoding/json"
	"regexp"
	"testing"

	"github.com/pcatdev/pcat/pcore/internal/semver"
)

// The forms of expressions in the project's vectors that this package can
// evaluate.
var (
	makeVersion = regexp.MustCompile(`^SemVer\('([^'\\]*)'\)$`)
	makeRange   = regexp.MustCompile(`^SemVerRange\('([^'\\]+)'\)$`)
	compare     = regexp.MustCompile(`^SemVer\('([^']*)'\) (<|<=|>|>=|==|!=) SemVer\('([^']*)'\)$`)
	contains    = regexp.MustCompile(`^SemVer\('([^']*)'\) =~ SemVerRange\('([^']*)'\)$`)
	equalRanges = regexp.MustCompile(`^SemVerRange\('([^']*)'\) == SemVerRange\('([^']*)'\)$`)
)

// answer evaluates an expression to the value and the text of a vector; known
// is false for other forms.
func answer(t *testing.T, expr string) (value any, text string, err error, known bool) { //nolint:revive // the error is an answer as well
	t.Helper()
	rich := func(name, text string) any { return map[string]any{"__ptype": name, "__pvalue": text} }
	if m := makeVersion.FindStringSubmatch(expr); m != nil {
		v, err := semver.Parse(m[1])
		return rich("SemVer", v.String()), v.String(), err, true
	}
	if m := makeRange.FindStringSubmatch(expr); m != nil {
		r, err := semver.ParseRange(m[1])
		return rich("SemVerRange", r.String()), r.Normalized(), err, true
	}
	if m := contains.FindStringSubmatch(expr); m != nil {
		return mustRange(t, m[2]).Contains(mustParse(t, m[1])), "", nil, true
	}
	if m := equalRanges.FindStringSubmatch(expr); m != nil {
		return mustRange(t, m[1]).Equal(mustRange(t, m[2])), "", nil, true
	}
	if m := compare.FindStringSubmatch(expr); m != nil {
		a, b := mustParse(t, m[1]), mustParse(t, m[3])
		order := a.Compare(b)
		return map[string]bool{
			"<": order < 0, "<=": order <= 0, ">": order > 0, ">=": order >= 0, "==": a == b, "!=": a != b,
		}[m[2]], "", nil, true
	}
	return nil, "", nil, false
}

func TestVectors(t *testing.T) {
	const file, atLeast = "../../../testdata/vectors/new.jsonl", 19
	count := 0
	for _, v := range lines[struct {
		ID, Expr string
		Expect   struct {
			Value         any
			String, Error string
		}
	}](t, file) {
		value, text, err, known := answer(t, v.Expr)
		if !known {
			continue
		}
		count++
		if (err != nil) != (v.Expect.Error != "") {
			t.Errorf("%s: %s: error %v, want %q", v.ID, v.Expr, err, v.Expect.Error)
		}
		if err != nil {
			continue
		}
		got, _ := json.Marshal(value)
		want, _ := json.Marshal(v.Expect.Value)
		if string(got) != string(want) || text != "" && text != v.Expect.String {
			t.Errorf("%s: %s = %s %q, want %s %q", v.ID, v.Expr, got, text, want, v.Expect.String)
		}
	}
	t.Logf("%d vectors", count)
	if count < atLeast {
		t.Errorf("%s: only %d vectors were read, want %d", file, count, atLeast)
	}
}
