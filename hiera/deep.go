package hiera

import (
	"slices"
	"strings"

	"github.com/pcatdev/pcat/internal/ruby/rubyorder"
	"github.com/pcatdev/pcat/internal/ruby/rubyre"
	"github.com/pcatdev/pcat/internal/ruby/rubytext"
	"github.com/pcatdev/pcat/pcore"
)

// deepMerge merges as Ruby's library deep_merge does. That library changes its arguments, and
// its results depend on which parts are shared, so arrays and hashes are mutable here.
type deepMerge struct {
	inv        *invocation
	prefix     string
	knockout   *rubyre.Regexp // ^prefix; nil for none
	keep       bool           // what cannot be merged is kept
	overwrite  bool           // arrays replace arrays
	sort       bool
	split      string
	byPosition bool // hashes in arrays are merged
	extend     bool // anything is added to an array
	depth      int
	opened     bool // a decrypted array or hash: the result is a secret
}

// list and table are a mutable array and hash. Any other value is a pcore.Value.
type (
	list  struct{ elems []any }
	table struct {
		keys   []pcore.Value
		values map[string][]int // positions by the text of the key
		elems  []any
	}
)

func newDeepMerge(inv *invocation, options *pcore.Hash) (*deepMerge, error) {
	m := &deepMerge{
		inv: inv, keep: optionSet(options, "preserve_unmergeables"), overwrite: optionSet(options, "overwrite_arrays"),
		sort: optionSet(options, "sort_merged_arrays"), split: optionText(options, "unpack_arrays"),
		byPosition: optionSet(options, "merge_hash_arrays"), extend: optionSet(options, "extend_existing_arrays"),
	}
	if !optionSet(options, "knockout_prefix") {
		return m, nil
	}
	m.prefix = optionText(options, "knockout_prefix")
	if m.prefix == "" {
		return nil, generalErrorf("knockout_prefix cannot be an empty string in deep_merge!")
	}
	if m.keep {
		return nil, generalErrorf("overwrite_unmergeable must be true if knockout_prefix is specified in deep_merge!")
	}
	var err error
	if m.knockout, err = rubyre.Compile("^" + m.prefix); err != nil {
		return nil, generalErrorf("knockout_prefix: %v", err)
	}
	return m, nil
}

// mutable returns a mutable copy of a value.
func (m *deepMerge) mutable(v pcore.Value) any {
	switch open := m.inv.h.open(v).(type) {
	case *pcore.Array:
		m.opened = m.opened || m.inv.h.decrypted(v)
		l := &list{elems: make([]any, open.Len())}
		for i, e := range open.All() {
			l.elems[i] = m.mutable(e)
		}
		return l
	case *pcore.Hash:
		m.opened = m.opened || m.inv.h.decrypted(v)
		t := &table{values: make(map[string][]int, open.Len())}
		for k, e := range open.All() {
			t.set(k, m.mutable(e))
		}
		return t
	default:
		return v
	}
}

// result returns the value of a merge.
func (m *deepMerge) result(x any) pcore.Value { return m.inv.h.sealed(m.value(x), m.opened) }

// value returns the value of a mutable copy.
func (m *deepMerge) value(x any) pcore.Value {
	switch x := x.(type) {
	case *list:
		elems := make([]pcore.Value, len(x.elems))
		for i, e := range x.elems {
			elems[i] = m.value(e)
		}
		return pcore.NewArray(elems...)
	case *table:
		b := pcore.NewHashBuilder(len(x.keys))
		for i, k := range x.keys {
			b.Set(k, m.value(x.elems[i]))
		}
		return b.Hash()
	default:
		return x.(pcore.Value)
	}
}

func (t *table) at(k pcore.Value) int {
	for _, i := range t.values[rubytext.Inspect(k)] {
		if pcore.Identical(t.keys[i], k) {
			return i
		}
	}
	return -1
}

func (t *table) set(k pcore.Value, x any) {
	if i := t.at(k); i >= 0 {
		t.elems[i] = x
		return
	}
	text := rubytext.Inspect(k)
	t.values[text] = append(t.values[text], len(t.keys))
	t.keys, t.elems = append(t.keys, k), append(t.elems, x)
}

