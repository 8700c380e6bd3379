package rundata_test

import (
	"io"
	"testing"

	"github.com/pcatdev/pcat/internal/rundata"
)

// TestDocuments counts documents about two nodes.
func TestDocuments(t *testing.T) {
	for document, want := range map[string]string{
		`[{"certname":"a","type":"File","title":"/x","parameters":{},"exported":false},{"certname":"b","type":"File","title":"/x","parameters":{},"exported":false}]`:                                             "1 list of resources",
		`[{"certname":"a","resource_type":"File","resource_title":"/x","property":"mode","status":"success"},{"certname":"b","resource_type":"File","resource_title":"/x","property":"mode","status":"success"}]`: "1 list of events",
		`[{"certname":"a","name":"x","value":"1"},{"certname":"b","name":"x","value":"1"}]`:                                                                                                                       "2 sets of facts",
	} {
		d := rundata.Detect([]byte(document))
		if d == nil {
			t.Fatalf("%s: not a document", document)
		}
		catalogs, err := d.Catalogs(io.Discard, []byte(document))
		numbers := rundata.Numbers{}
		numbers.Add(d.Kind(), catalogs)
		if err != nil || catalogs != 2 || numbers.String() != want {
			t.Errorf("%s: got %d catalogs, %s, %v, want 2, %s", document, catalogs, numbers, err, want)
		}
	}
}

func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		numbers rundata.Numbers
		want    string
		sum     int
	}{
		{nil, "0 catalogs", 0},
		{rundata.Numbers{"": 1}, "1 catalog", 1},
		{rundata.Numbers{"": 0, rundata.Report: 1}, "1 report", 1},
		{rundata.Numbers{"": 2, rundata.Report: 1}, "2 catalogs and 1 report", 3},
		{rundata.Numbers{"": 1, rundata.Report: 2, rundata.Events: 1, rundata.Facts: 3, rundata.Resources: 2}, "1 catalog, 2 reports, 1 list of events, 3 sets of facts and 2 lists of resources", 9},
	} {
		if got := c.numbers.String(); got != c.want || c.numbers.Sum() != c.sum {
			t.Errorf("%v: got %s, %d, want %s, %d", c.numbers, got, c.numbers.Sum(), c.want, c.sum)
		}
	}
}
