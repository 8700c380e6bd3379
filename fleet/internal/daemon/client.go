package daemon

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/fleet/internal/coordinate"
	"github.com/pcatdev/pcat/fleet/internal/decisions"
	"github.com/pcatdev/pcat/fleet/internal/feed"
	"github.com/pcatdev/pcat/fleet/internal/history"
	"github.com/pcatdev/pcat/fleet/internal/store"
	"github.com/pcatdev/pcat/internal/catalogfile"
)

// Client asks a fleet.
type Client struct {
	Store *store.Store
	// Timeout is the longest time to wait for an answer.
	Timeout time.Duration
}

// deliveries is the number of catalogs that Ingest delivers at a time.
const deliveries = 4

// ErrUnreadable reports a file that is not a catalog, or a broken one. It is not delivered.
var ErrUnreadable = errors.New("not a catalog that can be read, and not delivered")

// Ingest delivers files of catalogs to a feed. The node of a file is the name of its
// catalog, or else of the file. Of several files of a node, the last one remains. The error
// names each file that is left out with [ErrUnreadable]; the others are delivered.
func (c *Client) Ingest(ctx context.Context, name string, files []string) error {
	type file struct {
		path string
		feed.Catalog
	}
	g, ctx := errgroup.WithContext(ctx)
	var lanes [deliveries]chan file // a node has one lane, in which the order remains
	for i := range lanes {
		lanes[i] = make(chan file)
		g.Go(func() error {
			for f := range lanes[i] {
				if err := c.put(ctx, f.Catalog); err != nil {
					return fmt.Errorf("%s: %w", f.path, err)
				}
			}
			return nil
		})
	}
	var unreadable []error
	g.Go(func() error {
		defer func() {
			for _, l := range lanes {
				close(l)
			}
		}()
		seed := maphash.MakeSeed()
		for _, path := range files {
			data, err := os.ReadFile(path)
			if info, failed := os.Stat(path); failed == nil && info.IsDir() {
				return fmt.Errorf("%s is a folder: name its files, or let pcatd serve watch it with --folder", path)
			}
			if err != nil {
				return err
			}
			if len(data) == 0 {
				return fmt.Errorf("%s: %w", path, catalog.ErrEmpty)
			}
			if !readable(path, data) {
				unreadable = append(unreadable, fmt.Errorf("%s: %w", path, ErrUnreadable))
				continue
			}
			f := file{path, feed.Catalog{Feed: name, Node: nodeOf(path, data), Data: data}}
			select {
			case lanes[maphash.String(seed, f.Node)%deliveries] <- f:
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
		return nil
	})
	err := g.Wait()
	return errors.Join(append(unreadable, err)...)
}

// readable reports whether a document is a catalog that can be read to its end. The reasons
// why it is not can quote it.
func readable(path string, data []byte) bool {
	f, err := catalog.OpenBytes(path, data)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }() // it was only read
	for _, err := range f.Parts() {
		if err != nil {
			return false
		}
	}
	return true
}

// put delivers a catalog. It waits for room.
func (c *Client) put(ctx context.Context, v feed.Catalog) error {
	for start := time.Now(); ; {
		err := c.Store.Put(ctx, v)
		if !errors.Is(err, feed.ErrFull) || time.Since(start) > c.Timeout {
			return err
		}
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			return err
		}
	}
}

// nodeOf returns the name of the catalog in a file, or else that of the file, as the feed
// of a folder does.
func nodeOf(path string, data []byte) string {
	node, _ := catalogfile.Node(path, data) // the audit reports other documents
	return cmp.Or(node, catalogfile.Stem(path))
}

// Report returns the report of the fleet in one of the formats of pcat audit.
func (c *Client) Report(ctx context.Context, format string) ([]byte, error) {
	return c.ask(ctx, coordinate.AskReport, format)
}

// absence is how long the coordinator may be away, because pcatd starts or another process takes over: the lease of
// one that was killed ends after ten seconds, and the next one reads the results of all nodes first.
const absence = 30 * time.Second

