package yaml

import (
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/richdata"
)

// receiver receives the data of a document.
type receiver interface {
	add(v pcore.Value) error
	key(v pcore.Value) error
	beginArray(n int) error
	endArray() error
	beginMap(n int) error
	endMap() error
	path() pcore.Path
}

// Aliases can make a document larger than its text. The limit is maxAliased
// nodes plus aliasRatio times the nodes in the text.
const (
	maxAliased = 10000
	aliasRatio = 10
)

// walker pushes a document into a receiver.
type walker struct {
	to      receiver
	opts    *serialization.DecodeOptions
	depth   int
	written int // nodes outside of aliases
	aliased int // nodes pushed because of an alias
	inAlias int
}

// walk pushes the data of node into to. node is nested in depth lists and maps.
func walk(node *yaml.Node, to receiver, o *serialization.DecodeOptions, depth int) error {
	w := walker{to: to, opts: o, depth: depth}
	return w.value(node)
}

func (w *walker) fail(node *yaml.Node, err error) error { return fail(node, w.to.path(), err) }

func (w *walker) value(node *yaml.Node) error {
	if err := w.count(node); err != nil {
		return err
	}
	switch node.Kind {
	case yaml.AliasNode:
		w.inAlias++
		err := w.value(node.Alias)
		w.inAlias--
		return err
	case yaml.SequenceNode:
		return w.within(node, w.sequence)
	case yaml.MappingNode:
		return w.within(node, w.mapping)
	}
	v, err := scalar(node, w.opts.StringLimit())
	if err == nil {
		err = w.to.add(v)
	}
	if err != nil {
		return w.fail(node, err)
	}
	return nil
}

func (w *walker) count(node *yaml.Node) error {
	if w.inAlias == 0 {
		w.written++
		return nil
	}
	w.aliased++
	if w.aliased > maxAliased+aliasRatio*w.written {
		return w.fail(node, fmt.Errorf("%w: expanding aliases makes the document many times larger than its encoding", serialization.ErrTooLarge))
	}
	return nil
}

func (w *walker) within(node *yaml.Node, f func(*yaml.Node) error) error {
	if w.depth >= w.opts.Depth() {
		return w.fail(node, fmt.Errorf("%w: more than %d levels of lists and maps", serialization.ErrDepth, w.opts.Depth()))
	}
	if !isContainer(node) {
		return w.fail(node, unknownTag())
	}
	w.depth++
	err := f(node)
	w.depth--
	return err
}

func (w *walker) sequence(node *yaml.Node) error {
	if err := w.to.beginArray(len(node.Content)); err != nil {
		return w.fail(node, err)
	}
	for _, elem := range node.Content {
		if err := w.value(elem); err != nil {
			return err
		}
	}
	return w.to.endArray()
}

func (w *walker) mapping(node *yaml.Node) error {
	if err := w.to.beginMap(len(node.Content) / 2); err != nil {
		return w.fail(node, err)
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		if err := w.key(node.Content[i]); err != nil {
			return err
		}
		if err := w.value(node.Content[i+1]); err != nil {
			return err
		}
	}
	if err := w.to.endMap(); err != nil {
		return fail(node, nil, err) // err has its path
	}
	return nil
}

func (w *walker) key(node *yaml.Node) error {
	for node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	if node.Kind != yaml.ScalarNode {
		return w.fail(node, fmt.Errorf("%w: a map key is a list or a map", serialization.ErrUnsupported))
	}
	if err := w.count(node); err != nil {
		return err
	}
	v, err := scalar(node, w.opts.StringLimit())
	if err == nil {
		err = w.to.key(v)
	}
	if err != nil {
		return w.fail(node, err)
	}
	return nil
}

// toBuilder is a receiver that builds a value.
type toBuilder struct{ b *richdata.Builder }

func (t toBuilder) add(v pcore.Value) error { t.b.Add(v); return nil }
func (t toBuilder) key(v pcore.Value) error { t.b.KeyValue(v, -1); return nil }
func (t toBuilder) beginArray(int) error    { return t.b.BeginArray() }
func (t toBuilder) endArray() error         { t.b.EndArray(); return nil }
func (t toBuilder) beginMap(int) error      { return t.b.BeginMap() }
func (t toBuilder) endMap() error           { return t.b.EndMap() }
func (t toBuilder) path() pcore.Path        { return t.b.Path() }
