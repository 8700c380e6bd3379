package inspect_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pcatdev/pcat/internal/inspect"
)

func TestTotals(t *testing.T) {
	db := inspect.Secret{Place: "File[/db]/content", Encoding: inspect.Listed, Kind: "String"}
	key := inspect.Secret{Place: "File[/key]/content", Encoding: inspect.Nested, Kind: "Binary"}
	summaries := []*inspect.Summary{
		{Node: "a", Environment: "production", Resources: 3, Edges: 1, Types: []inspect.Count{{Type: "File", Count: 3}}, Secrets: []inspect.Secret{db},
			Biggest: []inspect.Value{{Place: "File[/db]/content", Bytes: 9}, {Place: "File[/key]/content", Bytes: 8}}},
		{Node: "b", Environment: "production", Resources: 5, Exported: 2, Types: []inspect.Count{{Type: "File", Count: 4}, {Type: "Exec", Count: 1}},
			Secrets: []inspect.Secret{db, key}, Calls: []inspect.Call{{Function: "join", Count: 2}},
			Biggest: []inspect.Value{{Place: "File[/key]/content", Bytes: 10}, {Place: "File[/db]/content", Bytes: 9}}},
		{Node: "b", Environment: "test", Resources: 1, Types: []inspect.Count{{Type: "File", Count: 1}}},
	}
	want := &inspect.Total{
		Catalogs: 3, Nodes: 2,
		Forms:        []inspect.Group{{Name: "rich-json", Count: 3}},
		Environments: []inspect.Group{{Name: "production", Count: 2}, {Name: "test", Count: 1}},
		Bytes:        inspect.Range{Sum: 90, Min: 10, Max: 50},
		Resources:    inspect.Range{Sum: 9, Min: 1, Max: 5},
		Exported:     inspect.Range{Sum: 2, Min: 0, Max: 2},
		Edges:        inspect.Range{Sum: 1, Min: 0, Max: 1},
		Types: []inspect.TypeTotal{
			{Type: "File", Nodes: 2, Range: inspect.Range{Sum: 8, Min: 1, Max: 4}},
			{Type: "Exec", Nodes: 1, Range: inspect.Range{Sum: 1, Min: 0, Max: 1}},
		},
		Secrets: []inspect.SecretTotal{
			{Secret: db, Count: 2, Nodes: 2, Examples: []string{"a", "b"}},
			{Secret: key, Count: 1, Nodes: 1, Examples: []string{"b"}},
		},
		Calls: []inspect.CallTotal{{Function: "join", Count: 2, Nodes: 1}},
		Biggest: []inspect.NodeValue{
			{Node: "b", Value: inspect.Value{Place: "File[/key]/content", Bytes: 10}},
			{Node: "a", Value: inspect.Value{Place: "File[/db]/content", Bytes: 9}},
		},
	}
	for range 2 {
		var totals inspect.Totals
		for i, s := range summaries {
			totals.Document("rich-json", []int64{10, 50, 30}[i])
			totals.Add(s)
		}
		if diff := cmp.Diff(want, totals.Total(2)); diff != "" {
			t.Error(diff)
		}
		slices.Reverse(summaries)
	}
}

func TestNoTotals(t *testing.T) {
	var totals inspect.Totals
	if got := totals.Total(2); got.Catalogs != 0 || got.Types == nil || got.Resources.Max != 0 {
		t.Errorf("got %+v", got)
	}
}
