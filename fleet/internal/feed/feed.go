// Package feed receives the catalogs of a fleet, and the reports and facts of its nodes.
//
//	Catalog   one catalog, report or set of facts of one node, as a feed delivers it
//	Sink      receives the catalogs of feeds
//	Observer  is notified of the progress of a feed
package feed

import (
	"context"
	"errors"
	"time"
)

// ErrFull reports that a [Sink] has no room for the catalog. The feed should deliver it
// again later.
var ErrFull = errors.New("the fleet's storage is full")

// Catalog is a catalog of a node, as a feed delivers it.
type Catalog struct {
	// Feed is the name of the feed, and Node the name of the node.
	Feed, Node string
	// Produced is the time at which the catalog was compiled, by the clock of the
	// compiler. It is zero if the feed does not know it. Among catalogs with a time, an
	// older one never replaces a newer one.
	Produced time.Time
	// Data is the document, in any format that [github.com/pcatdev/pcat/catalog.Open] reads.
	Data []byte
	// NoPast is set for a report or facts: they are others at each run, so that superseded
	// ones are not kept, and not compared.
	NoPast bool
}

// Sink accepts the catalogs of feeds. Implementations are safe for concurrent use.
type Sink interface {
	// Put makes c the newest catalog of its node in its feed. The catalog is stored
	// durably when Put returns. The error wraps [ErrFull] if there is no room.
	Put(ctx context.Context, c Catalog) error
	// Remove removes a node that no longer exists from a feed. It does nothing if the
	// node is unknown.
	Remove(ctx context.Context, feed, node string) error
	// Nodes returns the names of the nodes that a feed has, in any order. A feed that
	// starts removes the nodes that vanished while it was down.
	Nodes(ctx context.Context, feed string) ([]string, error)
}

// Observer is notified of the progress of a feed. The reasons contain no names of nodes and
// nothing of a catalog. Implementations are safe for concurrent use.
type Observer interface {
	// Succeeded is called when the feed has looked at its source, and the sink has all of its
	// catalogs.
	Succeeded()
	// Failed is called when the feed could not look at its source, or deliver something.
	Failed(reason string)
	// Refused is called for a catalog that the feed leaves out, because it is not valid or too large.
	Refused()
}

// Unobserved is an [Observer] that ignores everything.
type Unobserved struct{}

// Succeeded implements [Observer].
func (Unobserved) Succeeded() {}

// Failed implements [Observer].
func (Unobserved) Failed(string) {}

// Refused implements [Observer].
func (Unobserved) Refused() {}