// ask asks the coordinator, and waits for the answer for some time. It asks again while no coordinator is there.
func (c *Client) ask(parent context.Context, subject string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(parent, c.Timeout)
	defer cancel()
	for start := time.Now(); ; {
		text, err := c.Store.Ask(ctx, subject, args...)
		if !errors.Is(err, store.ErrNobody) || time.Since(start) > absence {
			return text, err
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
			return nil, cmp.Or(context.Cause(parent), err)
		}
	}
}

// Accept stores an acceptance, and returns its use.
func (c *Client) Accept(ctx context.Context, a *decisions.Acceptance) (*decisions.State, error) {
	question, err := json.Marshal(a)
	if err != nil {
		return nil, err
	}
	return ask[decisions.State](ctx, c, coordinate.AskAccept, string(question))
}

// Accepted returns the decisions about findings.
func (c *Client) Accepted(ctx context.Context) (*coordinate.Accepted, error) {
	return ask[coordinate.Accepted](ctx, c, coordinate.AskAccepted)
}

// Withdraw removes acceptances.
func (c *Client) Withdraw(ctx context.Context, ids []string) error {
	_, err := c.ask(ctx, coordinate.AskWithdraw, ids...)
	return err
}

// ask asks the coordinator for a value in JSON.
func ask[T any](ctx context.Context, c *Client, subject string, args ...string) (*T, error) {
	text, err := c.ask(ctx, subject, args...)
	if err != nil {
		return nil, err
	}
	v := new(T)
	if err := json.Unmarshal(text, v); err != nil {
		return nil, fmt.Errorf("%s: %w", subject, err)
	}
	return v, nil
}

// Status returns the state of the fleet, without its processes.
func (c *Client) Status(ctx context.Context) (*coordinate.Summary, error) {
	return ask[coordinate.Summary](ctx, c, coordinate.AskStatus)
}

// Wait waits until the fleet is settled. If the context ends before, it returns the last
// state, too, or nil if there was no answer.
func (c *Client) Wait(ctx context.Context) (*coordinate.Summary, error) {
	var missing time.Time // since when no coordinator answers
	var last *coordinate.Summary
	for {
		s, err := c.Status(ctx)
		switch {
		case err == nil && s.Settled:
			return s, nil
		case err == nil:
			missing, last = time.Time{}, s
		case missing.IsZero():
			missing = time.Now()
		case time.Since(missing) > c.Timeout:
			return last, err
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
			return last, context.Cause(ctx)
		}
	}
}

// DeadLetters returns the dead letters, with the names as they may be shown.
func (c *Client) DeadLetters(ctx context.Context) ([]*store.Dead, error) {
	list, err := c.Store.DeadLetters(ctx)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	known, err := c.knowledge(ctx)
	if err != nil {
		return nil, err
	}
	for _, d := range list {
		r := history.Record{Feed: d.Feed, Node: d.Node}
		r.Hide(history.Known(known))
		d.Feed, d.Node = r.ShownFeed(), r.ShownNode()
	}
	return list, nil
}

// Retry makes the dead letters of the named nodes, or all, ordinary units again. It returns
// their number.
func (c *Client) Retry(ctx context.Context, nodes []string) (int, error) {
	list, err := c.Store.DeadLetters(ctx)
	if err != nil {
		return 0, err
	}
	n := 0
	for _, d := range list {
		if len(nodes) > 0 && !slices.Contains(nodes, d.Node) && !slices.Contains(nodes, d.Feed+"/"+d.Node) {
			continue
		}
		if err := c.Store.RemoveDead(ctx, d.Unit); err != nil {
			return n, err
		}
		n++
	}
	if n == 0 && len(nodes) > 0 {
		return 0, fmt.Errorf("no dead letter of %s: see pcatd dead list", strings.Join(nodes, ", "))
	}
	return n, nil
}
