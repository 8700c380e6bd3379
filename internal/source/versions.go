package source

import (
	"context"
	"encoding/json"
	"net/url"
	"strconv"
	"time"
)

// CatalogVersion describes the catalog of a node in PuppetDB.
type CatalogVersion struct {
	Certname string `json:"certname"`
	// Produced is the time at which the catalog was compiled, by the clock of the
	// server that compiled it.
	Produced time.Time `json:"producer_timestamp"`
	// Hash is equal for catalogs of a node with equal resources and edges. It can be
	// empty.
	Hash string `json:"hash"`
}

// versionPage is the number of rows of a request of Stored.
const versionPage = 5000

// CatalogVersions describes the catalogs of active nodes in PuppetDB, in the order in which they were
// produced. It leaves out the ones that were produced before a time, if that is not zero.
// The address has only a host, or nothing for that of the [Settings].
func (c *Client) CatalogVersions(ctx context.Context, a Address, since time.Time) ([]CatalogVersion, error) {
	return c.versionPages(ctx, a, since, versionPage)
}

// versionPages asks for one page after the other. Each begins at the time of the last row:
// with an offset, a catalog that is replaced between two requests would move the next rows
// out of the page.
func (c *Client) versionPages(ctx context.Context, a Address, since time.Time, limit int) ([]CatalogVersion, error) {
	var all []CatalogVersion
	known := map[CatalogVersion]bool{}
	for {
		query := []any{"in", "certname", []any{"extract", "certname", []any{"select_nodes", []any{"=", "node_state", "active"}}}}
		if !since.IsZero() {
			query = []any{"and", query, []any{">=", "producer_timestamp", since.UTC().Format(time.RFC3339Nano)}}
		}
		text, err := json.Marshal([]any{"extract", []string{"certname", "producer_timestamp", "hash"}, query})
		if err != nil {
			return nil, err
		}
		var rows []CatalogVersion
		err = c.query(ctx, Address{System: PuppetDB, Host: a.Host, Insecure: a.Insecure}, "/catalogs", url.Values{
			"query": {string(text)}, "limit": {strconv.Itoa(limit)}, "order_by": {`[{"field":"producer_timestamp"},{"field":"certname"}]`},
		}, &rows)
		if err != nil {
			return nil, err
		}
		before := len(all)
		for _, row := range rows {
			row.Produced = row.Produced.UTC()
			if !known[row] {
				known[row] = true
				all = append(all, row)
			}
		}
		switch {
		case len(rows) < limit:
			return all, nil
		case len(all) == before: // a page of equal times
			limit *= 2
		}
		since = rows[len(rows)-1].Produced
	}
}
