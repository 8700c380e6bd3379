package yaml

import (
	"fmt"
	"io"

	"go.yaml.in/yaml/v3"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/richdata"
)

// reader implements [serialization.Reader] on a document in memory.
type reader struct {
	decoder *decoder
	root    *yaml.Node // the root of the next document, or nil before it is read
	levels  []position
	err     error
}

// position is a list or a map that contains the cursor.
type position struct {
	node *yaml.Node
	next int // index in node.Content
	seen map[string]struct{}
}

// NewReader returns a cursor at the beginning of r. It keeps a whole document
// in memory. Raw returns a value as a document of its own, not the original
// bytes.
func NewReader(r io.Reader, o serialization.DecodeOptions) serialization.Reader {
	return &reader{decoder: newDecoder(r, o)}
}

// here returns the next node, or nil at the end of a list or map.
func (r *reader) here() (*yaml.Node, error) {
	if r.err != nil {
		return nil, r.err
	}
	node := r.root
	if top := r.top(); top != nil {
		if top.next == len(top.node.Content) {
			return nil, nil
		}
		node = top.node.Content[top.next]
	} else if node == nil {
		root, err := r.decoder.node()
		if err != nil {
			if err != io.EOF { //nolint:errorlint // the contract of node
				r.err = err
			}
			return nil, err
		}
		r.root, node = root, root
	}
	return resolve(node), nil
}

func resolve(node *yaml.Node) *yaml.Node {
	for node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	return node
}

func (r *reader) top() *position {
	if len(r.levels) == 0 {
		return nil
	}
	return &r.levels[len(r.levels)-1]
}

func (p *position) atKey() bool { return p.node.Kind == yaml.MappingNode && p.next%2 == 0 }

func (r *reader) fail(node *yaml.Node, err error) error {
	r.err = fail(node, r.Path(), err)
	return r.err
}

func (r *reader) misused(text string) error {
	return r.fail(nil, fmt.Errorf("%w: %s", serialization.ErrValue, text))
}

// Token implements [serialization.Reader].
func (r *reader) Token() (serialization.Token, error) {
	node, err := r.here()
	switch {
	case err != nil:
		return 0, err
	case node == nil:
		return serialization.TokenEnd, nil
	case r.top() != nil && r.top().atKey():
		return serialization.TokenKey, nil
	case node.Kind == yaml.SequenceNode:
		return serialization.TokenArray, nil
	case node.Kind == yaml.MappingNode:
		return serialization.TokenMap, nil
	}
	v, err := scalar(node, r.decoder.opts.StringLimit())
	if err != nil {
		return 0, r.fail(node, err)
	}
	switch v.Kind() {
	case pcore.KindUndef:
		return serialization.TokenNull, nil
	case pcore.KindBoolean:
		return serialization.TokenBoolean, nil
	case pcore.KindString:
		return serialization.TokenString, nil
	case pcore.KindBinary:
		return serialization.TokenBinary, nil
	default:
		return serialization.TokenNumber, nil
	}
}

// next returns the node of the next value.
func (r *reader) next() (*yaml.Node, error) {
	node, err := r.here()
	switch {
	case err == io.EOF: //nolint:errorlint // the contract of here
		return nil, r.fail(nil, serialization.ErrTruncated)
	case err != nil:
		return nil, err
	case node == nil || r.top() != nil && r.top().atKey():
		return nil, r.misused("expected a value")
	}
	return node, nil
}

func (r *reader) done() {
	if top := r.top(); top != nil {
		top.next++
		return
	}
	r.root = nil
}

// Enter implements [serialization.Reader].
func (r *reader) Enter() (n int, err error) {
	node, err := r.next()
	switch {
	case err != nil:
		return -1, err
	case node.Kind != yaml.SequenceNode && node.Kind != yaml.MappingNode:
		return -1, r.misused("expected a list or a map")
	case len(r.levels) >= r.decoder.opts.Depth():
		return -1, r.fail(node, serialization.ErrDepth)
	}
	if !isContainer(node) {
		return -1, r.fail(node, unknownTag())
	}
	r.levels = append(r.levels, position{node: node})
	if node.Kind == yaml.MappingNode {
		return len(node.Content) / 2, nil
	}
	return len(node.Content), nil
}

