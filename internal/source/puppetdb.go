package source

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pcatdev/pcat/internal/address"
)

// answerLimit bounds answers other than catalogs, in bytes.
const answerLimit = 256 << 20

// puppetDB calls use with connections to PuppetDB, in turn, until one can be reached: to
// the host of the address, or to the hosts of the settings.
func (c *Client) puppetDB(a Address, use func(*connection) error) error {
	bases, configuredBy := c.settings.PuppetDB, "server_urls in puppetdb.conf, or use --setting puppetdb=URL"
	if a.Host != "" {
		scheme, port := "https", "8081"
		if a.Insecure {
			scheme, port = "http", "8080"
		}
		bases, configuredBy = []string{scheme + "://" + withPort(a.Host, port)}, "the address"
	}
	var failures []error
	for _, base := range bases {
		conn, err := c.connection(PuppetDB, base, configuredBy)
		if err != nil {
			return err
		}
		c.warnPlain(base)
		if err = use(conn); err == nil {
			return nil
		}
		failures = append(failures, err)
		var failed *Error
		if !errors.As(err, &failed) || !errors.Is(err, ErrNotTried) && failed.Reason != NoHost && failed.Reason != NoServer && failed.Reason != Unavailable {
			return err
		}
	}
	return errors.Join(failures...)
}

// warnPlain warns of a connection in plain text to another machine.
func (c *Client) warnPlain(base string) {
	u, err := url.Parse(base)
	if err == nil && u.Scheme != "https" && !isLoopback(u.Hostname()) {
		c.warn("catalogs from " + u.Host + " pass the network in plain text; use the port for TLS, 8081")
	}
}

// isLoopback reports whether a host is this machine.
func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// query returns the rows of an answer of PuppetDB.
func (c *Client) query(ctx context.Context, a Address, path string, parameters url.Values, rows any) error {
	return c.puppetDB(a, func(conn *connection) error {
		data, err := conn.do(ctx, request{path: "/pdb/query/v4" + path + "?" + parameters.Encode(), limit: answerLimit})
		if err != nil {
			return err
		}
		if err := json.Unmarshal(data, rows); err != nil {
			return &Error{System: PuppetDB, Host: conn.host, Reason: CutOff, Err: errors.New("the answer is not complete JSON of the expected kind")}
		}
		return nil
	})
}

