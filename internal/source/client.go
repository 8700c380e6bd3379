package source

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"sync"
)

// defaultLimit bounds the size of one catalog, in bytes, if no other limit is given.
const defaultLimit = 1 << 30

// Client reads catalogs from the systems in its [Settings]. It keeps
// connections open for further requests. Create one with [NewClient]. It is
// safe for concurrent use.
type Client struct {
	settings Settings
	log      *slog.Logger
	waits    waits

	mu          sync.Mutex
	connections map[string]*connection
	warned      map[string]bool
}

// NewClient returns a client. It connects to nothing and reads no file before
// the first request. Warnings go to log; nil discards them.
func NewClient(s *Settings, log *slog.Logger) *Client {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Client{settings: *s, log: log, waits: usualWaits, connections: map[string]*connection{}, warned: map[string]bool{}}
}

// List returns the addresses of the single catalogs that an address names,
// sorted by certname. It sends a request only if a names several nodes.
func (c *Client) List(ctx context.Context, a Address) ([]Address, error) {
	switch {
	case a.System == Agent && a.Node == "":
		a.Node = c.settings.Certname
		return []Address{a}, nil
	case a.Node != "":
		return []Address{a}, nil
	}
	from := a
	if a.System == PuppetServer { // it does not know the nodes
		from = Address{System: PuppetDB, Query: a.Query}
	}
	names, err := c.nodes(ctx, from)
	if err != nil {
		return nil, err
	}
	all := make([]Address, len(names))
	for i, name := range names {
		all[i] = a
		all[i].Node, all[i].Query = name, ""
	}
	return all, nil
}

// Read returns the document of an address of one node, as the system has it: its catalog,
// unless What names another one. PuppetDB returns a row of its catalogs query. An answer above limit bytes is
// an error; 0 means 1 GiB.
//
// The error of a request is an *[Error], or that of ctx. Errors about files of
// this machine, such as the cache of the agent, are plain.
func (c *Client) Read(ctx context.Context, a Address, limit int64) ([]byte, error) {
	if limit <= 0 {
		limit = defaultLimit
	}
	limit = min(limit, math.MaxInt64-1) // one byte more is read
	switch {
	case a.Node == "":
		return nil, fmt.Errorf("%v names several catalogs", a)
	case a.System == Agent && a.What != "":
		return c.cachedDocument(a, limit)
	case a.System == Agent:
		return c.cached(a.Node, limit)
	case a.What != "":
		return c.rows(ctx, a, limit)
	case a.System == PuppetServer:
		return c.compile(ctx, a, limit)
	default:
		return c.stored(ctx, a, limit)
	}
}

// cached returns the catalog that the agent has cached.
func (c *Client) cached(node string, limit int64) ([]byte, error) {
	var missing error
	for _, extension := range []string{".json", ".msgpack"} {
		name := filepath.Join(c.settings.CatalogCache, node+extension)
		info, err := os.Stat(name)
		if errors.Is(err, fs.ErrNotExist) {
			if missing == nil {
				missing = fmt.Errorf("the agent has not cached a catalog: %w; run the agent (not with --noop), or set client_datadir", err)
			}
			continue
		}
		if err == nil && info.Size() > limit {
			err = fmt.Errorf("%s: %w of %d bytes", name, errTooLarge, limit)
		}
		if err != nil {
			return nil, err
		}
		return os.ReadFile(name)
	}
	return nil, missing
}

// AgentDocuments returns the addresses of the documents that the agent keeps besides the catalog
// of an address, as far as they are there.
func (c *Client) AgentDocuments(a Address) (all []Address) {
	for _, what := range documents[Agent] {
		a.What = what
		if len(c.cachedFiles(a)) > 0 {
			all = append(all, a)
		}
	}
	return all
}

// cachedFiles returns the files that exist for a document of the agent.
func (c *Client) cachedFiles(a Address) (files []string) {
	candidates := []string{c.settings.LastReport}
	if a.What == facts {
		candidates = nil
		for _, dir := range c.settings.FactCaches {
			candidates = append(candidates, filepath.Join(dir, a.Node+".json"), filepath.Join(dir, a.Node+".yaml"))
		}
	}
	for _, file := range candidates {
		if _, err := os.Stat(file); err == nil {
			files = append(files, file)
		}
	}
	return files
}

// cachedDocument returns the last report, or the facts, that the agent keeps.
func (c *Client) cachedDocument(a Address, limit int64) ([]byte, error) {
	files := c.cachedFiles(a)
	if len(files) == 0 {
		return nil, fmt.Errorf("the agent keeps no %s here; run the agent (not with --noop), or set vardir", a.What)
	}
	info, err := os.Stat(files[0])
	if err == nil && info.Size() > limit {
		err = fmt.Errorf("%s: %w of %d bytes", files[0], errTooLarge, limit)
	}
	if err != nil {
		return nil, err
	}
	return os.ReadFile(files[0])
}

// connection returns the connection to a host in a URL.
func (c *Client) connection(system System, base, configuredBy string) (*connection, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := string(system) + " " + base // both may be behind one host
	if found := c.connections[key]; found != nil {
		return found, nil
	}
	made, err := c.settings.connect(system, base, configuredBy, c.waits, c.log)
	if err == nil {
		c.connections[key] = made
	}
	return made, err
}

// warn logs a warning once.
func (c *Client) warn(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.warned[text] {
		c.warned[text] = true
		c.log.Warn(text)
	}
}
