package psych

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/pcatdev/pcat/internal/rubytext"
	"github.com/pcatdev/pcat/pcore"
)

// MaxNodes is the maximum number of values in one document; an alias counts
// each time it is used.
const MaxNodes = 1 << 20

// Load returns the first document of a YAML text; ok is false if there is none.
// Tags of Ruby classes and recursive aliases are errors. The last of equal keys
// takes precedence.
func Load(text string) (v pcore.Value, ok bool, err error) {
	var document yaml.Node
	if err := yaml.NewDecoder(strings.NewReader(text)).Decode(&document); errors.Is(err, io.EOF) {
		return pcore.Undef{}, false, nil
	} else if err != nil {
		return nil, false, err
	}
	l := loader{left: MaxNodes, open: make(map[*yaml.Node]bool)}
	v, err = l.value(&document)
	return v, err == nil, err
}

type loader struct {
	left int
	open map[*yaml.Node]bool // anchors being loaded
}

func (l *loader) value(n *yaml.Node) (pcore.Value, error) {
	if l.left--; l.left < 0 {
		return nil, fmt.Errorf("the document holds more than %d values", MaxNodes)
	}
	if tag := n.ShortTag(); n.Kind != yaml.ScalarNode && strings.HasPrefix(tag, "!ruby/") {
		return nil, fmt.Errorf("line %d: the tag %s is not allowed", n.Line, tag)
	}
	switch n.Kind {
	case yaml.DocumentNode:
		return l.value(n.Content[0])
	case yaml.AliasNode:
		return l.alias(n)
	case yaml.SequenceNode:
		elems := make([]pcore.Value, len(n.Content))
		for i, c := range n.Content {
			var err error
			if elems[i], err = l.value(c); err != nil {
				return nil, err
			}
		}
		return pcore.NewArray(elems...), nil
	case yaml.MappingNode:
		return l.mapping(n)
	default:
		return l.scalar(n)
	}
}

func (l *loader) alias(n *yaml.Node) (pcore.Value, error) {
	if l.open[n.Alias] {
		return nil, fmt.Errorf("line %d: the alias stands inside what it stands for", n.Line)
	}
	l.open[n.Alias] = true
	defer delete(l.open, n.Alias)
	return l.value(n.Alias)
}

func (l *loader) mapping(n *yaml.Node) (pcore.Value, error) {
	b := pcore.NewHashBuilder(len(n.Content) / 2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		if key := n.Content[i]; key.Kind == yaml.ScalarNode && key.Value == mergeKey && key.Style == 0 {
			if err := l.merge(b, n.Content[i+1]); err != nil {
				return nil, err
			}
			continue
		}
		k, err := l.value(n.Content[i])
		if err != nil {
			return nil, err
		}
		v, err := l.value(n.Content[i+1])
		if err != nil {
			return nil, err
		}
		b.Set(k, v)
	}
	return b.Hash(), nil
}

// merge adds the entries of one or several mappings for a `<<` key.
func (l *loader) merge(b *pcore.HashBuilder, n *yaml.Node) error {
	v, err := l.value(n)
	if err != nil {
		return err
	}
	switch v := v.(type) {
	case *pcore.Hash:
		for k, e := range v.All() {
			b.Set(k, e)
		}
	case *pcore.Array:
		for i := v.Len() - 1; i >= 0; i-- {
			if h, ok := v.At(i).(*pcore.Hash); ok {
				for k, e := range h.All() {
					b.Set(k, e)
				}
			}
		}
	default:
		b.Set(pcore.String(mergeKey), v)
	}
	return nil
}

func (l *loader) scalar(n *yaml.Node) (pcore.Value, error) {
	if n.Style&yaml.TaggedStyle != 0 {
		return tagged(n)
	}
	if n.Style != 0 {
		return pcore.String(n.Value), nil
	}
	return plainValue(n.Value), nil
}

// plainValue returns the value of a plain scalar. Dates and times remain texts,
// because Psych rejects them.
func plainValue(s string) pcore.Value {
	v := Scalar(s)
	if v.Kind() == pcore.KindTimestamp {
		return pcore.String(s)
	}
	return v
}

func tagged(n *yaml.Node) (pcore.Value, error) {
	switch tag := n.ShortTag(); tag {
	case "!!str", "!str":
		return pcore.String(n.Value), nil
	case "!!binary", "!binary":
		b, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(n.Value), ""))
		if err != nil {
			return nil, fmt.Errorf("line %d: the binary value is no base64", n.Line)
		}
		return pcore.NewBinary(b), nil
	case "!ruby/symbol", "!ruby/sym":
		return symbol(n.Value), nil
	case "!!float":
		f, err := rubytext.Float(plainValue(n.Value))
		if err != nil {
			return nil, fmt.Errorf("line %d: the value is no number", n.Line)
		}
		return pcore.Float(f), nil
	case "!!int", "!!bool", "!!null", "!!timestamp":
		return plainValue(n.Value), nil
	default:
		if strings.HasPrefix(tag, "!ruby/") {
			return nil, fmt.Errorf("line %d: the tag %s is not allowed", n.Line, tag)
		}
		return pcore.String(n.Value), nil
	}
}
