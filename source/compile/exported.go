package compile

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"maps"

	"github.com/pcatdev/pcat/internal/lazyregexp"
)

// puppetfileModule is a line of a Puppetfile.
var puppetfileModule = lazyregexp.New(`(?m)^\s*mod\s*\(?\s*['"]([\w/-]+)['"]`)

// Exporter has the resources that nodes have exported. Implementations are safe for
// concurrent use.
type Exporter interface {
	// Exported returns the resources for a collector, as a JSON array of objects with type,
	// title, certname and parameters.
	Exported(ctx context.Context, q Query) (json.RawMessage, error)
	// String names the source in messages.
	String() string
}

// Query is what a collector such as `File <<| tag == 'x' |>>` asks for.
type Query struct {
	// Type is the type of the resources.
	Type string
	// Filter is a condition as Puppet has it: null, or an operator between two operands,
	// such as ["tag", "==", "x"].
	Filter json.RawMessage
	// Node is the certname of the node that collects. Its own resources are not wanted.
	Node string
}

// collect returns a function that answers collectors.
func (c *Compiler) collect(ctx context.Context) func(*reply) any {
	type answer struct {
		Resources json.RawMessage `json:"resources,omitempty"`
		Error     string          `json:"error,omitempty"`
	}
	return func(r *reply) any {
		if c.o.Exported == nil {
			return answer{Error: errors.ErrUnsupported.Error()}
		}
		found, err := c.o.Exported.Exported(ctx, Query{Type: r.Type, Filter: r.Filter, Node: r.Node})
		if err != nil {
			return answer{Error: err.Error()}
		}
		return answer{Resources: found}
	}
}

func keysOf[V any](m map[string]V) iter.Seq[string] { return maps.Keys(m) }
