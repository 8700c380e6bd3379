package diff

import (
	"slices"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/puppet"
)

// purgeOf returns the objects that a resource deletes.
func (i *item) purgeOf() puppet.Purge {
	if _, idle := i.isIdle(); idle {
		return puppet.Purge{}
	}
	return puppet.PurgeOf(i.res)
}

// purgesType returns the Resources of the new catalog that deletes those of a type, or nil.
func (c *comparison) purgesType(typ string) *item {
	if c.purges == nil {
		c.purges = make(map[string]*item)
		for _, i := range c.new.items {
			if typ := i.purgeOf().Type; typ != "" {
				c.purges[typ] = i
			}
		}
	}
	return c.purges[typ]
}

// purge rates the removal of a resource of the old catalog if another one of the new catalog
// deletes it: the nearest folder of a file, or a Resources. Otherwise it reports false.
func (c *comparison) purge(ch *change, old *item) bool {
	if by := c.purgesType(old.ref.Type); by != nil {
		if deletes, _ := by.purgeOf().Deletes(old.res); deletes {
			ch.deletes("remove-"+strings.ToLower(old.ref.Type), old.ref, "purged by "+by.ref.String())
			ch.hasEvent(by)
			return true
		}
	}
	isConcat, _ := puppet.IsConcat(old.ref.Type)
	if old.ref.Type != "File" && !isConcat {
		return false
	}
	file := catalog.Ref{Type: "File", Title: puppet.FilePath(old.res)}
	folders := puppet.Folders(old.res)
	for n, folder := range folders {
		by := c.new.resolve(catalog.Ref{Type: "File", Title: folder})
		if by == nil {
			continue
		}
		purge := by.purgeOf()
		deletes, kept := purge.Deletes(old.res)
		if !deletes {
			return false
		}
		if above := c.deletedFolder(folders[:n], purge); above != nil {
			ch.effects = append(ch.effects, effect{effect: "unmanaged", ref: file, rank: RankInfo, detail: "it is deleted with " + above.ref.String()})
			return true
		}
		detail := "purged by " + by.ref.String()
		if kept {
			detail += " in each run, which keeps it without force"
		}
		ch.deletes("delete-file", file, detail)
		if purge.IsDirect(old.res) {
			ch.hasEvent(by)
		}
		return true
	}
	return false
}

// deletes adds the effect that an object is deleted.
func (c *change) deletes(name string, ref catalog.Ref, detail string) {
	c.effects = append(c.effects, effect{effect: name, ref: ref, rank: RankDanger, detail: detail})
}

// deletedFolder returns a folder of the old catalog that is deleted with all that is in it, or nil.
func (c *comparison) deletedFolder(folders []string, purge puppet.Purge) *item {
	for _, folder := range slices.Backward(folders) {
		if old := c.old.resolve(catalog.Ref{Type: "File", Title: folder}); old != nil {
			if deletes, kept := purge.Deletes(old.res); deletes && !kept {
				return old
			}
		}
	}
	return nil
}

// ratePurge rates a parameter that says which objects a resource deletes. It reports false for
// any other.
func (c *comparison) ratePurge(ch *change, key string, old *item) bool {
	was, is := old.purgeOf(), ch.at.purgeOf()
	if is.IsZero() || was.Equal(is) || !puppet.IsPurging(key) {
		return false
	}
	ch.purges(is)
	ch.hasEvent(ch.at)
	return true
}

// purges adds the effect that a resource deletes the objects that the catalog does not contain.
func (c *change) purges(purge puppet.Purge) {
	if purge.Type != "" {
		c.affects("purge", RankDanger, "each "+purge.Type+" of the node that the catalog does not contain is removed")
		return
	}
	c.affects("purge", RankDanger, "files that the catalog does not contain are deleted")
}
