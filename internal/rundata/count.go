package rundata

import (
	"strconv"
	"strings"
)

// Numbers are numbers of documents by their kinds. The empty kind is that of catalogs.
type Numbers map[Kind]int

// nouns are the names of one document, and of several ones, in the order of Numbers.String.
var nouns = [...]struct {
	kind      Kind
	one, more string
}{
	{"", "catalog", "catalogs"},
	{Report, "report", "reports"},
	{Events, "list of events", "lists of events"},
	{Facts, "set of facts", "sets of facts"},
	{Resources, "list of resources", "lists of resources"},
}

// Add adds an input of a kind that was read as a number of catalogs. A list of events or of resources is one document
// for any number of nodes; each report and each set of facts is one.
func (n Numbers) Add(kind Kind, catalogs int) {
	if kind == Events || kind == Resources {
		catalogs = 1
	}
	n[kind] += catalogs
}

// String returns the numbers with nouns: 2 catalogs, 1 report and 3 sets of facts.
func (n Numbers) String() string {
	var list []string
	for _, noun := range nouns {
		switch n[noun.kind] {
		case 0:
		case 1:
			list = append(list, "1 "+noun.one)
		default:
			list = append(list, strconv.Itoa(n[noun.kind])+" "+noun.more)
		}
	}
	switch last := len(list) - 1; last {
	case -1:
		return "0 catalogs"
	case 0:
		return list[0]
	default:
		return strings.Join(list[:last], ", ") + " and " + list[last]
	}
}

// Sum returns the number of all documents.
func (n Numbers) Sum() int {
	sum := 0
	for _, one := range n {
		sum += one
	}
	return sum
}
