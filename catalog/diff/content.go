package diff

import (
	"errors"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// maxData is the largest text, in bytes, that is parsed as data.
const maxData = 1 << 20

// data returns the data in two texts of one file, if both are JSON, YAML or INI,
// and the name of their format.
func data(x, y string) (a, b pcore.Value, format string) {
	if len(x) > maxData || len(y) > maxData {
		return nil, nil, ""
	}
	for _, f := range []struct {
		name  string
		parse func(string) pcore.Value
	}{{"json", parseJSON}, {"ini", parseINI}, {"yaml", parseYAML}} {
		if a = f.parse(x); a == nil {
			continue
		}
		if b = f.parse(y); b != nil {
			return a, b, f.name
		}
	}
	return nil, nil, ""
}

// sameData reports whether two texts have the same data.
func sameData(x, y string) bool {
	a, b, format := data(x, y)
	return format != "" && pcore.Identical(a, b)
}

// parseJSON returns an object or an array, or nil.
func parseJSON(text string) pcore.Value {
	text = strings.TrimSpace(text)
	if text == "" || text[0] != '{' && text[0] != '[' {
		return nil
	}
	v, err := formats.JSON().Decode([]byte(text), serialization.DecodeOptions{Plain: true})
	if err != nil {
		return nil
	}
	return v
}

// parseYAML returns a mapping or a sequence of block style, a list of them for several
// documents, or nil. Many texts that
// are no YAML can be read as YAML; a file that has nested data begins like it.
func parseYAML(text string) pcore.Value {
	if !looksLikeYAML(text) {
		return nil
	}
	nodes := maxNodes
	var documents []pcore.Value
	for d := yaml.NewDecoder(strings.NewReader(text)); ; {
		var doc yaml.Node
		switch err := d.Decode(&doc); {
		case errors.Is(err, io.EOF) && len(documents) == 1:
			return documents[0]
		case errors.Is(err, io.EOF) && len(documents) > 1:
			return pcore.NewArray(documents...)
		case err != nil || len(doc.Content) != 1:
			return nil
		}
		v := fromYAML(doc.Content[0], 0, &nodes)
		if v == nil {
			return nil
		}
		documents = append(documents, v)
	}
}

// looksLikeYAML reports whether each line could be one of block style.
func looksLikeYAML(text string) bool {
	entries := 0
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		bare := strings.TrimLeft(line, " ")
		switch {
		case bare == "" || bare[0] == '#' || line == "---" || line == "...":
		case strings.HasPrefix(bare, "- ") || bare == "-", strings.HasSuffix(bare, ":"), strings.Contains(bare, ": "):
			entries++
		case line == bare:
			return false // neither an entry nor a continuation
		}
	}
	return entries > 0
}

// The depth and the size to which YAML is converted: aliases can be nested.
const (
	maxDepth = 64
	maxNodes = 1 << 18
)

// fromYAML converts a node, or returns nil if it has no equivalent. nodes is how many
// more nodes are converted.
func fromYAML(n *yaml.Node, depth int, nodes *int) pcore.Value {
	if *nodes--; *nodes < 0 || depth > maxDepth {
		return nil
	}
	switch n.Kind {
	case yaml.MappingNode:
		b := pcore.NewHashBuilder(len(n.Content) / 2)
		for i := 0; i+1 < len(n.Content); i += 2 {
			k, v := fromYAML(n.Content[i], depth+1, nodes), fromYAML(n.Content[i+1], depth+1, nodes)
			if k == nil || v == nil {
				return nil
			}
			b.Set(k, v)
		}
		return b.Hash()
	case yaml.SequenceNode:
		elems := make([]pcore.Value, 0, len(n.Content))
		for _, c := range n.Content {
			v := fromYAML(c, depth+1, nodes)
			if v == nil {
				return nil
			}
			elems = append(elems, v)
		}
		return pcore.NewArray(elems...)
	case yaml.ScalarNode:
		return fromScalar(n)
	case yaml.AliasNode:
		return fromYAML(n.Alias, depth+1, nodes)
	default:
		return nil
	}
}

func fromScalar(n *yaml.Node) pcore.Value {
	var v any
	if n.Decode(&v) != nil {
		return nil
	}
	switch v := v.(type) {
	case nil:
		return pcore.Undef{}
	case bool:
		return pcore.Boolean(v)
	case int:
		return pcore.Integer(v)
	case float64:
		return pcore.Float(v)
	default:
		return pcore.String(n.Value)
	}
}

// parseINI returns the sections of a file, or nil if it does not begin with one.
// Keys before the first section are not INI for this purpose.
func parseINI(text string) pcore.Value {
	sections := pcore.NewHashBuilder(0)
	var name string
	var entries *pcore.HashBuilder
	seen := make(map[string]bool)
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#' || line[0] == ';':
		case line[0] == '[' && line[len(line)-1] == ']':
			if entries != nil {
				sections.SetString(name, entries.Hash())
			}
			if name = line[1 : len(line)-1]; seen["["+name] {
				return nil
			}
			seen["["+name] = true
			entries = pcore.NewHashBuilder(0)
		default:
			key, value, ok := strings.Cut(line, "=")
			if key = strings.TrimSpace(key); !ok || entries == nil || seen[name+"\x00"+key] {
				return nil
			}
			seen[name+"\x00"+key] = true
			entries.SetString(key, pcore.String(strings.TrimSpace(value)))
		}
	}
	if entries == nil {
		return nil
	}
	sections.SetString(name, entries.Hash())
	return sections.Hash()
}

// dataChanges returns the differences of the data in two texts, and its format.
func dataChanges(x, y string) ([]DataChange, string) {
	a, b, format := data(x, y)
	if format == "" {
		return nil, ""
	}
	c := comparer{noise: &noise{}}
	c.values(nil, a, b, sensitivity{})
	var all []DataChange
	for _, d := range c.deltas {
		all = append(all, DataChange{Op: d.op, Path: d.path.Pointer(), Old: d.old, New: d.new})
	}
	return all, format
}
