package diff

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/puppet"
	"github.com/pcatdev/pcat/pcore"
)

// The similarity from which a removed and an added resource are one renamed
// resource, and the most candidates that are compared with one resource.
const (
	minSimilarity = 0.7
	maxCandidates = 5
	maxCommon     = 64 // a feature of more resources finds no candidates
	minEvidence   = 12 // bytes of text in the parameters: less is the same in many resources
)

// features are the texts by which resources of one type are compared: each
// parameter with its value.
type features struct {
	item    *item
	parts   map[string]int // weights, without the own title in the texts
	written map[string]int // weights, with the title, which can be a word by chance
	total   int
	tail    string // the name of the resource without its folder
	// The bytes of text that make the resource different from others.
	evidence int
}

// compileDirs pairs the resources whose titles differ in the folder of compilation.
func (c *comparison) compileDirs() {
	n := c.noise
	if n.oldDir == n.newDir {
		return
	}
	added := make(map[string]*item, len(c.added))
	for _, i := range c.added {
		added[i.id] = i
	}
	first := len(c.matches)
	c.rename(func(o *item) *item { return added[strings.ReplaceAll(o.id, n.oldDir, n.newDir)] })
	for i := first; i < len(c.matches); i++ {
		c.matches[i].renamed = false
		n.ignore(profileCompileDir, "folder of compilation")
	}
}

// findRenames pairs removed with added resources: containers first, then their contents,
// then what is similar.
func (c *comparison) findRenames() error {
	if len(c.removed) == 0 || len(c.added) == 0 {
		return nil
	}
	if err := c.renameSimilar(func(i *item) bool { return i.isDefined() }); err != nil {
		return err
	}
	if err := c.renameContainers(); err != nil {
		return err
	}
	c.renameContents()
	return c.renameSimilar(func(*item) bool { return true })
}

// renameSimilar pairs the removed with the added resources among the selected ones that
// are most similar to each other.
func (c *comparison) renameSimilar(selected func(*item) bool) error {
	olds, err := featuresOf(c.removed, selected)
	if err != nil {
		return err
	}
	news, err := featuresOf(c.added, selected)
	if err != nil {
		return err
	}
	best := bestCandidates(olds, news)
	back := bestCandidates(news, olds)
	c.rename(func(o *item) *item {
		if n := best[o]; n != nil && back[n] == o {
			return n
		}
		return nil
	})
	return nil
}

// renameContainers pairs removed with added containers of one type that have similar
// parameters and the same content, apart from their own titles in the titles of it.
func (c *comparison) renameContainers() error {
	old := byContents(c.removed, c.old.containment(), c.renamedID)
	new := byContents(c.added, c.new.containment(), func(id string) string { return id })
	pairs := make(map[*item]*item)
	for key, o := range old {
		n := new[key]
		if o == nil || n == nil {
			continue // several have this content
		}
		a, err := newFeatures(o)
		if err != nil {
			return err
		}
		b, err := newFeatures(n)
		if err != nil {
			return err
		}
		if a.similarity(&b) >= minSimilarity {
			pairs[o] = n
		}
	}
	c.rename(func(o *item) *item { return pairs[o] })
	return nil
}

// byContents returns the containers among items by their type and content. The value is
// nil for a content that several have.
func byContents(items []*item, containers map[string][]catalog.Ref, name func(string) string) map[string]*item {
	contents := make(map[string][]string)
	for child, parents := range containers {
		for _, p := range parents {
			contents[identity(p)] = append(contents[identity(p)], child)
		}
	}
	all := make(map[string]*item)
	for _, i := range items {
		list := contents[i.id]
		if len(list) == 0 {
			continue
		}
		title := i.id[len(i.ref.Type)+len("[") : len(i.id)-len("]")] // in lower case for a class
		for k, child := range list {
			if list[k] = strings.ReplaceAll(child, title, "\x01"); list[k] == child {
				list[k] = name(child) // its own name, which can have changed
			}
		}
		slices.Sort(list)
		key := i.ref.Type + "\x00" + strings.Join(list, "\x00")
		if _, several := all[key]; several {
			i = nil
		}
		all[key] = i
	}
	return all
}

// renameContents pairs the contents of renamed containers whose titles differ in the
// title of the container.
func (c *comparison) renameContents() {
	added := make(map[string]*item, len(c.added))
	for _, n := range c.added {
		added[n.id] = n
	}
	for k := 0; k < len(c.matches) && len(added) > 0 && len(c.removed) > 0; k++ {
		m := c.matches[k]
		if !m.renamed || !m.new.isDefined() {
			continue
		}
		first := len(c.matches)
		c.rename(func(o *item) *item {
			if !strings.Contains(o.ref.Title, m.old.ref.Title) || !slices.ContainsFunc(c.old.containment()[o.id], m.old.is) {
				return nil
			}
			n := added[identity(catalog.Ref{Type: o.ref.Type, Title: strings.ReplaceAll(o.ref.Title, m.old.ref.Title, m.new.ref.Title)})]
			if n == nil || !slices.ContainsFunc(c.new.containment()[n.id], m.new.is) {
				return nil
			}
			return n
		})
		for i := first; i < len(c.matches); i++ {
			c.matches[i].replace = [2]string{m.old.ref.Title, m.new.ref.Title}
		}
	}
}

