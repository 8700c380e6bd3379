package diff

import (
	"slices"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/puppet"
	"github.com/pcatdev/pcat/pcore"
)

// assemble rates the changes of fragments of files: the file that they make is written if it
// differs.
func (c *comparison) assemble() {
	if !slices.ContainsFunc(c.changes, func(ch change) bool { return ch.isAssembled() }) {
		return
	}
	old, new := puppet.Assemble(c.old.catalog.Resources()), puppet.Assemble(c.new.catalog.Resources())
	files := make(map[*catalog.Resource][]string) // titles of files by fragment
	for _, all := range []map[string]*puppet.Assembly{old, new} {
		for title, a := range all {
			for _, f := range append(slices.Clip(a.Fragments), a.File) {
				files[f] = append(files[f], title)
			}
		}
	}
	said := make(map[string]bool)
	for i := range c.changes {
		ch := &c.changes[i]
		if !ch.isAssembled() {
			continue
		}
		titles := files[ch.at.res]
		if before := c.before(ch.at); before != nil {
			titles = slices.Concat(titles, files[before.res])
		}
		slices.Sort(titles)
		ch.alike = len(ch.effects) == 0 && !ch.isSecrecy() && len(titles) > 0
		for _, title := range slices.Compact(titles) {
			was, is := old[title], new[title]
			if was == nil || is == nil || was.Same(is) {
				continue
			}
			ch.alike = false
			c.rewrite(ch, was, is, !said[title])
			said[title] = true
		}
	}
}

// isAssembled reports whether a change is one of a file of fragments, or of a fragment.
func (c *change) isAssembled() bool {
	if c.at == nil || c.member {
		return false
	}
	file, fragment := puppet.IsConcat(c.at.ref.Type)
	return fragment || file && len(c.path) > 0
}

// rewrite adds the effect that a file of fragments is written, and with texts its texts.
func (c *comparison) rewrite(ch *change, was, is *puppet.Assembly, texts bool) {
	file := c.new.resolve(is.File.Ref())
	if _, idle := puppet.IsIdle(is.File); idle || puppet.IsGone(file.text("ensure")) || file.text("replace") == "false" {
		return
	}
	e := effect{effect: "write-file", ref: catalog.Ref{Type: "File", Title: is.Path}, rank: RankWrite, detail: "of its fragments"}
	if texts && was.Whole && is.Whole && !was.IsSecret && !is.IsSecret {
		e.old, e.new = pcore.String(was.Text), pcore.String(is.Text)
	}
	ch.effects = append(ch.effects, e)
	ch.event, ch.acts = true, file
}