// nodes returns the certnames of the nodes that an address names, sorted: nodes without events or reports of the
// selected time are left out, because most runs change nothing.
func (c *Client) nodes(ctx context.Context, a Address) ([]string, error) {
	path, query := "", strings.TrimSpace(a.Query)
	isPQL := query != "" && !strings.HasPrefix(query, "[")
	if !isPQL {
		path = "/nodes"
		with, err := withDocuments(a)
		if err != nil {
			return nil, err
		}
		if query != "" {
			if !json.Valid([]byte(query)) {
				return nil, fmt.Errorf("the query begins with a bracket, but is not valid JSON: %s", query)
			}
			with = `["and",` + with + `,` + query + `]`
		}
		query = `["extract",["certname"],` + with + `]`
	}
	var rows []struct {
		Certname string `json:"certname"`
	}
	if err := c.query(ctx, a, path, url.Values{"query": {query}}, &rows); err != nil {
		return nil, err
	}
	names := make([]string, 0, len(rows))
	for _, row := range rows {
		if !address.IsCertname(row.Certname) {
			return nil, errors.New("the query returns rows without a certname; query nodes, for example: nodes[certname]{ catalog_environment = 'production' }")
		}
		names = append(names, row.Certname)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	if isPQL && (a.What == reports || a.What == events) {
		a.Query = `["=","node_state","any"]` // the query itself chooses
		having, err := c.nodes(ctx, a)
		if err != nil {
			return nil, err
		}
		names = slices.DeleteFunc(names, func(name string) bool {
			_, found := slices.BinarySearch(having, name)
			return !found
		})
	}
	return names, nil
}

// withDocuments returns the query of nodes that have the documents that an address names.
func withDocuments(a Address) (string, error) {
	set := []any{"null?", timestampOf(a.What), false}
	if a.What == reports || a.What == events {
		set = []any{"and", set, []any{"in", "certname", []any{"extract", "certname", []any{"select_" + a.What, ofRuns(a)}}}}
	}
	query, err := json.Marshal(set)
	return string(query), err
}

// ofRuns returns the query of the reports or events of the runs that an address selects.
func ofRuns(a Address) []any {
	if a.Since == "" {
		return []any{"=", "latest_report?", true}
	}
	return []any{">=", orders[a.What][0], a.Since}
}

// stored returns the catalog of a node in PuppetDB.
func (c *Client) stored(ctx context.Context, a Address, limit int64) (data []byte, err error) {
	err = c.puppetDB(a, func(conn *connection) error {
		data, err = conn.do(ctx, request{path: "/pdb/query/v4/catalogs/" + url.PathEscape(a.Node), limit: limit})
		return err
	})
	var failed *Error
	if errors.As(err, &failed) && failed.Status == http.StatusNotFound {
		failed.Err = fmt.Errorf("PuppetDB has no catalog of %q", a.Node)
	}
	return data, err
}

// timestampOf returns the field of a node that is set if it has documents.
func timestampOf(what string) string {
	switch what {
	case reports, events:
		return "report_timestamp"
	case facts:
		return "facts_timestamp"
	default:
		return "catalog_timestamp"
	}
}

// pageRows is the number of rows in a page of an answer.
const pageRows = 500

// orders are the fields by which the rows of a node are sorted. Together they are unique: rows that have them in common
// come in an arbitrary order that can differ between pages, so that a row can appear on two pages, or on none.
var orders = map[string][]string{
	reports:   {"producer_timestamp", "hash"},
	events:    {"timestamp", "report", "resource_type", "resource_title", "property", "name", "status", "message", "new_value", "old_value"},
	facts:     {"certname"},
	resources: {"resource"},
}

// rows returns the rows of a node in PuppetDB that an address names, as a list. It reads them in
// pages.
func (c *Client) rows(ctx context.Context, a Address, limit int64) ([]byte, error) {
	path := "/" + a.What
	if a.What == facts {
		path = "/factsets"
	}
	selected := []any{"and", []any{"=", "certname", a.Node}}
	if a.What == reports || a.What == events {
		selected = append(selected, ofRuns(a))
	}
	query, err := json.Marshal(selected)
	if err != nil {
		return nil, err
	}
	var order []map[string]string
	for _, field := range orders[a.What] {
		order = append(order, map[string]string{"field": field})
	}
	orderBy, err := json.Marshal(order)
	if err != nil {
		return nil, err
	}
	all, count := []byte("["), 0
	for {
		var page []json.RawMessage
		err := c.query(ctx, a, path, url.Values{
			"query": {string(query)}, "order_by": {string(orderBy)},
			"limit": {strconv.Itoa(pageRows)}, "offset": {strconv.Itoa(count)},
		}, &page)
		if err != nil {
			return nil, err
		}
		for _, row := range page {
			if count++; count > 1 {
				all = append(all, ',')
			}
			all = append(all, row...)
		}
		if int64(len(all)) > limit {
			return nil, fmt.Errorf("%v: %w of %d bytes", a, errTooLarge, limit)
		}
		if len(page) < pageRows {
			break
		}
	}
	if count == 0 {
		return nil, &Error{System: PuppetDB, Host: "PuppetDB", Reason: NotFound, Err: fmt.Errorf("it has no %s of %q", a.What, a.Node)}
	}
	return append(all, ']'), nil
}

// Inventory is the data of a node in PuppetDB besides its catalog.
type Inventory struct {
	Certname    string          `json:"certname"`
	Environment string          `json:"environment"` // of the last facts
	Facts       json.RawMessage `json:"facts"`       // a JSON object
	Trusted     json.RawMessage `json:"trusted"`     // a JSON object: the facts of its certificate
}

// Inventory returns the facts of a node in PuppetDB. The error matches an
// *[Error] with the reason [NotFound] if PuppetDB has none.
func (c *Client) Inventory(ctx context.Context, node string) (*Inventory, error) {
	query, err := json.Marshal([]string{"=", "certname", node})
	if err != nil {
		return nil, err
	}
	var rows []Inventory
	if err := c.query(ctx, Address{}, "/inventory", url.Values{"query": {string(query)}}, &rows); err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, &Error{System: PuppetDB, Host: "PuppetDB", Reason: NotFound, Err: fmt.Errorf("it has no facts of %q", node)}
	}
	return &rows[0], nil
}

