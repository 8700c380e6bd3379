package convert

import (
	"errors"
	"fmt"
	"math"

	"github.com/pcatdev/pcat/pcore"
)

// newTree creates nested hashes from an array of paths and their values. A path
// may continue into a hash or an array that an earlier path has added. The
// option hash_tree converts arrays to hashes by index.
func newTree(c *Converter, args []pcore.Value) (pcore.Value, error) {
	if len(args) == 1 {
		return newHashOfPairs(c, args)
	}
	hashesOnly := args[1] == pcore.Value(pcore.String("hash_tree"))
	root := new(hashBranch)
	for e := range args[0].(*pcore.Array).Values() {
		entry := e.(*pcore.Array)
		path, v := entry.At(0).(*pcore.Array), entry.At(1)
		if path.Len() == 0 {
			if err := root.merge(v); err != nil {
				return nil, err
			}
			continue
		}
		if hashesOnly {
			v = hashOfArray(v)
		}
		if err := c.put(root, path, v); err != nil {
			return nil, err
		}
	}
	return root.value(), nil
}

// hashOfArray converts an array, and the arrays in it, to hashes by index.
func hashOfArray(v pcore.Value) pcore.Value {
	a, ok := v.(*pcore.Array)
	if !ok {
		return v
	}
	b := pcore.NewHashBuilder(a.Len())
	for i, e := range a.All() {
		b.Set(pcore.Integer(i), hashOfArray(e))
	}
	return b.Hash()
}

// maxTreeDepth limits the length of a path, and so the depth of a tree.
const maxTreeDepth = 512

var (
	errTreeDepth error = &limitError{"a path in a tree has more than %d keys", maxTreeDepth}
	errNoBranch        = errors.New("a path in a tree leads into a value that is no Hash and no Array")
)

// put sets the value at a path. It creates missing hashes on the path.
func (c *Converter) put(at branch, path *pcore.Array, v pcore.Value) error {
	last := path.Len() - 1
	if last >= maxTreeDepth {
		return errTreeDepth
	}
	for i := range last {
		p, err := at.step(path.At(i))
		if err != nil {
			return err
		}
		if at = p.open(); at == nil {
			return errNoBranch
		}
	}
	return at.set(c, path.At(last), v)
}

// branch is a hash or an array of a tree under construction.
type branch interface {
	// step returns the location at key.
	step(key pcore.Value) (*node, error)
	set(c *Converter, key, v pcore.Value) error
	value() pcore.Value
}

// node is a position in a tree. It holds the value put there or, once a path
// has continued into the value, the branch made from it.
type node struct {
	v      pcore.Value
	branch branch
}

// open returns the branch at the location, or nil for a value of another kind.
func (p *node) open() branch {
	if p.branch == nil {
		switch v := p.v.(type) {
		case *pcore.Hash:
			b := new(hashBranch)
			b.add(v)
			p.branch = b
		case *pcore.Array:
			b := new(arrayBranch)
			for e := range v.Values() {
				b.locations = append(b.locations, &node{v: e})
			}
			p.branch = b
		default:
		}
	}
	return p.branch
}

func (p *node) value() pcore.Value {
	if p.branch != nil {
		return p.branch.value()
	}
	return p.v
}

type hashBranch struct {
	keys      []pcore.Value
	locations []*node
	index     pcore.HashBuilder // maps keys to their positions
}

func (b *hashBranch) at(key pcore.Value) *node {
	if i, ok := b.index.Get(key); ok {
		return b.locations[i.(pcore.Integer)]
	}
	p := new(node)
	b.index.Set(key, pcore.Integer(len(b.keys)))
	b.keys, b.locations = append(b.keys, key), append(b.locations, p)
	return p
}

func (b *hashBranch) step(key pcore.Value) (*node, error) {
	p := b.at(key)
	if p.v == nil {
		p.v = pcore.NewHash()
	}
	return p, nil
}

func (b *hashBranch) set(_ *Converter, key, v pcore.Value) error {
	*b.at(key) = node{v: v}
	return nil
}

func (b *hashBranch) add(h *pcore.Hash) {
	for k, v := range h.All() {
		*b.at(k) = node{v: v}
	}
}

// merge adds the entries of a hash, or the elements of an array by index.
func (b *hashBranch) merge(v pcore.Value) error {
	switch v := v.(type) {
	case *pcore.Hash:
		b.add(v)
	case *pcore.Array:
		for i, e := range v.All() {
			*b.at(pcore.Integer(i)) = node{v: e}
		}
	default:
		return errors.New("the root of a tree must be a Hash or an Array")
	}
	return nil
}

func (b *hashBranch) value() pcore.Value {
	h := pcore.NewHashBuilder(len(b.keys))
	for i, k := range b.keys {
		h.Set(k, b.locations[i].value())
	}
	return h.Hash()
}

type arrayBranch struct{ locations []*node }

// position returns the position for key, counted from the end if it is
// negative.
func (b *arrayBranch) position(key pcore.Value) (int, error) {
	i := math.MaxInt
	switch key := key.(type) {
	case pcore.Integer:
		i = int(key)
	case pcore.Float:
		if f := math.Trunc(float64(key)); math.Abs(f) <= math.MaxInt32 {
			i = int(f)
		}
	default:
		return 0, fmt.Errorf("%s is no index of an Array", pcore.KindOf(key))
	}
	if i < 0 {
		if i += len(b.locations); i < 0 {
			return 0, fmt.Errorf("index %d too small for array; minimum: -%d", i-len(b.locations), len(b.locations))
		}
	}
	return i, nil
}

func (b *arrayBranch) step(key pcore.Value) (*node, error) {
	i, err := b.position(key)
	if err != nil {
		return nil, err
	}
	if i >= len(b.locations) {
		return nil, errNoBranch
	}
	return b.locations[i], nil
}

// set pads the array with undef if the position is beyond its end.
func (b *arrayBranch) set(c *Converter, key, v pcore.Value) error {
	i, err := b.position(key)
	if err != nil {
		return err
	}
	if missing := i - len(b.locations); missing > 0 {
		if missing > math.MaxInt32 {
			return errTooLarge
		}
		if err := c.spend(missing, 0); err != nil {
			return err
		}
	}
	for i >= len(b.locations) {
		b.locations = append(b.locations, &node{v: pcore.Undef{}})
	}
	*b.locations[i] = node{v: v}
	return nil
}

func (b *arrayBranch) value() pcore.Value {
	elems := make([]pcore.Value, len(b.locations))
	for i, p := range b.locations {
		elems[i] = p.value()
	}
	return pcore.NewArray(elems...)
}
