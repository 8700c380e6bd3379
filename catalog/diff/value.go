package diff

import (
	"slices"
	"strings"

	"github.com/pcatdev/pcat/catalog/diff/internal/kind"
	"github.com/pcatdev/pcat/catalog/diff/internal/linediff"
	"github.com/pcatdev/pcat/pcore"
)

// delta is one difference between two values.
type delta struct {
	op       Op
	kind     Kind
	path     pcore.Path
	old, new pcore.Value // nil if absent
	// A secret was declared by one of the catalogs at this location or around it.
	oldSecret, newSecret bool
	same                 bool // the values differ only in being Sensitive
}

// comparer compares the values of one resource.
type comparer struct {
	noise  *noise
	core   bool // the resource has a type of Puppet, not of a define
	param  string
	deltas []delta
}

// sensitivity tells which of the two values are inside of a secret.
type sensitivity struct{ old, new bool }

// values appends the differences between two values at path.
func (c *comparer) values(path pcore.Path, a, b pcore.Value, in sensitivity) {
	a, b, in = unwrap(a, b, in)
	if in.old != in.new {
		c.sensitivity(path, a, b, in)
		return
	}
	if pcore.Identical(a, b) {
		return
	}
	if in.old {
		inside := comparer{noise: c.noise, core: c.core, param: c.param}
		if inside.values(path, a, b, sensitivity{}); len(inside.deltas) > 0 {
			c.add(delta{op: OpChange, kind: kind.Secret, path: path, old: a, new: b, oldSecret: true, newSecret: true})
		}
		return
	}
	switch x := a.(type) {
	case *pcore.Hash:
		if y, ok := b.(*pcore.Hash); ok {
			c.hashes(path, x, y, in)
			return
		}
	case *pcore.Array:
		if y, ok := b.(*pcore.Array); ok && c.elements(path, x, y, in) {
			return
		}
	case *pcore.Deferred:
		if y, ok := b.(*pcore.Deferred); ok && x.Name() == y.Name() && sameLen(x.Arguments(), y.Arguments()) {
			for i, arg := range x.Arguments().All() {
				c.values(with(path, pcore.Step{Kind: pcore.StepArgument, Index: i}), arg, y.Arguments().At(i), in)
			}
			return
		}
	case *pcore.Object:
		if y, ok := b.(*pcore.Object); ok && x.TypeName() == y.TypeName() {
			c.entries(path, x.Attributes(), y.Attributes(), in, func(i int, key pcore.Value) pcore.Step {
				return pcore.Step{Kind: pcore.StepAttribute, Index: i, Key: key}
			})
			return
		}
	default: // no parts
	}
	if c.noise.equal(c, a, b) {
		return
	}
	if c.exposed(path, a, b, in) {
		return
	}
	c.add(delta{op: OpChange, kind: c.kindOf(path, a, b), path: path, old: a, new: b})
}

// exposed appends the difference between values of different shapes of which only one contains a
// Sensitive, and reports whether there is one. Puppet reads a list of one as its element.
func (c *comparer) exposed(path pcore.Path, a, b pcore.Value, in sensitivity) bool {
	if isCall(a) || isCall(b) {
		return false
	}
	secrets := sensitivity{containsSensitive(a), containsSensitive(b)}
	if secrets.old == secrets.new {
		return false
	}
	x, fromList := only(a)
	y, toList := only(b)
	if fromList != toList {
		c.values(path, x, y, in)
	} else {
		c.sensitivity(path, a, b, secrets)
	}
	return true
}

// only returns the element of a list of one, or else v, and whether it is such a list.
func only(v pcore.Value) (pcore.Value, bool) {
	if list, ok := v.(*pcore.Array); ok && list.Len() == 1 {
		return list.At(0), true
	}
	return v, false
}

// elements compares the elements of two arrays. It returns false if that is no useful
// description: a list of scalars is one value.
func (c *comparer) elements(path pcore.Path, x, y *pcore.Array, in sensitivity) bool {
	each := comparer{noise: c.noise, core: c.core, param: c.param}
	scalars := isScalars(x) && isScalars(y)
	switch {
	case x.Len() == y.Len():
		for i := range x.Len() {
			each.values(path.Index(i), x.At(i), y.At(i), in)
		}
	case !scalars:
		each.aligned(path, x, y, in)
	default:
		return false
	}
	if len(each.deltas) > 0 && scalars {
		return false
	}
	c.deltas = append(c.deltas, each.deltas...)
	return true
}

