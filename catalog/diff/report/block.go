package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/catalog/diff"
)

// block is the unit that a reader sees: the changes of a resource, or the equal changes of
// several.
type block struct {
	changes []*diff.Change // of the first resource
	others  []string       // the references of further resources with equal changes
	rank    diff.Rank
	line    bool // one line is enough: a class or a define does nothing on the node itself
	// assembled indicates that the text of the file that is made of fragments is shown, so that
	// the content of the fragment need not be.
	assembled bool
}

// quiet counts the changes that no block has.
type quiet struct {
	alike    int // that mean the same to Puppet
	repeated int // of classes and defines, that a resource in them has as well
}

// arrange returns the changes of a set, which are in the order of their interest, in blocks. With
// all, each change is in one.
func arrange(changes []*diff.Change, all bool) ([]block, quiet) {
	var q quiet
	if !all {
		n := len(changes)
		changes = slices.DeleteFunc(slices.Clone(changes), func(c *diff.Change) bool { return c.Alike })
		q.alike = n - len(changes)
	}
	blocks := byResource(changes)
	if !all {
		n := len(changes)
		blocks = withoutWrappers(blocks)
		for _, b := range blocks {
			n -= len(b.changes)
		}
		q.repeated = n
		blocks = merged(blocks)
	}
	files := assembled(changes)
	for i := range blocks {
		b := &blocks[i]
		b.line = !all && b.changes[0].IsContainer
		b.assembled = !all && slices.ContainsFunc(b.changes, func(c *diff.Change) bool {
			return slices.ContainsFunc(c.Effects, func(e diff.Effect) bool { return files[e.Ref] })
		})
	}
	return blocks, q
}

// assembled returns the references of the files of fragments whose texts are shown.
func assembled(changes []*diff.Change) map[string]bool {
	files := make(map[string]bool)
	for _, c := range changes {
		for i := range c.Effects {
			if c.Effects[i].Old != nil {
				files[c.Effects[i].Ref] = true
			}
		}
	}
	return files
}

// byResource returns a block for each resource.
func byResource(changes []*diff.Change) []block {
	var blocks []block
	for i := 0; i < len(changes); {
		n := i + 1
		for n < len(changes) && changes[n].Ref == changes[i].Ref && isPart(changes[n]) && isPart(changes[i]) {
			n++
		}
		b := block{changes: changes[i:n:n]}
		for _, c := range b.changes {
			b.rank = max(b.rank, c.Rank)
		}
		blocks = append(blocks, b)
		i = n
	}
	return blocks
}

// isPart reports whether a change is one of a part of a resource.
func isPart(c *diff.Change) bool { return c.Path != "" }

// withoutWrappers leaves out the classes and defines that only hand on the changes of resources in
// them: the same values change there, or they come or go with their resources.
func withoutWrappers(blocks []block) []block {
	inside := make(map[string][]*diff.Change) // the changes in a container, by its reference
	parent := make(map[string]string)
	for _, b := range blocks {
		parent[b.changes[0].Ref] = b.changes[0].Container
	}
	for _, b := range blocks {
		if b.changes[0].IsContainer {
			continue
		}
		seen := make(map[string]bool)
		for ref := b.changes[0].Container; ref != "" && !seen[ref]; ref = parent[ref] {
			seen[ref] = true
			inside[ref] = append(inside[ref], b.changes...)
		}
	}
	return slices.DeleteFunc(slices.Clone(blocks), func(b block) bool {
		if !b.changes[0].IsContainer {
			return false
		}
		for _, c := range b.changes {
			if !slices.ContainsFunc(inside[c.Ref], func(inner *diff.Change) bool { return saysSame(c, inner) }) {
				return false
			}
		}
		return true
	})
}

// saysSame reports whether the change of a resource says the same as one of its container: both are
// new or gone, or have the same values, none of which is a secret. A container with a higher rank says more.
func saysSame(container, inner *diff.Change) bool {
	switch {
	case container.Op != inner.Op || isPart(container) != isPart(inner) || container.Rank > inner.Rank:
		return false
	case !isPart(container):
		return container.Op != diff.OpMove
	}
	hasSecret := container.OldSecret || container.NewSecret || inner.OldSecret || inner.NewSecret
	return !hasSecret && valueKey(container) == valueKey(inner)
}

// valueKey returns a text that is equal for changes with the same values.
func valueKey(c *diff.Change) string {
	text := ""
	if c.Old != nil {
		text += c.Old.String()
	}
	text += "\x00"
	if c.New != nil {
		text += c.New.String()
	}
	return text
}

// isGone reports whether a block is about a resource that leaves the catalog and changes nothing on the node, and has no more to
// say.
func (b block) isGone() bool {
	c := b.changes[0]
	return !isPart(c) && c.Op == diff.OpRemove && c.Detail == "" && b.rank == diff.RankInfo && (len(c.Effects) == 0 || stays(b.changes))
}

// merged makes one block of those of several resources that say the same.
func merged(blocks []block) []block {
	first := make(map[string]int)
	var all []block
	for _, b := range blocks {
		key := b.key()
		at, known := first[key]
		if !known {
			first[key] = len(all)
			all = append(all, b)
			continue
		}
		all[at].others = append(all[at].others, b.changes[0].Ref)
	}
	return all
}

// key returns a text that is equal for blocks that say the same about other resources. That a
// whole resource is new is said for each, and so are secrets.
func (b block) key() string {
	c := b.changes[0]
	if b.isGone() && !c.IsContainer {
		if stays(b.changes) {
			return "gone\x00" + c.Effects[0].Detail
		}
		return "gone"
	}
	typ, _, _ := strings.Cut(c.Ref, "[")
	var key strings.Builder
	fmt.Fprintf(&key, "%s\x00%s\x00", typ, c.Container)
	for _, c := range b.changes {
		if !isPart(c) || c.OldSecret || c.NewSecret {
			return c.Ref + "\x00" + c.ID
		}
		fmt.Fprintf(&key, "%s\x00%s\x00%s\x00%s\x00%s\x00", c.Op, c.Kind, c.Path, valueKey(c), strings.ReplaceAll(c.Detail, c.Ref, "\x01"))
		for _, e := range c.Effects {
			fmt.Fprintf(&key, "%s\x00%s\x00%s\x00%s\x00", e.Effect, strings.ReplaceAll(e.Ref, c.Ref, "\x01"), e.Rank, e.Detail)
		}
	}
	return key.String()
}