// Leave implements [serialization.Reader].
func (r *reader) Leave() error {
	if r.err != nil {
		return r.err
	}
	if r.top() == nil {
		return r.misused("no array or map is open")
	}
	for {
		switch t, err := r.Token(); {
		case err != nil:
			return err
		case t == serialization.TokenEnd:
			r.levels = r.levels[:len(r.levels)-1]
			r.done()
			return nil
		case t == serialization.TokenKey:
			if _, err := r.Key(); err != nil {
				return err
			}
		default:
			if err := r.Skip(); err != nil {
				return err
			}
		}
	}
}

// Key implements [serialization.Reader].
func (r *reader) Key() (string, error) {
	node, err := r.here()
	if err != nil {
		return "", err
	}
	top := r.top()
	if node == nil || top == nil || !top.atKey() {
		return "", r.misused("expected a key")
	}
	v, err := scalar(node, r.decoder.opts.StringLimit())
	if err != nil {
		return "", r.fail(node, err)
	}
	key, ok := v.(pcore.String)
	if !ok || node.Kind != yaml.ScalarNode {
		return "", r.fail(node, fmt.Errorf("%w: a map key is not a string", serialization.ErrUnsupported))
	}
	top.next++
	if top.seen == nil {
		top.seen = map[string]struct{}{}
	}
	if _, known := top.seen[string(key)]; known && !r.decoder.opts.AllowDuplicates {
		return "", r.fail(node, serialization.ErrDuplicateKey)
	}
	top.seen[string(key)] = struct{}{}
	return string(key), nil
}

// Value implements [serialization.Reader].
func (r *reader) Value() (pcore.Value, error) {
	node, err := r.next()
	if err != nil {
		return nil, err
	}
	b := richdata.NewBuilder(r.decoder.opts)
	b.Under(len(r.levels))
	if err := walk(node, toBuilder{b}, &r.decoder.opts, len(r.levels)); err != nil {
		return nil, r.fail(node, err)
	}
	r.done()
	return b.Value(), nil
}

// Raw implements [serialization.Reader].
func (r *reader) Raw() (serialization.Raw, error) {
	node, err := r.next()
	if err != nil {
		return serialization.Raw{}, err
	}
	to := toSink{s: &sink{}, duplicates: r.decoder.opts.AllowDuplicates}
	if err := walk(node, &to, &r.decoder.opts, len(r.levels)); err != nil {
		return serialization.Raw{}, r.fail(node, err)
	}
	r.done()
	return serialization.Raw{Bytes: to.s.b, Offset: -1}, nil
}

// Skip implements [serialization.Reader].
func (r *reader) Skip() error {
	_, err := r.Raw()
	return err
}

// Offset implements [serialization.Reader]. YAML has no offsets, so it returns
// -1.
func (r *reader) Offset() int64 { return -1 }

// Path implements [serialization.Reader].
func (r *reader) Path() pcore.Path {
	var path pcore.Path
	for i := range r.levels {
		p := &r.levels[i]
		switch {
		case p.node.Kind == yaml.SequenceNode:
			path = path.Index(p.next)
		case !p.atKey():
			path = append(path, pcore.Step{Kind: pcore.StepEntry, Index: p.next / 2, Key: pcore.String(resolve(p.node.Content[p.next-1]).Value)})
		}
	}
	return path
}

// End implements [serialization.Reader].
func (r *reader) End() error {
	if r.top() != nil {
		return r.misused("a list or a map is not closed")
	}
	switch node, err := r.here(); {
	case err == io.EOF: //nolint:errorlint // the contract of here
		return nil
	case err != nil:
		return err
	default:
		return r.fail(node, serialization.ErrTrailing)
	}
}
