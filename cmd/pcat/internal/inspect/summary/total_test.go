package summary_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pcatdev/pcat/cmd/pcat/internal/inspect/summary"
)

func TestTotals(t *testing.T) {
	db := summary.Secret{Location: at("File[/db]/content"), Encoding: summary.Listed, Kind: "String"}
	key := summary.Secret{Location: at("File[/key]/content"), Encoding: summary.Nested, Kind: "Binary"}
	summaries := []*summary.Summary{
		{Node: "a", Environment: "production", Resources: 3, Edges: 1, Types: []summary.Count{{Type: "File", Count: 3}}, Secrets: []summary.Secret{db},
			Biggest: []summary.Value{{Location: at("File[/db]/content"), Bytes: 9}, {Location: at("File[/key]/content"), Bytes: 8}}},
		{Node: "b", Environment: "production", Resources: 5, Exported: 2, Types: []summary.Count{{Type: "File", Count: 4}, {Type: "Exec", Count: 1}},
			Secrets: []summary.Secret{db, key}, Calls: []summary.Call{{Function: "join", Count: 2}},
			Biggest: []summary.Value{{Location: at("File[/key]/content"), Bytes: 10}, {Location: at("File[/db]/content"), Bytes: 9}}},
		{Node: "b", Environment: "test", Resources: 1, Types: []summary.Count{{Type: "File", Count: 1}}},
	}
	want := &summary.Total{
		Catalogs: 3, Nodes: 2,
		Formats:      []summary.Group{{Name: "rich-json", Count: 3}},
		Environments: []summary.Group{{Name: "production", Count: 2}, {Name: "test", Count: 1}},
		Bytes:        summary.Range{Sum: 90, Min: 10, Max: 50},
		Resources:    summary.Range{Sum: 9, Min: 1, Max: 5},
		Exported:     summary.Range{Sum: 2, Min: 0, Max: 2},
		Edges:        summary.Range{Sum: 1, Min: 0, Max: 1},
		Types: []summary.TypeTotal{
			{Type: "File", Nodes: 2, Range: summary.Range{Sum: 8, Min: 1, Max: 4}},
			{Type: "Exec", Nodes: 1, Range: summary.Range{Sum: 1, Min: 0, Max: 1}},
		},
		Secrets: []summary.SecretTotal{
			{Secret: db, Count: 2, Nodes: 2, Examples: []string{"a", "b"}},
			{Secret: key, Count: 1, Nodes: 1, Examples: []string{"b"}},
		},
		Calls: []summary.CallTotal{{Function: "join", Count: 2, Nodes: 1}},
		Biggest: []summary.NodeValue{
			{Node: "b", Value: summary.Value{Location: at("File[/key]/content"), Bytes: 10}},
			{Node: "a", Value: summary.Value{Location: at("File[/db]/content"), Bytes: 9}},
		},
	}
	for range 2 {
		var totals summary.Totals
		for i, s := range summaries {
			totals.Document("rich-json", []int64{10, 50, 30}[i], "", 1)
			totals.Add(s)
		}
		if diff := cmp.Diff(want, totals.Total(2)); diff != "" {
			t.Error(diff)
		}
		slices.Reverse(summaries)
	}
}

func TestNoTotals(t *testing.T) {
	var totals summary.Totals
	if got := totals.Total(2); got.Catalogs != 0 || got.Types == nil || got.Resources.Max != 0 {
		t.Errorf("got %+v", got)
	}
}
