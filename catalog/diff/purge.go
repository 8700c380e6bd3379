package diff

import (
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/puppet"
)

// purger returns the resource of the new catalog that deletes a resource of the old one, or nil:
// the nearest folder of a file, or a Resources.
func (c *comparison) purger(old *item) *item {
	if by := c.purgesType(old.ref.Type); by != nil && puppet.PurgeOf(by.res).Deletes(old.res) {
		return by
	}
	if old.ref.Type != "File" {
		return nil
	}
	for _, folder := range puppet.Folders(old.res) {
		by := c.new.resolve(catalog.Ref{Type: "File", Title: folder})
		if by == nil {
			continue
		}
		if puppet.PurgeOf(by.res).Deletes(old.res) {
			return by
		}
		return nil
	}
	return nil
}

// purgesType returns the Resources of the new catalog for a type, or nil.
func (c *comparison) purgesType(typ string) *item {
	if c.purges == nil {
		c.purges = make(map[string]*item)
		for _, i := range c.new.items {
			if typ := puppet.PurgeOf(i.res).Type; typ != "" {
				c.purges[typ] = i
			}
		}
	}
	return c.purges[typ]
}

// purge rates the removal of a resource that another one deletes.
func (c *comparison) purge(ch *change, by *item) {
	verb := "remove-"
	if ch.ref.Type == "File" {
		verb = "delete-"
	}
	ch.affects(verb+strings.ToLower(ch.ref.Type), RankDanger, "purged by "+by.ref.String())
	ch.event, ch.acts = true, by
}

// ratePurge rates a parameter that says which objects a resource deletes. It reports false for
// any other.
func (c *comparison) ratePurge(ch *change, key string, old *item) bool {
	was, is := puppet.PurgeOf(old.res), puppet.PurgeOf(ch.at.res)
	switch {
	case is.IsZero() || was.Equal(is) || !puppet.IsPurging(key):
		return false
	case is.Type != "":
		ch.affects("purge", RankDanger, "each "+is.Type+" of the node that the catalog does not contain is removed")
	default:
		ch.affects("purge", RankDanger, "files that the catalog does not contain are deleted")
	}
	ch.event = was.IsZero()
	return true
}
