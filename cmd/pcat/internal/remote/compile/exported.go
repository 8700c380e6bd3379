package compile

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/pcatdev/pcat/internal/source"
)

// Exporter has the resources that nodes have exported. Implementations are safe for
// concurrent use, and never write.
type Exporter interface {
	// Exported returns the resources that a collector asks for.
	Exported(ctx context.Context, q Query) ([]source.Resource, error)
	// String names the source in messages.
	String() string
}

// Query is the question of a collector such as `File <<| tag == 'x' |>>`.
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
		Resources []source.Resource `json:"resources"`
		Error     string            `json:"error,omitempty"`
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

// condition is a filter of a collector.
type condition struct {
	op          string
	field       string
	value       any
	left, right *condition // for and, or
}

// parseFilter parses a filter. It returns nil for null.
func parseFilter(data json.RawMessage) (*condition, error) {
	if len(data) == 0 {
		return nil, nil //nolint:nilnil // the documented result
	}
	v, err := exact(data)
	if err != nil {
		return nil, err
	}
	return newCondition(v)
}

// exact decodes JSON, with numbers as they are written.
func exact(data []byte) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	err = d.Decode(&v)
	return v, err
}

func newCondition(v any) (*condition, error) {
	if v == nil {
		return nil, nil //nolint:nilnil // the documented result
	}
	list, _ := v.([]any)
	const parts = 3
	if len(list) != parts {
		return nil, errors.New("a condition of a collector is not understood")
	}
	op, _ := list[1].(string)
	c := &condition{op: op}
	switch op {
	case "and", "or":
		var err, other error
		c.left, err = newCondition(list[0])
		c.right, other = newCondition(list[2])
		return c, errors.Join(err, other)
	case "==", "!=":
		c.field, _ = list[0].(string)
		c.value = list[2]
		return c, nil
	}
	return nil, fmt.Errorf("the operator %q of a collector is not supported", op)
}

// query returns the condition as a query of PuppetDB, as its own terminus makes it.
func (c *condition) query() any {
	switch c.op {
	case "and", "or":
		return []any{c.op, c.left.query(), c.right.query()}
	}
	var field any = []any{"parameter", c.field}
	value := c.value
	switch c.field {
	case "tag":
		field, value = "tag", strings.ToLower(fmt.Sprint(value)) // queries of tags ignore case
	case "title":
		field = "title"
	}
	expr := []any{"=", field, value}
	if c.op == "!=" {
		return []any{"not", expr}
	}
	return expr
}

// matches reports whether a resource meets the condition.
func (c *condition) matches(r *exported) bool {
	if c == nil {
		return true
	}
	switch c.op {
	case "and":
		return c.left.matches(r) && c.right.matches(r)
	case "or":
		return c.left.matches(r) || c.right.matches(r)
	}
	var equal bool
	switch c.field {
	case "tag":
		equal = slices.Contains(r.Tags, strings.ToLower(fmt.Sprint(c.value)))
	case "title":
		equal = r.Title == c.value
	default:
		parameter, _ := exact(r.Parameters[c.field]) // nothing for a parameter that is not there
		equal = contains(parameter, c.value)
	}
	return equal == (c.op == "==")
}

// contains reports whether a parameter is a value, or a list with it.
func contains(parameter, value any) bool {
	if list, ok := parameter.([]any); ok {
		return slices.ContainsFunc(list, func(e any) bool { return contains(e, value) })
	}
	return parameter != nil && fmt.Sprint(parameter) == fmt.Sprint(value)
}

// StoredExported returns the exported resources in PuppetDB, each query once.
func StoredExported(client *source.Client) Exporter {
	return &storedExported{client: client, answers: make(map[string]func() ([]source.Resource, error))}
}

type storedExported struct {
	client  *source.Client
	mu      sync.Mutex
	answers map[string]func() ([]source.Resource, error) // by query
}

// String implements Exporter.
func (s *storedExported) String() string { return string(source.PuppetDB) + ":" }

// Exported implements Exporter.
func (s *storedExported) Exported(ctx context.Context, q Query) ([]source.Resource, error) {
	filter, err := parseFilter(q.Filter)
	if err != nil {
		return nil, err
	}
	expr := []any{
		"and", []any{"=", "type", q.Type}, []any{"=", "exported", true}, []any{"not", []any{"=", "certname", q.Node}},
	}
	if filter != nil {
		expr = append(expr, filter.query())
	}
	text, err := json.Marshal(expr)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	ask := s.answers[string(text)]
	if ask == nil {
		ask = sync.OnceValues(func() ([]source.Resource, error) {
			found, err := s.client.Resources(ctx, string(text))
			slices.SortFunc(found, compareResources)
			return found, err
		})
		s.answers[string(text)] = ask
	}
	s.mu.Unlock()
	return ask()
}

func compareResources(a, b source.Resource) int {
	return strings.Compare(a.Certname+"\x00"+a.Title, b.Certname+"\x00"+b.Title)
}

// FilesExported returns the exported resources in a file, or in all JSON files of a
// directory: catalogs, or lists of resources as PuppetDB returns them.
func FilesExported(path string) Exporter {
	return &filesExported{path: path, read: sync.OnceValues(func() ([]exported, error) { return readExported(path) })}
}

type filesExported struct {
	path string
	read func() ([]exported, error)
}

// exported is a resource in a file.
type exported struct {
	Certname   string                     `json:"certname"`
	Type       string                     `json:"type"`
	Title      string                     `json:"title"`
	Tags       []string                   `json:"tags"`
	Exported   bool                       `json:"exported"`
	Parameters map[string]json.RawMessage `json:"parameters"`
}

// String implements Exporter.
func (f *filesExported) String() string { return f.path }

// Exported implements Exporter.
func (f *filesExported) Exported(_ context.Context, q Query) ([]source.Resource, error) {
	filter, err := parseFilter(q.Filter)
	if err != nil {
		return nil, err
	}
	all, err := f.read()
	if err != nil {
		return nil, err
	}
	found := []source.Resource{}
	for i := range all {
		r := &all[i]
		if !strings.EqualFold(r.Type, q.Type) || r.Certname == q.Node || !filter.matches(r) {
			continue
		}
		parameters, err := json.Marshal(r.Parameters)
		if err != nil {
			return nil, err
		}
		found = append(found, source.Resource{Certname: r.Certname, Type: r.Type, Title: r.Title, Parameters: parameters})
	}
	slices.SortFunc(found, compareResources)
	return found, nil
}

// readExported reads the exported resources in a file or a directory.
func readExported(path string) (all []exported, err error) {
	err = filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || name != path && filepath.Ext(name) != ".json" {
			return err
		}
		data, err := os.ReadFile(name) //nolint:gosec // a link that changes meanwhile leads to a file that the user could name
		if err != nil {
			return err
		}
		found, err := parseExported(data)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, found...)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("exported resources: %w", err)
	}
	return all, nil
}

// parseExported returns the exported resources in a catalog or a list.
func parseExported(data []byte) ([]exported, error) {
	var c struct {
		Name      string     `json:"name"`
		Certname  string     `json:"certname"`
		Resources []exported `json:"resources"`
	}
	if err := json.Unmarshal(data, &c.Resources); err != nil {
		if err := json.Unmarshal(data, &c); err != nil {
			return nil, fmt.Errorf("neither a catalog nor a list of resources: %w", err)
		}
	}
	var found []exported
	for _, r := range c.Resources {
		if !r.Exported {
			continue
		}
		for _, name := range []string{c.Certname, c.Name} {
			if r.Certname == "" {
				r.Certname = name
			}
		}
		found = append(found, r)
	}
	return found, nil
}