// Resource is a resource of a node in PuppetDB.
type Resource struct {
	Certname   string          `json:"certname"`
	Type       string          `json:"type"`
	Title      string          `json:"title"`
	Parameters json.RawMessage `json:"parameters"` // a JSON object
}

// Resources returns the resources that an AST query of the resources endpoint selects.
func (c *Client) Resources(ctx context.Context, query string) ([]Resource, error) {
	var rows []Resource
	err := c.query(ctx, Address{}, "/resources", url.Values{"query": {query}}, &rows)
	return rows, err
}

// Command is a `replace catalog` command for PuppetDB, version 9.
type Command struct {
	Certname string
	// Payload is the JSON that catalog/puppetdb makes of a catalog.
	Payload []byte
	// Time is the time in the payload.
	Time time.Time
}

// Errors of Submit.
var (
	// ErrNotStored is returned if PuppetDB accepted a command but did not store
	// the catalog in time. It writes the reason to its own log only.
	ErrNotStored = errors.New("not stored")
	// ErrNewer is returned if PuppetDB has a catalog of the node that is newer.
	ErrNewer = errors.New("PuppetDB has a newer catalog of the node")
)

// Submit sends a command to PuppetDB and waits until the catalog is stored, at
// most for the given time. 0 does not wait.
func (c *Client) Submit(ctx context.Context, a Address, cmd Command, wait time.Duration) error {
	sent := cmd.Time.UTC().Truncate(time.Millisecond)
	parameters := url.Values{
		"command": {"replace_catalog"}, "version": {"9"}, "certname": {cmd.Certname},
		"producer-timestamp": {sent.Format("2006-01-02T15:04:05.000Z")},
	}
	err := c.puppetDB(a, func(conn *connection) error {
		_, err := conn.do(ctx, request{
			method: http.MethodPost, path: "/pdb/cmd/v1?" + parameters.Encode(),
			contentType: "application/json", body: cmd.Payload, limit: answerLimit,
		})
		return err
	})
	if err != nil || wait <= 0 {
		return err
	}
	return c.awaitStored(ctx, a, cmd.Certname, sent, wait)
}

// awaitStored asks for the time of the stored catalog until it is that of the command.
func (c *Client) awaitStored(ctx context.Context, a Address, node string, sent time.Time, wait time.Duration) error {
	const first, last = 50 * time.Millisecond, 2 * time.Second
	query, err := json.Marshal([]any{"extract", []string{"producer_timestamp"}, []string{"=", "certname", node}})
	if err != nil {
		return err
	}
	pause := first
	for end := time.Now().Add(wait); ; {
		var rows []struct {
			Time time.Time `json:"producer_timestamp"`
		}
		if err := c.query(ctx, a, "/catalogs", url.Values{"query": {string(query)}}, &rows); err != nil {
			return err
		}
		switch {
		case len(rows) > 0 && rows[0].Time.Equal(sent):
			return nil
		case len(rows) > 0 && rows[0].Time.After(sent):
			return fmt.Errorf("%w, of %s", ErrNewer, rows[0].Time.UTC().Format(time.RFC3339))
		case time.Now().After(end):
			return fmt.Errorf("%w within %v", ErrNotStored, wait)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(min(pause, time.Until(end)+time.Millisecond)):
		}
		pause = min(2*pause, last)
	}
}
