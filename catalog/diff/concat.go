package diff

import (
	"slices"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/diff/internal/kind"
	"github.com/pcatdev/pcat/internal/puppet"
	"github.com/pcatdev/pcat/internal/ruby/psych"
	"github.com/pcatdev/pcat/pcore"
)

// assemble rates the changes of fragments of files: the file that they make is written if it
// differs.
func (c *comparison) assemble() {
	if !slices.ContainsFunc(c.changes, func(ch change) bool {
		file, fragment := puppet.IsConcat(ch.ref.Type)
		return file || fragment
	}) {
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
	c.takeOver(old, new)
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
			if was == nil || is == nil || sameFile(was, is) {
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
	if _, idle := file.isIdle(); idle || puppet.IsGone(file.text("ensure")) || puppet.Keeps(file.res, "ensure") {
		return
	}
	e := effect{effect: "write-file", ref: catalog.Ref{Type: "File", Title: is.Path}, rank: RankWrite, detail: "of its fragments"}
	if texts && was.Whole && is.Whole && !was.IsSecret && !is.IsSecret {
		e.old, e.new = pcore.String(was.Text), pcore.String(is.Text)
	}
	ch.effects = append(ch.effects, e)
	ch.hasEvent(file)
}

// sameFile reports whether two assemblies make the same file.
func sameFile(a, b *puppet.Assembly) bool {
	switch {
	case a.Whole && b.Whole:
		return a.Text == b.Text
	case a.Format != b.Format:
		return false
	case slices.Equal(a.Parts, b.Parts):
		return true
	case a.Format == "":
		return false
	}
	x, y := merged(a), merged(b)
	return x != nil && y != nil && x.String() == y.String() // with the order of keys
}

// merged returns the data of the fragments of a file in JSON or YAML, merged as the module concat
// does, or nil.
func merged(a *puppet.Assembly) pcore.Value {
	var all []pcore.Value
	for _, part := range a.Parts {
		var v pcore.Value
		if a.Format == "yaml" {
			if documents, err := psych.LoadAll(part); err == nil && len(documents) == 1 {
				v = documents[0]
			}
		} else {
			v = parseJSON(part)
		}
		if v == nil {
			return nil
		}
		all = append(all, v)
	}
	if strings.HasPrefix(a.Format, "json-array") || len(all) == 0 {
		return pcore.NewArray(all...)
	}
	result := all[0]
	for _, v := range all[1:] {
		result = merge(result, v)
	}
	return result
}

// merge merges two values: hashes by key, lists into one without equal elements. Of other values,
// the first counts.
func merge(a, b pcore.Value) pcore.Value {
	switch x := a.(type) {
	case *pcore.Hash:
		y, ok := b.(*pcore.Hash)
		if !ok {
			return a
		}
		m := pcore.NewHashBuilder(x.Len() + y.Len())
		for k, v := range x.All() {
			if w, ok := y.Get(k); ok {
				v = merge(v, w)
			}
			m.Set(k, v)
		}
		for k, w := range y.All() {
			if _, ok := x.Get(k); !ok {
				m.Set(k, w)
			}
		}
		return m.Hash()
	case *pcore.Array:
		y, ok := b.(*pcore.Array)
		if !ok {
			return a
		}
		var all []pcore.Value
		for _, list := range []*pcore.Array{x, y} {
			for e := range list.Values() {
				if !slices.ContainsFunc(all, func(o pcore.Value) bool { return pcore.Identical(o, e) }) {
					all = append(all, e)
				}
			}
		}
		return pcore.NewArray(all...)
	default:
		return a
	}
}

// takeOver removes the effects of a file that another resource made before, or makes now, with the
// same text.
func (c *comparison) takeOver(old, new map[string]*puppet.Assembly) {
	was, is := byPath(old), byPath(new)
	for i := range c.changes {
		ch := &c.changes[i]
		if ch.kind != kind.Resource || ch.at == nil {
			continue
		}
		file, _ := puppet.IsConcat(ch.ref.Type)
		if !file && ch.ref.Type != "File" {
			continue
		}
		path := puppet.FilePath(ch.at.res)
		before, after := contentOf(c.old, was[path], path), contentOf(c.new, is[path], path)
		switch {
		case before == nil || after == nil:
		case ch.op == OpRemove:
			ch.effects, ch.events = nil, nil
		case *before == *after:
			ch.effects, ch.events = nil, nil
			ch.detail = "the file stays as it is"
		}
	}
}

// byPath returns assemblies by the paths of their files.
func byPath(all map[string]*puppet.Assembly) map[string]*puppet.Assembly {
	paths := make(map[string]*puppet.Assembly, len(all))
	for _, a := range all {
		paths[a.Path] = a
	}
	return paths
}

// contentOf returns the text of a file, which fragments or a File have, or nil if it is not known.
func contentOf(s *side, a *puppet.Assembly, path string) *string {
	if a != nil {
		if !a.Whole {
			return nil
		}
		return &a.Text
	}
	i := s.resolve(catalog.Ref{Type: "File", Title: path})
	if i == nil || puppet.IsGone(i.text("ensure")) || !slices.Contains(i.res.ParameterNames(), "content") {
		return nil
	}
	text := i.text("content")
	return &text
}