// follows reports whether b is a with a new title in some or all locations of the old one.
func follows(a, b string, replace [2]string) bool {
	old := replace[0]
	long, short := replace[0], replace[1]
	if len(long) < len(short) {
		long, short = short, long // one can begin with the other
	}
	for old != "" {
		before, after, found := strings.Cut(a, old)
		rest, ok := strings.CutPrefix(b, before)
		if !found || !ok {
			break
		}
		if b, ok = strings.CutPrefix(rest, long); !ok {
			if b, ok = strings.CutPrefix(rest, short); !ok {
				return false
			}
		}
		a = after
	}
	return a == b
}

// is reports whether a reference names i.
func (i *item) is(ref catalog.Ref) bool { return identity(ref) == i.id }

// bestCandidates returns the most similar resource for each, if there is only one.
func bestCandidates(from, to []features) map[*item]*item {
	index := make(map[string][]int) // positions in to
	for i, f := range to {
		for part := range f.all() {
			index[f.key(part)] = append(index[f.key(part)], i)
		}
	}
	best := make(map[*item]*item)
	for _, f := range from {
		shared := make(map[int]int)
		for part, weight := range f.all() {
			if found := index[f.key(part)]; len(found) <= maxCommon {
				for _, i := range found {
					shared[i] += weight
				}
			}
		}
		candidates := make([]int, 0, len(shared))
		for i := range shared {
			candidates = append(candidates, i)
		}
		slices.SortFunc(candidates, func(a, b int) int { return cmp.Or(shared[b]-shared[a], a-b) })
		top, second := 0.0, 0.0
		for _, i := range candidates[:min(len(candidates), maxCandidates)] {
			s := f.similarity(&to[i])
			if f.tail == to[i].tail {
				s += 0.05 // the same file in another folder
			}
			if s > top {
				top, second = s, top
				best[f.item] = to[i].item
			} else {
				second = max(second, s)
			}
		}
		if top < minSimilarity || top == second {
			delete(best, f.item)
		}
	}
	return best
}

func (f *features) key(part string) string { return strings.ToLower(f.item.ref.Type) + "\x00" + part }

// featuresOf returns the features of the resources that can be renamed. A resource
// that the title alone identifies on the node, such as a package, cannot: another
// title means another package.
func featuresOf(items []*item, selected func(*item) bool) ([]features, error) {
	var all []features
	for _, i := range items {
		if !selected(i) {
			continue
		}
		f, err := newFeatures(i)
		if err != nil {
			return nil, err
		}
		if f.evidence >= minEvidence {
			all = append(all, f)
		}
	}
	return all, nil
}

func newFeatures(i *item) (features, error) {
	f := features{item: i, parts: make(map[string]int), written: make(map[string]int), tail: i.ref.Title[strings.LastIndexByte(i.ref.Title, '/')+1:]}
	members, err := i.res.RawParameters()
	if err != nil {
		return f, err
	}
	for k := range members {
		if puppet.IndexOf(members[k].Key) >= 0 && !strings.EqualFold(i.ref.Type, "Stage") {
			continue // arrows are compared with the names that their targets have later; a stage is nothing else
		}
		v, err := decoded(i, &members[k])
		if err != nil {
			return f, err
		}
		f.add(members[k].Key, v)
	}
	return f, nil
}

// similarity returns the share of the features that both resources have.
func (f *features) similarity(g *features) float64 {
	if f.total+g.total == 0 {
		return 1
	}
	shared, written := 0, 0
	for part, weight := range f.parts {
		shared += min(weight, g.parts[part])
	}
	for part, weight := range f.written {
		written += min(weight, g.written[part])
	}
	return float64(2*max(shared, written)) / float64(f.total+g.total)
}

// all returns the parts with and without the title, and their weights.
func (f *features) all() iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		for part, weight := range f.parts {
			if !yield(part, weight) {
				return
			}
		}
		for part, weight := range f.written {
			if _, both := f.parts[part]; !both && !yield(part, weight) {
				return
			}
		}
	}
}

// add adds the features of a parameter.
func (f *features) add(key string, v pcore.Value) {
	put := func(path, text string) {
		weight := 1 + min(len(text), 64)/8
		f.written[path+"="+text] += weight
		text = strings.ReplaceAll(text, f.item.ref.Title, "\x00")
		f.parts[path+"="+text] += weight
		f.total += weight
		if isDistinctive(f.item, key) {
			f.evidence += len(text)
		}
	}
	var walk func(path string, v pcore.Value, depth int)
	walk = func(path string, v pcore.Value, depth int) {
		switch v := v.(type) {
		case *pcore.Array:
			for e := range v.Values() {
				walk(path, e, depth+1)
			}
		case *pcore.Hash:
			for k, e := range v.All() {
				walk(path+"/"+textOf(k), e, depth+1)
			}
		case *pcore.Sensitive:
			walk(path, v.Reveal(), depth+1) //nolint:forbidigo // it is compared, never printed
		case pcore.String:
			if key != "content" {
				put(path, string(v))
				return
			}
			for line := range strings.Lines(string(v)) {
				put(path, strings.TrimSpace(line))
			}
		default:
			put(path, v.String())
		}
	}
	walk(key, v, 0)
}

// isDistinctive reports whether a parameter identifies a resource. The members of
// a group of users or the mode of a file do not.
func isDistinctive(i *item, parameter string) bool {
	switch parameter {
	case "ensure", "owner", "group", "mode", "enable", "provider", "tag", "path", "cwd", "loglevel", "noop":
		return false
	}
	return !puppet.IsUniform(i.ref.Type)
}