// aligned compares the elements of arrays of different lengths: equal ones belong together,
// and so do the ones between them, in order. The last of these were added or removed. An
// added or changed element has its index in y, a removed one that in x.
func (c *comparer) aligned(path pcore.Path, x, y *pcore.Array, in sensitivity) {
	i, j := 0, 0
	var removed, added int // since the last common element
	pair := func() {
		for k := range max(removed, added) {
			from, to := i-removed+k, j-added+k
			switch {
			case k >= removed:
				c.addition(path.Index(to), y.At(to), in)
			case k >= added:
				c.removal(path.Index(from), x.At(from), in)
			default:
				c.values(path.Index(to), x.At(from), y.At(to), in)
			}
		}
		removed, added = 0, 0
	}
	all, _ := linediff.Compare(identities(x), identities(y))
	for _, e := range all {
		switch e.Op {
		case '-':
			i, removed = i+1, removed+1
		case '+':
			j, added = j+1, added+1
		default:
			pair()
			i, j = i+1, j+1
		}
	}
	pair()
}

// identities returns a text for each element that is equal for equal elements only. They
// contain secrets.
func identities(a *pcore.Array) []string {
	all := make([]string, 0, a.Len())
	for e := range a.Values() {
		var b strings.Builder
		canonical(&b, e, func(s string) string { return s })
		all = append(all, b.String())
	}
	return all
}

// isScalars reports whether all elements of an array are texts, numbers, Booleans or undef.
func isScalars(a *pcore.Array) bool {
	for e := range a.Values() {
		if isContainer(e) || !pcore.Is[pcore.String](e) && !isPlain(e) {
			return false
		}
	}
	return true
}

// unwrap takes values out of their Sensitive.
func unwrap(a, b pcore.Value, in sensitivity) (x, y pcore.Value, now sensitivity) {
	for {
		s, ok := a.(*pcore.Sensitive)
		if !ok {
			break
		}
		a, in.old = s.Reveal(), true //nolint:forbidigo // it is compared, never printed
	}
	for {
		s, ok := b.(*pcore.Sensitive)
		if !ok {
			break
		}
		b, in.new = s.Reveal(), true //nolint:forbidigo // it is compared, never printed
	}
	return a, b, in
}

// sensitivity appends the difference between a secret and a value that is none.
func (c *comparer) sensitivity(path pcore.Path, a, b pcore.Value, in sensitivity) {
	if c.noise.sensitivity(a, b, in) {
		return
	}
	c.add(delta{
		op: OpChange, kind: kind.Sensitivity, path: path, old: a, new: b, oldSecret: in.old, newSecret: in.new,
		same: pcore.Identical(a, b),
	})
}

func (c *comparer) hashes(path pcore.Path, x, y *pcore.Hash, in sensitivity) {
	listed := !y.HasPlainKeys()
	c.entries(path, x, y, in, func(i int, key pcore.Value) pcore.Step {
		return pcore.Step{Kind: pcore.StepEntry, Index: i, Key: key, Listed: listed}
	})
}

// entries compares values by key.
func (c *comparer) entries(path pcore.Path, x, y *pcore.Hash, in sensitivity, step func(int, pcore.Value) pcore.Step) {
	olds, news := keys{c.noise, x, nil}, keys{c.noise, y, nil}
	i := 0
	for k, v := range x.All() {
		at := with(path, step(i, k))
		i++
		if w, ok := news.get(k); ok {
			c.values(at, v, w, in)
			continue
		}
		c.removal(at, v, in)
	}
	i = 0
	for k, w := range y.All() {
		at := with(path, step(i, k))
		i++
		if _, ok := olds.get(k); ok {
			continue
		}
		c.addition(at, w, in)
	}
}

// removal appends a value that only the old container has.
func (c *comparer) removal(at pcore.Path, v pcore.Value, in sensitivity) {
	v, _, in = unwrap(v, nil, in)
	c.add(delta{op: OpRemove, kind: kind.Nested, path: at, old: v, oldSecret: in.old})
}

// addition appends a value that only the new container has.
func (c *comparer) addition(at pcore.Path, v pcore.Value, in sensitivity) {
	_, v, in = unwrap(nil, v, in)
	c.add(delta{op: OpAdd, kind: kind.Nested, path: at, new: v, newSecret: in.new})
}

// keys finds the values of a hash.
type keys struct {
	noise  *noise
	hash   *pcore.Hash
	byText map[string]pcore.Value // made by get
}

// get returns the value at a key, which plain formats write as text.
func (h *keys) get(key pcore.Value) (pcore.Value, bool) {
	if v, ok := h.hash.Get(key); ok || pcore.Is[pcore.String](key) && !h.noise.texts() {
		return v, ok
	}
	if h.byText == nil {
		h.byText = make(map[string]pcore.Value, h.hash.Len())
		for k, v := range h.hash.All() {
			h.byText[h.text(k)] = v
		}
	}
	v, ok := h.byText[h.text(key)]
	return v, ok
}

// text returns a text that is equal for equal keys. Without a plain format, only flags of
// regular expressions do not matter.
func (h *keys) text(key pcore.Value) string {
	if h.noise.texts() {
		return keyText(key)
	}
	var b strings.Builder
	canonical(&b, key, withoutFlags)
	return b.String()
}