// duplicate returns a copy that shares its parts.
func duplicate(x any) any {
	switch x := x.(type) {
	case *list:
		return &list{slices.Clone(x.elems)}
	case *table:
		d := &table{values: make(map[string][]int, len(x.keys))}
		for i, k := range x.keys {
			d.set(k, x.elems[i])
		}
		return d
	default:
		return x
	}
}

func isTruthy(x any) bool {
	v, ok := x.(pcore.Value)
	return !ok || truthy(v)
}

// same reports whether two parts are equal, as Ruby's eql? does.
func (m *deepMerge) same(a, b any) bool {
	v, isValue := a.(pcore.Value)
	w, isOther := b.(pcore.Value)
	if !isValue && !isOther {
		return pcore.Identical(m.inv.h.bare(m.value(a)), m.inv.h.bare(m.value(b)))
	}
	return isValue && isOther && pcore.Identical(m.inv.h.bare(v), m.inv.h.bare(w))
}

// merge merges source into dest and returns the result.
func (m *deepMerge) merge(source, dest any) (any, error) {
	if m.depth++; m.depth > maxNesting*10 {
		return nil, lookupErrorf("the values of a merge are nested too deep")
	}
	defer func() { m.depth-- }()
	if err := m.inv.spend(1); err != nil {
		return nil, err
	}
	if v, ok := source.(pcore.Value); ok && pcore.Is[pcore.Undef](v) {
		return dest, nil
	}
	if !isTruthy(dest) && !m.keep {
		return source, nil
	}
	switch source := source.(type) {
	case *table:
		return m.table(source, dest)
	case *list:
		return m.list(source, dest)
	default:
		if to, ok := dest.(*list); ok && m.extend {
			to.elems = append(to.elems, source)
			return to, nil
		}
		return m.replace(source, dest)
	}
}

func (m *deepMerge) table(source *table, dest any) (any, error) {
	for i := range source.keys {
		k, v := source.keys[i], source.elems[i]
		switch to := dest.(type) {
		case *table:
			below := duplicate(v)
			if j := to.at(k); j >= 0 && isTruthy(to.elems[j]) {
				below = to.elems[j]
			}
			merged, err := m.merge(v, below)
			if err != nil {
				return nil, err
			}
			to.set(k, merged)
		case *list:
			if m.extend {
				to.elems = append(to.elems, source)
				continue
			}
			var err error
			if dest, err = m.replace(source, dest); err != nil {
				return nil, err
			}
		default:
			var err error
			if dest, err = m.replace(source, dest); err != nil {
				return nil, err
			}
		}
	}
	return dest, nil
}

func (m *deepMerge) list(source *list, dest any) (any, error) {
	if m.overwrite {
		return source, nil
	}
	to, isList := dest.(*list)
	if m.split != "" {
		source = m.unpack(source)
		if isList {
			to = m.unpack(to)
			dest = to
		}
	}
	if m.knockout != nil && m.index(source) >= 0 {
		if isList {
			to.elems = nil
		}
		source.remove(func(x any) bool { return m.same(x, pcore.String(m.prefix)) })
	}
	if !isList {
		if m.keep {
			return dest, nil
		}
		return m.replace(source, dest)
	}
	if m.knockout != nil {
		if err := m.knockOut(source, to); err != nil {
			return nil, err
		}
	}
	merged, err := m.joined(source, to)
	if err != nil || !m.sort {
		return merged, err
	}
	return merged, m.sorted(merged)
}

// unpack joins an array and splits it.
func (m *deepMerge) unpack(l *list) *list {
	var texts []string
	for _, v := range flattened(m.inv, m.value(l)).(*pcore.Array).All() { // nothing in it is decrypted but texts
		plain := m.inv.h.bare(v)
		m.opened = m.opened || plain != v
		texts = append(texts, rubytext.Text(plain))
	}
	unpacked := &list{}
	for _, part := range strings.Split(strings.Join(texts, m.split), m.split) {
		unpacked.elems = append(unpacked.elems, pcore.String(part))
	}
	for n := len(unpacked.elems); n > 0 && unpacked.elems[n-1] == any(pcore.String("")); n-- {
		unpacked.elems = unpacked.elems[:n-1]
	}
	return unpacked
}

func (m *deepMerge) index(l *list) int {
	return slices.IndexFunc(l.elems, func(x any) bool { return m.same(x, pcore.String(m.prefix)) })
}

