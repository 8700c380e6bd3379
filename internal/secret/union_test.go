package secret_test

import (
	"fmt"
	"testing"

	"github.com/pcatdev/pcat/internal/secret"
)

// A Union finds the patterns of its sets, numbered consecutively.
func TestUnion(t *testing.T) {
	compile := func(patterns ...string) *secret.Set {
		var list [][]byte
		for _, p := range patterns {
			list = append(list, []byte(p))
		}
		s, err := secret.Compile(list)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	u := secret.Union(compile("lantern", "harbour"), nil, compile(), compile("copper-lantern-44", "lantern"))
	if u.Len() != 4 || u.Longest() != len("copper-lantern-44") {
		t.Errorf("Len %d, Longest %d", u.Len(), u.Longest())
	}
	found := map[secret.Hit]bool{}
	for h := range u.Find([]byte("a copper-lantern-44")) {
		found[h] = true
	}
	want := map[secret.Hit]bool{
		{Start: 9, End: 16, Pattern: 0}: true, {Start: 2, End: 19, Pattern: 2}: true, {Start: 9, End: 16, Pattern: 3}: true,
	}
	if fmt.Sprint(found) != fmt.Sprint(want) {
		t.Errorf("found %v, want %v", found, want)
	}
	if got := u.Spans([]byte("a copper-lantern-44")); len(got) != 1 || got[0] != (secret.Span{Start: 2, End: 19, Pattern: 2}) {
		t.Errorf("Spans: %v", got)
	}
	for range u.Find([]byte("lantern lantern")) {
		break // the remaining sets are not searched
	}
	if none := secret.Union(); none.Len() != 0 || none.Contains([]byte("lantern")) {
		t.Error("a Union of nothing finds something")
	}
}