func (c *comparer) add(d delta) { c.deltas = append(c.deltas, d) }

func isContainer(v pcore.Value) bool {
	switch v.(type) {
	case *pcore.Array, *pcore.Hash, *pcore.Sensitive, *pcore.Deferred, *pcore.Object:
		return true
	default:
		return false
	}
}

func sameLen(a, b *pcore.Array) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return a.Len() == b.Len()
}

func with(p pcore.Path, s pcore.Step) pcore.Path { return append(p[:len(p):len(p)], s) }

// kindOf returns the kind of a change of a value.
func (c *comparer) kindOf(path pcore.Path, a, b pcore.Value) Kind {
	switch {
	case pcore.Is[*pcore.Deferred](a) || pcore.Is[*pcore.Deferred](b):
		return kind.Deferred
	case family(a) != family(b):
		return kind.Type
	case pcore.Is[*pcore.Array](a):
		return kind.Array
	case isRich(a):
		return kind.Rich
	case c.param == "content" && len(path) == 1 && pcore.Is[pcore.String](a):
		return kind.Content
	case len(path) > 1:
		return kind.Nested
	default:
		return kind.Value
	}
}

// isRich reports whether a value has no notation in JSON.
func isRich(v pcore.Value) bool {
	switch v.(type) {
	case pcore.Symbol, *pcore.Regexp, pcore.Binary, pcore.Timestamp, pcore.Timespan, *pcore.SemVer, *pcore.SemVerRange,
		*pcore.URI, *pcore.Object, *pcore.Iterator, pcore.Type:
		return true
	default:
		return false
	}
}

// family is the kind of a value, with one kind for all whole numbers.
func family(v pcore.Value) pcore.Kind {
	if pcore.Is[pcore.BigInteger](v) {
		return pcore.KindOf(pcore.Integer(0))
	}
	return pcore.KindOf(v)
}

// texts returns the elements of an array, or of arrays in it, as text.
func texts(v pcore.Value) []string {
	switch v := v.(type) {
	case nil, pcore.Undef:
		return nil
	case *pcore.Array:
		var all []string
		for e := range v.Values() {
			all = append(all, texts(e)...)
		}
		return all
	case *pcore.Sensitive:
		return texts(v.Reveal()) //nolint:forbidigo // it is compared, never printed
	default:
		return []string{textOf(v)}
	}
}

// textOf returns a scalar as text, as Puppet's to_s does.
func textOf(v pcore.Value) string {
	switch v := v.(type) {
	case pcore.String:
		return string(v)
	case pcore.Symbol:
		return string(v)
	default:
		return v.String()
	}
}

// sameSet reports whether two lists have the same elements, in any order.
func sameSet(a, b []string) bool {
	a, b = slices.Clone(a), slices.Clone(b)
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(slices.Compact(a), slices.Compact(b))
}

// canonical appends a text of v that is equal for identical values only, after
// fold was applied to every text. It contains secrets.
func canonical(b *strings.Builder, v pcore.Value, fold func(string) string) {
	if v == nil {
		b.WriteByte('-')
		return
	}
	b.WriteByte('a' + byte(pcore.KindOf(v)))
	write := func(s string) {
		s = fold(s)
		b.WriteString(lengthOf(s))
		b.WriteString(s)
	}
	hash := func(h *pcore.Hash) {
		entries := make([]string, 0, h.Len())
		for k, e := range h.All() {
			var one strings.Builder
			canonical(&one, k, fold)
			canonical(&one, e, fold)
			entries = append(entries, one.String())
		}
		slices.Sort(entries)
		b.WriteString(lengthOf(strings.Join(entries, "")))
		for _, e := range entries {
			b.WriteString(e)
		}
	}
	switch v := v.(type) {
	case pcore.String:
		write(string(v))
	case *pcore.Sensitive:
		canonical(b, v.Reveal(), fold) //nolint:forbidigo // only its keyed digest is kept
	case *pcore.Array:
		b.WriteByte('[')
		for e := range v.Values() {
			canonical(b, e, fold)
		}
		b.WriteByte(']')
	case *pcore.Hash:
		hash(v)
	case *pcore.Deferred:
		write(v.Name())
		if v.Arguments() != nil {
			canonical(b, v.Arguments(), fold)
		}
	case *pcore.Object:
		write(v.TypeName())
		hash(v.Attributes())
	case pcore.Binary:
		write(v.Raw())
	default:
		write(v.String())
	}
}

// containsSensitive reports whether a Sensitive is in a value, at any depth.
func containsSensitive(v pcore.Value) bool {
	return pcore.Search(v, func(v pcore.Value) (found, inside bool) { return pcore.Is[*pcore.Sensitive](v), true })
}