// remove removes elements.
func (l *list) remove(drop func(any) bool) {
	l.elems = slices.DeleteFunc(l.elems, drop)
}

// stripped returns a text without the prefix. ok is false if it has none.
func (m *deepMerge) stripped(x any) (text string, ok bool, err error) {
	v, isValue := x.(pcore.Value)
	if !isValue {
		return "", false, nil
	}
	s, isText := m.inv.h.bare(v).(pcore.String)
	if !isText {
		return "", false, nil
	}
	text, err = m.knockout.Replace(string(s), "", -1)
	return text, text != string(s), err
}

// knockOut removes the elements of dest that source names with the prefix. Both can be the same
// array: like Ruby's delete_if, it goes on in what is left.
func (m *deepMerge) knockOut(source, dest *list) error {
	write, read := 0, 0
	for read < len(source.elems) {
		x := source.elems[read]
		text, ok, err := m.stripped(x)
		if err != nil {
			return generalErrorf("knockout_prefix: %v", err)
		}
		if err := m.inv.spend(1 + len(dest.elems)/stepCost); err != nil {
			return err
		}
		if ok {
			dest.remove(func(y any) bool { return m.same(y, pcore.String(text)) })
			dest.remove(func(y any) bool { return m.same(y, x) })
			read++
			continue
		}
		source.elems[write] = x
		read++
		write++
	}
	tail := source.elems[min(read, len(source.elems)):]
	source.elems = append(source.elems[:min(write, len(source.elems))], tail...)
	return nil
}

// joined returns the elements of both arrays.
func (m *deepMerge) joined(source, dest *list) (*list, error) {
	if m.byPosition && areTables(source) && areTables(dest) {
		all := &list{}
		for i, e := range dest.elems {
			from := any(&table{values: map[string][]int{}})
			if i < len(source.elems) {
				from = source.elems[i]
			}
			merged, err := m.merge(from, e)
			if err != nil {
				return nil, err
			}
			all.elems = append(all.elems, merged)
		}
		if len(source.elems) > len(dest.elems) {
			all.elems = append(all.elems, source.elems[len(dest.elems):]...)
		}
		return all, nil
	}
	if err := m.inv.spend(len(source.elems) + len(dest.elems)); err != nil {
		return nil, err
	}
	all := &list{}
	seen := pcore.NewHashBuilder(len(dest.elems) + len(source.elems))
	for _, l := range []*list{dest, source} {
		for _, x := range l.elems {
			if !seen.Set(m.inv.h.bare(m.value(x)), pcore.Boolean(true)) {
				all.elems = append(all.elems, x)
			}
		}
	}
	return all, nil
}

func areTables(l *list) bool {
	return !slices.ContainsFunc(l.elems, func(x any) bool { _, ok := x.(*table); return !ok })
}

// sorted sorts an array.
func (m *deepMerge) sorted(l *list) error {
	return rubyorder.Sort(l.elems, func(a, b any) (int, error) {
		v, w := m.inv.h.bare(m.value(a)), m.inv.h.bare(m.value(b))
		order, ok := rubyorder.Compare(v, w)
		if !ok {
			return 0, generalErrorf("%v", rubyorder.Error(v, w))
		}
		return order, nil
	})
}

// replace returns what replaces dest, which cannot be merged with source.
func (m *deepMerge) replace(source, dest any) (any, error) {
	if m.keep {
		return dest, nil
	}
	if m.knockout == nil {
		return source, nil
	}
	switch s := source.(type) {
	case *list: // the array itself is changed, so it always equals what is left
		var failure error
		s.remove(func(x any) bool {
			v, ok := x.(pcore.Value)
			if !ok {
				return false
			}
			text, ok := m.inv.h.bare(v).(pcore.String)
			if !ok {
				return false
			}
			found, err := m.knockout.MatchString(string(text))
			if err != nil {
				failure = generalErrorf("knockout_prefix: %v", err)
			}
			return found
		})
		return s, failure
	default:
		_, changed, err := m.stripped(source)
		switch {
		case err != nil:
			return nil, generalErrorf("knockout_prefix: %v", err)
		case changed:
			return pcore.String(""), nil
		default:
			return source, nil
		}
	}
}
